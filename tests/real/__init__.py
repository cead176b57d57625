"""The service on the real servers of this machine, where they answer on their standard ports; else these skip."""
