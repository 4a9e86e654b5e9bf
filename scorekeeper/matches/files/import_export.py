"""Export matches as records, and import records as matches, which then score the same."""

import hashlib
import json
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.access.links import MATCH_LINKS, device_digest
from scorekeeper.access.roles import Link
from scorekeeper.eventlog.stream import OWNER, refusal, refuse_any
from scorekeeper.matches import store as matches
from scorekeeper.matches.events import (
    DealerMoved,
    Event,
    HandAdded,
    PlayerSubstituted,
    RulesChanged,
    Stopped,
    StoredEvent,
)
from scorekeeper.matches.files.import_run import (
    EncodedMatch,
    Importer,
    ImportNotNow,
    PickledObjects,
    add_encoded_match,
    add_owner_links,
    add_to_device_list,
    encode_match,
    import_run,
)
from scorekeeper.matches.fold import derive_match, hand_as_played, substitutes_between
from scorekeeper.matches.log import MatchLog, fold, occasion_of
from scorekeeper.matches.service import load_logs, load_setup_and_events, readable_ruleset_of, write_ruleset
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.matches.start import check_record, new_setup
from scorekeeper.operating_system import return_freed_memory
from scorekeeper.pitch.records.json_parser import hand_faults, parse_items, parse_json
from scorekeeper.pitch.records.record import (
    NamedRules,
    Record,
    RefusedRecord,
    fault_sentence,
    hand_with_ids,
    ids_after_substitutions,
    read_record,
    record_as_json,
    replace_side_keys,
)
from scorekeeper.pitch.records.result import Rulebook
from scorekeeper.pitch.rules.entered_text import MAX_NOTE_LENGTH, idempotency_key_faults, name_faults
from scorekeeper.pitch.rules.faults import Fault, FaultsFound, HandFault
from scorekeeper.pitch.rules.house_rules import (
    Variants,
    differing_answers,
    former_answers,
    rules_name_faults,
    rules_notes_faults,
    with_house,
)
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import Hand, people_in, with_ids
from scorekeeper.pitch.scoring.search_budget import (
    MAX_HAND_STEPS_IN_KNOWN_GAMES,
    MAX_REQUEST_STEPS,
    Budget,
    BudgetExceeded,
)
from scorekeeper.pitch.scoring.seats import name_key, unknown_player_fault
from scorekeeper.random_codes import new_code

_SPLIT_ADVICE = "Split it into smaller files, with one match on each line."
TOO_MANY_BY_POINTS = "Too many hands in this file were entered by points alone to check them all at once."
"""The message for a file that would take too long to check, since many hands have points but no cards."""
_IMPORT_ACTOR = "import"
"""The actor of the events that are imported from a record."""


@dataclass(frozen=True, slots=True)
class ImportLimits:
    """The most matches, hands and bytes in one file to import, and advice for a larger file."""

    max_matches: int
    max_hands: int
    max_bytes: int = 64 * 1024 * 1024
    advice: str = ""
    """A sentence on what to do with a larger file, with a space before it; empty without advice."""


UPLOAD_LIMITS = ImportLimits(
    max_matches=1000,
    max_hands=25_000,
    advice=" Or import it on the computer that keeps score: scorekeeper import FILE.",
)
"""The limits of an uploaded file; its import takes some seconds, and holds up phones that score for one."""
COMMAND_LIMITS = ImportLimits(max_matches=10_000, max_hands=250_000)
"""The limits of a file that is imported by a command."""


DuplicatePolicy = Literal["ask", "skip", "again"]
"""What to do with matches that are stored already: `skip` them, import them `again`, or refuse the file and `ask`."""


class ImportedBefore(Exception):
    """Nothing was imported, because some of the file's matches are stored already.

    `matches` is the number of matches in the file, `new` the number of those not stored yet.
    """

    def __init__(self, matches: int, new: int) -> None:
        stored = matches - new
        all_matches = "The match" if stored == 1 else f"All {stored:,} matches"
        subject = f"{stored:,} of the {matches:,} matches" if new else all_matches
        super().__init__(f"{subject} in this file {'is' if stored == 1 else 'are'} here already.")
        self.matches, self.new = matches, new


class RecordsRefused(Exception):
    """A file of records was refused, and nothing was stored; `faults` has the reasons.

    Each fault comes with the number of its record, from 1, or 0 for the whole file.
    """

    def __init__(self, faults: Sequence[tuple[int, HandFault]], match_count: int) -> None:
        super().__init__(
            "\n".join(fault_sentence(item, f"record {number}" if number else "") for number, item in faults)
        )
        self.faults = tuple(faults)
        self.match_count = match_count
        """The number of records in the file, as far as it was read."""


