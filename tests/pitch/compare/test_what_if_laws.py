"""What holds of every match that is scored again, under whatever rules."""

from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from scorekeeper.pitch.compare.alternatives import rule_on
from scorekeeper.pitch.compare.possible_hands import AS_PLAYED, Answer, RulePair, possible_hands
from scorekeeper.pitch.compare.reckoning import PlayedMatch, QuestionKey, Span, Spans, WhatIf
from scorekeeper.pitch.compare.what_if import MOST_PLAYS_FOR_ALL, other_answers, what_if
from scorekeeper.pitch.records.record import RefusedRecord, read_record
from scorekeeper.pitch.records.result import play_record, play_under
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.questions import RuleKey
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.budget import Budget
from scorekeeper.pitch.text.what_if import NOT_IN_LIST
from tests.acceptance.test_public_cases import CASES
from tests.common.each import each
from tests.common.library import LIBRARY
from tests.common.pace import counted_calls
from tests.pitch.compare.matches_again import (
    RULEBOOK,
    as_stored,
    matches,
    matches_by_points,
    other_rules,
    played,
    played_record,
)
from tests.pitch.scoring.strategies import agreed_rules, rulesets

RELAXED = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
BOTH_MAY_BE_FIRST = {
    "format": "pitch-record/1",
    "variant": "california-jack",
    "players": ["Ann", "Bo"],
    "start": {"scores": {"Ann": 2, "Bo": 2}},
    "house": {"target": 3},
    "hands": [{"points": {"Ann": 3, "Bo": 1}}],
}
"""A match whose winner depends on who took High, which nobody wrote down."""


def _is_the_match(match: PlayedMatch, again: WhatIf) -> None:
    state = match.state
    asked: set[QuestionKey] = set()
    if state.question and state.last_scored:  # what it asks is asked here as well
        asked = {(state.last_scored.place, award) for award in state.question.awards}
    assert {question.key for question in again.questions} == asked
    assert (again.refusal, again.stop, again.first_difference) == ("", None, None)
    assert len(again.rows) == len(state.results)
    for row, result in zip(again.rows, state.results, strict=True):
        assert {side: span.lowest for side, span in row.scores.items()} == dict(result.scores)
        assert {side: span.lowest for side, span in row.deltas.items()} == dict(result.deltas)
        assert row.status == ("already_over" if result.status == "after_end" else "same")
    if not asked:  # an end that is asked for is open
        assert again.otherwise == again.as_played
        assert all(row.ends_as_played == row.ends_otherwise for row in again.rows)


@each("case", CASES, lambda case: str(case["id"]))
def test_under_its_own_rules_a_case_is_the_match(case: dict[str, Any]) -> None:
    try:
        match = played(case["record"])
    except RefusedRecord:
        return

    _is_the_match(match, what_if(match, match.rules))


@each("case", CASES, lambda case: str(case["id"]))
def test_under_another_answer_a_case_is_the_record_scored_anew(case: dict[str, Any]) -> None:
    try:
        record = read_record(case["record"])
        play_record(record, RULEBOOK)
        match = played_record(record, RULEBOOK)
    except RefusedRecord:
        return
    if any(hand.house for hand in record.hands):
        return

    for it in other_answers(match):
        if it.match.questions or any(RuleKey.of_answer(*answer).is_worth for answer in it.house.items()):
            continue
        try:
            anew = play_under(record, it.match.other)
        except RefusedRecord:
            # Who scores Game is asked anew of the cards there, where the record names whom it went to here.
            assert it.match.stop or play_under(as_stored(record), it.match.other)
            continue
        assert it.match.stop is None
        first = it.match.first_difference
        if first and first.sentence.endswith(" before the first hand."):
            # The record begins with such scores, and those end no match by its own rules: by the others it was over.
            assert all(row.status == "already_over" for row in it.match.rows)
            continue
        assert {side: span.lowest for side, span in it.match.otherwise.scores.items()} == anew.scores
        assert it.match.otherwise.winners == (anew.outcome.winners if anew.outcome else ())


@RELAXED
@given(matches_by_points())
@example((BOTH_MAY_BE_FIRST, BOTH_MAY_BE_FIRST))
def test_under_its_own_rules_a_match_is_the_match(records: tuple[dict[str, Any], dict[str, Any]]) -> None:
    for record in records:
        match = played(record)

        _is_the_match(match, what_if(match, match.rules))


