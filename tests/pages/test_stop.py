"""Stopping early, and going on another day."""

import pytest

from tests.common.phone import Page
from tests.pages.conftest import record


@pytest.fixture
def stopped(match: Page) -> Page:
    """Stop after a hand."""
    return record(match, call="p4:3").tap("Menu").tap("Stop for tonight").send("/stop")


@pytest.mark.every_database
def test_it_says_that_there_is_no_winner(stopped: Page) -> None:
    assert stopped.part("board").one("h2").text == "Stopped"
    assert stopped.part("turn").one(class_="why").text == "The match stopped before anyone won."
    assert not stopped.offers("Record hand")


@pytest.mark.every_database
def test_a_stopped_match_is_resumed_with_its_scores(stopped: Page) -> None:
    match = stopped.tap("Resume")

    assert match.scores == {"s1": "0", "s2": "4"}
    assert record(match, call="p1:2").scores == {"s1": "4", "s2": "4"}


def test_home_lists_it_as_stopped(stopped: Page) -> None:
    assert "stopped" in stopped.phone.open("/").one("a", href=stopped.path).text
