"""What the service does in a second, measured in one run against what it could do: `python -m tests.benchmarks`.

A figure measures its ways in turn, several times over, and each time from the same books: a database is made once as a
template and copied for every run. What counts is the ratio of two ways in the same turn: its median over all turns.
"""
