"""Anything that a table could play: rules, people, hands, whole matches."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from scorekeeper.pitch.records.record import Record, record_as_json
from scorekeeper.pitch.rules.awards import Gift
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.auction import Auction, call_objection, open_auction, possible_calls, run_auction
from scorekeeper.pitch.scoring.hand import Call, Contract, Hand, with_ids
from scorekeeper.pitch.scoring.hand_score import needs_every_trick
from scorekeeper.pitch.scoring.match import ImpossibleHand, MatchState, Start, open_match, play
from scorekeeper.pitch.scoring.seats import HandSides, Seats, divide_sides, seat_table
from tests.common.library import LIBRARY
from tests.pitch.rules.random_house_rules import agreed_rules

RULESETS = tuple(LIBRARY)
NAMES = ("Ann", "Bob", "Cal", "Dot", "Eve", "Fay", "Gus", "Hal")

rulesets: SearchStrategy[Ruleset] = st.sampled_from(RULESETS)


@st.composite
def tables(draw: DrawFn, ruleset: Ruleset) -> Seats:
    """Players at a table that the variant seats."""
    numbers = {*ruleset.table.partners, *range(ruleset.table.fewest or 1, ruleset.table.most + 1)}
    seats, faults = seat_table(ruleset, NAMES[: draw(st.sampled_from(sorted(numbers)))], None)
    assert seats is not None, faults
    return seats


def legal_calls(ruleset: Ruleset, auction: Auction) -> tuple[Call, ...]:
    """Everything that the next player may call."""
    if auction.is_over:
        return ()
    who = auction.waiting_players[0]
    return tuple(call for call in possible_calls(ruleset) if not call_objection(ruleset, auction, who, call))


@st.composite
def auctions(draw: DrawFn, ruleset: Ruleset, seats: Seats, dealer: str) -> tuple[tuple[str, Call], ...]:
    """The calls of a whole auction, each of them allowed."""
    calls: tuple[tuple[str, Call], ...] = ()
    auction = open_auction(seats, dealer)
    while not auction.is_over:
        calls = (*calls, (auction.waiting_players[0], draw(st.sampled_from(legal_calls(ruleset, auction)))))
        auction, fault = run_auction(ruleset, seats, dealer, calls)
        assert not fault
    return calls


@st.composite
def contracts(draw: DrawFn, ruleset: Ruleset, seats: Seats) -> Contract:
    """Somebody's bid, by the name of a player or of a side."""
    if not ruleset.bidding.auction:
        return Contract()
    bidder = draw(st.sampled_from([*seats.players, *seats.ids]))
    return Contract(bidder, draw(st.sampled_from(ruleset.bids)))


@st.composite
def hands(draw: DrawFn, ruleset: Ruleset, seats: Seats) -> Hand:
    """Draw a possible hand that was played out, recorded by awards."""
    contract = draw(contracts(ruleset, seats))
    partner, alone = None, False
    if ruleset.table.called:
        partner = draw(st.sampled_from([None, *(name for name in seats.players if name != contract.bidder)]))
        alone = partner is None
    hand_sides = divide_sides(ruleset, seats, contract.bidder, partner)
    dealer = draw(st.none() | st.sampled_from(seats.players))
    taken = draw(_taken(ruleset, hand_sides, seats.side_of(dealer) if dealer else None))
    hand = Hand(
        dealer=dealer,
        bidder=contract.bidder,
        bid=contract.bid,
        partner=partner,
        alone=alone,
        all_tricks=draw(st.booleans()) and not _taken_by_others(ruleset, hand_sides, taken)
        if needs_every_trick(ruleset, contract)
        else draw(st.none() | st.booleans()),
        taken=taken,
    )
    return hand


