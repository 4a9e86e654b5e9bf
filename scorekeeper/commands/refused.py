"""What stops a command."""


class Refused(Exception):
    """A command cannot be done; the message says why, and `scorekeeper.cli` ends with exit status 1."""