def test_under_its_own_rules_nothing_follows_a_hand_that_asks_who_was_first() -> None:
    ruleset = next(ruleset for ruleset in LIBRARY if ruleset.winning.pegged)
    taken = {award: "Us" for award in ruleset.in_play} | {list(ruleset.in_play)[-1]: "Them"}
    sides = [{"name": "Us", "players": ["Ann", "Cal"]}, {"name": "Them", "players": ["Bo", "Di"]}]
    record = {"format": "pitch-record/2", "variant": ruleset.id, "house": {"target": 3}, "sides": sides}
    match = played({**record, "hands": [{"taken": taken}, {"thrown_in": "misdeal"}]})

    assert match.state.question
    assert [row.status for row in what_if(match, match.rules).rows] == ["same", "already_over"]
    assert what_if(match, match.rules).first_difference is None


@RELAXED
@given(matches())
def test_whoever_sits_in_the_match_is_the_match(record: dict[str, Any]) -> None:
    match = played(record)

    _is_the_match(match, what_if(match, match.rules))


@RELAXED
@given(st.data())
def test_no_rules_are_too_much(data: st.DataObject) -> None:
    _, record = data.draw(matches_by_points())
    match = played(record)
    other = data.draw(agreed_rules() | other_rules(match.rules))

    again = what_if(match, other)

    assert again.refusal or len(again.rows) == len(match.state.results)
    assert again.refusal or again.otherwise.why
    for question in again.questions:
        assert len({choice.label for choice in question.choices}) == len(question.choices) >= 1
    if again.first_difference:
        assert again.first_difference.sentence


@RELAXED
@given(matches_by_points())
def test_every_other_answer_is_tried(records: tuple[dict[str, Any], dict[str, Any]]) -> None:
    match = played(records[1])

    answers = other_answers(match)

    assert all(it.label and it.heading and it.detail for it in answers)
    winners = [it.match.changes_winner for it in answers]
    assert winners == sorted(winners, key=[True, None, False].index)


def _lies_within(inner: Spans, outer: Spans) -> bool:
    return all(outer[it].lowest <= span.lowest and span.highest <= outer[it].highest for it, span in inner.items())


@RELAXED
@given(st.data())
def test_what_is_told_lies_within_what_was_open(data: st.DataObject) -> None:
    _, record = data.draw(matches_by_points())
    match = played(record)
    other = data.draw(other_rules(match.rules) | rulesets)
    open_match = what_if(match, other)
    questions = open_match.questions
    if not questions:
        return
    asked = data.draw(st.lists(st.sampled_from(questions), min_size=1, unique_by=lambda it: it.key))
    told = {it.key: data.draw(st.sampled_from([choice.who for choice in it.choices])) for it in asked}

    again = what_if(match, other, told)

    for row, before in zip(again.rows, open_match.rows, strict=True):
        if before.status != "not_reached":
            assert row.status != "not_reached"
            assert _lies_within(row.deltas, before.deltas)
            assert _lies_within(row.scores, before.scores)
    if not open_match.stop:
        assert _lies_within(again.otherwise.scores, open_match.otherwise.scores)
        assert {it.winners for it in again.otherwise.possible} <= {it.winners for it in open_match.otherwise.possible}


def _truth(match: PlayedMatch, other: Ruleset) -> dict[QuestionKey, Answer] | None:
    """Return who took what in a match by awards; `None` where the other rules ask more."""
    truth: dict[QuestionKey, Answer] = {}
    for place, result in enumerate(match.state.results, 1):
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
                group = next(i for i, it in enumerate(groups) if side in it)
            took = (groups[group][0],) if group is not None else ()
            truth[place, f"{award_id}{AS_PLAYED}"] = truth[place, award_id] = took
        truth |= {(place, what): answer for what, answer in possible.answers.items()}
        kept = possible.hand.taken or {}
        truth |= {
            (place, award_id): truth[place, f"{award_id}{AS_PLAYED}"]
            for award_id in kept
            if award_id not in possible.answers and (place, f"{award_id}{AS_PLAYED}") in truth
        }
    return truth


@RELAXED
@given(st.data())
def test_told_everything_a_match_by_points_is_the_match_by_awards(data: st.DataObject) -> None:
    known, hidden = map(played, data.draw(matches_by_points()))
    other = data.draw(other_rules(known.rules))
    told = _truth(known, other)
    if told is None or known.state.outcome != hidden.state.outcome:
        return  # the rules ask for more, or points in order decided, which points alone do not tell
    whole, again = what_if(known, other), what_if(hidden, other, told)
    if again.stop and again.stop.code in ("too_many", "not_counted"):
        return

    assert (again.refusal, again.stop) == (whole.refusal, whole.stop)
    assert not any(question.told is None for question in again.questions)
    assert again.otherwise.winners == whole.otherwise.winners
    assert again.otherwise.scores == whole.otherwise.scores
    assert [row.scores for row in again.rows] == [row.scores for row in whole.rows]


