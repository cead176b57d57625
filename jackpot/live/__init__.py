"""Following a jackpot as it changes: one listener a process, however many follow.

    async with hub.follow("MAIN") as following:
        async for news in following.news(every=15.0):
            ...

`news` yields lists of what happened (`Hit`, `Reset`), how meters stand (`Meter`) and whether the database is there
(`Source`), in order; an empty list every so often while there is nothing to tell. It knows no HTTP: the API's stream
and the sign tell it on.
"""
