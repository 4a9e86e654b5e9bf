"""The types of the fields of events, with their validators: events also come from files that were edited by hand."""

from collections.abc import Callable, Mapping
from typing import Annotated, Literal, get_args

from pydantic import PlainValidator, ValidationInfo
from pydantic_core import PydanticCustomError

from scorekeeper.pitch.drawings.markers import NUMBER_OF_MARKERS
from scorekeeper.pitch.records.json_parser import (
    JsonParser,
    hand_faults,
    is_text,
    is_whole_number,
    read_date,
    read_hand,
    read_house,
)
from scorekeeper.pitch.rules.entered_text import (
    MAX_EVENTS,
    MAX_NAME_LENGTH,
    MAX_NOTE_LENGTH,
    MAX_PLACE_LENGTH,
    MAX_TITLE_LENGTH,
    is_printable,
)
from scorekeeper.pitch.rules.house_rules import MAX_RULES_NOTES, rules_notes_faults
from scorekeeper.pitch.scoring.hand import Hand

MAX_UID_LENGTH = 22
"""The most characters in the uid of a match, a book, a night or a person."""
MAX_SEAT_ID_LENGTH = 8
"""The most characters in the id of a seat or a side: "p1", "s2"."""
_MAX_CENTS = 100_000_000
_MAX_TARGET_SEQ = 1_000_000
"""The highest `seq` that an undo or a redo may name."""

STORED_CONTEXT = "stored"
"""The validation context of events from the database. The fields of such events were checked when they were stored."""


def _field_validator(read: Callable[..., object], *arguments: object, **options: object) -> PlainValidator:
    """Return a validator of a field that parses it with `read`, and raises all its faults as one error.

    `read` gets a `JsonParser`, the field's name, `arguments` and `options`. A field that it reads as `None` counts as
    missing.
    """

    def check(value: object, info: ValidationInfo) -> object:
        if info.context == STORED_CONTEXT:
            return value
        field_name = info.field_name or ""
        parser = JsonParser({field_name: list(value) if isinstance(value, tuple) else value})
        parsed_value = read(parser, field_name, *arguments, **options)
        if parser.faults:
            raise PydanticCustomError("faults", "{faults}", {"faults": parser.faults})
        if parsed_value is None:
            raise PydanticCustomError("missing", "missing")
        return parsed_value

    return PlainValidator(check)


def read_printable_text(parser: JsonParser, json_key: str, max_length: int, *, multiline: bool = False) -> str | None:
    """Return the text that the parser has under `json_key`; `None` if there is none, or if it is too long.

    Faults are added to the parser. With `multiline`, the text may have several lines.
    """
    text = parser.text(json_key, max_length)
    if text is not None and not is_printable(text, multiline=multiline):
        parser.refuse(json_key, "unprintable", "There are characters in this that cannot be shown.")
    return text


def read_uid(parser: JsonParser, json_key: str) -> str | None:
    """Return the uid that the parser has under `json_key`; `None` if there is none, or if it is too long.

    Faults are added to the parser. A uid has ASCII letters, digits, "-" and "_".
    """
    uid = parser.text(json_key, MAX_UID_LENGTH)
    if uid is not None and not (uid and uid.isascii() and uid.replace("-", "").replace("_", "").isalnum()):
        parser.refuse(json_key, "bad_value", "This is no uid.")
    return uid


def _validate_hand(value: object, info: ValidationInfo) -> Hand:
    """Return the hand that a JSON value describes; raises all its faults as one error.

    A hand from the database is not checked against the limits of new hands again.
    """
    hand, faults = read_hand(value)
    if info.context != STORED_CONTEXT:
        faults = [fault.inside("hand") for fault in (*faults, *hand_faults(hand))]
    if faults:
        raise PydanticCustomError("faults", "{faults}", {"faults": faults})
    return hand


def _is_valid_name(value: object) -> bool:
    return is_text(value) and len(value) <= MAX_NAME_LENGTH and is_printable(value)


def _is_marker_number(value: object) -> bool:
    return is_whole_number(value) and 1 <= value <= NUMBER_OF_MARKERS


def _read_notes(parser: JsonParser, json_key: str) -> tuple[str, ...] | None:
    """Return the notes that the parser has under `json_key`; `None` if there is no list, or if it is too long.

    Faults are added to the parser.
    """
    notes = parser.items(json_key, MAX_RULES_NOTES)
    if notes is None:
        return None
    texts = tuple(note for note in notes if isinstance(note, str))
    if len(texts) < len(notes):
        parser.refuse(json_key, "not_text", "A note is text.")
    parser.faults += rules_notes_faults(texts)
    return texts


Uid = Annotated[str, _field_validator(read_uid)]
SeatId = Annotated[str, _field_validator(JsonParser.text, MAX_SEAT_ID_LENGTH)]
Title = Annotated[str, _field_validator(read_printable_text, MAX_TITLE_LENGTH)]
Venue = Annotated[str, _field_validator(read_printable_text, MAX_PLACE_LENGTH)]
Note = Annotated[str, _field_validator(read_printable_text, MAX_NOTE_LENGTH, multiline=True)]
"""A note on a match. It may have several lines."""
Day = Annotated[str, _field_validator(read_date)]
"""A day in ISO 8601: "2026-03-14"."""
Seq = Annotated[int, _field_validator(JsonParser.whole_number, MAX_EVENTS)]
"""The `seq` of an event in a match, or the number of one of its substitutions."""
TargetSeq = Annotated[int, _field_validator(JsonParser.whole_number, _MAX_TARGET_SEQ)]
"""The `seq` of the event that an undo undoes, or of the undo that a redo undoes."""
Flag = Annotated[bool, _field_validator(JsonParser.flag)]
DisputeStatement = Literal["wrong", "withdrawn", "confirmed"]
Statement = Annotated[DisputeStatement, _field_validator(JsonParser.choice, get_args(DisputeStatement))]
"""What a phone states on a hand: that it is wrong, that this dispute is withdrawn, or that the hand is right."""
Cents = Annotated[int, _field_validator(JsonParser.whole_number, _MAX_CENTS)]
PlayerOfMoneyNight = Annotated[str, _field_validator(read_printable_text, MAX_UID_LENGTH + 1 + MAX_SEAT_ID_LENGTH)]
"""A player of a money night: a match's uid, "/", and the id of the player's seat or side there."""
Names = Annotated[
    Mapping[str, str],
    _field_validator(JsonParser.values, _is_valid_name, f"a name of no more than {MAX_NAME_LENGTH} letters"),
]
"""Names of players or sides, keyed by the id of the seat or the side: {"p1": "Ann"}."""
Markers = Annotated[
    Mapping[str, int], _field_validator(JsonParser.values, _is_marker_number, f"a number from 1 to {NUMBER_OF_MARKERS}")
]
"""Numbers of markers, keyed by the id of the side: {"s1": 4}."""
Notes = Annotated[tuple[str, ...], _field_validator(_read_notes)]
"""The rules of a table that no option covers, a sentence each."""
House = Annotated[Mapping[str, object], _field_validator(read_house)]
"""Answers to house options, keyed by the option."""
StoredHand = Annotated[Hand, PlainValidator(_validate_hand)]
"""A hand that is stored as JSON."""