def export_match(session: Session, rulesets: Variants, code: str) -> dict[str, Any]:
    """Return the record of the match that a link leads to, which need not be scorable; raises `UnknownCode`."""
    setup, events = load_setup_and_events(session, MATCH_LINKS.head_in_force(session, code).link)
    return export_record(session, rulesets, setup, fold(events))


def record_as_text(record: dict[str, Any]) -> str:
    """Return a record as the content of a JSON file, indented and with a line break at the end."""
    return json.dumps(record, ensure_ascii=False, indent=2) + "\n"


def export_all_matches(session: Session, rulesets: Variants, left_out: list[MatchSetup]) -> Iterator[dict[str, Any]]:
    """Yield a record of every match that has an owner and is not deleted, the oldest first.

    Matches that cannot be read are added to `left_out` instead.
    """
    for setup, log in load_logs(session, matches.owned_setups(session), left_out):
        yield export_record(session, rulesets, setup, log)


def export_record(session: Session, rulesets: Variants, setup: MatchSetup, log: MatchLog) -> dict[str, Any]:
    """Return a match as a record, with present names.

    Substitutes are named in the first hand that they played. Settings for the next hand become a last hand without
    play.
    """
    first_renamed = log.renamed_at(0)
    names = setup.record_names(first_renamed)
    hands = [hand_as_played(setup, logged, position) for position, logged in enumerate(log.hands, 1)]
    substitution_counts = [logged.substitution_count for logged in log.hands]
    settings = log.pending
    # Also of a stopped match: it may be resumed.
    pending = Hand(
        dealer=settings.dealer, house=settings.house, house_on=settings.house_on, sits_in=settings.substitutes
    )
    if pending.has_only_settings:
        hands.append(pending)
        substitution_counts.append(len(log.substitutions))
    earlier_substitution_counts = (0, *substitution_counts)
    sides = tuple((names[side.id], tuple(names[seat] for seat in side.seats)) for side in setup.sides)
    rules, occasion = readable_ruleset_of(session, setup), occasion_of(setup, log)
    record = Record(
        variant=setup.variant,
        house=_house_options(rulesets, setup, rules),
        house_rules=_named_rules(rulesets, setup, rules),
        players=tuple(names[seat.id] for seat in setup.seats) or None,
        unnamed=tuple(names[seat.id] for seat in setup.seats if setup.is_nameless(seat.id, first_renamed)),
        sides=sides if setup.has_named_sides(log.renamed) else None,
        start=replace_side_keys(setup.start, names),
        hands=tuple(
            _hand_with_names(setup, log, *hand_and_counts)
            for hand_and_counts in zip(hands, earlier_substitution_counts, substitution_counts, strict=False)
        ),
        stopped=log.is_stopped,
        title=occasion.title or None,
        played_on=occasion.played_on,
        place=occasion.venue or None,
        note=_note_with_paper_rules(occasion.note, log),
    )
    return record_as_json(record)


def _note_with_paper_rules(note: str, log: MatchLog) -> str | None:
    """Return a match's note with a line for each rule on paper: "From hand 5 on, on paper only: No talking".

    A rule that does not fit is left out. `None` without any text.
    """
    rules_by_hand = [*(hand.pending.on_paper for hand in log.hands), log.pending.on_paper]
    for number, paper_rules in zip(log.hand_numbers, rules_by_hand, strict=True):
        for rule in paper_rules:
            line = f"From hand {number} on{f', {rule.on}' if rule.on else ''}, on paper only: {rule.text}"
            longer_note = f"{note}\n{line}" if note else line
            note = longer_note if len(longer_note) <= MAX_NOTE_LENGTH else note
    return note or None


def _hand_with_names(setup: MatchSetup, log: MatchLog, hand: Hand, earlier_count: int, count: int) -> Hand:
    """Return a hand as in a record, with names in place of ids, and with the substitutes who play for the first time.

    `count` is the number of substitutions before this hand, and `earlier_count` of those before the previous hand.
    """
    original_names, names_then = setup.record_names(log.renamed_at(0)), setup.record_names(log.renamed_at(count))
    names = {**original_names, **{seat.id: names_then[seat.id] for seat in setup.seats}}
    return replace(with_ids(hand, names), sits_in=substitutes_between(setup, log, earlier_count, count) or None)


