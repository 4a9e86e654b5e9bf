"""The command `scorekeeper nights`, which lists ladder nights with their links."""

import click
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.book.book_list import owner_code
from scorekeeper.club.nights import sentences
from scorekeeper.club.nights.service import NightAccess, latest_nights
from scorekeeper.commands.database import open_database, server_url
from scorekeeper.commands.terminal import (
    before_option,
    json_option,
    limit_option,
    print_json,
    print_list_end,
    print_text,
)
from scorekeeper.pitch.rules.phrases import digits


@click.command()
@click.option("--deleted", is_flag=True, help="also deleted nights")
@limit_option
@before_option
@json_option
def nights(deleted: bool, limit: int, before: int, as_json: bool) -> None:
    """List the ladder nights with their links, the last begun first.

    Each link is the owner's or, if no phone owns the night, that of its page in its book. The address is the one that
    phones use, or SCOREKEEPER_PUBLIC_URL.
    """
    with open_database() as (app, session):
        accesses, next_before = latest_nights(session, limit, before)
        shown_nights = [
            _night_data(session, app, access) for access in accesses if deleted or not access.night.is_deleted
        ]
        if as_json:
            print_json({"nights": shown_nights, "before": next_before})
            return
        for night in shown_nights:
            print_text(f"{night['began_on']}  {night['title']}: {night['came']} ({night['status']})")
            print_text(f"  {night['link'] or 'No link leads there any more.'}")
        command = "nights --deleted" if deleted else "nights"
        print_list_end("nights", before, next_before, limit, command=command, items=accesses, shown_items=shown_nights)


def _night_data(session: Session, app: Flask, access: NightAccess) -> dict[str, object]:
    """Return a night as a JSON object: its link, first day, title and status, and how many came: "8 pairs"."""
    night, path = access.night, _night_path(session, access)
    status = sentences.champion_words(night) or sentences.round_words(night)
    return {
        "link": f"{server_url(app)}/{path}" if path else None,
        "began_on": access.setup.created_at.astimezone().date().isoformat(),
        "title": sentences.night_title(night),
        "came": digits(len(night.entrants), night.entrant_noun),
        "status": "deleted" if night.is_deleted else status,
    }


def _night_path(session: Session, access: NightAccess) -> str:
    """Return the path of an owner's link to a night: "nights/C0DE/".

    Without such a link, return the path of the night's page in its book; empty if the night is in no book.
    """
    if access.code:
        return f"nights/{access.code}/"
    book_id = access.setup.book_id
    return "" if book_id is None else f"books/{owner_code(session, book_id)}/nights/{access.setup.uid}"
