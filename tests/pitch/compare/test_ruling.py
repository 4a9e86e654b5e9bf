"""A hand settled agrees with the engine, and each of its readings with the record scored anew under that answer."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from scorekeeper.pitch.compare.alternatives import MOST_READINGS, Effect, OtherReading, Ruling
from scorekeeper.pitch.compare.reckoning import Span
from scorekeeper.pitch.compare.ruling import settle_record, write_ruling
from scorekeeper.pitch.compare.what_if import what_if
from scorekeeper.pitch.records.record import Record, RefusedRecord, read_record, write_record
from scorekeeper.pitch.records.result import Rulebook, play_record, score_record, write_result
from scorekeeper.pitch.rules.house_rules import differences, without_moot
from tests.acceptance.test_public_cases import CASES
from tests.common.each import each
from tests.common.library import LIBRARY
from tests.pitch.compare.matches_again import played_record
from tests.scenarios.test_scenarios import SCENES

RULEBOOK = Rulebook(LIBRARY)


def one_by_one(record: Record) -> Iterator[Record]:
    """Return each hand of a record in a record of its own, which starts from the scores before it."""
    try:
        state = play_record(record, RULEBOOK)
    except RefusedRecord:
        return
    start = {"hands": 0, "sets": {}, **record.start}
    hands, sets = start["hands"], {side: start["sets"].get(side, 0) for side in state.seats.ids}
    for result in state.results:
        if result.status in ("scored", "thrown_in"):
            before = {side: score - result.deltas[side] for side, score in result.scores.items()}
            yield replace(
                record,
                house=differences(LIBRARY[record.variant], result.ruleset),
                start={"scores": before, "hands": hands, "sets": dict(sets)},
                hands=(replace(result.hand, dealer=result.dealer, house=None, house_on=None, sits_in=None),),
            )
        for side, number in ((result.score and result.score.sets) or {}).items():
            sets[side] += number
        hands += result.status == "scored"


def _records() -> Iterator[tuple[str, Record]]:
    for case in CASES:
        try:
            yield case["id"], read_record(case["record"])
        except RefusedRecord:
            continue
    for scene in SCENES:
        if "refused" not in scene.told:
            yield scene.name, scene.record


RECORDS: dict[str, list[tuple[str, Record]]] = {}
"""Every record by its game, each with its name."""
for _name, _record in _records():
    RECORDS.setdefault(_record.variant, []).append((_name, _record))


@cache
def hands_of(variant: str) -> list[tuple[str, Ruling, Record]]:
    """Return the name, the ruling and the record of each hand of a game, each settled once in a process."""
    return [
        (f"{name}, hand {number}", settle_record(hand, RULEBOOK), hand)
        for name, record in RECORDS[variant]
        for number, hand in enumerate(one_by_one(record), 1)
    ]


def on_each_hand(check: Callable[[Ruling, Record], None]) -> Callable[[str], None]:
    """Make of what is checked on one hand a test for each game: each hand alone would take longer to hand out."""

    def test(variant: str) -> None:
        @each("hand", hands_of(variant), lambda hand: str(hand[0]))
        def checked(hand: tuple[str, Ruling, Record]) -> None:
            check(*hand[1:])

        checked()

    test.__name__, test.__doc__ = check.__name__, check.__doc__
    games = [pytest.param(variant, marks=pytest.mark.xdist_group(f"hands of {variant}")) for variant in RECORDS]
    return pytest.mark.parametrize("variant", games)(test)


def test_there_is_something_to_hold_them_against() -> None:
    rulings = [ruling for variant in RECORDS for _, ruling, _ in hands_of(variant)]
    readings = [reading for ruling in rulings for reading in ruling.others]

    assert len(rulings) > 400
    assert {reading.effect for reading in readings} == set(Effect)
    assert len({reading.option for reading in readings}) > 12


@on_each_hand
def test_a_ruling_is_what_the_engine_says(ruling: Ruling, record: Record) -> None:
    written = write_ruling(ruling, stopped=record.stopped)

    assert written["result"] == score_record(write_record(record), RULEBOOK)
    assert written["result"] == write_result(ruling.state, stopped=record.stopped)


@on_each_hand
def test_each_reading_is_the_record_scored_anew_under_that_answer(ruling: Ruling, record: Record) -> None:
    for reading in write_ruling(ruling, stopped=record.stopped)["readings"]:
        anew = score_record(_under(record, reading["house"]), RULEBOOK)
        if anew["status"] == "refused" and reading["result"]["status"] != "refused":
            continue  # the hand tells more than its own words, by which no record under the other rules can say it
        stated = {**record.house, **reading["house"]}
        if "because" in anew and without_moot(LIBRARY[record.variant], stated) != stated:
            # What decides nothing may still be in a sentence.
            anew["because"] = reading["result"]["because"]
        assert reading["result"] == anew


@on_each_hand
def test_a_reading_is_what_the_match_comes_to_under_its_rules(ruling: Ruling, record: Record) -> None:
    played = played_record(record, RULEBOOK)

    for reading in (*ruling.others, *ruling.undecided):
        again = what_if(played, reading.ruleset)
        if reading.won_before is not None:
            assert again.otherwise.winners == reading.winners
            continue
        states = [reading.state] if reading.state else reading.possible
        if not states:
            assert again.stop or any(question.told is None for question in again.questions)
            continue
        # Not every hand that it may have been is played, where something is missing.
        for side, span in again.otherwise.scores.items():
            found = Span.over(state.scores[side] for state in states)
            assert span.lowest <= found.lowest
            assert found.highest <= span.highest
            assert found.is_known or reading.state is None
            assert span.is_known or reading.state is None
        assert again.otherwise.winners == reading.winners


def _under(record: Record, house: dict[str, Any]) -> dict[str, Any]:
    """Return a record as JSON under other rules, without what decides nothing under them; a tied count decides."""
    agreed = without_moot(LIBRARY[record.variant], {**record.house, **house})
    written = write_record(replace(record, house=agreed))
    ruleset = RULEBOOK.agreed(record.variant, agreed)
    hand = written["hands"][0]
    if "taken" in hand:
        hand["taken"] = {award: who for award, who in hand["taken"].items() if award in ruleset.in_play}
        if "game_tie" in house and "card_points" in hand:
            hand["taken"].pop("game", None)
    return written


@on_each_hand
def test_readings_come_in_order_and_are_few(ruling: Ruling, record: Record) -> None:
    effects = [reading.effect for reading in ruling.others]

    assert effects == sorted(effects)
    assert len(effects) <= MOST_READINGS
    for reading in ruling.others:
        assert _effects(ruling, reading)
        if reading.effect is Effect.NOTHING:
            assert reading.option in ("win_rule", "tie_rule")


def _effects(ruling: Ruling, reading: OtherReading) -> bool:
    """Return whether a reading changes what it says that it changes."""
    known = ruling.state.outcome.winners if ruling.state.outcome else ()
    match reading.effect:
        case Effect.WINNER:
            return reading.winners != known
        case Effect.PERHAPS_WINNER:
            return reading.state is None
        case Effect.SCORE:
            assert reading.state
            then, now = reading.state.results[0], ruling.result
            assert then.score
            assert now.score
            return reading.winners == known and (then.scores, then.score.payments) != (now.scores, now.score.payments)
        case Effect.PERHAPS_SCORE:
            return reading.state is None and reading.winners in (known, None)
        case Effect.NOTHING:
            assert reading.state
            is_same = dict(reading.state.scores) == dict(ruling.state.scores) or reading.won_before is not None
            return reading.winners == known and is_same


@on_each_hand
def test_what_a_hand_does_not_tell_is_not_guessed(ruling: Ruling, record: Record) -> None:
    for reading in ruling.others:
        told = [reading.state is not None, bool(reading.missing), bool(reading.faults)]
        assert sum(told) == 1
