"""Read the lines of matches, nights and events in a book's file.

Since a file may be written by hand, lines are checked for their syntax, and for values that would break a page.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial

from scorekeeper.book.events import BOOK_EVENT_KINDS
from scorekeeper.club.book_files.file import LaterFormat
from scorekeeper.club.nights.events import (
    NIGHT_EVENT_KINDS,
    EntrantArrived,
    EntrantRenamed,
    EntrantReturned,
    GameWon,
    MatchKept,
)
from scorekeeper.club.nights.night import MAX_NIGHT_EVENTS, MAX_ROUNDS, MAX_SIDE_SIZE, Night
from scorekeeper.club.nights.store import NightSetup
from scorekeeper.eventlog.fields import MAX_SEAT_ID_LENGTH, read_printable_text, read_uid
from scorekeeper.eventlog.store import PAYLOAD_VERSION, PAYLOAD_VERSION_KEY, parse_event
from scorekeeper.eventlog.stream import Event, Redone, Refused, StoredEvent, Undone, refusal, refuse_any
from scorekeeper.matches import events as match_events
from scorekeeper.matches.events import EVENT_KINDS, HandAdded, HandCorrected
from scorekeeper.matches.setup import MatchSetup, SetupSeat, SetupSide
from scorekeeper.pitch.drawings.markers import NUMBER_OF_MARKERS
from scorekeeper.pitch.records.json_parser import JsonParser, read_date, read_house
from scorekeeper.pitch.records.record import read_start
from scorekeeper.pitch.rules.entered_text import (
    MAX_ACTOR_LENGTH,
    MAX_EVENTS,
    MAX_KEY_LENGTH,
    MAX_NAME_LENGTH,
    MAX_NOTE_LENGTH,
    MAX_PLACE_LENGTH,
    MAX_TIME_ZONE_LENGTH,
    MAX_TITLE_LENGTH,
    name_faults,
)
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import people_in
from scorekeeper.pitch.scoring.seats import seat_table

_EVENT_LINE_KEYS = ("kind", "key", "at", "actor", "payload")


def read_event_line(
    line: Mapping[str, object], seq: int, classes_by_kind: Mapping[str, type[Event]], max_key_length: int
) -> tuple[StoredEvent | None, list[Fault]]:
    """Return the event in a line and no faults; for an invalid line, `None` and its faults.

    `seq` is the event's number in its stream. Raises `LaterFormat` for an unknown kind of event, and for a payload of a
    later version.
    """
    parser = JsonParser(line)
    parser.refuse_other_keys(_EVENT_LINE_KEYS)
    kind = parser.text("kind", 16) or ""
    idempotency_key = _read_idempotency_key(parser, max_key_length)
    at = read_moment(parser, "at")
    actor = read_printable_text(parser, "actor", MAX_ACTOR_LENGTH)
    payload = parser.json_object("payload") or {}
    version = payload.get(PAYLOAD_VERSION_KEY)
    is_later = isinstance(version, int) and version > PAYLOAD_VERSION
    if parser.faults:
        return None, parser.faults
    if kind not in classes_by_kind or is_later:
        raise LaterFormat
    if version != PAYLOAD_VERSION:
        parser.refuse(PAYLOAD_VERSION_KEY, "bad_value", f"This must be {PAYLOAD_VERSION}.")
    event, faults = parse_event(classes_by_kind[kind], payload)
    parser.faults += faults
    if parser.faults or event is None:
        return None, parser.faults
    return StoredEvent(seq, idempotency_key, at, actor or "", event), []


read_match_event = partial(read_event_line, classes_by_kind=EVENT_KINDS, max_key_length=MAX_KEY_LENGTH)
read_book_event = partial(read_event_line, classes_by_kind=BOOK_EVENT_KINDS, max_key_length=MAX_KEY_LENGTH + 12)
read_night_event = partial(read_event_line, classes_by_kind=NIGHT_EVENT_KINDS, max_key_length=MAX_KEY_LENGTH)


def _read_idempotency_key(parser: JsonParser, max_length: int) -> str:
    """Return an event's idempotency key; if it is missing or invalid, add a fault to the parser."""
    idempotency_key = parser.text("key", max_length) or ""
    if not idempotency_key or not idempotency_key.isascii() or not idempotency_key.isprintable():
        parser.refuse("key", "bad_key", f"A key has 1 to {max_length} plain letters.")
    return idempotency_key


def read_moment(parser: JsonParser, json_key: str) -> datetime:
    """Return the time at a JSON key, in UTC; if it is invalid, add a fault to the parser, and return 1970.

    The time is written in ISO 8601 with an offset: "2026-11-20T18:20:00+00:00".
    """
    text = parser.text(json_key, 40)
    with suppress(ValueError, OverflowError):
        moment = datetime.fromisoformat(text or "")
        if moment.tzinfo:
            return moment.astimezone(UTC)
    parser.refuse(json_key, "not_a_moment", "A moment is written like 2026-11-20T18:20:00+00:00.")
    return datetime.fromtimestamp(0, UTC)


