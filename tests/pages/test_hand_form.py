"""A hand's form, both ways: fields into a hand, and a hand into fields."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.eventlog.stream import HandRefused
from scorekeeper.pages.hand.input import HandInput
from scorekeeper.pitch.records.json_parser import read_hand
from scorekeeper.pitch.rules.awards import CARD_POINTS
from scorekeeper.pitch.rules.faults import MAX_CARDS_OF_RANK
from scorekeeper.pitch.scoring.hand import Hand
from tests.common.calling import PEOPLE
from tests.common.library import LIBRARY
from tests.common.tables import table

SEATS = st.sampled_from([f"p{i}" for i in range(1, 7)])
TAKERS = st.sampled_from(["s1", "s2", "bidders", "defenders"])
CALLS = st.sampled_from(["pass", 2, 3, 10, "smudge", "double_moon", "pitch", "take_set"])
AWARDS = st.sampled_from(["high", "low", "jack", "off_jack", "game", "last_trick"])


def stored(fields: dict[str, Any]) -> Hand:
    """Return a hand as it is stored."""
    hand, faults = read_hand(fields)
    assert not faults
    return hand


DETAILS = st.fixed_dictionaries(
    {},
    optional={
        "dealer": SEATS,
        "trump": st.sampled_from(["spades", "hearts", "diamonds", "clubs"]),
        "called": st.sampled_from(["A", "10", "2"]),
        "partner": SEATS | st.none(),
        "all_tricks": st.booleans(),
        "card_points": st.dictionaries(TAKERS, st.integers(0, 80), min_size=1),
    },
)
BIDS = st.fixed_dictionaries(
    {},
    optional={
        "bidder": SEATS,
        "bid": st.integers(1, 62) | st.sampled_from(["smudge", "moon", "double_moon"]),
        "overtook_pitch": st.just(True),
    },
)
AUCTIONS = st.fixed_dictionaries({"auction": st.lists(st.tuples(SEATS, CALLS).map(list), max_size=8)})
POINTS = st.fixed_dictionaries({"points": st.dictionaries(TAKERS, st.integers(0, 28))})
TAKEN = st.fixed_dictionaries({"taken": st.dictionaries(AWARDS, TAKERS | st.none())})
PLAYED = st.tuples(DETAILS, BIDS | AUCTIONS, POINTS | TAKEN).map(lambda parts: {**parts[0], **parts[1], **parts[2]})
THROWN_IN = st.fixed_dictionaries({"thrown_in": st.sampled_from(["misdeal", "ran_out", "all_passed"])})
HANDS = (PLAYED | THROWN_IN).map(stored)


@given(HANDS)
def test_a_hand_that_is_shown_and_saved_is_the_same_hand(hand: Hand) -> None:
    assert HandInput.from_hand(hand).to_hand() == hand


@given(HANDS)
def test_every_answer_is_kept_from_form_to_form(hand: Hand) -> None:
    form = HandInput.from_hand(hand)

    assert HandInput.parse(dict(form.fields()), PEOPLE) == form


@given(
    st.dictionaries(
        st.sampled_from(["call", "bidder", "bid", "trump", "took-low", "count-s1", "pile-s1", "by"]), st.text()
    )
)
def test_anything_that_is_sent_can_be_read(form: dict[str, str]) -> None:
    read = HandInput.parse(form, PEOPLE)
    with suppress(HandRefused):
        assert isinstance(read.to_hand(), Hand)


def test_fields_that_the_form_does_not_have_are_dropped() -> None:
    known = {
        "took-low": "s1",
        "count-bidders": "3",
        "penalty-s1": "1",
        "copies-five_1.five_2-s1": "2x",
        "others": "s1 s2",
    }
    unknown = {"took-x": "s1", "took-low-x": "s1", "count-p99": "3", "penalty-": "1", "copies-five_1-s1": "2", "x": "y"}

    form = HandInput.parse({**known, **unknown, "others": "x s2 s2 y s1"}, PEOPLE)

    assert dict(form.filled_fields()) == known


def test_nobody_is_not_the_same_as_not_said() -> None:
    form = HandInput.parse({"took-jack": "nobody", "took-low": ""}, PEOPLE)

    assert form.to_hand().taken == {"jack": None}


def test_a_pile_left_open_is_not_a_pile_of_nothing() -> None:
    assert HandInput.parse({"pile-s1": "", "pile-s2": "  "}, PEOPLE).to_hand().card_points is None
    assert HandInput.parse({"pile-s1": "0"}, PEOPLE).to_hand().card_points == {"s1": 0}


@pytest.mark.parametrize(
    ("fields", "field"), [({"pile-s1": "lots"}, "card_points.s1"), ({"bidder": "p1", "bid": "lots"}, "bid")]
)
def test_a_count_that_is_no_number_is_refused_where_it_is(fields: dict[str, str], field: str) -> None:
    with pytest.raises(HandRefused) as refused:
        HandInput.parse(fields, PEOPLE).to_hand()

    assert [fault.field for fault in refused.value.own_faults] == [field]


def test_a_suit_that_is_skipped_is_no_trump() -> None:
    form = HandInput.parse({"call": "p1:2", "trump": "skip"}, PEOPLE)

    assert form.to_hand().trump is None
    assert HandInput.from_hand(form.to_hand()).trump == "skip"


def test_the_cards_of_a_deck_come_to_all_its_card_points() -> None:
    whole = {f"cards-s1-{rank}": str(MAX_CARDS_OF_RANK) for rank in CARD_POINTS}
    in_deck = LIBRARY["partnership-pitch"].card_points_in_deck

    assert HandInput.parse(whole, PEOPLE).card_points == {"s1": str(in_deck)}


@pytest.mark.parametrize("counted", table(__file__, "hand_forms.toml")["counted"])
def test_what_changed_last_counts(counted: dict[str, Any]) -> None:
    form = HandInput.parse(counted["sent"], PEOPLE)

    assert (form.card_points, form.cards) == (counted["piles"], counted["cards"])
