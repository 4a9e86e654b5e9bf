"""`scorekeeper erase`: a match, a book or a night is removed for good."""

from datetime import timedelta
from pathlib import Path

import click
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access.roles import UnknownCode
from scorekeeper.book.books import book_of_id
from scorekeeper.club.hosting.erasing import ToErase, erase, listed, to_erase
from scorekeeper.club.nights.roles import NightLink
from scorekeeper.club.nights.service import night_of_link
from scorekeeper.club.nights.words import night_title
from scorekeeper.commands.database import code_in, give_up, opened
from scorekeeper.commands.matches import match_line
from scorekeeper.commands.terminal import agrees, matches_words, print_text
from scorekeeper.database.backup import MAX_KEPT, day_of, has_any, kept_copies, make_small
from scorekeeper.database.engine import backup_folder, database_path, engine_of
from scorekeeper.eventlog.roles import OWNER
from scorekeeper.pitch.rules.phrases import digits

_MAX_LISTED = 20


@click.command()
@click.argument("link", help="a link to a match, a book or a night, or the end of it")
@click.option("--yes", is_flag=True, help="erase it without asking")
def erase_command(link: str, yes: bool) -> int:
    """Remove a match, a book or a night for good.

    A book goes with every match in it, and a match for money with all matches of its night. Nobody can restore it.
    The server has to be stopped. Backups are not changed: those that it is still in are listed.
    """
    with opened(alone=True) as (app, session):
        try:
            found = to_erase(session, code_in(link))
        except UnknownCode:
            give_up("No link ends like that. Find it with scorekeeper matches, books or nights.")
        _print_what_goes(session, found)
        if not yes and not agrees("Erase it for good? Nobody can restore it."):
            print_text("Nothing was erased.")
            return 1
        erase(session, found)
        session.close()
        make_small(engine_of(app))
        print_text("It is erased.")
        _print_copies(app, found)
    return 0


def _print_what_goes(session: Session, found: ToErase) -> None:
    link, going = found.link, listed(session, found)
    if link.kind == "book":
        name = book_of_id(session, link.stream_id).name or "A book without a name"
        print_text(f"{name}, with every match in it: {matches_words(len(going))}")
    elif link.kind == "night":
        night = night_of_link(session, NightLink(0, "", OWNER, link.stream_id))
        pairs = digits(len(night.night.pairs), "pair")
        print_text(f"{night.setup.created_at.date()}  {night_title(night.night)}, {pairs}. Matches at its tables stay.")
    elif len(going) > 1:
        print_text("A money night, with all its matches:")
    for item in going[:_MAX_LISTED]:
        print_text(match_line(item))
    if len(going) > _MAX_LISTED:
        print_text(f"and {len(going) - _MAX_LISTED} more")


def _print_copies(app: Flask, found: ToErase) -> None:
    """Print which copies of the database still have it, and until when."""
    database = database_path(app)
    if database is None:
        print_text("Copies that were made with pg_dump still have it.")
        return
    still = [kept for kept in kept_copies(backup_folder(app), database) if has_any(kept, found.known_by)]
    if still:
        print_text("These copies of the database still have it:")
    for copy in still:
        print_text(f"  {copy}\n    {_until(copy)}")
    print_text("Copies that you made elsewhere have it as well." if still else "No backup here has it.")


def _until(copy: Path) -> str:
    day = day_of(copy)
    if day is None:
        return "until you delete it"
    return f"until {day + timedelta(days=MAX_KEPT)} or later: the last {MAX_KEPT} daily backups are kept"
