"""Migrations reverted, as no command does."""

from flask import Flask

from scorekeeper.database.engine import alembic
from scorekeeper.database.migrating import _migrating, locked_database


def migrate_down(app: Flask, revision: int | str = -1) -> None:
    """Revert migrations: one, or as far as a revision."""
    with locked_database(app, alone=True), _migrating(app), app.app_context():
        alembic.downgrade(revision)
