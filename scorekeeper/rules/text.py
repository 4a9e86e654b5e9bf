"""Which characters can be shown: on a page, on paper, and in every database."""

import unicodedata

_UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")
"""Control characters and halves of characters: no phone can type them, and not every database can keep them."""
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that turn the writing round, and with it the sentence that the name stands in."""


def is_printable(text: str, *, lines: bool = False) -> bool:
    """Say whether every character of a text can be shown."""
    return all(
        (unicodedata.category(letter) not in _UNPRINTABLE and letter not in _TURNING) or (lines and letter in "\n\r\t")
        for letter in text
    )


def is_visible(text: str) -> bool:
    """Say whether there is anything to be seen of a text."""
    return any(unicodedata.category(letter)[0] in "LNPS" for letter in text)
