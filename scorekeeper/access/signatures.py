"""How a phone signs what it writes: by whoever holds it, and by a part of its own code.

Phones that nobody holds sign with their code alone.
"""

_BETWEEN = ":"
_LETTERS = 6
"""Enough of a phone's code to tell it from others, and too little to stand for it."""


def signature(device: str, seat: str | None = None) -> str:
    """Return the signature of a phone, held by a seat or a side where that is known."""
    return f"{seat}{_BETWEEN}{device[:_LETTERS]}" if seat else device[:_LETTERS]


def holder_of(actor: str) -> str | None:
    """Return the id of whoever held the phone that signed."""
    return actor.rpartition(_BETWEEN)[0] or None


def is_same_phone(one: str, other: str) -> bool:
    """Return whether two signatures are one phone's."""
    return one.rpartition(_BETWEEN)[2] == other.rpartition(_BETWEEN)[2]
