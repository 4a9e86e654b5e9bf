"""Matches and books: `scorekeeper matches`, `books`, `export`, `import` and `verify`."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper import paths
from scorekeeper.book.file import BookFileRefused
from scorekeeper.book.read_file import LARGEST_FILE
from scorekeeper.commands.database import address, code_in, give_up, opened
from scorekeeper.commands.files import open_private, read_input
from scorekeeper.commands.terminal import add_command, add_paging, matches_words, print_json, print_older, print_text
from scorekeeper.ledger.derive_match import Ending, Match
from scorekeeper.ledger.roles import UnknownCode
from scorekeeper.narration.payments import standing_text
from scorekeeper.rules.library import read_library
from scorekeeper.rules.phrases import digits
from scorekeeper.services.book_file import ChoiceNeeded, book_id_in, import_book, look, write_file
from scorekeeper.services.book_list import ListedBook, latest_books, owner_code
from scorekeeper.services.book_matches import collect_matches, place_matches, unplaced_matches
from scorekeeper.services.books import book_of_id, load_book
from scorekeeper.services.endings import Replayed, look_up_open_endings, replay_all
from scorekeeper.services.figures import write_hands, write_matches
from scorekeeper.services.import_export import (
    MOST_BY_COMMAND,
    RecordsRefused,
    export_all,
    export_match,
    import_file,
)
from scorekeeper.services.import_run import ImportNotNow, import_run
from scorekeeper.services.match_list import ListedMatch, latest_matches

_BOOK_FILE = "A file has every match, hand and name of the book, and no link. docs/book-file.md describes it."
_MOST_LISTED = 20


def _add_matches(commands: Any) -> None:
    parser = add_command(
        commands,
        "matches",
        _list_matches,
        "List the matches with their links, the last begun first.",
        "Each link is the owner's: whoever has it can do everything there, add phones, and "
        "remove them. The address is the one that phones use, or SCOREKEEPER_PUBLIC_URL.",
    )
    parser.add_argument("--deleted", action="store_true", help="also deleted matches")
    add_paging(parser)


def _list_matches(args: Namespace) -> int:
    """Print two lines for each match of the page."""
    with opened() as (app, session):
        listed, older = latest_matches(session, args.limit, args.before)
        shown = [item for item in listed if args.deleted or not item.log.is_deleted]
        for item in shown:
            print_text(f"{_match_line(item)}\n  {address(app)}/matches/{item.link.code}/")
        if not shown:
            print_text("All of these are deleted; --deleted lists them." if listed else "There are no matches here.")
        print_older("matches --deleted" if args.deleted else "matches", older, args.limit)
    return 0


def _match_line(item: ListedMatch) -> str:
    """Return when a match was, who played, and how it stands."""
    when = item.setup.played_on or item.written_at.date().isoformat()
    title = f"{item.title}: " if item.title else ""
    if item.match is None:
        return f"{when}  {title}can’t be scored by its rules; export it to see why"
    scores = standing_text(item.match.counted, item.match.names)
    status = "deleted" if item.log.is_deleted else item.match.status.replace("_", " ")
    return f"{when}  {title}{scores} ({status})"


def _add_verify(commands: Any) -> None:
    add_command(
        commands,
        "verify",
        _verify,
        "Check that every match still scores as when it ended.",
        "Each is replayed from its hands, and one that comes to something else is named with its "
        "link. Nothing is changed. Exit status 1 where there is one.",
    )


def _verify(_args: Namespace) -> int:
    """Print every match that scores otherwise than when it ended, and how many were replayed."""
    replayed = ended = different = 0
    with opened() as (app, session):
        look_up_open_endings(session)
        for item in replay_all(session):
            replayed += 1
            ended += item.then is not None
            if not item.scores_the_same:
                different += 1
                print_text(f"{_difference(item)}\n  {address(app)}/matches/{item.link.code}/")
    if different:
        print_text(f"No longer as when they ended: {different} of {replayed} matches.")
        return 1
    print_text(f"Every match scores as when it ended: {replayed} in all, {ended} of them ended.")
    return 0


def _difference(item: Replayed) -> str:
    """Return when a match was, how it stands today, and how it had ended."""
    when = item.setup.played_on or item.setup.created_at.date().isoformat()
    if item.match is None:
        return f"{when}  {item.setup.title or 'A match'} can’t be scored any more: {item.fault}"
    title = f"{item.match.title}: " if item.match.title else ""
    today, then = _ending_text(item.match, item.match.ending), _ending_text(item.match, item.then)
    return f"{when}  {title}{today} today; {then} when it ended"


def _ending_text(match: Match, ending: Ending | None) -> str:
    if ending is None:
        return "in progress"
    scores = ", ".join(f"{match.name(side)} {score}" for side, score in ending.scores.items())
    winners = " and ".join(match.name(side) for side in ending.winners)
    return f"{scores} ({f'won by {winners}' if winners else ending.status})"


def _add_export(commands: Any) -> None:
    parser = add_command(
        commands,
        "export",
        _export,
        "Write matches as records.",
        "One record a line, which scorekeeper import and scorekeeper score --lines read. Deleted matches are left out.",
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("code", nargs="?", metavar="CODE", help="a match's link, or the end of it")
    which.add_argument("--all", action="store_true", help="every match")
    parser.add_argument("-o", metavar="FILE", dest="file", type=Path, help="where to; standard output by default")


def _export(args: Namespace) -> int:
    """Write one match, or all of them; exit status 1 where there is no such match."""
    library = read_library(paths.RULESETS)
    with opened() as (_, session):
        try:
            if args.all:
                records = list(export_all(session, library))
            else:
                records = [export_match(session, library, code_in(args.code))]
        except UnknownCode:
            give_up("no link ends like that; scorekeeper matches lists them.")
        if args.file is None:
            for record in records:
                print_json(record)
            return 0
        try:
            with open_private(args.file) as file:
                file.writelines(f"{json.dumps(record, ensure_ascii=False)}\n".encode() for record in records)
        except OSError as error:
            give_up(f"{args.file} cannot be written: {error.strerror}.")
    return 0


def _add_import(commands: Any) -> None:
    parser = add_command(
        commands,
        "import",
        _import,
        "Import matches from records.",
        "A file is one record, a list of records, or one record a line. If a file has an "
        "error, nothing in it is imported.",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="- is standard input")


def _import(args: Namespace) -> int:
    """Import each file; exit status 2 where one was refused, 1 where one could not be read or imported at all."""
    library = read_library(paths.RULESETS)
    statuses = {0}
    with opened() as (app, session):
        for file in args.files:
            try:
                codes = import_file(session, library, read_input(file, MOST_BY_COMMAND.size + 1))
            except OSError as error:
                print_text(f"{file} cannot be read: {error.strerror}.", sys.stderr)
                statuses.add(1)
            except ImportNotNow as not_now:
                print_text(f"{file} was not imported: {not_now}", sys.stderr)
                statuses.add(1)
            except RecordsRefused as refused:
                print_text(f"{file} has an error, so nothing was imported:\n{refused}", sys.stderr)
                statuses.add(2)
            else:
                for code in codes:
                    print_text(f"{address(app)}/matches/{code}/")
    return 1 if 1 in statuses else max(statuses)


def _add_books(commands: Any) -> None:
    parser = add_command(
        commands,
        "books",
        _list_books,
        "List every book with its link, and the matches that are in none.",
        "A book gathers the matches of a table. Each link is the owner's: whoever has it can "
        "open every match in the book, add phones, and remove them. The address is the one that phones use, or "
        "SCOREKEEPER_PUBLIC_URL.",
    )
    add_paging(parser)
    actions = parser.add_subparsers(metavar="ACTION")
    collect: ArgumentParser = actions.add_parser(
        "collect",
        help="put the matches that are in no book into one",
        description="Put the matches that are in no "
        "book into one, and print its link. A match that somebody keeps out of every book stays there.",
    )
    collect.add_argument("--into", metavar="BOOK", help="the link of a book, or its end; a new book by default")
    collect.set_defaults(run=_collect)
    export: ArgumentParser = actions.add_parser(
        "export", help="write a book as one file", description=f"Write a book as one file. {_BOOK_FILE}"
    )
    export.add_argument("book", metavar="BOOK", help="the link of a book, or its end")
    export.add_argument("-o", metavar="FILE", dest="file", type=Path, help="where to; standard output by default")
    export.add_argument(
        "--csv", choices=("matches", "hands"), help="for a spreadsheet: a row a match, or a row for each side in a hand"
    )
    export.set_defaults(run=_export_book)
    bring_in: ArgumentParser = actions.add_parser(
        "import",
        help="import a book's file, or look at it",
        description=f"Import the file of a book: into that book where it is here, and else as a new one. {_BOOK_FILE} "
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
    bring_in.set_defaults(run=_import_book)


def _list_books(args: Namespace) -> int:
    """Print two lines for each book, the latest first, and what is in none."""
    with opened() as (app, session):
        found, older = latest_books(session, args.limit, args.before)
        for book in found:
            print_text(f"{_book_line(book)}\n  {address(app)}/books/{book.code}/")
        if not found:
            print_text("There are no books here.")
        print_older("books", older, args.limit)
        left, latest = unplaced_matches(session, _MOST_LISTED)
        if left:
            print_text(f"{_matches_are(left)} in no book. Put them into one: scorekeeper books collect")
            for setup in latest:
                names = ", ".join(seat.name for seat in setup.seats) or ", ".join(it.name or "" for it in setup.sides)
                when = setup.played_on or setup.created_at.date().isoformat()
                print_text(f"  {when}  {f'{setup.title}: ' if setup.title else ''}{names}")
            if left > _MOST_LISTED:
                print_text(f"  and {left - _MOST_LISTED} before these")
    return 0


def _book_line(book: ListedBook) -> str:
    """Return a book's name, how many matches and phones it has, and when it was opened last."""
    seen = f", last opened {book.last_seen.date().isoformat()}" if book.last_seen else ""
    return f"{book.name or 'No name'}: {matches_words(book.matches)}, {digits(book.phones, 'phone')}{seen}"


