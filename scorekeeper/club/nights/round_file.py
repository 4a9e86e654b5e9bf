"""A round as a file: who sits where and who won, and the next round of it."""

from dataclasses import dataclass
from typing import Any

from scorekeeper.club.nights.moves import next_tables
from scorekeeper.pitch.records.json_parser import Reader, is_text
from scorekeeper.pitch.rules.faults import Fault

MOST_IN_FILE = 1000


@dataclass(frozen=True, slots=True)
class RoundFile:
    """A round that was played: its tables, the lowest first, and who won at each."""

    tables: tuple[tuple[str, str], ...]
    winners: tuple[str, ...]
    is_last: bool = False


def read_round(data: object) -> tuple[RoundFile | None, list[Fault]]:
    """Read a round from JSON; without a round there are faults."""
    if not isinstance(data, dict):
        return None, [Fault("", "not_object", "A round is an object with “tables” and “winners”.")]
    reader = Reader(data)
    reader.allow(("tables", "winners", "last_round"))
    tables, winners = (reader.items(key, MOST_IN_FILE) for key in ("tables", "winners"))
    is_last = reader.flag("last_round")
    for key, found in (("tables", tables), ("winners", winners)):
        if found is None and not any(fault.field == key for fault in reader.faults):
            reader.refuse(key, "missing", "This is missing.")
    if reader.faults or tables is None or winners is None:
        return None, reader.faults
    _check_tables(reader, tables)
    if not reader.faults:
        _check_winners(reader, tables, winners)
    if reader.faults:
        return None, reader.faults
    return RoundFile(tuple((first, second) for first, second in tables), tuple(winners), bool(is_last)), []


def _check_tables(reader: Reader, tables: list[Any]) -> None:
    if not tables:
        reader.refuse("tables", "no_tables", "There is no table. Write at least one, with the two sides at it.")
    seen: dict[str, int] = {}
    for number, table in enumerate(tables, 1):
        field = f"tables.{number - 1}"
        if not isinstance(table, list) or len(table) != 2 or not all(is_text(side) and side.strip() for side in table):
            reader.refuse(field, "bad_table", f"Table {number} needs the names of two sides.")
            continue
        for side in table:
            if side in seen:
                reader.refuse(field, "twice", f"{side} sits at table {seen[side]} and at table {number}.")
            seen[side] = number


def _check_winners(reader: Reader, tables: list[list[str]], winners: list[Any]) -> None:
    if len(winners) != len(tables):
        how_many = f"There are {len(tables)} tables and {len(winners)} winners"
        reader.refuse("winners", "how_many", f"{how_many}. Name one winner for each table, the lowest first.")
        return
    for number, (sides, winner) in enumerate(zip(tables, winners, strict=True), 1):
        if not isinstance(winner, str) or winner not in sides:
            first, second = sides
            reader.refuse(
                f"winners.{number - 1}", "not_there", f"The winner at table {number} must be {first} or {second}."
            )


def write_next(played: RoundFile) -> dict[str, Any]:
    """Return what follows a round as JSON has it: the tables of the next one, or the champion of the night."""
    if played.is_last:
        return {"tables": [list(sides) for sides in played.tables], "champion": played.winners[-1]}
    return {"tables": [list(sides) for sides in next_tables(played.tables, played.winners)], "champion": None}
