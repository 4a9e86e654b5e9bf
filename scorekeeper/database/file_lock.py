"""Locks that processes hold on a database file.

Users of the database share its lock, and what replaces the database holds it exclusively. Imports have a lock of their
own. The operating system releases a lock when its process ends, even by a crash.
"""

import os
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from errno import ENOLCK
from importlib import import_module
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from scorekeeper.operating_system import IS_WINDOWS

_IMPORT_LOCK_ID = 7_482_413
"""The id of PostgreSQL's advisory lock of imports: any number that nothing else in the database uses."""
_RETRY_INTERVAL_S = 0.05
"""Seconds between two attempts to get a lock."""
_KEEPALIVE_SETTINGS = {"tcp_keepalives_idle": 5, "tcp_keepalives_interval": 5, "tcp_keepalives_count": 3}
"""PostgreSQL's settings by which it notices within seconds that the machine of a client is gone."""


class InUse(Exception):
    """Another program holds the lock."""


class LockUnusable(OSError):
    """The lock file cannot be made, or its disk cannot lock files. `strerror` says why."""

    def __str__(self) -> str:
        return str(self.strerror)


@contextmanager
def hold_file_lock(
    database: Path, *, exclusive: bool = False, timeout_s: float = 0, ending: str = ".lock"
) -> Iterator[None]:
    """Hold a lock on a database file for a block, shared unless `exclusive`.

    The lock is that of a file beside the database, whose name has `ending` in addition. Raises `InUse` after
    `timeout_s` seconds, and `LockUnusable`. If the lock file cannot be opened, a shared lock is skipped.
    """
    lock_file = database.with_name(f"{database.name}{ending}")
    try:
        import_module("portalocker")  # only now: on a full disk its import may fail
        descriptor = os.open(lock_file, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as fault:
        if exclusive:
            raise LockUnusable(fault.errno, fault.strerror) from fault
        yield  # a full disk, or one that cannot be written: no other program can replace anything there either
        return
    try:
        _acquire_lock(descriptor, time.monotonic() + timeout_s, exclusive=exclusive)
        yield
    finally:
        # The file stays: if it were removed, two could hold the lock of a file of this name.
        os.close(descriptor)


def hold_import_lock(engine: Engine, timeout_s: float) -> AbstractContextManager[None]:
    """Hold the lock that only one import can hold, for a block.

    Raises `InUse` after `timeout_s` seconds, and `LockUnusable`.
    """
    if engine.dialect.name == "sqlite":
        return hold_file_lock(Path(str(engine.url.database)), exclusive=True, timeout_s=timeout_s, ending=".import")
    return _hold_postgresql_import_lock(engine, timeout_s)


@contextmanager
def _hold_postgresql_import_lock(engine: Engine, timeout_s: float) -> Iterator[None]:
    """Hold the lock of imports in a PostgreSQL database for a block; raises `InUse` after `timeout_s` seconds."""
    deadline = time.monotonic() + timeout_s
    with engine.connect() as connection:
        connection.detach()  # closed for good, the connection releases its lock, if that was not done before
        for name, value in _KEEPALIVE_SETTINGS.items():  # a machine that is gone does not tell the server
            connection.exec_driver_sql(f"SET {name} = {value}")
        while not connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({_IMPORT_LOCK_ID})").scalar():
            connection.commit()
            if time.monotonic() >= deadline:
                raise InUse
            time.sleep(_RETRY_INTERVAL_S)
        connection.commit()
        try:
            yield
        finally:
            with suppress(DBAPIError):  # the server has gone, and the lock with it
                connection.exec_driver_sql(f"SELECT pg_advisory_unlock({_IMPORT_LOCK_ID})")


def _acquire_lock(descriptor: int, deadline: float, *, exclusive: bool) -> None:
    """Lock an open file. Try again until `deadline`, a time of the monotonic clock, then raise `InUse`.

    Raises `LockUnusable` if the disk cannot lock files.
    """
    lock_library, locker_module = import_module("portalocker"), import_module("portalocker.portalocker")
    flags = (
        lock_library.LockFlags.EXCLUSIVE if exclusive else lock_library.LockFlags.SHARED
    ) | lock_library.LockFlags.NON_BLOCKING
    # Windows has two kinds of locks, of which one cannot be shared: both modes use the other.
    acquire = locker_module.Win32Locker().lock if IS_WINDOWS else lock_library.lock
    while True:
        try:
            acquire(descriptor, flags)
            return
        except lock_library.AlreadyLocked:
            if time.monotonic() >= deadline:
                raise InUse from None
        except lock_library.LockException as fault:
            raise LockUnusable(ENOLCK, f"its disk takes no lock ({fault})") from fault
        time.sleep(_RETRY_INTERVAL_S)
