"""The matches of an import as they are stored. Nothing here commits."""

import pickle
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy.orm import Session
from sqlmodel import col

from scorekeeper.database.tables import DeviceMatchRow, LinkRow
from scorekeeper.eventlog.roles import OWNER
from scorekeeper.eventlog.stream import StoredEvent
from scorekeeper.matches import store as matches
from scorekeeper.matches.fold import Ending
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.matches.store import MATCH_EVENTS

T = TypeVar("T")


class Packed(Generic[T]):
    """Objects of a large file, kept as bytes and unpacked one at a time; each iteration makes new ones.

    Unpacked they take several times the room, in small pieces all over the memory of the process. One small object
    among them that stays, such as a statement that the database compiles, keeps a whole block from going back to the
    system.
    """

    def __init__(self, things: Iterable[T] = ()) -> None:
        self._packed = [pickle.dumps(thing, pickle.HIGHEST_PROTOCOL) for thing in things]

    def __iter__(self) -> Iterator[T]:
        """Yield each as it was."""
        for packed in self._packed:
            yield pickle.loads(packed)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._packed)


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match that was checked, as the columns of its rows: the phones that score wait while they are inserted."""

    values: Mapping[str, Any]
    events: list[dict[str, Any]]
    ending: Ending | None


def new_match(setup: MatchSetup, ruleset: str, events: Iterable[StoredEvent], ending: Ending | None) -> NewMatch:
    """Return a match, with its ruleset as text, as it is stored."""
    return NewMatch({**matches.setup_values(setup), "ruleset": ruleset}, MATCH_EVENTS.encoded(events), ending)


def add_match(session: Session, match: NewMatch, idempotency_key: str) -> int:
    """Insert a match with its events, and return its id; raises `IntegrityError` where the key is used."""
    match_id = matches.add_match_values(session, match.values, idempotency_key)
    MATCH_EVENTS.add_encoded(session, match_id, match.events)
    if match.ending is not None:
        matches.add_ending(session, match_id, match.ending)
    return match_id


def add_links(session: Session, codes: Mapping[int, str], now: datetime, book_link_id: int | None = None) -> None:
    """Insert the first link of each match, an owner's, which may belong to a link to a book."""
    common = {"role": OWNER, "created_at": now, "book_link_id": book_link_id}
    if rows := [{"match_id": match_id, "code": code, **common} for match_id, code in codes.items()]:
        session.execute(sa.insert(LinkRow.__table__), rows)


def list_matches(session: Session, device: str, match_ids: Iterable[int], now: datetime) -> None:
    """Put matches that have one link each on a device's list."""
    listed = sa.select(
        sa.literal(device), col(LinkRow.match_id), col(LinkRow.id), sa.literal(now, type_=sa.DateTime(timezone=True))
    )
    listed = listed.where(col(LinkRow.match_id).in_(list(match_ids)))
    columns = ["device", "match_id", "link_id", "last_seen"]
    session.execute(sa.insert(DeviceMatchRow.__table__).from_select(columns, listed))
