"""A phone that watches: told nothing while nothing changes, and everything when it does."""

import pytest

from tests.web.conftest import record
from tests.web.phone import Page, Phone


def address(page: Page) -> str:
    return page.part("board").attrs["hx-get"]


@pytest.mark.every_database
def test_nothing_is_sent_while_nothing_changes(match: Page, other_phone: Phone) -> None:
    watching = other_phone.open(match.path)

    answer = other_phone.open(address(watching), part=True).response

    assert (answer.status_code, answer.data) == (204, b"")


@pytest.mark.every_database
def test_a_hand_updates_the_board_the_turn_the_hands_and_the_buttons(match: Page, other_phone: Phone) -> None:
    watching = other_phone.open(match.path)
    record(match, call="p4:3")

    part = other_phone.open(address(watching), part=True)

    assert part.scores == {"s1": "0", "s2": "4"}
    assert all(part.has(name) for name in ("board", "turn", "history", "bottom_bar"))
    assert not part.root.all("html")


def test_what_is_sent_is_what_the_page_shows(match: Page, other_phone: Phone) -> None:
    watching = other_phone.open(match.path)
    record(match, call="p4:3")

    part, whole = other_phone.open(address(watching), part=True), other_phone.open(match.path)

    assert [part.part(name).text for name in ("board", "turn", "history", "bottom_bar")] == [
        whole.part(name).text for name in ("board", "turn", "history", "bottom_bar")
    ]
    assert address(part) == address(whole)


def test_a_polled_part_polls_on_from_its_version(match: Page, other_phone: Phone) -> None:
    watching = other_phone.open(match.path)
    record(match, call="p4:3")

    part = other_phone.open(address(watching), part=True)

    assert other_phone.open(address(part), part=True).status == 204


def test_a_match_that_there_is_not_is_not_watched(phone: Phone) -> None:
    assert phone.open("/matches/nosuch/board?v=0", part=True).status == 404
