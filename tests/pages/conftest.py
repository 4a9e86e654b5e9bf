"""Fixtures: phones, and matches that were begun on them."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from flask import Flask

from tests.browser import playing
from tests.common.phone import Page, Phone

PEOPLE, record = playing.PEOPLE, playing.play_hand
TILES = ["Who won?", "Rules", "Print", "People"]
"""The links of the home page, before those behind More."""

Begin = Callable[..., Page]


@pytest.fixture(autouse=True)
def any_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the pause that is required between two undos."""
    monkeypatch.setattr("scorekeeper.pages.match.views.UNDO_PAUSE", timedelta())


@pytest.fixture
def phone(app: Flask) -> Phone:
    """Return a phone; its forms need their CSRF tokens."""
    return Phone(app.test_client())


@pytest.fixture
def other_phone(app: Flask) -> Phone:
    """Return another phone."""
    return Phone(app.test_client())


@pytest.fixture
def begin(phone: Phone) -> Begin:
    """Begin a match, and return its page: Ann and Cal against Bea and Dan, by default at Partnership Pitch."""

    return partial(playing.begin_match, phone)


@pytest.fixture
def match(begin: Begin) -> Page:
    """Begin a match."""
    return begin()
