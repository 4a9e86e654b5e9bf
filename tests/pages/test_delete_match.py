"""Throwing a match away, and fetching it back."""

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.database.engine import db
from tests.common.guests import SCORER, WATCHER, invited, let_in
from tests.common.phone import Page, Phone
from tests.pages.conftest import record


@pytest.fixture
def gone(match: Page) -> Page:
    """Throw a match away, and see the home page."""
    return record(match, call="p4:3").tap("Menu").tap("Delete this match").send("/delete")


@pytest.mark.every_database
def test_it_is_no_longer_listed_and_home_says_so(gone: Page, match: Page) -> None:
    assert gone.path == "/"
    assert "is deleted." in gone.text
    assert not gone.all("a", href=match.path)


@pytest.mark.every_database
def test_home_restores_it(gone: Page) -> None:
    assert gone.tap("Restore").scores == {"s1": "0", "s2": "4"}


def test_a_watching_phone_is_refused(match: Page, other_phone: Phone) -> None:
    watching = other_phone.open(match.path)
    match.tap("Menu").tap("Delete this match").send("/delete")

    part = other_phone.open(watching.part("board").attrs["hx-get"], part=True)

    assert part.response.headers["HX-Redirect"] == match.path


PAGES = ("history", "history/journal", "menu", "rules", "share", "what-if", "tv", "whose", "result.pdf")


def test_its_menu_offers_to_restore_it_and_nothing_that_would_go_on(gone: Page, match: Page) -> None:
    menu = gone.phone.open(f"{match.path}menu")

    refused = ("Stop for tonight", "Resume match", "Change a rule", "Someone sits in", "Delete this match")
    assert [label for label in refused if menu.offers(label)] == []
    assert menu.tap("Restore this match").scores == {"s1": "0", "s2": "4"}


@pytest.mark.parametrize("link", ["a watching phone", "a shared link"])
def test_whoever_watches_is_told_that_it_was_deleted_and_nothing_else(
    app: Flask, match: Page, other_phone: Phone, link: str
) -> None:
    record(match, call="p4:3")
    match.open("share").send("/share")
    with app.app_context():
        shared = db.session.execute(sa.text("SELECT code FROM link WHERE code LIKE 'watch-%'")).scalar_one()
    path = let_in(match, other_phone).path if link == "a watching phone" else f"/matches/{shared}/"
    code = path.split("/")[2]
    before = other_phone.open(path)
    assert "Bea" in before.text
    match.tap("Menu").tap("Delete this match").send("/delete")

    gone = other_phone.open(path)
    assert "This match was deleted" in gone.text
    assert "Bea" not in gone.response.text
    for address in (*(f"{path}{page}" for page in PAGES), f"/print?match={code}"):
        assert other_phone.open(address).response.headers["Location"] == path
    assert "is deleted" not in other_phone.open(f"/?gone={code}").text

    match.open().send("/restore")
    assert "Bea" in other_phone.open(path).text


def test_a_scorer_still_sees_its_hands(match: Page, other_phone: Phone) -> None:
    theirs = let_in(match, other_phone, SCORER)
    match.tap("Menu").tap("Delete this match").send("/delete")

    assert other_phone.open(theirs.path).tap("All hands").status == 200


def test_no_code_lets_anybody_in_until_it_is_restored(match: Page, other_phone: Phone) -> None:
    address = invited(match, WATCHER)
    match.tap("Menu").tap("Delete this match").send("/delete")

    assert other_phone.open(address).status == 410
    match.open().send("/restore")
    assert "Bea" in other_phone.open(address).text
