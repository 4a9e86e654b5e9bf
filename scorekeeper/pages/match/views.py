"""The match page, and the actions on a match: undo, redo, stop, resume, delete, restore."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from flask import Blueprint, Response, request

from scorekeeper import hooks
from scorekeeper.access.phones import note_presence
from scorekeeper.access.roles import is_same_phone
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import MatchClosed, Refused, redo_event, refusal, undo_event
from scorekeeper.matches.events import Change, Deleted, Resumed, Stopped, Undeleted, Undone
from scorekeeper.matches.fold import Match
from scorekeeper.matches.house_rules import find_equal_house_rules, house_rules_of_device, rules_to_save
from scorekeeper.matches.log import is_signed_by
from scorekeeper.matches.match_list import count_wins_of_evening
from scorekeeper.matches.service import StaleMatch
from scorekeeper.pages.history import show_refusal
from scorekeeper.pages.match.page import Viewer, match_page
from scorekeeper.pitch.rules.share_codes import encode
from scorekeeper.printing import print_service
from scorekeeper.web.context import (
    actor,
    current_draft,
    for_owners,
    for_scorers,
    for_watchers,
    known_device,
    load_head,
    load_match,
    polled_draft_count,
    polled_version,
    posted_key,
    posted_version,
    redirect_to_match,
    remember_visit,
    write_change,
)
from scorekeeper.web.library import library
from scorekeeper.web.page_cache import render_cached
from scorekeeper.web.respond import no_news_response, redirect_to, render_page

bp = Blueprint("matches", __name__, url_prefix="/matches/<code>")

MATCH_TEMPLATE = "match/show.html"
"""The template of the match page."""
UNDO_PAUSE = timedelta(seconds=1)
"""The time after an undo in which another tap on the same phone undoes nothing more."""
POLLED_BLOCKS = ("bar", "board", "announcement", "turn", "history", "chart", "bottom_bar")
"""The blocks of the match page that a poll updates."""


@bp.get("/")
@for_watchers
def show(code: str) -> Response:
    """Show the match page, or the page of a deleted match.

    Put the match on top of this phone's list. For a finished match, start the print process early.
    """
    match = load_match(code, may_be_deleted=True)
    remember_visit(match)
    if match.log.is_deleted:
        return render_page("match/deleted.html", match=match)
    if match.state.outcome:
        print_service.start()
    return _show_page(match, has_just_written=request.args.get("said") == str(match.version), blocks=("turn",))


@bp.get("/board")
@for_watchers
def board(code: str) -> Response:
    """Answer a poll of the match page: 204 if nothing has changed, else the polled blocks.

    Record that the phone has the page open. For a match that was deleted meanwhile, redirect to its page.
    """
    # The link and the version decide, with one small select; the match is loaded only if it has changed.
    head = load_head(code)
    note_presence(db.session, known_device(), head.link)
    seen, role = polled_version(), request.args.get("role", head.link.role)
    if (seen, role, polled_draft_count()) == (head.version, head.link.role, head.draft_count):
        return no_news_response()
    match = load_match(code, may_be_deleted=True)
    if match.log.is_deleted:
        return redirect_to(".show", code=code)
    return _show_page(match, since=seen, shown_role=role, blocks=POLLED_BLOCKS)


def _show_page(
    match: Match,
    *,
    since: int | None = None,
    shown_role: str = "",
    has_just_written: bool = False,
    blocks: Sequence[str] = (),
) -> Response:
    """Show the match page, or for htmx only these `blocks` of it.

    `since` and `shown_role` are the version and role on the phone's screen. `has_just_written` is whether this phone
    has just appended the last event.
    """
    link, hands, is_verdict_open = match.link, match.log.hands, request.args.get("more") == "yes"
    flags = [flags_of(db.session, match) for flags_of in hooks.match_flags]
    signature = actor() if any(hand.disputes or hand.settled_disputes for hand in hands) else ""
    rules = rules_to_save(match, library()) if match.state.outcome and is_verdict_open else None
    saved = find_equal_house_rules(house_rules_of_device(db.session, known_device()), rules) if rules else None
    viewer = Viewer(
        link.role,
        link.holder,
        disputed_uids=frozenset(hand.uid for hand in hands if is_signed_by(signature, hand.disputes)),
        earlier_disputed_uids=frozenset(hand.uid for hand in hands if is_signed_by(signature, hand.settled_disputes)),
        shown_version=since,
        shown_role=shown_role,
        has_just_written=has_just_written,
        can_take_back=any(flag.can_take_back for flag in flags),
        has_gone_on=match.log.is_stopped and hooks.has_gone_on(db.session, match),
        draft_count=load_head(match.code).draft_count,
        draft=current_draft(match),
        tonight=count_wins_of_evening(db.session, match) if match.status != "stopped" else (),
        is_verdict_open=is_verdict_open,
        late_notice=next((flag.notice for flag in flags if flag.notice), None),
        saved_rules=(saved.code, saved.last.rules.name) if saved else None,
        rules_code=encode(rules) if rules else "",
    )
    return render_cached(match, viewer, MATCH_TEMPLATE, match_page, block=blocks)


@bp.post("/undo")
@for_scorers
def undo(code: str) -> Response:
    """Undo the last event that can be undone, and redirect to the match.

    Do nothing on a second tap within a second, or if another phone has appended an event meanwhile.
    """
    match = load_match(code)
    if _has_just_undone(match) and not match.log.has_key(posted_key()):
        return redirect_to_match(match)
    return _write_if_unchanged(code, undo_event)


def _has_just_undone(match: Match) -> bool:
    """Return whether the last event is an undo that this phone made less than a second ago."""
    last = match.log.events[-1] if match.log.events else None
    if last is None or not isinstance(last.data, Undone) or not is_same_phone(last.actor, actor()):
        return False
    # The second tap is on the page after the first: its idempotency key is new, as of a second undo. An event with a
    # later time was appended before the clock went back.
    return timedelta() <= datetime.now(UTC) - last.at < UNDO_PAUSE


@bp.post("/redo")
@for_scorers
def redo(code: str) -> Response:
    """Redo the event that was undone last, and redirect to the match.

    Do nothing if another phone has appended an event meanwhile.
    """
    return _write_if_unchanged(code, redo_event)


def _write_if_unchanged(code: str, change: Change) -> Response:
    """Make a change, unless another phone has appended an event meanwhile; then redirect to the match.

    A refused change does nothing. Raises `MatchClosed` if the match has gone on in another match.
    """
    try:
        return redirect_to_match(write_change(code, change, version=posted_version()))
    except StaleMatch as stale:
        # Another phone appended an event meanwhile: the page shows this event, and offers to undo it instead.
        return redirect_to_match(stale.match)
    except Refused:
        return redirect_to(".show", code=code)


@bp.get("/stop")
@for_scorers
def stop(code: str) -> Response:
    """Ask for confirmation before the match is stopped; raises `MatchClosed` if it is over or deleted."""
    match = load_match(code)
    if match.log.is_deleted or match.status == "over":
        raise MatchClosed(match.closed_reason())
    return render_page("match/stop.html", match=match)


@bp.post("/stop")
@for_scorers
def stop_submit(code: str) -> Response:
    """Stop the match before there is a winner, and redirect to it."""
    return redirect_to_match(write_change(code, Stopped()))


@bp.post("/resume")
@for_scorers
def resume(code: str) -> Response:
    """Resume a stopped match, and redirect to it; raises `MatchClosed` if it has gone on in another match."""
    return redirect_to_match(write_change(code, Resumed()))


@bp.get("/agreement", endpoint="agreement")
@bp.post("/agreement", endpoint="agree")
@bp.post("/agreement/<int:uid>", endpoint="accept")
@for_watchers
def agreement(code: str, uid: int = 0) -> Response:
    """Refuse the form of earlier versions with which the other side accepted a hand, and explain why."""
    why = refusal("", "A hand counts as soon as it is saved. If one is wrong, correct it or say so.")
    return show_refusal(code, "Nothing to accept", why)


@bp.get("/delete")
@for_owners
def delete(code: str) -> Response:
    """Show the page that asks for confirmation before the match is deleted."""
    return render_page("match/delete.html", match=load_match(code))


@bp.post("/delete")
@for_owners
def delete_submit(code: str) -> Response:
    """Delete the match, and redirect to the home page, which offers to restore it."""
    match = write_change(code, Deleted())
    return redirect_to("home.index", gone=match.code)


@bp.post("/restore")
@for_owners
def restore(code: str) -> Response:
    """Restore the deleted match, and redirect to it."""
    return redirect_to_match(write_change(code, Undeleted()))
