"""Throwing a match away, and fetching it back."""

import pytest

from tests.web.conftest import record
from tests.web.phone import Page, Phone


@pytest.fixture
def gone(match: Page) -> Page:
    """Throw a match away, and see the home page."""
    return record(match, call="p4:3").tap("Menu").tap("Delete this match").send("/delete")


def test_it_is_asked_first(match: Page, phone: Phone) -> None:
    page = match.tap("Menu").tap("Delete this match")

    assert "Delete this match?" in page.faults
    assert phone.open(match.path).scores


@pytest.mark.every_database
def test_it_is_no_longer_listed_and_home_says_so(gone: Page, match: Page) -> None:
    assert gone.path == "/"
    assert "is deleted." in gone.text
    assert not gone.root.all("a", href=match.path)


@pytest.mark.every_database
def test_home_restores_it(gone: Page) -> None:
    assert gone.tap("Restore").scores == {"s1": "0", "s2": "4"}


def test_the_link_still_leads_to_it_and_restores_it(gone: Page, match: Page, other_phone: Phone) -> None:
    page = other_phone.open(match.path)

    assert "This match was deleted" in page.text
    assert page.tap("Restore").scores == {"s1": "0", "s2": "4"}


def test_nothing_is_written_into_it(match: Page, phone: Phone) -> None:
    form = match.tap("Record hand").form("/hands/new")
    match.tap("Menu").tap("Delete this match").send("/delete")

    page = phone.post(form.action, {**form.fields, "call": "p4:3", "do": "rest"})

    assert page.status == 409
    assert "Restore it first." in page.faults


@pytest.mark.parametrize("path", ["stop", "names"])
def test_its_other_forms_say_so_too(match: Page, phone: Phone, path: str) -> None:
    page = phone.open(match.path + path)
    form = page.form(f"/{path}")
    match.tap("Menu").tap("Delete this match").send("/delete")

    page = phone.post(form.action, {**form.fields, "title": "Thursday"})

    assert page.status == 409
    assert "deleted" in page.text


def test_a_watching_phone_is_refused(match: Page, other_phone: Phone) -> None:
    watching = other_phone.open(match.path)
    match.tap("Menu").tap("Delete this match").send("/delete")

    part = other_phone.open(watching.part("board").attrs["hx-get"], part=True)

    assert part.response.headers["HX-Redirect"] == match.path


def test_its_menu_offers_to_restore_it_and_nothing_that_would_go_on(gone: Page, match: Page) -> None:
    menu = gone.phone.open(f"{match.path}menu")

    refused = ("Stop for tonight", "Resume match", "Change a rule", "Someone sits in", "Delete this match")
    assert [label for label in refused if menu.offers(label)] == []
    assert menu.tap("Restore this match").scores == {"s1": "0", "s2": "4"}
