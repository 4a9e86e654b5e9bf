"""The command `scorekeeper erase`, which removes a match, a book or a night for good, with its events and links.

With a match for money, all matches of its money night are erased, since what is owed depends on all of them. With a
book, all its matches and ladder nights are erased. With a ladder night, the matches at its tables stay.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple

import click
import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access.links import LINK_TABLES
from scorekeeper.access.roles import Kind, Link, UnknownCode
from scorekeeper.book import store as books
from scorekeeper.book.books import book_of_id
from scorekeeper.club.hosting.serving import folder_of_removed_files
from scorekeeper.club.hosting.unused import delete_and_commit, files_with_uids, last_day_of_file
from scorekeeper.club.money import store as money_nights
from scorekeeper.club.nights.sentences import night_title
from scorekeeper.club.nights.service import ladder_night_of_link
from scorekeeper.club.nights.store import setups_in_book
from scorekeeper.commands.database import code_of_link, open_database
from scorekeeper.commands.matches import match_line
from scorekeeper.commands.terminal import CommandRefused, ask_yes_or_no, print_text
from scorekeeper.database.backup import MAX_COPIES, copies_with_uids, day_of_daily_backup, purge_deleted_data
from scorekeeper.database.engine import backup_folder, database_path, engine_of
from scorekeeper.database.tables import metadata
from scorekeeper.eventlog.stream import OWNER
from scorekeeper.matches import store as matches
from scorekeeper.matches.match_list import list_unlinked
from scorekeeper.pitch.rules.phrases import digits


class Erasure(NamedTuple):
    """The match, book or night of a link, and everything that is erased with it."""

    link: Link
    ids_by_kind: Mapping[Kind, Sequence[int]]
    """The ids of all that is erased, keyed by kind; "match" is always a key."""
    uids_by_kind: Mapping[str, Sequence[str]]
    """The uids of all that is erased, keyed by kind, for a search in backups and files."""


def find_erasure(session: Session, code: str) -> Erasure:
    """Return the match, book or night of the link with a code, and all that is erased with it; raises `UnknownCode`.

    The link may have ended.
    """
    heads = (link_table.head(session.connection(), code) for link_table in LINK_TABLES.values())
    link = next((head.link for head in heads if head), None)
    if link is None:
        raise UnknownCode(code)
    ids_by_kind: dict[Kind, Sequence[int]] = {"match": [], link.kind: [link.stream_id]}
    if link.kind == "book":
        ids_by_kind["match"] = books.match_ids_of(session, link.stream_id)
        ids_by_kind["night"] = [setup.id for setup in setups_in_book(session, link.stream_id)]
    ids_of_money_nights = (money_nights.match_ids_of_night(session, match_id) for match_id in ids_by_kind["match"])
    ids_by_kind["match"] = sorted({match_id for match_ids in ids_of_money_nights for match_id in match_ids})
    uids_by_kind = dict[str, Sequence[str]]()
    for kind, ids in ids_by_kind.items():
        columns = metadata.tables[kind].c
        uids_by_kind[kind] = session.scalars(sa.select(columns.uid).where(columns.id.in_(ids))).all()
    return Erasure(link, ids_by_kind, uids_by_kind)


_MAX_LISTED_LINES = 20
"""The most nights and matches, taken together, that are listed before they are erased."""


@click.command()
@click.argument("link", help="a link to a match, a book or a night, or the end of it")
@click.option("--yes", is_flag=True, help="erase it without asking")
def erase_command(link: str, yes: bool) -> int:
    """Remove a match, a book or a night for good.

    A book goes with every match and ladder night in it, and a match for money with all matches of its night. Nobody can
    restore it. The server has to be stopped. Backups, and files of what nobody used, stay as they are: those that still
    have it are listed.
    """
    with open_database(exclusive=True) as (app, session):
        try:
            erasure = find_erasure(session, code_of_link(link))
        except UnknownCode:
            raise CommandRefused("No link ends like that. Find it with scorekeeper matches, books or nights.") from None
        _print_erasure(session, erasure)
        if not yes and not ask_yes_or_no("Erase it for good? Nobody can restore it."):
            print_text("Nothing was erased.")
            return 1
        delete_and_commit(session, erasure.ids_by_kind)
        session.close()
        purge_deleted_data(engine_of(app))
        print_text("It is erased.")
        _print_copies(app, erasure)
    return 0


def _print_erasure(session: Session, erasure: Erasure) -> None:
    """Print what is about to be erased, with at most `_MAX_LISTED_LINES` nights and matches."""
    link = erasure.link
    setups = [matches.setup_by_id(session, match_id) for match_id in erasure.ids_by_kind["match"]]
    listed_matches = list_unlinked(session, setups)
    night_lines = [_ladder_night_line(session, night_id) for night_id in erasure.ids_by_kind.get("night", ())]
    lines = [*night_lines, *map(match_line, listed_matches)]
    if link.kind == "book":
        book_name = book_of_id(session, link.stream_id).name or "A book without a name"
        print_text(f"{book_name}, with every match and ladder night in it: {len(lines)}")
    elif len(listed_matches) > 1:
        print_text("A money night, with all its matches:")
    for line in lines[:_MAX_LISTED_LINES]:
        print_text(line)
    if len(lines) > _MAX_LISTED_LINES:
        print_text(f"and {len(lines) - _MAX_LISTED_LINES} more")
    if night_lines:
        print_text("Matches at the tables of a night stay, unless they are listed here.")


def _ladder_night_line(session: Session, night_id: int) -> str:
    """Return a line on a ladder night: "2026-11-21  Ladder night, 8 pairs"."""
    access = ladder_night_of_link(session, Link(0, "", OWNER, night_id, "night"), may_be_unreadable=True)
    night = access.night
    return f"{access.setup.created_at.date()}  {night_title(night)}, {digits(len(night.entrants), 'pair')}"


def _print_copies(app: Flask, erasure: Erasure) -> None:
    """Print which backups and which files of unused matches, books and nights still have what was erased.

    For each file, print until when it is kept.
    """
    database = database_path(app)
    files = copies_with_uids(backup_folder(app), database, erasure.uids_by_kind) if database else []
    files += files_with_uids(
        folder_of_removed_files(app), [uid for uids in erasure.uids_by_kind.values() for uid in uids]
    )
    print_text("These files still have it:" if files else "No backup here has it.")
    for file in files:
        until_phrase = last_day_of_file(file) or "you delete it"
        if backup_day := day_of_daily_backup(file):
            until_phrase = (
                f"{backup_day + timedelta(days=MAX_COPIES)} or later: the last {MAX_COPIES} daily backups are kept"
            )
        print_text(f"  {file}\n    until {until_phrase}")
    print_text("Copies that you made elsewhere or with pg_dump, and files that were downloaded, may have it.")
