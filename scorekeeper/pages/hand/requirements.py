"""What a hand needs before it can be saved, in the order of its page's questions, and where each is entered."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from scorekeeper.pages.hand.fields import COUNT_FIELD, PENALTY_FIELD, TIMES_FIELD
from scorekeeper.pages.hand.in_progress import HandInProgress
from scorekeeper.pitch.rules.awards import AwardId
from scorekeeper.pitch.rules.phrases import row_name
from scorekeeper.pitch.scoring.standing import target_of
from scorekeeper.pitch.text.phrases import Names, bid_word

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
