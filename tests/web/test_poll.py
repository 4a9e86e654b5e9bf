"""A phone that watches: told nothing while nothing changes, and everything when it does."""

from pathlib import Path

import pytest
from flask import Flask, request_started

from scorekeeper.app import create_app
from scorekeeper.extensions import db, migrate
from scorekeeper.services import phones
from scorekeeper.services.start_match import start_match
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.respond import READ_HEADERS
from scorekeeper.web.shared.security import HEADERS
from tests.apps import close
from tests.web.conftest import record
from tests.web.guests import change, let_in
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


@pytest.mark.every_database
def test_a_poll_that_finds_nothing_does_not_reach_flask(app: Flask, match: Page, other_phone: Phone) -> None:
    watching = other_phone.open(match.path)
    other_phone.open(address(watching), part=True)  # on PostgreSQL one in a minute is stored
    asked: list[str] = []

    def note(_app: Flask, **_known: object) -> None:
        asked.append("page")

    with request_started.connected_to(note, app):
        answer = other_phone.open(address(watching), part=True).response
        assert (answer.status_code, asked) == (204, [])
        other_phone.open(match.path)
    assert asked == ["page"]


def test_it_has_the_headers_of_every_answer(match: Page, other_phone: Phone) -> None:
    page = other_phone.open(match.path)

    poll = other_phone.open(address(page), part=True).response

    assert {name: poll.headers[name] for name in HEADERS} == {name: page.response.headers[name] for name in HEADERS}
    assert set(READ_HEADERS) <= set(poll.vary)


def test_the_phone_that_polls_is_seen(match: Page, other_phone: Phone) -> None:
    page = other_phone.open(match.path)
    phones._last_seen.clear()

    other_phone.open(address(page), part=True)

    assert list(phones._last_seen) == [match.path.split("/")[2]]


def test_a_poll_says_when_the_link_was_removed(match: Page, other_phone: Phone) -> None:
    guest = let_in(match, other_phone)
    change(match, "end")

    assert other_phone.open(address(guest), part=True).response.headers["HX-Redirect"] == guest.path


def test_a_poll_finds_another_role(match: Page, other_phone: Phone) -> None:
    guest = let_in(match, other_phone)
    change(match, "scorer")

    assert other_phone.open(address(guest), part=True).offers("Record hand")


@pytest.mark.parametrize("query", ["", "v=", "v=x", "v=0&v=1", "role=%ff", "=&&;;="])
def test_a_poll_may_say_anything(match: Page, query: str) -> None:
    assert match.phone.open(f"{match.path}board?{query}", part=True).status in (200, 204)


def test_at_another_address_no_poll_is_answered(tmp_path: Path) -> None:
    settings = {"SCOREKEEPER_INSTANCE": tmp_path, "SCOREKEEPER_PUBLIC_URL": "https://pitch.example"}
    app = create_app({**settings, "TESTING": True})
    migrate(app)
    with app.app_context():
        match = start_match(
            db.session, library(), variant="partnership-pitch", client_key="a", players=["Ann", "Bea", "Cal", "Dan"]
        )
    client, poll = app.test_client(), f"/matches/{match.code}/board?v=0&role=owner"

    here, there = (client.get(poll, headers={"Host": host}) for host in ("pitch.example", "other.example"))

    assert (here.status_code, there.status_code) == (204, 421)
    assert "Strict-Transport-Security" in here.headers
    close(app)
