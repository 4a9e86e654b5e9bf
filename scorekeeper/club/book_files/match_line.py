"""The setup of a match, read from its line in a book's file, and events of it that could not be shown."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from scorekeeper.club.book_files.event_lines import needed_uid, read_moment
from scorekeeper.eventlog.fields import ID_LENGTH, read_printable
from scorekeeper.eventlog.stream import StoredEvent
from scorekeeper.matches import events as kinds
from scorekeeper.matches.events import HandAdded, HandCorrected
from scorekeeper.matches.setup import MatchSetup, SetupSeat, SetupSide
from scorekeeper.pitch.drawings.markers import MARKS
from scorekeeper.pitch.records.json_parser import Reader, read_date, read_house
from scorekeeper.pitch.records.limits import (
    MAX_EVENTS,
    NAME_LENGTH,
    NOTE_LENGTH,
    PLACE_LENGTH,
    TITLE_LENGTH,
    ZONE_LENGTH,
    name_faults,
)
from scorekeeper.pitch.records.record import read_start
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import people_in
from scorekeeper.pitch.scoring.seats import seat

_KEYS = (
    *("match", "created_at", "variant", "house", "rules", "seats", "sides", "start", "first_dealer"),
    *("title", "played_on", "place", "note", "zone", "facts"),
)
_MAX_SEATS = 20
_MAX_SIDE_LENGTH = 60
"""A side may be named after its players in a match that came from a record."""
NEVER = datetime(1970, 1, 1, tzinfo=UTC)


def read_setup(item: Mapping[str, Any]) -> tuple[MatchSetup, int, list[Fault]]:
    """Return the setup of a match and the number of events that follow, with every fault in the line."""
    reader = Reader(item)
    reader.allow(_KEYS)
    expected = reader.count("facts", MAX_EVENTS)
    if expected is None:
        reader.refuse("facts", "missing", "A match says how many facts follow.")
    setup = MatchSetup(
        id=0,
        uid=needed_uid(reader, "match"),
        created_at=read_moment(reader, "created_at") or NEVER,
        variant=read_printable(reader, "variant", 60) or "",
        house=read_house(reader, "house") or {},
        digest=reader.text("rules", 64) or "",
        seats=tuple(_read_seats(reader)),
        sides=tuple(_read_sides(reader)),
        start=read_start(reader),
        first_dealer=reader.text("first_dealer", ID_LENGTH),
        title=read_printable(reader, "title", TITLE_LENGTH) or "",
        played_on=read_date(reader, "played_on"),
        place=read_printable(reader, "place", PLACE_LENGTH),
        note=read_printable(reader, "note", NOTE_LENGTH, lines=True),
        zone=read_printable(reader, "zone", ZONE_LENGTH),
    )
    return setup, expected or 0, reader.faults or list(_table_faults(setup))


def _read_seats(reader: Reader) -> Iterator[SetupSeat]:
    for one in reader.objects("seats", _MAX_SEATS, "A seat is an object."):
        one.allow(("id", "name", "unnamed"))
        name = read_printable(one, "name", NAME_LENGTH) or ""
        reader.faults += name_faults(f"{one.prefix}name", name)
        yield SetupSeat(one.text("id", ID_LENGTH) or "", name, bool(one.flag("unnamed")))


def _read_sides(reader: Reader) -> Iterator[SetupSide]:
    for side in reader.objects("sides", _MAX_SEATS, "A side is an object."):
        side.allow(("id", "name", "seats", "mark", "unnamed", "evening"))
        seats = tuple(item for item in side.items("seats", _MAX_SEATS) or () if isinstance(item, str))
        mark = side.count("mark", MARKS)
        name = read_printable(side, "name", _MAX_SIDE_LENGTH)
        unnamed = side.count("unnamed", _MAX_SEATS) or 0
        evening = side.text("evening", 22) or ""
        yield SetupSide(side.text("id", ID_LENGTH) or "", name, seats, mark or None, unnamed, evening)


def _table_faults(setup: MatchSetup) -> Iterator[Fault]:
    """Yield the faults of the seats and sides themselves: an id that is missing, there twice or unknown."""
    ids, side_ids = [setup_seat.id for setup_seat in setup.seats], [setup_side.id for setup_side in setup.sides]
    if len(set(ids)) < len(ids) or len(set(side_ids)) < len(side_ids) or not all((*ids, *side_ids)):
        yield Fault("sides", "bad_value", "Every seat and every side has an id of its own.")
    started = (*setup.start.get("scores", ()), *setup.start.get("sets", ()))
    told = (*(who for side in setup.sides for who in side.seats), *started, *filter(None, [setup.first_dealer]))
    yield from (_stranger("sides", who) for who in told if who not in (*ids, *side_ids))


def seating_faults(setup: MatchSetup, ruleset: Ruleset) -> list[Fault]:
    """Return the faults of a seating that the match's rules do not allow."""
    names = setup.names({})
    players = tuple(names[setup_seat.id] for setup_seat in setup.seats)
    sides = tuple((names[setup_side.id], tuple(names[who] for who in setup_side.seats)) for setup_side in setup.sides)
    seats, faults = seat(ruleset, players or None, sides if setup.has_named_sides({}) else None, is_new=False)
    is_same = seats is not None and len(seats.sides) == len(sides) and seats.players == players
    return list(faults) if faults or is_same else [Fault("sides", "bad_value", "Nobody sits like that by these rules.")]


def match_faults(setup: MatchSetup, events: Iterable[StoredEvent]) -> Iterator[Fault]:
    """Yield what could not be shown: an unknown seat or side, a key or an event that is there twice."""
    keys, left = set[str](), set[str]()
    known = set(setup.ids)
    whose: list[str | None]
    for event in events:
        if event.idempotency_key in keys:
            yield Fault("key", "repeated_key", "This key was there before.")
        keys.add(event.idempotency_key)
        match event.data:
            case HandAdded(hand=hand, by=by) | HandCorrected(hand=hand, by=by):
                yield from (_stranger(path, who) for path, who in people_in(hand) if who not in known)
                if hand.sits_in:
                    yield Fault("hand.sits_in", "unknown_key", "Whoever sits in does so by a fact of its own.")
                whose = [by]
            case kinds.Renamed(names=names, left=named):
                whose = [*names, *(seat_id for seat_id in named or () if seat_id not in left)]
            case kinds.SatIn(names=names):
                whose = [*names]
                left |= {f"{who}/{event.seq}" for who in names}
                for who, name in names.items():
                    yield from name_faults(f"names.{who}", name)
            case kinds.Marked(marks=marks):
                whose = [*marks]
            case kinds.DealerMoved(who=who):
                whose = [who]
            case _:
                whose = [getattr(event.data, "by", None)]
        yield from (_stranger("", who) for who in whose if who is not None and who not in known)


def _stranger(field: str, who: str) -> Fault:
    return Fault(field, "unknown_player", f"Nobody at this table is known as {who!r}.")
