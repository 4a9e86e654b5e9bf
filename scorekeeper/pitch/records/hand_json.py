"""A hand as JSON, both ways: in records (`pitch-record`, with names) and in what is stored (with ids)."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from scorekeeper.pitch.records.json_parser import Reader, is_text, is_whole
from scorekeeper.pitch.rules.awards import SUITS
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.scoring.hand import (
    FORFEITS,
    HAND_FIELDS,
    PASS,
    PITCH,
    SPECIAL_BIDS,
    TAKE_SET,
    THROWN_IN,
    FieldKind,
    Hand,
)

MAX_CALLS = 200
MAX_TEXT_LENGTH = 200
MAX_NOTE_LENGTH = 2000


def read_house(reader: Reader, key: str) -> dict[str, Any] | None:
    """Read house options by their shape; whether the rules have such options is checked elsewhere."""
    wanted = "a word, a number, true, false or null"
    return reader.values(key, lambda value: is_text(value) or isinstance(value, int | float | None), wanted)


def read_date(reader: Reader, key: str) -> str | None:
    """Read a day as ISO 8601 has it."""
    value = reader.text(key, MAX_TEXT_LENGTH)
    if value is None:
        return None
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        reader.refuse(key, "not_a_date", "A date is written like 2026-11-20.")
        return None


def _is_bid(value: object) -> bool:
    return value in SPECIAL_BIDS if isinstance(value, str) else is_whole(value)


def _read_bid(reader: Reader, key: str) -> Any:
    bid = reader.data.get(key)
    if bid is None or _is_bid(bid):
        return bid
    reader.refuse(key, "no_such_bid", f"A bid is a number or one of {', '.join(SPECIAL_BIDS)}.")
    return None


def _read_calls(reader: Reader, key: str) -> Any:
    calls = reader.items(key, MAX_CALLS)
    if calls is None:
        return None
    read = []
    for i, call in enumerate(calls):
        if not (isinstance(call, list) and len(call) == 2 and isinstance(call[0], str)):
            reader.refuse(f"{key}.{i}", "not_a_call", "A call is who spoke and what they said.")
        elif not (_is_bid(call[1]) or call[1] in (PASS, PITCH, TAKE_SET)):
            known = f"A call is a number, {', '.join(SPECIAL_BIDS)}, pass, pitch or take_set."
            reader.refuse(f"{key}.{i}", "no_such_call", known)
        else:
            read.append((call[0], call[1]))
    return tuple(read)


def _read_text(reader: Reader, key: str) -> Any:
    return reader.text(key, MAX_TEXT_LENGTH)


def _read_taken(reader: Reader, key: str) -> Any:
    return reader.values(key, lambda who: who is None or isinstance(who, str), "a name, or null")


_READERS: Mapping[FieldKind, Callable[[Reader, str], Any]] = {
    FieldKind.PERSON: _read_text,
    FieldKind.PARTNER: _read_text,
    FieldKind.BID: _read_bid,
    FieldKind.SUIT: lambda reader, key: reader.choice(key, SUITS),
    FieldKind.TEXT: _read_text,
    FieldKind.THROWN_IN: lambda reader, key: reader.choice(key, THROWN_IN),
    FieldKind.DATE: read_date,
    FieldKind.YES_OR_NO: Reader.flag,
    FieldKind.CHECK: Reader.flag,
    FieldKind.TAKEN: _read_taken,
    FieldKind.COUNTS: lambda reader, key: reader.values(key, is_whole, "a whole number"),
    FieldKind.TIMES: lambda reader, key: reader.values(key, is_whole, "a whole number"),
    FieldKind.FORFEITS: lambda reader, key: reader.values(key, lambda what: what in FORFEITS, "game or match"),
    FieldKind.CALLS: _read_calls,
    FieldKind.NOTE: lambda reader, key: reader.text(key, MAX_NOTE_LENGTH),
    FieldKind.RULES: read_house,
    FieldKind.NEWCOMERS: lambda reader, key: reader.values(key, is_text, "a name"),
}
_NAMES = tuple(item.name for item in HAND_FIELDS)
_PARTNER = next(item.name for item in HAND_FIELDS if item.kind is FieldKind.PARTNER)


def read_hand(data: object) -> tuple[Hand, list[Fault]]:
    """Read one hand by its shape, with every fault in it. Nothing is scored."""
    if not isinstance(data, dict):
        return Hand(), [Fault("", "not_object", "A hand is a JSON object.")]
    reader = Reader(data)
    reader.allow(_NAMES)
    given = [item for item in HAND_FIELDS if data.get(item.name) is not None]
    values = {item.name: _READERS[item.kind](reader, item.name) for item in given}
    hand = Hand(**values, alone=_PARTNER in data and data[_PARTNER] is None)
    if hand.house_on and hand.house is None:
        reader.refuse("house_on", "no_change", "There is a date, but no rule changes in this hand.")
    return hand, reader.faults


def write_hand(hand: Hand) -> dict[str, Any]:
    """Return a hand as JSON; fields that were not entered are left out."""
    written = {name: _plain(value) for name in _NAMES if (value := getattr(hand, name)) is not None}
    if hand.alone:
        written[_PARTNER] = None
    return written


def _plain(value: Any) -> Any:
    """Return what a hand holds as JSON has it: a mapping as an object, calls as lists."""
    if isinstance(value, Mapping):
        return dict(value)
    return [list(call) for call in value] if isinstance(value, tuple) else value
