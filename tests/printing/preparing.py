"""What a print process may call before its first job, and what can be seen of that."""

import os
import time
from pathlib import Path

from scorekeeper.printing import print_service

NOTE = "SCOREKEEPER_TEST_NOTE"


def warm_up_and_leave_note() -> None:
    """Write a file to the path in the environment, once the process is ready to print."""
    print_service.warm_up()
    Path(os.environ[NOTE]).touch()


def fail() -> None:
    """Fail to prepare."""
    raise RuntimeError("this machine lacks something")


def write_and_wait(begun: Path, ended: Path) -> str:
    """Write a file, and wait for another one."""
    begun.touch()
    until = time.monotonic() + 30
    while not ended.exists() and time.monotonic() < until:
        time.sleep(0.01)
    return "waited"
