"""Start a match from a record without hands, and give its seats and sides their ids."""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy.orm import Session

from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.eventlog.store import Writer, add_once
from scorekeeper.eventlog.stream import OWNER, Refused, refusal
from scorekeeper.matches import store as matches
from scorekeeper.matches.fold import Match
from scorekeeper.matches.log import match_day
from scorekeeper.matches.service import load_match, write_ruleset
from scorekeeper.matches.setup import MatchSetup, SetupSeat, SetupSide
from scorekeeper.pitch.drawings.markers import NUMBER_OF_MARKS
from scorekeeper.pitch.records.record import Record, RefusedRecord, start_with_ids
from scorekeeper.pitch.records.result import Rulebook, play_record_under
from scorekeeper.pitch.rules.entered_text import name_faults, remark_faults
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.house_rules import HouseRules, Variants, without_moot_answers
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.pitch.scoring.search_budget import Budget
from scorekeeper.pitch.scoring.seats import Seats, seat_table
from scorekeeper.random_codes import new_code


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """The seats and the sides of a match that begins, with their ids."""

    seats: tuple[SetupSeat, ...]
    sides: tuple[SetupSide, ...]

    def with_marks(self, marks: Sequence[int]) -> "SeatedTable":
        """Return the table with a marker for each side, in order; itself unless these are as many different markers."""
        usable = {mark for mark in marks if 1 <= mark <= NUMBER_OF_MARKS}
        if len(marks) != len(self.sides) or len(usable) != len(marks):
            return self
        return replace(self, sides=tuple(replace(side, mark=m) for side, m in zip(self.sides, marks, strict=True)))

    def with_unnamed_sides(self, first: int) -> "SeatedTable":
        """Return the table with sides that nobody named, where the chair `first`, from 0, deals first."""
        count = len(self.sides)
        sides = (replace(side, unnamed=first + (index - first) % count + 1) for index, side in enumerate(self.sides))
        return replace(self, sides=tuple(sides))

    def with_evening(self, evening: str) -> "SeatedTable":
        """Return the table with the evening's first match, by its uid, if a seat or a side has no name; else itself."""
        if not (any(seat.unnamed for seat in self.seats) or any(side.unnamed for side in self.sides)):
            return self
        return replace(self, sides=tuple(replace(side, evening=evening) for side in self.sides))

    @property
    def ids(self) -> dict[str, str]:
        """Everybody's id by name."""
        ids = {side.name: side.id for side in self.sides if side.name}
        ids.update({seat.name: seat.id for seat in self.seats})
        names = {seat.id: seat.name for seat in self.seats}
        for side in self.sides:
            ids.setdefault(side.join_names(names), side.id)
        return ids


def start_match(
    session: Session,
    rulesets: Variants,
    record: Record,
    writer: Writer,
    *,
    first_dealer: str | None = None,
    first_chair: int | None = None,
    again: MatchSetup | None = None,
    marks: Sequence[int] = (),
    in_transaction: Callable[[int], None] | None = None,
) -> Match:
    """Start a match from a record without hands, and commit; raises `Refused`.

    A form that is posted twice starts one match. Its day is today, by the phone's clock, where the record names none.
    An answer to an option that decides nothing is not stored. `first_dealer` is a name: a player's, or a side's where
    no seating was entered. `first_chair` is the chair, from 0, of the dealer at a table without any names.
    `again` is the match that the table played before, and `marks` are the markers of the sides, in order.
    `in_transaction` writes more in the same transaction, given the id of the match; it commits nothing.
    """
    idempotency_key = writer.idempotency_key
    dated = replace(record, played_on=record.played_on or match_day(None, datetime.now(UTC), writer.zone))

    def add() -> str:
        try:
            _, begun = check_record(dated, Rulebook(rulesets))
            house = without_moot_answers(rulesets[dated.variant], dated.house, len(begun.seats.ids))
            kept = replace(dated, house=house)
            ruleset, begun = check_record(kept, Rulebook(rulesets))
        except RefusedRecord as refused:
            raise Refused(refused.faults) from None
        if begun.outcome:
            raise refusal("start.hands", "After so many hands this match is over. Check the hands played.")
        if first_dealer is not None and first_dealer not in begun.seats.chairs:
            raise refusal("first_dealer", "Nobody at this table has that name.")
        table = number_seats(ruleset, begun.seats, kept.unnamed).with_marks(marks)
        if first_chair is not None:
            table = table.with_unnamed_sides(first_chair)
        table = table.with_evening(again.evening if again else "")
        setup = new_setup(kept, table, first_dealer, writer.zone)
        match_id = add_match_of_setup(session, setup, ruleset, idempotency_key)
        code = new_code()
        MATCH_LINKS.add(session, match_id, code, OWNER, datetime.now(UTC))
        if in_transaction is not None:
            in_transaction(match_id)
        return code

    def find() -> str | None:
        return MATCH_LINKS.code_of_form(session, idempotency_key)

    # Another phone may put a match into the same book at the same moment.
    return load_match(session, add_once(session, find, add))


