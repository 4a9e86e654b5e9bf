"""The event lines of a book's file, checked for their shape: the sender of a file may have written it by hand."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from scorekeeper.book.events import BOOK_EVENT_KINDS
from scorekeeper.club.book_files.file import LaterFormat
from scorekeeper.eventlog.codec import PAYLOAD_VERSION, VERSION, parse_event
from scorekeeper.eventlog.fields import read_printable, read_uid
from scorekeeper.eventlog.stream import Event, StoredEvent
from scorekeeper.matches.events import EVENT_KINDS
from scorekeeper.pitch.records.json_parser import Reader
from scorekeeper.pitch.records.limits import ACTOR_LENGTH, KEY_LENGTH
from scorekeeper.pitch.rules.faults import Fault

_BOOK_KEY_LENGTH = KEY_LENGTH + 12
_LINE = ("kind", "key", "at", "actor", "payload")


def read_event(data: Mapping[str, Any], seq: int) -> tuple[StoredEvent | None, list[Fault]]:
    """Read an event line of a match; raises `LaterFormat`."""
    return read_line(data, seq, EVENT_KINDS, KEY_LENGTH)


def read_book_event(data: Mapping[str, Any], seq: int) -> tuple[StoredEvent | None, list[Fault]]:
    """Read an event line of a book; raises `LaterFormat`."""
    return read_line(data, seq, BOOK_EVENT_KINDS, _BOOK_KEY_LENGTH)


def read_line(
    data: Mapping[str, Any], seq: int, kinds: Mapping[str, type[Event]], longest_key: int
) -> tuple[StoredEvent | None, list[Fault]]:
    """Read an event line of one of these kinds; raises `LaterFormat`."""
    reader = Reader(data)
    reader.allow(_LINE)
    kind = reader.text("kind", 16) or ""
    key = _read_key(reader, "key", longest_key)
    at = read_moment(reader, "at")
    actor = read_printable(reader, "actor", ACTOR_LENGTH)
    payload = reader.table("payload") or {}
    version = payload.get(VERSION)
    is_later = isinstance(version, int) and version > PAYLOAD_VERSION
    if reader.faults:
        return None, reader.faults
    if kind not in kinds or is_later:
        raise LaterFormat
    if version != PAYLOAD_VERSION:
        reader.refuse(VERSION, "bad_value", f"This must be {PAYLOAD_VERSION}.")
    event, faults = parse_event(kinds[kind], payload)
    reader.faults += faults
    if reader.faults or event is None or at is None or key is None:
        return None, reader.faults or [Fault("", "missing", "A fact needs a key and a moment.")]
    return StoredEvent(seq, key, at, actor or "", event), []


def _read_key(reader: Reader, key: str, longest: int) -> str | None:
    value = reader.text(key, longest)
    if not value or not value.isascii() or not value.isprintable():
        reader.refuse(key, "bad_key", f"A key has 1 to {longest} plain letters.")
    return value


def read_moment(reader: Reader, key: str) -> datetime | None:
    """Read a moment with its time zone, as ISO 8601 has it."""
    value = reader.text(key, 40)
    try:
        at = datetime.fromisoformat(value) if value else None
        if at is not None and at.tzinfo is not None:
            return at.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    reader.refuse(key, "not_a_moment", "A moment is written like 2026-11-20T18:20:00+00:00.")
    return None


def needed_uid(reader: Reader, key: str) -> str:
    """Read a uid that has to be there."""
    uid = read_uid(reader, key)
    if not uid:
        reader.refuse(key, "missing", f"A file needs {key!r} here.")
    return uid or ""
