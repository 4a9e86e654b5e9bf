"""A server whose disk fails: it is full, can only be read, is held by another program, or its file is gone."""

import os
import resource
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from random import Random
from time import sleep

from tests.storm.served import COMMON, Chances, Server

FAILING: Chances = {"full": 0.004, "read_only": 0.004, "locked": 0.001, "gone": 0.004}
ON_FAILING_DISK: Chances = {**COMMON, **FAILING}
LOCKED_SECONDS = 10.0
LONGEST = 2.0
"""Seconds that another fault takes."""
_OBEYS_RIGHTS = ("setpriv", "--bounding-set=-dac_override") if os.geteuid() == 0 else ()
"""Root writes whatever the rights say, unless this is taken from it."""


@dataclass
class FailingDisk(Server):
    """A server on a disk that fails for a while, now and then."""

    def __post_init__(self) -> None:
        self.launcher = _OBEYS_RIGHTS
        super().__post_init__()

    def _full(self, rng: Random) -> None:
        """Let no file of the server grow; only Linux can do that to another process."""
        limit = resource.prlimit(self.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        sleep(rng.uniform(0, LONGEST))
        resource.prlimit(self.pid, resource.RLIMIT_FSIZE, limit)

    def _read_only(self, rng: Random) -> None:
        """Let a server that has just begun open the file while nothing can be written to it."""
        self._kill_all()
        self._begin()
        self.file.chmod(0o400)
        self._wait_for_answer()
        sleep(rng.uniform(0, LONGEST))
        self.file.chmod(0o600)

    def _locked(self, _rng: Random) -> None:
        """Let another program write, and not end."""
        with closing(sqlite3.connect(self.file, isolation_level=None, timeout=30)) as other:
            other.execute("BEGIN EXCLUSIVE")
            sleep(LOCKED_SECONDS)
            other.execute("ROLLBACK")

    def _gone(self, rng: Random) -> None:
        """Move the file away, and put it back."""
        away = self.instance / "away"
        self.file.rename(away)
        sleep(rng.uniform(0, LONGEST))
        away.rename(self.file)