def _house_options(rulesets: Variants, setup: MatchSetup, rules: Ruleset | None) -> Mapping[str, Any]:
    """Return the house options for a match's record, with which its import scores the same.

    If the variant has changed since the match began, they include the former answers where possible. `rules` are those
    that the match began with, or `None` if they cannot be read.
    """
    if rules is None or setup.variant not in rulesets:
        return setup.house
    present_variant = rulesets[setup.variant]
    if not differing_answers(with_house(present_variant, setup.house)[0], rules):
        answers = {name: rules.answer(name) for name in former_answers(present_variant, setup.house)}
        return {**answers, **setup.house}
    former_options = differing_answers(present_variant, rules)
    changed_ruleset, faults = with_house(present_variant, former_options)
    return former_options if not faults and not differing_answers(changed_ruleset, rules) else setup.house


def _named_rules(rulesets: Variants, setup: MatchSetup, rules: Ruleset | None) -> NamedRules | None:
    """Return the name and notes of a match's house rules; `None` without a valid name.

    Notes of the published variant are left out. `rules` are those that the match began with, or `None` if they cannot
    be read.
    """
    if rules is None or rules.source != "house" or any(rules_name_faults(rules.name)):
        return None
    published_notes = rulesets[setup.variant].notes if setup.variant in rulesets else []
    notes = tuple(note for note in rules.notes if note not in published_notes)
    return NamedRules(rules.name, () if any(rules_notes_faults(notes)) else notes)


def read_records(content: bytes) -> Iterator[Any]:
    """Yield the parsed records of a file: one JSON object, a JSON list, or JSON lines; raises `RecordsRefused`."""
    read_count = 0
    try:
        # One at a time: all at once, they would take ten times the memory of the file.
        for record in parse_items(content):
            read_count += 1
            yield record
    except ValueError as whole_error:
        lines = [line for line in content.splitlines() if line.strip()]
        if read_count or len(lines) < 2:
            raise _not_json_refusal(read_count + 1, whole_error) from None
        for number, line in enumerate(lines, 1):
            try:
                yield parse_json(line)
            except ValueError as error:
                raise _not_json_refusal(number, error) from None


def _not_json_refusal(number: int, error: ValueError) -> RecordsRefused:
    """Return an exception to raise for a record that is not JSON; `number`, from 1, is the record's in the file."""
    text = f"This cannot be read as a match: {error}. Choose a file that Scorekeeper made."
    return _one_fault_refusal(number, Fault("", "not_json", text))


def import_file(
    session: Session,
    rulesets: Variants,
    content: bytes,
    *,
    idempotency_key: str | None = None,
    limits: ImportLimits = COMMAND_LIMITS,
    importer: Importer | None = None,
    duplicates: DuplicatePolicy = "again",
) -> list[str]:
    """Import all records of a file as matches, or none, and commit; return the code of the owner's link to each.

    With an `importer`, the matches are put on its phone's list, and only matches on that list count as duplicates.
    Raises `RecordsRefused`, `ImportedBefore`, `ImportNotNow`, and `Refused` for a bad idempotency key.
    """
    idempotency_key = new_code() if idempotency_key is None else idempotency_key
    refuse_any(idempotency_key_faults(idempotency_key))
    if len(content) > limits.max_bytes:
        raise _too_many_refusal(f"This file is larger than {limits.max_bytes // 1024**2} MB.", limits)
    if imported_codes := codes_imported_by(session, idempotency_key):
        return imported_codes
    try:
        with import_run(session, importer):
            if imported_codes := codes_imported_by(
                session, idempotency_key
            ):  # sent twice, and this one has waited for the first
                return imported_codes
            records = PickledObjects(read_records(content))
            checked_matches = _check_and_encode_all(rulesets, records, limits, importer.zone if importer else None)
            stored_digests = (
                set[str]() if duplicates == "again" else _stored_digests(session, checked_matches, importer)
            )
            if duplicates == "ask" and (
                new_count := sum(match.digest not in stored_digests for match in checked_matches)
            ) < len(checked_matches):
                raise ImportedBefore(len(checked_matches), new_count)
            return _store_matches(session, checked_matches, stored_digests, idempotency_key, importer)
    except ImportNotNow:
        if imported_codes := codes_imported_by(session, idempotency_key):
            return imported_codes
        raise
    finally:
        return_freed_memory()


def codes_imported_by(session: Session, idempotency_key: str) -> list[str]:
    """Return the code of the owner's link to each match that a form has imported already; may be empty."""
    codes: list[str] = []
    while code := MATCH_LINKS.code_by_form_key(session, _key_of_match(idempotency_key, len(codes) + 1)):
        codes.append(code)
    return codes


