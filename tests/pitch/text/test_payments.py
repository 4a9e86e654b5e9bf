"""Who pays whom, payment by payment."""

import pytest

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.scoring.match import open_match, replay
from scorekeeper.pitch.scoring.seats import Seats, Side
from scorekeeper.pitch.text.payments import dollars, sums, transfers
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES
from tests.common.library import LIBRARY
from tests.common.notation import hand


def test_one_who_owes_two_pays_both() -> None:
    assert transfers({"A": 10, "B": -15, "C": 5}, IDS_AS_NAMES) == ("B pays A 10 cents", "B pays C 5 cents")


def summed(variant: str, *told: str, **house: object) -> tuple[str, ...]:
    """Play hands of a game for money with three, and return how each comes to what they owe."""
    ruleset, faults = with_house(LIBRARY[variant], house)
    assert not faults
    seats = Seats(tuple(Side(name) for name in "ABC"))
    state = replay(open_match(ruleset, seats), [hand(it, ruleset, seats.ids) for it in told])
    return sums(state, IDS_AS_NAMES)


def test_the_average_says_what_each_point_came_to_and_that_cents_are_rounded() -> None:
    said = summed("money-pitch", "A bid 3 | A high jack game | B low", "C bid moon, every trick | C the rest")

    assert said == (
        "The average is 1.33 points.",
        "A: +16.67 cents for 3 points, −$1 in hand 2: owes 83 cents",
        "B: −3.33 cents for 1 point, −$1 in hand 2: owes $1.03",
        "C: −13.33 cents for 0 points, +$2 in hand 2: gets $1.86",
        "Rounded to whole cents so that it adds up.",
    )


@pytest.mark.parametrize(
    ("players", "said"),
    [
        ("ABCD", ("The average is 1.25 points.", "A: +27.5 cents for 4 points", "B: −2.5 cents for 1 point")),
        ("ABCDEFGH", ("The average is 0.625 points.", "A: +33.75 cents for 4 points", "B: +3.75 cents for 1 point")),
    ],
)
def test_what_each_gets_follows_from_the_average_that_is_said(players: str, said: tuple[str, ...]) -> None:
    ruleset, seats = LIBRARY["money-pitch"], Seats(tuple(Side(name) for name in players))
    told = ("A bid 3 | A high jack game | B low", "B bid moon, not every trick | A game | B the rest")
    state = replay(open_match(ruleset, seats), [hand(it, ruleset, seats.ids) for it in told])

    assert all(line.startswith(start) for line, start in zip(sums(state, IDS_AS_NAMES), said, strict=False))


def test_what_hands_paid_is_listed_hand_by_hand() -> None:
    said = summed("racehorse", "A bid 3 | A the rest", "B bid 4 | A high | B the rest", cents_per_point=50)

    assert said == (
        "A: +$3 in hand 1, +$2 in hand 2: gets $5",
        "B: −$1.50 in hand 1, −$4 in hand 2: owes $5.50",
        "C: −$1.50 in hand 1, +$2 in hand 2: gets 50 cents",
    )


def test_stakes_are_paid_for_the_match_and_for_every_set() -> None:
    stakes = {"game_stake_cents": 100, "set_stake_cents": 25, "target": 4}

    said = summed("moon-over-four", "B bid 4 | A high | B the rest", "A bid 4 | A the rest", **stakes)

    assert said == (
        "A: +$2.25 from the others: gets $2.25",
        "B: −$1 for the match, −25 cents for 1 set: owes $1.25",
        "C: −$1 for the match: owes $1",
    )


@pytest.mark.parametrize(("cents", "said"), [(150, "+$1.50"), (-50, "−$0.50"), (300, "+$3"), (0, "$0")])
def test_money_in_the_place_of_a_score(cents: int, said: str) -> None:
    assert dollars(cents) == said
