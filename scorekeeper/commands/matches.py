"""Matches, nights and books: `scorekeeper matches`, `nights`, `books`, `export`, `import` and `verify`."""

import json
from argparse import Namespace
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access.roles import UnknownCode
from scorekeeper.book.book_list import ListedBook, latest_books, owner_code
from scorekeeper.book.book_matches import collect_matches, place_matches, unplaced_matches
from scorekeeper.book.books import load_book
from scorekeeper.club.book_files.file import BookFileRefused
from scorekeeper.club.book_files.parse import LARGEST_FILE
from scorekeeper.club.book_files.service import Look, book_id_in, import_book, look, write_file
from scorekeeper.club.figures.counting import write_hands, write_matches
from scorekeeper.commands.database import address, code_in, give_up, opened
from scorekeeper.commands.files import faulty, library_in, opened_output, read_input, refuse_terminal, unread, unwritten
from scorekeeper.commands.terminal import (
    CommandRefused,
    add_command,
    add_json,
    add_output,
    add_paging,
    complain,
    matches_words,
    print_json,
    print_older,
    print_text,
)
from scorekeeper.matches.endings import Replayed, look_up_open_endings, replay_all
from scorekeeper.matches.files.import_export import (
    MOST_BY_COMMAND,
    ImportedBefore,
    RecordsRefused,
    export_all,
    export_match,
    import_file,
)
from scorekeeper.matches.files.import_run import ImportNotNow, import_run
from scorekeeper.matches.fold import Ending, Match
from scorekeeper.matches.match_list import ListedMatch, latest_matches
from scorekeeper.matches.occasion import match_day
from scorekeeper.pitch.rules.phrases import digits
from scorekeeper.pitch.text.payments import standing_text

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
    add_json(parser)


def _list_matches(args: Namespace) -> int:
    """Print two lines for each match of the page."""
    with opened() as (app, session):
        listed, older = latest_matches(session, args.limit, args.before)
        shown = [item for item in listed if args.deleted or not item.log.is_deleted]
        if args.json:
            print_json({"matches": [_match_data(app, item) for item in shown], "before": older})
            return 0
        for item in shown:
            print_text(f"{match_line(item)}\n  {address(app)}/matches/{item.link.code}/")
        _print_rest(args, "matches", any_listed=bool(listed), any_shown=bool(shown), older=older)
    return 0


def _print_rest(args: Namespace, what: str, *, any_listed: bool, any_shown: bool, older: int | None) -> None:
    """Print why a page of a list is empty, and the command that lists what is older."""
    if not any_shown:
        print_text("All of these are deleted; --deleted lists them." if any_listed else f"There are no {what} here.")
    print_older(f"{what} --deleted" if args.deleted else what, older, args.limit)


def _match_data(app: Flask, item: ListedMatch) -> dict[str, Any]:
    """Return a match for a program: its link, when it was, and how it stands."""
    stands = item.match.standing if item.match else None
    return {
        "link": f"{address(app)}/matches/{item.link.code}/",
        "played_on": item.occasion.day,
        "title": item.title,
        "status": "deleted" if item.log.is_deleted else stands.status if stands else "cannot be scored",
        "scores": {item.match.name(side): score for side, score in stands.scores.items()}
        if item.match and stands
        else {},
        "winners": [item.match.name(side) for side in stands.winners] if item.match and stands else [],
    }


def match_line(item: ListedMatch) -> str:
    """Return when a match was, who played, and how it stands."""
    when = item.occasion.day
    title = f"{item.title}: " if item.title else ""
    if item.match is None:
        return f"{when}  {title}can’t be scored by its rules; export it to see why"
    scores = standing_text(item.match.state, item.match.names)
    status = "deleted" if item.log.is_deleted else item.match.status.replace("_", " ")
    return f"{when}  {title}{scores} ({status})"


def _add_verify(commands: Any) -> None:
    parser = add_command(
        commands,
        "verify",
        _verify,
        "Check that every match still scores as when it ended.",
        "Each is replayed from its hands, and one that comes to something else is named with its "
        "link. Nothing is changed. Exit status 1 where there is one.",
    )
    add_json(parser)