def _key_of_match(idempotency_key: str, number: int) -> str:
    """Return the idempotency key of an imported match: the form's key and the match's number, "form-key/1"."""
    return f"{idempotency_key}/{number}"


@dataclass(frozen=True, slots=True)
class _CheckedMatch:
    """A checked match from a file, encoded for the database, with what finds stored copies of it."""

    match: EncodedMatch
    played_on: str | None
    variant: str
    digest: str
    """The digest from `_match_digest`, by which copies of a match are found."""


def _stored_digests(
    session: Session, checked_matches: PickledObjects[_CheckedMatch], importer: Importer | None
) -> set[str]:
    """Return the digests of stored matches with a day and a variant of matches in a file.

    With an `importer`, only matches on its phone's list are read.
    """
    device = device_digest(importer.device) if importer else None
    variants_and_days = {(match.variant, match.played_on) for match in checked_matches}
    setups = matches.setups_played_on(session, {day for _, day in variants_and_days}, device)
    variants = {variant for variant, _ in variants_and_days}
    logs = load_logs(session, [setup for setup in setups if setup.variant in variants], [])
    return {_match_digest(setup, log) for setup, log in logs}


def _match_digest(setup: MatchSetup, log: MatchLog) -> str:
    """Return a digest of what was played: variant, day, players and hands; copies of a match have the same."""
    names = setup.record_names(log.renamed_at(0))
    hands = [hand_as_played(setup, logged, position) for position, logged in enumerate(log.hands, 1)]
    people_keys = [name_key(names[who]) for who in setup.ids]
    played_match = setup.variant, occasion_of(setup, log).played_on, people_keys, setup.start, hands
    return hashlib.sha256(repr(played_match).encode("utf-8", "surrogatepass")).hexdigest()


def _check_and_encode_all(
    rulesets: Variants, records: PickledObjects[Any], limits: ImportLimits, zone: str | None
) -> PickledObjects[_CheckedMatch]:
    """Check the records of a file, and return them as encoded matches; raises `RecordsRefused` with every fault.

    `zone` is the importing phone's time zone; `None` if unknown.
    """
    hand_lists = (record.get("hands") for record in records if isinstance(record, dict))
    hand_count = sum(len(listed) for listed in hand_lists if isinstance(listed, list))
    if not records:
        raise _one_fault_refusal(0, Fault("", "nothing", "There is no match in this file."))
    if len(records) > limits.max_matches:
        raise _too_many_refusal(f"This file has {len(records):,} matches; {limits.max_matches:,} fit.", limits)
    if hand_count > limits.max_hands:
        raise _too_many_refusal(f"This file has {hand_count:,} hands; {limits.max_hands:,} fit.", limits)
    rulebook, file_budget = Rulebook(rulesets), Budget()
    faults: list[tuple[int, HandFault]] = []

    def check_each() -> Iterator[_CheckedMatch]:
        """Yield an encoded match for each valid record; add the faults of the others to `faults`."""
        for number, data in enumerate(records, 1):
            try:
                yield _check_and_encode(rulebook.with_former_answers(read_record(data)), rulebook, file_budget, zone)
            except FaultsFound as refused:
                faults.extend((number, item) for item in refused.faults)
            except BudgetExceeded:
                raise _too_many_refusal(TOO_MANY_BY_POINTS, limits) from None

    checked_matches = PickledObjects(check_each())
    if faults:
        raise RecordsRefused(faults, len(records))
    return checked_matches


def _too_many_refusal(what: str, limits: ImportLimits) -> RecordsRefused:
    """Return an exception to raise for a file that is too large; `what` is the first sentence of its message."""
    return _one_fault_refusal(0, Fault("", "too_many", f"{what} {_SPLIT_ADVICE}{limits.advice}"))


def _one_fault_refusal(number: int, fault: Fault) -> RecordsRefused:
    """Return an exception to raise for one fault; `number`, from 1, is that of its record, or 0 for the whole file."""
    return RecordsRefused([(number, HandFault(None, fault))], number)