def read_required_uid(parser: JsonParser, json_key: str) -> str:
    """Return the uid at a JSON key; if it is missing or invalid, add a fault to the parser, and return ""."""
    _refuse_missing(parser, json_key)
    return read_uid(parser, json_key) or ""


def _refuse_missing(parser: JsonParser, *json_keys: str) -> None:
    """Add a fault to the parser for each of these JSON keys that has no value."""
    for json_key in json_keys:
        if parser.data.get(json_key) is None:
            parser.refuse(json_key, "missing", f"A file needs {json_key!r} here.")


_MATCH_LINE_KEYS = (
    *("match", "created_at", "variant", "house", "rules", "seats", "sides", "start", "first_dealer"),
    *("title", "played_on", "place", "note", "zone", "continues", "facts"),
)
_MAX_SEATS = 20
_MAX_VARIANT_LENGTH = 60
_MAX_SIDE_NAME_LENGTH = 60
"""The most characters of a side's name. A form allows fewer, but an imported side may be named after its players."""


def read_match_setup(line: Mapping[str, object]) -> tuple[MatchSetup, str, int, list[Fault]]:
    """Return a match's setup, the uid of the match that it continues, the number of its event lines, and the faults.

    The uid is empty if the match continues none. The `id` of the setup is 0.
    """
    parser = JsonParser(line)
    parser.refuse_other_keys(_MATCH_LINE_KEYS)
    _refuse_missing(parser, "facts")
    event_count = parser.whole_number("facts", MAX_EVENTS) or 0
    setup = MatchSetup(
        id=0,
        uid=read_required_uid(parser, "match"),
        created_at=read_moment(parser, "created_at"),
        variant=read_printable_text(parser, "variant", _MAX_VARIANT_LENGTH) or "",
        house=read_house(parser, "house") or {},
        digest=parser.text("rules", 64) or "",
        seats=tuple(_read_seats(parser)),
        sides=tuple(_read_sides(parser)),
        start=read_start(parser),
        first_dealer=parser.text("first_dealer", MAX_SEAT_ID_LENGTH),
        title=read_printable_text(parser, "title", MAX_TITLE_LENGTH) or "",
        played_on=read_date(parser, "played_on"),
        place=read_printable_text(parser, "place", MAX_PLACE_LENGTH),
        note=read_printable_text(parser, "note", MAX_NOTE_LENGTH, multiline=True),
        zone=read_printable_text(parser, "zone", MAX_TIME_ZONE_LENGTH),
    )
    earlier_uid = read_uid(parser, "continues") or ""
    return setup, earlier_uid, event_count, parser.faults or list(_seat_and_side_faults(setup))


def _read_seats(parser: JsonParser) -> Iterator[SetupSeat]:
    """Yield the seats in the line of a match; add the faults in them to the parser."""
    for seat_parser in parser.objects("seats", _MAX_SEATS, "A seat is an object."):
        seat_parser.refuse_other_keys(("id", "name", "unnamed"))
        name = read_printable_text(seat_parser, "name", MAX_NAME_LENGTH) or ""
        parser.faults += name_faults(f"{seat_parser.prefix}name", name)
        yield SetupSeat(seat_parser.text("id", MAX_SEAT_ID_LENGTH) or "", name, bool(seat_parser.flag("unnamed")))


def _read_sides(parser: JsonParser) -> Iterator[SetupSide]:
    """Yield the sides in the line of a match; add the faults in them to the parser."""
    for side_parser in parser.objects("sides", _MAX_SEATS, "A side is an object."):
        side_parser.refuse_other_keys(("id", "name", "seats", "mark", "unnamed", "evening"))
        seat_ids = tuple(item for item in side_parser.items("seats", _MAX_SEATS) or () if isinstance(item, str))
        marker = side_parser.whole_number("mark", NUMBER_OF_MARKERS)
        name = read_printable_text(side_parser, "name", _MAX_SIDE_NAME_LENGTH)
        unnamed = side_parser.whole_number("unnamed", _MAX_SEATS) or 0
        evening = side_parser.text("evening", 22) or ""
        yield SetupSide(
            side_parser.text("id", MAX_SEAT_ID_LENGTH) or "", name, seat_ids, marker or None, unnamed, evening
        )


def _seat_and_side_faults(setup: MatchSetup) -> Iterator[Fault]:
    """Yield faults for ids of seats and sides that are empty, repeated or unknown."""
    for ids in ([seat.id for seat in setup.seats], [side.id for side in setup.sides]):
        if len(set(ids)) < len(ids) or not all(ids):
            yield Fault("sides", "bad_value", "Every seat and every side has an id of its own.")
    start_ids = (*setup.start.get("scores", ()), *setup.start.get("sets", ()))
    side_seats = (seat_id for side in setup.sides for seat_id in side.seats)
    used_ids = (*side_seats, *start_ids, *filter(None, [setup.first_dealer]))
    yield from (_unknown_id_fault("sides", used_id) for used_id in used_ids if used_id not in setup.ids)


