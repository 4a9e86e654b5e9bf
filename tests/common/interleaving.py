"""What another phone does in the middle of something, between reading and writing; and a cut in the power."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import count
from typing import Any

import sqlalchemy as sa
from flask import Flask

from scorekeeper.database.engine import db

WRITES = ("INSERT", "UPDATE", "DELETE")


def before_first_write(app: Flask, act: Callable[[], object]) -> AbstractContextManager[None]:
    """Let another session act once, just before the first statement that writes."""
    return _at("before_cursor_execute", lambda statement: statement.startswith(WRITES), _elsewhere(app, act))


def before_insert(app: Flask, table: str, act: Callable[[], object]) -> AbstractContextManager[None]:
    """Let another session act once, just before a row is added to a table."""
    return _at("before_cursor_execute", lambda statement: f"INSERT INTO {table} " in statement, _elsewhere(app, act))


def after_read(app: Flask, table: str, act: Callable[[], object]) -> AbstractContextManager[None]:
    """Let another session act once, just after a table was read for the first time."""
    return _at("after_cursor_execute", lambda statement: f"FROM {table} " in f"{statement} ", _elsewhere(app, act))


def after_statement(app: Flask, number: int, act: Callable[[], object]) -> AbstractContextManager[None]:
    """Let another session act once, just after so many statements."""
    seen = count(1)
    return _at("after_cursor_execute", lambda _statement: next(seen) == number, _elsewhere(app, act))


class CutOff(BaseException):
    """The power went."""


@contextmanager
def cut_off_before(start: str) -> Iterator[None]:
    """Break off whatever is done before the first statement that begins so."""

    def cut() -> None:
        raise CutOff

    with _at("before_cursor_execute", lambda statement: statement.startswith(start), cut):
        with suppress(CutOff):
            yield


def _elsewhere(app: Flask, act: Callable[[], object]) -> Callable[[], None]:
    def acts() -> None:
        with app.app_context():
            act()

    return acts


@contextmanager
def _at(when: str, is_it: Callable[[str], bool], act: Callable[[], None]) -> Iterator[None]:
    """Act once at the first statement of a kind, which has to come meanwhile."""
    engine, done = db.engine, list[bool]()

    def look(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if not done and is_it(" ".join(statement.split())):
            done.append(True)
            act()

    sa.event.listen(engine, when, look)
    try:
        yield
    finally:
        sa.event.remove(engine, when, look)
    assert done, "it never came to that"