@st.composite
def _taken(draw: DrawFn, ruleset: Ruleset, hand_sides: HandSides, dealing: str | None) -> dict[str, str | None]:
    """Each award to a side, or to nobody where that can be; what is turned up to the dealing side, and no gift.

    Whether a gift may be given depends on the score: scenes have those.
    """
    sides = [group[0] for group in hand_sides.groups]
    taken: dict[str, str | None] = {}
    for award_id, award in ruleset.in_play.items():
        may_be_nobodys = award.unclaimed
        if award_id == "game" and ruleset.how_won("game") == "card_points":
            may_be_nobodys = ruleset.points.game_tie != "all_tied_score" or len(sides) == 2
        if award_id in ruleset.given_awards:
            is_gift = isinstance(ruleset.kinds[award_id], Gift)
            is_over = ruleset.points.turned_cards == "last" and any(
                taken.get(turned) for turned in ruleset.turned_awards
            )
            taken[award_id] = None if is_gift or is_over else draw(st.sampled_from([None, dealing]))
        elif any(taken.get(other) is not None for other in _same_card(ruleset, award_id)):
            taken[award_id] = None
        else:
            taken[award_id] = draw(st.sampled_from([None, *sides] if may_be_nobodys else sides))
    return taken


def _same_card(ruleset: Ruleset, award_id: str) -> list[str]:
    """Return the awards of which only one or this one scores, whichever of them a ruleset names first."""
    pairs = ruleset.replaced_award_by_caught.items()
    return [card for caught, card in pairs if caught == award_id] + [
        caught for caught, card in pairs if card == award_id
    ]


def _taken_by_others(ruleset: Ruleset, hand_sides: HandSides, taken: dict[str, str | None]) -> bool:
    captured = [who for award_id, who in taken.items() if ruleset.how_won(award_id) in ("captured", "card_points")]
    tied = ruleset.points.game_tie == "all_tied_score" and taken.get("game", "") is None
    return tied or any(who not in hand_sides.groups[0] for who in captured if who is not None)


@st.composite
def openings(draw: DrawFn, ruleset: Ruleset) -> MatchState:
    """A match that is about to begin, from nothing or from what was on paper."""
    seats = draw(tables(ruleset))
    zero = ruleset.winning.count_down_from or ruleset.winning.target or 20
    scores = st.fixed_dictionaries(dict.fromkeys(seats.ids, st.integers(-5, zero + 5)))
    sets = st.fixed_dictionaries(dict.fromkeys(seats.ids, st.integers(0, 3)))
    start = draw(st.none() | st.builds(Start, scores, st.integers(0, 4), sets))
    return open_match(ruleset, seats, start)


@st.composite
def matches(draw: DrawFn) -> tuple[MatchState, tuple[Hand, ...]]:
    """A match and some hands of it."""
    ruleset = draw(agreed_rules)
    opening = draw(openings(ruleset))
    return opening, tuple(draw(st.lists(hands(ruleset, opening.seats), min_size=1, max_size=5)))


@st.composite
def records(draw: DrawFn, *, has_substitutes: bool = True) -> dict[str, Any]:
    """A match that its rules accept, as a record: some hands are thrown in, and from some on somebody sits in."""
    ruleset = draw(rulesets)
    seats = draw(tables(ruleset))
    state, names, played = open_match(ruleset, seats), {who: who for who in (*seats.ids, *seats.players)}, list[Hand]()
    for number in range(draw(st.integers(0, 6))):
        hand = replace(
            draw(hands(ruleset, seats)) if draw(st.integers(0, 9)) else Hand(thrown_in="misdeal"),
            penalties=draw(st.none() | st.dictionaries(st.sampled_from(seats.ids), st.integers(1, 100), min_size=1)),
            note=draw(st.none() | st.text("abc♥", min_size=1)),
        )
        try:
            # Never as the last: an unfinished one would have to be.
            state = play(state, hand, may_be_open=False, is_new=True)
        except ImpossibleHand:
            continue
        sits_in = None
        if has_substitutes and not ruleset.is_for_money and not draw(st.integers(0, 3)):
            who = draw(st.sampled_from(seats.players))
            sits_in = {names[who]: f"{who} the {number}th"}
            names |= {who: sits_in[names[who]]}
        played.append(replace(with_ids(hand, names), sits_in=sits_in))
    sides = None
    if len(seats.sides) < len(seats.players):
        sides = draw(st.none() | st.just(tuple((side.id, side.seats) for side in seats.sides)))
    record = Record(
        variant=ruleset.id,
        house={},
        players=None if sides else seats.players,
        sides=sides,
        hands=tuple(played),
        stopped=draw(st.booleans()),
        title=draw(st.none() | st.text("abc é♠", max_size=20)),
        played_on=draw(st.sampled_from([None, "2026-11-20"])),
    )
    return record_as_json(record)


json_values: SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
