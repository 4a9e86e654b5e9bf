"""The one table of the fields of a hand."""

from dataclasses import fields

import pytest

from scorekeeper.pitch.scoring.hand import HAND_FIELDS, Hand, people_in, with_ids

NAMES = {"p1": "Ann", "p2": "Bo", "s1": "Us", "s2": "Them"}
HAND = Hand(
    dealer="p1",
    auction=(("p1", 3), ("p2", "pass")),
    bidder="p2",
    called="p1",
    partner="p1",
    taken={"high": "s1", "low": "bidders", "jack": None},
    points={"s1": 3, "defenders": 1},
    card_points={"p1": 40},
    note="p1",
)


def test_every_field_is_in_the_table() -> None:
    assert {item.name for item in HAND_FIELDS} | {"alone"} == {item.name for item in fields(Hand)}


def test_everybody_in_a_hand_gets_another_id_and_nothing_else_changes() -> None:
    assert with_ids(HAND, NAMES) == Hand(
        dealer="Ann",
        auction=(("Ann", 3), ("Bo", "pass")),
        bidder="Bo",
        called="p1",
        partner="Ann",
        taken={"high": "Us", "low": "bidders", "jack": None},
        points={"Us": 3, "defenders": 1},
        card_points={"Ann": 40},
        note="p1",
    )


def test_everybody_in_a_hand_is_found_where_they_are_named() -> None:
    assert dict(people_in(HAND)) == {
        "dealer": "p1",
        "auction.0": "p1",
        "auction.1": "p2",
        "bidder": "p2",
        "partner": "p1",
        "taken.high": "s1",
        "points.s1": "s1",
        "card_points.p1": "p1",
    }


@pytest.mark.parametrize(
    "hand", [Hand(dealer="p9"), Hand(partner="Ann"), Hand(points={"s9": 1}), Hand(auction=(("p9", 3),))]
)
def test_a_stranger_has_no_other_id(hand: Hand) -> None:
    with pytest.raises(KeyError):
        with_ids(hand, NAMES)
