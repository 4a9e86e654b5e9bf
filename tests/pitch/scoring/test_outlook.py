"""What is known before a hand."""

import re
from random import Random
from typing import Any

import pytest

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.scoring.match import MatchState, Start, open_match
from scorekeeper.pitch.scoring.outlook import Outlook, outlook
from scorekeeper.pitch.scoring.seats import Seats, Side, seat
from scorekeeper.pitch.scoring.standing import target_of
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES, spoken, with_pronouns
from scorekeeper.pitch.text.standing import outlook_sentence
from tests.common.each import each
from tests.common.library import LIBRARY
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


def test_each_side_needs_what_it_lacks() -> None:
    us, them = ahead("partnership-pitch", us_and_them(18, 24)).sides

    assert (us.needs, us.goes_out, us.lowest_bid) == (3, "bid", 2)
    assert (them.needs, them.goes_out, them.lowest_bid) == (0, "bid", 2)


def test_the_left_of_the_dealer_bids_first() -> None:
    before = ahead("cutthroat-pitch", dict.fromkeys("ABC", 0), dealer="C")

    assert (before.dealer, before.bids_first) == ("C", "A")


@pytest.mark.parametrize("dealer", [None, "Us"])
def test_nobody_is_said_to_speak_first_where_it_cannot_be_known(dealer: str | None) -> None:
    before = ahead("partnership-pitch", us_and_them(0, 0), dealer=dealer)

    assert (before.dealer, before.bids_first) == (dealer, None)
