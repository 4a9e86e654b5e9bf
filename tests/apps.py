"""Apps and databases for tests."""

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from flask import Flask
from limits.strategies import RateLimiter
from waitress.server import create_server

from scorekeeper.app import create_app
from scorekeeper.extensions import db


def make_app(instance: Path, database_url: str, **config: Any) -> Flask:
    """Make an app with an instance folder and a database of its own."""
    settings = {
        "SCOREKEEPER_INSTANCE": instance,
        "SCOREKEEPER_DATABASE_URL": database_url,
        "SCOREKEEPER_HOST": "127.0.0.1",
    }
    return create_app({**settings, "TESTING": True, **config})


def close(app: Flask) -> None:
    """Close the app's connections to its database."""
    with app.app_context():
        db.engine.dispose()


def reset_rate_limits(app: Flask) -> None:
    """Forget how often anything was tried."""
    for extension in app.extensions.values():
        if isinstance(extension, RateLimiter):
            extension.storage.reset()


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """Serve an app on a port of its own, and return the address."""
    server = create_server(app, host="127.0.0.1", port=0, threads=4)
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}"
    server.close()
    thread.join(timeout=5)


@contextmanager
def fast_folder() -> Iterator[Path]:
    """Make a folder, in memory where the system has one there: every hand that is saved waits for the disk."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="scorekeeper-test-", dir=memory) as folder:
        yield Path(folder)


@contextmanager
def postgres_database(server: str, template: str) -> Iterator[str]:
    """Make a PostgreSQL database from a template, and drop it in the end."""
    import psycopg

    name = f"test_{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        address, question, rest = server.partition("?")
        yield f"{address.rpartition('/')[0]}/{name}{question}{rest}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
