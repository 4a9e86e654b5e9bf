"""What is read from the fields of a form, whatever its page."""

import re
from collections.abc import Container, Mapping


def parts(fields: Mapping[str, str], prefix: str, known: Container[str] | None = None) -> dict[str, str]:
    """Return the values of the fields with a prefix, by the rest of their names; only those `known`, if given."""
    found = ((name.removeprefix(prefix), text.strip()) for name, text in fields.items() if name.startswith(prefix))
    return {part: text for part, text in found if text and (known is None or part in known)}


def number_or_text(text: str) -> int | str:
    """Read a number; a text that is none is returned as it is, to be refused where it belongs."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else text


def whole(text: str) -> int | None:
    """Read a whole number, which may be below zero; `None` where it is none."""
    plain = text.replace("−", "-").replace("–", "-").replace(" ", "")
    return int(plain) if re.fullmatch(r"[+-]?[0-9]{1,9}", plain) else None


def tidy(text: str) -> str:
    """Return a text with one space between its words and none around it."""
    return " ".join(text.split())


def tidy_lines(text: str) -> str:
    """Return a text of several lines with none of its own that are empty at its ends."""
    return "\n".join(text.splitlines()).strip()
