"""Matches and books: `scorekeeper matches`, `books`, `books collect`, `export`, `import` and `verify`."""

import json
from collections.abc import Sequence
from pathlib import Path

import click
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access.roles import UnknownCode
from scorekeeper.book.book_list import ListedBook, latest_books, owner_code
from scorekeeper.book.book_matches import count_and_list_unplaced, put_matches_in_one_book, put_matches_in_owners_books
from scorekeeper.book.books import load_book
from scorekeeper.commands.database import code_of_link, open_database, server_url
from scorekeeper.commands.files import (
    faulty_input_error,
    input_name,
    load_library,
    open_output,
    output_option,
    read_input,
    unreadable_file_error,
)
from scorekeeper.commands.registry import LazyGroup
from scorekeeper.commands.terminal import (
    CommandRefused,
    before_option,
    json_option,
    limit_option,
    print_json,
    print_list_end,
    print_problem,
    print_text,
)
from scorekeeper.matches.files.import_export import (
    COMMAND_LIMITS,
    DuplicatePolicy,
    ImportedBefore,
    RecordsRefused,
    export_all_matches,
    export_match,
    import_file,
)
from scorekeeper.matches.files.import_run import ImportNotNow
from scorekeeper.matches.fold import Ending, Match
from scorekeeper.matches.log import match_day
from scorekeeper.matches.match_list import LeftOut, ListedMatch, latest_matches, list_unlinked
from scorekeeper.matches.service import ReplayedMatch, replay_all
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.pitch.rules.phrases import digits
from scorekeeper.pitch.text.standing import standing_text

_MAX_UNPLACED_LISTED = 20
"""The most unplaced matches that `books` lists."""


@click.command()
@click.option("--deleted", is_flag=True, help="also deleted matches")
@limit_option
@before_option
@json_option
def matches(deleted: bool, limit: int, before: int, as_json: bool) -> None:
    """List the matches with their links, the last begun first.

    Each link is the owner's: whoever has it can do everything there, add phones, and remove them. The address is the
    one that phones use, or SCOREKEEPER_PUBLIC_URL.
    """
    with open_database() as (app, session):
        listed_matches, older = latest_matches(session, limit, before)
        shown_matches = [listed_match for listed_match in listed_matches if deleted or not listed_match.log.is_deleted]
        if as_json:
            print_json({"matches": [_match_data(app, listed_match) for listed_match in shown_matches], "before": older})
            return
        for listed_match in shown_matches:
            print_text(f"{match_line(listed_match)}\n  {server_url(app)}/matches/{listed_match.link.code}/")
        command = "matches --deleted" if deleted else "matches"
        print_list_end(
            "matches", before, older, limit, command=command, items=listed_matches, shown_items=shown_matches
        )


def _match_data(app: Flask, listed_match: ListedMatch) -> dict[str, object]:
    """Return a match's entry in the JSON of `matches --json`.

    If the match cannot be scored, its scores and winners are empty.
    """
    match = listed_match.match
    status = match.standing.status if match else "cannot be scored"
    return {
        "link": f"{server_url(app)}/matches/{listed_match.link.code}/",
        "played_on": listed_match.occasion.day,
        "title": listed_match.title,
        "status": "deleted" if listed_match.log.is_deleted else status,
        "scores": {match.names[side]: score for side, score in match.standing.scores.items()} if match else {},
        "winners": [match.names[side] for side in match.standing.winners] if match else [],
    }


def match_line(listed_match: ListedMatch) -> str:
    """Return a match's line in a list: "2026-03-14 Friday: Ann & Cal 3, Bo & Di 1 (in progress)".

    If the match cannot be scored, the line says so.
    """
    day = listed_match.occasion.day
    title = f"{listed_match.title}: " if listed_match.title else ""
    if listed_match.match is None:
        return f"{day}  {title}can’t be read or scored: scorekeeper verify says why"
    score_words = standing_text(listed_match.match.state, listed_match.match.names)
    status = "deleted" if listed_match.log.is_deleted else listed_match.match.status.replace("_", " ")
    return f"{day}  {title}{score_words} ({status})"


