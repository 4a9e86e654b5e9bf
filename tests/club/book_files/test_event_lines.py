"""Parse the line of an event in a book's file strictly, as a file may be written by hand."""

import json
from typing import Any

import pytest

from scorekeeper.club.book_files.lines import read_book_event, read_match_event, read_night_setup
from scorekeeper.eventlog.store import encode_payload
from scorekeeper.pitch.records.json_parser import parse_json
from scorekeeper.pitch.rules.faults import Fault
from tests.common import every_event
from tests.common.each import each
from tests.common.tables import table

PAYLOADS: dict[str, dict[str, Any]] = {
    f"{prefix}{event.kind}": json.loads(json.dumps(encode_payload(event)))
    for prefix, events in (("", every_event.EVENT_KINDS), ("book ", every_event.book_events("m" * 22)))
    for event in reversed(events)
}
"""The payload of each kind of event with every field set, as a file has it."""


def line(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
    return {"kind": kind, "key": "k", "at": "2026-11-20T18:20:00+00:00", "actor": "", "payload": payload}


def faults_of(kind: str, **fields: Any) -> list[Fault]:
    read = read_book_event if kind.startswith("book ") else read_match_event
    return read(line(kind.removeprefix("book "), {**PAYLOADS[kind], **fields}), 1)[1]


COUNTS = "This must be a whole number from 0 to 10000."


@pytest.mark.parametrize("value", ["3", True, 3.0, -1, 10_001, [3], {"uid": 3}])
@pytest.mark.parametrize(("kind", "field"), [("removal", "uid"), ("acceptance", "version"), ("hand", "before")])
def test_a_number_is_a_number_within_its_bounds(kind: str, field: str, value: object) -> None:
    assert faults_of(kind, **{field: value})[0] == Fault(field, "bad_value", COUNTS)


@each("fault", table(__file__, "event_faults.toml")["fault"])
def test_nothing_is_taken_for_what_it_is_not(fault: dict[str, Any]) -> None:
    said = [faults_of(line["event"], **line["with"])[0].message for line in fault["lines"]]

    assert said == [fault["says"]] * len(said)


@pytest.mark.parametrize("kind", PAYLOADS)
def test_what_has_no_meaning_is_refused(kind: str) -> None:
    assert faults_of(kind, more=1) == [Fault("more", "unknown_key", "'more' has no meaning here.")]


def test_a_night_without_its_numbers_is_refused() -> None:
    *_, faults = read_night_setup({})

    missing = {f"A file needs {key!r} here." for key in ("rounds", "size", "facts")}
    assert missing <= {fault.message for fault in faults}


def test_a_missing_field_of_an_event_is_a_fault() -> None:
    without = line("acceptance", {"v": 1, "uid": 3})

    assert read_match_event(without, 1)[1] == [
        Fault("version", "missing", "An entry of the kind 'acceptance' needs 'version'.")
    ]
    assert read_match_event(line("rules", {"v": 1}), 1)[1][0].code == "missing"
    assert not faults_of("hand", before=None, by=None)


@pytest.mark.parametrize("twice", ["uid", "v"])
def test_a_key_that_is_given_twice_is_refused(twice: str) -> None:
    written = json.dumps(line("removal", {"v": 1, "uid": 3})).replace('{"v"', f'{{"{twice}": 1, "v"')

    assert read_match_event(parse_json(written), 1)[1] == [
        Fault(f"payload.{twice}", "repeated_key", f"{twice!r} is given twice.")
    ]


def test_a_hand_says_where_in_it_something_is_wrong() -> None:
    assert faults_of("hand", hand={"taken": {"high": 3}})[0].field == "hand.taken.high"
    assert faults_of("hand", hand={"note": "x" * 501})[0].field == "hand.note"
    assert faults_of("hand", hand=[])[0].field == "hand"
