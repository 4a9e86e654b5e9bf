"""Deleting a match, and restoring it."""

import pytest

from tests.common.guests import SCORER, WATCHER, invited, let_in
from tests.common.phone import Page, Phone
from tests.pages.conftest import record
from tests.pages.test_share import watching_path


@pytest.fixture
def gone(match: Page) -> Page:
    """Delete a match, and return the home page."""
    return record(match, call="p4:3").tap("Menu").tap("Delete this match").send("/delete")


@pytest.mark.every_database
def test_it_is_no_longer_listed_and_home_says_so(gone: Page, match: Page) -> None:
    assert gone.path == "/"
    assert "Deleted: Ann & Cal v. Bea & Dan" in gone.text
    assert not gone.all("a", href=match.path)


@pytest.mark.every_database
def test_home_restores_it(gone: Page) -> None:
    assert gone.tap("Restore").scores == {"s1": "0", "s2": "4"}


def test_a_watching_phone_is_refused(match: Page, other_phone: Phone) -> None:
    watching = other_phone.open(match.path)
    match.open("delete").send("/delete")

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
    match: Page, other_phone: Phone, link: str
) -> None:
    record(match, call="p4:3")
    shared = watching_path(match.open("share").send("/share"))
    path = let_in(match, other_phone).path if link == "a watching phone" else shared
    assert "Bea" in other_phone.open(path).text
    match.open("delete").send("/delete")

    gone = other_phone.open(path)

    assert "This match was deleted" in gone.text
    assert "Bea" not in gone.response.text
    for address in (*(f"{path}{page}" for page in PAGES), f"/print?match={gone.code}"):
        assert other_phone.open(address).response.headers["Location"] == path
    assert "Deleted" not in other_phone.open(f"/?gone={gone.code}").text

    match.open().send("/restore")
    assert "Bea" in other_phone.open(path).text


def test_a_scorer_still_sees_its_hands(match: Page, other_phone: Phone) -> None:
    theirs = let_in(match, other_phone, SCORER)
    match.open("delete").send("/delete")

    assert other_phone.open(theirs.path).tap("All hands").status == 200


def test_no_code_lets_anybody_in_until_it_is_restored(match: Page, other_phone: Phone) -> None:
    address = invited(match, WATCHER)
    match.open("delete").send("/delete")

    assert other_phone.open(address).status == 410
    match.open().send("/restore")
    assert "Bea" in other_phone.open(address).text
