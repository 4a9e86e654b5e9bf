"""What holds of every winner, above all in odd matches: scores from paper past the target, rules that change, ties."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import cycle
from random import Random
from typing import Any

import pytest

from scorekeeper.pitch.records.record import RefusedRecord, read_record, write_record
from scorekeeper.pitch.records.result import play_record
from scorekeeper.pitch.rules.library import Library
from scorekeeper.pitch.rules.options import options
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.match import HandResult, MatchState
from scorekeeper.pitch.scoring.outcome import Outcome
from scorekeeper.pitch.scoring.standing import comparable, has_reached_target
from scorekeeper.pitch.text.endings import question_sentence
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES
from tests.common.library import LIBRARY, RULEBOOK, every_ruleset
from tests.pitch.scoring.random_records import random_record
from tests.pitch.scoring.small_matches import SHEET_ALONE
from tests.pitch.text.sentences import untrue

MATCHES = int(os.environ.get("ODD_MATCHES", "800"))
"""How many random matches are tried; always the same ones."""
pytestmark = pytest.mark.xdist_group("winning laws")  # in one process, which plays all these matches once
NOT_BY_SCORE = (
    *"bidder_first bidder_then_point_order bidder_or_play_on point_order".split(),
    *"turned_up given_first forfeit moon_won all_points".split(),
)
"""The rules that by their own words let a side win over one that may win as well and has a better score."""
BY_TARGET = (
    *"made_bid first_to_target better_score higher_score higher_score_or_play_on another_hand".split(),
    *NOT_BY_SCORE[:4],
)


@cache
def odd_matches() -> tuple[tuple[dict[str, Any], MatchState], ...]:
    """Return many matches, each as its record and as the engine has it."""
    records = (random_record(Random(seed), LIBRARY) for seed in range(MATCHES))
    records = (record if seed % 4 else close_in_order(Random(seed), record) for seed, record in enumerate(records))
    found = tuple((record, state) for record in records if (state := again(record)))
    assert len(found) > MATCHES * 0.7
    return found


def close_in_order(random: Random, record: dict[str, Any]) -> dict[str, Any]:
    """Return a match with all sides near the target, in which the order of the points decides who reaches it first."""
    target = random.choice((7, 11, 21))
    house = {"win_rule": "first_to_target", "target": target, "length": "target"}
    house["tie_rule"] = random.choice(("point_order", "bidder_then_point_order"))
    kept = {
        name: answer
        for name, answer in record["house"].items()
        if name in ("game_tie", "four_points_win_game", "win_by")
    }
    sides = [side["name"] for side in record["sides"]] if "sides" in record else record["players"]
    start = {"scores": {side: target - random.randint(1, 3) for side in sides}}
    hands = [{key: value for key, value in hand.items() if key != "house"} for hand in record["hands"][:1]]
    return {**record, "house": house | kept, "start": start, "hands": hands}


def ended() -> Iterator[tuple[dict[str, Any], Outcome, HandResult]]:
    """Yield the matches that a hand has ended, each with its outcome and that hand."""
    for record, state in odd_matches():
        if state.outcome and state.last_scored:
            yield record, state.outcome, state.last_scored


def again(record: Mapping[str, Any]) -> MatchState | None:
    """Return another record played; `None` where it cannot have been so."""
    try:
        return play_record(read_record(record), RULEBOOK)
    except RefusedRecord:
        return None


def made_bid(hand: HandResult) -> tuple[str, ...]:
    """Return the sides whose bid was made, by the hand alone."""
    return hand.bidders if hand.made else ()


def was_set(hand: HandResult) -> tuple[str, ...]:
    """Return the sides whose bid was set, by the hand alone."""
    if hand.set_taken_by:
        return tuple(side for side, often in ((hand.score and hand.score.sets) or {}).items() if often)
    return hand.bidders if hand.made is False else ()


def test_no_side_wins_by_its_bid_in_a_hand_in_which_it_was_set() -> None:
    for record, outcome, hand in ended():
        if outcome.chosen_by == "bid" or outcome.rule in ("made_bid", "bidder_or_play_on", "moon_won"):
            assert set(outcome.winners) <= set(made_bid(hand)), record


def test_every_clause_of_the_win_rule_holds_of_a_winner() -> None:
    for record, outcome, hand in ended():
        if outcome.rule not in BY_TARGET:
            continue
        winning, (winner,) = hand.ruleset.winning, outcome.winners
        made, was_failed = winner in made_bid(hand), set(was_set(hand)) - {winner}
        assert has_reached_target(hand.ruleset, hand.scores[winner]), record
        assert winning.win_rule != "made_bid" or made, record
        assert not winning.defenders_stop_at_one or made or was_failed, record
        assert not winning.win_by or leads_by(hand, winner) >= winning.win_by, record


def leads_by(hand: HandResult, side: str) -> int:
    """Return by how much a side leads the best of the others."""
    mine, others = hand.scores[side], [score for other, score in hand.scores.items() if other != side]
    best = max((comparable(hand.ruleset, score) for score in others), default=-(10**9))
    return comparable(hand.ruleset, mine) - best


def test_nobody_who_may_win_has_a_better_score_unless_the_rule_says_so() -> None:
    for record, outcome, hand in ended():
        if outcome.rule in NOT_BY_SCORE or hand.standing is None:
            continue
        rivals = [side for side in hand.standing.candidates if side not in outcome.losers]
        best = max((comparable(hand.ruleset, hand.scores[side]) for side in rivals), default=None)
        if best is not None and outcome.rule in BY_TARGET:
            assert comparable(hand.ruleset, hand.scores[outcome.winners[0]]) == best, record


def test_nothing_more_counts_after_the_end() -> None:
    for record, state in odd_matches():
        if not state.goes_on:
            last = state.last_scored
            late = state.results[last.position if last else 0 :]
            assert {hand.status for hand in late} <= {"after_end"}, record


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
        rules = RULEBOOK.agreed(record["variant"], record["house"])
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
    alone = Library({ruleset.id: ruleset})
    records = [random_record(Random(seed), alone) for seed in range(40)]
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


def test_a_record_that_is_written_again_has_the_same_end() -> None:
    for record, state in odd_matches():
        other = again(write_record(replace(read_record(record), note="again")))
        assert other is not None
        assert (winners(state), state.question) == (winners(other), other.question), record