def seating_faults(setup: MatchSetup, ruleset: Ruleset) -> list[Fault]:
    """Return the faults in a match's seats and sides that its ruleset does not allow; empty if all are allowed."""
    names = setup.record_names({})
    players = tuple(names[seat.id] for seat in setup.seats)
    sides = tuple((names[side.id], tuple(names[seat_id] for seat_id in side.seats)) for side in setup.sides)
    seats, faults = seat_table(ruleset, players or None, sides if setup.has_named_sides({}) else None, is_new=False)
    is_same = seats is not None and len(seats.sides) == len(sides) and seats.players == players
    return list(faults) if faults or is_same else [Fault("sides", "bad_value", "Nobody sits like that by these rules.")]


def match_faults(setup: MatchSetup, events: Iterable[StoredEvent]) -> Iterator[Fault]:
    """Yield the faults in a match's events that would break its pages, such as the id of a seat that does not exist."""
    departure_ids, known_ids = set[str](), {*setup.ids}
    used_ids: list[str | None]
    for event in events:
        match event.data:
            case HandAdded(hand=hand, by=by) | HandCorrected(hand=hand, by=by):
                yield from (
                    _unknown_id_fault(path, seat_id) for path, seat_id in people_in(hand) if seat_id not in known_ids
                )
                if hand.sits_in:
                    yield Fault("hand.sits_in", "unknown_key", "Whoever sits in does so by an entry of its own.")
                used_ids = [by]
            case match_events.Renamed(names=names, left=names_by_departure):
                used_ids = [*names, *(key for key in names_by_departure or () if key not in departure_ids)]
            case match_events.PlayerSubstituted(names=names):
                used_ids = [*names]
                departure_ids |= {f"{seat_id}/{event.seq}" for seat_id in names}
                for seat_id, name in names.items():
                    yield from name_faults(f"names.{seat_id}", name)
            case match_events.MarkersChanged(marks=markers):
                used_ids = [*markers]
            case match_events.DealerMoved(who=dealer_id):
                used_ids = [dealer_id]
            case _:
                used_ids = [getattr(event.data, "by", None)]
        yield from (
            _unknown_id_fault("", used_id) for used_id in used_ids if used_id is not None and used_id not in known_ids
        )


def _unknown_id_fault(field: str, unknown_id: str) -> Fault:
    """Return the fault for an id in `field` that no seat or side of the match has."""
    return Fault(field, "unknown_player", f"Nobody at this table is known as {unknown_id!r}.")


_NIGHT_LINE_KEYS = ("night", "created_at", "title", "rounds", "size", "variant", "house", "facts")


def read_night_setup(line: Mapping[str, object]) -> tuple[NightSetup, int, list[Fault]]:
    """Return the setup in a night's line, the number of event lines that follow, and the line's faults.

    The `id` of the setup is 0.
    """
    parser = JsonParser(line)
    parser.refuse_other_keys(_NIGHT_LINE_KEYS)
    uid, created_at = read_required_uid(parser, "night"), read_moment(parser, "created_at")
    title = read_printable_text(parser, "title", MAX_TITLE_LENGTH) or ""
    _refuse_missing(parser, "rounds", "size", "facts")
    rounds = parser.whole_number("rounds", MAX_ROUNDS, 1) or 1
    size = parser.whole_number("size", MAX_SIDE_SIZE, 1) or 1
    variant = read_printable_text(parser, "variant", _MAX_VARIANT_LENGTH) or ""
    house = read_house(parser, "house") or {}
    event_count = parser.whole_number("facts", MAX_NIGHT_EVENTS) or 0
    return NightSetup(0, uid, created_at, title, rounds, size, variant, house), event_count, parser.faults


def night_faults(setup: NightSetup, events: Iterable[StoredEvent]) -> Iterator[Fault]:
    """Yield a fault for the first event that could not have been written to the night at that point, if any."""
    night = setup.fold(())
    for event in events:
        try:
            _refuse_impossible_event(night, event.data)
        except Refused as refused:
            yield refused.reasons[0]
            return
        if event.data.is_undoable and not isinstance(event.data, Undone | Redone):
            event.data.apply(night, event)
            night.events = (*night.events, event)
            night.next_to_undo, night.redo_target = event, None
        else:
            night = setup.fold((*night.events, event))


def _refuse_impossible_event(night: Night, event: Event) -> None:
    """Raise `Refused` if no version of Scorekeeper would have added this event to the night.

    An event with the id of a match is refused as well, since no file has such an id.
    """
    match event:
        case EntrantArrived(players=players) | EntrantRenamed(players=players):
            # Earlier versions let one person play in two pairs, and a name that was deleted is left out.
            refuse_any([fault for name in filter(None, players) for fault in name_faults("players", name)])
            if not 1 <= len(players) <= MAX_SIDE_SIZE:
                raise refusal("players", f"1 to {MAX_SIDE_SIZE} play together.")
            if isinstance(event, EntrantRenamed):
                night.entrant_or_refuse(event.pair)  # raises `Refused`
        case EntrantReturned(pair=uid):
            night.entrant_or_refuse(uid)  # raises `Refused`
        case MatchKept(match=match_id) | GameWon(match=match_id) if match_id:
            raise refusal("match", "A file has no numbers of matches.")
        case _:
            event.changes_anything(night)
