"""The lock of a database file: shared by all who use it, and held alone by whoever replaces it.

The system releases it when its holder ends, in whatever way.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from scorekeeper.system import IS_WINDOWS


class InUse(Exception):
    """Another program holds the lock."""


class LockUnusable(OSError):
    """The lock cannot be made where the database is; the message says why."""


@contextmanager
def locked(database: Path, *, alone: bool = False, patience: float = 0) -> Iterator[None]:
    """Hold the lock until the end; raises `InUse` where another program still holds it after so many seconds.

    Raises `LockUnusable` where nobody could hold it alone.
    """
    name = database.with_name(f"{database.name}.lock")
    try:
        import_module("portalocker")  # only now: on a full disk it finds no place for what it may have to keep
        file = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as fault:
        if alone:
            raise LockUnusable(fault.strerror) from fault
        yield  # a full disk, or one that cannot be written: nobody else can replace anything there either
        return
    try:
        _lock(file, time.monotonic() + patience, alone=alone)
        yield
    finally:
        # The file stays: if it were removed, two could hold the lock of a file of this name.
        os.close(file)


def _lock(file: int, until: float, *, alone: bool) -> None:
    library, locks = import_module("portalocker"), import_module("portalocker.portalocker")
    kind = (library.LockFlags.EXCLUSIVE if alone else library.LockFlags.SHARED) | library.LockFlags.NON_BLOCKING
    # Windows has two ways, of which one knows no shared locks: both kinds go the other.
    take = locks.Win32Locker().lock if IS_WINDOWS else library.lock
    while True:
        try:
            take(file, kind)
            return
        except library.AlreadyLocked:
            if time.monotonic() >= until:
                raise InUse from None
        except library.LockException as fault:
            raise LockUnusable(f"its disk takes no lock ({fault})") from fault
        time.sleep(0.05)
