"""The TV page: all that is needed to follow a match, without buttons and forms."""

from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record


def screen(match: Page) -> Page:
    """Open the TV page of a match from its menu."""
    return match.tap("Menu").tap("Show on TV").tap("Open on this device")


def test_the_tv_shows_scores_dealer_needs_and_hands(match: Page) -> None:
    record(match, call="p4:3", trump="hearts", took_low="s1")

    page = screen(match)

    assert page.scores == {"s1": "1", "s2": "3"}
    assert "needs 20" in page.part("board").text
    assert "Bea deals hand 2. Cal bids first." in page.part("board").text
    assert "Dan 3" in page.part("board").one("tbody").text


def test_the_tv_says_who_won_and_why(begin: Begin) -> None:
    match = begin(house_target="7")
    record(match, call="p4:4")
    record(match, call="p2:4")

    page = screen(match)

    assert "Bea & Dan win" in page.text
    assert "Bea & Dan bid 4, made it and have 8." in page.text


def test_it_has_no_buttons_and_no_forms(match: Page) -> None:
    page = screen(match)

    assert not page.all("button")
    assert not page.all("form")


def test_the_tv_shows_a_new_hand(match: Page, other_phone: Phone) -> None:
    page = other_phone.open(f"{match.path}tv")
    record(match, call="p4:3")

    part = other_phone.open(page.part("board").attrs["hx-get"], part=True)

    assert part.scores == {"s1": "0", "s2": "4"}
    assert part.part("announcement").text == "Hand 1: Dan bid 3, made. Ann & Cal 0, Bea & Dan 4."
    assert other_phone.open(part.part("board").attrs["hx-get"], part=True).status == 204


def test_without_scripts_it_looks_again_by_itself(match: Page) -> None:
    text = screen(match).response.text

    assert '<noscript><meta http-equiv="refresh" content="8"></noscript>' in text


def test_a_deleted_match_is_no_longer_on_the_tv(match: Page) -> None:
    match.open("delete").send("/delete")

    page = match.open("tv/board?v=0", part=True)

    assert page.response.headers["HX-Redirect"] == match.path
