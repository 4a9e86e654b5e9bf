"""The fields of events, each with how it is read from a file that somebody may have written by hand."""

from collections.abc import Callable, Mapping
from types import NoneType
from typing import Annotated, Any, Literal, get_args

from scorekeeper.pitch.records.hand_json import read_date, read_hand, read_house
from scorekeeper.pitch.records.json_parser import Reader, is_text, is_whole
from scorekeeper.pitch.records.limits import (
    MAX_EVENTS,
    MAX_HANDS,
    NAME_LENGTH,
    NOTE_LENGTH,
    PLACE_LENGTH,
    TITLE_LENGTH,
    hand_faults,
)
from scorekeeper.pitch.records.setup import MARKS
from scorekeeper.pitch.rules.faults import is_printable
from scorekeeper.pitch.rules.house_rules import MAX_NOTES, notes_faults
from scorekeeper.pitch.scoring.hand import Hand

UID_LENGTH = 22
"""Of a book, a match or a person."""
ID_LENGTH = 8
HIGHEST_SCORE = 100_000
_MAX_CENTS = 100_000_000
_LAST_TARGET = 1_000_000
"""The last place that an undo may name: a book has room for more events than a match."""

Read = Callable[[Reader, str], Any]


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


def read_start(reader: Reader) -> dict[str, Any]:
    """Read what a match brought from paper, where it says so."""
    start = Reader(reader.table("start") or {}, prefix="start.", faults=reader.faults)
    start.allow(("scores", "hands", "sets"))
    read = {
        "scores": start.values(
            "scores", lambda value: is_whole(value) and abs(value) <= HIGHEST_SCORE, "a whole number"
        ),
        "hands": start.count("hands", MAX_HANDS),
        "sets": start.values(
            "sets", lambda value: is_whole(value) and 0 <= value <= MAX_HANDS, "a whole number from 0 up"
        ),
    }
    return {key: value for key, value in read.items() if value is not None}


def _read_hand(reader: Reader, key: str) -> Hand | None:
    if reader.data.get(key) is None:
        return None
    hand, faults = read_hand(reader.data[key])
    reader.faults += [fault.inside(key) for fault in (*faults, *hand_faults(hand))]
    return hand


def _read_names(reader: Reader, key: str) -> dict[str, str] | None:
    def is_name(value: object) -> bool:
        return is_text(value) and len(value) <= NAME_LENGTH and is_printable(value)

    return reader.values(key, is_name, f"a name of no more than {NAME_LENGTH} letters")


def _read_marks(reader: Reader, key: str) -> dict[str, int] | None:
    return reader.values(key, lambda mark: is_whole(mark) and 1 <= mark <= MARKS, f"a number from 1 to {MARKS}")


def _read_notes(reader: Reader, key: str) -> tuple[str, ...] | None:
    notes = reader.items(key, MAX_NOTES)
    if notes is None:
        return None
    texts = tuple(note for note in notes if isinstance(note, str))
    if len(texts) < len(notes):
        reader.refuse(key, "not_text", "A note is text.")
    reader.faults += notes_faults(texts)
    return texts


Uid = Annotated[str, read_uid]
SeatId = Annotated[str, lambda reader, key: reader.text(key, ID_LENGTH)]
Title = Annotated[str, lambda reader, key: read_printable(reader, key, TITLE_LENGTH)]
Venue = Annotated[str, lambda reader, key: read_printable(reader, key, PLACE_LENGTH)]
Note = Annotated[str, lambda reader, key: read_printable(reader, key, NOTE_LENGTH, lines=True)]
Day = Annotated[str, read_date]
"""As ISO 8601 has it."""
Place = Annotated[int, lambda reader, key: reader.count(key, MAX_EVENTS)]
"""Of an event in a match."""
Target = Annotated[int, lambda reader, key: reader.count(key, _LAST_TARGET)]
Flag = Annotated[bool, Reader.flag]
Says = Literal["wrong", "withdrawn", "confirmed"]
Verdict = Annotated[Says, lambda reader, key: reader.choice(key, get_args(Says))]
"""Of a hand: that it is wrong, that this is taken back, or that it is right."""
Cents = Annotated[int, lambda reader, key: reader.count(key, _MAX_CENTS)]
PlayerOfNight = Annotated[str, lambda reader, key: read_printable(reader, key, UID_LENGTH + 1 + ID_LENGTH)]
"""Whoever plays in a match of a money night: its uid, and the seat or the side there, "…/p1"."""
Names = Annotated[Mapping[str, str], _read_names]
Marks = Annotated[Mapping[str, int], _read_marks]
Notes = Annotated[tuple[str, ...], _read_notes]
House = Annotated[Mapping[str, Any], read_house]
StoredHand = Annotated[Hand, _read_hand]


def reader_of(field: Any) -> tuple[Read, bool]:
    """Return how a field is read, given its type, and whether it has to be there."""
    is_needed = NoneType not in get_args(field)
    annotated = field if is_needed else get_args(field)[0]
    return annotated.__metadata__[0], is_needed
