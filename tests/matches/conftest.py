"""A session, the rulesets, and a match to write into."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper import paths
from scorekeeper.database.engine import db
from scorekeeper.matches.fold import Match
from scorekeeper.pitch.rules.library import Library, read_library
from tests.common.match_actions import start_match

Begin = Callable[..., Match]


@pytest.fixture(scope="session")
def library() -> Library:
    """Read the rulesets once."""
    return read_library(paths.RULESETS)


@pytest.fixture
def session(app: Flask) -> Iterator[Session]:
    """Open a session on a database of its own."""
    with app.app_context():
        yield db.session


@pytest.fixture
def begin(session: Session, library: Library) -> Begin:
    """Begin a match: Ann and Cal against Bo and Di, at Partnership Pitch unless told."""
    numbers = itertools.count()

    def begin(**said: Any) -> Match:
        agreed = {"variant": "partnership-pitch", "players": ["Ann", "Bo", "Cal", "Di"], "house": {"target": 300}}
        return start_match(session, library, **{"idempotency_key": f"form-{next(numbers)}", **agreed, **said})

    return begin


@pytest.fixture
def match(begin: Begin) -> Match:
    """Begin a match that a few hands do not end."""
    return begin()
