"""Every scene of every ruleset: told at the table, scored as the rules say."""

import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.pitch.records.record import Record, RefusedRecord, write_record
from scorekeeper.pitch.records.result import Rulebook, play_record, score_record
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import Hand
from scorekeeper.pitch.scoring.match import MatchState
from tests.common.library import LIBRARY, every_ruleset
from tests.common.notation import hand

RULEBOOK = Rulebook(LIBRARY)
EXPECTED = {"deltas", "scores", "made", "winners", "because", "paid", "owed", "refused", "next_dealer", "status"}
STARTS = {"scores": "start", "sets": "sets"}
"""What a match brings from paper, and how a scene calls it."""


@dataclass(frozen=True)
class Scene:
    """One thing that happens at a table."""

    ruleset: str
    at_table: list[str]
    told: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.ruleset}: {self.told['name']}"

    @property
    def expected(self) -> dict[str, Any]:
        return {key: value for key, value in self.told.items() if key in EXPECTED}

    @property
    def record(self) -> Record:
        variant = LIBRARY[self.ruleset]
        house = self.told.get("house", {})
        rules = RULEBOOK.agreed(self.ruleset, house) if self.told.get("refused", "")[:5] != "house" else variant
        names = self.told.get("at_table", self.at_table)
        return Record(
            variant=self.ruleset,
            house=house,
            players=None if _is_sides(variant, names) else tuple(names),
            sides=tuple((name, ()) for name in names) if _is_sides(variant, names) else None,
            start={name: self.told[key] for name, key in STARTS.items() if key in self.told},
            hands=tuple(_hands(self.told["hands"], rules, names)),
            stopped=self.told.get("stopped", False),
        )


def _is_sides(variant: Ruleset, names: list[str]) -> bool:
    return len(names) in variant.table.partners.values()


def _hands(told: list[str], rules: Ruleset, names: list[str]) -> Iterator[Hand]:
    sides = [" & ".join(names[i::2]) for i in range(2)]
    return (hand(text, rules, [*names, *sides]) for text in told)


def _scenes() -> Iterator[Scene]:
    for path in sorted(Path(__file__).parent.glob("*.toml")):
        told = tomllib.loads(path.read_text(encoding="utf-8"))
        for scene in told["scene"]:
            yield Scene(path.stem, told["at_table"], scene)


SCENES = tuple(_scenes())


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_scene(scene: Scene) -> None:
    result = score_record(write_record(scene.record), RULEBOOK)

    assert scene.expected
    assert _answers(result, scene.expected) == scene.expected
    if "refused" not in scene.expected:
        over = "over" if "winners" in scene.expected else "stopped" if scene.told.get("stopped") else "in_progress"
        assert result["status"] == over


def _answers(result: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """Give of a result what a scene asks for; of a hand's, the last one's."""
    if result["status"] == "refused":
        fields = [fault["field"] for fault in result["faults"]]
        return {"refused": expected["refused"] if expected.get("refused") in fields else fields}
    last = result["hands"][-1] if result["hands"] else {}
    everything = {
        **{key: last.get(key) for key in ("deltas", "made", "next_dealer", "status")},
        "paid": last.get("money"),
        "owed": result.get("money"),
        **{key: result[key] for key in ("scores", "winners", "because")},
    }
    return {key: everything.get(key) for key in expected}


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

    assert ends >= _ways_to_end(ruleset)


def _ways_to_end(ruleset: Ruleset) -> set[str]:
    winning = ruleset.winning
    ways = {"none"}
    if ruleset.money.settles == "none":
        ways.add(winning.win_rule or "first_to_target")
        if winning.win_rule == "first_to_target" and not winning.defenders_stop_at_one:
            ways.add("pegged" if winning.pegged else winning.tie_rule)
    if ruleset.moon.moon == "win_or_lose":
        ways |= {"moon_won", "moon_lost"}
    return ways