def _matches_are(number: int) -> str:
    return f"{matches_words(number)} {'is' if number == 1 else 'are'}"


def _collect(args: Namespace) -> int:
    """Put what is in no book into one."""
    with opened() as (app, session):
        into = _book_id(session, args.into) if args.into else None
        place_matches(session)
        left, _ = unplaced_matches(session, 0)
        if not left:
            print_text("Every match is in a book, or kept out of all.")
            return 0
        book_id = collect_matches(session, into)
        print_text(f"{_matches_are(left)} in this book now:\n  {address(app)}/books/{owner_code(session, book_id)}/")
    return 0


def _export_book(args: Namespace) -> int:
    """Write a book's file; exit status 1 where there is no such book."""
    writers: dict[str | None, Callable[..., None]] = {None: write_file, "matches": write_matches, "hands": write_hands}
    write = writers[args.csv]
    with opened() as (_, session):
        book_id = _book_id(session, args.book)
        try:
            if args.file is None:
                write(session, book_id, sys.stdout.buffer)
                sys.stdout.buffer.flush()
            else:
                with open_private(args.file) as file:
                    write(session, book_id, file)
        except BrokenPipeError:
            raise
        except OSError as error:
            give_up(f"{args.file} cannot be written: {error.strerror}.")
    return 0


