"""What tests start and write into a match, in one call each."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy.orm import Session

from scorekeeper.book.book_matches import put_started_match
from scorekeeper.eventlog.append import Writer
from scorekeeper.eventlog.stream import redo_last, undo_last
from scorekeeper.matches import start as starting
from scorekeeper.matches.events import (
    DealerMoved,
    Deleted,
    HandAdded,
    HandCorrected,
    HandRemoved,
    HandReturned,
    PlayerSubstituted,
    Renamed,
    Resumed,
    RulesChanged,
    Stopped,
    StoredEvent,
    Undeleted,
    Undone,
    renaming,
)
from scorekeeper.matches.fold import Match
from scorekeeper.matches.load import write
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.pitch.records.record import Record
from scorekeeper.pitch.rules.house_rules import Variants
from scorekeeper.pitch.scoring.hand import Hand


def start_match(
    session: Session,
    rulesets: Variants,
    *,
    variant: str,
    idempotency_key: str,
    house: Mapping[str, Any] | None = None,
    players: Sequence[str] | None = None,
    sides: Sequence[tuple[str, Sequence[str]]] | None = None,
    start: Mapping[str, Any] | None = None,
    title: str = "",
    played_on: date | None = None,
    first_dealer: str | None = None,
    device: str = "",
    book: str = "",
    actor: str = "",
) -> Match:
    """Start a match, as what the table agreed is a record."""
    record = Record(
        variant=variant,
        house=house or {},
        players=tuple(players) if players else None,
        sides=tuple((name, tuple(members)) for name, members in sides) if sides else None,
        start=start or {},
        title=title or None,
        played_on=played_on.isoformat() if played_on else None,
    )
    writer = Writer(idempotency_key, actor)

    def along(match_id: int) -> None:
        if device:
            put_started_match(session, device, match_id, book, writer)

    return starting.start_match(session, rulesets, record, writer, first_dealer=first_dealer, along=along)


def record_hand(
    session: Session,
    code: str,
    hand: Hand,
    *,
    seq: int,
    idempotency_key: str,
    actor: str = "",
    before: int | None = None,
) -> Match:
    """Add a hand, at the end or before another; raises `HandRefused`."""
    return write(
        session,
        code,
        HandAdded(hand=hand, before=before),
        Writer(idempotency_key, actor),
        expected_version=seq and seq - 1,
    )


def correct_hand(
    session: Session, code: str, uid: int, hand: Hand, *, seq: int, idempotency_key: str, actor: str = ""
) -> Match:
    """Correct a hand, and everything after it follows; raises `HandRefused`."""
    return write(
        session,
        code,
        HandCorrected(uid=uid, hand=hand),
        Writer(idempotency_key, actor),
        expected_version=seq and seq - 1,
    )


def remove_hand(session: Session, code: str, uid: int, *, seq: int, idempotency_key: str, actor: str = "") -> Match:
    """Delete a hand; raises `HandRefused`."""
    return write(session, code, HandRemoved(uid=uid), Writer(idempotency_key, actor), expected_version=seq and seq - 1)


def return_hand(session: Session, code: str, uid: int, *, seq: int, idempotency_key: str, actor: str = "") -> Match:
    """Restore a hand in its place; raises `HandRefused`."""
    return write(session, code, HandReturned(uid=uid), Writer(idempotency_key, actor), expected_version=seq and seq - 1)


def undo(
    session: Session, code: str, *, seq: int, idempotency_key: str, actor: str = "", target: int | None = None
) -> Match:
    """Undo the last event; with `target` only if it is that one."""
    return write(
        session,
        code,
        undo_last if target is None else Undone(target=target),
        Writer(idempotency_key, actor),
        expected_version=seq and seq - 1,
    )


def redo(session: Session, code: str, *, seq: int, idempotency_key: str, actor: str = "") -> Match:
    """Redo what the last undo undid."""
    return write(session, code, redo_last, Writer(idempotency_key, actor), expected_version=seq and seq - 1)


def stop(session: Session, code: str, *, seq: int | None = None, idempotency_key: str, actor: str = "") -> Match:
    """Stop before there is a winner."""
    return write(session, code, Stopped(), Writer(idempotency_key, actor), expected_version=seq and seq - 1)


def resume(session: Session, code: str, *, seq: int | None = None, idempotency_key: str, actor: str = "") -> Match:
    """Resume a match that was stopped."""
    return write(session, code, Resumed(), Writer(idempotency_key, actor), expected_version=seq and seq - 1)


def rename(
    session: Session,
    code: str,
    names: Mapping[str, str],
    *,
    idempotency_key: str,
    title: str | None = None,
    seq: int | None = None,
    actor: str = "",
) -> Match:
    """Rename people, sides (by id) and the match, all or none."""
    return write(
        session, code, renaming(names, title), Writer(idempotency_key, actor), expected_version=seq and seq - 1
    )


def store_names(session: Session, match: Match, **names: str) -> None:
    """Give people names as a match may have them that was stored before names were compared by their keys."""
    event = StoredEvent(match.version + 1, "stored names", datetime.now(UTC), "", Renamed(names=names))
    MATCH_EVENTS.add(session, match.id, [event])
    session.commit()


def delete(session: Session, code: str, *, idempotency_key: str, seq: int | None = None, actor: str = "") -> Match:
    """Delete the match; `undelete` restores it."""
    return write(session, code, Deleted(), Writer(idempotency_key, actor), expected_version=seq and seq - 1)


def undelete(session: Session, code: str, *, idempotency_key: str, seq: int | None = None, actor: str = "") -> Match:
    """Restore the match."""
    return write(session, code, Undeleted(), Writer(idempotency_key, actor), expected_version=seq and seq - 1)


def move_dealer(session: Session, code: str, who: str, *, seq: int, idempotency_key: str, actor: str = "") -> Match:
    """Let somebody else deal the next hand."""
    return write(session, code, DealerMoved(who=who), Writer(idempotency_key, actor), expected_version=seq and seq - 1)


def change_rules(
    session: Session,
    code: str,
    house: Mapping[str, Any],
    *,
    seq: int,
    idempotency_key: str,
    on: str | None = None,
    actor: str = "",
) -> Match:
    """Change house options from the next hand on; `on` is the day."""
    return write(
        session,
        code,
        RulesChanged(house=house, on=on),
        Writer(idempotency_key, actor),
        expected_version=seq and seq - 1,
    )


def sit_in(session: Session, code: str, who: str, name: str, *, seq: int, idempotency_key: str) -> Match:
    """Let somebody sit in a seat from the next hand on; raises `Refused`."""
    return write(
        session, code, PlayerSubstituted(names={who: name}), Writer(idempotency_key), expected_version=seq and seq - 1
    )
