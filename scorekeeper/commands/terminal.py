"""Output to a terminal: control characters in text from strangers, and letters that it cannot show, are replaced.

Commands print only with this module. Long lists are printed a page at a time, latest first.
"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

import click

from scorekeeper import OperatorError

USUAL_LIMIT = 50
MAX_LIMIT = 500
HIGHEST_ID = 2**31 - 1
"""A number above every id."""


class CommandRefused(OperatorError):
    """A command is refused; like for every `OperatorError`, `scorekeeper.cli` exits with status 1."""


@contextmanager
def refusing(*faults: type[Exception]) -> Iterator[None]:
    """Convert these exceptions to `CommandRefused` with their message; also a decorator."""
    try:
        yield
    except faults as fault:
        raise CommandRefused(str(fault)) from fault


def complain(why: str) -> None:
    """Print an error about part of a command, which goes on."""
    print_text(f"{click.get_current_context().command_path}: {why}", sys.stderr)


def print_text(text: str, file: TextIO | None = None, *, end: str = "\n") -> None:
    """Print a text, with a question mark for each letter that the output cannot show."""
    file = file or sys.stdout
    encoding = file.encoding or "utf-8"
    shown = _printable(text, lambda _control: "\N{REPLACEMENT CHARACTER}")
    print(shown.encode(encoding, "replace").decode(encoding), file=file, end=end)


def print_json(value: object, indent: int | None = None) -> None:
    """Print a value as JSON, on one line without `indent`, unescaped if the output can show its letters."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=indent)
    # Some terminals obey control characters that JSON need not escape.
    print(_printable(text, _escaped))


def _printable(text: str, replaced: Callable[[str], str]) -> str:
    """Return a text with its control characters, except line ends, replaced."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter == "\n" else replaced(letter) for letter in text)


def _escaped(letter: str) -> str:
    return f"\\u{ord(letter):04x}" if letter.isascii() else json.dumps(letter)[1:-1]


def agrees(question: str) -> bool:
    """Ask a yes-or-no question; without any input the answer is no."""
    try:
        answer = input(f"{question} [y/N] ")
    except EOFError:
        print_text("")
        return False
    return answer.strip().lower() in ("y", "yes")


def matches_words(number: int) -> str:
    """Return a number of matches in words: "1 match", "2 matches"."""
    return f"{number} match{'' if number == 1 else 'es'}"


def print_rest(what: str, older: int | None, limit: int, *, deleted: bool, any_listed: bool, any_shown: bool) -> None:
    """Print why a page of a list is empty, and the command for older items."""
    if not any_shown:
        print_text("All of these are deleted; --deleted lists them." if any_listed else f"There are no {what} here.")
    print_older(f"{what} --deleted" if deleted else what, older, limit)


def print_older(command: str, older: int | None, limit: int) -> None:
    """Print the command for the next page, if any."""
    if older is not None:
        own_limit = "" if limit == USUAL_LIMIT else f" --limit {limit}"
        print_text(f"Older ones: scorekeeper {command}{own_limit} --before {older}")


def _count(text: str) -> int:
    number = _number(text)
    if number > MAX_LIMIT:
        raise ValueError(f"type a whole number from 1 to {MAX_LIMIT}")
    return number


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:11]) <= HIGHEST_ID):
        raise ValueError("type a whole number from 1 up")
    return int(text[:11])


limit_option = click.option(
    "--limit",
    type=_count,
    default=str(USUAL_LIMIT),
    metavar="N",
    help=f"how many at most, up to {MAX_LIMIT} (usually {USUAL_LIMIT})",
)
before_option = click.option(
    "--before",
    type=_number,
    default=str(HIGHEST_ID),
    metavar="NUMBER",
    help="list older ones; the end of each page says before which number",
)
json_option = click.option("--json", "as_json", is_flag=True, help="print it as JSON, for a program to read")
