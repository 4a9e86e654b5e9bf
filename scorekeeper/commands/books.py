"""`scorekeeper books`: list every book with its link, and put matches that are in none into one."""

from argparse import ArgumentParser, Namespace
from typing import Any

from scorekeeper.commands.books_file import add_file_parsers
from scorekeeper.commands.paging import add_paging, print_older
from scorekeeper.commands.terminal import print_text

DOES = "List every book with its link, and the matches that are in none."
_MOST_LISTED = 20


def add_parser(commands: Any) -> None:
    """Add this command to the others."""
    parser: ArgumentParser = commands.add_parser(
        "books",
        help=DOES,
        description=f"{DOES} A book gathers the matches of a table. Each link is the owner's: whoever has it can open "
        "every match in the book, add phones, and remove them. The address is the one that phones use, or "
        "SCOREKEEPER_PUBLIC_URL.",
    )
    add_paging(parser)
    parser.set_defaults(do=_list)
    actions = parser.add_subparsers(metavar="ACTION")
    collect: ArgumentParser = actions.add_parser(
        "collect",
        help="put the matches that are in no book into one",
        description="Put the matches that are in no "
        "book into one, and print its link. A match that somebody keeps out of every book stays there.",
    )
    collect.add_argument("--into", metavar="BOOK", help="the link of a book, or its end; a new book by default")
    collect.set_defaults(do=_collect)
    add_file_parsers(actions)


def run(args: Namespace) -> int:
    """Do what was asked for."""
    return int(args.do(args))


def _list(args: Namespace) -> int:
    """Print two lines for each book, the latest first, and what is in none."""
    from scorekeeper.commands.database import opened
    from scorekeeper.services.every_book import latest_books
    from scorekeeper.services.unplaced import unplaced_matches

    with opened() as (app, session):
        found, older = latest_books(session, args.limit, args.before)
        for book in found:
            print_text(f"{_described(book)}\n  {_address(app, book.code)}")
        if not found:
            print_text("There are no books here.")
        print_older("books", older, args.limit)
        left, latest = unplaced_matches(session, _MOST_LISTED)
        if left:
            print_text(f"{_matches(left)} in no book. Put them into one: scorekeeper books collect")
            for setup in latest:
                names = ", ".join(seat.name for seat in setup.seats) or ", ".join(it.name or "" for it in setup.sides)
                when = setup.played_on or setup.created_at.date().isoformat()
                print_text(f"  {when}  {f'{setup.title}: ' if setup.title else ''}{names}")
            if left > _MOST_LISTED:
                print_text(f"  and {left - _MOST_LISTED} before these")
    return 0


def _collect(args: Namespace) -> int:
    """Put what is in no book into one."""
    from scorekeeper.commands.database import give_up, opened
    from scorekeeper.services.books import UnknownBook, load_book
    from scorekeeper.services.every_book import owner_code
    from scorekeeper.services.unplaced import collect_matches, place_matches, unplaced_matches

    with opened() as (app, session):
        into = None
        if args.into:
            try:
                into = load_book(session, args.into.rstrip("/").rpartition("/")[2]).id
            except UnknownBook:
                give_up("no link to a book ends like that; scorekeeper books lists them.")
        place_matches(session)
        left, _ = unplaced_matches(session, 0)
        if not left:
            print_text("Every match is in a book, or kept out of all.")
            return 0
        book_id = collect_matches(session, into)
        print_text(f"{_matches(left)} in this book now:\n  {_address(app, owner_code(session, book_id))}")
    return 0


def _described(book: Any) -> str:
    """Return a book's name, how many matches and phones it has, and when it was opened last."""
    phones = f"{book.phones} phone{'' if book.phones == 1 else 's'}"
    matches = f"{book.matches} match{'' if book.matches == 1 else 'es'}"
    seen = f", last opened {book.last_seen.date().isoformat()}" if book.last_seen else ""
    return f"{book.name or 'No name'}: {matches}, {phones}{seen}"


def _matches(number: int) -> str:
    return "1 match is" if number == 1 else f"{number} matches are"


def _address(app: Any, code: str) -> str:
    from scorekeeper.serving.network import base_url

    base = base_url(app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"])
    return f"{base}/books/{code}/"
