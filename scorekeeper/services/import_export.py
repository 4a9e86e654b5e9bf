"""Matches exported as records and imported from them: an import scores the same as its export."""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy.orm import Session

from scorekeeper.engine.hand import Hand, people_in, with_ids
from scorekeeper.engine.hand_faults import HandFault
from scorekeeper.engine.seats import Seats, unknown_player
from scorekeeper.ledger.derive_match import Match, hand_as_played, newcomers
from scorekeeper.ledger.facts import DealerMoved, Event, Fact, HandAdded, RulesChanged, SatIn, Stopped
from scorekeeper.ledger.fold import fold
from scorekeeper.ledger.json_reader import parse_json
from scorekeeper.ledger.limits import NOTE_LENGTH, hand_faults, name_faults
from scorekeeper.ledger.log import MatchLog
from scorekeeper.ledger.setup import MatchSetup
from scorekeeper.records.record import Record, RefusedRecord, read_record, start_by_ids, write_record
from scorekeeper.records.result import Rulebook
from scorekeeper.records.seating import by_ids, sit_in
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.house_rules import Variants
from scorekeeper.rules.overlay import differences, with_house
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.load import load_facts, load_match, ruleset_of
from scorekeeper.services.once import add_once
from scorekeeper.services.start_match import add_match, check_record, number_seats
from scorekeeper.store import matches

MOST_RECORDS = 1000
"""In one file."""
NOT_ACCEPTED = "Not accepted by another side yet."
IMPORTED = "import"
"""Who wrote the hands that came from a record."""


class RecordsRefused(Exception):
    """A file of records is not imported, and changes nothing; `faults` says why, by the record's place from 1."""

    def __init__(self, faults: Sequence[tuple[int, HandFault]]) -> None:
        super().__init__("\n".join(_sentence(number, item) for number, item in faults))
        self.faults = tuple(faults)


def _sentence(number: int, item: HandFault) -> str:
    hand = f", hand {item.hand}" if item.hand else ""
    field = f", {item.fault.field}" if item.fault.field else ""
    return f"record {number}{hand}{field}: {item.fault.message}"


def export_match(session: Session, rulesets: Variants, code: str) -> dict[str, Any]:
    """Return the match that a link leads to as a record, even one that cannot be scored; raises `UnknownMatch`."""
    setup, _, events = load_facts(session, code)
    return export_record(session, rulesets, setup, fold(events))


def export_all(session: Session, rulesets: Variants) -> Iterator[dict[str, Any]]:
    """Yield every match that was not deleted as a record, the oldest first."""
    for setup, _ in matches.every_match(session):
        log = fold(matches.events_of(session, setup.id))
        if not log.is_deleted:
            yield export_record(session, rulesets, setup, log)


def export_record(session: Session, rulesets: Variants, setup: MatchSetup, log: MatchLog) -> dict[str, Any]:
    """Return a match that is loaded already as a record, with everybody's present name."""
    names = setup.names(log.renamed_at(0))
    hands = [
        _with_remark(hand_as_played(setup, logged, n)) if logged.waits else hand_as_played(setup, logged, n)
        for n, logged in enumerate(log.hands, 1)
    ]
    sittings = [logged.sittings for logged in log.hands]
    pending = _pending(log)
    if pending is not None and not (hands and _is_unfinished(hands[-1])):
        hands.append(pending)
        sittings.append(len(log.sittings))
    befores = (0, *sittings)
    sides = tuple((names[it.id], tuple(names[seat] for seat in it.seats)) for it in setup.sides)
    record = Record(
        variant=setup.variant,
        house=_house(rulesets, setup, ruleset_of(session, setup)),
        players=tuple(names[seat.id] for seat in setup.seats) or None,
        sides=sides if setup.has_named_sides(log.renamed) else None,
        start=start_by_ids(setup.start, names),
        hands=tuple(_named(setup, log, *it) for it in zip(hands, befores, sittings, strict=False)),
        stopped=log.is_stopped,
        title=(log.title if log.title is not None else setup.title) or None,
        played_on=setup.played_on,
        place=setup.place,
        note=setup.note,
    )
    return write_record(record)


def _named(setup: MatchSetup, log: MatchLog, hand: Hand, before: int, sittings: int) -> Hand:
    """Return a hand with the names of when it was played: so many had sat in by then, and so many `before` it.

    A side that is named after its players keeps its first name through a record.
    """
    first, then = setup.names(log.renamed_at(0)), setup.names(log.renamed_at(sittings))
    names = {**first, **{seat.id: then[seat.id] for seat in setup.seats}}
    return replace(with_ids(hand, names), sits_in=newcomers(setup, log, before, sittings) or None)


def _pending(log: MatchLog) -> Hand | None:
    """Return what was said before the next hand, which a record keeps as the beginning of that hand."""
    if log.is_stopped:  # there is no next hand, but those who sit now are at the table
        return Hand(sits_in=log.next_sits_in) if log.next_sits_in else None
    if log.next_dealer is None and log.next_house is None and log.next_sits_in is None:
        return None
    on = log.next_house_on if log.next_house is not None else None
    return Hand(dealer=log.next_dealer, house=log.next_house, house_on=on or None, sits_in=log.next_sits_in)


def _is_unfinished(hand: Hand) -> bool:
    return not hand.is_played and hand.thrown_in is None and hand.auction is None


