"""The setup of a match: the rules, seats, sides, names and scores with which it began."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from scorekeeper.pitch.drawings.markers import NUMBER_OF_MARKERS
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.scoring.match import Start
from scorekeeper.pitch.scoring.seats import NAME_SEPARATOR, Seats, Side, side_name_faults, table_faults
from scorekeeper.pitch.text.phrases import LETTERS_BY_NAME, PRONOUN_LETTERS, Pronouns

DEFAULT_SIDE_NAMES = ("Us", "Them")
"""The stored names of two sides that nobody named."""


@dataclass(frozen=True, slots=True)
class SetupSeat:
    """A seat, with the name of the player who sat there at the start; ids are `p1`, `p2`, … clockwise."""

    id: str
    name: str
    unnamed: bool = False
    """Whether no name was entered, so that `name` is like "Seat 3", and stands for no person."""


@dataclass(frozen=True, slots=True)
class SetupSide:
    """A side at the start: the players who share a score, with its name and its marker.

    Its id is `s1`, `s2`, …, or the id of the seat if each player scores alone.
    """

    id: str
    name: str | None
    """The side's own name; `None` for a side that is named after its players."""
    seats: tuple[str, ...] = ()
    mark: int | None = None
    """The number of the side's marker at the start; `None` for the default marker of its position."""
    unnamed: int = 0
    """For a side without a name and without seats, the chair, from 1, that deals first; else 0.

    In old matches, this may also be the chair of a nameless player who scores alone.
    """
    evening: str = ""
    """The uid of the evening's first match, the same for every side.

    Empty in that first match itself, and in matches in which everybody has a name.
    """

    def join_names(self, names: Mapping[str, str]) -> str:
        """Return the joined names of the side's players: "Ann & Cal"."""
        return NAME_SEPARATOR.join(names[seat] for seat in self.seats)


