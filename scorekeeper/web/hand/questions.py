"""What is asked of a hand: who bid what, what a game or a bid asks besides, who took what, and the count for Game."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from scorekeeper.engine.auction import all_calls, objection
from scorekeeper.engine.hand import PASS, Bid, Call
from scorekeeper.engine.hand_faults import HIGHEST_PENALTY
from scorekeeper.graphics.markers import SideView
from scorekeeper.narration.hands import auction_words
from scorekeeper.narration.phrases import bid_word, call_word
from scorekeeper.rules.awards import CARD_POINTS, RANK_NAMES, SUITS
from scorekeeper.rules.schema import Ruleset
from scorekeeper.web.hand.entry import WIDEST_BOARD, Bidding, Entry
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
class PersonRow:
    """One person, and the bids to choose from, or the calls that they made."""

    name: str
    side: SideView
    choices: tuple[Choice, ...]
    deals: bool
    is_next: bool = False
    """Whether the next call is theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BidView:
    """Who bid, and how much: a board for up to five bids, else people over bids.

    Where a partner is called, a board of who bid with whom stands over the bids.
    """

    rows: tuple[PersonRow, ...] = ()
    is_pairs: bool = False
    people: tuple[Choice, ...] = ()
    bids: tuple[Choice, ...] = ()
    other: OtherNumber | None = None
    """Where there are too many bids for a button each: a field for any other."""
    before: str = ""
    """The bid as the page shows it."""
    has_moon: bool = False
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionView:
    """Who called what, from the dealer's left, and what can be called next."""

    rows: tuple[PersonRow, ...] = ()
    """Empty as long as it is not known who deals."""
    next_caller: str = ""
    calls: tuple[Choice, ...] = ()
    """Everything that can be called in this game; quiet where it cannot be called now.

    Of many bids only the likely ones that can be called now.
    """
    other: OtherNumber | None = None
    """Where there are too many bids for a button each: a field for any other, with a button of its own."""
    other_call: str = ""
    """What that button sends, before the number."""
    why_no_pass: str = ""
    dealer: QuestionView | None = None
    """Who deals, where nobody knows."""
    outcome: str = ""
    """"Dan bid 3", when the bidding is over."""
    bidding_side: SideView | None = None
    takes_focus: bool = False
    """Whether a call has just been tapped."""
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtrasView:
    """What happens seldom: a misdeal, another dealer, a led card overtaken, a penalty."""

    dealer: QuestionView | None
    asks_overtook: bool
    is_overtook: bool
    may_redeal: bool
    """Whether all may have passed, and it is dealt again."""
    may_take_set: bool
    """Whether all may have passed, and the dealer takes the set."""
    may_play_unbound: bool
    """Whether all may have passed, and the hand is played without a bid."""
    is_unbound: bool
    """Whether it is."""
    dealer_name: str
    penalty_length: ClassVar = len(str(HIGHEST_PENALTY))
    is_open: bool


# ---------- on a board ----------


def bid_view(entry: Entry) -> BidView | None:
    """Return the question of who bid, and how much: one tap for both where there are few bids."""
    bids, is_pairs, bidder = entry.ruleset.bids, entry.asks_pair, entry.form["bidder"]
    if not bids or entry.is_unbound:
        return None
    fault = entry.fault("bid", "bidder", *(["partner"] if is_pairs else []))
    if len(bids) <= WIDEST_BOARD and len(entry.people) <= MOST_ON_BOARD:
        return BidView(rows=tuple(_person_row(entry, who, _bids_of(entry, who)) for who in entry.people), fault=fault)
    return BidView(
        rows=tuple(_person_row(entry, who, _partners_of(entry, who)) for who in entry.people) if is_pairs else (),
        is_pairs=is_pairs,
        people=() if is_pairs else _people_choices(entry, entry.people, bidder),
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
        before=entry.form["bid"],
        has_moon="moon" in bids,
        fault=fault,
    )


def _shown_bids(entry: Entry) -> tuple[Bid, ...]:
    """Return the bids that have a button: all, or of many the likely ones."""
    bids = entry.ruleset.bids
    if not has_many_bids(entry.ruleset):
        return bids
    made = (result.bid for result in reversed(entry.before.results))
    numbers = likely_numbers(_numbers(bids), (bid for bid in made if isinstance(bid, int)))
    return (*numbers, *entry.ruleset.special_bids)


def _numbers(bids: Sequence[Bid]) -> tuple[int, ...]:
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


