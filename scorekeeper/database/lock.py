"""The lock of a database file: shared by all who use it, and held alone by whoever replaces it.

The system releases it when its holder ends, in whatever way.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class InUse(Exception):
    """Another program holds the lock."""


class LockUnusable(Exception):
    """The lock cannot be made where the database is; the message says why."""


@contextmanager
def locked(database: Path, *, alone: bool = False, patience: float = 0) -> Iterator[None]:
    """Hold the lock until the end; raises `InUse` where another program still holds it after so many seconds.

    Raises `LockUnusable` where nobody could hold it alone.
    """
    name = database.with_name(f"{database.name}.lock")
    try:
        file = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as fault:
        if alone:
            raise LockUnusable(fault.strerror) from fault
        yield  # a full disk, or one that cannot be written: nobody else can replace anything there either
        return
    try:
        _lock(file, fcntl.LOCK_EX if alone else fcntl.LOCK_SH, time.monotonic() + patience)
        yield
    finally:
        # The file stays: if it were removed, two could hold the lock of a file of this name.
        os.close(file)


def _lock(file: int, kind: int, until: float) -> None:
    while True:
        try:
            return fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise InUse from None
        time.sleep(0.05)
