"""The hand in progress: what one phone has entered of the next hand, which all others see and can continue.

It is no event, and changes no score. It ends with an event that ends the hand in progress, with the removal of the
phone that wrote it, or after `LIVES`.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.matches.draft_store import read_draft, write_draft
from scorekeeper.matches.fold import Match
from scorekeeper.matches.hand_draft import HandDraft

LIVES = timedelta(hours=3)


def draft_of(session: Session, match: Match) -> HandDraft | None:
    """Return the hand in progress; `None` where there is none, or it has ended."""
    draft = read_draft(session, match.id)
    if draft is None or not draft.fields or datetime.now(UTC) - draft.at >= LIVES:
        return None
    return None if match.closed() or has_ended(match, draft.version) else draft


def has_ended(match: Match, version: int) -> bool:
    """Return whether an event since a version of the match has ended the hand in progress."""
    return any(event.data.ends_draft for event in match.log.events if event.seq > version)


def keep_draft(session: Session, match: Match, fields: Mapping[str, str]) -> None:
    """Keep what the phone of this match has entered of the next hand, and commit.

    Without fields the draft is dropped, but not one that another phone has entered.
    """
    draft = draft_of(session, match)
    mine = draft.fields if draft and draft.link.id == match.link.id else ()
    if dict(mine) == fields:
        return
    try:
        write_draft(session, match.link, match.version, datetime.now(UTC), fields)
        session.commit()
    except IntegrityError:  # another phone was faster, and its hand is kept
        session.rollback()


def end_draft(session: Session, match: Match) -> None:
    """Drop the hand in progress, whichever phone has entered it, and commit."""
    if draft_of(session, match):
        write_draft(session, match.link, match.version, datetime.now(UTC), {})
        session.commit()
