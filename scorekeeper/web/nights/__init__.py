"""A tournament night: the host's page, the wall, and where each pair sits."""
