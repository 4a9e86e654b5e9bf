"""What tests write into a match, in one call each; the arguments are those of `write`."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from scorekeeper.engine.hand import Hand
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.fact_log import redo_last, undo_last
from scorekeeper.ledger.facts import (
    AgreementSet,
    DealerMoved,
    Deleted,
    HandAccepted,
    HandAdded,
    HandCorrected,
    HandRemoved,
    HandReturned,
    Resumed,
    RulesChanged,
    SatIn,
    Stopped,
    Undeleted,
    Undone,
    renaming,
)
from scorekeeper.services.writing import write


def record_hand(
    session: Session,
    code: str,
    hand: Hand,
    *,
    seq: int,
    client_key: str,
    actor: str = "",
    before: int | None = None,
) -> Match:
    """Add a hand, at the end or before another; raises `HandRefused`."""
    return write(session, code, HandAdded(hand=hand, before=before), seq=seq, client_key=client_key, actor=actor)


def correct_hand(
    session: Session, code: str, uid: int, hand: Hand, *, seq: int, client_key: str, actor: str = ""
) -> Match:
    """Correct a hand, and everything after it follows; raises `HandRefused`."""
    return write(session, code, HandCorrected(uid=uid, hand=hand), seq=seq, client_key=client_key, actor=actor)


def remove_hand(session: Session, code: str, uid: int, *, seq: int, client_key: str, actor: str = "") -> Match:
    """Delete a hand; raises `HandRefused`."""
    return write(session, code, HandRemoved(uid=uid), seq=seq, client_key=client_key, actor=actor)


def return_hand(session: Session, code: str, uid: int, *, seq: int, client_key: str, actor: str = "") -> Match:
    """Restore a hand in its place; raises `HandRefused`."""
    return write(session, code, HandReturned(uid=uid), seq=seq, client_key=client_key, actor=actor)


def accept_hand(session: Session, code: str, uid: int, version: int, *, client_key: str, actor: str = "") -> Match:
    """Accept a hand, as the event `version` made it, for the side whose phone this is; raises `HandRefused`."""
    return write(session, code, HandAccepted(uid=uid, version=version), seq=None, client_key=client_key, actor=actor)


def set_agreement(session: Session, code: str, on: bool, *, client_key: str, actor: str = "") -> Match:
    """Let hands count from here on only when another side has accepted them, or at once; all so far count."""
    return write(session, code, AgreementSet(on=on), seq=None, client_key=client_key, actor=actor)


def undo(
    session: Session, code: str, *, seq: int, client_key: str, actor: str = "", target: int | None = None
) -> Match:
    """Undo the last fact; with `target` only if it is that one."""
    return write(
        session,
        code,
        undo_last if target is None else Undone(target=target),
        seq=seq,
        client_key=client_key,
        actor=actor,
    )


def redo(session: Session, code: str, *, seq: int, client_key: str, actor: str = "") -> Match:
    """Redo what the last undo undid."""
    return write(session, code, redo_last, seq=seq, client_key=client_key, actor=actor)


def stop(session: Session, code: str, *, seq: int | None = None, client_key: str, actor: str = "") -> Match:
    """Stop before there is a winner."""
    return write(session, code, Stopped(), seq=seq, client_key=client_key, actor=actor)


def resume(session: Session, code: str, *, seq: int | None = None, client_key: str, actor: str = "") -> Match:
    """Resume a match that was stopped."""
    return write(session, code, Resumed(), seq=seq, client_key=client_key, actor=actor)


def rename(
    session: Session,
    code: str,
    names: Mapping[str, str],
    *,
    client_key: str,
    title: str | None = None,
    seq: int | None = None,
    actor: str = "",
) -> Match:
    """Rename people, sides (by id) and the match, all or none."""
    return write(session, code, renaming(names, title), seq=seq, client_key=client_key, actor=actor)


def delete(session: Session, code: str, *, client_key: str, seq: int | None = None, actor: str = "") -> Match:
    """Delete the match; `undelete` restores it."""
    return write(session, code, Deleted(), seq=seq, client_key=client_key, actor=actor)


def undelete(session: Session, code: str, *, client_key: str, seq: int | None = None, actor: str = "") -> Match:
    """Restore the match."""
    return write(session, code, Undeleted(), seq=seq, client_key=client_key, actor=actor)


def move_dealer(session: Session, code: str, who: str, *, seq: int, client_key: str, actor: str = "") -> Match:
    """Let somebody else deal the next hand."""
    return write(session, code, DealerMoved(who=who), seq=seq, client_key=client_key, actor=actor)


def change_rules(
    session: Session,
    code: str,
    house: Mapping[str, Any],
    *,
    seq: int,
    client_key: str,
    on: str | None = None,
    actor: str = "",
) -> Match:
    """Change house options from the next hand on; `on` is the day."""
    return write(session, code, RulesChanged(house=house, on=on), seq=seq, client_key=client_key, actor=actor)


def sit_in(session: Session, code: str, who: str, name: str, *, seq: int, client_key: str) -> Match:
    """Let somebody sit in a seat from the next hand on; raises `Refused`."""
    return write(session, code, SatIn(names={who: name}), seq=seq, client_key=client_key)
