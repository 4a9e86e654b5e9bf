"""A session, the rulesets, and a match to write into."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.database.engine import db
from scorekeeper.matches.fold import Match
from scorekeeper.pitch.rules.library import Library
from tests.common.library import LIBRARY
from tests.common.match_actions import start_match

Begin = Callable[..., Match]
T = TypeVar("T")


def at_once(app: Flask, post: Callable[[int], T], phones: int = 8) -> list[T]:
    """Return the answers to several phones that send something at the same moment."""
    ready = threading.Barrier(phones)

    def send(number: int) -> T:
        with app.app_context():
            ready.wait()
            return post(number)

    with ThreadPoolExecutor(phones) as pool:
        return [*pool.map(send, range(phones))]


@pytest.fixture(scope="session")
def library() -> Library:
    return LIBRARY


@pytest.fixture
def session(app: Flask) -> Iterator[Session]:
    """Open a session on a database of its own."""
    with app.app_context():
        yield db.session


@pytest.fixture
def begin(session: Session) -> Begin:
    """Begin a match: Ann and Cal against Bo and Di, at Partnership Pitch unless overridden."""

    def begin(**overrides: Any) -> Match:
        agreed = {"variant": "partnership-pitch", "players": ["Ann", "Bo", "Cal", "Di"], "house": {"target": 300}}
        return start_match(session, LIBRARY, **{**agreed, **overrides})

    return begin


@pytest.fixture
def match(begin: Begin) -> Match:
    """Begin a match that a few hands do not end."""
    return begin()
