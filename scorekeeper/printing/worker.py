"""The process that prints for the server: `python -m scorekeeper.printing.worker`, fed by `office` and nobody else.

Laying out a page takes a core for half a second. Here that holds up no other page; and what it takes of memory is given
back when it ends, which it does by itself after a while without work.

Whatever it is to have at hand for its first job, it is told to get ready on the command line: "module:function".
"""

import gc
import os
import pickle
import select
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, BinaryIO

from scorekeeper.printing.frames import read_frame, write_frame

PATIENCE = 600
"""Seconds to wait for more work."""
POLITENESS = 5


def main(preparations: Sequence[str] = ()) -> None:
    """Do one job after the other; an answer is whether it went well, and what came of it."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library may say must not get between the answers
    _make_way()
    jobs = sys.stdin.buffer
    for name in preparations:
        if not _is_wanted(jobs, 0, otherwise=False):  # somebody who waits already is better served at once
            _prepare(name)
    # A page is full of rings. To look for them costs a fifth of the time while it is laid out, and between jobs none.
    gc.collect()
    gc.freeze()
    gc.disable()
    while _is_wanted(jobs, PATIENCE):
        frame = read_frame(jobs)
        if frame is None:
            return
        work, arguments = pickle.loads(frame)
        write_frame(answers, pickle.dumps(_done(work, arguments)))
        del work, arguments, frame
        gc.collect()


def _make_way() -> None:
    """Let pages go first."""
    if hasattr(os, "nice"):
        os.nice(POLITENESS)


def _prepare(name: str) -> None:
    """Get ready; what cannot be had will be missed by the first job that needs it, and is told then."""
    module, _, function = name.partition(":")
    try:
        getattr(import_module(module), function)()
    except Exception as error:
        print(f"not ready to print: {error}", file=sys.stderr)


def _is_wanted(jobs: BinaryIO, patience: float, *, otherwise: bool = True) -> bool:
    """Say whether a job comes within so many seconds; `otherwise` where a system cannot look without taking it."""
    return otherwise if os.name == "nt" else bool(select.select([jobs], [], [], patience)[0])


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
    main(sys.argv[1:])
