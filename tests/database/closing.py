"""A database closed as a server closes it at its end."""

from flask import Flask

from scorekeeper.database.engine import engine_of, watched_file
from scorekeeper.server.database_in_use import _close_database


def close_database(app: Flask) -> None:
    """Close every connection, with all that was written in the one file."""
    if watched := watched_file(app):
        _close_database(engine_of(app), watched)
    else:
        engine_of(app).dispose()
