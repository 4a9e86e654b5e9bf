"""Invitations to a link of one's own, and the wrong PINs that were typed, by network.

Nothing here commits.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access.links import LINKS, LinkTable, tables_from_books
from scorekeeper.access.roles import AnyLink, Invitation
from scorekeeper.database.rows import utc
from scorekeeper.database.tables import WrongPinRow

_WRONG: Any = WrongPinRow.__table__


def by_code(session: Session, code: str) -> Invitation | None:
    """Return the invitation that has a code, open or not."""
    return _found(session, "code", code)


def by_pin(session: Session, pin: str) -> Invitation | None:
    """Return the invitation that has a PIN."""
    return _found(session, "pin", pin)


def _found(session: Session, column: str, value: str) -> Invitation | None:
    found = (
        invitation
        for kind in LINKS.values()
        for invitation in _read(session, kind, kind.invited.table.c[column] == value)
    )
    return next(found, None)


def not_ended(session: Session, link: AnyLink) -> list[Invitation]:
    """Return the invitations to the place of a link that nobody has ended, the first one first."""
    kind = LINKS[link.kind]
    return _read(session, kind, kind.invited == link.stream_id, kind.invited.table.c.ended_at.is_(None))


def _read(session: Session, kind: LinkTable[Any], *conditions: sa.ColumnElement[bool]) -> list[Invitation]:
    place = kind.invited
    found = sa.select(place.table, place.label("stream_id")).where(*conditions, place.is_not(None))
    return [
        Invitation(
            id=row.id,
            code=row.code,
            pin=row.pin,
            kind=kind.kind,
            stream_id=row.stream_id,
            role=row.role,
            expires_at=utc(row.expires_at),
            ended_at=utc(row.ended_at) if row.ended_at else None,
        )
        for row in session.execute(found.order_by(place.table.c.id))
    ]


def open_pins(session: Session) -> Mapping[int, int]:
    """Return how many PINs of each length are taken, over all kinds of places."""
    taken = Counter[int]()
    for table in _tables():
        letters = sa.func.length(table.c.pin)
        found = sa.select(letters, sa.func.count()).where(_has_pin(table)).group_by(letters)
        taken.update({length: pins for length, pins in session.execute(found)})
    return taken


def _tables() -> list[sa.Table]:
    return list(dict.fromkeys(kind.invited.table for kind in LINKS.values()))


def _has_pin(table: sa.Table) -> sa.ColumnElement[bool]:
    # Written so that the index of the PINs is used, which has few rows that are not empty.
    return table.c.pin > ""


def add(session: Session, link: AnyLink, **values: Any) -> None:
    """Insert an invitation to the place of a link."""
    place = LINKS[link.kind].invited
    session.execute(sa.insert(place.table), {place.name: link.stream_id, **values})


def renew(session: Session, invitation: Invitation, until: datetime) -> None:
    """Move the end of an invitation."""
    table = LINKS[invitation.kind].invited.table
    session.execute(sa.update(table).where(table.c.id == invitation.id).values(expires_at=until))


def end(session: Session, link: AnyLink, roles: Iterable[str], now: datetime) -> None:
    """End the invitations to the place of a link in some roles; their PINs are free again."""
    place = LINKS[link.kind].invited
    _end(session, place.table, place == link.stream_id, roles, now)


def end_by_book(session: Session, book_link_id: int, roles: Iterable[str], now: datetime) -> None:
    """End the invitations in some roles to the places that were opened by a link to a book."""
    for kind in tables_from_books():
        theirs = kind.invited.in_(kind.places_from(book_link_id))
        _end(session, kind.invited.table, theirs, roles, now)


def _end(session: Session, table: sa.Table, which: sa.ColumnElement[bool], roles: Iterable[str], now: datetime) -> None:
    ended = which, table.c.role.in_(list(roles)), table.c.ended_at.is_(None)
    session.execute(sa.update(table).where(*ended).values(ended_at=now, pin=None))


def free_pins(session: Session, now: datetime) -> None:
    """Free the PINs of invitations that have expired."""
    for table in _tables():
        session.execute(sa.update(table).where(_has_pin(table), table.c.expires_at <= now).values(pin=None))


def wrong_pins_of(session: Session, network: str) -> list[tuple[int, datetime]]:
    """Return the numbers and the times of a network's wrong PINs, the first one first."""
    found = sa.select(_WRONG.c.seq, _WRONG.c.at).where(_WRONG.c.network == network).order_by(_WRONG.c.seq)
    return [(row.seq, utc(row.at)) for row in session.execute(found)]


def add_wrong_pin(session: Session, network: str, seq: int, at: datetime) -> None:
    """Insert a wrong PIN; raises `IntegrityError` where another one was inserted at the same moment."""
    session.execute(sa.insert(_WRONG), {"network": network, "seq": seq, "at": at})


def forget_wrong_pins(session: Session, before: datetime) -> None:
    """Delete the wrong PINs from up to a moment."""
    session.execute(sa.delete(_WRONG).where(_WRONG.c.at <= before))


def bring_back_wrong_pins(session: Session, network: str, now: datetime) -> None:
    """Move wrong PINs that are in the future, as the clock went back since, to this moment."""
    session.execute(sa.update(_WRONG).where(_WRONG.c.network == network, _WRONG.c.at > now).values(at=now))
