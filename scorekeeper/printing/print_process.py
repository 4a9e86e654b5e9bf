"""Where the server has its printing done: by a process beside it, started when the first sheet is wanted."""

import atexit
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from threading import Event, Lock, Timer
from typing import Any, TypeVar, cast

from scorekeeper.paths import PACKAGE
from scorekeeper.printing.frames import read_frame, write_frame

T = TypeVar("T")

LONGEST = 60.0
"""Seconds that a job may take."""


class PrintingFailed(Exception):
    """The process that prints gave no answer."""


class Office:
    """One worker, who does one job at a time.

    `preparations` are functions, as "module:function", that get ready what most jobs need.
    """

    def __init__(self, *preparations: str) -> None:
        self._preparations = preparations
        self._lock = Lock()
        self._worker: subprocess.Popen[bytes] | None = None

    def do(self, work: Callable[..., T], *arguments: object) -> T:
        """Have a function of this program run by the worker; what it raises is raised here."""
        job = pickle.dumps((work, arguments))
        with self._lock:
            # A worker that waited long enough has gone home: then another one is sent for, once.
            answer = self._ask(job) or self._ask(job)
        if answer is None:
            raise PrintingFailed("The sheet could not be printed.")
        went_well, result = pickle.loads(answer)
        if not went_well:
            raise result
        return cast(T, result)

    def open(self) -> None:
        """Send for the worker, who may then be ready when the first sheet is wanted."""
        if self._lock.acquire(blocking=False):
            try:
                self._present()
            finally:
                self._lock.release()

    def close(self) -> None:
        """Send the worker home."""
        with self._lock:
            self._dismiss()

    def _ask(self, job: bytes) -> bytes | None:
        worker = self._present()
        assert worker.stdin
        assert worker.stdout
        hung = Event()

        def give_up() -> None:
            hung.set()
            worker.kill()

        watch = Timer(LONGEST, give_up)
        watch.daemon = True
        watch.start()
        try:
            write_frame(cast(Any, worker.stdin), job)
            answer = read_frame(cast(Any, worker.stdout))
        except OSError:
            answer = None
        finally:
            watch.cancel()
        if answer is None:
            self._dismiss()
        if hung.is_set():
            raise PrintingFailed("The sheet took too long to print.")
        return answer

    def _present(self) -> subprocess.Popen[bytes]:
        if self._worker is None or self._worker.poll() is not None:
            self._dismiss()
            self._worker = subprocess.Popen(
                [sys.executable, "-m", "scorekeeper.printing.worker", *self._preparations],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": _path()},
            )
        return self._worker

    def _dismiss(self) -> None:
        worker, self._worker = self._worker, None
        if worker is None:
            return
        worker.kill()
        for pipe in (worker.stdin, worker.stdout):
            if pipe:
                try:
                    pipe.close()
                except OSError:
                    pass
        worker.wait()


def _path() -> str:
    """Let the worker find this very program, wherever it was started."""
    return os.pathsep.join(part for part in (str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")) if part)


OFFICE = Office("scorekeeper.printing.warm_up:get_ready")
atexit.register(OFFICE.close)
