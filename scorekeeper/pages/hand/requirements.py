"""What a hand needs before it can be saved, in the order of its page's questions, and where each is entered.

The save bar has the running count of the hand, and the button, labeled with what it will do.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from scorekeeper.eventlog.stream import HandRefused, Refused
from scorekeeper.matches.change_log import consequences
from scorekeeper.matches.fold import Match
from scorekeeper.pages.hand.entry import HandEntry, shown_result
from scorekeeper.pages.hand.in_progress import HandInProgress
from scorekeeper.pages.hand.input import COUNT_FIELD, PENALTY_FIELD, TIMES_FIELD
from scorekeeper.pitch.drawings.markers import SideView, StripView, draw_strip
from scorekeeper.pitch.rules.awards import AwardId
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.phrases import listed, row_name
from scorekeeper.pitch.scoring.match import HandResult, ImpossibleHand, play
from scorekeeper.pitch.scoring.standing import target_of
from scorekeeper.pitch.text.hands import made_or_set, result_words
from scorekeeper.pitch.text.outlook import win_words
from scorekeeper.pitch.text.phrases import Names, bid_word, signed
from scorekeeper.web.errors import closed_view

MAX_NAMED = 3
"""Open rows that are named; more are "…"."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """One thing that a hand needs."""

    is_met: bool
    label: Callable[[Names], str]
    """Return the button's text while it is missing, with the names of everybody and of every column."""
    target: str
    """The id of the element where it is entered."""


def first_missing(requirements: Iterator[Requirement]) -> Requirement | None:
    """Return the first requirement that is not met."""
    return next((required for required in requirements if not required.is_met), None)


def hand_requirements(hand: HandInProgress) -> Iterator[Requirement]:
    """Yield what a hand needs."""
    if not hand.ended_unplayed:
        yield from bid_requirements(hand)
        yield from _play_requirements(hand)


def bid_requirements(hand: HandInProgress) -> Iterator[Requirement]:
    """Yield what a hand needs of the bidding, or with its bid."""
    entered, bid = hand.input, hand.input.bid_made
    if hand.by_auction:
        caller = hand.bidding.next_caller if hand.bidding else None
        yield Requirement(hand.bidding is not None, lambda _: "Who dealt?", "dealer")
        yield Requirement(caller is None, lambda names: f"{names[caller or '']} to bid", "q-bid")
    elif hand.ruleset.bidding.auction and not hand.is_unbound:
        bidder = entered.bidder
        yield Requirement(bool(bidder) or bid is not None, lambda _: "Tap who bid, and how much", "q-bid")
        yield Requirement(bool(bidder), lambda _: f"Who bid {bid_word(bid)}?", "q-bid")
        yield Requirement(bool(entered.bid), lambda names: f"How much did {names.get(bidder, bidder)} bid?", "q-bid")
    if hand.asks_partner:
        partner = "q-bid" if hand.asks_pair else "partner"
        yield Requirement(bool(entered.partner), lambda _: "Who held the called card?", partner)
    if hand.asks_tricks:
        yield Requirement(entered.all_tricks is not None, lambda _: "Every trick, or not?", "all_tricks")


def _play_requirements(hand: HandInProgress) -> Iterator[Requirement]:
    """Yield what a hand needs of what each side took."""
    if hand.input.by_counts:
        who = next(iter(hand.open_counts), "")
        yield Requirement(not who, lambda names: f"How many did {names[who]} take?", f"{COUNT_FIELD}{who}")
    elif hand.open_awards:
        rows = _open_rows(hand)
        yield Requirement(False, lambda _: _rows_label(hand, rows), f"row-{rows[0]}")
    if hand.asks_first:
        yield Requirement(bool(hand.input.first_there), lambda _: first_question(hand), "first_there")


def first_question(hand: HandInProgress) -> str:
    """Return the question of who reached the target first."""
    return f"Who pegged {target_of(hand.ruleset)} first?"


def _open_rows(hand: HandInProgress) -> list[AwardId]:
    rows = hand.ruleset.award_rows.items()
    return [award_id for award_id, row in rows if not set(row).isdisjoint(hand.open_awards)]


def _rows_label(hand: HandInProgress, rows: list[AwardId]) -> str:
    """Return which rows nobody has yet: "3 left: who took Low, Jack, Game?"."""
    names = [row_name(hand.ruleset, award_id) for award_id in rows[:MAX_NAMED]]
    more = ("…",) if len(rows) > MAX_NAMED else ()
    return f"{hand.points_left} left: who took {', '.join((*names, *more))}?"


def fault_target(hand: HandInProgress, field: str) -> str:
    """Return the id of the element that a fault is about; empty where there is none."""
    name, _, part = field.partition(".")
    bid = "q-bid" if hand.ruleset.bids else ""
    targets = {
        "auction": bid,
        "bidder": bid,
        "bid": bid,
        "partner": "q-bid" if hand.asks_pair else "partner",
        "all_tricks": "all_tricks" if hand.asks_tricks else "",
        "taken": f"row-{part}" if part in hand.ruleset.in_play else "",
        "points": f"{COUNT_FIELD}{hand.columns[0]}",
        "card_points": "card-points",
        "penalties": f"{PENALTY_FIELD}{part}",
        "penalties_to": "penalties",
        "forfeits": "penalties",
        "times": f"{TIMES_FIELD}{part}",
        **{field: field for field in ("dealer", "trump", "called", "first_there")},
    }
    return targets.get(name, "")


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