def _verify(args: Namespace) -> int:
    """Print every match that scores otherwise than when it ended, and how many were replayed."""
    replayed = ended = different = 0
    told = []
    with opened() as (app, session):
        look_up_open_endings(session)
        for item in replay_all(session):
            replayed += 1
            ended += item.then is not None
            if not item.scores_the_same:
                different += 1
                link, words = f"{address(app)}/matches/{item.link.code}/", _difference(item)
                told.append({"link": link, "says": words})
                if not args.json:
                    print_text(f"{words}\n  {link}")
    if args.json:
        print_json({"replayed": replayed, "ended": ended, "different": told})
        return 1 if different else 0
    if different:
        print_text(f"No longer as when they ended: {different} of {replayed} matches.")
        return 1
    print_text(f"Every match scores as when it ended: {replayed} in all, {ended} of them ended.")
    return 0


def _difference(item: Replayed) -> str:
    """Return when a match was, how it stands today, and how it had ended."""
    if item.match is None:
        setup = item.setup
        when = match_day(setup.played_on, setup.created_at, setup.zone)
        return f"{when}  {setup.title or 'A match'} can’t be scored any more: {item.fault}"
    said = item.match.occasion
    title = f"{said.title}: " if said.title else ""
    today, then = _ending_text(item.match, item.match.ending), _ending_text(item.match, item.then)
    return f"{said.day}  {title}{today} today; {then} when it ended"


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
    add_output(parser)


def _export(args: Namespace) -> int:
    """Write one match, or all of them; exit status 1 where there is no such match."""
    library = library_in()
    with opened() as (_, session):
        try:
            if args.all:
                records = list(export_all(session, library))
            else:
                records = [export_match(session, library, code_in(args.code))]
        except UnknownCode:
            give_up("No link ends like that. Find it with scorekeeper matches.")
        if str(args.file) == "-":
            for record in records:
                print_json(record)
            return 0
        try:
            with opened_output(args.file, is_private=True) as file:
                file.writelines(f"{json.dumps(record, ensure_ascii=False)}\n".encode() for record in records)
        except OSError as error:
            raise unwritten(args.file, error) from error
    return 0


def _add_import(commands: Any) -> None:
    parser = add_command(
        commands,
        "import",
        _import,
        "Import matches from records.",
        "A file is one record, a list of records, or one record a line. If a file has an "
        "error, nothing in it is imported. Where matches of a file are here already, nothing is either: --known says "
        "what becomes of them.",
    )
    parser.add_argument(
        "--known",
        choices=("skip", "again"),
        default="ask",
        help="matches that are here already: leave them out, or import them once more",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="- is standard input")


def _import(args: Namespace) -> int:
    """Import each file; exit status 1 where one was not imported."""
    library = library_in()
    status = 0
    with opened() as (app, session):
        for file in args.files:
            try:
                codes = import_file(session, library, read_input(file, MOST_BY_COMMAND.size + 1), known=args.known)
            except OSError as error:
                refused = unread(file, error)
            except ImportNotNow as not_now:
                refused = CommandRefused(f"{file} was not imported. {not_now}")
            except ImportedBefore as before:
                known = "Add --known skip to leave them out, or --known again"
                refused = CommandRefused(f"{file} was not imported. {before} {known}.")
            except RecordsRefused as faults:
                refused = faulty(f"{file} has an error, so nothing was imported", f"{faults}".splitlines())
            else:
                for code in codes:
                    print_text(f"{address(app)}/matches/{code}/")
                continue
            complain(args, f"{refused}")
            status = 1
    return status


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
    add_json(parser)
    actions = parser.add_subparsers(metavar="ACTION")
    collect = add_command(
        actions,
        "collect",
        _collect,
        "put the matches that are in no book into one",
        "It prints the link of that book. A match that somebody keeps out of every book stays there.",
    )
    collect.add_argument("--into", metavar="BOOK", help="the link of a book, or its end; a new book by default")
    export = add_command(actions, "export", _export_book, "write a book as one file", _BOOK_FILE)
    export.add_argument("book", metavar="BOOK", help="the link of a book, or its end")
    add_output(export)
    export.add_argument(
        "--csv", choices=("matches", "hands"), help="for a spreadsheet: a row a match, or a row for each side in a hand"
    )
    bring_in = add_command(
        actions,
        "import",
        _import_book,
        "import a book's file, or look at it",
        f"It goes into that book where it is here, and else into a new one. {_BOOK_FILE} "
        "Into a book that is here it brings the matches and nights that are missing, and names what it leaves. Nothing "
        "that is here changes, and the same file twice changes nothing.",
    )
    bring_in.add_argument("file", metavar="FILE", type=Path, help="- is standard input")
    bring_in.add_argument("--into", metavar="BOOK", help="the link of another book, or its end")
    bring_in.add_argument("--look", action="store_true", help="only say what would change")


