"""Every scene of every ruleset is scored by its rules."""

import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.pitch.compare.sentences import ending_rule_sentences
from scorekeeper.pitch.records.record import RefusedRecord, record_as_json
from scorekeeper.pitch.records.result import play_record, score_record
from scorekeeper.pitch.rules.phrases import join_words
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.match import HandResult, MatchState, first_loser_clockwise
from scorekeeper.pitch.scoring.outlook import outlook
from scorekeeper.pitch.sheets.citations import Citations, CitedRule, citations
from scorekeeper.pitch.text.endings import goal_words, held_back_verdict, no_end_sentence, possible_endings_words
from scorekeeper.pitch.text.hands import (
    bid_words,
    bidding_remark,
    explanation_sentences,
    hand_lines,
    hand_remarks,
    line_words,
    moon_goes_on_sentence,
    not_counted_words,
)
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES, resolve_pronouns, with_pronouns
from scorekeeper.pitch.text.standing import money_sum_sentences, outlook_sentence, win_with_hand_words
from tests.common.library import LIBRARY, RULEBOOK, every_ruleset
from tests.scenarios.scene import Scene

OF_HAND: dict[str, Callable[[HandResult], Any]] = {
    "lines_say": lambda hand: [line_words(hand, line) for line in hand.score.lines] if hand.score else [],
    "remarks": lambda hand: [remark.text for remark in hand_remarks(hand, IDS_AS_NAMES)],
    "cites": lambda hand: [rule for remark in hand_remarks(hand, IDS_AS_NAMES) for rule in remark.rules],
    "bidding": lambda hand: [remark.text for remark in filter(None, [bidding_remark(hand, IDS_AS_NAMES)])],
    "bid_says": lambda hand: bid_words(hand, IDS_AS_NAMES),
    "lists": lambda hand: [f"{join_words(line.sides)}: {line.text}" for line in hand_lines(hand)],
    "explains": lambda hand: [*explanation_sentences(hand, IDS_AS_NAMES)],
    "in_vain": not_counted_words,
    "goes_on": moon_goes_on_sentence,
    "deciding_rules": lambda hand: [rule.id for rule in citations(hand.ruleset).deciding_rules(hand)],
}
"""Texts about the last hand, by the key of a scene that expects them."""
OF_MATCH: dict[str, Callable[[MatchState], Any]] = {
    "wins": lambda state: win_with_hand_words(state, IDS_AS_NAMES),
    "held_back": lambda state: [*held_back_verdict(state, IDS_AS_NAMES)],
    "can_win": lambda state: resolve_pronouns(
        outlook_sentence(state, with_pronouns(IDS_AS_NAMES), outlook(state).sides)
    ),
    "needs_bid": lambda state: [side.side for side in outlook(state).sides if side.needs_bid],
    "rests_on": lambda state: [rule.id for rule in _ending_rules(state)],
    "ruled_by": ending_rule_sentences,
    "goal": lambda state: goal_words(state.ruleset),
    "ends": lambda state: (
        possible_endings_words(state.ruleset, has_tie_rule=bool(_citations(state).first_rule("win.tie_rule")))
        or no_end_sentence(state.ruleset)
    ),
    "ended_by": lambda state: [rule.text for rule in _citations(state).ending_rules()],
    "loser_deals": lambda state: first_loser_clockwise(state) or "nobody lost",
    "bids_first": lambda state: outlook(state).first_bidder or "nobody known",
    "seated": lambda state: [*state.scores],
    "sums": lambda state: [*money_sum_sentences(state, IDS_AS_NAMES)],
}


def _citations(state: MatchState) -> Citations:
    return citations(state.ruleset, LIBRARY[state.ruleset.id])


def _ending_rules(state: MatchState) -> tuple[CitedRule, ...]:
    rules = _citations(state)
    return rules.outcome_rules(state) or rules.undecided_rules(state)


def _scenes() -> Iterator[Scene]:
    for path in sorted(Path(__file__).parent.glob("*.toml")):
        file = tomllib.loads(path.read_text(encoding="utf-8"))
        for scene in file["scene"]:
            yield Scene(path.stem, file["at_table"], scene)


