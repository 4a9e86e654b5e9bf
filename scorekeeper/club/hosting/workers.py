"""Serve with several processes: a parent starts them, replaces a process that ends, and stops them all.

The processes share one listening socket: if a process ends, another accepts its waiting connections. All else that they
share is in the database, which is PostgreSQL.
"""

import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from multiprocessing import connection, get_context
from multiprocessing.process import BaseProcess, parent_process
from socket import socket
from threading import Thread
from time import monotonic, sleep

from scorekeeper.server.http_server import STOP_TIMEOUT_S
from scorekeeper.server.server import exit_process, serve_on_sockets

MAX_WORKERS = 32
"""The most processes. Each holds some of the hundred connections that PostgreSQL takes by default."""
SHORT_LIFE_S = 5.0
"""A process that ends sooner after its start is replaced only after `REPLACEMENT_PAUSE_S`."""
REPLACEMENT_PAUSE_S = 1.0
"""The pause before a process that ended within `SHORT_LIFE_S` is replaced, since the next may end as soon."""
PROCESS_STOP_TIMEOUT_S = STOP_TIMEOUT_S + 1.0
"""The time that terminated processes have to send their last responses before they are killed."""

# A process is a copy of one that has read the program and made the app: it starts at once.
_context = get_context("forkserver")
_SHARED_APP_MODULE = "scorekeeper.club.hosting.shared_app"


def serve_by_workers(
    settings: Mapping[str, str], process_count: int, sockets: Sequence[socket], when_started: Callable[[], object]
) -> None:
    """Serve on open sockets with `process_count` processes, until an interrupt or a termination signal.

    `settings` are put into the environment, from which the processes read them. `when_started` is called once all
    processes have been started.
    """
    # A signal writes into this pipe, and so ends the wait for the processes.
    signal_fd, wakeup_fd = os.pipe()
    os.set_blocking(wakeup_fd, False)
    previous_handlers = {signum: signal.signal(signum, lambda *_: None) for signum in (signal.SIGINT, signal.SIGTERM)}
    previous_wakeup_fd = signal.set_wakeup_fd(wakeup_fd)
    os.environ.update(settings)
    _context.set_forkserver_preload([_SHARED_APP_MODULE])

    def start_process(process_number: int) -> tuple[BaseProcess, float]:
        """Start a process, and return the process and the time of its start, as `monotonic` returns it."""
        process = _context.Process(target=_run_worker, args=(tuple(sockets), process_number))
        process.start()
        return process, monotonic()

    workers = [start_process(process_number) for process_number in range(process_count)]
    try:
        when_started()
        while signal_fd not in (ready := connection.wait([signal_fd, *(process.sentinel for process, _ in workers)])):
            for process_number, (process, started_at) in enumerate(workers):
                if process.sentinel in ready:
                    process.join()
                    print(f"A server process ended ({process.exitcode}) and is replaced.", file=sys.stderr, flush=True)
                    if monotonic() - started_at < SHORT_LIFE_S and connection.wait(
                        [signal_fd], timeout=REPLACEMENT_PAUSE_S
                    ):
                        continue
                    workers[process_number] = start_process(process_number)
    finally:
        _stop_processes([process for process, _ in workers])
        signal.set_wakeup_fd(previous_wakeup_fd)
        for signum, handler in previous_handlers.items():
            signal.signal(signum, handler)
        os.close(signal_fd)
        os.close(wakeup_fd)


def _stop_processes(processes: Sequence[BaseProcess]) -> None:
    """Terminate processes, and kill those that have not ended within `PROCESS_STOP_TIMEOUT_S`."""
    for process in processes:
        process.terminate()
    kill_time = monotonic() + PROCESS_STOP_TIMEOUT_S
    for process in processes:
        process.join(max(kill_time - monotonic(), 0))
        process.kill()


def _run_worker(sockets: Sequence[socket], process_number: int) -> None:
    """Serve on sockets until this process is terminated or its parent ends; then end this process.

    `process_number` counts from 0; each process serves its metrics on its own port.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the parent's, which then stops every process
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))  # until the server listens to it
    Thread(target=_end_with_parent, daemon=True).start()
    app = import_module(_SHARED_APP_MODULE).app
    serve_on_sockets(app, sockets, lambda _stop: None, stop_signals=[signal.SIGTERM], process=process_number)
    exit_process()


def _end_with_parent() -> None:
    """Wait until the parent process ends, then terminate this process."""
    parent = parent_process()
    if parent:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        sleep(PROCESS_STOP_TIMEOUT_S)
        os._exit(1)
