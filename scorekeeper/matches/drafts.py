"""The draft of the next hand, which one phone has begun to enter and every phone of the match can continue.

A draft is no event, and changes no score. It ends with an event whose `ends_draft` is true, with the removal of its
phone, or after `DRAFT_LIFETIME`.
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
    """What a phone has entered of the next hand so far."""

    link: Link
    """The access link of the phone that entered the fields."""
    at: datetime
    fields: tuple[tuple[str, str], ...]
    """The name and the value of each form field that was entered."""


_DRAFTS, _LINKS = HandDraftRow.__table__, LinkRow.__table__
_SELECT_DRAFT: Select = (
    sa.select(*MATCH_LINKS.columns, _DRAFTS.c.version, _DRAFTS.c.at, _DRAFTS.c.fields)
    .join(_DRAFTS, _DRAFTS.c.link_id == _LINKS.c.id)
    .where(_DRAFTS.c.match_id == sa.bindparam("match"), _LINKS.c.revoked_at.is_(None))
)


def _store_draft(session: Session, match: Match, fields: Mapping[str, str]) -> None:
    """Store `fields` as the draft of this phone, and commit; empty `fields` drop the draft.

    Raises `IntegrityError` if another phone stores the match's first draft at the same moment.
    """
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
"""How long a draft is kept after its last change."""


def draft_of(session: Session, match: Match) -> HandDraft | None:
    """Return the draft of a match's next hand; `None` without a draft, or if no hand can be added."""
    row = session.execute(_SELECT_DRAFT, {"match": match.id}).first()
    if row is None or not row.fields or datetime.now(UTC) - utc(row.at) >= DRAFT_LIFETIME:
        return None
    if match.closed_reason() or any(event.data.ends_draft for event in match.log.events[row.version :]):
        return None
    return HandDraft(MATCH_LINKS.link_of_row(row), utc(row.at), tuple(row.fields.items()))


def save_draft(session: Session, match: Match, fields: Mapping[str, str]) -> None:
    """Store what this phone has entered of the next hand as the match's draft, and commit.

    The draft of any other phone is replaced. Empty `fields` drop only this phone's own draft.
    """
    draft = draft_of(session, match)
    own_fields = draft.fields if draft and draft.link.id == match.link.id else ()
    if dict(own_fields) == fields:
        return
    try:
        _store_draft(session, match, fields)
    except IntegrityError:
        # Another phone has just stored the match's first draft, and this one follows with its next change.
        session.rollback()


def end_draft(session: Session, match: Match) -> None:
    """Drop the draft of the next hand, from any phone, and commit; does nothing without a draft."""
    if draft_of(session, match):
        _store_draft(session, match, {})
