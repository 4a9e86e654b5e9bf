"""A scene of a scenario file: the match it describes in the words of the table, and what is expected of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorekeeper.pitch.records.record import Record, record_as_json
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import Hand
from tests.common.library import LIBRARY
from tests.common.notation import hand

STARTS = {"scores": "start", "sets": "sets", "hands": "played"}
"""What a match brings from paper, and how a scene calls it."""
GIVEN = {*STARTS.values(), "name", "house", "at_table", "players", "sides", "hands", "stopped", "played_on"}
STRANGER = "Zed"
"""Who may be named and sits at no table."""


@dataclass(frozen=True)
class Scene:
    """One thing that happens at a table."""

    ruleset: str
    at_table: list[str]
    fields: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.ruleset}: {self.fields['name']}"

    @property
    def expected(self) -> dict[str, Any]:
        return {key: value for key, value in self.fields.items() if key not in GIVEN}

    @property
    def rules(self) -> Ruleset:
        """The rules of the house, or those of the book where its answers contradict each other."""
        rules, faults = with_house(LIBRARY[self.ruleset], self.fields.get("house", {}))
        return LIBRARY[self.ruleset] if faults else rules

    @property
    def record(self) -> Record:
        variant = LIBRARY[self.ruleset]
        names = self.fields.get("at_table", self.at_table)
        players, sides = self.fields.get("players"), self.fields.get("sides")
        if players is None and sides is None:
            is_sides = len(names) in variant.table.partners.values()
            players, sides = (None, dict.fromkeys(names, ())) if is_sides else (names, None)
        return Record(
            variant=self.ruleset,
            house=self.fields.get("house", {}),
            players=None if players is None else tuple(players),
            sides=None if sides is None else tuple((side, tuple(seats)) for side, seats in sides.items()),
            start={name: self.fields[key] for name, key in STARTS.items() if key in self.fields},
            hands=tuple(_hands(self.fields["hands"], self.rules, names)),
            stopped=self.fields.get("stopped", False),
            played_on=self.fields.get("played_on"),
        )


def told_record(
    ruleset: str, hands: Sequence[str | dict[str, Any]], at_table: Sequence[str] = ("Us", "Them"), **more: Any
) -> dict[str, Any]:
    """Return the record of a match that is told as a scene is."""
    return record_as_json(Scene(ruleset, [*at_table], {"hands": hands, **more}).record)


def _hands(entries: Sequence[str | dict[str, Any]], rules: Ruleset, names: list[str]) -> Iterator[Hand]:
    sides = [" & ".join(names[i::2]) for i in range(2)]
    newcomers = [who for entry in entries if isinstance(entry, dict) for who in entry.get("sits_in", {}).values()]
    for entry in entries:
        text, more = (
            (entry, {})
            if isinstance(entry, str)
            else (entry["told"], {key: entry[key] for key in entry.keys() - {"told"}})
        )
        yield replace(hand(text, rules, [*names, *sides, *newcomers, STRANGER]), **more)
