"""How a match begins: from what a table agreed, or from a record."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.engine.record import Record, RecordFault, RefusedRecord
from scorekeeper.engine.result import Rulebook, Rulesets, play_under
from scorekeeper.engine.seats import Seats, seat
from scorekeeper.rules.house import HouseRules
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.bounds import key_faults, name_faults, record_text_faults, title_faults
from scorekeeper.services.load import LoadedMatch, load_match, write_ruleset
from scorekeeper.services.refusals import Refused, refusal, refuse_any
from scorekeeper.store import queries
from scorekeeper.store.codec import table_of
from scorekeeper.store.inserts import add_link, add_match
from scorekeeper.store.matches import MARKS, NAMES_JOINED, OWNER, StoredSeat, StoredSide
from scorekeeper.store.names import start_with


@dataclass(frozen=True, slots=True)
class Table:
    """Who sits where, with ids."""

    seats: tuple[StoredSeat, ...]
    sides: tuple[StoredSide, ...]

    def wearing(self, marks: Sequence[int]) -> "Table":
        """Give the sides their markers, in order; what does not give each its own is left aside."""
        usable = {mark for mark in marks if 1 <= mark <= MARKS}
        if len(marks) != len(self.sides) or len(usable) != len(marks):
            return self
        return replace(self, sides=tuple(replace(side, mark=m) for side, m in zip(self.sides, marks, strict=True)))

    @property
    def ids(self) -> dict[str, str]:
        """Everybody's id by name."""
        ids = {side.name: side.id for side in self.sides if side.name}
        ids.update({player.name: player.id for player in self.seats})
        names = {player.id: player.name for player in self.seats}
        for side in self.sides:
            ids.setdefault(NAMES_JOINED.join(names[player] for player in side.seats), side.id)
        return ids


def start_match(
    session: Session,
    rulesets: Rulesets,
    *,
    variant: str,
    client_key: str,
    house: Mapping[str, Any] | None = None,
    players: Sequence[str] | None = None,
    sides: Sequence[tuple[str, Sequence[str]]] | None = None,
    first_dealer: str | None = None,
    title: str = "",
    played_on: date | None = None,
    named: HouseRules | None = None,
    marks: Sequence[int] = (),
) -> LoadedMatch:
    """Begin a match and commit; raises `Refused`. A form that comes twice begins one match.

    `first_dealer` is a name: a player's, or a side's where nobody said who sits where. Where the table plays by a
    house's own rules, `named` gives them their name and notes; what is agreed is all in `house`. `marks` are the
    markers that the sides wear, in their order.
    """
    refuse_any(key_faults(client_key))
    if (known := queries.code_by_client_key(session, client_key)) is not None:
        return load_match(session, known)
    record = Record(
        variant=variant,
        house=dict(house or {}),
        players=tuple(players) if players else None,
        sides=tuple((name, tuple(members)) for name, members in sides) if sides else None,
        title=title or None,
        played_on=(played_on or date.today()).isoformat(),
    )
    try:
        ruleset, seats = check_record(record, Rulebook(rulesets))
    except RefusedRecord as refused:
        raise Refused(refused.faults) from None
    if named is not None:
        ruleset = named.dressed(ruleset, rulesets[variant])
    if first_dealer is not None and first_dealer not in seats.chairs:
        raise refusal("first_dealer", "unknown_player", "Nobody of that name sits at this table.")
    try:
        code, _ = begin(session, record, ruleset, seats, client_key=client_key, first_dealer=first_dealer, marks=marks)
        session.commit()
    except IntegrityError:  # the same form, twice at the same moment
        session.rollback()
        known = queries.code_by_client_key(session, client_key)
        if known is None:
            raise
        return load_match(session, known)
    return load_match(session, code)


def check_record(record: Record, rulebook: Rulebook) -> tuple[Ruleset, Seats]:
    """Hold a record against its rules, and against what fits; raises `RefusedRecord` with every fault."""
    ruleset = rulebook.agreed(record.variant, record.house)
    play_under(record, ruleset)
    seats, faults = seat(ruleset, record.players, record.sides)
    if seats is None:
        raise RefusedRecord([RecordFault(None, fault) for fault in faults])
    for i, name in enumerate(record.players or ()):
        faults += name_faults(f"players.{i}", name)
    for i, (name, members) in enumerate(record.sides or ()):
        faults += name_faults(f"sides.{i}.name", name)
        for j, member in enumerate(members):
            faults += name_faults(f"sides.{i}.players.{j}", member)
    faults += title_faults(record.title or "")
    faults += record_text_faults(record.place, record.note)
    if faults:
        raise RefusedRecord([RecordFault(None, fault) for fault in faults])
    return ruleset, seats


def begin(
    session: Session,
    record: Record,
    ruleset: Ruleset,
    seats: Seats,
    *,
    client_key: str | None,
    first_dealer: str | None = None,
    marks: Sequence[int] = (),
) -> tuple[str, int]:
    """Add a match without its hands, and give its owner's code and its id. Does not commit."""
    now = datetime.now(UTC)
    table = number_seats(ruleset, seats).wearing(marks)
    text, digest = write_ruleset(ruleset)
    start = {"scores": record.start_scores, "hands": record.start_hands, "sets": record.start_sets}
    match_id = add_match(
        session,
        {
            "created_at": now,
            "client_key": client_key,
            "variant": record.variant,
            "house": dict(record.house),
            "ruleset": text,
            "digest": digest,
            **table_of(table.seats, table.sides),
            "start": start_with({key: value for key, value in start.items() if value is not None}, table.ids),
            "first_dealer": table.ids[first_dealer] if first_dealer is not None else None,
            "title": record.title or "",
            "played_on": record.played_on,
            "place": record.place,
            "note": record.note,
        },
    )
    code = new_code()
    add_link(session, match_id, code, OWNER, now)
    return code, match_id


def new_code() -> str:
    """Make a link's code: 128 bits, and no dash in front, which a command would take for an option."""
    while (code := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return code


def number_seats(ruleset: Ruleset, seats: Seats) -> Table:
    """Give ids to seats and sides; a side is nameless where its players tell all about it."""
    ids = {name: f"p{number}" for number, name in enumerate(seats.players, 1)}
    plain, _ = seat(ruleset, seats.players, None) if seats.players else (None, [])
    is_plain = plain is not None and plain == seats
    sides = []
    for number, side in enumerate(seats.sides, 1):
        is_alone = side.players == (side.name,) and side.name in ids
        side_id = ids[side.name] if is_alone else f"s{number}"
        members = tuple(ids[player] for player in side.players if player in ids)
        sides.append(StoredSide(side_id, None if is_plain else side.name, members))
    return Table(tuple(StoredSeat(who, name) for name, who in ids.items()), tuple(sides))
