"""Matches as records, out and in: an import scores the same as its export."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.engine.hand import HandRecord
from scorekeeper.engine.reading import parse_json
from scorekeeper.engine.record import Record, RecordFault, RefusedRecord, read_record, write_hand, write_record
from scorekeeper.engine.result import Rulebook, Rulesets
from scorekeeper.engine.seats import Seats
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.overlay import differences, with_house
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.beginnings import begin, check_record, number_seats
from scorekeeper.services.bounds import MOST_HANDS, hand_faults
from scorekeeper.services.load import LoadedMatch, load_facts, load_match, record_of, ruleset_of
from scorekeeper.services.log import MatchLog, fold
from scorekeeper.store import queries
from scorekeeper.store.facts import DealerMoved, Event, Fact, HandAdded, RulesChanged, Stopped
from scorekeeper.store.inserts import add_events
from scorekeeper.store.matches import StoredMatch
from scorekeeper.store.names import hand_with
from scorekeeper.store.tables import NOTE_LENGTH

MOST_RECORDS = 1000
"""In one file that somebody uploads."""
NOT_ACCEPTED = "Not accepted by another side yet."
IMPORTED = "import"
"""Who wrote the hands that came from a record."""


class RecordsRefused(Exception):
    """A file of records is not taken in, and changes nothing; `faults` says why, by the record's place from 1."""

    def __init__(self, faults: Sequence[tuple[int, RecordFault]]) -> None:
        super().__init__("\n".join(_said(number, item) for number, item in faults))
        self.faults = tuple(faults)


def _said(number: int, item: RecordFault) -> str:
    hand = f", hand {item.hand}" if item.hand else ""
    field = f", {item.fault.field}" if item.fault.field else ""
    return f"record {number}{hand}{field}: {item.fault.message}"


def export_match(session: Session, rulesets: Rulesets, code: str) -> dict[str, Any]:
    """Write a match as a record; raises `UnknownMatch`."""
    match, _, events = load_facts(session, code)
    return _export(session, rulesets, match, events)


def export_all(session: Session, rulesets: Rulesets) -> Iterator[dict[str, Any]]:
    """Write every match that was not thrown away, the oldest first."""
    for match, _ in queries.every_match(session):
        events = queries.events_of(session, match.id)
        if not fold(events).is_deleted:
            yield _export(session, rulesets, match, events)


def _export(session: Session, rulesets: Rulesets, match: StoredMatch, events: tuple[Event, ...]) -> dict[str, Any]:
    log = fold(events)
    record = record_of(match, log)
    hands = (_with_remark(hand) if logged.waits else hand for hand, logged in zip(record.hands, log.hands, strict=True))
    written = write_record(replace(record, hands=tuple(hands)))
    if pending := _pending(match, log, written["hands"]):
        written["hands"] = [*written["hands"], pending]
    house = _house(rulesets, match, ruleset_of(session, match))
    written.pop("house", None)
    return _with_house(written, house)


