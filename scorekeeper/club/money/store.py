"""Money nights: which match follows which, and a phone's links to all matches of a night. No function commits."""

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
    """Return the id of the first match in the money night of a match; the match may be the first itself."""
    query = sa.select(_PLAYER_CHANGES.c.first_id).where(_PLAYER_CHANGES.c.match_id == match_id)
    return session.scalar(query) or match_id


def earlier_match_id(session: Session, match_id: int) -> int | None:
    """Return the id of the match before this one in its money night; `None` for the first match."""
    return session.scalar(sa.select(_PLAYER_CHANGES.c.earlier_id).where(_PLAYER_CHANGES.c.match_id == match_id))


def earlier_ids_by_match(session: Session, first_id: int) -> dict[int, int]:
    """Return, for each match of a night after the first, the id of the match before it: `{8: 7, 9: 8}`.

    The keys are match ids, the earliest first. `first_id` is the id of the first match of the night.
    """
    query = sa.select(_PLAYER_CHANGES.c.match_id, _PLAYER_CHANGES.c.earlier_id).where(
        _PLAYER_CHANGES.c.first_id == first_id
    )
    return {row.match_id: row.earlier_id for row in session.execute(query.order_by(_PLAYER_CHANGES.c.match_id))}


def earlier_uids_in_book(session: Session, book_id: int) -> dict[int, str]:
    """Return, for each match of a book that continues another of its matches, the uid of that earlier match.

    The keys are match ids.
    """
    ids_in_book = sa.select(_BOOK_MATCHES.c.match_id).where(_BOOK_MATCHES.c.book_id == book_id)
    query = sa.select(_PLAYER_CHANGES.c.match_id, _MATCHES.c.uid).join(
        _MATCHES, _MATCHES.c.id == _PLAYER_CHANGES.c.earlier_id
    )
    query = query.where(_PLAYER_CHANGES.c.match_id.in_(ids_in_book), _MATCHES.c.id.in_(ids_in_book))
    return dict(session.execute(query).all())


def match_ids_of_night(session: Session, match_id: int) -> list[int]:
    """Return the ids of all matches in the money night of a match, the earliest first.

    Deleted matches are among them.
    """
    first_id = first_match_id(session, match_id)
    return [first_id, *earlier_ids_by_match(session, first_id)]


def store_earlier_match(session: Session, match_id: int, earlier_id: int) -> None:
    """Store that the match `match_id` follows the match `earlier_id` in a money night."""
    columns = {"match_id": match_id, "earlier_id": earlier_id, "first_id": first_match_id(session, earlier_id)}
    session.execute(sa.insert(_PLAYER_CHANGES), columns)


def match_id_by_key(session: Session, idempotency_key: str) -> int | None:
    """Return the id of the match with an idempotency key; `None` if there is none."""
    return session.scalar(sa.select(_MATCHES.c.id).where(_MATCHES.c.client_key == idempotency_key))


def links_of_phone(session: Session, link: Link, *, ended_at: datetime | None = None) -> dict[int, Link]:
    """Return the links that the phone with `link` has to the matches of the link's money night, keyed by match id.

    The links are those in force or, with `ended_at`, those that ended at that time.
    """
    first_id = (
        session.scalar(sa.select(_CARRIED_LINKS.c.first_id).where(_CARRIED_LINKS.c.link_id == link.id)) or link.id
    )
    carried_ids = sa.select(_CARRIED_LINKS.c.link_id).where(_CARRIED_LINKS.c.first_id == first_id)
    # The same phone may have joined a later match anew, or open it by the same link to a book.
    given_link = _LINKS.alias()
    is_of_phone = sa.or_(_LINKS.c.device == given_link.c.device, _LINKS.c.book_link_id == given_link.c.book_link_id)
    is_of_same_phone = sa.select(given_link.c.id).where(given_link.c.id == link.id, is_of_phone).exists()
    is_in_night = sa.and_(is_of_same_phone, _LINKS.c.match_id.in_(match_ids_of_night(session, link.stream_id)))
    query = (
        sa.select(*MATCH_LINKS.columns)
        .where(
            sa.or_(_LINKS.c.id == first_id, _LINKS.c.id.in_(carried_ids), is_in_night), _LINKS.c.revoked_at == ended_at
        )
        .order_by(_LINKS.c.match_id)
    )
    return {row.stream_id: MATCH_LINKS.link_of_row(row) for row in session.execute(query)}


def carry_links(
    session: Session, earlier_id: int, match_id: int, new_ids_by_seat_id: Mapping[str, str]
) -> dict[int, str]:
    """Give each phone with a link in force to the match `earlier_id` a link to the next match, `match_id`.

    Return the codes of the new links, keyed by the id of the phone's earlier link. `new_ids_by_seat_id` has the seat id
    in the next match of each player who stays, keyed by the seat id in the earlier match.
    """
    query = (
        sa.select(*MATCH_LINKS.columns, _LINKS.c.device, _LINKS.c.book_link_id, _CARRIED_LINKS.c.first_id)
        .outerjoin(_CARRIED_LINKS, _CARRIED_LINKS.c.link_id == _LINKS.c.id)
        .where(_LINKS.c.match_id == earlier_id, _LINKS.c.revoked_at.is_(None))
        .order_by(_LINKS.c.id)
    )
    now, codes_by_earlier_link = datetime.now(UTC), {}
    for row in session.execute(query).all():
        if not (earlier_link := MATCH_LINKS.link_of_row(row)).is_shared:  # a shared link is for its own match only
            columns = {
                "seat": new_ids_by_seat_id.get(earlier_link.holder),
                "device": row.device,
                "book_link_id": row.book_link_id,
            }
            link = MATCH_LINKS.add(session, match_id, new_code(), row.role, now, **columns)
            session.execute(
                sa.insert(_CARRIED_LINKS), {"link_id": link.id, "first_id": row.first_id or earlier_link.id}
            )
            codes_by_earlier_link[earlier_link.id] = link.code
    return codes_by_earlier_link


MONEY_NIGHT_GROUP = StreamGroup(match_ids_of_night, links_of_phone)
