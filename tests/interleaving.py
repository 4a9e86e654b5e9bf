"""What another phone does in the middle of something: after all was read, and before anything is written."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from flask import Flask

from scorekeeper.extensions import db

WRITES = ("INSERT", "UPDATE", "DELETE")


@contextmanager
def before_first_write(app: Flask, act: Callable[[], object]) -> Iterator[None]:
    """Let another session act once, just before the first statement that writes; it has to come meanwhile."""
    engine, done = db.engine, list[bool]()

    def look(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if statement.startswith(WRITES) and not done:
            done.append(True)
            with app.app_context():
                act()

    sa.event.listen(engine, "before_cursor_execute", look)
    try:
        yield
    finally:
        sa.event.remove(engine, "before_cursor_execute", look)
    assert done, "nothing was written"
