"""Money nights: which match follows which, and a phone's links to all matches of a night. Nothing here commits."""

from collections.abc import Mapping
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access.links import MATCH_LINKS, StreamGroup
from scorekeeper.access.roles import Link
from scorekeeper.database.tables import BookMatchRow, CarriedLinkRow, LinkRow, MatchRow, MoneyChangeRow
from scorekeeper.random_codes import new_code

_PLAYER_CHANGES, _CARRIED_LINKS, _LINKS, _MATCHES, _BOOK_MATCHES = (
    row.__table__ for row in (MoneyChangeRow, CarriedLinkRow, LinkRow, MatchRow, BookMatchRow)
)


def first_match_id(session: Session, match_id: int) -> int:
    """Return the id of the first match in a match's money night; it may be the same match."""
    first = sa.select(_PLAYER_CHANGES.c.first_id).where(_PLAYER_CHANGES.c.match_id == match_id)
    return session.scalar(first) or match_id


def earlier_match_id(session: Session, match_id: int) -> int | None:
    """Return the id of the match before this one in its money night; `None` for the first match."""
    return session.scalar(sa.select(_PLAYER_CHANGES.c.earlier_id).where(_PLAYER_CHANGES.c.match_id == match_id))


def earlier_ids_by_match(session: Session, first_id: int) -> dict[int, int]:
    """Return the id of the match before each later match of a night, by match id, the earliest first.

    The first match of the night is no key.
    """
    later = sa.select(_PLAYER_CHANGES.c.match_id, _PLAYER_CHANGES.c.earlier_id).where(
        _PLAYER_CHANGES.c.first_id == first_id
    )
    return {row.match_id: row.earlier_id for row in session.execute(later.order_by(_PLAYER_CHANGES.c.match_id))}


def earlier_uids_in_book(session: Session, book_id: int) -> dict[int, str]:
    """Return the uid of the match before each later match of a money night, by match id, if both are in a book."""
    in_book = sa.select(_BOOK_MATCHES.c.match_id).where(_BOOK_MATCHES.c.book_id == book_id)
    query = sa.select(_PLAYER_CHANGES.c.match_id, _MATCHES.c.uid).join(
        _MATCHES, _MATCHES.c.id == _PLAYER_CHANGES.c.earlier_id
    )
    query = query.where(_PLAYER_CHANGES.c.match_id.in_(in_book), _MATCHES.c.id.in_(in_book))
    return dict(session.execute(query).all())


def match_ids_of_night(session: Session, match_id: int) -> list[int]:
    """Return the ids of all matches of a money night, given that of any; the earliest first.

    Deleted matches are among them.
    """
    first = first_match_id(session, match_id)
    return [first, *earlier_ids_by_match(session, first)]


def store_earlier_match(session: Session, match_id: int, earlier_id: int) -> None:
    """Store that a match follows another one in a money night."""
    values = {"match_id": match_id, "earlier_id": earlier_id, "first_id": first_match_id(session, earlier_id)}
    session.execute(sa.insert(_PLAYER_CHANGES), values)


def match_id_by_key(session: Session, idempotency_key: str) -> int | None:
    """Return the id of the match with an idempotency key; `None` if there is none."""
    return session.scalar(sa.select(_MATCHES.c.id).where(_MATCHES.c.client_key == idempotency_key))


def links_of_phone(session: Session, link: Link, *, ended_at: datetime | None = None) -> dict[int, Link]:
    """Return a phone's links to the matches of a money night, by match id, given one of these links.

    They are in force or, with `ended_at`, ended then.
    """
    first = session.scalar(sa.select(_CARRIED_LINKS.c.first_id).where(_CARRIED_LINKS.c.link_id == link.id)) or link.id
    carried = sa.select(_CARRIED_LINKS.c.link_id).where(_CARRIED_LINKS.c.first_id == first)
    # The same phone may have joined a later match anew, or open it by the same link to a book.
    own = _LINKS.alias()
    is_of_phone = sa.or_(_LINKS.c.device == own.c.device, _LINKS.c.book_link_id == own.c.book_link_id)
    of_phone = sa.select(own.c.id).where(own.c.id == link.id, is_of_phone).exists()
    in_night = sa.and_(of_phone, _LINKS.c.match_id.in_(match_ids_of_night(session, link.stream_id)))
    links = (
        sa.select(*MATCH_LINKS.columns)
        .where(sa.or_(_LINKS.c.id == first, _LINKS.c.id.in_(carried), in_night), _LINKS.c.revoked_at == ended_at)
        .order_by(_LINKS.c.match_id)
    )
    return {row.stream_id: MATCH_LINKS.link_of_row(row) for row in session.execute(links)}


def carry_links(session: Session, earlier_id: int, match_id: int, new_seat_ids: Mapping[str, str]) -> dict[int, str]:
    """Give each phone with a link in force to the earlier match a link to the next; return the codes.

    Each code is by the id of the phone's earlier link. `new_seat_ids` has the next seat id of each player who stays, by
    the earlier one.
    """
    links = (
        sa.select(*MATCH_LINKS.columns, _LINKS.c.device, _LINKS.c.book_link_id, _CARRIED_LINKS.c.first_id)
        .outerjoin(_CARRIED_LINKS, _CARRIED_LINKS.c.link_id == _LINKS.c.id)
        .where(_LINKS.c.match_id == earlier_id, _LINKS.c.revoked_at.is_(None))
        .order_by(_LINKS.c.id)
    )
    now, codes = datetime.now(UTC), {}
    for row in session.execute(links).all():
        if not (earlier := MATCH_LINKS.link_of_row(row)).is_shared:  # a shared link is for its own match only
            holder = {"seat": new_seat_ids.get(earlier.holder), "device": row.device, "book_link_id": row.book_link_id}
            link = MATCH_LINKS.add(session, match_id, new_code(), row.role, now, **holder)
            session.execute(sa.insert(_CARRIED_LINKS), {"link_id": link.id, "first_id": row.first_id or earlier.id})
            codes[earlier.id] = link.code
    return codes


MONEY_NIGHT_GROUP = StreamGroup(match_ids_of_night, links_of_phone)
