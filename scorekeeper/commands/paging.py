"""Lists that are printed a page at a time, the latest first: they answer as fast however long they are."""

from argparse import ArgumentParser, ArgumentTypeError

from scorekeeper.commands.terminal import print_text

USUAL = 50
MOST = 500
HIGHEST_ID = 2**31 - 1
"""Above the number of whatever is listed."""


def add_paging(parser: ArgumentParser) -> None:
    """Add how many are listed, and where the page begins."""
    parser.add_argument(
        "--limit", type=_count, default=USUAL, metavar="N", help=f"how many at most, up to {MOST} (usually {USUAL})"
    )
    parser.add_argument(
        "--before",
        type=_number,
        default=HIGHEST_ID,
        metavar="NUMBER",
        help="list older ones; the end of each page says before which number",
    )


def print_older(command: str, older: int | None, limit: int) -> None:
    """Print how to see the next page, if there is one."""
    if older is not None:
        said_limit = "" if limit == USUAL else f" --limit {limit}"
        print_text(f"Older ones: scorekeeper {command}{said_limit} --before {older}")


def _count(text: str) -> int:
    number = _number(text)
    if number > MOST:
        raise ArgumentTypeError(f"type a whole number from 1 to {MOST}")
    return number


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:11]) <= HIGHEST_ID):
        raise ArgumentTypeError("type a whole number from 1 up")
    return int(text[:11])
