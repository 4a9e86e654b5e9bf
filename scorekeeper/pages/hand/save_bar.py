"""The save bar: the running count of a hand that is entered, and the button, labeled with what it will do."""

from dataclasses import dataclass, replace

from scorekeeper.eventlog.refusals import HandRefused, Refused
from scorekeeper.matches.change_log import consequences
from scorekeeper.matches.fold import Match
from scorekeeper.pages.hand.entry import HandEntry, shown_result
from scorekeeper.pages.hand.requirements import (
    MAX_NAMED,
    bid_requirements,
    fault_target,
    first_missing,
    hand_requirements,
)
from scorekeeper.pitch.drawings.markers import SideView
from scorekeeper.pitch.drawings.race import StripView, draw_strip
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.phrases import listed
from scorekeeper.pitch.scoring.match import HandResult, ImpossibleHand, play
from scorekeeper.pitch.text.hands import made_or_set, result_words
from scorekeeper.pitch.text.outlook import win_words
from scorekeeper.pitch.text.phrases import signed
from scorekeeper.web.errors import closed_view

WIDEST_STRIP = 20
"""Points that fit in the strip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningCount:
    """What the bidding side has of its bid so far."""

    side: SideView
    took: int
    wanted: int
    others: tuple[tuple[SideView, int], ...]
    spoken: str
    """Read aloud: "Them 2 of 3, Us 1: 1 left"."""
    strip: StripView | None
    outcome: str
    """made, set, or nothing while awards are open."""
    left: int
    """Points that nobody has yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveBar:
    """What has been counted, and the button."""

    label: str
    outcome: str = ""
    """made, set, or nothing."""
    changes: tuple[tuple[SideView, str], ...] = ()
    """What each side scores, the bidders first."""
    note: str = ""
    """Who wins the match by it, under the label."""
    target: str = ""
    """The id of the element where something is missing: the button leads there, and its label names it."""
    fault: Fault | None = None
    """Why the hand, or the last call, is refused."""
    consequences: str = ""
    """What else follows from a hand that is not the last one, or what a count for Game still needs."""
    count: RunningCount | None = None
    shown: str = ""
    """The result as the form posts it, so that no other is saved; empty while the bar shows none."""


def save_bar(entry: HandEntry, *, is_fresh: bool = False) -> SaveBar:
    """Return the bar of a hand.

    A form that `is_fresh` has no result yet: without scripts its button stays the same until the form is saved.
    Raises `MatchClosed`.
    """
    if entry.closed:
        lead = closed_view(entry.match, entry.closed).lead.removesuffix(".")
        return SaveBar(label=lead, target="closed")
    if unfinished := unfinished_bar(entry):
        return unfinished
    after = entry.match_after()
    fault = _refused_call(entry) or (after.faults[0].fault if isinstance(after, Refused) else None)
    bar = SaveBar(label="Save", fault=fault, count=running_count(entry, entry.result_in(after)))
    if not isinstance(after, Match):
        return bar
    result = after.state.results[entry.index - 1]
    if not entry.is_next:
        bar = replace(bar, consequences=consequences(entry.match, after, entry.index))
    if is_fresh:
        return bar
    wins = win_words(after.state, entry.names) if after.state.last_scored is result else ""
    bar = replace(bar, shown=shown_result(result), note=wins)
    if result.status in ("thrown_in", "after_end"):
        return replace(bar, label=f"Save: {result_words(result, entry.names)}")
    return replace(bar, outcome=made_or_set(result), changes=_changes(entry, result))


def unfinished_bar(entry: HandEntry) -> SaveBar | None:
    """Return the bar with what is missing, or what is refused so far; `None` where nothing is missing."""
    hand = entry.hand
    missing = first_missing(hand_requirements(hand))
    if missing is None:
        return None
    label, target = missing.label(entry.label_names), missing.target
    if fault := _refused_call(entry) or (None if first_missing(bid_requirements(hand)) else _fault_so_far(entry)):
        label, target = "Fix this first", fault_target(hand, fault.field) or target
    count, open_game = running_count(entry), _undecided_count(entry)
    return SaveBar(label=label, target=target, fault=fault, count=count, consequences=open_game)


def _refused_call(entry: HandEntry) -> Fault | None:
    refused = entry.hand.refused_call
    return refused.named(entry.names) if refused else None


def _undecided_count(entry: HandEntry) -> str:
    """Return a note that the counted piles leave Game open: "40 of 80 decides nothing: count the other pile."."""
    piles = entry.hand.undecided_piles
    if not piles:
        return ""
    others = "pile" if len(entry.hand.columns) - len(piles) == 1 else "piles"
    does = "decides" if len(piles) == 1 else "decide"
    return f"{listed(piles)} of {entry.hand.ruleset.card_points_in_deck} {does} nothing: count the other {others}."


def _fault_so_far(entry: HandEntry) -> Fault | None:
    """Return why the bid, or anything else entered, is refused, no matter who took the rest."""
    try:
        play(entry.hand.before, replace(entry.hand.hand(), taken=None, times=None, points=None, card_points=None))
    except (HandRefused, ImpossibleHand) as refused:
        return next(item.fault.named(entry.names) for item in refused.faults)
    return None


def _changes(entry: HandEntry, result: HandResult) -> tuple[tuple[SideView, str], ...]:
    """Return a hand's change of each score, the bidders first; of many sides, only of the scores that it changes."""
    is_few = len(result.deltas) <= MAX_NAMED
    order = sorted(result.deltas, key=lambda side: side not in result.bidders)
    return tuple((entry.sides[side], signed(result.deltas[side])) for side in order if is_few or result.deltas[side])


def running_count(entry: HandEntry, result: HandResult | None = None) -> RunningCount | None:
    """Count what has been placed so far, or a whole hand."""
    hand = entry.hand
    column, bid = hand.bidding_column, hand.contract.bid
    if column is None or bid is None:
        return None
    side, points = entry.columns[column], hand.points(result.score if result else None)
    ours, in_hand = points.get(column, 0), hand.ruleset.points_per_hand
    wanted = bid if isinstance(bid, int) else in_hand
    all_others = [(view, points.get(who, 0)) for who, view in entry.columns.items() if who != column]
    others = tuple((view, number) for view, number in all_others if number or len(all_others) < MAX_NAMED)
    rest = "".join(f", {view.name} {number}" for view, number in others)
    # The button names the open rows.
    outcome, left = (made_or_set(result), 0) if result else ("", hand.points_left if hand.input.by_counts else 0)
    after = outcome or (f"{left} left" if left else "")
    strip = draw_strip(
        points=in_hand,
        bid=wanted,
        ours=ours,
        mark=side.mark,
        others=[(view.mark, number) for view, number in others],
    )
    return RunningCount(
        side=side,
        took=ours,
        wanted=wanted,
        others=others,
        spoken=f"{side.name} {ours} of {wanted}{rest}{f': {after}' if after else ''}",
        strip=strip if in_hand <= WIDEST_STRIP else None,
        outcome=outcome,
        left=left,
    )
