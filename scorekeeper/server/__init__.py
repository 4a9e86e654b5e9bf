"""Serving the app: the server and its processes, the network that it is on, and what keeps it running for years."""
