"""Exact odds: how often hands are dealt, what each bet brings in theory, and the main game under optimal play.

Everything is enumerated, nothing is pasted. Only `boards`, `duels`, `flops` and `optimal` use numpy; who needs no more
than Trips, a Progressive or what is stored does not load it.
"""
