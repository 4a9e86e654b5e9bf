"""`scorekeeper books export` and `import`: a book as one file, and back."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from scorekeeper.commands.terminal import print_text

_FORMAT = "A file has every match, hand and name of the book, and no link. docs/book-file.md describes it."


def add_file_parsers(actions: Any) -> None:
    """Add both to the actions of `scorekeeper books`."""
    export: ArgumentParser = actions.add_parser(
        "export", help="write a book as one file", description=f"Write a book as one file. {_FORMAT}"
    )
    export.add_argument("book", metavar="BOOK", help="the link of a book, or its end")
    export.add_argument("-o", metavar="FILE", dest="file", type=Path, help="where to; standard output by default")
    export.add_argument(
        "--csv", choices=("matches", "hands"), help="for a spreadsheet: a row a match, or a row for each side in a hand"
    )
    export.set_defaults(do=_export)
    bring_in: ArgumentParser = actions.add_parser(
        "import",
        help="import a book's file, or look at it",
        description=f"Import the file of a book: into that book where it is here, and else as a new one. {_FORMAT} "
        "Nothing that is here is lost, and the same file twice changes nothing.",
    )
    bring_in.add_argument("file", metavar="FILE", type=Path, help="- is standard input")
    bring_in.add_argument("--into", metavar="BOOK", help="the link of another book, or its end")
    bring_in.add_argument("--look", action="store_true", help="only say what would change")
    bring_in.add_argument(
        "--keep",
        choices=("here", "file"),
        help="which one counts where a match was changed in both places; the other one is kept out of the book",
    )
    bring_in.set_defaults(do=_import)


def _export(args: Namespace) -> int:
    """Write the file; exit status 1 where there is no such book."""
    from scorekeeper.commands.database import give_up, opened
    from scorekeeper.commands.files import open_private_bytes
    from scorekeeper.services.book_file import write_file
    from scorekeeper.services.book_tables import write_hands, write_matches

    writers: dict[str | None, Callable[..., None]] = {None: write_file, "matches": write_matches, "hands": write_hands}
    write = writers[args.csv]
    with opened() as (_, session):
        book_id = _book_id(session, args.book)
        try:
            if args.file is None:
                write(session, book_id, sys.stdout.buffer)
                sys.stdout.buffer.flush()
            else:
                with open_private_bytes(args.file) as file:
                    write(session, book_id, file)
        except BrokenPipeError:
            raise
        except OSError as error:
            give_up(f"{args.file} cannot be written: {error.strerror}.")
    return 0


def _import(args: Namespace) -> int:
    """Import the file; exit status 2 where it is refused or asks for a choice, 1 where it cannot be imported now."""
    from scorekeeper.book.file import BookFileRefused
    from scorekeeper.commands.database import opened
    from scorekeeper.commands.files import read_input
    from scorekeeper.services.book_file import MOST_IN_BOOK
    from scorekeeper.services.book_import import ChoiceNeeded
    from scorekeeper.services.import_run import ImportNotNow

    with opened() as (app, session):
        try:
            content = BytesIO(read_input(args.file, MOST_IN_BOOK.size + 1))
            return _look(session, args, content) if args.look else _bring_in(app, session, args, content)
        except OSError as error:
            print_text(f"{args.file} cannot be read: {error.strerror}.", sys.stderr)
        except ImportNotNow as not_now:
            print_text(f"{args.file} was not imported: {not_now}", sys.stderr)
        except BookFileRefused as refused:
            print_text(f"{args.file} was not imported: {refused}", sys.stderr)
            return 2
        except ChoiceNeeded as needed:
            number = len(needed.uids)
            matches = "1 match was" if number == 1 else f"{number} matches were"
            print_text(
                f"{args.file} was not imported: {matches} changed in both places. Say which counts: --keep here or "
                "--keep file. --look names them.",
                sys.stderr,
            )
            return 2
    return 1


def _look(session: Any, args: Namespace, content: BytesIO) -> int:
    from scorekeeper.services.book_file import book_id_in, look
    from scorekeeper.services.books import book_of_id
    from scorekeeper.services.import_run import import_run

    book_id = _book_id(session, args.into) if args.into else book_id_in(session, content)
    with import_run(session, None) as run:
        found = look(run, book_id, None if book_id is None else book_of_id(session, book_id), content)
    counts = {
        "new": found.new,
        "with more hands in the file": found.more_there,
        "here already": found.same + found.more_here,
        "in another book here": found.elsewhere,
        "changed in both places": len(found.conflicts),
    }
    print_text(f"{found.name or 'A book without a name'}: {'new here' if book_id is None else 'here already'}")
    for label, number in counts.items():
        print_text(f"{number:>7,}  {label}")
    for conflict in found.conflicts:
        print_text(f"         {conflict.name}{f', hand {conflict.hand}' if conflict.hand else ''}")
    return 0


def _bring_in(app: Any, session: Any, args: Namespace, content: BytesIO) -> int:
    from scorekeeper.services.book_file import book_id_in
    from scorekeeper.services.book_import import import_book
    from scorekeeper.services.every_book import owner_code
    from scorekeeper.serving.network import base_url

    book_id = _book_id(session, args.into) if args.into else book_id_in(session, content)
    done = import_book(session, content, book_id=book_id, otherwise=args.keep or "")
    base = base_url(app.config["HOST"], app.config["PORT"], app.config["PUBLIC_URL"])
    print_text(f"{done.new:,} new, {done.continued:,} with more hands, {len(done.kept):,} kept out of the book")
    print_text(f"  {base}/books/{owner_code(session, done.book_id)}/")
    return 0


def _book_id(session: Any, link: str) -> int:
    """Return the number of a book by the link to it, or the end of that; ends the program where there is none."""
    from scorekeeper.commands.database import give_up
    from scorekeeper.services.books import UnknownBook, load_book

    try:
        return load_book(session, link.rstrip("/").rpartition("/")[2]).id
    except UnknownBook:
        give_up("no link to a book ends like that; scorekeeper books lists them.")
