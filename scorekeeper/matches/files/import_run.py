"""Run one import at a time in a database, count imports for hourly limits, and insert their matches.

An import writes in one transaction. It holds a lock that all processes share, and that is released even if its process
dies.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import BoundedSemaphore
from typing import Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access.hourly_limits import TooManyAnHour, count_action
from scorekeeper.database.file_lock import InUse, hold_import_lock
from scorekeeper.database.tables import DeviceMatchRow, LinkRow
from scorekeeper.eventlog.stream import OWNER, StoredEvent
from scorekeeper.matches import store as matches
from scorekeeper.matches.fold import Ending
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.matches.store import MATCH_EVENTS

RETRY_AFTER = timedelta(minutes=1)
"""How long to wait before trying an import again that was refused because another one was running."""
LOCK_TIMEOUT_S = 20.0
"""The longest time that one import waits for another: both may be the same form, posted twice."""
_waiting_slot = BoundedSemaphore(1)
"""The lock of the one thread that may wait for another import to end; further threads are refused at once."""
MAX_IMPORTS_BY_PHONE = 20
"""The most files that one phone may import within an hour, unless the settings have another limit.

Refused files count too.
"""
MAX_IMPORTS_BY_NETWORK = 40
"""The most files that one network may import within an hour, unless the settings have another limit."""


class ImportNotNow(Exception):
    """An import was refused until `retry_at`; the message has the reason and what to do."""

    def __init__(self, why: str, retry_at: datetime) -> None:
        super().__init__(why)
        self.retry_at = retry_at


class ImportBusy(ImportNotNow):
    """Another import is running."""

    def __init__(self) -> None:
        super().__init__("Another import is running. Wait a minute, then try again.", datetime.now(UTC) + RETRY_AFTER)


class TooManyImports(ImportNotNow):
    """This phone or its network has reached an hourly limit on imports."""


@dataclass(frozen=True, slots=True)
class Importer:
    """The phone that imports a file, with its device code, the digest of its network, its limits and its time zone."""

    device: str
    network_digest: str
    max_by_network: int = 0
    """The most imports an hour by one network, and by one phone, from the settings; 0 for the default limits."""
    zone: str | None = None
    """The time zone of the phone; `None` if it is not known."""


@contextmanager
def import_run(session: Session, importer: Importer | None) -> Iterator[None]:
    """Run a block as the only import, and roll back what it leaves uncommitted; raises `ImportNotNow`.

    Before the block, the import of a phone is counted for the hourly limits, and the count is committed.
    """
    engine = session.get_bind().engine
    with wait_in_turn(lambda timeout: hold_import_lock(engine, timeout)):
        _count_for_limits(session, importer)
        try:
            yield
        finally:
            session.rollback()


@contextmanager
def wait_in_turn(lock: Callable[[float], AbstractContextManager[None]]) -> Iterator[None]:
    """Run a block while holding a lock; raises `ImportBusy` if `LOCK_TIMEOUT_S` pass before it is free.

    Only one thread waits; another is refused at once. `lock` takes a timeout in seconds, after which its context raises
    `InUse`.
    """
    with ExitStack() as locks:
        try:
            locks.enter_context(lock(0))
        except InUse:
            if not _waiting_slot.acquire(blocking=False):
                raise ImportBusy from None
            try:
                locks.enter_context(lock(LOCK_TIMEOUT_S))
            except InUse:
                raise ImportBusy from None
            finally:
                _waiting_slot.release()
        yield


def _count_for_limits(session: Session, importer: Importer | None) -> None:
    """Count a phone's import for the hourly limits, and commit; raises `TooManyImports`."""
    if importer:
        limit = importer.max_by_network
        try:
            # A network that may import more than usual may do so from one phone.
            count_action(session, "file", importer.device, limit or MAX_IMPORTS_BY_PHONE, sender="phone")
            count_action(session, "file", importer.network_digest, limit or MAX_IMPORTS_BY_NETWORK)
        except TooManyAnHour as too_many:
            session.rollback()
            raise TooManyImports(str(too_many), too_many.retry_at) from None
    session.commit()


T = TypeVar("T")


class PickledObjects(Generic[T]):
    """Objects that are kept pickled to save memory, and unpickled one at a time in each iteration."""

    # Not pickled, they take several times the memory, and fragment it: a small object that lives longer, such as a
    # compiled SQL statement, keeps a whole block of memory from the system.

    def __init__(self, objects: Iterable[T] = ()) -> None:
        self._pickled = [pickle.dumps(item, pickle.HIGHEST_PROTOCOL) for item in objects]

    def __iter__(self) -> Iterator[T]:
        """Unpickle and yield each object."""
        for pickled in self._pickled:
            yield pickle.loads(pickled)

    def __len__(self) -> int:
        """Return the number of objects."""
        return len(self._pickled)


@dataclass(frozen=True, slots=True)
class EncodedMatch:
    """A match as rows to insert, encoded before the transaction so that other phones wait only for the insert."""

    values: Mapping[str, object]
    events: list[dict[str, object]]
    ending: Ending | None


def encode_match(
    setup: MatchSetup, ruleset_json: str, events: Iterable[StoredEvent], ending: Ending | None
) -> EncodedMatch:
    """Return a match as rows to insert."""
    return EncodedMatch(
        {**matches.setup_values(setup), "ruleset": ruleset_json}, MATCH_EVENTS.encode_rows(events), ending
    )


def add_encoded_match(session: Session, match: EncodedMatch, idempotency_key: str) -> int:
    """Insert a match with its events and its ending, and return its id; commits nothing.

    Raises `IntegrityError` if there is a match with this idempotency key.
    """
    match_id = matches.add_match(session, match.values, idempotency_key)
    MATCH_EVENTS.add_rows(session, match_id, match.events)
    if match.ending is not None:
        matches.add_ending(session, match_id, match.ending)
    return match_id


def add_owner_links(
    session: Session, codes_by_match_id: Mapping[int, str], now: datetime, book_link_id: int | None = None
) -> None:
    """Insert an owner's link to each match; commits nothing.

    `book_link_id` is the link to the book that the matches come from; `None` without a book.
    """
    common_values = {"role": OWNER, "created_at": now, "book_link_id": book_link_id}
    if rows := [{"match_id": match_id, "code": code, **common_values} for match_id, code in codes_by_match_id.items()]:
        session.execute(sa.insert(LinkRow.__table__), rows)


def add_to_device_list(session: Session, device: str, match_ids: Iterable[int], now: datetime) -> None:
    """Put new matches, which have one link each, on the list of a device; commits nothing.

    `device` is the digest of the device's code.
    """
    links, last_seen = LinkRow.__table__, sa.literal(now, type_=sa.DateTime(timezone=True))
    list_rows = sa.select(sa.literal(device), links.c.match_id, links.c.id, last_seen)
    list_rows = list_rows.where(links.c.match_id.in_(list(match_ids)))
    columns = ["device", "match_id", "link_id", "last_seen"]
    session.execute(sa.insert(DeviceMatchRow.__table__).from_select(columns, list_rows))