def check_record(record: Record, rulebook: Rulebook, budget: Budget | None = None) -> tuple[Ruleset, MatchState]:
    """Return the rules that a record begins with, and its match; raises `RefusedRecord` beyond a rule or a limit."""
    ruleset = rulebook.ruleset_for(record.variant, record.house)
    if named := record.house_rules:
        ruleset = rulebook.with_house_name(ruleset, HouseRules(named.name, record.variant, record.house, named.notes))
    faults: list[Fault] = []
    for i, name in enumerate(record.players or ()):
        faults += name_faults(f"players.{i}", name)
    for i, (name, members) in enumerate(record.sides or ()):
        faults += name_faults(f"sides.{i}.name", name)
        for j, member in enumerate(members):
            if member not in (record.players or ()):
                faults += name_faults(f"sides.{i}.players.{j}", member)
    faults += remark_faults(record.title, record.place, record.note, record.played_on)
    if not faults:
        _, faults = seat_table(ruleset, record.players, record.sides)
    if faults:
        raise RefusedRecord(faults)
    return ruleset, play_record_under(record, ruleset, budget)


def add_match_of_setup(session: Session, setup: MatchSetup, ruleset: Ruleset, idempotency_key: str | None) -> int:
    """Insert a match without hands or links, and return its id; commits nothing."""
    text, digest = write_ruleset(ruleset)
    values = matches.setup_values(replace(setup, digest=digest))
    return matches.add_match(session, {**values, "ruleset": text}, idempotency_key)


def new_setup(
    record: Record, table: SeatedTable, first_dealer: str | None = None, zone: str | None = None
) -> MatchSetup:
    """Return the setup of a match that begins now with a record, still without its id and the digest of its rules."""
    return MatchSetup(
        id=0,
        uid=new_code(),
        created_at=datetime.now(UTC),
        variant=record.variant,
        house=record.house,
        digest="",
        seats=table.seats,
        sides=table.sides,
        start=start_with_ids(record.start, table.ids),
        first_dealer=table.ids[first_dealer] if first_dealer is not None else None,
        title=record.title or "",
        played_on=record.played_on,
        place=record.place,
        note=record.note,
        zone=zone,
    )


def number_seats(ruleset: Ruleset, seats: Seats, unnamed: Container[str]) -> SeatedTable:
    """Return seats and sides with ids; sides that follow from the players alone get no names of their own.

    `unnamed` has the names of the seats for which no name was entered.
    """
    ids = {name: f"p{number}" for number, name in enumerate(seats.players, 1)}
    plain, _ = seat_table(ruleset, seats.players, None) if seats.players else (None, [])
    is_plain = plain is not None and plain == seats
    sides = []
    for number, side in enumerate(seats.sides, 1):
        is_alone = side.seats == (side.id,) and side.id in ids
        side_id = ids[side.id] if is_alone else f"s{number}"
        members = tuple(ids[player] for player in side.seats if player in ids)
        sides.append(SetupSide(side_id, None if is_plain else side.id, members))
    return SeatedTable(tuple(SetupSeat(who, name, name in unnamed) for name, who in ids.items()), tuple(sides))
