"""The output of commands. Characters that a terminal must not or cannot show are replaced.

Commands print only with the functions in this module. Long lists are printed one page at a time, the latest items
first.
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
"""The most items on one page of a list. Without `--limit` it is `DEFAULT_LIMIT`."""
MAX_ID = 2**31 - 1
"""The highest id of a row in a database."""


class CommandRefused(OperatorError):
    """A command was refused, with exit status 1. The message says why, and what to do."""


@contextmanager
def convert_to_refusal(*exception_types: type[Exception]) -> Iterator[None]:
    """Convert exceptions of these types in a block to `CommandRefused` with the same message.

    It can be used as a decorator of a function as well.
    """
    try:
        yield
    except exception_types as error:
        raise CommandRefused(str(error)) from error


def print_problem(problem: str) -> None:
    """Print the name of the command and a problem to standard error. The command goes on."""
    print_text(f"{click.get_current_context().command_path}: {problem}", sys.stderr)


def print_text(text: str, file: TextIO | None = None, *, end: str = "\n") -> None:
    """Print a text. Characters that the terminal must not or cannot show are replaced."""
    file = file or sys.stdout
    encoding = file.encoding or "utf-8"
    shown_text = _replace_control_characters(text, lambda _control: "\N{REPLACEMENT CHARACTER}")
    print(shown_text.encode(encoding, "replace").decode(encoding), file=file, end=end)


def print_json(value: object, indent: int | None = None) -> None:
    """Print a value as JSON, on one line unless `indent` is given.

    Control characters are escaped, and so are letters that the output cannot encode.
    """
    json_text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        json_text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        json_text = json.dumps(value, indent=indent)
    # Some terminals obey control characters that JSON need not escape.
    print(_replace_control_characters(json_text, _json_escape))


def _replace_control_characters(text: str, replace: Callable[[str], str]) -> str:
    """Return a text in which each control character is replaced by what `replace` returns for it. Line ends stay."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter == "\n" else replace(letter) for letter in text)


def _json_escape(letter: str) -> str:
    r"""Return a character as an escape sequence of JSON: "\u001b"."""
    return f"\\u{ord(letter):04x}" if letter.isascii() else json.dumps(letter)[1:-1]


def ask_yes_or_no(question: str) -> bool:
    """Ask a question in the terminal, and return whether the answer was yes. Without any input the answer is no."""
    try:
        answer = input(f"{question} [y/N] ")
    except EOFError:
        print_text("")
        return False
    return answer.strip().lower() in ("y", "yes")


def print_list_end(
    plural_noun: str,
    before: int,
    next_before: int | None,
    limit: int,
    *,
    command: str,
    items: Sequence[object],
    shown_items: Sequence[object],
) -> None:
    """Print why a page of a list is empty, and the command for the next page, as far as they apply.

    `plural_noun` is the word for the items: "books". `next_before` is the number before which the next page begins;
    `None` on the last page. Of the `items` of this page, `shown_items` were printed: deleted ones may be hidden.
    """
    if not shown_items:
        empty_sentence = f"There are no {plural_noun} {'here' if before == MAX_ID else f'before {before}'}."
        print_text("All of these are deleted; --deleted lists them." if items else empty_sentence)
    if next_before is not None:
        limit_option_words = "" if limit == DEFAULT_LIMIT else f" --limit {limit}"
        print_text(f"Older ones: scorekeeper {command}{limit_option_words} --before {next_before}")


def _parse_limit(text: str) -> int:
    """Return the whole number in a text, from 1 to `MAX_LIMIT`; raises `ValueError`."""
    number = _parse_number(text)
    if number > MAX_LIMIT:
        raise ValueError(f"type a whole number from 1 to {MAX_LIMIT}")
    return number


def _parse_number(text: str) -> int:
    """Return the whole number in a text, from 1 to `MAX_ID`; raises `ValueError`."""
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
