"""The sign that players look at: `/sign/<jackpot>/`, without a login, and nothing on it but what the sign shows.

    urls        its three addresses: the page, `now` and `stream`
    views       answering them; where the database is away the page says so and tries again
    telling     the closed set of what is told of a jackpot, and how
    glances     one reading a second, however many ask

Why it shows what it shows: docs/decisions, "What the sign may show".
"""
