"""`scorekeeper nights`: ladder nights with their links."""

from argparse import Namespace
from typing import Any

from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.book.book_list import owner_code
from scorekeeper.club.nights import words
from scorekeeper.club.nights.night import Night
from scorekeeper.club.nights.service import ListedNight, latest_nights
from scorekeeper.commands.database import address, opened
from scorekeeper.commands.matches import _print_rest
from scorekeeper.commands.terminal import (
    add_command,
    add_json,
    add_paging,
    print_json,
    print_text,
)


def _add_nights(commands: Any) -> None:
    parser = add_command(
        commands,
        "nights",
        _list_nights,
        "List the ladder nights with their links, the last begun first.",
        "Each link is the owner's, or leads there by the book: a lost host phone loses no night. The address is the "
        "one that phones use, or SCOREKEEPER_PUBLIC_URL.",
    )
    parser.add_argument("--deleted", action="store_true", help="also deleted nights")
    add_paging(parser)
    add_json(parser)


def _list_nights(args: Namespace) -> int:
    """Print two lines for each night of the page."""
    with opened() as (app, session):
        listed, older = latest_nights(session, args.limit, args.before)
        shown = [item for item in listed if args.deleted or not item.night.is_deleted]
        if args.json:
            print_json({"nights": [_night_data(session, app, item) for item in shown], "before": older})
            return 0
        for item in shown:
            path = _night_path(session, item)
            print_text(_night_line(item))
            print_text(f"  {address(app)}/{path}" if path else "  No link leads there any more.")
        _print_rest(args, "nights", any_listed=bool(listed), any_shown=bool(shown), older=older)
    return 0


def _night_data(session: Session, app: Flask, item: ListedNight) -> dict[str, Any]:
    """Return a night for a program: its link, when it was, who came, and how it stands."""
    night, path = item.night, _night_path(session, item)
    return {
        "link": f"{address(app)}/{path}" if path else None,
        "began_on": item.setup.created_at.astimezone().date().isoformat(),
        "title": words.night_title(night),
        "came": words.group_words(item.setup.size, len(night.pairs), night.plan.mode),
        "status": _night_status(night),
    }


def _night_status(night: Night) -> str:
    return "deleted" if night.is_deleted else words.champion_words(night) or words.round_words(night)


def _night_line(item: ListedNight) -> str:
    """Return when a night was, who came, and how it stands."""
    night, setup = item.night, item.setup
    came = words.group_words(setup.size, len(night.pairs), night.plan.mode)
    began_on = setup.created_at.astimezone().date().isoformat()
    return f"{began_on}  {words.night_title(night)}: {came} ({_night_status(night)})"


def _night_path(session: Session, item: ListedNight) -> str:
    """Return the address of a night, or of it in its book where no phone owns it; empty where neither is."""
    if item.code:
        return f"nights/{item.code}/"
    book_id = item.setup.book_id
    return "" if book_id is None else f"books/{owner_code(session, book_id)}/nights/{item.setup.uid}"


PARSERS = {"nights": _add_nights}
