"""What is written from right to left, in a line that is not."""

import re

_LETTERS = "\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
"""Hebrew, Arabic and every other script of this direction, with their own signs and digits."""
_WITHIN = "(?:[ \u00a0]+|[-.'’]|&#3[49];)"
"""What stands between the words or letters of one name; nothing of it lies at an end of a name."""
_LETTER = re.compile(f"[{_LETTERS}]")
_PARTS = re.compile(
    r"<!--.*?-->|<(script|style|title|desc|textarea|option|text|bdi)\b.*?</\1>|<[^>]*>"
    rf"|([{_LETTERS}](?:[{_LETTERS}\u0300-\u036f\u200c\u200d0-9]|{_WITHIN}(?=[{_LETTERS}]))*)",
    re.DOTALL,
)
"""What is left as it is: tags, and elements that hold plain text or are isolated already; and a name."""


def isolated(markup: str) -> str:
    """Return markup in which no name changes the order of what stands around it, whichever way it is written.

    >>> isolated('<p title="שרה">שרה לוי & דן: +2</p>')
    '<p title="שרה"><bdi>שרה לוי</bdi> & <bdi>דן</bdi>: +2</p>'
    """
    if not _LETTER.search(markup):
        return markup
    return _PARTS.sub(lambda found: f"<bdi>{found[2]}</bdi>" if found[2] else found[0], markup)
