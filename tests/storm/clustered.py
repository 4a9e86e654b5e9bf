"""Two processes of a server on PostgreSQL, behind the proxy where there is one, of which one is killed."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

from tests.club.hosting.test_workers import workers_of
from tests.cluster.proxy import find_nginx, running_proxy
from tests.storm.served import PATIENCE, Chances, Server, free_port

PROCESSES: Chances = {"kill_one": 0.03, "kill": 0.003, "freeze": 0.01, "stop": 0.004}
WITH_DATABASE: Chances = {**PROCESSES, "kill_postgres": 0.006}


@dataclass
class Clustered(Server):
    """A server of two processes."""

    postgres: Any = None
    """The database server, where it may be killed as well."""

    def victim(self) -> int:
        """Return one of the processes that answer."""
        assert self._process
        until = monotonic() + PATIENCE
        while not (found := workers_of(self._process)) and monotonic() < until:  # type: ignore[arg-type]
            sleep(0.05)
        return self.rng.choice(found)

    def _kill_one(self, _rng: Random) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.victim(), signal.SIGKILL)

    def _kill_postgres(self, _rng: Random) -> None:
        pid = self.postgres.get_pid()
        os.kill(pid, signal.SIGQUIT)
        until = monotonic() + PATIENCE
        while Path(f"/proc/{pid}").exists() and monotonic() < until:
            sleep(0.05)
        self.postgres.ensure_postgres_running()


@contextmanager
def clustered(folder: Path, rng: Random, url: str, chances: Chances, postgres: Any = None) -> Iterator[Clustered]:
    """Run it on a database."""
    own = free_port()
    port = free_port() if find_nginx() else own
    environ = {"SCOREKEEPER_PUBLIC_URL": f"http://127.0.0.1:{port}"}
    with running_proxy(folder, port, own) if port != own else nullcontext():
        server = Clustered(
            folder,
            rng,
            chances,
            environ=environ,
            words=("--workers", "2"),
            url=url,
            port=port,
            own_port=own,
            postgres=postgres,
        )
        try:
            yield server
        finally:
            server.end()