SCENES = tuple(_scenes())


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_scene(scene: Scene) -> None:
    result = score_record(record_as_json(scene.record), RULEBOOK)

    assert scene.expected
    assert _answers(result, scene) == scene.expected
    if "refused" not in scene.expected:
        over = "over" if "winners" in scene.expected else "stopped" if scene.fields.get("stopped") else "in_progress"
        assert result["status"] == over


def _answers(result: dict[str, Any], scene: Scene) -> dict[str, Any]:
    """Return the parts of a result that a scene expects; of the hands, those of the last one."""
    expected = scene.expected
    if result["status"] == "refused":
        faults = result["faults"]
        found, fields = [*map(_fault_words, faults)], [fault["field"] for fault in faults]
        refused = expected["refused"] if expected.get("refused") in (*found, *fields) else found
        everything: dict[str, Any] = {"refused": refused, "says": [fault["message"] for fault in faults]}
        return {key: everything.get(key) for key in expected}
    last = result["hands"][-1] if result["hands"] else {}
    everything = {
        **{key: last.get(key) for key in ("deltas", "made", "next_dealer", "status", "dealer")},
        "lines": [f"{line['side']} {line['points']} {line['reason']}" for line in last.get("lines", ())],
        "bid": f"{last['bidder']} {last['bid']}" if "bid" in last else None,
        "rules": {name: scene.rules.answer(name) or False for name in expected.get("rules", ())},
        "paid": last.get("money"),
        "owed": result.get("money"),
        **{key: result.get(key) for key in ("scores", "winners", "because", "asks")},
    }
    if expected.keys() & {*OF_HAND, *OF_MATCH}:
        state = play_record(scene.record, RULEBOOK)
        everything |= {key: describe(state.results[-1]) for key, describe in OF_HAND.items() if key in expected}
        everything |= {key: describe(state) for key, describe in OF_MATCH.items() if key in expected}
    return {key: everything.get(key) for key in expected}


def _fault_words(fault: dict[str, Any]) -> str:
    """Name a fault by its hand, its field and its code."""
    return " ".join(map(str, filter(None, (fault["hand"], fault["field"], fault["code"]))))


def _played() -> dict[str, list[MatchState]]:
    states: dict[str, list[MatchState]] = defaultdict(list)
    for scene in SCENES:
        try:
            states[scene.ruleset].append(play_record(scene.record, RULEBOOK))
        except RefusedRecord:
            continue
    return states


PLAYED = _played()


@every_ruleset
def test_each_ruleset_has_scenes_for_its_points(ruleset: Ruleset) -> None:
    taken = {
        award_id
        for state in PLAYED[ruleset.id]
        for played in state.results
        for award_id, who in (played.hand.taken or {}).items()
        if who is not None
    }

    assert taken >= set(ruleset.in_play)


@every_ruleset
def test_each_ruleset_has_scenes_for_its_bids_made_and_failed(ruleset: Ruleset) -> None:
    seen = {
        (played.bid if isinstance(played.bid, str) else "number", played.score.made)
        for state in PLAYED[ruleset.id]
        for played in state.results
        if played.score and played.score.made is not None
    }
    wanted = {"number", *ruleset.special_bids} if ruleset.bidding.auction else set()

    assert seen >= {(bid, made) for bid in wanted for made in (True, False)}


@every_ruleset
def test_each_ruleset_has_scenes_for_its_ends(ruleset: Ruleset) -> None:
    ends = {state.outcome.rule if state.outcome else "none" for state in PLAYED[ruleset.id]}

    assert ends >= _possible_endings(ruleset)


def _possible_endings(ruleset: Ruleset) -> set[str]:
    winning = ruleset.winning
    rules = {"none"}
    if ruleset.money.settles == "none":
        rules.add(winning.win_rule or "first_to_target")
        if winning.win_rule == "first_to_target" and not winning.defenders_stop_at_one:
            rules.add("pegged" if winning.pegged else winning.tie_rule)
    if ruleset.moon.moon == "win_or_lose":
        rules |= {"moon_won", "moon_lost"}
    return rules
