"""The signature of a phone on what it writes: its holder, and a part of its own code.

Phones without a holder sign with their code alone.
"""

_BETWEEN = ":"
_LETTERS = 6
"""Enough letters of a phone's code to tell it from others, and too few to guess the code."""


def signature(device: str, seat: str | None = None) -> str:
    """Return the signature of a phone, held by a seat or a side where that is known."""
    return f"{seat}{_BETWEEN}{device[:_LETTERS]}" if seat else device[:_LETTERS]


def holder_of(actor: str) -> str | None:
    """Return the id of the holder of the phone that signed; `None` where it had none."""
    return actor.rpartition(_BETWEEN)[0] or None


def is_same_phone(one: str, other: str) -> bool:
    """Return whether two signatures are one phone's."""
    return one.rpartition(_BETWEEN)[2] == other.rpartition(_BETWEEN)[2]
