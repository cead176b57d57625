"""PostgreSQL and a Redis-compatible broker for a machine that has neither.

One keeper process per data directory runs the servers while any command holds a lease on them:
`leases.hold(data_dir, "postgres")` starts or joins it, `places` says where the sockets are.
Nothing in this package imports Django or the rest of `config`: the keeper runs it by itself.
"""
