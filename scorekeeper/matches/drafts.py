"""The draft of the next hand: what one phone has entered of it, which all others see and can continue.

It is no event, and changes no score. It ends with an event whose `ends_draft` is true, with the removal of the phone
that wrote it, or after `DRAFT_LIFETIME`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.access.roles import Link
from scorekeeper.database.rows import Select, upsert_row, utc
from scorekeeper.database.tables import HandDraftRow, LinkRow
from scorekeeper.matches.fold import Match


@dataclass(frozen=True, slots=True)
class HandDraft:
    """The fields that a phone has entered of the next hand."""

    link: Link
    """The access link of the phone that entered it."""
    at: datetime
    fields: tuple[tuple[str, str], ...]
    """The name and the value of each field of its form."""


_DRAFTS, _LINKS = HandDraftRow.__table__, LinkRow.__table__
_SELECT_DRAFT: Select = (
    sa.select(*MATCH_LINKS.columns, _DRAFTS.c.version, _DRAFTS.c.at, _DRAFTS.c.fields)
    .join(_DRAFTS, _DRAFTS.c.link_id == _LINKS.c.id)
    .where(_DRAFTS.c.match_id == sa.bindparam("match"), _LINKS.c.revoked_at.is_(None))
)


def _store_draft(session: Session, match: Match, fields: Mapping[str, str]) -> None:
    """Store this phone’s draft, empty for none, and commit; raises `IntegrityError` where another phone was first."""
    values = {
        "counter": _DRAFTS.c.counter + 1,
        "link_id": match.link.id,
        "version": match.version,
        "at": datetime.now(UTC),
        "fields": dict(fields),
    }
    upsert_row(session, _DRAFTS, {"match_id": match.id}, values, counter=1)
    session.commit()


DRAFT_LIFETIME = timedelta(hours=3)
"""The time after which a draft is dropped."""


def draft_of(session: Session, match: Match) -> HandDraft | None:
    """Return the draft of the next hand of a match; `None` where there is none, or it has ended."""
    row = session.execute(_SELECT_DRAFT, {"match": match.id}).first()
    if row is None or not row.fields or datetime.now(UTC) - utc(row.at) >= DRAFT_LIFETIME:
        return None
    if match.closed_reason() or any(event.data.ends_draft for event in match.log.events[row.version :]):
        return None
    return HandDraft(MATCH_LINKS.link_of_row(row), utc(row.at), tuple(row.fields.items()))


def save_draft(session: Session, match: Match, fields: Mapping[str, str]) -> None:
    """Store what the phone that loaded a match has entered of its next hand, and commit.

    Without fields the draft is dropped, but not one that another phone has entered.
    """
    draft = draft_of(session, match)
    mine = draft.fields if draft and draft.link.id == match.link.id else ()
    if dict(mine) == fields:
        return
    try:
        _store_draft(session, match, fields)
    except IntegrityError:  # another phone was faster, and its hand is kept
        session.rollback()


def end_draft(session: Session, match: Match) -> None:
    """Drop the draft of the next hand, whichever phone has entered it, and commit."""
    if draft_of(session, match):
        _store_draft(session, match, {})
