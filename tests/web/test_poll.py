"""Polling by a watching phone: an empty answer while nothing changes, and all changed parts once something does."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.access import phones
from scorekeeper.web.respond import HTMX_HEADERS
from scorekeeper.web.security import DEFAULT_HEADERS
from tests.common.guests import change, let_in
from tests.common.phone import Page, Phone
from tests.pages.conftest import record


def address(page: Page) -> str:
    return page.part("board").attrs["hx-get"]


@pytest.mark.every_database
def test_a_hand_updates_the_board_the_turn_the_hands_and_the_buttons(match: Page, other_phone: Phone) -> None:
    watching = other_phone.open(match.path)
    record(match, call="p4:3")

    part = other_phone.open(address(watching), part=True)

    assert part.scores == {"s1": "0", "s2": "4"}
    assert all(part.has(name) for name in ("board", "turn", "history", "bottom_bar"))
    assert not part.all("html")


def test_a_link_that_was_ended_is_sent_nothing_more(app: Flask, match: Page, other_phone: Phone) -> None:
    watching, twin = let_in(match, other_phone), let_in(match, Phone(app.test_client()))
    record(match, call="p4:3")
    twin.phone.open(address(twin), part=True)
    change(match, "end")

    assert other_phone.open(address(watching), part=True).response.headers["HX-Redirect"] == watching.path


def test_a_poll_has_the_headers_of_every_answer(match: Page, other_phone: Phone) -> None:
    page = other_phone.open(match.path)

    poll = other_phone.open(address(page), part=True).response

    assert {name: poll.headers[name] for name in DEFAULT_HEADERS} == {
        name: page.response.headers[name] for name in DEFAULT_HEADERS
    }
    assert set(HTMX_HEADERS) <= set(poll.vary)


def test_the_phone_that_polls_is_seen(match: Page, other_phone: Phone) -> None:
    page = other_phone.open(match.path)
    phones._last_seen_by_code.clear()

    other_phone.open(address(page), part=True)

    assert phones.is_any_phone_here([match.code])


@pytest.mark.parametrize("query", ["", "v=", "v=x", "v=0&v=1", "role=%ff", "=&&;;="])
def test_a_poll_may_say_anything(match: Page, query: str) -> None:
    assert match.open(f"board?{query}", part=True).status in (200, 204)


def test_by_a_name_elsewhere_no_poll_is_answered(match: Page, client: FlaskClient) -> None:
    poll = f"{match.path}board?v=0"

    assert client.get(poll, headers={"Host": "evil.example"}).status_code == 421
    assert client.get(poll, headers={"Host": "pitch.lan"}).status_code == 204
