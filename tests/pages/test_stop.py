"""Stopping early, and going on another day."""

import pytest

from tests.common.calling import finish
from tests.common.phone import Page
from tests.pages.conftest import record


@pytest.fixture
def stopped(match: Page) -> Page:
    """Stop after a hand."""
    return record(match, call="p4:3").tap("Menu").tap("Stop for tonight").send("/stop")


@pytest.mark.every_database
def test_it_says_who_leads_and_that_there_is_no_winner(stopped: Page) -> None:
    assert stopped.part("board").one("h2").text == "Stopped"
    assert "Bea & Dan" in stopped.part("turn").one(class_="why").text
    assert not stopped.offers("Record hand")


def test_asking_stops_nothing(match: Page) -> None:
    page = match.tap("Menu").tap("Stop for tonight").tap("Cancel")

    assert page.offers("Stop for tonight")


@pytest.mark.every_database
def test_it_goes_on_where_it_stopped(stopped: Page) -> None:
    match = stopped.tap("Resume")

    assert match.scores == {"s1": "0", "s2": "4"}
    assert record(match, call="p1:2").scores == {"s1": "4", "s2": "4"}


def test_a_stopped_match_takes_no_hand_and_says_so(stopped: Page) -> None:
    entry = stopped.tap("Resume").tap("Record hand").send("/hands/new", {"call": "p1:2"})
    stopped.phone.open(f"{stopped.path}stop").send("/stop")

    page = finish(entry)

    assert page.status == 409
    assert "Resume it first." in page.faults


def test_stopping_twice_stops_once(match: Page) -> None:
    form = match.tap("Menu").tap("Stop for tonight").form("/stop")
    phone = match.phone

    first, second = (phone.post(form.action, form.fields) for _ in range(2))

    assert first.text == second.text


def test_home_lists_it_as_stopped(stopped: Page) -> None:
    assert "stopped" in stopped.phone.open("/").root.one("a", href=stopped.path).text