def _with_remark(hand: Hand) -> Hand:
    """Note in a hand that no other side has accepted it: a record has facts, but not who agreed to them."""
    note = f"{hand.note}\n{NOT_ACCEPTED}" if hand.note else NOT_ACCEPTED
    return replace(hand, note=note) if len(note) <= NOTE_LENGTH else hand


def _house(rulesets: Variants, setup: MatchSetup, rules: Ruleset) -> Mapping[str, Any]:
    """Return what the table agreed so that a record scores as the match does.

    Where the variant's file has changed since the match began, what it said then is written as a house rule.
    """
    if setup.variant not in rulesets:
        return setup.house
    today = rulesets[setup.variant]
    if with_house(today, setup.house)[0] == rules:
        return setup.house
    then = differences(today, rules)
    changed, faults = with_house(today, then)
    return then if not faults and not differences(changed, rules) else setup.house


def read_records(text: bytes) -> list[Any]:
    """Read a file of records: one object, a list of them, or one per line; raises `RecordsRefused`."""
    try:
        data = parse_json(text)
    except ValueError as whole:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise _not_json(1, whole) from None
        return [_read_line(number, line) for number, line in enumerate(lines, 1)]
    return data if isinstance(data, list) else [data]


def _read_line(number: int, line: bytes) -> Any:
    try:
        return parse_json(line)
    except ValueError as error:
        raise _not_json(number, error) from None


def _not_json(number: int, error: ValueError) -> RecordsRefused:
    fault = Fault("", "not_json", f"This cannot be read as JSON: {error}.")
    return RecordsRefused([(number, HandFault(None, fault))])


def import_records(
    session: Session, rulesets: Variants, records: Sequence[Any], *, client_key: str | None = None
) -> list[Match]:
    """Import every record as a match of its own and commit, or none; raises `RecordsRefused`."""
    client_key = client_key or str(uuid.uuid4())
    checked = _check_all(rulesets, records)
    keys = [f"{client_key}/{number}" for number in range(1, len(checked) + 1)]

    def add() -> str:
        codes = [_add(session, *one, key) for one, key in zip(checked, keys, strict=True)]
        return codes[0]

    add_once(session, lambda: matches.code_by_client_key(session, keys[0]), add)
    codes = [matches.code_by_client_key(session, key) for key in keys]
    return [load_match(session, code) for code in codes if code is not None]


def _check_all(rulesets: Variants, records: Sequence[Any]) -> list[tuple[Record, Ruleset, Seats]]:
    rulebook = Rulebook(rulesets)
    checked = []
    faults: list[tuple[int, HandFault]] = []
    if not records or len(records) > MOST_RECORDS:
        fault = Fault("", "too_many" if records else "nothing", f"A file has 1 to {MOST_RECORDS} records.")
        raise RecordsRefused([(1, HandFault(None, fault))])
    for number, data in enumerate(records, 1):
        try:
            record = read_record(data)
            _check_sizes(record)
            ruleset, seats = check_record(record, rulebook)
            _check_people(record, number_seats(ruleset, seats).ids)
            checked.append((record, ruleset, seats))
        except RefusedRecord as refused:
            faults += [(number, item) for item in refused.faults]
    if faults:
        raise RecordsRefused(faults)
    return checked


def _check_sizes(record: Record) -> None:
    faults = [HandFault(number, fault) for number, hand in enumerate(record.hands, 1) for fault in hand_faults(hand)]
    faults += [
        HandFault(number, fault)
        for number, hand in enumerate(record.hands, 1)
        for leaver, newcomer in (hand.sits_in or {}).items()
        for fault in name_faults(f"sits_in.{leaver}", newcomer)
    ]
    if faults:
        raise RefusedRecord(faults)


def _check_people(record: Record, ids: Mapping[str, str]) -> None:
    """Refuse strangers in hands after the end of the match as well, which the rules do not look at."""
    faults = []
    for number, hand in enumerate(record.hands, 1):
        ids, found = sit_in(ids, hand)
        found += [unknown_player(path, who) for path, who in people_in(hand) if who not in ids]
        faults += [HandFault(number, fault) for fault in found]
    if faults:
        raise RefusedRecord(faults)


def _facts(hand: Hand) -> list[Fact]:
    """Return what a hand of a record was: one with only a dealer, rules or newcomers is what was said before the next.

    Whoever sits in does so by a fact of its own.
    """
    said = Hand(dealer=hand.dealer, house=hand.house, house_on=hand.house_on, sits_in=hand.sits_in)
    facts: list[Fact] = [SatIn(names=hand.sits_in)] if hand.sits_in else []
    if hand == Hand() or hand != said:
        return [*facts, HandAdded(hand=replace(hand, sits_in=None))]
    if hand.dealer is not None:
        facts.append(DealerMoved(who=hand.dealer))
    if hand.house is not None:
        facts.append(RulesChanged(house=hand.house, on=hand.house_on))
    return facts


def _add(session: Session, record: Record, ruleset: Ruleset, seats: Seats, client_key: str) -> str:
    code, match_id = add_match(session, record, ruleset, seats, client_key=client_key)
    ids: Mapping[str, str] = number_seats(ruleset, seats).ids
    now = datetime.now(UTC)
    facts: list[Fact] = []
    for hand in record.hands:
        before = ids
        ids, _ = sit_in(before, hand)
        facts += _facts(by_ids(hand, before, ids))
    if record.stopped:
        facts.append(Stopped())
    events = (Event(seq, f"{IMPORTED}-{seq}", now, IMPORTED, fact) for seq, fact in enumerate(facts, 1))
    matches.add_events(session, match_id, events)
    return code
