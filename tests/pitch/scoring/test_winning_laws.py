"""What changes nothing about the winner, and what is said of one, in odd matches: from paper, under changing rules."""

import os
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import cycle
from random import Random
from typing import Any

import pytest

from scorekeeper.pitch.records.record import RefusedRecord, read_record
from scorekeeper.pitch.records.result import play_record
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.match import HandResult, MatchState
from scorekeeper.pitch.text.endings import question_sentence
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES
from tests.common.library import RULEBOOK, every_ruleset
from tests.pitch.scoring.random_records import close_in_order, odd_record, random_record
from tests.pitch.scoring.small_matches import SHEET_ALONE
from tests.pitch.text.sentences import untrue

MATCHES = int(os.environ.get("ODD_MATCHES", "800"))
"""How many random matches are tried; always the same ones."""
pytestmark = pytest.mark.xdist_group("winning laws")  # in one process, which plays all these matches once


@cache
def odd_matches() -> tuple[tuple[dict[str, Any], MatchState], ...]:
    """Return many matches, each as its record and as the engine has it."""
    records = (odd_record(seed) for seed in range(MATCHES))
    found = tuple((record, state) for record in records if (state := again(record)))
    assert len(found) > MATCHES * 0.7
    return found


def again(record: Mapping[str, Any]) -> MatchState | None:
    """Return another record played; `None` where it cannot have been so."""
    try:
        return play_record(read_record(record), RULEBOOK)
    except RefusedRecord:
        return None


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a record in which everybody has another name."""
    if isinstance(value, dict):
        return {names.get(key, key): renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value


def test_other_names_change_nothing() -> None:
    for record, state in odd_matches():
        who = {*state.seats.ids, *state.seats.players}
        who |= {name for hand in record["hands"] for name in hand.get("sits_in", {}).values()}
        names = {name: f"{name} of {number}" for number, name in enumerate(sorted(who))}
        other = again(renamed(record, names))
        assert other, record
        assert [names[side] for side in winners(state)] == winners(other), record
        assert {names[side]: score for side, score in state.scores.items()} == other.scores, record


def winners(state: MatchState) -> list[str]:
    return list(state.outcome.winners) if state.outcome else []


def test_another_seat_at_the_head_of_the_table_changes_nothing() -> None:
    for record, state in odd_matches():
        if "players" not in record or any("dealer" not in hand for hand in record["hands"]):
            continue
        players = record["players"]
        turned = {**record, "players": [*players[1:], players[0]]}
        if "sides" in record:
            first, *others = record["sides"]
            moved = {**first, "players": [*first["players"][1:], first["players"][0]]}
            turned["sides"] = [*others, moved]
        other = again(turned)
        if other is not None:
            assert set(winners(state)) == set(winners(other)), record
            assert (state.question is None) == (other.question is None), record


def test_defaults_entered_as_answers_change_nothing() -> None:
    for record, state in odd_matches():
        rules = RULEBOOK.ruleset_for(record["variant"], record["house"])
        defaults = {name: rules.answer(name) for name in options() if name not in record["house"]}
        defaults = {name: answer for name, answer in defaults.items() if answer is not None}
        other = again({**record, "house": {**defaults, **record["house"]}})
        if other is not None:
            assert (winners(state), state.scores) == (winners(other), other.scores), record
            assert state.question == other.question, record


def test_what_only_the_sheet_says_changes_nothing() -> None:
    for (record, state), name in zip(odd_matches(), cycle(SHEET_ALONE), strict=False):
        for answer in options()[name].choices or (True, False):
            other = again({**record, "house": {**record["house"], name: answer}})
            if other is not None:
                assert (winners(state), state.scores, state.dealer) == (winners(other), other.scores, other.dealer), (
                    record
                )


def test_a_match_goes_on_from_paper_as_it_went_on() -> None:
    """Where only a bidder can win since several were there at once, their scores then are not on paper."""
    for record, state in odd_matches():
        for paper_hands, hand in enumerate(state.results[:-1], 1):
            has_ended = state.last_scored is hand and not state.goes_on
            if hand.status != "scored" or has_ended or hand.ruleset.winning.tie_rule == "bidder_or_play_on":
                break
            rest = from_paper(record, state, paper_hands)
            other = again(rest) if rest else None
            if other is not None:
                assert (winners(state), dict(state.scores)) == (winners(other), dict(other.scores)), (
                    record,
                    paper_hands,
                )


def from_paper(record: Mapping[str, Any], state: MatchState, paper_hands: int) -> dict[str, Any] | None:
    """Return a record of the later hands, with the earlier ones as a start from paper; `None` if somebody sat in."""
    if any("sits_in" in hand for hand in record["hands"]):
        return None
    hand, sets = state.results[paper_hands - 1], {side: 0 for side in state.seats.ids}
    for side, often in (record["start"].get("sets") or {}).items():
        sets[side] += often
    for earlier in state.results[:paper_hands]:
        for side, often in ((earlier.score.sets if earlier.score else None) or {}).items():
            sets[side] += often
    house = {**record["house"]}
    for earlier_hand in record["hands"][:paper_hands]:
        house |= earlier_hand.get("house", {})
    rest = [{**later_hand} for later_hand in record["hands"][paper_hands:]]
    if hand.next_dealer and "dealer" not in rest[0] and not rest[0].get("auction"):
        rest[0]["dealer"] = hand.next_dealer
    scored = sum(result.status == "scored" for result in state.results[:paper_hands])
    start = {"scores": dict(hand.scores), "hands": (record["start"].get("hands") or 0) + scored, "sets": sets}
    return {**record, "house": house, "start": start, "hands": rest}


def test_cards_and_points_agree_or_points_ask() -> None:
    undecided, agreed = compare_with_points(odd_matches())

    assert undecided > MATCHES / 200
    assert agreed > MATCHES / 10


@every_ruleset
def test_in_every_game_cards_and_points_agree_or_points_say_on_what_it_depends(ruleset: Ruleset) -> None:
    records = [random_record(Random(seed), ruleset) for seed in range(40)]
    records += [close_in_order(Random(seed), record) for seed, record in enumerate(records)]

    _, agreed = compare_with_points((record, state) for record in records if (state := again(record)))

    assert agreed or ruleset.only_bidder_counts


def compare_with_points(matches: Iterable[tuple[dict[str, Any], MatchState]]) -> tuple[int, int]:
    """Compare matches with the same with a last hand by points; return how often those are undecided, and agree."""
    undecided = agreed = 0
    for record, state in matches:
        last = state.last_scored
        if last is None or last.status != "scored" or last.position != len(record["hands"]) or last.hand.taken is None:
            continue
        last_hand = record["hands"][-1]
        other = again({**record, "hands": [*record["hands"][:-1], by_points(last_hand, last)]})
        if other is None or dict(other.scores) != dict(state.scores):
            continue  # the points do not tell a share of Game, or what a moon has to have
        if other.question:
            undecided += 1
            assert set(winners(state)) <= set(other.question.winners), record
            fewest = 0 if last.ruleset.winning.pegged else 1  # the question is who pegged first, not who took what
            assert fewest <= len(other.question.awards) <= len(last.ruleset.in_play), record
            assert last.taken
            for side in other.question.winners:
                mine = last.hand_sides.group_of(side)
                took = {award for award, group, _ in last.taken.awards if group == mine}
                minimal = other.question.minimal_winning_awards(side)
                would = any(took.issuperset(awards) for awards in minimal)
                assert not minimal or would == (side in state.winners), record
            names = [last.ruleset.awards[award].name for award in other.question.awards]
            sentence = question_sentence(other)
            assert (
                all(name in sentence for name in names)
                or "pegged" in sentence
                or (len(names) > 5 and "who took what?" in sentence)
            ), record
        else:
            agreed += 1
            assert winners(other) == winners(state), record
    return undecided, agreed


def by_points(entered: Mapping[str, Any], hand: HandResult) -> dict[str, Any]:
    """Return a hand recorded by awards as a record of its points."""
    assert hand.score
    groups, has_bidders = hand.hand_sides.groups, hand.hand_sides.has_bidders
    points: dict[str, int] = {}
    for number, group in enumerate(groups):
        if number and hand.ruleset.only_bidder_counts and has_bidders:
            continue
        name = "bidders" if has_bidders and not number else "defenders" if len(group) > 1 else group[0]
        points[name] = hand.score.points[group[0]]
    return {**{key: value for key, value in entered.items() if key not in ("taken", "card_points")}, "points": points}


def test_every_sentence_is_true() -> None:
    for record, state in odd_matches():
        assert [*untrue(state, IDS_AS_NAMES)] == [], record
