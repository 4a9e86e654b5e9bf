"""A ladder night in a book's file: its setup, and its events, checked by type and for whether each was allowed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from scorekeeper.club.book_files.event_lines import needed_uid, read_line, read_moment
from scorekeeper.club.book_files.match_line import NEVER
from scorekeeper.club.nights.events import NIGHT_EVENT_KINDS, GameWon, MatchKept, PairArrived, PairBack, PairRenamed
from scorekeeper.club.nights.links import NightSetup
from scorekeeper.club.nights.night import MAX_IN_PAIR, MAX_NIGHT_EVENTS, MAX_ROUNDS, Night
from scorekeeper.eventlog.fields import read_printable
from scorekeeper.eventlog.stream import Event, Redone, Refused, StoredEvent, Undone, refusal, refuse_any
from scorekeeper.pitch.records.json_parser import Reader, read_house
from scorekeeper.pitch.records.limits import KEY_LENGTH, TITLE_LENGTH, name_faults
from scorekeeper.pitch.rules.faults import Fault

_KEYS = ("night", "created_at", "title", "rounds", "size", "variant", "house", "facts")
_MAX_VARIANT_LENGTH = 60
NO_MATCH = 0
"""In place of the id of a match that was kept at a table, which has no meaning in another database."""


def write_setup(setup: NightSetup, number_of_events: int) -> dict[str, Any]:
    """Return the setup line of a night."""
    return {
        "night": setup.uid,
        "created_at": setup.created_at.isoformat(),
        "title": setup.title,
        "rounds": setup.rounds,
        "size": setup.size,
        "variant": setup.variant,
        "house": dict(setup.house),
        "facts": number_of_events,
    }


def write_payload(kind: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the payload of an event for a file, without the id of a match."""
    if kind == MatchKept.kind:
        return {**payload, "match": NO_MATCH}
    return {name: value for name, value in payload.items() if name != "match"}


def read_setup(item: Mapping[str, Any]) -> tuple[NightSetup, int, list[Fault]]:
    """Return the setup of a night and the number of events that follow, with every fault in the line."""
    reader = Reader(item)
    reader.allow(_KEYS)
    uid, created_at = needed_uid(reader, "night"), read_moment(reader, "created_at")
    title = read_printable(reader, "title", TITLE_LENGTH) or ""
    rounds, size = reader.count("rounds", MAX_ROUNDS) or 1, reader.count("size", MAX_IN_PAIR) or 1
    variant = read_printable(reader, "variant", _MAX_VARIANT_LENGTH) or ""
    house = read_house(reader, "house") or {}
    number = reader.count("facts", MAX_NIGHT_EVENTS) or 0
    return NightSetup(0, uid, created_at or NEVER, title, rounds, size, variant, house), number, reader.faults


def read_night_event(data: Mapping[str, Any], seq: int) -> tuple[StoredEvent | None, list[Fault]]:
    """Read an event line of a night; raises `LaterFormat`."""
    return read_line(data, seq, NIGHT_EVENT_KINDS, KEY_LENGTH)


def night_faults(setup: NightSetup, events: Iterable[StoredEvent]) -> Iterator[Fault]:
    """Yield the fault of the first event that could not have been written at its place in the stream."""
    night = Night.fold((), setup.title, setup.rounds)
    for event in events:
        try:
            _refuse(night, event.data)
        except Refused as refused:
            yield replace(refused.reasons[0], field=f"facts.{event.seq}")
            return
        if event.data.is_undoable and not isinstance(event.data, Undone | Redone):
            event.data.apply(night, event)
            night.events = (*night.events, event)
            night.undo_next, night.redo_target = event, None
        else:
            night = Night.fold((*night.events, event), setup.title, setup.rounds)


def _refuse(night: Night, event: Event) -> None:
    """Raise `Refused` where an event could not have been written into a night."""
    match event:
        case PairArrived(players=players) | PairRenamed(players=players):
            # Earlier versions let one person play in two pairs, and a name that was deleted is left out.
            refuse_any([fault for name in filter(None, players) for fault in name_faults("players", name)])
            if not 1 <= len(players) <= MAX_IN_PAIR:
                raise refusal("players", f"1 to {MAX_IN_PAIR} play together.")
            if isinstance(event, PairRenamed):
                night.refuse_unknown(event.pair)
        case PairBack(pair=pair):
            night.refuse_unknown(pair)
        case MatchKept(match=match) | GameWon(match=match) if match:
            raise refusal("match", "A file has no numbers of matches.")
        case _:
            event.changes_anything(night)
