"""Long lists, a page at a time: the first page has what is latest."""

from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from scorekeeper.commands.terminal import print_text

_MOST_PAGES = 1_000_000


def add_page(parser: ArgumentParser | Any, what: str) -> None:
    """Add the option that chooses a page."""
    parser.add_argument("--page", type=_page, default=1, metavar="N", help=f"earlier {what}: 2 is the page before")


def _page(word: str) -> int:
    if not word.isascii() or not word.isdigit() or not 1 <= int(word[:9]) <= _MOST_PAGES:
        raise ArgumentTypeError("a page is a number from 1 on.")
    return int(word)


def print_place(command: str, page: int, pages: int) -> None:
    """Print which page this was, and how to see the one before it, where there are several."""
    if pages > 1 and page <= pages:
        earlier = f" Earlier: scorekeeper {command} --page {page + 1}" if page < pages else ""
        print_text(f"Page {page} of {pages}.{earlier}")
