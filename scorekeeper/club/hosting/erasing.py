"""`scorekeeper erase`: a match, a book or a night removed for good, so that no event of it and no link to it stays.

A match of a money night is erased with all matches of that night, because what is owed depends on all of them; a book
is erased with every match and ladder night in it. Matches at the tables of a ladder night have links of their own, and
stay when it is erased, but for those in its book when the book is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import click
import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access.links import LINK_TABLES
from scorekeeper.access.roles import Kind, Link, UnknownCode
from scorekeeper.book import store as books
from scorekeeper.book.books import book_of_id
from scorekeeper.club.money import store as money_nights
from scorekeeper.club.nights.sentences import night_title
from scorekeeper.club.nights.service import night_of_link
from scorekeeper.club.nights.store import setups_in_book
from scorekeeper.commands.database import code_of_link, open_database
from scorekeeper.commands.matches import match_line
from scorekeeper.commands.terminal import CommandRefused, ask_yes_or_no, print_text
from scorekeeper.database.backup import (
    MAX_COPIES,
    all_copies,
    day_of_daily_backup,
    may_have_uids,
    purge_deleted_data,
)
from scorekeeper.database.engine import backup_folder, database_path, engine_of
from scorekeeper.database.rows import split_into_chunks
from scorekeeper.database.tables import metadata
from scorekeeper.eventlog.stream import OWNER
from scorekeeper.matches import store as matches
from scorekeeper.matches.match_list import list_unlinked
from scorekeeper.pitch.rules.phrases import digits

IDS_AT_ONCE = 500
"""The most ids in one SQL statement."""
_DELETION_ORDER: tuple[Kind, ...] = ("night", "match", "book")
"""The kinds in the order in which they are deleted."""


def delete_and_commit(session: Session, ids: Mapping[Kind, Sequence[int]]) -> None:
    """Delete matches, books and nights, given by kind, with the rows that foreign keys delete with them, and commit."""
    for kind in sorted(ids, key=_DELETION_ORDER.index):
        table = metadata.tables[kind]
        for part in split_into_chunks(ids[kind], IDS_AT_ONCE):
            session.execute(sa.delete(table).where(table.c.id.in_(part)))
    session.commit()


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """The match, book or night of a link, and everything that is erased together with it."""

    link: Link
    ids: Mapping[Kind, Sequence[int]]
    """The ids to erase, by kind; "match" is always a key."""
    uids: Mapping[str, Sequence[str]]
    """The uids of all that is erased, by kind; copies of the database are searched for them."""


def find_erasure(session: Session, code: str) -> Erasure:
    """Return what is to be erased for a link, which may have ended, given its code; raises `UnknownCode`."""
    heads = (table.head(session.connection(), code) for table in LINK_TABLES.values())
    link = next((head.link for head in heads if head), None)
    if link is None:
        raise UnknownCode(code)
    begun = books.match_ids_of(session, link.stream_id) if link.kind == "book" else [link.stream_id]
    nights = [money_nights.match_ids_of_night(session, match_id) for match_id in begun] if link.kind != "night" else []
    ids = {link.kind: [link.stream_id], "match": sorted({match_id for night in nights for match_id in night})}
    if link.kind == "book":
        ids["night"] = [setup.id for setup in setups_in_book(session, link.stream_id)]
    uids: dict[str, Sequence[str]] = {}
    for kind, ids_of_kind in ids.items():
        table = metadata.tables[kind].c
        uids[kind] = session.scalars(sa.select(table.uid).where(table.id.in_(ids_of_kind))).all()
    return Erasure(link=link, ids=ids, uids=uids)


_MAX_LISTED = 20
"""The most matches and nights that are listed before they are erased."""


@click.command()
@click.argument("link", help="a link to a match, a book or a night, or the end of it")
@click.option("--yes", is_flag=True, help="erase it without asking")
def erase_command(link: str, yes: bool) -> int:
    """Remove a match, a book or a night for good.

    A book goes with every match and ladder night in it, and a match for money with all matches of its night. Nobody can
    restore it.
    The server has to be stopped. Backups are not changed: those that still have it are listed.
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
        delete_and_commit(session, erasure.ids)
        session.close()
        purge_deleted_data(engine_of(app))
        print_text("It is erased.")
        _print_copies(app, erasure)
    return 0


def _print_erasure(session: Session, erasure: Erasure) -> None:
    """Print what is about to be erased; of the nights and matches, the first `_MAX_LISTED` are listed."""
    link = erasure.link
    setups = [matches.setup_by_id(session, match_id) for match_id in erasure.ids["match"]]
    listed = list_unlinked(session, setups)
    nights = [_night_line(session, night_id) for night_id in erasure.ids.get("night", ())]
    lines = [*nights, *map(match_line, listed)]
    if link.kind == "book":
        name = book_of_id(session, link.stream_id).name or "A book without a name"
        print_text(f"{name}, with every match and ladder night in it: {len(lines)}")
    elif len(listed) > 1:
        print_text("A money night, with all its matches:")
    for line in lines[:_MAX_LISTED]:
        print_text(line)
    if len(lines) > _MAX_LISTED:
        print_text(f"and {len(lines) - _MAX_LISTED} more")
    if nights:
        print_text("Matches at the tables of a night stay, unless they are listed here.")


def _night_line(session: Session, night_id: int) -> str:
    """Return a ladder night's line: its day, its title, and how many pairs came."""
    access = night_of_link(session, Link(0, "", OWNER, night_id, "night"))
    pairs = digits(len(access.night.pairs), "pair")
    return f"{access.setup.created_at.date()}  {night_title(access.night)}, {pairs}"


def _print_copies(app: Flask, erasure: Erasure) -> None:
    """Print which copies of the database still have what was erased, and until when they are kept."""
    database = database_path(app)
    if database is None:
        print_text("Copies that were made with pg_dump still have it.")
        return
    still = [kept for kept in all_copies(backup_folder(app), database) if may_have_uids(kept, erasure.uids)]
    if still:
        print_text("These copies of the database still have it:")
    for copy in still:
        print_text(f"  {copy}\n    {_kept_until_words(copy)}")
    print_text("Copies that you made elsewhere have it as well." if still else "No backup here has it.")


def _kept_until_words(copy: Path) -> str:
    """Return in words how long a copy of the database is kept: "until you delete it"."""
    day = day_of_daily_backup(copy)
    if day is None:
        return "until you delete it"
    return f"until {day + timedelta(days=MAX_COPIES)} or later: the last {MAX_COPIES} daily backups are kept"
