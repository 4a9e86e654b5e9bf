"""Text on a terminal: what a stranger's file says must not steer it, and each letter must be one that it can show.

Every command prints by this module alone.
"""

import json
import sys
from argparse import ArgumentParser
from typing import Any, NoReturn, TextIO


class Parser(ArgumentParser):
    """A parser of commands: the names of files that it does not understand may be a stranger's as well."""

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Print a message and end."""
        super().exit(status, printable(message) if message else message)


def printable(text: str) -> str:
    """Return a text without what would steer a terminal; it keeps its lines."""
    return "".join(it if it.isprintable() or it == "\n" else "\N{REPLACEMENT CHARACTER}" for it in text)


def print_text(text: str, file: TextIO | None = None, *, end: str = "\n") -> None:
    """Print a text, with a question mark for each letter that cannot be shown."""
    file = file or sys.stdout
    encoding = file.encoding or "utf-8"
    print(printable(text).encode(encoding, "replace").decode(encoding), file=file, end=end)


def print_json(value: Any, indent: int | None = None) -> None:
    """Print a value as JSON, on one line unless it is indented."""
    print(_json(value, indent))


def _json(value: Any, indent: int | None) -> str:
    """Return JSON with names as they are spelled wherever the output can show them."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=indent)
    if text.isprintable():
        return text
    # Some terminals obey control characters that JSON need not escape.
    return "".join(it if it.isprintable() or it == "\n" else _escaped(it) for it in text)


def _escaped(letter: str) -> str:
    return f"\\u{ord(letter):04x}" if letter.isascii() else json.dumps(letter)[1:-1]
