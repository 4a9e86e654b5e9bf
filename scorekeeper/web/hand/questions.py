"""What is asked of a hand: who bid what, what a game or a bid asks besides, who took what, and the count for Game."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scorekeeper.engine.auction import all_calls, objection
from scorekeeper.engine.hand import PASS, Bid, Call
from scorekeeper.narration.hands import auction_words
from scorekeeper.narration.phrases import bid_word, call_word
from scorekeeper.rules.awards import CARD_POINTS, RANK_NAMES, SUITS
from scorekeeper.rules.schema import Ruleset
from scorekeeper.web.hand.entry import WIDEST_BOARD, Entry, RunningAuction
from scorekeeper.web.hand.form import (
    ALONE,
    AWARD_FIELD,
    CARD_FIELD,
    COUNT_FIELD,
    NUMBER_FIELD,
    PILE_FIELD,
)
from scorekeeper.web.shared.widgets import Choice, OtherNumber, QuestionView, labeled_question

MOST_BUTTONS = 16
"""Bids that each have a button: two rows on a phone."""
MOST_LIKELY = 15
"""Buttons beside a field for any other number."""
FEWEST_FREE = 4
"""How many of these at least are free for what a match bids, beside the round numbers."""
STEPS = (5, 10, 25)


def has_many_bids(ruleset: Ruleset) -> bool:
    """Return whether a game has more bids than a row of buttons can show."""
    return len(ruleset.bids) > MOST_BUTTONS


def likely_numbers(numbers: Sequence[int], wanted: Iterable[int]) -> tuple[int, ...]:
    """Return the lowest and the highest of these numbers, round ones between, and as many `wanted` ones as fit."""
    if len(numbers) <= MOST_LIKELY:
        return tuple(numbers)
    round_numbers = (_round_numbers(numbers, step) for step in STEPS)
    likely = next(found for found in round_numbers if len(found) <= MOST_LIKELY - FEWEST_FREE)
    for number in wanted:
        if len(likely) < MOST_LIKELY and number in numbers:
            likely |= {number}
    return tuple(sorted(likely))


def _round_numbers(numbers: Sequence[int], step: int) -> frozenset[int]:
    return frozenset({numbers[0], numbers[-1], *(number for number in numbers if number % step == 0)})


MOST_ON_BOARD = 8
"""People whose rows still leave room for the cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BidView:
    """Who bid, and how much: a board for up to five bids, else people over bids.

    Where a partner is called, a board of who bid with whom stands over the bids.
    """

    board: Mapping[str, tuple[Choice, ...]]
    """What each may tap there, by who it is."""
    people: tuple[Choice, ...] = ()
    bids: tuple[Choice, ...] = ()
    other: OtherNumber | None = None
    """Where there are too many bids for a button each: a field for any other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionView:
    """Who called what, and what can be called next; nothing as long as it is not known who deals."""

    made: Mapping[str, tuple[Choice, ...]] = field(default_factory=dict)
    """Everybody's calls, from the dealer's left; a tap on one goes back to it."""
    calls: tuple[Choice, ...] = ()
    """Everything that can be called in this game; quiet where it cannot be called now.

    Of many bids only the likely ones that can be called now.
    """
    other: OtherNumber | None = None
    """Where there are too many bids for a button each: a field for any other, with a button of its own."""
    why_no_pass: str = ""
    outcome: str = ""
    """"Dan bid 3", when the bidding is over."""


# ---------- on a board ----------


def bid_view(entry: Entry) -> BidView | None:
    """Return the question of who bid, and how much: one tap for both where there are few bids."""
    if not entry.ruleset.bids or entry.is_unbound:
        return None
    if len(entry.ruleset.bids) <= WIDEST_BOARD and len(entry.people) <= MOST_ON_BOARD:
        return BidView(board={who: _bids_of(entry, who) for who in entry.people})
    pairs = {who: _partners_of(entry, who) for who in entry.people} if entry.asks_pair else {}
    return BidView(
        board=pairs,
        people=() if pairs else _people_choices(entry, entry.people, entry.form["bidder"]),
        bids=tuple(
            _call_choice(
                bid,
                value=str(bid),
                spoken=bid_word(bid) if isinstance(bid, str) else "",
                is_chosen=entry.form["bid"] == str(bid),
            )
            for bid in _shown_bids(entry)
        ),
        other=_other_bid(entry),
    )


def _shown_bids(entry: Entry) -> tuple[Bid, ...]:
    """Return the bids that have a button: all, or of many the likely ones."""
    bids = entry.ruleset.bids
    if not has_many_bids(entry.ruleset):
        return bids
    made = (result.bid for result in reversed(entry.before.results))
    numbers = likely_numbers(_numbers(bids), (bid for bid in made if isinstance(bid, int)))
    return (*numbers, *entry.ruleset.special_bids)


def _numbers(bids: Sequence[Call]) -> tuple[int, ...]:
    return tuple(bid for bid in bids if isinstance(bid, int))


def _other_bid(entry: Entry) -> OtherNumber | None:
    """Return the field for a bid that has no button; `None` where every bid has one."""
    if not has_many_bids(entry.ruleset):
        return None
    bid = entry.form["bid"]
    return _other_number(_numbers(entry.ruleset.bids), "" if bid in map(str, _shown_bids(entry)) else bid)


def _other_number(numbers: Sequence[int], value: str = "") -> OtherNumber:
    label = f"Another bid, {numbers[0]} to {numbers[-1]}"
    return OtherNumber(field=NUMBER_FIELD, label=label, value=value, max_length=len(str(numbers[-1])))


def _call_choice(call: Call, *, value: str, spoken: str, is_chosen: bool = False, is_quiet: bool = False) -> Choice:
    icon = {"moon": "moon", "double_moon": "moons"}.get(str(call), "")
    return Choice(value=value, label=call_word(call), icon=icon, spoken=spoken, is_chosen=is_chosen, is_quiet=is_quiet)


def _bids_of(entry: Entry, who: str) -> tuple[Choice, ...]:
    form = entry.form
    return tuple(
        _call_choice(
            bid,
            value=f"{who}:{bid}",
            spoken=f"{entry.name(who)} {bid_word(bid)}",
            is_chosen=(form["bidder"], form["bid"]) == (who, str(bid)),
        )
        for bid in entry.ruleset.bids
    )


def _partners_of(entry: Entry, who: str) -> tuple[Choice, ...]:
    """Return everybody as the partner of one bidder, who in their own column plays alone."""
    name, mine = entry.name(who), entry.form["partner"] if entry.form["bidder"] == who else ""
    return tuple(
        Choice(value=f"{who}:{ALONE}", label="alone", spoken=f"{name} alone", is_chosen=mine == ALONE)
        if other == who
        else Choice(
            value=f"{who}:{other}",
            label=entry.name(other),
            spoken=f"{name} with {entry.name(other)}",
            side=entry.side_of(other),
            is_chosen=mine == other,
        )
        for other in entry.people
    )


def _people_choices(entry: Entry, people: Sequence[str], chosen: str | None) -> tuple[Choice, ...]:
    return tuple(
        Choice(value=who, label=entry.name(who), is_chosen=who == chosen, side=entry.side_of(who)) for who in people
    )


# ---------- call by call ----------


def auction_view(entry: Entry) -> AuctionView:
    """Return the calls so far, and those to choose from next."""
    bidding = entry.bidding
    if bidding is None:
        return AuctionView()
    made = {who: _calls_of(entry, bidding, who) for who in entry.people}
    caller, every_call = bidding.next_caller, all_calls(entry.ruleset)
    if caller is None:
        return AuctionView(made=made, outcome=auction_words(bidding.auction, entry.names))
    why_not = {call: objection(entry.ruleset, bidding.auction, caller, call) for call in every_call}
    shown, other = every_call, None
    if has_many_bids(entry.ruleset):
        numbers = _numbers([call for call in every_call if why_not[call] is None])
        likely = likely_numbers(numbers, numbers)
        shown = tuple(call for call in every_call if isinstance(call, str) or call in likely)
        if len(numbers) > MOST_LIKELY:
            other = _other_number(numbers, _refused_call(bidding, entry))
    no_pass = why_not[PASS]
    return AuctionView(
        made=made,
        calls=tuple(
            _call_choice(
                call,
                value=f"{len(bidding.calls)}:{caller}:{call}",
                spoken=f"{entry.name(caller)}: {call_word(call)}",
                is_quiet=why_not[call] is not None,
            )
            for call in shown
        ),
        other=other,
        why_no_pass=no_pass.named(entry.names).message if no_pass else "",
    )


def _refused_call(bidding: RunningAuction, entry: Entry) -> str:
    """Return the call that was typed and is not allowed, to be corrected; empty where there is none."""
    _, call = entry.form.calls[len(bidding.calls)] if bidding.refused else ("", PASS)
    return "" if call in all_calls(entry.ruleset) and isinstance(call, str) else str(call)


def _calls_of(entry: Entry, bidding: RunningAuction, who: str) -> tuple[Choice, ...]:
    return tuple(
        _call_choice(call, value=str(place), spoken=f"{entry.name(who)}, {call_word(call)}: back to this call")
        for place, (caller, call) in enumerate(bidding.calls)
        if caller == who
    )


# ---------- what a game, or a bid, asks besides ----------


def dealer_question(entry: Entry) -> QuestionView:
    """Return the question of who dealt."""
    choices = _people_choices(entry, entry.before.seats.chairs, entry.dealer)
    return QuestionView(field="dealer", question="Who dealt?", choices=choices, fault=entry.fault("dealer"))


def trump_question(entry: Entry) -> QuestionView:
    """Return the question of the trump suit, which may be left open."""
    return _question(entry, "trump", "Trump", {suit: suit for suit in SUITS}, note="or skip it")


def questions(entry: Entry) -> tuple[QuestionView, ...]:
    """Return what else is asked in this game, or with this bid."""
    asked = []
    if entry.asks_partner:
        ranks = {rank: rank for rank in RANK_NAMES if rank in entry.ruleset.cards.ranks.split()}
        called = _question(entry, "called", "Which card was called?", ranks, note="or skip it")
        asked.append(replace(called, cited=entry.cited("trump.call")))
        if not entry.asks_pair:
            asked.append(_partner_question(entry))
    if entry.asks_tricks:
        bidders = entry.bidding_side.name if entry.bidding_side else "the bidders"
        answers = {"yes": "yes, every one", "no": "no"}
        every_trick = _question(entry, "all_tricks", f"Did {bidders} take every trick?", answers)
        asked.append(replace(every_trick, cited=entry.cited(f"bid.{entry.contract.bid}")))
    return tuple(asked)


def _question(entry: Entry, field: str, question: str, answers: dict[str, str], *, note: str = "") -> QuestionView:
    """Return the question of a field of the form, which has one of these answers."""
    return labeled_question(field, question, answers, entry.form[field], note=note, fault=entry.fault(field))


def _partner_question(entry: Entry) -> QuestionView:
    partner = entry.form["partner"]
    others = [who for who in entry.people if who != entry.form["bidder"]]
    alone = Choice(value=ALONE, label="nobody: alone", is_chosen=partner == ALONE)
    return QuestionView(
        field="partner",
        question="Who held it?",
        choices=(*_people_choices(entry, others, partner), alone),
        fault=entry.fault("partner"),
        cited=entry.cited("trump.call"),
    )


MOST_COLUMNS = 3
"""Sides that fit beside an award; more are shown under it."""
FEW_ROWS = 4


def awards_layout(entry: Entry) -> str:
    """Return the classes that lay out the grid of awards: a column for each side, and one for nobody beside them."""
    if len(entry.columns) > MOST_COLUMNS:
        return f"wide n{len(entry.columns)}"
    return f"g{len(entry.columns) + 1}{' few' if len(entry.ruleset.in_play) <= FEW_ROWS else ''}"


def points_questions(entry: Entry) -> list[QuestionView]:
    """Return the question of how many points each side took."""
    fault, asked = entry.fault("points"), []
    answers = {str(n): str(n) for n in range(entry.ruleset.points_per_hand + 1)}
    for side in entry.counted_sides:
        field = f"{COUNT_FIELD}{side.side_id}"
        asked.append(labeled_question(field, side.name, answers, entry.form[field], fault=fault))
        fault = ""  # what is wrong with them all is said at the first
    return asked


def asked_fields(entry: Entry) -> set[str]:
    """Return the fields of the form that this question has on the page."""
    if not entry.is_played:
        return set()
    if entry.form.by_counts:
        return {f"{COUNT_FIELD}{side.side_id}" for side in entry.counted_sides}
    asked = {f"{AWARD_FIELD}{award}" for award in entry.ruleset.in_play}
    if entry.ruleset.counted_award:
        for side in entry.columns:
            asked |= {f"{PILE_FIELD}{side.side_id}", *(f"{CARD_FIELD}{side.side_id}-{rank}" for rank in CARD_POINTS)}
    return asked