@dataclass(frozen=True, kw_only=True)
class MatchSetup:
    """A match as it began, with its first rules and names; later changes are in the log."""

    id: int
    uid: str
    """The id of the match that is the same on every server, and is used in files."""
    created_at: datetime
    variant: str
    house: Mapping[str, Any]
    """The answers to house options at the start, keyed by option."""
    digest: str
    """The digest of the ruleset; the ruleset itself is stored beside the setup."""
    seats: tuple[SetupSeat, ...]
    sides: tuple[SetupSide, ...]
    start: Mapping[str, Any]
    """What was carried over from paper, with the keys of a record: `{"scores": {"s1": 10}, "hands": 3}`."""
    first_dealer: str | None
    """The id of the seat or side that deals first; `None` if none was entered."""
    title: str
    played_on: str | None
    place: str | None
    note: str | None
    zone: str | None = None
    """The time zone of the phone that started the match; `None` if it is not known."""

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids of all seats and sides, each once."""
        return tuple(dict.fromkeys((*(seat.id for seat in self.seats), *(side.id for side in self.sides))))

    @cached_property
    def seating(self) -> Seats:
        """The seats and sides as the engine needs them."""
        return Seats(tuple(Side(side.id, side.seats) for side in self.sides), tuple(seat.id for seat in self.seats))

    @property
    def ids_by_name(self) -> dict[str, str]:
        """The ids of seats and sides, keyed by their names at the start; a seat takes precedence over a side."""
        return {name: who for who, name in reversed(self.record_names({}).items())}

    def with_markers(self, markers: Sequence[int]) -> "MatchSetup":
        """Return the setup with these markers for its sides, in order.

        The setup stays as it is unless the markers are valid, all different, and as many as the sides.
        """
        valid_markers = {marker for marker in markers if 1 <= marker <= NUMBER_OF_MARKERS}
        if len(markers) != len(self.sides) or len(valid_markers) != len(markers):
            return self
        return replace(
            self, sides=tuple(replace(side, mark=marker) for side, marker in zip(self.sides, markers, strict=True))
        )

    def with_unnamed_sides(self, first_chair: int) -> "MatchSetup":
        """Return the setup with all sides marked as unnamed, each with the first chair that deals for it.

        `first_chair`, from 0, is the chair of the first dealer.
        """
        side_count = len(self.sides)
        sides = (
            replace(side, unnamed=first_chair + (index - first_chair) % side_count + 1)
            for index, side in enumerate(self.sides)
        )
        return replace(self, sides=tuple(sides))

    def with_evening(self, evening: str) -> "MatchSetup":
        """Return the setup with the uid of the evening's first match; unchanged if everybody has a name."""
        if not self._unnamed:
            return self
        return replace(self, sides=tuple(replace(side, evening=evening) for side in self.sides))

    @property
    def carried_over(self) -> Start:
        """The scores, hands and sets that were carried over from paper."""
        start = self.start
        return Start(start.get("scores") or {}, start.get("hands") or 0, start.get("sets") or {})

    def side_of(self, who: str) -> str:
        """Return the side of the seat `who`; `who` itself if it is a side, or a seat whose partners change."""
        return self.seating.side_of(who) or who

    def record_names(self, renamed: Mapping[str, str]) -> dict[str, str]:
        """Return the names for records, keyed by id; a side that nobody named may have a stored name, such as "Us".

        `renamed` has the changed names, keyed by id.
        """
        names = {seat.id: renamed.get(seat.id) or seat.name for seat in self.seats}
        for side in self.sides:
            if side.id not in names:
                name = self.stored_name(side, renamed)
                is_after_players = renamed and name == self._join_original_names(side)
                names[side.id] = (not is_after_players and name) or side.join_names(names) or side.name or side.id
        return names

    def _join_original_names(self, side: SetupSide) -> str:
        """Return the joined names of a side's players as they were before any change."""
        return side.join_names({seat.id: seat.name for seat in self.seats})

    @property
    def evening(self) -> str:
        """The uid of this evening's first match; if everybody has a name, that of this match."""
        return self.sides[0].evening or self.uid

    @cached_property
    def _unnamed(self) -> frozenset[str]:
        """The ids of the seats and sides that began without a name."""
        sides = (side.id for side in self.sides if side.unnamed)
        return frozenset(sides).union(seat.id for seat in self.seats if seat.unnamed)

    def is_nameless(self, who: str, renamed: Mapping[str, str]) -> bool:
        """Return whether a seat or side began without a name and has none now.

        `renamed` has the changed names, keyed by id. False for a side that is named after its players.
        """
        return who in self._unnamed and not renamed.get(who)

    def is_unnamed(self, renamed: Mapping[str, str]) -> bool:
        """Return whether every side is nameless; `renamed` has the changed names, keyed by id."""
        return all(self.is_nameless(side.id, renamed) for side in self.sides)

    def has_pronouns(self, renamed: Mapping[str, str]) -> bool:
        """Return whether there are two unnamed sides without players, so that each phone calls them We and They.

        `renamed` has the changed names, keyed by id.
        """
        return len(self.sides) == len(DEFAULT_SIDE_NAMES) and not self.seats and self.is_unnamed(renamed)

    def has_pronoun_names(self, renamed: Mapping[str, str]) -> bool:
        """Return whether a side is shown as "Us", "Side 1" or another name in `LETTERS_BY_NAME`, even an entered one.

        `renamed` has the changed names, keyed by id.
        """
        names = self.shown_names(renamed)
        return any(names[side.id] in LETTERS_BY_NAME for side in self.sides)

    def shown_names(self, renamed: Mapping[str, str], pronouns: Pronouns = "") -> dict[str, str]:
        """Return the names for pages and paper, keyed by id; a side without a name is named after its players.

        `renamed` has the changed names, keyed by id. With `pronouns`, private-use characters stand for the names in
        `LETTERS_BY_NAME`; `resolve_pronouns` turns these into words.
        """
        if pronouns and self.has_pronouns(renamed):
            return {side.id: name for side, name in zip(self.sides, PRONOUN_LETTERS[pronouns], strict=True)}
        shown_by_id, is_unnamed = self.record_names(renamed), self.is_unnamed(renamed)
        for number, side in enumerate(self.sides, 1):
            if not side.seats and not is_unnamed and self.is_nameless(side.id, renamed):
                shown_by_id[side.id] = f"Side {number}"
            elif side.seats and side.id not in side.seats and not self.chosen_name(side, renamed):
                shown_by_id[side.id] = side.join_names(shown_by_id)
        if len({shown_by_id[side.id] for side in self.sides}) < len(self.sides):
            shown_by_id = self.record_names(renamed)
        return {who: LETTERS_BY_NAME.get(name, name) for who, name in shown_by_id.items()} if pronouns else shown_by_id

    def seating_faults(self, renamed: Mapping[str, str], before: Mapping[str, str]) -> list[Fault]:
        """Return the faults of names that are invalid or not distinct, without those that were there `before`.

        `renamed` and `before` have the changed names, keyed by id, after and before the change.
        """
        earlier_faults = self._seating_faults(before)
        return [fault for fault in self._seating_faults(renamed) if fault not in earlier_faults]

    def _seating_faults(self, renamed: Mapping[str, str]) -> list[Fault]:
        """Return the faults of names that are invalid or not distinct; `renamed` has the changed ones, keyed by id."""
        names = self.record_names(renamed)
        players = [names[seat.id] for seat in self.seats]
        if self.has_named_sides(renamed):
            return table_faults(
                players, [(names[side.id], [names[seat] for seat in side.seats]) for side in self.sides]
            )
        teams = [names[side.id] for side in self.sides if len(side.seats) > 1]
        return table_faults(players, ()) or side_name_faults(players, teams)

    def markers(self, changed_markers: Mapping[str, int]) -> dict[str, int]:
        """Return the marker of each side, from 1 to `NUMBER_OF_MARKERS`, keyed by the id of the side.

        `changed_markers` has those that sides took since the start, keyed alike; they take precedence.
        """
        return {
            side.id: changed_markers.get(side.id) or side.mark or index % NUMBER_OF_MARKERS + 1
            for index, side in enumerate(self.sides)
        }

    def has_named_sides(self, renamed: Mapping[str, str]) -> bool:
        """Return whether a record has to list the sides: one has its own name, or there are no players.

        `renamed` has the changed names, keyed by id.
        """
        return not self.seats or any(self.stored_name(side, renamed) for side in self.sides)

    def stored_name(self, side: SetupSide, renamed: Mapping[str, str]) -> str | None:
        """Return a side's name as stored, such as "Us"; `None` or empty if it is named after its players.

        `renamed` has the changed names, keyed by id. The changed name of a player who scores alone is not the side's.
        """
        is_seat = any(side.id == seat.id for seat in self.seats)
        return side.name if is_seat or side.id not in renamed else renamed[side.id]

    def chosen_name(self, side: SetupSide, renamed: Mapping[str, str]) -> str | None:
        """Return the name that people chose for a side; `None` if there is none.

        `renamed` has the changed names, keyed by id. A changed name of a player who scores alone counts as the side's.
        """
        if side.id in renamed:
            return renamed[side.id] or None
        return (
            None if side.unnamed or side.name in (*DEFAULT_SIDE_NAMES, self._join_original_names(side)) else side.name
        )
