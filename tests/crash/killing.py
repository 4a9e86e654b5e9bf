"""A server that is killed without warning, and started again."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from flask import Flask

from scorekeeper.config import DATABASE_FILE
from scorekeeper.database.migrating import migrate
from tests.common.apps import close, make_app
from tests.server.test_serve import free_port, start, status_of


@dataclass
class KillableServer:
    """A server in a process of its own."""

    instance: Path
    port: int = field(default_factory=free_port)
    _process: "subprocess.Popen[str] | None" = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process = start(self.instance, self.port)
        status_of(self.port, "/nowhere")

    def stop(self) -> None:
        """Kill it."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()


@contextmanager
def running_server(instance: Path) -> Iterator[KillableServer]:
    """Run a server in a process of its own."""
    server = KillableServer(instance)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def app_beside(server: KillableServer) -> Iterator[Flask]:
    """Open a server's database in this process."""
    app = make_app(server.instance, f"sqlite:///{server.instance / DATABASE_FILE}")
    migrate(app)
    try:
        yield app
    finally:
        close(app)
