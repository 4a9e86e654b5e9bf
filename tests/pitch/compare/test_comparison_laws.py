"""What holds of every match that is scored again under any other rules."""

from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from scorekeeper.pitch.compare.alternatives import alternatives
from scorekeeper.pitch.compare.comparison import Comparison, PlayedMatch, compare
from scorekeeper.pitch.compare.possible_hands import OWN_RULES_SUFFIX, HandAnswer, RulePair, possible_hands
from scorekeeper.pitch.compare.ruling import make_record_ruling, ruling_json
from scorekeeper.pitch.records.record import RefusedRecord, read_record, record_as_json
from scorekeeper.pitch.records.result import play_record, play_record_under, score_record
from scorekeeper.pitch.rules.questions import RuleKey
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.search_budget import MAX_REQUEST_STEPS, Budget
from tests.acceptance.test_public_cases import CASES
from tests.common.each import each
from tests.common.library import RULEBOOK
from tests.common.pace import counted_calls
from tests.pitch.compare.matches_again import (
    as_stored,
    matches_by_points,
    one_by_one,
    other_rules,
    played,
    played_record,
)
from tests.pitch.scoring.strategies import records, rulesets
from tests.scenarios.scene import Scene, told_record

RELAXED = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
BOTH_MAY_BE_FIRST = told_record(
    "california-jack", ["Ann 3 points | Bo 1 points"], ["Ann", "Bo"], start={"Ann": 2, "Bo": 2}, house={"target": 3}
)
"""A match whose winner depends on who took High, which nobody wrote down."""


def _is_the_match(match: PlayedMatch, again: Comparison) -> None:
    state = match.state
    assert (again.problem, again.first_differing_hand, again.changes) == ("", None, ())
    if state.question:
        assert again.winners is None
        return
    assert again.winners == state.winners
    assert [dict(end.scores) for end in again.ends] == [dict(state.scores)]


@each("case", CASES, lambda case: str(case["id"]))
def test_under_its_own_rules_a_case_is_the_match(case: dict[str, Any]) -> None:
    try:
        match = played(case["record"])
    except RefusedRecord:
        return

    _is_the_match(match, compare(match, match.rules))


@each("case", CASES, lambda case: str(case["id"]))
def test_under_another_answer_a_case_is_the_record_scored_anew(case: dict[str, Any]) -> None:
    try:
        record = read_record(case["record"])
        play_record(record, RULEBOOK)
        match = played_record(record)
    except RefusedRecord:
        return
    if any(hand.house for hand in record.hands):
        return

    for alternative in alternatives(match):
        state = alternative.comparison.state
        if (
            any(RuleKey.of_answer(*answer).is_worth for answer in alternative.answers.items())
            or alternative.comparison.first_differing_hand == 0
        ):
            continue  # the record names who took it; scores that end a match at its start end none in a record
        try:
            anew = play_record_under(record, alternative.comparison.other)
        except RefusedRecord:
            # The other rules work out from the card points who scores Game; the record names who got it.
            assert state is None or state.question or play_record_under(as_stored(record), alternative.comparison.other)
            continue
        if state is not None and not anew.question:
            assert state.scores == anew.scores
            assert alternative.comparison.winners == anew.winners


@each("case", CASES, lambda case: str(case["id"]))
def test_a_hand_that_is_settled_is_what_its_record_says(case: dict[str, Any]) -> None:
    try:
        hands = list(one_by_one(read_record(case["record"])))
    except RefusedRecord:
        return

    for record in hands:
        ruling = make_record_ruling(record, RULEBOOK)
        assert ruling_json(ruling, stopped=record.stopped)["result"] == score_record(record_as_json(record), RULEBOOK)


