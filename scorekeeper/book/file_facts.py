"""The facts in a book's file, read by their shape: whoever sends a file may have written it by hand.

How each kind is read is put together when the program starts: a field that nobody can read does not let it start.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from scorekeeper.book.facts import BOOK_FACTS, BookEvent
from scorekeeper.engine.hand import Hand
from scorekeeper.ledger.facts import FACTS, Event
from scorekeeper.ledger.hand_json import read_date, read_hand, read_house
from scorekeeper.ledger.json_reader import Reader, is_text, is_whole
from scorekeeper.ledger.limits import ACTOR_LENGTH, KEY_LENGTH, MOST_EVENTS, NAME_LENGTH, TITLE_LENGTH, hand_faults
from scorekeeper.ledger.setup import MARKS
from scorekeeper.rules.faults import Fault, is_printable

PAYLOAD_VERSION = 1
UID_LENGTH = 22
"""Of a book, a match or a person."""
ID_LENGTH = 8
BOOK_KEY_LENGTH = KEY_LENGTH + 12
BOOK_NAME_LENGTH = TITLE_LENGTH
_LAST_TARGET = 1_000_000
"""The last place that an undo may name: a book has room for more facts than a match."""

_LINE = ("kind", "key", "at", "actor", "payload")
_Read = Callable[[Reader, str], Any]
_Kinds = Mapping[str, tuple[type[Any], Mapping[str, tuple[_Read, bool]]]]
"""By its name, each kind of fact with its fields: how one is read, and whether the fact needs it."""


class LaterFormat(Exception):
    """A line was written by a later version of this program."""


def read_event(data: Mapping[str, Any], seq: int) -> tuple[Event | None, list[Fault]]:
    """Read the line of a fact of a match; raises `LaterFormat`."""
    read = _read_line(data, _MATCH_KINDS, KEY_LENGTH)
    if isinstance(read, list):
        return None, read
    return Event(seq, *read), []


def read_book_event(data: Mapping[str, Any], seq: int) -> tuple[BookEvent | None, list[Fault]]:
    """Read the line of a fact of a book; raises `LaterFormat`."""
    read = _read_line(data, _BOOK_KINDS, BOOK_KEY_LENGTH)
    if isinstance(read, list):
        return None, read
    return BookEvent(seq, *read), []


def _read_line(
    data: Mapping[str, Any], kinds: _Kinds, longest_key: int
) -> list[Fault] | tuple[str, datetime, str, Any]:
    reader = Reader(data)
    reader.allow(_LINE)
    kind = reader.text("kind", 16) or ""
    key = _read_key(reader, "key", longest_key)
    at = read_moment(reader, "at")
    actor = read_printable(reader, "actor", ACTOR_LENGTH)
    payload = Reader(reader.table("payload") or {}, faults=reader.faults)
    version = payload.data.get("v")
    is_later = isinstance(version, int) and version > PAYLOAD_VERSION
    if reader.faults:
        return reader.faults
    if kind not in kinds or is_later:
        raise LaterFormat
    if version != PAYLOAD_VERSION:
        payload.refuse("v", "bad_value", f"This must be {PAYLOAD_VERSION}.")
    fact, known = kinds[kind]
    payload.allow(("v", *known))
    values = {name: read(payload, name) for name, (read, _) in known.items()}
    for name, (_, is_needed) in known.items():
        if is_needed and values[name] is None:
            payload.refuse(name, "missing", f"A fact of the kind {kind!r} needs {name!r}.")
    if reader.faults or at is None or key is None:
        return reader.faults or [Fault("", "missing", "A fact needs a key and a moment.")]
    return key, at, actor or "", fact(**values)


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


def read_printable(reader: Reader, key: str, longest: int, *, lines: bool = False) -> str | None:
    """Read an optional text of limited length that can be shown."""
    value = reader.text(key, longest)
    if value is not None and not is_printable(value, lines=lines):
        reader.refuse(key, "unprintable", "There are characters in this that cannot be shown.")
    return value


def read_uid(reader: Reader, key: str) -> str | None:
    """Read a uid, which has the letters of a code."""
    value = reader.text(key, UID_LENGTH)
    if value is not None and not (value and value.isascii() and value.replace("-", "").replace("_", "").isalnum()):
        reader.refuse(key, "bad_value", "This is no uid.")
    return value


def needed_uid(reader: Reader, key: str) -> str:
    """Read a uid that has to be there."""
    uid = read_uid(reader, key)
    if not uid:
        reader.refuse(key, "missing", f"A file needs {key!r} here.")
    return uid or ""


def _read_id(reader: Reader, key: str) -> str | None:
    return reader.text(key, ID_LENGTH)


def _read_place(reader: Reader, key: str) -> int | None:
    return reader.count(key, MOST_EVENTS)


def _read_hand(reader: Reader, key: str) -> Hand | None:
    if reader.data.get(key) is None:
        return None
    hand, faults = read_hand(reader.data[key])
    reader.faults += [Fault(f"{key}.{it.field}", it.code, it.message) for it in (*faults, *hand_faults(hand))]
    return hand


def _read_names(reader: Reader, key: str) -> dict[str, str] | None:
    def is_name(value: object) -> bool:
        return is_text(value) and len(value) <= NAME_LENGTH and is_printable(value)

    return reader.values(key, is_name, f"a name of no more than {NAME_LENGTH} letters")


def _read_marks(reader: Reader, key: str) -> dict[str, int] | None:
    return reader.values(key, lambda mark: is_whole(mark) and 1 <= mark <= MARKS, f"a number from 1 to {MARKS}")


_READERS: Mapping[str, _Read] = {
    "before": _read_place,
    "by": _read_id,
    "by_book": Reader.flag,
    "hand": _read_hand,
    "house": read_house,
    "into": read_uid,
    "left": _read_names,
    "marks": _read_marks,
    "match": read_uid,
    "name": lambda reader, key: read_printable(reader, key, BOOK_NAME_LENGTH),
    "names": _read_names,
    "on": read_date,
    "agreement.on": Reader.flag,
    "person": read_uid,
    "seat": _read_id,
    "since": read_date,
    "sittings": _read_place,
    "target": lambda reader, key: reader.count(key, _LAST_TARGET),
    "title": lambda reader, key: read_printable(reader, key, TITLE_LENGTH),
    "uid": _read_place,
    "version": _read_place,
    "who": _read_id,
}
"""How a field is read, by its name, with the kind of the fact before it where that matters."""


def _fields_of(fact: type[Any]) -> Mapping[str, tuple[_Read, bool]]:
    return {
        it.name: (_READERS.get(f"{fact.kind}.{it.name}") or _READERS[it.name], "None" not in str(it.type))
        for it in fields(fact)
    }


_MATCH_KINDS: _Kinds = {kind: (fact, _fields_of(fact)) for kind, fact in FACTS.items()}
_BOOK_KINDS: _Kinds = {kind: (fact, _fields_of(fact)) for kind, fact in BOOK_FACTS.items()}
