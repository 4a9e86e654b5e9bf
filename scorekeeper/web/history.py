"""The history of a match: every hand, its change log, and hands that are deleted and restored."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from flask import Blueprint, Response, abort, request, url_for

from scorekeeper.engine.hand import SideId
from scorekeeper.ledger.agreement import may_accept
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.facts import Event, HandCorrected, HandRemoved, HandReturned
from scorekeeper.ledger.fold import fold
from scorekeeper.ledger.log import LoggedHand
from scorekeeper.ledger.refusals import Refused
from scorekeeper.ledger.roles import SCORER, WATCHER
from scorekeeper.narration.change_log import (
    LoggedEvent,
    changed_words,
    corrected_awards,
    new_winner_words,
    writer_words,
)
from scorekeeper.narration.dates import DateStyle
from scorekeeper.narration.hands import stored_bid_words
from scorekeeper.narration.notices import last_change, waits_words, would_wait_words
from scorekeeper.narration.phrases import score_text, sits_in_words
from scorekeeper.narration.rule_changes import rule_changes, rules_notice
from scorekeeper.rules.awards import AwardId
from scorekeeper.services.writing import StaleMatch, preview
from scorekeeper.web.match.hands import MOST_COLUMNS, HandRow, hand_row, line_views, paper_row
from scorekeeper.web.match.page import can_redo, can_undo, match_title
from scorekeeper.web.match.views import to_match
from scorekeeper.web.settle.form import can_settle
from scorekeeper.web.shared.device import actor, posted_version
from scorekeeper.web.shared.match_views import side_views
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_match, write_change
from scorekeeper.web.shared.reader import date_style
from scorekeeper.web.shared.respond import render_page, see_other
from scorekeeper.web.shared.widgets import LineView

MOST_EVENTS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLine:
    """One event."""

    seq: int
    who: str
    """"Bea", "This phone"."""
    action: str
    """"put hand 4 right"."""
    at: datetime
    details: tuple[str, ...]
    """"bid 3 → 4", "Us 20 → 19"."""
    is_undone: bool
    may_correct_again: bool
    """Whether a correction that was undone can be made again: a redo no longer brings it back."""


def _lines(match: Match, start: int, end: int, actor: str) -> Iterator[ChangeLine]:
    before = fold(match.log.events[:start])
    for place in range(start, end):
        event, after = match.log.events[place], fold(match.log.events[: place + 1])
        logged = LoggedEvent(match, event, before, after)
        yield ChangeLine(
            seq=event.seq,
            who=writer_words(event.actor, actor, match.names_when(event.seq)),
            action=logged.action(),
            at=event.at,
            details=tuple(filter(None, logged.details())),
            is_undone=event.seq in match.log.undone_by,
            may_correct_again=_may_correct_again(match, event),
        )
        before = after


def _may_correct_again(match: Match, event: Event) -> bool:
    fact = event.fact
    if event.seq not in match.log.undone_by or not isinstance(fact, HandCorrected) or not match.link.may_score:
        return False
    logged = match.log.hand(fact.uid)
    return logged is not None and logged.hand != fact.hand


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDetails:
    """A hand in force, and what it opens to."""

    is_gone: ClassVar[bool] = False
    row: HandRow
    remark: str
    """What else its row says: "the others +2 each", "new rules"."""
    lines: tuple[LineView, ...]
    began: tuple[str, ...]
    """What changed with it, in sentences: who sat in, the rules."""
    history: tuple[tuple[str, datetime, str], ...]
    """Who did what to it, when, and what was changed: "Bea corrected this", a moment, "bid 3 → 4" or nothing."""
    accepts: int | None
    """The event that this phone is asked to accept."""
    can_settle: bool
    """Whether who won by it can be looked at without the match."""
    is_open: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GoneHand:
    """A hand that was deleted or undone, in its old place."""

    is_gone: ClassVar[bool] = True
    uid: int
    bid: str
    suit: str
    done: str
    """"Bea: deleted"."""
    at: datetime
    waits: str
    """What it waited for: "waits for Them"."""
    accepts: int | None


def _hands(match: Match, dates: DateStyle, actor: str, opened: int | None) -> Iterator[HandDetails | GoneHand]:
    """Yield the hands in force, each followed by those that went after it and before the next."""
    gone: dict[int, list[GoneHand]] = {}
    for logged in match.log.gone:
        after = sum(hand.uid < logged.uid for hand in match.log.hands)
        gone.setdefault(after, []).append(_gone_hand(match, logged, actor))
    earlier = _earlier_scores(match)
    changes = rule_changes(match.rules, match.state, match.log)
    new_rules = {change.place: change.sentence(dates) for change in changes}
    yield from gone.get(0, ())
    for result, logged in zip(match.state.results, match.log.hands, strict=True):
        newcomers = sits_in_words(match.newcomers(result.place))
        row, rules = hand_row(match, result, logged, earlier=earlier.get(logged.uid)), new_rules.get(result.place, "")
        yield HandDetails(
            row=row,
            remark=row.others or ", ".join(filter(None, (newcomers, "new rules" if rules else ""))),
            lines=line_views(match, result, _earlier_takers(match, logged)),
            began=tuple(filter(None, (f"{newcomers}." if newcomers else "", rules))),
            history=tuple(_history(match, logged, actor)),
            accepts=_accepts(match, logged, actor),
            can_settle=can_settle(result),
            is_open=opened == logged.uid,
        )
        yield from gone.get(result.place, ())


def _earlier_scores(match: Match) -> dict[int, Mapping[SideId, int]]:
    """Return the scores after each hand, by its uid, before a last change that was no new hand at the end."""
    before = match.before_last_change()
    if before is None:
        return {}
    return {logged.uid: result.scores for logged, result in zip(before.log.hands, before.state.results, strict=True)}


def _earlier_takers(match: Match, logged: LoggedHand) -> dict[AwardId, str]:
    """Return who had an award before the last correction."""
    if not logged.corrections:
        return {}
    last = logged.corrections[-1]
    return {
        award: match.names_of(logged).get(who, who) if who else "nobody"
        for award, who in corrected_awards(last.before, last.after).items()
    }


def _history(match: Match, logged: LoggedHand, actor: str) -> Iterator[tuple[str, datetime, str]]:
    """Yield who did what to a hand, in the order of it."""
    done = [(logged.added, "recorded this", "")]
    for item in logged.corrections:
        change = changed_words(item.before, item.after, match.names_of(logged), match.state.ruleset)
        done.append((item.stamp, "corrected this", change))
    done += [(item.stamp, "accepted this", "") for item in logged.acceptances]
    for stamp, what, change in sorted(done, key=lambda it: it[0].seq):
        writer = writer_words(stamp.actor, actor, match.names_when(stamp.seq))
        yield f"{writer} {what}", stamp.at, change


def _accepts(match: Match, logged: LoggedHand, actor: str) -> int | None:
    return logged.latest.seq if may_accept(match.setup, match.link, actor, logged) else None


def _gone_hand(match: Match, gone: LoggedHand, actor: str) -> GoneHand:
    stamp = gone.gone or gone.added
    writer = writer_words(stamp.actor, actor, match.names_when(stamp.seq))
    return GoneHand(
        uid=gone.uid,
        bid=stored_bid_words(gone.hand, match.names_of(gone)),
        suit=gone.hand.trump or "",
        done=f"{writer}: {'undone' if gone.was_undone else 'deleted'}",
        at=stamp.at,
        waits=waits_words(match, gone) if gone.waits else "",
        accepts=_accepts(match, gone, actor),
    )


bp = Blueprint("history", __name__, url_prefix="/matches/<code>/history")


@bp.get("")
@requires(WATCHER)
def show(code: str) -> Response:
    """Show every hand, newest first."""
    match, dates, me = load_match(code), date_style(), actor()
    notice = last_change(match)
    sides = tuple(side_views(match).values())
    return render_page(
        "history/show.html",
        match=match,
        title=match_title(match),
        can_undo=can_undo(match, me),
        can_redo=can_redo(match, me),
        notices=[notice] if notice and match.log.events[-1].fact.kind != "hand" else [],
        rules_notice=rules_notice(match, dates),
        sides=sides,
        is_table=len(sides) <= MOST_COLUMNS,
        hands=tuple(_hands(match, dates, me, request.args.get("open", type=int)))[::-1],
        paper=paper_row(match),
    )


@bp.get("/journal")
@requires(WATCHER)
def change_log(code: str) -> Response:
    """Show everything that was written, the latest first, or what was before an event."""
    match, before = load_match(code), request.args.get("before", type=int)
    events = match.log.events
    end = len(events) if before is None else min(max(before - 1, 0), len(events))
    start = max(end - MOST_EVENTS, 0)
    return render_page(
        "history/change_log.html",
        match=match,
        title=match_title(match),
        lines=tuple(_lines(match, start, end, actor()))[::-1],
        older=events[start].seq if start else None,
    )


@bp.post("/<int:seq>/again")
@requires(SCORER)
def correct_again(code: str, seq: int) -> Response:
    """Correct a hand as it was corrected before somebody undid that."""
    fact = next((event.fact for event in load_match(code).log.events if event.seq == seq), None)
    if not isinstance(fact, HandCorrected):
        abort(404)
    try:
        return to_match(write_change(code, HandCorrected(uid=fact.uid, hand=fact.hand), version=posted_version()))
    except StaleMatch:
        return see_other(url_for(".change_log", code=code))
    except Refused as refused:
        return _refused(code, "It can’t be corrected that way", refused, is_from_change_log=True)


@bp.get("/<int:uid>/remove")
@requires(SCORER)
def remove(code: str, uid: int) -> Response:
    """Show what deleting a hand changes, before it is done."""
    match = load_match(code)
    number = match.log.hand_number(uid)
    if number is None and match.log.gone_hand(uid):
        return see_other(url_for(".show", code=code, _anchor=f"hand-{uid}"))
    if number is None:
        abort(404)
    try:
        would_be = preview(match, HandRemoved(uid=uid))
    except Refused as refused:
        return _refused(code, f"Hand {number} can’t be deleted", refused, uid=uid)
    before, after = match.state.scores, would_be.state.scores
    return render_page(
        "history/remove.html",
        match=match,
        title=match_title(match),
        uid=uid,
        number=number,
        new_winner=new_winner_words(match.state, would_be.state, match.names),
        would_wait=would_wait_words(match.log, would_be.log),
        scores=[
            (view, score_text(before[side]) if before[side] != after[side] else "", score_text(after[side]))
            for side, view in side_views(match).items()
        ],
    )


@bp.post("/<int:uid>/remove")
@requires(SCORER)
def remove_submit(code: str, uid: int) -> Response:
    """Delete the hand."""
    try:
        return to_match(write_change(code, HandRemoved(uid=uid), version=posted_version()))
    except StaleMatch:
        return see_other(url_for(".remove", code=code, uid=uid))
    except Refused as refused:
        return _refused(code, "It can’t be deleted", refused)


@bp.post("/<int:uid>/return")
@requires(SCORER)
def restore(code: str, uid: int) -> Response:
    """Restore a hand that was deleted or undone."""
    try:
        # Where it goes does not depend on what was written meanwhile.
        match = write_change(code, HandReturned(uid=uid), version=load_match(code).version)
    except StaleMatch:
        return see_other(url_for(".show", code=code))
    except Refused as refused:
        return _refused(code, "It can’t be restored", refused)
    return see_other(url_for(".show", code=code, open=uid, said=match.version, _anchor=f"hand-{uid}"))


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
        status=422,
    )
