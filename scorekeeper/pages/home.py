"""The home page, and the page of all matches of this phone and its books."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from flask import Blueprint, Response, request, url_for

from scorekeeper import hooks
from scorekeeper.access.roles import UnknownCode
from scorekeeper.book.book_list import newest_matches
from scorekeeper.database.engine import db
from scorekeeper.matches.drafts import draft_of
from scorekeeper.matches.fold import Match
from scorekeeper.matches.match_list import ListedMatch, count_wins_of_evening, matches_of_device
from scorekeeper.matches.notices import match_title, side_views
from scorekeeper.pages.book.views import phone_books, rows_of_matches, show_matches
from scorekeeper.pages.hand.form import describe_draft
from scorekeeper.pitch.text.endings import goal_words, goals_with_differences
from scorekeeper.pitch.text.standing import score_or_money_texts
from scorekeeper.web.context import device, load_match, name_unnamed_sides
from scorekeeper.web.respond import render_page

bp = Blueprint("home", __name__)

MAX_TABLES_SHOWN, MAX_MATCHES_SHOWN, MAX_MATCHES_READ = 2, 5, 20
"""The most matches to offer a rematch of; the most to list; the most to load for the list."""
_NAMED_LISTED_FOR, _UNNAMED_LISTED_FOR = timedelta(hours=12), timedelta(hours=1)
"""How long a match without hands stays on the home page after its start: with a named side, and without."""
DESCRIPTION = "Keep score of Pitch, also called Setback, with real cards and your house rules: who won, and why."
"""The description of the page for search engines."""


@bp.get("/")
def index() -> Response:
    """Show the home page: the match in progress that was changed last, then the newest other matches."""
    listed = [item for item in matches_of_device(db.session, device()) if not _is_forgotten(item)]
    matches = [name_unnamed_sides(item.match) for item in listed if item.match]
    in_progress = [item for item in listed if item.match and item.match.status == "in_progress"]
    last = max(in_progress, key=lambda item: item.written_at, default=None)
    current = name_unnamed_sides(last.match) if last and last.match else None
    draft = draft_of(db.session, current) if current else None
    books = phone_books()
    newest = newest_matches(db.session, books, device(), MAX_MATCHES_READ)
    others = [
        match
        for match in newest
        if not (_is_forgotten(match.listed_match) or (last and match.listed_match.setup.id == last.setup.id))
    ]
    sections = [section() for section in hooks.home_sections]
    deleted = [item for item in (_deleted_match(), *(section.just_deleted for section in sections)) if item]
    is_new = not (current or others or any(section.entries for section in sections))
    return render_page(
        "home/index.html",
        # Search engines may index a page without data of this phone.
        description=DESCRIPTION if is_new and not deleted else "",
        current=current,
        goal=goal_words(current.state.ruleset) if current else "",
        bid_so_far=describe_draft(current, draft) if current and draft else None,
        tonight=dict(count_wins_of_evening(db.session, current)) if current else {},
        scores=score_or_money_texts(current.state) if current else {},
        again=_last_match_of_each_table(matches),
        matches=list(rows_of_matches(others[:MAX_MATCHES_SHOWN])),
        tiles=[tile() for tile in hooks.home_tiles],
        sections=sections,
        deleted=deleted,
        has_book=bool(books),
        is_new=is_new,
    )


@bp.get("/matches")
def all_matches() -> Response:
    """Show the matches of this phone and of its books, with search."""
    return show_matches(phone_books())


def _is_forgotten(item: ListedMatch) -> bool:
    """Return whether a match has never had a hand and is too old to be on the home page."""
    is_unnamed = item.setup.is_unnamed(item.log.renamed)
    return not item.log.added_hand_count and datetime.now(UTC) - item.setup.created_at > (
        _UNNAMED_LISTED_FOR if is_unnamed else _NAMED_LISTED_FOR
    )


def _last_match_of_each_table(matches: Sequence[Match]) -> Sequence[tuple[Match, str]]:
    """Return the first of the matches of each table, the same people with the same rules, with its goal in words.

    At most `MAX_TABLES_SHOWN`.
    """
    tables: dict[tuple[str, str, tuple[str, ...]], Match] = {}
    for match in matches:
        people = tuple(view.name for view in side_views(match).values())
        tables.setdefault((match.state.ruleset.id, match.setup.digest, people), match)
    shown = list(tables.values())[:MAX_TABLES_SHOWN]
    return list(zip(shown, goals_with_differences([match.state.ruleset for match in shown]), strict=True))


def _deleted_match() -> tuple[str, str] | None:
    """Return the title of the match just deleted, which the URL has as `gone`, and the URL that restores it.

    `None` if the match is not deleted or this phone does not own it.
    """
    if not (code := request.args.get("gone", "")):
        return None
    try:
        match = load_match(code, may_be_deleted=True)
    except UnknownCode:
        return None
    if not (match.log.is_deleted and match.link.is_owner):
        return None
    return match_title(match), url_for("matches.restore", code=match.code)
