"""One import at a time in a database, whichever process asks, and only so many an hour from one phone or network.

A lock shows which one runs: a process loses it as it ends. Its row in the database shows that as well, for it
stops where another import began. A process that is killed leaves matches without a link behind, which nobody sees; the
next import deletes them first.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import BoundedSemaphore

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.access import hourly_store
from scorekeeper.access.hourly_limits import TooManyAnHour, check_how_many, digest_of, forget_old
from scorekeeper.codes import device_digest
from scorekeeper.database.lock import InUse, import_lock
from scorekeeper.matches.files import import_store

RETRY = timedelta(minutes=1)
"""After how long the second one may try again."""
PAUSE = 0.03
"""Seconds between two transactions: longer than SQLite waits before it tries again."""
PATIENCE = 20.0
"""Seconds that a form waits which a phone has sent twice, until the first one is done."""
_waiting = BoundedSemaphore(1)
"""Held by the one thread of a process that waits: the others answer."""
MOST_BY_PHONE = 20
"""Files that one phone may import within the window, those that are refused included."""
MOST_BY_NETWORK = 40
"""Unless the settings say otherwise."""
_DELETED_AT_ONCE = 20
"""Matches: what one transaction deletes, others wait for."""


class ImportNotNow(Exception):
    """An import cannot begin before `retry_at`; the message says why and what to do."""

    def __init__(self, why: str, retry_at: datetime) -> None:
        super().__init__(why)
        self.retry_at = retry_at


class ImportBusy(ImportNotNow):
    """Another import is running."""

    def __init__(self, now: datetime) -> None:
        super().__init__("Another import is running. Wait a minute, then try again.", now + RETRY)


class TooManyImports(ImportNotNow):
    """This phone, or its network, has imported enough for now."""

    def __init__(self, too_many: TooManyAnHour) -> None:
        super().__init__(str(too_many), too_many.retry_at)


@dataclass(frozen=True, slots=True)
class Importer:
    """Who imports: a phone by its code, and a digest of the network that it comes from."""

    device: str
    network: str
    most_by_network: int = 0
    """As the settings say; 0 where they do not."""
    zone: str | None = None
    """The time zone of that phone, where it is known."""


@dataclass(slots=True)
class ImportRun:
    """The import that is running."""

    session: Session
    id: int
    _stored_at: float = -PAUSE

    def let_others_write(self) -> None:
        """Wait until the pause since the last transaction is over; what was read meanwhile took most of it."""
        time.sleep(max(0.0, self._stored_at + PAUSE - time.monotonic()))

    def keep_alive(self) -> None:
        """Write that this import goes on, in the transaction that is open; raises `ImportBusy` where another began."""
        now = datetime.now(UTC)
        if not import_store.keep_alive(self.session, self.id, now):
            raise ImportBusy(now)

    def store(self) -> None:
        """Commit. The next transaction lets those write first who waited meanwhile: SQLite serves nobody in turn."""
        self.keep_alive()
        self.session.commit()
        self._stored_at = time.monotonic()


@contextmanager
def import_run(session: Session, importer: Importer | None) -> Iterator[ImportRun]:
    """Be the one import that runs; raises `ImportNotNow`. What was not finished is deleted, also the last time's."""
    engine = session.get_bind().engine
    with in_turn(lambda patience: import_lock(engine, patience), lambda: _may_be_own(session, importer)):
        run = ImportRun(session, _begin(session, importer))
        try:
            _delete_unfinished(run)
            yield run
        except BaseException:
            session.rollback()
            _delete_unfinished(run)
            raise
        finally:
            session.rollback()
            import_store.end_run(session, run.id)
            session.commit()


@contextmanager
def in_turn(
    lock: Callable[[float], AbstractContextManager[None]], may_wait: Callable[[], bool] = lambda: True
) -> Iterator[None]:
    """Hold a lock, after its present holder where one may wait; raises `ImportBusy`."""
    with ExitStack() as held:
        try:
            held.enter_context(lock(0))
        except InUse:
            if not may_wait() or not _waiting.acquire(blocking=False):
                raise ImportBusy(datetime.now(UTC)) from None
            try:
                held.enter_context(lock(PATIENCE))
            except InUse:
                raise ImportBusy(datetime.now(UTC)) from None
            finally:
                _waiting.release()
        yield


def _may_be_own(session: Session, importer: Importer | None) -> bool:
    """Return whether the import that runs may be this phone's: one that does not show yet whose it is may be."""
    running = import_store.running_devices(session)
    session.rollback()
    return importer is not None and all(device == device_digest(importer.device) for device in running)


def _begin(session: Session, importer: Importer | None) -> int:
    now = datetime.now(UTC)
    device = device_digest(importer.device) if importer else None
    network = digest_of(importer.network) if importer else None
    import_store.end_run(session)
    forget_old(session, now)
    session.commit()
    if importer and device and network:
        most = importer.most_by_network
        try:
            # A network that may import more than usual may do so from one phone.
            check_how_many(hourly_store.runs_of(session, device=device), most or MOST_BY_PHONE, "file", "phone", now)
            check_how_many(
                hourly_store.runs_of(session, network=network), most or MOST_BY_NETWORK, "file", "network", now
            )
        except TooManyAnHour as too_many:
            raise TooManyImports(too_many) from None
    try:
        run_id = import_store.add_run(session, device, network, now)
        session.commit()
    except IntegrityError:
        session.rollback()
        raise ImportBusy(now) from None
    return run_id


def _delete_unfinished(run: ImportRun) -> None:
    run.keep_alive()
    while import_store.delete_unfinished(run.session, _DELETED_AT_ONCE):
        run.keep_alive()
        run.session.commit()
    run.session.commit()
