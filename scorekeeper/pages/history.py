"""The history of a match: every hand, its change log, and hands that are deleted and restored."""

from collections.abc import Iterator
from itertools import pairwise
from typing import get_args

from flask import Blueprint, Response, abort, request

from scorekeeper.eventlog.refusals import Refused
from scorekeeper.matches.change_log import LoggedEvent
from scorekeeper.matches.events import Event, HandCorrected, HandDisputed, HandRemoved, HandReturned, said_by
from scorekeeper.matches.fold import Match
from scorekeeper.matches.log_fold import fold
from scorekeeper.matches.notices import last_change
from scorekeeper.matches.rule_notices import changes_by_hand
from scorekeeper.matches.write import StaleMatch, preview
from scorekeeper.pages.match.hands import MOST_BESIDE, earlier_takers, every_hand, hand_history, line_views, paper_row
from scorekeeper.pitch.records.fields import Says
from scorekeeper.web.context import (
    actor,
    for_scorers,
    for_watchers,
    load_match,
    posted_version,
    to_match,
    write_change,
)
from scorekeeper.web.locale import date_style
from scorekeeper.web.match_views import side_views
from scorekeeper.web.respond import redirect_to, render_page

MOST_EVENTS = 40


def _logged_events(match: Match, start: int, end: int) -> Iterator[LoggedEvent]:
    """Yield some of the events, each with the log before and after it."""
    logs = (fold(match.log.events[:place]) for place in range(start, end + 1))
    for event, (before, after) in zip(match.log.events[start:end], pairwise(logs), strict=True):
        yield LoggedEvent(match, event, before, after)


def _may_correct_again(match: Match, event: Event) -> bool:
    """Return whether a correction that was undone can be made again: a redo no longer brings it back."""
    fact = event.fact
    if event.seq not in match.log.undone_by or not isinstance(fact, HandCorrected) or not match.link.may_score:
        return False
    logged = match.log.hand(fact.uid)
    return logged is not None and logged.hand != fact.hand


bp = Blueprint("history", __name__, url_prefix="/matches/<code>/history")


@bp.get("")
@for_watchers
def show(code: str) -> Response:
    """Show every hand, newest first."""
    match, dates, me = load_match(code), date_style(), actor()
    notice, sides = last_change(match), tuple(side_views(match).values())
    return render_page(
        "history/show.html",
        match=match,
        notices=[notice] if notice and match.log.events[-1].fact.kind != "hand" else [],
        sides=sides,
        is_table=len(sides) <= MOST_BESIDE,
        hands=tuple(every_hand(match))[::-1],
        lines={
            logged.uid: [*line_views(match, result, earlier_takers(match, logged))]
            for result, logged in zip(match.state.results, match.log.hands, strict=True)
        },
        new_rules={
            place: " ".join(change.sentence(dates) for change in changes)
            for place, changes in changes_by_hand(match).items()
        },
        hand_history=hand_history,
        me=me,
        opened=request.args.get("open", type=int),
        said_by=said_by,
        paper=paper_row(match),
    )


@bp.get("/journal")
@for_watchers
def change_log(code: str) -> Response:
    """Show everything that was written, the latest first, or what was before an event."""
    match, before = load_match(code).without_deleted_names(), request.args.get("before", type=int)
    events = match.log.events
    end = len(events) if before is None else min(max(before - 1, 0), len(events))
    start = max(end - MOST_EVENTS, 0)
    return render_page(
        "history/change_log.html",
        match=match,
        logged=tuple(_logged_events(match, start, end))[::-1],
        me=actor(),
        to_correct_again={it.seq for it in events[start:end] if _may_correct_again(match, it)},
        older=events[start].seq if start else None,
    )


@bp.post("/<int:seq>/again")
@for_scorers
def correct_again(code: str, seq: int) -> Response:
    """Correct a hand as it was corrected before somebody undid that."""
    fact = next((event.fact for event in load_match(code).log.events if event.seq == seq), None)
    if not isinstance(fact, HandCorrected):
        abort(404)
    try:
        return to_match(write_change(code, HandCorrected(uid=fact.uid, hand=fact.hand), version=posted_version()))
    except StaleMatch:
        return redirect_to(".change_log", code=code)
    except Refused as refused:
        return _refused(code, "It can’t be corrected that way", refused, is_from_change_log=True)


@bp.get("/<int:uid>/remove")
@for_scorers
def remove(code: str, uid: int) -> Response:
    """Show what deleting a hand changes, before it is done."""
    match = load_match(code)
    number = match.log.hand_number(uid)
    if number is None and match.log.gone_hand(uid):
        return redirect_to(".show", code=code, _anchor=f"hand-{uid}")
    if number is None:
        abort(404)
    try:
        would_be = preview(match, HandRemoved(uid=uid))
    except Refused as refused:
        return _refused(code, f"Hand {number} can’t be deleted", refused, uid=uid)
    return render_page(
        "history/remove.html",
        match=match,
        uid=uid,
        number=number,
        would_be=would_be,
    )


@bp.post("/<int:uid>/remove")
@for_scorers
def remove_submit(code: str, uid: int) -> Response:
    """Delete the hand."""
    try:
        return to_match(write_change(code, HandRemoved(uid=uid), version=posted_version()))
    except StaleMatch:
        return redirect_to(".remove", code=code, uid=uid)
    except Refused as refused:
        return _refused(code, "It can’t be deleted", refused)


@bp.post("/<int:uid>/return")
@for_scorers
def restore(code: str, uid: int) -> Response:
    """Restore a hand that was deleted or undone."""
    try:
        # Where it goes does not depend on what was written meanwhile.
        match = write_change(code, HandReturned(uid=uid), version=load_match(code).version)
    except StaleMatch:
        return redirect_to(".show", code=code)
    except Refused as refused:
        return _refused(code, "It can’t be restored", refused)
    return redirect_to(".show", code=code, open=uid, said=match.version, _anchor=f"hand-{uid}")


@bp.post("/<int:uid>/dispute")
@for_watchers
def dispute(code: str, uid: int) -> Response:
    """Say that a hand is wrong as it was shown, take that back, or say that it is right."""
    version, posted = request.form.get("made", 0, type=int), request.form.get("says")
    says = next((it for it in get_args(Says) if it == posted), None)
    if says is None:
        abort(400)
    try:
        return to_match(write_change(code, HandDisputed(uid=uid, version=version, says=says)))
    except Refused as refused:
        return _refused(code, "Not saved", refused)


def _refused(
    code: str, heading: str, refused: Refused, *, is_from_change_log: bool = False, uid: int | None = None
) -> Response:
    return render_page(
        "history/refused.html",
        match_code=code,
        heading=heading,
        faults=refused.reasons,
        is_from_change_log=is_from_change_log,
        uid=uid,
    )
