"""The process beside the server that lays out its pages, one job at a time, started when the first one is wanted.

Laying out a page keeps a core busy for half a second: in another process that delays no request. The memory that it
takes is freed when the process ends, which it does after a while without a job.
"""

import gc
import os
import pickle
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Lock
from typing import TypeVar, cast

from scorekeeper.operating_system import lower_priority

T = TypeVar("T")
Outcome = tuple[object, Exception | None]
"""What a job returned, or raised."""

JOB_TIMEOUT_S = 60.0
"""Seconds that a job may take."""
MAX_JOB_MEMORY = 512 * 1024 * 1024
"""Bytes of memory that the process may take; the longest match of all takes two thirds of it."""
IDLE_TIMEOUT_S = 600.0
"""Seconds after which the process ends if it gets no job."""
NICENESS = 5


class PrintingFailed(Exception):
    """The print process returned no result."""


class PrinterBusy(Exception):
    """The print process has another job."""

    def __init__(self) -> None:
        super().__init__("The printer is busy.")


class PrintProcess:
    """A process that runs functions of this program, one at a time.

    It calls `prepare` first, unless a job waits already. Like the jobs' functions, `prepare` is imported there by its
    name.
    """

    def __init__(self, prepare: Callable[[], object] | None = None) -> None:
        self._prepare = prepare
        self._lock = Lock()
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a job is under way."""
        return self._lock.locked()

    def run(self, function: Callable[..., T], *arguments: object) -> T:
        """Return the result of a function, or raise what it raises.

        Raises:
            PrinterBusy: Another job is under way. Nobody waits for it: a thread that waits answers no one else.
            PrintingFailed: The job took too long, or too much memory, or ended the process twice, or none could start.
        """
        if not self._lock.acquire(blocking=False):
            raise PrinterBusy
        try:
            return self._result(function, arguments)
        finally:
            self._lock.release()

    def run_in_turn(self, function: Callable[..., T], *arguments: object) -> T:
        """Do the same after the present job has ended; not for a thread that answers requests."""
        with self._lock:
            return self._result(function, arguments)

    def start(self) -> None:
        """Start the process, if it is not running, so that it can prepare before the first job."""
        if self._lock.acquire(blocking=False):
            try:
                with suppress(PrintingFailed):  # the first job tries again, and reports it
                    self._connect()
            finally:
                self._lock.release()

    def stop(self) -> None:
        """Kill the process."""
        with self._lock:
            self._kill()

    def _result(self, function: Callable[..., T], arguments: tuple[object, ...]) -> T:
        # The process may have ended since its last job: then the job goes to a new one, once.
        answer = self._answer(function, arguments) or self._answer(function, arguments)
        if answer is None:
            raise PrintingFailed("The sheet could not be printed.")
        result, error = answer
        if isinstance(error, MemoryError):
            raise PrintingFailed("The sheet is too large to print.")
        if error is not None:
            raise error
        return cast(T, result)

    def _answer(self, function: Callable[..., T], arguments: tuple[object, ...]) -> Outcome | None:
        connection = self._connect()
        try:
            connection.send((function, arguments))
            if connection.poll(JOB_TIMEOUT_S):
                return cast(Outcome, connection.recv())
        except (EOFError, OSError):
            self._kill()
            return None
        self._kill()
        raise PrintingFailed("The sheet took too long to print.")

    def _connect(self) -> Connection:
        if self._connection is not None and self._process is not None and self._process.is_alive():
            return self._connection
        self._kill()
        try:
            connection, other_end = _context.Pipe()
            with other_end:
                process = _context.Process(target=_work, args=(other_end, self._prepare), daemon=True)
                try:
                    process.start()
                except OSError:
                    connection.close()
                    raise
        except OSError as error:  # no memory, process or file is left for it just now
            raise PrintingFailed(f"The print process could not start: {error.strerror}.") from error
        self._process, self._connection = process, connection
        return connection

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


_context = get_context("spawn")


def _work(connection: Connection, prepare: Callable[[], object] | None) -> None:
    """Run one job after the other until there are none for a while, or the server has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the server's, and this process ends with it
    os.dup2(2, 1)  # the output of a library must not be mixed with the server's
    lower_priority(NICENESS, MAX_JOB_MEMORY)
    if prepare and not connection.poll():
        try:
            prepare()
        except Exception as error:  # the first job that needs it fails as well, and reports it
            print(f"print process: {error}", file=sys.stderr)
    # A page is full of reference cycles. Looking for them takes a fifth of its time; between jobs it delays nobody.
    gc.collect()
    gc.freeze()
    gc.disable()
    with suppress(EOFError, OSError):
        while connection.poll(IDLE_TIMEOUT_S):
            connection.send(_outcome(*connection.recv()))
            gc.collect()


def _outcome(function: Callable[..., object], arguments: tuple[object, ...]) -> Outcome:
    try:
        return function(*arguments), None
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return None, RuntimeError(f"{type(error).__name__}: {error}")
        return None, error
