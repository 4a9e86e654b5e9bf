"""The pages of a match's history: its hands, the change log, and how to delete, restore or dispute a hand."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import get_args

from flask import Blueprint, Response, abort, request

from scorekeeper.eventlog.fields import DisputeStatement
from scorekeeper.eventlog.stream import Refused
from scorekeeper.matches.change_log import (
    event_action,
    event_details,
    hand_changes_words,
    new_winner_words,
    writer_words,
)
from scorekeeper.matches.events import HandCorrected, HandDisputed, HandRemoved, HandRestored, StoredEvent
from scorekeeper.matches.fold import Match
from scorekeeper.matches.log import LoggedHand, is_signed_by
from scorekeeper.matches.notices import last_change_notice, rule_change_notices, rule_changes_by_position, side_views
from scorekeeper.matches.service import StaleMatch, preview_change
from scorekeeper.pages.match.hands import MAX_SIDE_BY_SIDE, HandSummary, hand_summary, line_views, paper_row, rules_url
from scorekeeper.pitch.rules.awards import AwardId
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.text.hands import stored_bid_words
from scorekeeper.pitch.text.phrases import substitution_words
from scorekeeper.web.context import (
    actor,
    for_scorers,
    for_watchers,
    load_match,
    posted_version,
    redirect_to_match,
    write_change,
)
from scorekeeper.web.locale import date_style
from scorekeeper.web.respond import redirect_to, render_page
from scorekeeper.web.widgets import LineView

MAX_EVENTS_ON_PAGE = 40
"""The most events on one page of the change log."""


@dataclass(frozen=True, kw_only=True)
class HandInForceRow:
    """A row of the history for a hand in force, with the details that it opens to."""

    row: HandSummary
    lines: tuple[LineView, ...]
    newcomers: str
    """The substitutes from this hand on, "Eve sits in for Ann"; empty if there are none."""
    new_rules: str
    """The changes of rules from this hand on, in words; empty if there are none."""
    sheet_url: str
    """The URL of the page with the rules of this hand."""
    changes: tuple[tuple[str, datetime, str], ...]
    """The changes of the hand, oldest first: who recorded, corrected or disputed it, when, and what changed."""
    version: int
    """The `seq` of the latest event that added, corrected, deleted or restored the hand."""
    offers_who_won: bool
    """Whether to offer the page "Who won?": the hand was scored or changed a score, and was not after the end."""
    is_own_dispute: bool


@dataclass(frozen=True, kw_only=True)
class RemovedHandRow:
    """A row of the history for a hand that was deleted or undone."""

    uid: int
    bid: str
    trump: str | None
    removal: str
    """Who removed the hand, and how: "Bea: deleted"."""
    at: datetime


def _hand_rows(match: Match) -> Iterator[HandInForceRow | RemovedHandRow]:
    """Yield the rows of all hands, in the order of play.

    A removed hand has as many hands in force before it as were added before it.
    """
    viewer, dates = actor(), date_style()
    removed: dict[int, list[RemovedHandRow]] = defaultdict(list)
    for logged in match.log.removed_hands:
        removed[sum(hand.uid < logged.uid for hand in match.log.hands)].append(_removed_hand_row(match, logged, viewer))
    earlier_scores, rule_changes = _earlier_scores(match), rule_changes_by_position(match)
    yield from removed[0]
    for result, logged in zip(match.state.results, match.log.hands, strict=True):
        yield HandInForceRow(
            row=hand_summary(match, result, logged, earlier=earlier_scores.get(logged.uid)),
            lines=tuple(line_views(match, result, _earlier_takers(match, logged))),
            newcomers=substitution_words(match.substitutes(result.position)),
            new_rules=" ".join(change.sentence(dates) for change in rule_changes.get(result.position, ())),
            sheet_url=rules_url(match, result.ruleset),
            changes=tuple(_hand_changes(match, logged, viewer)),
            version=logged.latest.seq,
            offers_who_won=result.changes_scores and result.status != "after_end",
            is_own_dispute=is_signed_by(viewer, logged.disputes),
        )
        yield from removed[result.position]


def _removed_hand_row(match: Match, logged: LoggedHand, viewer: str) -> RemovedHandRow:
    """Return the row of a removed hand; the phone with the signature `viewer` is called "This phone"."""
    stamp = logged.removed or logged.added
    return RemovedHandRow(
        uid=logged.uid,
        bid=stored_bid_words(logged.hand, match.names_of(logged)),
        trump=logged.hand.trump,
        removal=f"{writer_words(match, stamp, viewer)}: {'undone' if logged.was_undone else 'deleted'}",
        at=stamp.at,
    )


def _earlier_scores(match: Match) -> dict[int, Mapping[SideId, int]]:
    """Return the scores to cross out after each hand, by uid: those before the last event changed them.

    Empty if the last event changed no earlier scores, or if the match before it can't be scored.
    """
    before = match.before_last_change()
    if before is None:
        return {}
    return {logged.uid: result.scores for logged, result in zip(before.log.hands, before.state.results, strict=True)}


def _earlier_takers(match: Match, logged: LoggedHand) -> dict[AwardId, str]:
    """Return the names of the takers that the last correction of a hand replaced, by award: "Ann", or "nobody"."""
    if not logged.corrections:
        return {}
    last, names = logged.corrections[-1], match.names_of(logged)
    new_takers = last.after.taken or {}
    return {
        award: names.get(who, who) if who else "nobody"
        for award, who in (last.before.taken or {}).items()
        if award in new_takers and new_takers[award] != who
    }


def _hand_changes(match: Match, logged: LoggedHand, viewer: str) -> Iterator[tuple[str, datetime, str]]:
    """Yield who recorded, corrected or disputed a hand, oldest first: "Bea corrected this", when, and "bid 3 → 4".

    The last text is empty except for a correction. Withdrawn disputes and those of an earlier version are left out.
    """
    changes = [(logged.added, "recorded this", "")]
    for correction in logged.corrections:
        details = hand_changes_words(correction.before, correction.after, match.names_of(logged), match.state.ruleset)
        changes.append((correction.stamp, "corrected this", details))
    changes += [(stamp, "said that this is wrong", "") for stamp in (*logged.settled_disputes, *logged.disputes)]
    for stamp, action, details in sorted(changes, key=lambda change: change[0].seq):
        yield f"{writer_words(match, stamp, viewer)} {action}", stamp.at, details


def _change_log_rows(
    match: Match, events: Sequence[StoredEvent]
) -> Iterator[tuple[StoredEvent, str, str, tuple[str, ...], bool]]:
    """Yield each event with its writer, action and details in words, and the result of `_can_correct_again` for it."""
    viewer = actor()
    for event in events:
        details = tuple(filter(None, event_details(match, event)))
        yield (
            event,
            writer_words(match, event.stamp, viewer),
            event_action(match, event),
            details,
            _can_correct_again(match, event),
        )


def _can_correct_again(match: Match, event: StoredEvent) -> bool:
    """Return whether an event is an undone correction that this phone can make again."""
    data = event.data
    if event.seq not in match.log.undone_by or not isinstance(data, HandCorrected) or not match.link.may_score:
        return False
    logged = match.log.hand(data.uid)
    return logged is not None and logged.hand != data.hand


bp = Blueprint("history", __name__, url_prefix="/matches/<code>/history")


@bp.get("")
@for_watchers
def show(code: str) -> Response:
    """Show the history: all hands, newest first; the hand with the uid in the URL as `open` is opened."""
    match = load_match(code)
    notice, sides = last_change_notice(match), tuple(side_views(match).values())
    news = [notice] if notice and match.log.events[-1].data.kind != "hand" else []
    return render_page(
        "history/show.html",
        match=match,
        notices=[*news, *rule_change_notices(match, date_style())],
        sides=sides,
        is_table=len(sides) <= MAX_SIDE_BY_SIDE,
        hands=tuple(_hand_rows(match))[::-1],
        opened=request.args.get("open", type=int),
        paper=paper_row(match),
    )


@bp.get("/journal")
@for_watchers
def change_log(code: str) -> Response:
    """Show a page of the change log, latest event first; with `before` in the URL, the events before that `seq`.

    Names deleted from the match's book are replaced, as by "Player 3".
    """
    match, before = load_match(code).without_deleted_names(), request.args.get("before", type=int)
    events = match.log.events
    end = len(events) if before is None else min(max(before - 1, 0), len(events))
    start = max(end - MAX_EVENTS_ON_PAGE, 0)
    return render_page(
        "history/change_log.html",
        match=match,
        changes=tuple(_change_log_rows(match, events[start:end]))[::-1],
        older=events[start].seq if start else None,
    )


@bp.post("/<int:seq>/again")
@for_scorers
def correct_again(code: str, seq: int) -> Response:
    """Make an undone correction again and redirect to the match, or show why that is refused.

    404 if the event with this `seq` is no correction. If the match has changed meanwhile, redirect to the change log.
    """
    log = load_match(code).log
    event = log.event(seq)
    if event is None or not isinstance(event.data, HandCorrected):
        abort(404)
    if seq not in log.undone_by:
        return redirect_to(".change_log", code=code)
    again = HandCorrected(uid=event.data.uid, hand=event.data.hand)
    try:
        return redirect_to_match(write_change(code, again, version=posted_version()))
    except StaleMatch:
        return redirect_to(".change_log", code=code)
    except Refused as refused:
        return show_refusal(code, "It can’t be corrected that way", refused, is_from_change_log=True)


@bp.get("/<int:uid>/remove")
@for_scorers
def remove(code: str, uid: int) -> Response:
    """Show the page that asks for confirmation before a hand is deleted, with what this would change.

    A removed hand is shown in the history instead; 404 for an unknown hand.
    """
    match = load_match(code)
    result = match.result(uid)
    if result is None:
        return redirect_to(".show", code=code, _anchor=f"hand-{uid}") if uid in match.log.by_uid else abort(404)
    try:
        would_be = preview_change(match, HandRemoved(uid=uid))
    except Refused as refused:
        return show_refusal(code, f"Hand {result.number} can’t be deleted", refused, uid=uid)
    return render_page(
        "history/remove.html",
        match=match,
        uid=uid,
        number=result.number,
        new_winner=new_winner_words(match.state, would_be.state, match.names),
        would_be=would_be,
    )


@bp.post("/<int:uid>/remove")
@for_scorers
def remove_submit(code: str, uid: int) -> Response:
    """Delete a hand and redirect to the match, or show why it can’t be deleted.

    If the match has changed meanwhile, the page asks again.
    """
    try:
        return redirect_to_match(write_change(code, HandRemoved(uid=uid), version=posted_version()))
    except StaleMatch:
        return redirect_to(".remove", code=code, uid=uid)
    except Refused as refused:
        return show_refusal(code, "It can’t be deleted", refused)


@bp.post("/<int:uid>/return")
@for_scorers
def restore(code: str, uid: int) -> Response:
    """Restore a removed hand and redirect to it in the history, or show why that is refused."""
    try:
        # Without a version: events that were appended meanwhile do not change the position of a restored hand.
        match = write_change(code, HandRestored(uid=uid))
    except Refused as refused:
        return show_refusal(code, "It can’t be restored", refused)
    return redirect_to(".show", code=code, open=uid, said=match.version, _anchor=f"hand-{uid}")


@bp.post("/<int:uid>/dispute")
@for_watchers
def dispute(code: str, uid: int) -> Response:
    """Dispute a hand, withdraw the dispute or confirm the hand, as posted, and redirect to the match.

    A refusal is shown, as when the hand has changed meanwhile; 400 for an unknown statement.
    """
    version, posted_statement = request.form.get("made", 0, type=int), request.form.get("says")
    says = next((arg for arg in get_args(DisputeStatement) if arg == posted_statement), None)
    if says is None:
        abort(400)
    try:
        return redirect_to_match(write_change(code, HandDisputed(uid=uid, version=version, says=says)))
    except Refused as refused:
        return show_refusal(code, "Not saved", refused)


def show_refusal(
    code: str, heading: str, refused: Refused, *, is_from_change_log: bool = False, uid: int | None = None
) -> Response:
    """Show why a form about a hand was refused, with a link back to the history.

    The link leads to the change log with `is_from_change_log`, else to the hand with this `uid`.
    """
    return render_page(
        "history/refused.html",
        match_code=code,
        heading=heading,
        faults=refused.reasons,
        is_from_change_log=is_from_change_log,
        uid=uid,
    )