def _person_row(entry: Entry, who: str, choices: tuple[Choice, ...], *, is_next: bool = False) -> PersonRow:
    side, deals = entry.side_of(who), who == entry.dealer
    return PersonRow(name=entry.name(who), side=side, choices=choices, deals=deals, is_next=is_next)


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


def auction_view(entry: Entry, *, has_just_called: bool) -> AuctionView:
    """Return the calls so far, and those to choose from next."""
    bidding, bidder, fault = entry.bidding, entry.contract.bidder, entry.fault("auction")
    dealer = None if entry.knows_dealer else dealer_question(entry)
    if bidding is None:
        return AuctionView(dealer=dealer, fault=fault)
    caller, people = bidding.next_caller, entry.people
    no_pass = objection(entry.ruleset, bidding.auction, caller, PASS) if caller else None
    open_bids = _open_numbers(entry, bidding, caller) if caller and has_many_bids(entry.ruleset) else ()
    return AuctionView(
        rows=tuple(_person_row(entry, who, _calls_of(entry, bidding, who), is_next=who == caller) for who in people),
        next_caller=entry.name(caller) if caller else "",
        calls=_next_calls(entry, bidding, caller) if caller else (),
        other=_other_number(open_bids, _refused_call(bidding, entry)) if len(open_bids) > MOST_LIKELY else None,
        other_call=f"{len(bidding.calls)}:{caller}:",
        why_no_pass=no_pass.named(entry.names).message if no_pass else "",
        dealer=dealer,
        outcome=auction_words(bidding.auction, entry.names),
        bidding_side=entry.side_of(bidder) if bidder else None,
        takes_focus=has_just_called,
        fault=fault,
    )


def _next_calls(entry: Entry, bidding: Bidding, caller: str) -> tuple[Choice, ...]:
    return tuple(
        _call_choice(
            call,
            value=f"{len(bidding.calls)}:{caller}:{call}",
            spoken=f"{entry.name(caller)}: {call_word(call)}",
            is_quiet=objection(entry.ruleset, bidding.auction, caller, call) is not None,
        )
        for call in _shown_calls(entry, bidding, caller)
    )


def _shown_calls(entry: Entry, bidding: Bidding, caller: str) -> tuple[Call, ...]:
    """Return the calls that have a button: all, or where there are many bids the likely ones, and the next few."""
    calls = all_calls(entry.ruleset)
    if not has_many_bids(entry.ruleset):
        return calls
    numbers = _open_numbers(entry, bidding, caller)
    likely = likely_numbers(numbers, numbers)
    return tuple(call for call in calls if isinstance(call, str) or call in likely)


def _refused_call(bidding: Bidding, entry: Entry) -> str:
    """Return the call that was typed and is not allowed, to be corrected; empty where there is none."""
    _, call = entry.form.calls[len(bidding.calls)] if bidding.refused else ("", PASS)
    return "" if call in all_calls(entry.ruleset) and isinstance(call, str) else str(call)


def _open_numbers(entry: Entry, bidding: Bidding, caller: str) -> tuple[int, ...]:
    """Return the numbers that somebody may bid now."""
    numbers = _numbers(entry.ruleset.bids)
    return tuple(it for it in numbers if objection(entry.ruleset, bidding.auction, caller, it) is None)


def _calls_of(entry: Entry, bidding: Bidding, who: str) -> tuple[Choice, ...]:
    """Return one person's calls; a tap on one goes back to it."""
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


def extras_view(entry: Entry) -> ExtrasView:
    """Return what happens seldom; with the calls entered, all passing and an overtaken led card are known."""
    bidding, dealer = entry.ruleset.bidding, entry.form["dealer"]
    may_pass = bidding.auction and (entry.is_bidding or not entry.by_auction)
    is_overtook = entry.form["overtook_pitch"] == "yes"
    return ExtrasView(
        dealer=dealer_question(entry) if entry.knows_dealer or not entry.by_auction else None,
        asks_overtook=bidding.pitching and not entry.by_auction,
        is_overtook=is_overtook,
        may_redeal=may_pass and bidding.all_pass in ("redeal", "pass_deal", None),
        may_take_set=may_pass and bidding.all_pass == "may_take_set" and bool(entry.before.seats.players),
        may_play_unbound=may_pass and bidding.all_pass == "unobliged" and not entry.by_auction,
        is_unbound=entry.is_unbound,
        dealer_name=entry.name(entry.dealer) if entry.dealer else "the dealer",
        is_open=bool(entry.fault("dealer"))
        or is_overtook
        or dealer not in ("", entry.before.dealer)
        or entry.has_penalties,
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
