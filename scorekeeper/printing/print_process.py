"""The print process beside the server, which runs one job at a time.

Laying out a page takes half a second of processor time, which in another process delays no request. The process ends
after a while without jobs, which frees its memory.
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

from scorekeeper.operating_system import limit_priority_and_memory

T = TypeVar("T")
JobOutcome = tuple[object, Exception | None]
"""The result of a job and `None`, or `None` and the exception that it raised."""

JOB_TIMEOUT_S = 60.0
"""The most seconds that a job may take."""
MAX_JOB_MEMORY_BYTES = 512 * 1024 * 1024
"""The most bytes of memory of the process; the longest match takes two thirds of it."""
IDLE_TIMEOUT_S = 600.0
"""Seconds without a job after which the process ends."""
PROCESS_NICENESS = 5


class PrintingFailed(Exception):
    """A print job ended without a result; the message has the reason."""


class PrinterBusy(Exception):
    """The print process is busy, or too many images wait for it."""


class PrintProcess:
    """A separate process that runs functions of this program, one at a time.

    It starts with `start` or with the first job, and calls `prepare` unless a job is waiting. All functions are
    imported there by name.
    """

    def __init__(self, prepare: Callable[[], object] | None = None) -> None:
        self._prepare = prepare
        self._lock = Lock()
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a job is running, or the process is being started or stopped."""
        return self._lock.locked()

    def run(self, function: Callable[..., T], *arguments: object, waits: bool = False) -> T:
        """Run a function in the process, and return its result or raise its exception.

        Raises:
            PrinterBusy: The process `is_busy`, and the call does not wait.
            PrintingFailed: The job took too long or too much memory, or the process could not start or complete it.
        """
        if not self._lock.acquire(blocking=waits):  # a waiting thread serves no other request
            raise PrinterBusy
        try:
            return self._run_with_retry(function, arguments)
        finally:
            self._lock.release()

    def start(self) -> None:
        """Start the process early, unless something has started it; after a failure the first job tries again."""
        if self._lock.acquire(blocking=False):
            try:
                with suppress(PrintingFailed):  # the first job tries again, and reports it
                    self._connect()
            finally:
                self._lock.release()

    def stop(self) -> None:
        """Kill the process after the running job; a later job starts another."""
        with self._lock:
            self._kill()

    def _run_with_retry(self, function: Callable[..., T], arguments: tuple[object, ...]) -> T:
        """Return a job's result or raise its error; if the process has ended, retry once in a new one.

        Raises `PrintingFailed` if the process cannot start or ends again, or if the job takes too much time or memory.
        """
        # The process may have ended since its last job: then the job goes to a new one, once.
        outcome = self._send_job(function, arguments) or self._send_job(function, arguments)
        if outcome is None:
            raise PrintingFailed("The sheet could not be printed.")
        result, error = outcome
        if isinstance(error, MemoryError):
            raise PrintingFailed("The sheet is too large to print.")
        if error is not None:
            raise error
        return cast(T, result)

    def _send_job(self, function: Callable[..., T], arguments: tuple[object, ...]) -> JobOutcome | None:
        """Return the outcome of a job in the process; `None` if the process has ended.

        A job that takes longer than `JOB_TIMEOUT_S` is killed with the process. Raises `PrintingFailed`.
        """
        connection = self._connect()
        try:
            connection.send((function, arguments))
            if connection.poll(JOB_TIMEOUT_S):
                return cast(JobOutcome, connection.recv())
        except (EOFError, OSError):
            self._kill()
            return None
        self._kill()
        raise PrintingFailed("The sheet took too long to print.")

    def _connect(self) -> Connection:
        """Return the connection to the process, which is started if it does not run; raises `PrintingFailed`."""
        if self._connection is not None and self._process is not None and self._process.is_alive():
            return self._connection
        self._kill()
        try:
            connection, other_end = _context.Pipe()
            with other_end:
                process = _context.Process(target=_run_jobs, args=(other_end, self._prepare), daemon=True)
                try:
                    process.start()
                except OSError:
                    connection.close()
                    raise
        except OSError as error:  # no memory, process or file is available now
            raise PrintingFailed(f"The print process could not start: {error.strerror}.") from error
        self._process, self._connection = process, connection
        return connection

    def _kill(self) -> None:
        """Kill the process, if there is one, and close the connection."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


_context = get_context("spawn")


def _run_jobs(connection: Connection, prepare: Callable[[], object] | None) -> None:
    """Run the jobs of a connection, as the print process, until none arrives for `IDLE_TIMEOUT_S`.

    It calls `prepare` before the first job, unless that is waiting already. It ends with the server.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the server's, and this process ends with it
    os.dup2(2, 1)  # the output of a library must not be mixed with the server's
    limit_priority_and_memory(PROCESS_NICENESS, MAX_JOB_MEMORY_BYTES)
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
            connection.send(_run_job(*connection.recv()))
            gc.collect()


def _run_job(function: Callable[..., object], arguments: tuple[object, ...]) -> JobOutcome:
    """Run a job, and return its result or its error.

    An error that cannot be pickled becomes a `RuntimeError`.
    """
    try:
        return function(*arguments), None
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return None, RuntimeError(f"{type(error).__name__}: {error}")
        return None, error
