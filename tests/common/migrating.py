"""Migrations reverted, as no command does."""

from flask import Flask

from scorekeeper.database.engine import alembic
from scorekeeper.database.migrating import _guard_migration, hold_database_lock


def migrate_down(app: Flask, revision: int | str = -1) -> None:
    """Revert migrations: one, or as far as a revision."""
    with hold_database_lock(app, exclusive=True), _guard_migration(app), app.app_context():
        alembic.downgrade(revision)
