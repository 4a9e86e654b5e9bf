"""What is done with a match. Each of these commits, and gives the match as it stands then."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from scorekeeper.services import changes
from scorekeeper.services.agreement import why_not
from scorekeeper.services.load import LoadedMatch, load_match
from scorekeeper.services.writing import write
from scorekeeper.store.facts import Hand


def record_hand(
    session: Session,
    code: str,
    hand: Hand,
    *,
    seq: int,
    client_key: str,
    actor: str = "",
    before: int | None = None,
) -> LoadedMatch:
    """Write a hand down, at the end or before another; raises `HandRefused` and `StaleMatch`."""
    return write(session, code, changes.adding(hand, before), seq=seq, client_key=client_key, actor=actor)


def correct_hand(
    session: Session, code: str, uid: int, hand: Hand, *, seq: int, client_key: str, actor: str = ""
) -> LoadedMatch:
    """Put a hand right, and everything after it follows; raises `HandRefused` and `StaleMatch`."""
    return write(session, code, changes.correcting(uid, hand), seq=seq, client_key=client_key, actor=actor)


def remove_hand(session: Session, code: str, uid: int, *, seq: int, client_key: str, actor: str = "") -> LoadedMatch:
    """Take a hand out; raises `HandRefused` and `StaleMatch`."""
    return write(session, code, changes.removing(uid), seq=seq, client_key=client_key, actor=actor)


def return_hand(session: Session, code: str, uid: int, *, seq: int, client_key: str, actor: str = "") -> LoadedMatch:
    """Put a hand back in its place; raises `HandRefused` and `StaleMatch`."""
    return write(session, code, changes.returning(uid), seq=seq, client_key=client_key, actor=actor)


def accept_hand(
    session: Session, code: str, uid: int, version: int, *, client_key: str, actor: str = ""
) -> LoadedMatch:
    """Accept a hand, as the event `version` made it, for the side whose phone this is; raises `HandRefused`."""
    match = load_match(session, code)
    change = changes.accepting(uid, version, lambda hand: why_not(match.match, match.link, actor, hand))
    return write(session, code, change, seq=None, client_key=client_key, actor=actor)


def set_agreement(session: Session, code: str, on: bool, *, client_key: str, actor: str = "") -> LoadedMatch:
    """Let hands count from here on only when another side has accepted them, or at once; all there are count."""
    return write(session, code, changes.agreeing(on), seq=None, client_key=client_key, actor=actor)


def undo(
    session: Session, code: str, *, seq: int, client_key: str, actor: str = "", target: int | None = None
) -> LoadedMatch:
    """Take back the last thing that was written; raises `Refused` and `StaleMatch`."""
    return write(session, code, changes.undoing(target), seq=seq, client_key=client_key, actor=actor)


def redo(session: Session, code: str, *, seq: int, client_key: str, actor: str = "") -> LoadedMatch:
    """Bring back what the last undo took; raises `Refused` and `StaleMatch`."""
    return write(session, code, changes.redoing(), seq=seq, client_key=client_key, actor=actor)


def stop(session: Session, code: str, *, seq: int | None = None, client_key: str, actor: str = "") -> LoadedMatch:
    """Stop before there is a winner."""
    return write(session, code, changes.stopping(), seq=seq, client_key=client_key, actor=actor)


def resume(session: Session, code: str, *, seq: int | None = None, client_key: str, actor: str = "") -> LoadedMatch:
    """Go on after all."""
    return write(session, code, changes.resuming(), seq=seq, client_key=client_key, actor=actor)


def rename(
    session: Session,
    code: str,
    names: Mapping[str, str],
    *,
    client_key: str,
    title: str | None = None,
    seq: int | None = None,
    actor: str = "",
) -> LoadedMatch:
    """Give people, sides (by id) and the match other names, all or none; raises `Refused`."""
    return write(session, code, changes.renaming(names, title), seq=seq, client_key=client_key, actor=actor)


def mark_side(
    session: Session, code: str, side: str, mark: int, *, client_key: str, seq: int | None = None, actor: str = ""
) -> LoadedMatch:
    """Give a side (by id) another marker, in exchange where it is worn already; raises `Refused`."""
    return write(session, code, changes.marking(side, mark), seq=seq, client_key=client_key, actor=actor)


def retitle(
    session: Session, code: str, title: str, *, client_key: str, seq: int | None = None, actor: str = ""
) -> LoadedMatch:
    """Call the match something else; raises `Refused`."""
    return write(session, code, changes.renaming({}, title), seq=seq, client_key=client_key, actor=actor)


def delete(session: Session, code: str, *, client_key: str, seq: int | None = None, actor: str = "") -> LoadedMatch:
    """Throw the match away; `undelete` fetches it back."""
    return write(session, code, changes.deleting(), seq=seq, client_key=client_key, actor=actor)


def undelete(session: Session, code: str, *, client_key: str, seq: int | None = None, actor: str = "") -> LoadedMatch:
    """Fetch the match out of the bin."""
    return write(session, code, changes.undeleting(), seq=seq, client_key=client_key, actor=actor)


def move_dealer(session: Session, code: str, who: str, *, seq: int, client_key: str, actor: str = "") -> LoadedMatch:
    """Let somebody else deal the next hand; raises `Refused` and `StaleMatch`."""
    return write(session, code, changes.moving_dealer(who), seq=seq, client_key=client_key, actor=actor)


def change_rules(
    session: Session,
    code: str,
    house: Mapping[str, Any],
    *,
    seq: int,
    client_key: str,
    on: str | None = None,
    actor: str = "",
) -> LoadedMatch:
    """Let other house options hold from the next hand on; raises `Refused` and `StaleMatch`."""
    return write(session, code, changes.changing_rules(house, on), seq=seq, client_key=client_key, actor=actor)
