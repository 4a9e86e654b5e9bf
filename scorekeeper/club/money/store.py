"""Money nights: which match goes on from which, and a phone's links to all of them. Nothing here commits."""

from collections.abc import Mapping
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access.links import MATCH_LINKS, StreamGroup
from scorekeeper.access.roles import Link
from scorekeeper.database.tables import CarriedLinkRow, LinkRow, MatchRow, MoneyChangeRow
from scorekeeper.random_codes import new_code

_CHANGES, _CARRIED, _LINKS, _MATCHES = (row.__table__ for row in (MoneyChangeRow, CarriedLinkRow, LinkRow, MatchRow))


def first_match(session: Session, match_id: int) -> int:
    """Return the id of the first match of the night that a match belongs to: its own where it goes on from none."""
    first = sa.select(_CHANGES.c.first_id).where(_CHANGES.c.match_id == match_id)
    return session.scalar(first) or match_id


def earlier_match(session: Session, match_id: int) -> int | None:
    """Return the id of the match that a match goes on from; `None` where it is the first."""
    return session.scalar(sa.select(_CHANGES.c.earlier_id).where(_CHANGES.c.match_id == match_id))


def later_matches(session: Session, first_id: int) -> dict[int, int]:
    """Return the later matches of a night in the order in which they began, with the match that each goes on from."""
    later = sa.select(_CHANGES.c.match_id, _CHANGES.c.earlier_id).where(_CHANGES.c.first_id == first_id)
    return {row.match_id: row.earlier_id for row in session.execute(later.order_by(_CHANGES.c.match_id))}


def matches_of_night(session: Session, match_id: int) -> list[int]:
    """Return the ids of the matches of a night, the first one first, given any of them."""
    first = first_match(session, match_id)
    return [first, *later_matches(session, first)]


def add_earlier_match(session: Session, match_id: int, earlier_id: int) -> None:
    """Store from which match a match goes on."""
    values = {"match_id": match_id, "earlier_id": earlier_id, "first_id": first_match(session, earlier_id)}
    session.execute(sa.insert(_CHANGES), values)


def match_begun_by_form(session: Session, idempotency_key: str) -> int | None:
    """Return the id of the match that a form began; `None` where it began none."""
    return session.scalar(sa.select(_MATCHES.c.id).where(_MATCHES.c.client_key == idempotency_key))


def links_of_phone(session: Session, link: Link, *, ended_at: datetime | None = None) -> dict[int, Link]:
    """Return a phone's links to the matches of a night, by match, given one: in force, or ended at `ended_at`.

    They are the links carried on from the phone's first one, and those of the same device where it joined again.
    """
    first = session.scalar(sa.select(_CARRIED.c.first_id).where(_CARRIED.c.link_id == link.id)) or link.id
    carried = sa.select(_CARRIED.c.link_id).where(_CARRIED.c.first_id == first)
    device = sa.select(_LINKS.c.device).where(_LINKS.c.id == link.id).scalar_subquery()
    given = sa.and_(_LINKS.c.device == device, _LINKS.c.match_id.in_(matches_of_night(session, link.stream_id)))
    found = (
        sa.select(*MATCH_LINKS.columns)
        .where(sa.or_(_LINKS.c.id == first, _LINKS.c.id.in_(carried), given), _LINKS.c.revoked_at == ended_at)
        .order_by(_LINKS.c.match_id)
    )
    return {row.stream_id: MATCH_LINKS.read(row) for row in session.execute(found)}


def carry_links(session: Session, earlier_id: int, match_id: int, seats: Mapping[str, str]) -> dict[int, str]:
    """Add, for every phone of a match, a link to the next match with the same role.

    `seats` are the new ids of those who play on. The new codes are returned by the links of the earlier match.
    """
    found = (
        sa.select(*MATCH_LINKS.columns, _LINKS.c.device, _LINKS.c.book_link_id, _CARRIED.c.first_id)
        .outerjoin(_CARRIED, _CARRIED.c.link_id == _LINKS.c.id)
        .where(_LINKS.c.match_id == earlier_id, _LINKS.c.revoked_at.is_(None))
        .order_by(_LINKS.c.id)
    )
    now, codes = datetime.now(UTC), {}
    for row in session.execute(found).all():
        if not (earlier := MATCH_LINKS.read(row)).is_shared:
            holder = {"seat": seats.get(earlier.seat or ""), "device": row.device, "book_link_id": row.book_link_id}
            link = MATCH_LINKS.add(session, match_id, new_code(), row.role, now, **holder)
            session.execute(sa.insert(_CARRIED), {"link_id": link.id, "first_id": row.first_id or earlier.id})
            codes[earlier.id] = link.code
    return codes


MONEY_NIGHT_GROUP = StreamGroup(matches_of_night, links_of_phone)