@click.command()
@json_option
def verify(as_json: bool) -> bool:
    """Check that every match still scores as when it ended.

    Each is replayed from its hands, and one that scores differently is named with its link. Nothing is changed.
    Exit status 1 if there is one.
    """
    replayed_count = ended_count = 0
    differences = []
    with open_database() as (app, session):
        for replayed_match in replay_all(session):
            replayed_count += 1
            ended_count += replayed_match.stored_ending is not None
            if not replayed_match.has_same_ending:
                link, line = f"{server_url(app)}/matches/{replayed_match.link.code}/", _difference_line(replayed_match)
                differences.append({"link": link, "says": line})
                if not as_json:
                    print_text(f"{line}\n  {link}")
    if as_json:
        print_json({"replayed": replayed_count, "ended": ended_count, "different": differences})
    elif differences:
        print_text(f"No longer as when they ended: {len(differences)} of {replayed_count} matches.")
    else:
        print_text(f"Every match scores as when it ended: {replayed_count} in all, {ended_count} of them ended.")
    return bool(differences)


def _difference_line(replay: ReplayedMatch) -> str:
    """Return a line about a match that no longer scores as when it ended: its scores now, and those then."""
    match = replay.match
    if match is None:
        setup = replay.setup
        day = match_day(setup.played_on, setup.created_at, setup.zone)
        return f"{day}  {setup.title or 'A match'} can’t be scored any more: {replay.fault}"
    occasion = match.occasion
    title = f"{occasion.title}: " if occasion.title else ""
    now_text, old_text = _ending_text(match, match.ending), _ending_text(match, replay.stored_ending)
    return f"{occasion.day}  {title}{now_text} today; {old_text} when it ended"


def _ending_text(match: Match, ending: Ending | None) -> str:
    """Return an ending in words: "Ann 21, Bo 14 (won by Ann)". For `None` return "in progress"."""
    if ending is None:
        return "in progress"
    score_words = ", ".join(f"{match.names[side]} {score}" for side, score in ending.scores.items())
    winner_names = " and ".join(match.names[side] for side in ending.winners)
    return f"{score_words} ({f'won by {winner_names}' if winner_names else ending.status})"


@click.command()
@click.argument("code", required=False, help="a match's link, or the end of it")
@click.option("--all", "every", is_flag=True, help="every match")
@output_option
@click.pass_context
def export(context: click.Context, code: str | None, every: bool, output: Path) -> None:
    """Write matches as records.

    One record a line, which scorekeeper import and scorekeeper score --lines read. Deleted matches are left out.
    """
    if every == (code is not None):
        context.fail("Name one match by CODE, or every match by --all.")
    library = load_library()
    with open_database() as (_, session):
        left_out = list[MatchSetup]()
        try:
            records = (
                list(export_all_matches(session, library, left_out))
                if code is None
                else [export_match(session, library, code_of_link(code))]
            )
        except UnknownCode:
            raise CommandRefused("No link ends like that. Find it with scorekeeper matches.") from None
        print_left_out(session, left_out)
        if str(output) == "-":
            for record in records:
                print_json(record)
            return
        with open_output(output, is_private=True) as file:
            file.writelines(f"{json.dumps(record, ensure_ascii=False)}\n".encode() for record in records)


def print_left_out(session: Session, left_out: Sequence[LeftOut]) -> None:
    """Print to standard error the matches and other things that a file leaves out because they cannot be read."""
    for listed_match in list_unlinked(session, left_out):
        print_problem(f"One match cannot be read, and is left out. {match_line(listed_match)}")
    for description in left_out:
        if isinstance(description, str):
            print_problem(f"{description} cannot be read, and is left out. Update Scorekeeper if a newer one wrote it.")