def _check_and_encode(record: Record, rulebook: Rulebook, file_budget: Budget, zone: str | None) -> _CheckedMatch:
    """Check a record, and return it as an encoded match; raises `FaultsFound`.

    Raises `BudgetExceeded` if `file_budget`, which all records of the file share, is used up.
    """
    _check_hand_values(record)
    # The result of a match does not depend on those before it: each has budgets of its own beside that of the file.
    play_budget, display_budget = (
        Budget(MAX_REQUEST_STEPS + MAX_HAND_STEPS_IN_KNOWN_GAMES * len(record.hands)),
        Budget(),
    )
    ruleset, played = check_record(record, rulebook, play_budget)
    ruleset_json, ruleset_digest = write_ruleset(ruleset)
    setup = replace(new_setup(record, ruleset, played.seats, zone=zone), digest=ruleset_digest)
    _check_people(record, setup.ids_by_name)
    created_at, numbered_events = setup.created_at, enumerate(_events_of_record(record, setup.ids_by_name), 1)
    events = tuple(
        StoredEvent(seq, f"{_IMPORT_ACTOR}-{seq}", created_at, _IMPORT_ACTOR, event) for seq, event in numbered_events
    )
    # Hands after the end of a match are not played above, but have to be sound where the match is shown.
    log = fold(events)
    match = derive_match(setup, Link(0, "", OWNER, 0), log, ruleset, budget=display_budget)
    file_budget.spend(play_budget.steps_beyond(len(record.hands)) + display_budget.steps_beyond(len(record.hands)))
    encoded = encode_match(setup, ruleset_json, events, match.ending)
    return _CheckedMatch(encoded, setup.played_on, setup.variant, _match_digest(setup, log))


def _check_hand_values(record: Record) -> None:
    """Raise `RefusedRecord` for values beyond their limits, and for invalid names of substitutes."""
    faults = [HandFault(number, fault) for number, hand in enumerate(record.hands, 1) for fault in hand_faults(hand)]
    faults += [
        HandFault(number, fault)
        for number, hand in enumerate(record.hands, 1)
        for leaver, newcomer in (hand.sits_in or {}).items()
        for fault in name_faults(f"sits_in.{leaver}", newcomer)
    ]
    if faults:
        raise RefusedRecord(faults)


def _check_people(record: Record, ids_by_name: Mapping[str, str]) -> None:
    """Raise `RefusedRecord` for an unknown player or an impossible substitution.

    `ids_by_name` has the ids of seats and sides at the start, keyed by name.
    """
    faults = []
    for number, hand in enumerate(record.hands, 1):
        ids_by_name, people_faults = ids_after_substitutions(ids_by_name, hand)
        people_faults += [unknown_player_fault(path, who) for path, who in people_in(hand) if who not in ids_by_name]
        faults += [HandFault(number, fault) for fault in people_faults]
    if faults:
        raise RefusedRecord(faults)


def _events_of_record(record: Record, ids_by_name: Mapping[str, str]) -> Iterator[Event]:
    """Yield the events that make up the match of a record; `ids_by_name` has the ids of seats and sides."""
    for hand in record.hands:
        earlier_ids = ids_by_name
        ids_by_name, _ = ids_after_substitutions(earlier_ids, hand)
        yield from _events_of_hand(hand_with_ids(hand, earlier_ids, ids_by_name))
    if record.stopped:
        yield Stopped()


def _events_of_hand(hand: Hand) -> list[Event]:
    """Return the events for a hand of a record: its substitutions, then the hand.

    A hand that was not played, and only has settings for the next hand, becomes events for these settings.
    """
    events: list[Event] = [PlayerSubstituted(names=hand.sits_in)] if hand.sits_in else []
    if not hand.has_only_settings:
        return [*events, HandAdded(hand=replace(hand, sits_in=None))]
    if hand.dealer is not None:
        events.append(DealerMoved(who=hand.dealer))
    if hand.house is not None:
        events.append(RulesChanged(house=hand.house, on=hand.house_on))
    return events


def _store_matches(
    session: Session,
    checked_matches: PickledObjects[_CheckedMatch],
    skipped_digests: Container[str],
    idempotency_key: str,
    importer: Importer | None,
) -> list[str]:
    """Insert the matches whose digest is not in `skipped_digests`, and commit; return the codes of the owners' links.

    With an `importer`, they are put on its phone's list. Raises `Refused` if the form has imported them already.
    """
    session.rollback()  # a transaction that begins with writing is not refused after it has read
    match_ids: list[int] = []
    try:
        for number, encoded in enumerate(
            (match.match for match in checked_matches if match.digest not in skipped_digests), 1
        ):
            match_ids.append(add_encoded_match(session, encoded, _key_of_match(idempotency_key, number)))
    except IntegrityError:
        raise refusal("", "This file was imported before. Reload the page to import it again.") from None
    now = datetime.now(UTC)
    codes = {match_id: new_code() for match_id in match_ids}
    add_owner_links(session, codes, now)
    if importer:
        add_to_device_list(session, device_digest(importer.device), match_ids, now)
    session.commit()
    return [*codes.values()]
