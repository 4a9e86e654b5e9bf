"""The bar at the bottom of the hand entry: the running count, and a button that says what it will do."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from scorekeeper.engine.match import HandResult
from scorekeeper.graphics.race_and_strip import StripView, draw_strip
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.refusals import Refused
from scorekeeper.narration.change_log import consequences
from scorekeeper.narration.hands import made_or_set, result_words
from scorekeeper.narration.outlook import win_words
from scorekeeper.narration.phrases import Names, bid_word
from scorekeeper.rules.faults import Fault
from scorekeeper.sheets.citations import CitedRule
from scorekeeper.web.hand.entry import Entry
from scorekeeper.web.hand.form import AWARD_FIELD, COUNT_FIELD

WIDEST_STRIP = 20
"""Points that fit in the strip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningCount:
    """What the bidding side has of its bid so far."""

    lead: str
    """"Them 2"."""
    rest: str
    """"of 3, Us 1"."""
    strip: StripView | None
    outcome: str
    """made, set, or nothing while awards are open."""
    left: int
    """Points that nobody has yet."""


CLOSED = {
    "deleted": "This match was deleted",
    "over": "This match is over",
    "stopped": "This match is stopped",
    "asks": "This match waits for the cards",
}

_POINTS = re.compile(r"-?[0-9]{1,6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveBar:
    """What has been counted, and the button."""

    label: str
    note: str = ""
    """The result, under the label: "made: Us +4, Them 0", or who wins the match by it."""
    action: Literal["save", "rest"] = "save"
    """`rest`: what nobody has yet goes to the bidding side first."""
    target: str = ""
    """Where something is missing: the button leads there, and its label says what."""
    sentence: str = ""
    cited: tuple[CitedRule, ...] = ()
    """The rule by which the hand, or the last call, is refused."""
    count: RunningCount | None = None
    shown: str = ""
    """The result as the form sends it along, to be what is saved; empty while nothing says what it is."""


def entry_to_save(entry: Entry) -> Entry | None:
    """Return what the button would save, the rest to the bidding side; `None` while something is missing."""
    if entry.closed or first_missing(entry):
        return None
    return entry.with_rest(entry.bidding_side.side_id) if entry.bidding_side and _has_rest(entry) else entry


def save_bar(entry: Entry, after: Match | Refused | None, *, is_fresh: bool = False) -> SaveBar:
    """Return the bar, where the match would stand so `after` this hand, or where it is refused.

    A form that `is_fresh` has no result yet: without scripts it is changed and saved before its button says another.
    """
    if entry.closed:
        return SaveBar(label=CLOSED[entry.closed], target="closed")
    refused = entry.bidding.refused if entry.by_auction and entry.bidding else None
    sentence, count = refused.message if refused else "", running_count(entry)
    cited = entry.refused_by(refused) if refused else ()
    if missing := first_missing(entry):
        label, target = missing
        return SaveBar(label=label, target=target, sentence=sentence, cited=cited, count=count)
    side, has_rest = entry.bidding_side, _has_rest(entry)
    label = f"Give the rest to {side.name} and save" if side and has_rest else "Save"
    bar = SaveBar(label=label, action="rest" if has_rest else "save", sentence=sentence, cited=cited, count=count)
    if not isinstance(after, Match):
        if sentence or not after:
            return bar
        fault = after.faults[0].fault
        return replace(bar, sentence=fault.message, cited=entry.refused_by(fault))
    if entry.uid is not None or entry.insert_before is not None:
        bar = replace(bar, sentence=sentence or consequences(entry.match, after, entry.place))
    result = after.state.results[entry.place - 1]
    if is_fresh:
        return replace(bar, count=running_count(entry, result))
    bar = replace(bar, shown=sent_along(result))
    outcome, changes = made_or_set(result), result_words(result, entry.names)
    wins = win_words(after.state, entry.names) if after.state.last_scored is result else ""
    if has_rest:
        return replace(bar, note=wins or (f"{outcome}: {changes}" if outcome else changes))
    return replace(bar, label=f"Save: {changes}", note=wins, count=running_count(entry, result))


def sent_along(result: HandResult) -> str:
    """Return what a hand does to each score as its form sends it along: "s1:1 s2:3"."""
    return " ".join(f"{side}:{points}" for side, points in result.deltas.items())


def differing_result(shown: str, result: HandResult, names: Names) -> Fault | None:
    """Return why a hand is not saved yet: it comes to something else than its form has shown."""
    if shown in ("", sent_along(result)):
        return None
    pairs = (pair.partition(":") for pair in shown.split())
    deltas = {side: int(points) for side, _, points in pairs if _POINTS.fullmatch(points)}
    now = f"this hand now comes to {result_words(result, names)}. Check it, then tap Save again."
    if deltas.keys() != result.deltas.keys():
        return Fault("", "differs", f"This is not what the button said: {now}")
    was = result_words(replace(result, status="scored", deltas=deltas), names)
    return Fault("", "differs", f"The button said {was}, but {now}")


def _has_rest(entry: Entry) -> bool:
    """Return whether awards are still to be given to somebody."""
    return bool(entry.open_awards) and not entry.form.by_counts and not entry.ended_unplayed


def first_missing(entry: Entry) -> tuple[str, str] | None:
    """Return the first thing that is still needed, and where it is asked."""
    form, ruleset = entry.form, entry.ruleset
    if entry.by_auction:
        if entry.bidding is None:
            return "Who dealt?", "dealer"
        if entry.bidding.next_caller:
            return f"{entry.name(entry.bidding.next_caller)} to bid", "q-bid"
        if entry.ended_unplayed:
            return None
    elif ruleset.bidding.auction and not entry.is_unbound and not (form["bidder"] and form["bid"]):
        if form["bidder"]:
            return f"How much did {entry.name(form['bidder'])} bid?", "q-bid"
        return f"Who bid {bid_word(form.bid)}?" if form.bid is not None else "Who bid, and how much?", "q-bid"
    if entry.asks_partner and not form["partner"]:
        return "Who held the called card?", "q-bid" if entry.asks_pair else "partner"
    if entry.asks_tricks and not form["all_tricks"]:
        return "Every trick, or not?", "all_tricks"
    if form.by_counts:
        fields = {f"{COUNT_FIELD}{side.side_id}": side.name for side in entry.counted_sides}
        return next(((f"How many did {name} take?", field) for field, name in fields.items() if not form[field]), None)
    if entry.open_awards and entry.bidding_side is None:
        return f"{entry.points_left} left", f"row-{entry.open_awards[0]}"
    return None


def running_count(entry: Entry, result: HandResult | None = None) -> RunningCount | None:
    """Count what has been placed so far, or a whole hand."""
    side, bid = entry.bidding_side, entry.contract.bid
    if side is None or bid is None:
        return None
    points = _points(entry, result)
    ours, in_hand = points.get(side.side_id, 0), entry.ruleset.points_per_hand
    wanted = bid if isinstance(bid, int) else in_hand
    others = [(view, points.get(view.side_id, 0)) for view in entry.columns if view.side_id != side.side_id]
    rest = "".join(f", {view.name} {number}" for view, number in others if number or len(others) < 3)
    strip = draw_strip(
        f"{side.name} {ours}, bid {wanted}, {in_hand - sum(points.values())} of {in_hand} left",
        points=in_hand,
        bid=wanted,
        ours=ours,
        mark=side.mark,
        others=[(view.mark, number) for view, number in others],
    )
    return RunningCount(
        lead=f"{side.name} {ours}",
        rest=f"of {wanted}{rest}",
        strip=strip if in_hand <= WIDEST_STRIP else None,
        outcome=made_or_set(result) if result else "",
        left=0 if result else entry.points_left,
    )


def _points(entry: Entry, result: HandResult | None) -> Mapping[str, int]:
    """Return the points of each column."""
    if result and result.score and (scored := entry.points_of(result.score)):
        # With everything placed the hand's own count is right: it knows who has Game by the card points.
        return scored
    if entry.form.by_counts:
        return entry.form.counts
    points: dict[str, int] = {}
    for award_id, who in entry.form.parts(AWARD_FIELD).items():
        if award_id in entry.ruleset.in_play:
            points[who] = points.get(who, 0) + entry.ruleset.in_play[award_id].points
    return points