@click.command()
@click.option(
    "--known",
    type=click.Choice(["skip", "again"]),
    help="matches that are here already: leave them out, or import them once more",
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=Path, help="- is standard input")
def import_command(known: DuplicatePolicy | None, files: tuple[Path, ...]) -> int:
    """Import matches from records.

    A file is one record, a list of records, or one record a line. If a file has an error, nothing in it is imported.
    If a match in it is here already, nothing is imported either, unless --known says what to do.
    """
    library = load_library()
    status = 0
    with open_database() as (app, session):
        for file in files:
            file_name = input_name(file)
            try:
                codes = import_file(
                    session, library, read_input(file, COMMAND_LIMITS.max_bytes + 1), duplicates=known or "ask"
                )
            except OSError as error:
                refusal = unreadable_file_error(file_name, error)
            except ImportNotNow as not_now:
                refusal = CommandRefused(f"{file_name} was not imported. {not_now}")
            except ImportedBefore as imported_before:
                instruction = "Add --known skip to leave them out, or --known again"
                refusal = CommandRefused(f"{file_name} was not imported. {imported_before} {instruction}.")
            except RecordsRefused as record_faults:
                refusal = faulty_input_error(
                    f"{file_name} has an error, so nothing was imported", f"{record_faults}".splitlines()
                )
            else:
                for code in codes:
                    print_text(f"{server_url(app)}/matches/{code}/")
                continue
            print_problem(f"{refusal}")
            status = 1
    return status


@click.group(cls=LazyGroup, invoke_without_command=True)
@limit_option
@before_option
@json_option
@click.pass_context
def books(context: click.Context, limit: int, before: int, as_json: bool) -> None:
    """List every book with its link, and the matches that are in no book.

    A book gathers the matches of a table. Each link is the owner's: whoever has it can open every match in the book,
    add phones, and remove them. The address is the one that phones use, or SCOREKEEPER_PUBLIC_URL.
    """
    if context.invoked_subcommand:
        return
    with open_database() as (app, session):
        listed_books, older = latest_books(session, limit, before)
        if as_json:
            book_entries = [
                {
                    "link": f"{server_url(app)}/books/{book.code}/",
                    "name": book.name,
                    "matches": book.match_count,
                    "phones": book.phone_count,
                    "last_opened": book.last_seen.isoformat() if book.last_seen else None,
                }
                for book in listed_books
            ]
            print_json({"books": book_entries, "before": older, "in_no_book": count_and_list_unplaced(session, 0)[0]})
            return
        for book in listed_books:
            print_text(f"{_book_line(book)}\n  {server_url(app)}/books/{book.code}/")
        print_list_end("books", before, older, limit, command="books", items=listed_books, shown_items=listed_books)
        unplaced_count, latest_setups = count_and_list_unplaced(session, _MAX_UNPLACED_LISTED)
        if unplaced_count:
            print_text(f"{_matches_are_words(unplaced_count)} in no book. Put them into one: scorekeeper books collect")
            for listed_match in list_unlinked(session, latest_setups):
                print_text(f"  {match_line(listed_match)}")
            if unplaced_count > _MAX_UNPLACED_LISTED:
                print_text(f"  and {unplaced_count - _MAX_UNPLACED_LISTED} before these")


def _book_line(book: ListedBook) -> str:
    """Return a book's line in the list: "Friday club: 12 matches, 3 phones, last opened 2026-03-14"."""
    opened = f", last opened {book.last_seen.date().isoformat()}" if book.last_seen else ""
    return f"{book.name or 'No name'}: {digits(book.match_count, 'match')}, {digits(book.phone_count, 'phone')}{opened}"


def _matches_are_words(match_count: int) -> str:
    """Return a number of matches with the verb: "2 matches are", "1 match is"."""
    return f"{digits(match_count, 'match')} {'is' if match_count == 1 else 'are'}"


@click.command()
@click.option("--into", metavar="BOOK", help="the link of a book, or its end; a new book by default")
def collect(into: str | None) -> None:
    """Put the matches that are in no book into one.

    It prints the link of that book. A match that somebody keeps out of every book stays there.
    """
    with open_database() as (app, session):
        book_id = find_book_id(session, into) if into else None
        put_matches_in_owners_books(session)
        unplaced_count, _ = count_and_list_unplaced(session, 0)
        if not unplaced_count:
            print_text("Every match is in a book, or kept out of all.")
            return
        book_id = put_matches_in_one_book(session, book_id)
        url = f"{server_url(app)}/books/{owner_code(session, book_id)}/"
        print_text(f"{_matches_are_words(unplaced_count)} in this book now:\n  {url}")


def find_book_id(session: Session, link_or_code: str) -> int:
    """Return the id of a book from a link to it, or from the code of the link; raises `CommandRefused`."""
    try:
        return load_book(session, code_of_link(link_or_code)).id
    except UnknownCode:
        raise CommandRefused("No link to a book ends like that. Find it with scorekeeper books.") from None