def _import_book(args: Namespace) -> int:
    """Import a book's file; exit status 2 where it is refused or asks for a choice, 1 where it cannot be imported."""
    with opened() as (app, session):
        try:
            content = BytesIO(read_input(args.file, LARGEST_FILE + 1))
            book_id = _book_id(session, args.into) if args.into else book_id_in(session, content)
            if args.look:
                _print_changes(session, book_id, content)
            else:
                _bring_in(app, session, book_id, content, otherwise=args.keep or "")
            return 0
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


def _print_changes(session: Session, book_id: int | None, content: BytesIO) -> None:
    """Print what the import of a file would change."""
    with import_run(session, None) as run:
        found = look(run, book_id, None if book_id is None else book_of_id(session, book_id), content)
    counts = {
        "new": found.counts["new"],
        "with more hands in the file": found.counts["more_there"],
        "here already": found.counts["same"] + found.counts["more_here"],
        "in another book here": found.counts["elsewhere"],
        "changed in both places": len(found.conflicts),
    }
    print_text(f"{found.name or 'A book without a name'}: {'new here' if book_id is None else 'here already'}")
    for label, number in counts.items():
        print_text(f"{number:>7,}  {label}")
    for conflict in found.conflicts:
        print_text(f"         {conflict.name}{f', hand {conflict.hand}' if conflict.hand else ''}")


def _bring_in(app: Flask, session: Session, book_id: int | None, content: BytesIO, *, otherwise: str) -> None:
    done = import_book(session, content, book_id=book_id, otherwise=otherwise)
    print_text(f"{done.new:,} new, {done.continued:,} with more hands, {len(done.kept):,} kept out of the book")
    print_text(f"  {address(app)}/books/{owner_code(session, done.book_id)}/")


def _book_id(session: Session, link: str) -> int:
    """Return the number of a book by the link to it, or the end of that; ends the program where there is none."""
    try:
        return load_book(session, code_in(link)).id
    except UnknownCode:
        give_up("no link to a book ends like that; scorekeeper books lists them.")


PARSERS = {
    "matches": _add_matches,
    "books": _add_books,
    "export": _add_export,
    "import": _add_import,
    "verify": _add_verify,
}
