"""The page that shows a match on a TV, large enough to read across a room."""

from flask import Blueprint, Response, request

from scorekeeper.access.invitations import invitations_in_force, invite
from scorekeeper.access.phones import note_presence
from scorekeeper.access.roles import Invitation
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import WATCHER
from scorekeeper.matches.fold import Match
from scorekeeper.pages.match.hands import latest_hands
from scorekeeper.pages.match.page import scoreboard
from scorekeeper.pitch.text.endings import verdict_text
from scorekeeper.pitch.text.hands import bid_in_play_words
from scorekeeper.web.context import (
    current_draft,
    for_owners,
    for_watchers,
    known_device,
    load_head,
    load_match,
    polled_draft_count,
    polled_version,
)
from scorekeeper.web.respond import no_news_response, redirect_to, render_page

bp = Blueprint("tv", __name__, url_prefix="/matches/<code>/tv")

MAX_HANDS_ON_TV = 5
"""The most hands that the TV shows during a match."""
MAX_HANDS_AT_END = 3
"""The most hands that the TV shows beside the verdict of a match that is over."""


@bp.get("")
@for_watchers
def show(code: str) -> Response:
    """Show the match for a TV, with the invitation to watch if one is in force.

    For a deleted match, redirect to its page.
    """
    match = load_match(code)
    if match.log.is_deleted:
        return redirect_to("matches.show", code=code)
    return _show_scoreboard(match, invitations_in_force(db.session, match).get(WATCHER))


@bp.post("")
@for_owners
def put_on(code: str) -> Response:
    """Open or renew the invitation to watch, and redirect to the page on putting the score on a TV."""
    invite(db.session, load_match(code), WATCHER)
    return redirect_to(".open_on", code=code)


@bp.get("/open")
@for_watchers
def open_on(code: str) -> Response:
    """Show how to put the score on a TV, with the invitation to watch if one is in force."""
    match = load_match(code)
    invitation = invitations_in_force(db.session, match).get(WATCHER)
    return render_page("tv/open.html", match=match, invitation=invitation)


@bp.get("/board")
@for_watchers
def board(code: str) -> Response:
    """Answer a poll of a TV: 204 if nothing has changed, else the polled blocks.

    Store that the TV has been seen. For a deleted match, redirect to its page.
    """
    seen = polled_version()
    head = load_head(code)
    note_presence(db.session, known_device(), head.link)
    invitation = invitations_in_force(db.session, head).get(WATCHER)
    shown = (seen, request.args.get("let", type=int), polled_draft_count())
    if shown == (head.version, invitation.id if invitation else 0, head.draft_count):
        return no_news_response()
    match = load_match(code)
    if match.log.is_deleted:
        return redirect_to("matches.show", code=code)
    return _show_scoreboard(match, invitation, since=seen, block=("head", "board", "announcement"))


def _show_scoreboard(
    match: Match, invitation: Invitation | None, *, since: int | None = None, block: tuple[str, ...] = ()
) -> Response:
    """Show the page for a TV, or for htmx only these blocks of it.

    Hands that changed after the version `since` are marked as new.
    """
    match = match.with_pronouns("sides")
    board = scoreboard(match, current_draft(match))
    sides, state = len(board.sides), match.state
    return render_page(
        "tv/show.html",
        block=block,
        match=match,
        board=board,
        why=verdict_text(state, match.names, stopped=match.log.is_stopped) if board.is_over else "",
        bid=bid_in_play_words(state, match.names_in(len(state.results))),
        columns=sides if board.is_side_by_side else -(-sides // 2),
        latest=latest_hands(match, MAX_HANDS_AT_END if board.is_over else MAX_HANDS_ON_TV, since),
        invitation=invitation,
        drafts=load_head(match.code).draft_count,
    )
