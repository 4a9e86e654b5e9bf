"""Which characters can be shown: on a page, on paper, and in every database."""

import unicodedata

_UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")
"""Unicode categories of control characters and surrogates: nobody types them, and not every database stores them."""
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that reverse the direction of writing, also in the sentence around a name."""


def is_printable(text: str, *, lines: bool = False) -> bool:
    """Return whether every character of a text can be shown; with `lines`, it may have line breaks and tabs."""
    if text.isascii() and text.isprintable():  # nearly every text, and many are looked at in an import
        return True
    return all(
        (unicodedata.category(letter) not in _UNPRINTABLE and letter not in _BIDI_CONTROLS)
        or (lines and letter in "\n\r\t")
        for letter in text
    )


def shortened(text: str) -> str:
    """Return a text cut to what fits into a message."""
    return text if len(text) <= 40 else f"{text[:37]}…"


def is_visible(text: str) -> bool:
    """Return whether a text has any character that leaves a mark."""
    return any(unicodedata.category(letter)[0] in "LNPS" for letter in text)
