"""The database, its migrations and htmx, and how each is joined to an app."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import iscoroutinefunction
from typing import Any, Literal

import sqlalchemy as sa
import sqlmodel
from flask import Flask
from flask_alembic import Alembic
from flask_htmx import HTMX
from flask_sqlalchemy_lite import SQLAlchemy
from sqlmodel.sql.sqltypes import AutoString

from scorekeeper.paths import MIGRATIONS
from scorekeeper.store.tables import metadata

db = SQLAlchemy(session_options={"class_": sqlmodel.Session})
alembic = Alembic(run_mkdir=False, metadatas=metadata)
htmx = HTMX()

# Which tables a migration touches is no news to whoever starts the server.
logging.getLogger("alembic").setLevel(logging.WARNING)


def init_extensions(app: Flask) -> None:
    """Join the extensions to an app."""
    db.init_app(app)
    _close_no_async_sessions(app)
    app.config["ALEMBIC"] = {"script_location": str(MIGRATIONS)}
    app.config["ALEMBIC_CONTEXT"] = {
        "render_as_batch": True,
        "render_item": _render_item,
        "compare_type": True,
        "compare_server_default": True,
        "transactional_ddl": True,
    }
    alembic.init_app(app)
    htmx.init_app(app)
    app.extensions["scorekeeper-migrating"] = False
    with app.app_context():
        if db.engine.dialect.name == "sqlite":
            _prepare_sqlite(app, db.engine)


def _close_no_async_sessions(app: Flask) -> None:
    # There are none, and looking for them would start a thread and an event loop at the end of every request.
    ends = app.teardown_appcontext_funcs
    ends[:] = [end for end in ends if not iscoroutinefunction(end)]


def is_up_to_date(app: Flask) -> bool:
    """Return whether the database is up to date."""
    with app.app_context():
        return not alembic.needs_upgrade()


def migrate(app: Flask, revision: str = "heads") -> bool:
    """Bring the database up to date, whole or not at all; return whether anything had to be done."""
    if revision == "heads" and is_up_to_date(app):
        return False
    with _migrating(app), app.app_context():
        alembic.upgrade(revision)
    return True


def migrate_down(app: Flask, revision: int | str = -1) -> None:
    """Revert migrations: one, or as far as a revision."""
    with _migrating(app), app.app_context():
        alembic.downgrade(revision)


@contextmanager
def _migrating(app: Flask) -> Iterator[None]:
    # SQLite changes a table by dropping and creating it, which would cascade to every row that refers to it.
    # So its foreign keys are off meanwhile, on new connections, and what they would have refused is looked for after.
    with app.app_context():
        engine = db.engine
    engine.dispose()
    app.extensions["scorekeeper-migrating"] = True
    try:
        yield
        if engine.dialect.name == "sqlite":
            with engine.connect() as connection:
                if lost := connection.execute(sa.text("PRAGMA foreign_key_check")).all():
                    raise RuntimeError(f"{len(lost)} rows refer to nothing after the migration: restore the backup.")
    finally:
        app.extensions["scorekeeper-migrating"] = False
        engine.dispose()


def _prepare_sqlite(app: Flask, engine: sa.Engine) -> None:
    @sa.event.listens_for(engine, "connect")
    def set_pragmas(connection: Any, _record: object) -> None:
        is_migrating = app.extensions["scorekeeper-migrating"]
        cursor = connection.cursor()
        cursor.execute("PRAGMA busy_timeout=5000")
        cursor.execute("PRAGMA journal_mode=WAL")
        # In WAL a weaker setting may lose the last hands when the power goes.
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute(f"PRAGMA foreign_keys={'OFF' if is_migrating else 'ON'}")
        cursor.close()
        if is_migrating:
            connection.isolation_level = None

    @sa.event.listens_for(engine, "begin")
    def begin_migration(connection: sa.Connection) -> None:
        # By itself the driver begins no transaction for a change of tables, and half of one would stay.
        if app.extensions["scorekeeper-migrating"]:
            connection.exec_driver_sql("BEGIN IMMEDIATE")


def _render_item(kind: str, item: object, _context: object) -> str | Literal[False]:
    # Migrations import sqlalchemy alone; SQLModel's string would need an import of its own.
    if kind == "type" and isinstance(item, AutoString):
        return f"sa.String(length={item.length})" if item.length else "sa.String()"
    return False