@RELAXED
@given(records(), matches_by_points())
@example(BOTH_MAY_BE_FIRST, (BOTH_MAY_BE_FIRST, BOTH_MAY_BE_FIRST))
def test_under_its_own_rules_a_match_is_the_match(
    record: dict[str, Any], both: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    for match in map(played, (record, *both)):
        _is_the_match(match, compare(match, match.rules))


@RELAXED
@given(st.data())
def test_whatever_the_rules_a_match_is_compared_or_says_why_not(data: st.DataObject) -> None:
    match, other = played(data.draw(records())), data.draw(rulesets)

    again = compare(match, other)

    assert again.ends or again.problem
    assert (again.winners is None) == bool(again.problem or again.question or any(end.question for end in again.ends))


@RELAXED
@given(st.data())
def test_questions_end_and_their_answers_decide_the_winner(data: st.DataObject) -> None:
    match = played(data.draw(matches_by_points())[1])
    other = data.draw(other_rules(match.rules))
    known_answers: dict[tuple[int, str], HandAnswer] = {}
    again = open_match = compare(match, other)

    while again.question:
        assert again.question.key not in known_answers
        assert len(again.question.choices) > 1
        known_answers[again.question.key] = data.draw(
            st.sampled_from([choice.takers for choice in again.question.choices])
        )
        again = compare(match, other, known_answers=known_answers)

    if again.winners is not None and not open_match.problem:
        assert again.winners in {end.winners for end in open_match.ends}
    assert again.winners is not None or again.problem or any(end.question for end in again.ends)


def _truth(match: PlayedMatch, other: Ruleset) -> dict[tuple[int, str], HandAnswer] | None:
    """Return who took which award in a match by awards; `None` where the other rules need more than that."""
    truth: dict[tuple[int, str], HandAnswer] = {}
    for hand_number, result in enumerate(match.state.results, 1):
        if result.status != "scored" or result.hand_sides is None:
            continue
        pair = RulePair(result.ruleset, other)
        (possible, *more) = possible_hands(pair, match.state.seats, result, Budget())
        if more:
            return None
        for award_id, who in (result.hand.taken or {}).items():
            groups = result.hand_sides.groups
            group = {"bidders": 0, "defenders": 1}.get(who) if who else None
            if who and group is None:
                side = match.state.seats.side_of(who)
                group = next(i for i, members in enumerate(groups) if side in members)
            took = (groups[group][0],) if group is not None else ()
            truth[hand_number, f"{award_id}{OWN_RULES_SUFFIX}"] = truth[hand_number, award_id] = took
        truth |= {(hand_number, what): answer for what, answer in possible.answers.items()}
        kept = possible.hand.taken or {}
        truth |= {
            (hand_number, award_id): truth[hand_number, f"{award_id}{OWN_RULES_SUFFIX}"]
            for award_id in kept
            if award_id not in possible.answers and (hand_number, f"{award_id}{OWN_RULES_SUFFIX}") in truth
        }
    return truth


@RELAXED
@given(st.data())
def test_with_every_answer_known_a_match_by_points_is_the_match_by_awards(data: st.DataObject) -> None:
    by_awards, by_points = map(played, data.draw(matches_by_points()))
    other = data.draw(other_rules(by_awards.rules))
    truth = _truth(by_awards, other)
    if truth is None or by_awards.state.outcome != by_points.state.outcome:
        return  # the rules ask for more, or points in order decided, which points alone do not tell
    whole, again = compare(by_awards, other), compare(by_points, other, known_answers=truth)
    if "written down" in again.problem or "do not tell" in again.problem:
        return

    assert (again.problem, again.question, again.winners) == (whole.problem, None, whole.winners)
    assert {tuple(end.scores.items()) for end in again.ends} == {tuple(end.scores.items()) for end in whole.ends}


def _alike(hand_text: str, times: int, target: int) -> PlayedMatch:
    scene = Scene("partnership-pitch", ["Us", "Them"], {"house": {"target": target}, "hands": [hand_text] * times})
    return played_record(scene.record)


def test_a_match_is_scored_again_with_little_work() -> None:
    match = _alike("Us bid 2 | Us high jack | Them low game", 16, target=100)
    other = match.rules.copy_with(winning=match.rules.winning.copy_with(target=90))

    with counted_calls() as count:
        compare(match, other)

    assert count.calls < 12_000


def test_of_a_thousand_hands_no_more_is_tried_than_the_budget_has() -> None:
    match, budget = _alike("Us bid 4 | Us high jack | Them low game", 1000, target=1000), Budget()

    with counted_calls() as count:
        found = list(alternatives(match, budget))

    assert budget.spent_steps < MAX_REQUEST_STEPS * 1.1
    assert count.calls < 1_500_000
    assert any(alternative.comparison.winners is not None for alternative in found)