@pytest.fixture(scope="module")
def carried() -> tuple[PlayedMatch, PlayedMatch, PlayedMatch]:
    """A match with a tied Game that is carried over; the same with the next hand by awards, and by points."""
    ruleset = next(it for it in LIBRARY if it.points.game_tie == "carried_over" and not it.bidding.auction)
    all_of_it: dict[str, str | None] = dict.fromkeys(ruleset.in_play, "Us")
    tied = {"taken": {**all_of_it, ruleset.counted_award or "": None}}
    sides = [{"name": "Us", "players": ["Ann", "Cal"]}, {"name": "Them", "players": ["Bo", "Di"]}]
    head = {"format": "pitch-record/2", "variant": ruleset.id, "sides": sides, "house": {"target": 170}}
    by_awards = played({**head, "hands": [tied, {"taken": all_of_it}]})
    points = {"Us": by_awards.state.results[-1].deltas["Us"], "Them": 0}
    assert points["Us"] > ruleset.points_per_hand
    return played({**head, "hands": [tied]}), by_awards, played({**head, "hands": [tied, {"points": points}]})


def test_points_with_a_game_that_was_carried_over_are_scored_again(carried: tuple[PlayedMatch, ...]) -> None:
    _, by_awards, by_points = carried
    other, _ = with_house(by_points.rules, {next(iter(by_points.rules.in_play)): False})

    whole, again = (what_if(match, other) for match in (by_awards, by_points))

    assert [row.scores for row in again.rows] == [row.scores for row in whole.rows]
    assert {side: span.lowest for side, span in again.otherwise.scores.items()} != dict(by_points.state.scores)


def test_points_with_a_game_that_was_carried_over_have_the_same_other_readings(
    carried: tuple[PlayedMatch, ...],
) -> None:
    before, by_awards, by_points = carried

    whole, again = (
        rule_on(before.state, match.state.results[-1].hand, before.rules).others for match in (by_awards, by_points)
    )

    assert whole
    assert [(it.house, it.effect, it.winners) for it in again] == [(it.house, it.effect, it.winners) for it in whole]


def test_a_match_is_scored_again_with_little_work() -> None:
    hand = {"bidder": "Us", "bid": 2, "taken": {"high": "Us", "low": "Them", "jack": "Us", "game": "Them"}}
    sides = [{"name": "Us"}, {"name": "Them"}]
    record = {"format": "pitch-record/1", "variant": "partnership-pitch", "sides": sides, "hands": [hand] * 16}
    match = played({**record, "house": {"target": 100}})
    other = match.rules.changed(winning=match.rules.winning.changed(target=90))

    with counted_calls() as count:
        what_if(match, other)

    assert count.calls < 12_000


def test_of_a_thousand_hands_as_many_answers_are_listed_as_there_is_time_for() -> None:
    hand = {"bidder": "Us", "bid": 4, "taken": {"high": "Us", "low": "Them", "jack": "Us", "game": "Them"}}
    sides = [{"name": "Us"}, {"name": "Them"}]
    record = {"format": "pitch-record/1", "variant": "partnership-pitch", "sides": sides, "hands": [hand] * 1000}
    match = played({**record, "house": {"target": 1000}})

    with counted_calls() as count:
        answers = other_answers(match)

    assert sum(it.match.plays for it in answers) <= MOST_PLAYS_FOR_ALL
    assert count.calls < 850_000
    left = [it for it in answers if it.detail == NOT_IN_LIST]
    assert 0 < len(left) < len(answers)
    alone = what_if(match, match.rules.changed(winning=match.rules.winning.changed(target=900)))
    assert alone.stop is None


@pytest.mark.parametrize(("as_played", "comes_to"), [((), 5), (("Side 1",), 4)])
def test_of_a_game_that_one_side_scores_it_is_asked_whether_it_was_tied(
    as_played: tuple[str, ...], comes_to: int
) -> None:
    """Four points without Game and the joker's fifth, or four points with Game: the joker breaks the tie in one."""
    sides = [{"name": "Side 1", "players": ["Ann", "Cal", "Eve"]}, {"name": "Side 2", "players": ["Bo", "Di", "Fay"]}]
    hand = {"bidder": "Ann", "bid": 3, "points": {"Side 1": 4, "Side 2": 0}, "all_tricks": False}
    match = played({"format": "pitch-record/1", "variant": "st-paul-schmier", "sides": sides, "hands": [hand]})
    other = match.rules.changed(points=match.rules.points.changed(game_tie="joker_breaks"))
    game, own_game = (1, "game"), (1, f"game{AS_PLAYED}")

    (row,) = what_if(match, other, {game: ("Side 1",)}).rows
    assert [question.key for question in row.questions] == [game, own_game]

    (row,) = what_if(match, other, {game: ("Side 1",), own_game: as_played}).rows
    assert row.deltas["Side 1"] == Span(comes_to, comes_to)