def _list_books(args: Namespace) -> int:
    """Print two lines for each book, the latest first, and what is in none."""
    with opened() as (app, session):
        found, older = latest_books(session, args.limit, args.before)
        if args.json:
            books = [
                {
                    "link": f"{address(app)}/books/{book.code}/",
                    "name": book.name,
                    "matches": book.matches,
                    "phones": book.phones,
                    "last_opened": book.last_seen.isoformat() if book.last_seen else None,
                }
                for book in found
            ]
            print_json({"books": books, "before": older, "in_no_book": unplaced_matches(session, 0)[0]})
            return 0
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
                when = match_day(setup.played_on, setup.created_at, setup.zone)
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
    if str(args.file) == "-" and args.csv is None:
        refuse_terminal("Name one with -o FILE, or take --csv.")
    writers: dict[str | None, Callable[..., None]] = {None: write_file, "matches": write_matches, "hands": write_hands}
    write = writers[args.csv]
    with opened() as (_, session):
        book_id = _book_id(session, args.book)
        try:
            with opened_output(args.file, is_private=True) as file:
                write(session, book_id, file)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise unwritten(args.file, error) from error
    return 0


def _import_book(args: Namespace) -> int:
    """Import a book's file; exit status 1 where it was not imported."""
    with opened() as (app, session):
        try:
            content = BytesIO(read_input(args.file, LARGEST_FILE + 1))
            book_id = _book_id(session, args.into) if args.into else book_id_in(session, content)
            if args.look:
                with import_run(session, None):
                    _print_look(look(session, book_id, content))
                return 0
            done = import_book(session, content, book_id=book_id)
            _print_look(done.look)
            print_text(f"  {address(app)}/books/{owner_code(session, done.book_id)}/")
            return 0
        except OSError as error:
            raise unread(args.file, error) from error
        except (ImportNotNow, BookFileRefused) as refused:
            raise CommandRefused(f"{args.file} was not imported. {refused}") from refused


def _print_look(found: Look) -> None:
    """Print what the import of a file changes, or has changed."""
    counts = {
        "new": found.counts["new"],
        "here already": found.counts["same"],
        "in another book here": found.counts["elsewhere"],
        "not the same in the file, left as here": len(found.left),
    }
    print_text(f"{found.name or 'A book without a name'}: {'new here' if found.book_id is None else 'here already'}")
    for label, number in counts.items():
        print_text(f"{number:>7,}  {label}")
    for item in found.left:
        print_text(f"         {item.name}")
        for where, copy in (("here", item.here), ("file", item.there)):
            when = f", last changed {copy.written_at:%Y-%m-%d %H:%M} UTC" if copy.written_at else ""
            print_text(f"           {where}: {copy.words}{when}")
    for label, number in (("new", len(found.nights)), ("not the same in the file, left as here", found.nights_left)):
        if number:
            print_text(f"{number:>7,}  ladder nights, {label}")
    if found.told:
        print_text(f"{found.told:>7,}  changes of names and people, left out")


def _book_id(session: Session, link: str) -> int:
    """Return the number of a book by the link to it, or the end of that; ends the program where there is none."""
    try:
        return load_book(session, code_in(link)).id
    except UnknownCode:
        give_up("No link to a book ends like that. Find it with scorekeeper books.")


PARSERS = {
    "matches": _add_matches,
    "books": _add_books,
    "export": _add_export,
    "import": _add_import,
    "verify": _add_verify,
}
