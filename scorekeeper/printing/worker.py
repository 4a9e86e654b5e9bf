"""The process that prints for the server: `python -m scorekeeper.printing.worker`, fed by `office` and nobody else.

Laying out a page takes a core for half a second. Here that holds up no other page; and what it takes of memory is given
back when it ends, which it does by itself after a while without work.
"""

import os
import pickle
import select
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

from scorekeeper.printing.frames import read_frame, write_frame

PATIENCE = 600
"""Seconds to wait for more work."""


def main() -> None:
    """Do one job after the other; an answer is whether it went well, and what came of it."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library may say must not get between the answers
    _make_way()
    jobs = sys.stdin.buffer
    while _is_wanted(jobs):
        frame = read_frame(jobs)
        if frame is None:
            return
        work, arguments = pickle.loads(frame)
        write_frame(answers, pickle.dumps(_done(work, arguments)))


def _make_way() -> None:
    """Let pages go first."""
    if hasattr(os, "nice"):
        os.nice(5)


def _is_wanted(jobs: BinaryIO) -> bool:
    return os.name == "nt" or bool(select.select([jobs], [], [], PATIENCE)[0])


def _done(work: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    try:
        return True, work(*arguments)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return False, RuntimeError(f"{type(error).__name__}: {error}")
        return False, error


if __name__ == "__main__":
    main()
