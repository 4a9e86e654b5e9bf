"""The work for a hand recorded by points alone is bounded, for every hand and all rules that a house can make."""

from random import Random

import pytest

from scorekeeper.pitch.compare.alternatives import alternatives
from scorekeeper.pitch.compare.comparison import PlayedMatch, compare
from scorekeeper.pitch.records.record import Record, record_as_json
from scorekeeper.pitch.records.result import score_record
from scorekeeper.pitch.rules.house_rules import HouseRules, resolve_house_rules
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import Hand
from scorekeeper.pitch.scoring.match import ImpossibleHand, MatchState, open_match, play
from scorekeeper.pitch.scoring.search_budget import MAX_REQUEST_STEPS, STEPS_PER_HAND, Budget
from scorekeeper.pitch.scoring.seats import Seats, Side
from tests.common.large_rules import CANNOT_BE, PLAYERS, RULES, TARGET, UNDECIDED, random_counts
from tests.common.library import LIBRARY, RULEBOOK
from tests.common.pace import counted_calls
from tests.pitch.compare.matches_again import played_record
from tests.scenarios.scene import Scene

A_SEARCH = 2100
"""Steps of the largest single search, by which a budget may be overspent."""


def ruleset_of(house: HouseRules) -> Ruleset:
    ruleset, faults = resolve_house_rules(house, LIBRARY)
    assert ruleset, faults
    return ruleset


def before(house: HouseRules) -> MatchState:
    seats = Seats(tuple(Side(name, (name,)) for name in PLAYERS), PLAYERS)
    return open_match(ruleset_of(house), seats, dealer=PLAYERS[0])


def by_points(counts: list[int] | tuple[int, ...]) -> Hand:
    return Hand(bidder=PLAYERS[0], bid=2, points=dict(zip(PLAYERS, counts, strict=True)))


def played(house: HouseRules, hand: Hand) -> PlayedMatch:
    start = {"scores": dict.fromkeys(PLAYERS, TARGET - 2)}
    record = Record(variant=house.variant, house=house.options, players=PLAYERS, start=start, hands=(hand,))
    return played_record(record)


def test_counts_that_cannot_come_out_of_even_worths_are_refused_at_once() -> None:
    budget = Budget()

    with counted_calls() as count, pytest.raises(ImpossibleHand, match="can’t split that way"):
        play(before(RULES[0]), by_points(CANNOT_BE), is_new=True, budget=budget)

    assert budget.spent_steps < 20
    assert count.calls < 20_000


def test_counts_that_take_too_long_to_tell_are_refused_where_new_and_else_score_as_written() -> None:
    state, hand = before(RULES[2]), by_points(UNDECIDED)

    with pytest.raises(ImpossibleHand, match="Too many ways to tell: enter the cards"):
        play(state, hand, is_new=True)

    assert play(state, hand).scores == dict(hand.points or {})


def test_a_budget_that_is_spent_refuses_a_new_hand_by_points_and_no_other() -> None:
    state, spent = before(RULES[0]), Budget(0)
    hand = by_points(random_counts(RULES[0], Random(1)))

    with pytest.raises(ImpossibleHand, match="Too many ways"):
        play(state, hand, is_new=True, budget=spent)
    assert play(state, hand, is_new=True).results
    assert play(state, hand, budget=spent).scores == play(state, hand).scores


@pytest.mark.parametrize("house", RULES)
def test_no_answer_takes_more_than_its_budget(house: HouseRules) -> None:
    hand = by_points(random_counts(house, Random(3)))
    match, base = played(house, hand), LIBRARY[house.variant]
    budgets = [Budget() for _ in range(2)]

    with counted_calls() as count:
        compare(match, base, budget=budgets[0])
        answers = list(alternatives(match, budgets[1]))

    assert answers
    # The first step beyond is refused in each of the answers.
    assert max(budget.spent_steps for budget in budgets) <= MAX_REQUEST_STEPS + A_SEARCH + len(answers) * STEPS_PER_HAND
    assert count.calls < 12_000_000


def test_a_match_that_takes_too_long_stops_at_a_hand_and_says_what_is_missing() -> None:
    match = played(RULES[0], by_points(random_counts(RULES[0], Random(3))))

    stopped = compare(match, LIBRARY[RULES[0].variant], budget=Budget(100))

    assert "too much was not written down" in stopped.problem


def test_where_too_many_ways_fit_the_points_the_hand_is_asked_at_once() -> None:
    """Eight are a point short, and 23 awards of different worth can have gone to anybody."""
    worths = {"low": 2, "ace": 3, "king": 4, "off_king": 5, "jack": 6, "hang_jack": 7, "off_jack": 1, "high_joker": 2}
    worths |= {"low_joker": 3, "off_ace": 4, "ten": 5, "off_ten": 6, "nine": 7, "off_nine": 1, "five": 2, "off_five": 3}
    worths |= {"trey": 4, "off_trey": 5, "deuce": 6, "off_deuce": 7, "last_trick": 1}
    house = {"target": 300, "win_rule": "first_to_target", "tie_rule": "point_order", **worths}
    scores = dict.fromkeys("ABCDEFGH", 299)
    hand = " | ".join(["A bid 2", *(f"{who} 10 points" for who in scores)])
    scene = Scene("cutthroat-pitch", [*scores], {"house": house, "start": scores, "hands": [hand]})

    with counted_calls() as count:
        result = score_record(record_as_json(scene.record), RULEBOOK)

    assert result.get("because") == "It depends: who took what? Points alone do not say who won.", result.get("faults")
    assert count.calls < 1_200_000
