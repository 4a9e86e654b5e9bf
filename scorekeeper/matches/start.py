"""Start a match from a record without hands, with ids for its seats and sides."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from sqlalchemy.orm import Session

from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.eventlog.store import Writer, add_once
from scorekeeper.eventlog.stream import OWNER, Refused, refusal
from scorekeeper.matches import store as matches
from scorekeeper.matches.fold import Match
from scorekeeper.matches.log import match_day
from scorekeeper.matches.service import load_match, write_ruleset
from scorekeeper.matches.setup import MatchSetup, SetupSeat, SetupSide
from scorekeeper.pitch.records.record import Record, RefusedRecord, replace_side_keys
from scorekeeper.pitch.records.result import Rulebook, play_record_under
from scorekeeper.pitch.rules.entered_text import name_faults, remark_faults
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.house_rules import HouseRules, Variants, without_moot_answers
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.pitch.scoring.search_budget import Budget
from scorekeeper.pitch.scoring.seats import Seats, seat_table
from scorekeeper.random_codes import new_code


def start_match(
    session: Session,
    variants: Variants,
    record: Record,
    writer: Writer,
    *,
    first_dealer: str | None = None,
    first_chair: int | None = None,
    evening: str = "",
    markers: Sequence[int] = (),
    in_transaction: Callable[[int], None] = lambda _match_id: None,
) -> Match:
    """Start a match from a record without hands, commit, and return it, once for each form; raises `Refused`.

    `first_dealer` is a name. For a match without names, `first_chair`, from 0, is the dealer's chair, and `evening` the
    `evening` of the previous match. `in_transaction` is called with the match's id before the commit.
    """
    idempotency_key = writer.idempotency_key
    dated_record = replace(record, played_on=record.played_on or match_day(None, datetime.now(UTC), writer.zone))

    def add() -> str:
        try:
            _, opening_state = check_record(dated_record, Rulebook(variants))
            house = without_moot_answers(
                variants[dated_record.variant], dated_record.house, len(opening_state.seats.ids)
            )
            stored_record = replace(dated_record, house=house)
            ruleset, opening_state = check_record(stored_record, Rulebook(variants))
        except RefusedRecord as refused:
            raise Refused(refused.faults) from None
        if opening_state.outcome:
            raise refusal("start.hands", "After so many hands this match is over. Check the hands played.")
        if first_dealer is not None and first_dealer not in opening_state.seats.chairs:
            raise refusal("first_dealer", "Nobody at this table has that name.")
        setup = new_setup(stored_record, ruleset, opening_state.seats, first_dealer, writer.zone).with_markers(markers)
        if first_chair is not None:
            setup = setup.with_unnamed_sides(first_chair)
        setup = setup.with_evening(evening)
        match_id = add_match_of_setup(session, setup, ruleset, idempotency_key)
        code = new_code()
        MATCH_LINKS.add(session, match_id, code, OWNER, datetime.now(UTC))
        in_transaction(match_id)
        return code

    def find() -> str | None:
        return MATCH_LINKS.code_by_form_key(session, idempotency_key)

    # Another phone may put a match into the same book at the same moment.
    return load_match(session, add_once(session, find, add))


def check_record(record: Record, rulebook: Rulebook, budget: Budget | None = None) -> tuple[Ruleset, MatchState]:
    """Return the rules that a record begins with, and the state after its hands; raises `RefusedRecord`.

    For `budget` see `match.play`.
    """
    ruleset = rulebook.ruleset_for(record.variant, record.house)
    if named_rules := record.house_rules:
        ruleset = rulebook.with_house_name(
            ruleset, HouseRules(named_rules.name, record.variant, record.house, named_rules.notes)
        )
    faults: list[Fault] = []
    for i, name in enumerate(record.players or ()):
        faults += name_faults(f"players.{i}", name)
    for i, (name, members) in enumerate(record.sides or ()):
        faults += name_faults(f"sides.{i}.name", name)
        for j, member in enumerate(members):
            if member not in (record.players or ()):
                faults += name_faults(f"sides.{i}.players.{j}", member)
    faults += remark_faults(record.title, record.place, record.note, record.played_on)
    if not faults:
        _, faults = seat_table(ruleset, record.players, record.sides)
    if faults:
        raise RefusedRecord(faults)
    return ruleset, play_record_under(record, ruleset, budget)


def add_match_of_setup(session: Session, setup: MatchSetup, ruleset: Ruleset, idempotency_key: str | None) -> int:
    """Insert a match without hands or links, and return its id; commits nothing."""
    ruleset_json, ruleset_digest = write_ruleset(ruleset)
    values = matches.setup_values(replace(setup, digest=ruleset_digest))
    return matches.add_match(session, {**values, "ruleset": ruleset_json}, idempotency_key)


def new_setup(
    record: Record, ruleset: Ruleset, seats: Seats, first_dealer: str | None = None, zone: str | None = None
) -> MatchSetup:
    """Return the setup of a match that begins now from a record, with a new uid; its id and digest are still to be set.

    `seats` has names in place of ids. `first_dealer` is a name, and `zone` the phone's time zone.
    """
    ids_by_name = {name: f"p{number}" for number, name in enumerate(seats.players, 1)}
    default_seats, _ = seat_table(ruleset, seats.players, None) if seats.players else (None, [])
    has_default_sides = default_seats is not None and default_seats == seats
    sides = []
    for number, side in enumerate(seats.sides, 1):
        is_alone = side.seats == (side.id,) and side.id in ids_by_name
        members = tuple(ids_by_name[player] for player in side.seats if player in ids_by_name)
        name = None if has_default_sides else side.id
        sides.append(SetupSide(ids_by_name[side.id] if is_alone else f"s{number}", name, members))
    setup = MatchSetup(
        id=0,
        uid=new_code(),
        created_at=datetime.now(UTC),
        variant=record.variant,
        house=record.house,
        digest="",
        seats=tuple(SetupSeat(who, name, name in record.unnamed) for name, who in ids_by_name.items()),
        sides=tuple(sides),
        start={},
        first_dealer=None,
        title=record.title or "",
        played_on=record.played_on,
        place=record.place,
        note=record.note,
        zone=zone,
    )
    ids_by_name = setup.ids_by_name
    return replace(
        setup,
        start=replace_side_keys(record.start, ids_by_name),
        first_dealer=first_dealer and ids_by_name[first_dealer],
    )
