"""Output of commands: what a terminal must not or cannot show is replaced.

Commands print only with this module. Long lists are printed a page at a time, latest first.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

import click

from scorekeeper import OperatorError

DEFAULT_LIMIT = 50
MAX_LIMIT = 500
"""The greatest number of items on a page of a list; the default is `DEFAULT_LIMIT`."""
MAX_ID = 2**31 - 1
"""The greatest id of a row in a database."""


class CommandRefused(OperatorError):
    """A command is refused with exit status 1; the message says why, and what to do."""


@contextmanager
def convert_to_refusal(*exception_types: type[Exception]) -> Iterator[None]:
    """Convert exceptions of these types in a block to `CommandRefused` with the same message; also a decorator."""
    try:
        yield
    except exception_types as error:
        raise CommandRefused(str(error)) from error


def print_problem(why: str) -> None:
    """Print to standard error the command's name and why something failed; the command goes on."""
    print_text(f"{click.get_current_context().command_path}: {why}", sys.stderr)


def print_text(text: str, file: TextIO | None = None, *, end: str = "\n") -> None:
    """Print a text, with a replacement for each character that the terminal must not or cannot show."""
    file = file or sys.stdout
    encoding = file.encoding or "utf-8"
    shown = _replace_control_characters(text, lambda _control: "\N{REPLACEMENT CHARACTER}")
    print(shown.encode(encoding, "replace").decode(encoding), file=file, end=end)


def print_json(value: object, indent: int | None = None) -> None:
    """Print a value as JSON; without `indent`, it is on one line.

    Control characters, and letters that the output lacks, are escaped.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=indent)
    # Some terminals obey control characters that JSON need not escape.
    print(_replace_control_characters(text, _json_escape))


def _replace_control_characters(text: str, replace: Callable[[str], str]) -> str:
    """Return a text with its control characters, except line ends, replaced by what a function returns for each."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter == "\n" else replace(letter) for letter in text)


def _json_escape(letter: str) -> str:
    """Return a character as a JSON escape sequence."""
    return f"\\u{ord(letter):04x}" if letter.isascii() else json.dumps(letter)[1:-1]


def ask_yes_or_no(question: str) -> bool:
    """Ask a question in the terminal, and return whether the answer was yes; without input it is no."""
    try:
        answer = input(f"{question} [y/N] ")
    except EOFError:
        print_text("")
        return False
    return answer.strip().lower() in ("y", "yes")


def print_list_end(
    what: str,
    before: int,
    older: int | None,
    limit: int,
    *,
    command: str,
    listed: Sequence[object],
    shown: Sequence[object],
) -> None:
    """Print why a page of a list is empty, or the command for the items before `older`, or both.

    `what` is the plural of the items, and `command` lists them. `listed` are the items of the page, and `shown` those
    that are printed: deleted ones may be hidden.
    """
    if not shown:
        empty = f"There are no {what} {'here' if before == MAX_ID else f'before {before}'}."
        print_text("All of these are deleted; --deleted lists them." if listed else empty)
    if older is not None:
        limit_words = "" if limit == DEFAULT_LIMIT else f" --limit {limit}"
        print_text(f"Older ones: scorekeeper {command}{limit_words} --before {older}")


def _parse_limit(text: str) -> int:
    """Parse a number from 1 to `MAX_LIMIT`; raises `ValueError`."""
    number = _parse_number(text)
    if number > MAX_LIMIT:
        raise ValueError(f"type a whole number from 1 to {MAX_LIMIT}")
    return number


def _parse_number(text: str) -> int:
    """Parse a number from 1 to `MAX_ID`; raises `ValueError`."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:11]) <= MAX_ID):
        raise ValueError("type a whole number from 1 up")
    return int(text[:11])


limit_option = click.option(
    "--limit",
    type=_parse_limit,
    default=str(DEFAULT_LIMIT),
    metavar="N",
    help=f"how many at most, up to {MAX_LIMIT} (usually {DEFAULT_LIMIT})",
)
before_option = click.option(
    "--before",
    type=_parse_number,
    default=str(MAX_ID),
    metavar="NUMBER",
    help="list older ones, from the number at the end of the last page",
)
json_option = click.option("--json", "as_json", is_flag=True, help="print it as JSON, for a program to read")
