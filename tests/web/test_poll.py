"""Polling by a watching phone: an empty answer while nothing changes, and all changed parts once something does."""

import gzip
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from flask import Flask, request_started
from flask.testing import FlaskClient

from scorekeeper.access import phones
from scorekeeper.web.respond import READ_HEADERS
from scorekeeper.web.security import HEADERS
from tests.common.guests import SCORER, WATCHER, change, let_in
from tests.common.phone import PART, Page, Phone
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


@contextmanager
def requests(app: Flask) -> Iterator[list[str]]:
    """Collect one entry for each request that reaches Flask."""
    received: list[str] = []

    def note(_app: Flask, **_known: object) -> None:
        received.append("request")

    with request_started.connected_to(note, app):
        yield received


@pytest.mark.every_database
@pytest.mark.parametrize("encoding", ["identity", "gzip"])
@pytest.mark.parametrize("role", [WATCHER, SCORER])
def test_what_is_new_is_sent_to_the_second_phone_without_asking_flask(
    app: Flask, match: Page, role: str, encoding: str
) -> None:
    record(match, call="p4:2")
    first, second = (let_in(match, Phone(app.test_client()), role) for _ in range(2))
    for guest in (first, second):
        guest.open()
        guest.phone.open(address(guest), part=True)
    record(match, call="p4:3")

    with requests(app) as received:
        sent = [
            found.phone.client.get(address(found), headers=PART | {"Accept-Encoding": encoding})
            for found in (first, second)
        ]

    assert received == ["request"]
    texts = [gzip.decompress(found.data).decode() if encoding == "gzip" else found.text for found in sent]
    own = [guest.code for guest in (first, second)]
    assert own[0] not in texts[1]
    assert own[1] not in texts[0]
    assert without_keys(texts[0]).replace(own[0], own[1]) == without_keys(texts[1])
    names = {"Date", "Content-Length"}
    kept = [{(name, value) for name, value in found.headers if name not in names} for found in sent]
    assert kept[0] == kept[1]


def without_keys(text: str) -> str:
    return re.sub(r'(name="(?:client_key|csrf_token)" value=")[^"]+', r"\1", text)


def test_a_poll_that_differs_from_the_cached_one_reaches_flask(app: Flask, match: Page, other_phone: Phone) -> None:
    watching = let_in(match, other_phone)
    poll, twin = address(watching), let_in(match, Phone(app.test_client()))
    record(match, call="p4:3")
    other_phone.open(poll, part=True)

    with requests(app) as received:
        for headers in ({"Accept-Language": "de-DE"}, {"HX-Boosted": "true"}, {"Host": "elsewhere.local"}):
            twin.phone.client.get(address(twin), headers=PART | headers)
        twin.phone.client.get(f"{address(twin)}&more=1", headers=PART)
        record(match, call="p1:3")
        twin.phone.open(address(twin), part=True)

    assert len(received) >= 5


def test_a_link_that_was_ended_is_sent_nothing_more(app: Flask, match: Page, other_phone: Phone) -> None:
    watching, twin = let_in(match, other_phone), let_in(match, Phone(app.test_client()))
    record(match, call="p4:3")
    twin.phone.open(address(twin), part=True)
    change(match, "end")

    assert other_phone.open(address(watching), part=True).response.headers["HX-Redirect"] == watching.path


def test_a_poll_has_the_headers_of_every_answer(match: Page, other_phone: Phone) -> None:
    page = other_phone.open(match.path)

    poll = other_phone.open(address(page), part=True).response

    assert {name: poll.headers[name] for name in HEADERS} == {name: page.response.headers[name] for name in HEADERS}
    assert set(READ_HEADERS) <= set(poll.vary)


def test_the_phone_that_polls_is_seen(match: Page, other_phone: Phone) -> None:
    page = other_phone.open(match.path)
    phones._last_seen.clear()

    other_phone.open(address(page), part=True)

    assert phones.is_any_here([match.code])


@pytest.mark.parametrize("query", ["", "v=", "v=x", "v=0&v=1", "role=%ff", "=&&;;="])
def test_a_poll_may_say_anything(match: Page, query: str) -> None:
    assert match.open(f"board?{query}", part=True).status in (200, 204)


def test_by_a_name_elsewhere_no_poll_is_answered(match: Page, client: FlaskClient) -> None:
    poll = f"{match.path}board?v=0"

    assert client.get(poll, headers={"Host": "evil.example"}).status_code == 421
    assert client.get(poll, headers={"Host": "pitch.lan"}).status_code == 204