def _pending(match: StoredMatch, log: MatchLog, hands: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Write what was said before the next hand, which a record keeps as the beginning of that hand."""
    if log.is_stopped or (hands and not hands[-1].keys() & _FINISHED):
        return {}
    said: dict[str, Any] = {}
    if log.next_dealer is not None:
        said["dealer"] = match.names(log.renamed)[log.next_dealer]
    if log.next_house is not None:
        said["house"] = dict(log.next_house)
    if log.next_house is not None and log.next_house_on:
        said["house_on"] = log.next_house_on
    return said


_FINISHED = {"taken", "points", "thrown_in", "auction"}
_SAID_BEFORE = {"dealer", "house", "house_on"}


def _with_remark(hand: HandRecord) -> HandRecord:
    """Say in a hand's note that no other side has accepted it: a record has the facts, and no word for who agreed."""
    note = f"{hand.note}\n{NOT_ACCEPTED}" if hand.note else NOT_ACCEPTED
    return replace(hand, note=note) if len(note) <= NOTE_LENGTH else hand


def _with_house(written: dict[str, Any], house: Mapping[str, Any]) -> dict[str, Any]:
    """Put the house options in their place, after the variant."""
    if not house:
        return written
    head = {key: written[key] for key in ("format", "variant")}
    return {**head, "house": dict(house), **{key: value for key, value in written.items() if key not in head}}


def _house(rulesets: Rulesets, match: StoredMatch, kept: Ruleset) -> Mapping[str, Any]:
    """Say what the table agreed so that a record scores as the match does.

    Where the variant's file has changed since the match began, what it said then is written as a house rule.
    """
    if match.variant not in rulesets:
        return match.house
    today = rulesets[match.variant]
    if with_house(today, match.house)[0] == kept:
        return match.house
    then = differences(today, kept)
    changed, faults = with_house(today, then)
    return then if not faults and not differences(changed, kept) else match.house


def read_records(text: bytes) -> list[Any]:
    """Read a file of records: one object, a list of them, or one a line; raises `RecordsRefused`."""
    try:
        data = parse_json(text)
    except ValueError as whole:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise _not_json(1, whole) from None
        return _read_lines(lines)
    return data if isinstance(data, list) else [data]


def _read_lines(lines: Sequence[bytes]) -> list[Any]:
    records = []
    for number, line in enumerate(lines, 1):
        try:
            records.append(parse_json(line))
        except ValueError as error:
            raise _not_json(number, error) from None
    return records


def _not_json(number: int, error: ValueError) -> RecordsRefused:
    fault = Fault("", "not_json", f"This cannot be read as JSON: {error}.")
    return RecordsRefused([(number, RecordFault(None, fault))])


def import_records(
    session: Session, rulesets: Rulesets, records: Sequence[Any], *, client_key: str | None = None
) -> list[LoadedMatch]:
    """Take in every record as a match of its own and commit, or none; raises `RecordsRefused`."""
    client_key = client_key or str(uuid.uuid4())
    checked = _check_all(rulesets, records)
    known = queries.code_by_client_key(session, _numbered(client_key, 1))
    if known is None:
        try:
            for number, (record, ruleset, seats) in enumerate(checked, 1):
                _take_in(session, record, ruleset, seats, _numbered(client_key, number))
            session.commit()
        except IntegrityError:  # the same upload, twice at the same moment
            session.rollback()
            if queries.code_by_client_key(session, _numbered(client_key, 1)) is None:
                raise
    codes = [queries.code_by_client_key(session, _numbered(client_key, n)) for n in range(1, len(checked) + 1)]
    return [load_match(session, code) for code in codes if code is not None]


def _numbered(client_key: str, number: int) -> str:
    return f"{client_key}/{number}"


def _check_all(rulesets: Rulesets, records: Sequence[Any]) -> list[tuple[Record, Ruleset, Seats]]:
    rulebook = Rulebook(rulesets)
    checked = []
    faults: list[tuple[int, RecordFault]] = []
    if not records or len(records) > MOST_RECORDS:
        fault = Fault("", "too_many" if records else "nothing", f"A file has 1 to {MOST_RECORDS} records.")
        raise RecordsRefused([(1, RecordFault(None, fault))])
    for number, data in enumerate(records, 1):
        try:
            record = read_record(data)
            _check_size(record)
            checked.append((record, *check_record(record, rulebook)))
        except RefusedRecord as refused:
            faults += [(number, item) for item in refused.faults]
    if faults:
        raise RecordsRefused(faults)
    return checked


def _check_size(record: Record) -> None:
    faults = [
        RecordFault(number, fault)
        for number, hand in enumerate(record.hands, 1)
        for fault in hand_faults(write_hand(hand))
    ]
    if len(record.hands) > MOST_HANDS:
        faults.append(RecordFault(None, Fault("hands", "too_many", f"A match has room for {MOST_HANDS} hands.")))
    if faults:
        raise RefusedRecord(faults)


def _facts(hand: dict[str, Any]) -> list[Fact]:
    """Say what a hand of a record was: one with only a dealer or rules is what was said before the next one."""
    if not hand or hand.keys() - _SAID_BEFORE:
        return [HandAdded(hand=hand)]
    facts: list[Fact] = []
    if "dealer" in hand:
        facts.append(DealerMoved(who=hand["dealer"]))
    if "house" in hand:
        facts.append(RulesChanged(house=hand["house"], on=hand.get("house_on")))
    return facts


def _take_in(session: Session, record: Record, ruleset: Ruleset, seats: Seats, client_key: str) -> None:
    _, match_id = begin(session, record, ruleset, seats, client_key=client_key)
    ids = number_seats(ruleset, seats).ids
    now = datetime.now(UTC)
    facts: list[Fact] = []
    for hand in record.hands:
        facts += _facts(hand_with(write_hand(hand), ids))
    if record.stopped:
        facts.append(Stopped())
    events = (Event(seq, f"{IMPORTED}-{seq}", now, IMPORTED, fact) for seq, fact in enumerate(facts, 1))
    add_events(session, match_id, events)
