"""What tests start and write into a match, in one call each."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from itertools import count
from typing import Any

from sqlalchemy.orm import Session

from scorekeeper.book.book_matches import put_started_match
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import redo_event, undo_event
from scorekeeper.matches import start as starting
from scorekeeper.matches.events import (
    Change,
    DealerMoved,
    Deleted,
    HandAdded,
    HandCorrected,
    HandRemoved,
    HandRestored,
    PlayerSubstituted,
    Renamed,
    Resumed,
    RulesChanged,
    Stopped,
    StoredEvent,
    Undeleted,
    Undone,
    rename_change,
)
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import write_match
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.pitch.records.record import Record
from scorekeeper.pitch.rules.house_rules import Variants
from scorekeeper.pitch.scoring.hand import Hand

_forms = (f"form {number} of the test" for number in count())


def by() -> Writer:
    """Return who writes by a form that nobody sent before."""
    return Writer(next(_forms))


def start_match(
    session: Session,
    rulesets: Variants,
    *,
    variant: str,
    idempotency_key: str | None = None,
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
    writer = _writer(idempotency_key, actor)

    def in_transaction(match_id: int) -> None:
        if device:
            put_started_match(session, device, match_id, book, writer)

    return starting.start_match(
        session, rulesets, record, writer, first_dealer=first_dealer, in_transaction=in_transaction
    )


def _writer(idempotency_key: str | None, actor: str) -> Writer:
    return Writer(next(_forms) if idempotency_key is None else idempotency_key, actor)


def write_event(
    session: Session,
    code: str,
    event: Change,
    *,
    idempotency_key: str | None = None,
    seq: int | None = None,
    actor: str = "",
) -> Match:
    """Write as the event of a number, or whatever was written before; raises `HandRefused` and `Refused`.

    Without a key of its own, a form is one that nobody sent before.
    """
    return write_match(session, code, event, _writer(idempotency_key, actor), expected_version=seq and seq - 1)


def record_hand(session: Session, code: str, hand: Hand, **known: Any) -> Match:
    """Add a hand at the end."""
    return write_event(session, code, HandAdded(hand=hand), **known)


def record_hands(session: Session, code: str, *hands: Hand) -> Match:
    """Add hands at the end."""
    *_, match = (record_hand(session, code, hand) for hand in hands)
    return match


def correct_hand(session: Session, code: str, uid: int, hand: Hand, **known: Any) -> Match:
    """Correct a hand, and everything after it follows."""
    return write_event(session, code, HandCorrected(uid=uid, hand=hand), **known)


def remove_hand(session: Session, code: str, uid: int, **known: Any) -> Match:
    """Delete a hand."""
    return write_event(session, code, HandRemoved(uid=uid), **known)


def return_hand(session: Session, code: str, uid: int, **known: Any) -> Match:
    """Restore a deleted hand where it was."""
    return write_event(session, code, HandRestored(uid=uid), **known)


def undo(session: Session, code: str, *, target: int | None = None, **known: Any) -> Match:
    """Undo the last event; with `target` only if it is that one."""
    return write_event(session, code, undo_event if target is None else Undone(target=target), **known)


def redo(session: Session, code: str, **known: Any) -> Match:
    """Redo what the last undo undid."""
    return write_event(session, code, redo_event, **known)


def stop(session: Session, code: str, **known: Any) -> Match:
    """Stop before there is a winner."""
    return write_event(session, code, Stopped(), **known)


def resume(session: Session, code: str, **known: Any) -> Match:
    """Resume a match that was stopped."""
    return write_event(session, code, Resumed(), **known)


def rename(session: Session, code: str, names: Mapping[str, str], *, title: str | None = None, **known: Any) -> Match:
    """Rename people, sides (by id) and the match, all or none."""
    return write_event(session, code, rename_change(names, title), **known)


def store_names(session: Session, match: Match, **names: str) -> None:
    """Give people names as a match may have them that was stored before names were compared by their keys."""
    event = StoredEvent(match.version + 1, "stored names", datetime.now(UTC), "", Renamed(names=names))
    MATCH_EVENTS.add(session, match.id, [event])
    session.commit()


def delete(session: Session, code: str, **known: Any) -> Match:
    """Delete the match; `undelete` restores it."""
    return write_event(session, code, Deleted(), **known)


def undelete(session: Session, code: str, **known: Any) -> Match:
    """Restore the match."""
    return write_event(session, code, Undeleted(), **known)


def move_dealer(session: Session, code: str, who: str, **known: Any) -> Match:
    """Let somebody else deal the next hand."""
    return write_event(session, code, DealerMoved(who=who), **known)


def change_rules(
    session: Session, code: str, house: Mapping[str, Any], *, on: str | None = None, **known: Any
) -> Match:
    """Change house options from the next hand on; `on` is the day."""
    return write_event(session, code, RulesChanged(house=house, on=on), **known)


def sit_in(session: Session, code: str, who: str, name: str, **known: Any) -> Match:
    """Let somebody sit in a seat from the next hand on."""
    return write_event(session, code, PlayerSubstituted(names={who: name}), **known)
