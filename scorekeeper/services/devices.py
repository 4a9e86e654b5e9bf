"""Which matches a device has opened. A device is known by a code in its cookie, of which only a digest is stored."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.services.load import keep, kept_as_of, ruleset_of
from scorekeeper.services.log import MatchLog, fold
from scorekeeper.services.roles import allows
from scorekeeper.services.standing import LoadedMatch, UnscorableMatch, stand
from scorekeeper.store import devices, links, queries
from scorekeeper.store.matches import Link, StoredMatch

MOST_LISTED = 40
MOST_NAMES = 24
"""As many as are offered to whoever types a name."""
SEEN_AGAIN = timedelta(minutes=10)
"""How long a visit counts, so that opening a page seldom writes."""


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match in a list: loaded, or, where the rules no longer score it, only named."""

    match: StoredMatch
    link: Link
    title: str
    is_deleted: bool
    written_at: datetime
    """When something was last written into it."""
    loaded: LoadedMatch | None


def new_device() -> str:
    """Make a code for a device's cookie."""
    return secrets.token_urlsafe(16)


def remember_match(session: Session, device: str, match: LoadedMatch) -> None:
    """Put a match on top of a device's list, and commit if that is news."""
    known, now = device_digest(device), datetime.now(UTC)
    visit = devices.last_visit(session, known, match.match.id)
    link = match.link
    if visit and visit[1] != link.id:
        link = _stronger(links.link_of_device(session, known, match.match.id, holding=True), link)
    if visit and visit[1] == link.id and now - visit[0] < SEEN_AGAIN:
        return
    try:
        devices.note_visit(session, known, match.match.id, link.id, now)
        session.commit()
    except IntegrityError:  # two pages of one device at the same moment: the other has noted it
        session.rollback()


def _stronger(known: Link | None, other: Link) -> Link:
    """Choose the link to list: looking at a match by somebody else's takes nothing from a phone that may do more."""
    return known if known and not allows(other.role, known.role) else other


def forget_match(session: Session, device: str, match: LoadedMatch) -> None:
    """Take a match off a device's list, and commit; the match stays."""
    devices.forget(session, device_digest(device), match.match.id)
    session.commit()


def matches_of_device(session: Session, device: str, *, at_most: int = MOST_LISTED) -> list[ListedMatch]:
    """List the matches that a device opened, the last one first, without those thrown away."""
    found = queries.matches_of_device(session, device_digest(device), at_most)
    return [listed for listed in list_matches(session, found) if not listed.is_deleted]


def names_of_device(session: Session, device: str, *, at_most: int = MOST_NAMES) -> tuple[str, ...]:
    """Give the people of a device's matches, those who played last first."""
    listed = matches_of_device(session, device)
    people = (name for item in listed if item.loaded for name in item.loaded.state.seats.players)
    return tuple(dict.fromkeys(people))[:at_most]


def every_match(session: Session) -> list[ListedMatch]:
    """List every match with its owner's link, the oldest first, thrown away or not."""
    return list_matches(session, queries.every_match(session))


def list_matches(session: Session, found: Sequence[tuple[StoredMatch, Link]]) -> list[ListedMatch]:
    """Load several matches, with one select for those that have to be read."""
    heads = queries.heads_of(session, [match.id for match, _ in found])
    kept = {match.id: kept_as_of(session, link, heads[match.id]) for match, link in found}
    unread = [match.id for match, _ in found if kept[match.id] is None]
    events = queries.events_of_all(session, unread)
    return [
        _listed(loaded.match, link, loaded.log, loaded)
        if (loaded := kept[match.id])
        else _read(session, match, link, fold(events[match.id]))
        for match, link in found
    ]


def _read(session: Session, match: StoredMatch, link: Link, log: MatchLog) -> ListedMatch:
    try:
        return _listed(match, link, log, keep(session, stand(match, link, log, ruleset_of(session, match))))
    except UnscorableMatch:
        return _listed(match, link, log, None)


def _listed(match: StoredMatch, link: Link, log: MatchLog, loaded: LoadedMatch | None) -> ListedMatch:
    title = log.title if log.title is not None else match.title
    written_at = log.events[-1].at if log.events else match.created_at
    return ListedMatch(match, link, title, log.is_deleted, written_at, loaded)


def device_digest(device: str) -> str:
    """Give what stands for a device in the tables, from which its code cannot be found."""
    return hashlib.sha256(device.encode()).hexdigest()
