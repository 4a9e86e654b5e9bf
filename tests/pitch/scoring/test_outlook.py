"""What is known before a hand."""

import re
from random import Random
from typing import Any

import pytest

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.scoring.match import MatchState, Start, open_match, replay
from scorekeeper.pitch.scoring.outlook import Outlook, outlook
from scorekeeper.pitch.scoring.seats import Seats, Side, seat
from scorekeeper.pitch.scoring.standing import target_of
from scorekeeper.pitch.text.outlook import outlook_sentence
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES, spoken, with_pronouns
from tests.common.each import each
from tests.common.library import LIBRARY
from tests.common.notation import hand
from tests.pitch.scoring.random_records import random_house


def opened(
    variant: str, scores: dict[str, int], dealer: str | None = None, played: int = 0, **house: Any
) -> MatchState:
    """Return a match at these scores; two names are sides where the variant has partners."""
    ruleset, faults = with_house(LIBRARY[variant], house)
    assert not faults
    sides = [(name, ()) for name in scores]
    seats, faults = seat(ruleset, None, sides) if ruleset.table.partners else seat(ruleset, list(scores), None)
    assert seats
    return open_match(ruleset, seats, Start(scores, played), dealer)


def ahead(*args: Any, **house: Any) -> Outlook:
    """Look ahead at these scores."""
    return outlook(opened(*args, **house))


def sentence(state: MatchState) -> str:
    """Return who can win, in words."""
    return spoken(outlook_sentence(state, with_pronouns(IDS_AS_NAMES), outlook(state).sides))


def us_and_them(us: int, them: int) -> dict[str, int]:
    return {"Us": us, "Them": them}


@each("variant", [ruleset.id for ruleset in LIBRARY])
def test_no_more_points_are_named_than_a_hand_is_worth(variant: str) -> None:
    random, base = Random(variant), LIBRARY[variant]
    for house in ({}, {"four_points_win_game": True}, *(random_house(random, base) for _ in range(6))):
        ruleset, faults = with_house(base, house)
        target = target_of(ruleset)
        if faults or target is None:
            continue
        near = (ruleset.points_per_hand + 1, *(random.randint(-3, ruleset.points_per_hand + 6) for _ in range(4)))
        names = "ABCDE" if ruleset.table.called else "AB"
        scores = {name: target - ruleset.sign * short for name, short in zip(names, near, strict=False)}
        said = sentence(open_match(ruleset, Seats(tuple(map(Side, names))), Start(scores)))

        assert all(int(number) <= ruleset.points_per_hand for number in re.findall(r"\d+", said)), (house, said)


@pytest.mark.parametrize(
    ("variant", "scores", "house", "needs_bid"),
    [
        ("partnership-pitch", us_and_them(20, 17), {}, [True, True]),
        ("partnership-pitch", us_and_them(16, 21), {}, [False, False]),
        ("partnership-pitch", us_and_them(20, 17), {"win_rule": "first_to_target"}, [False, False]),
        ("partnership-pitch", us_and_them(20, 17), {"defenders_score": "none"}, [False, False]),
        ("partnership-pitch", us_and_them(17, 18), {"four_points_win_game": True}, [False, True]),
        ("nine-card-pitch", us_and_them(1, 3), {}, [False, False]),
        ("canadian-smear", us_and_them(20, 2), {}, [True, False]),
        (
            "pawnee-call-your-partner",
            {"A": 44, "B": 43, "C": 41, "D": 31, "E": 0},
            {},
            [False, False, True, False, False],
        ),
        ("cinch", us_and_them(40, 25), {"win_rule": "made_bid"}, [True, True]),
        ("cinch", us_and_them(40, 25), {"win_rule": "made_bid", "on_set": "lose_bid"}, [True, False]),
        ("solo-without-bidding", dict.fromkeys("ABC", 10), {}, [False] * 3),
    ],
)  # fmt: skip
def test_a_side_needs_a_made_bid_once_it_can_get_there_without_one(
    variant: str, scores: dict[str, int], house: dict[str, Any], needs_bid: list[bool]
) -> None:
    assert [side.needs_bid for side in ahead(variant, scores, **house).sides] == needs_bid


def test_hands_that_ended_level_are_played_on() -> None:
    before = opened("partnership-pitch", us_and_them(3, 3), played=2, hands=2, tie_rule="another_hand")

    assert sentence(before) == "The hands are played, and the best scores are tied: this hand may decide."


def test_each_side_needs_what_it_lacks() -> None:
    us, them = ahead("partnership-pitch", us_and_them(18, 24)).sides

    assert (us.needs, us.goes_out, us.least_bid) == (3, "bid", 2)
    assert (them.needs, them.goes_out, them.least_bid) == (0, "bid", 2)


def test_the_left_of_the_dealer_bids_first() -> None:
    before = ahead("cutthroat-pitch", dict.fromkeys("ABC", 0), dealer="C")

    assert (before.dealer, before.bids_first) == ("C", "A")


@pytest.mark.parametrize("dealer", [None, "Us"])
def test_nobody_is_said_to_speak_first_where_it_cannot_be_known(dealer: str | None) -> None:
    before = ahead("partnership-pitch", us_and_them(0, 0), dealer=dealer)

    assert (before.dealer, before.bids_first) == (dealer, None)


def test_nothing_hangs_on_a_match_that_is_over() -> None:
    ruleset = LIBRARY["partnership-pitch"]
    seats, _ = seat(ruleset, None, [("Us", ()), ("Them", ())])
    assert seats
    opening = open_match(ruleset, seats, Start({"Us": 20, "Them": 20}))

    over = replay(opening, [hand("Us bid 2 | Us the rest", ruleset, seats.ids)])

    assert sentence(over) == "The match is over."
    assert [side.goes_out for side in outlook(over).sides] == [None, None]


def test_a_defender_may_go_out_where_the_other_who_would_is_called_away() -> None:
    before = opened("razzle-dazzle", {"A": 10, "B": 10, "C": 50, "D": 50, "E": 10})

    assert sentence(before) == (
        "A, B and E can win by making a double moon. C and D can win on this hand, whoever bids."
    )
