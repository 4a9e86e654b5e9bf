"""Tournament nights, their events and the links to them, as values and never rows. Nothing here commits."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.ladder.facts import NIGHT_FACTS, MatchKept
from scorekeeper.ladder.roles import NightHead, NightInvitation, NightLink, NightSetup
from scorekeeper.ledger.fact_log import Event
from scorekeeper.store.codec import event_of, event_values, utc
from scorekeeper.store.tables import NightEventRow, NightInvitationRow, NightLinkRow, NightRow

_nights: Any = NightRow.__table__
_events: Any = NightEventRow.__table__
_links: Any = NightLinkRow.__table__
_invitations: Any = NightInvitationRow.__table__

_HEAD = (
    sa.select(_links, _events.c.seq)
    .select_from(_links.outerjoin(_events, _events.c.night_id == _links.c.night_id))
    .where(_links.c.code == sa.bindparam("code"))
    .order_by(_events.c.seq.desc())
    .limit(1)
)
_EVENTS = sa.select(_events).where(_events.c.night_id == sa.bindparam("night_id")).order_by(_events.c.seq)


def head_of(session: Session, code: str) -> NightHead | None:
    """Return a link with the end of its night; `None` for one that there never was."""
    row = session.execute(_HEAD, {"code": code}).first()
    return NightHead(_link(row), row.seq or 0, row.revoked_at is not None) if row else None


def setup_by_id(session: Session, night_id: int) -> NightSetup:
    """Return how a night began."""
    row = session.execute(sa.select(_nights).where(_nights.c.id == night_id)).one()
    return NightSetup(row.id, utc(row.created_at), row.title, row.rounds, row.size, row.variant, row.house)


def events_of(session: Session, night_id: int) -> tuple[Event, ...]:
    """Return a night's events in order."""
    return tuple(event_of(row, NIGHT_FACTS) for row in session.execute(_EVENTS, {"night_id": night_id}))


def nights_of_device(session: Session, device: str, at_most: int) -> list[NightLink]:
    """Return the links that a device has to nights, the last one first."""
    mine = _links.c.device == device, _links.c.revoked_at.is_(None)
    rows = session.execute(sa.select(_links).where(*mine).order_by(_links.c.id.desc()).limit(at_most))
    return [_link(row) for row in rows]


def code_by_client_key(session: Session, client_key: str) -> str | None:
    """Return the code of the link that was made with the night that a form has begun."""
    found = (
        sa.select(_links.c.code)
        .select_from(_links.join(_nights, _nights.c.id == _links.c.night_id))
        .where(_nights.c.client_key == client_key)
        .order_by(_links.c.id)
        .limit(1)
    )
    return session.execute(found).scalar()


def nights_of_match(session: Session, match_id: int) -> list[int]:
    """Return the nights at one of whose tables a match was kept."""
    found = sa.select(_events.c.night_id).where(_events.c.match_id == match_id).distinct()
    return list(session.execute(found).scalars())


def add_night(session: Session, **values: Any) -> int:
    """Insert a night and return its id."""
    return int(session.execute(sa.insert(_nights), values).inserted_primary_key[0])  # type: ignore[attr-defined]


def add_event(session: Session, night_id: int, event: Event) -> None:
    """Insert an event; raises `IntegrityError` where another one has its place or its key."""
    match_id = event.fact.match if isinstance(event.fact, MatchKept) else None
    session.execute(sa.insert(_events), event_values(event, night_id=night_id) | {"match_id": match_id})


def add_link(
    session: Session, night_id: int, code: str, role: str, created_at: datetime, *, device: str, pair: int | None = None
) -> NightLink:
    """Insert a link; raises `IntegrityError` for the second one of a device."""
    values = {"night_id": night_id, "code": code, "role": role, "created_at": created_at, "device": device}
    added = session.execute(sa.insert(_links), {**values, "pair": pair})
    return NightLink(int(added.inserted_primary_key[0]), code, role, night_id, pair)  # type: ignore[attr-defined]


def change_link(session: Session, link_id: int, **values: Any) -> None:
    """Change columns of a link: which pair holds the phone, what it allows, whether it was ended."""
    session.execute(sa.update(_links).where(_links.c.id == link_id).values(**values))


def links_of(session: Session, night_id: int) -> list[tuple[NightLink, bool]]:
    """Return every link to a night, the first one first, and whether it is in force."""
    rows = session.execute(sa.select(_links).where(_links.c.night_id == night_id).order_by(_links.c.id))
    return [(_link(row), row.revoked_at is None) for row in rows]


def link_of_device(session: Session, device: str, night_id: int) -> tuple[NightLink, bool] | None:
    """Return the link that a device has to a night, and whether it is in force."""
    mine = _links.c.device == device, _links.c.night_id == night_id
    row = session.execute(sa.select(_links).where(*mine)).first()
    return (_link(row), row.revoked_at is None) if row else None


def _link(row: sa.Row[Any]) -> NightLink:
    return NightLink(row.id, row.code, row.role, row.night_id, row.pair)


def invitation_by_code(session: Session, code: str) -> NightInvitation | None:
    """Return the invitation that has a code, open or not."""
    return _invitation(session.execute(sa.select(_invitations).where(_invitations.c.code == code)).first())


def invitation_by_pin(session: Session, pin: str) -> NightInvitation | None:
    """Return the invitation that has a PIN."""
    return _invitation(session.execute(sa.select(_invitations).where(_invitations.c.pin == pin)).first())


def invitations_of(session: Session, night_id: int) -> list[NightInvitation]:
    """Return the invitations to a night that nobody has ended, the last one first."""
    mine = _invitations.c.night_id == night_id, _invitations.c.ended_at.is_(None)
    rows = session.execute(sa.select(_invitations).where(*mine).order_by(_invitations.c.id.desc()))
    return [found for row in rows if (found := _invitation(row))]


def open_pins(session: Session) -> dict[int, int]:
    """Return how many PINs of each length are taken."""
    length = sa.func.length(_invitations.c.pin)
    found = sa.select(length, sa.func.count()).where(_invitations.c.pin.is_not(None)).group_by(length)
    return {letters: pins for letters, pins in session.execute(found)}


def add_invitation(session: Session, **values: Any) -> None:
    """Insert an invitation."""
    session.execute(sa.insert(_invitations), values)


def renew_invitation(session: Session, invitation_id: int, until: datetime) -> None:
    """Move the end of an invitation."""
    session.execute(sa.update(_invitations).where(_invitations.c.id == invitation_id).values(expires_at=until))


def end_invitations(session: Session, night_id: int, role: str, now: datetime) -> None:
    """End the invitations to this role; their PINs are free again."""
    ended = _invitations.c.night_id == night_id, _invitations.c.role == role, _invitations.c.ended_at.is_(None)
    session.execute(sa.update(_invitations).where(*ended).values(ended_at=now, pin=None))


def free_pins(session: Session, now: datetime) -> None:
    """Free the PINs of invitations that have expired."""
    session.execute(
        sa.update(_invitations).where(_invitations.c.pin > "", _invitations.c.expires_at <= now).values(pin=None)
    )


def _invitation(row: sa.Row[Any] | None) -> NightInvitation | None:
    if row is None:
        return None
    ended = utc(row.ended_at) if row.ended_at else None
    return NightInvitation(row.id, row.code, row.pin, row.night_id, row.role, utc(row.expires_at), ended)
