"""Phones, and matches that were begun on them by form."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask

from tests.common.calling import finish
from tests.common.phone import Page, Phone

PEOPLE = ("Ann", "Bea", "Cal", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jo")
TILES = ["Who won?", "Rules", "Print", "People"]
"""Where the home page leads, before what is behind More."""

Begin = Callable[..., Page]


@pytest.fixture(autouse=True)
def any_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tests undo as fast as they like."""
    monkeypatch.setattr("scorekeeper.pages.match.views.UNDO_PAUSE", timedelta())


@pytest.fixture
def phone(app: Flask) -> Phone:
    """Take a phone; its forms need their tokens."""
    return Phone(app.test_client())


@pytest.fixture
def other_phone(app: Flask) -> Phone:
    """Take another phone."""
    return Phone(app.test_client())


@pytest.fixture
def begin(phone: Phone) -> Begin:
    """Begin a match, and return its page: Ann and Cal against Bea and Dan, by default at Partnership Pitch."""

    def begin(ruleset_id: str = "partnership-pitch", **said: str) -> Page:
        page = phone.open(f"/new/{ruleset_id}")
        chairs = [name for name in page.form(ruleset_id).fields if name.startswith("seat-")]
        named = dict(zip(chairs, PEOPLE, strict=False))
        answers = {name.replace("_", "-", 1): value for name, value in said.items()}
        return page.send(ruleset_id, {**named, **answers}, press="Start")

    return begin


@pytest.fixture
def match(begin: Begin) -> Page:
    """Begin a match."""
    return begin()


def record(match: Page, **said: str) -> Page:
    """Record a hand from the match page, the rest to the bidding side, and come back."""
    told = {name.replace("took_", "took-").replace("pile_", "pile-"): value for name, value in said.items()}
    entry = match.phone.open(f"{match.path}hands/new")
    if entry.offers("Start over"):  # another phone's hand is in progress
        entry = entry.send("/hands/new", press="Start over")
    form = entry.form("/hands/new")
    return finish(match.phone.post(form.action, {**form.filled(told), "do": "look"}))
