"""Keep score for the card game Pitch."""

__version__ = "0.1.0"


class OperatorError(Exception):
    """A command or the server cannot go on. The message says why, and what the operator can do about that."""
