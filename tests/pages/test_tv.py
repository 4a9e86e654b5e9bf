"""The TV page: all that is needed to follow a match, without buttons and forms."""

from tests.common.phone import Page, Phone
from tests.pages.conftest import record


def test_the_tv_shows_a_new_hand(match: Page, other_phone: Phone) -> None:
    page = other_phone.open(f"{match.path}tv")
    record(match, call="p4:3")

    part = other_phone.open(page.part("board").attrs["hx-get"], part=True)

    assert part.scores == {"s1": "0", "s2": "4"}
    assert part.part("announcement").text == "Hand 1: Dan bid 3, made. Ann & Cal 0, Bea & Dan 4."
    assert other_phone.open(part.part("board").attrs["hx-get"], part=True).status == 204


def test_a_deleted_match_is_no_longer_on_the_tv(match: Page) -> None:
    match.open("delete").send("/delete")

    page = match.open("tv/board?v=0", part=True)

    assert page.response.headers["HX-Redirect"] == match.path
