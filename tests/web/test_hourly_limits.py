"""Hourly limits for a network: over a limit a page shows how long to wait, and keeps what was entered."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.eventlog.cache import clear_all_caches
from scorekeeper.printing import pdf, print_service
from scorekeeper.printing.fitting import PrintedSheet
from tests.browser.playing import begin_match
from tests.common.nights import begin_night, seat_by_hand
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin

GAME = "partnership-pitch"
SHEET = f"/print/sheet.pdf?rules={GAME}"
HERE, NEIGHBOR, ELSEWHERE = "203.0.113.7", "203.0.113.8", "198.51.100.7"


def connect_from(address: str, phone: Phone) -> None:
    phone.client.environ_base["REMOTE_ADDR"] = address


def started(phone: Phone, address: str = HERE) -> Page:
    """Begin a match from a network address."""
    connect_from(address, phone)
    return begin_match(phone)


def time_passes(app: Flask) -> None:
    with app.app_context():
        then = (datetime.now(UTC) - timedelta(minutes=61)).replace(tzinfo=None)
        db.session.execute(sa.text("UPDATE import_run SET started_at = :then"), {"then": then})
        db.session.commit()


@pytest.mark.every_database
def test_a_network_begins_so_many_matches_an_hour(app: Flask, phone: Phone) -> None:
    app.config["MATCHES_AN_HOUR"] = 2
    assert [started(phone).status, started(phone, NEIGHBOR).status] == [200, 200]

    refused = started(phone)

    wait = (refused.response.retry_after or datetime.now(UTC)) - datetime.now(UTC)
    assert (refused.status, round(wait / timedelta(minutes=5))) == (429, 12)
    assert "This network began 2 matches within an hour, which is the most. Try again in 60 minutes." in refused.text
    assert started(phone, ELSEWHERE).status == 200


def test_what_was_typed_is_sent_again_when_the_hour_is_over(app: Flask, phone: Phone) -> None:
    app.config["MATCHES_AN_HOUR"] = 1
    phone.client.environ_base["HTTP_ORIGIN"] = "http://localhost"
    started(phone)
    refused = started(phone)
    assert "Everything you entered is still here" in refused.text

    time_passes(app)

    assert "Ann & Cal" in refused.send(GAME, press="Send it again").text


def test_nobody_finds_the_network_in_the_database_without_the_secret_key(app: Flask, phone: Phone) -> None:
    app.config["MATCHES_AN_HOUR"] = 1
    started(phone)

    app.config["SECRET_KEY"] = "another, as whoever has only the database would try"

    assert started(phone).status == 200


def test_without_the_setting_nothing_is_counted(app: Flask, phone: Phone) -> None:
    assert {started(phone).status for _ in range(3)} == {200}
    with app.app_context():
        assert db.session.execute(sa.text("SELECT count(*) FROM import_run")).scalar_one() == 0


def test_a_form_that_is_not_complete_is_not_counted(app: Flask, phone: Phone) -> None:
    app.config["MATCHES_AN_HOUR"] = 1
    connect_from(HERE, phone)
    assert begin_match(phone, seat_0="Ann", seat_1="Ann").status == 422

    assert started(phone).status == 200


@pytest.mark.club
def test_a_match_at_a_table_of_a_night_counts(app: Flask, phone: Phone) -> None:
    app.config["MATCHES_AN_HOUR"] = 1
    connect_from(HERE, phone)
    night = seat_by_hand(begin_night(phone, "Ann & Bea", "Cal & Dan", variant=GAME))
    started(phone)

    refused = night.send("/tables/1/match")

    assert refused.status == 429


@pytest.mark.club
def test_the_next_match_of_a_money_night_counts(app: Flask, phone: Phone, begin: Begin) -> None:
    app.config["MATCHES_AN_HOUR"] = 1
    connect_from(HERE, phone)
    match = begin("racehorse")
    form = match.tap("Somebody joins or leaves").form("/money/players")
    eve_for_dan = {**form.fields, "stays": ["p1", "p2", "p3"], "joins-1": "Eve"}

    refused = phone.post(form.action, eve_for_dan)

    assert refused.status == 429
    assert "Try again in 60 minutes." in refused.text
    assert match.open().offers("Record hand")
    time_passes(app)
    assert phone.post(form.action, eve_for_dan).offers("Record hand")
    assert started(phone).status == 429


@pytest.fixture
def _printer(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Replace the renderer by one that returns an empty page at once."""
    sheet = PrintedSheet(b"%PDF-", 1, "", "")
    monkeypatch.setattr(pdf, "is_available", lambda: True)
    monkeypatch.setattr(print_service.process, "run", lambda *_: sheet)
    monkeypatch.setattr(print_service._drawing_executor, "submit", lambda *_: None)
    clear_all_caches()
    monkeypatch.setattr(print_service, "_waiting_images", set())
    yield
    clear_all_caches()


@pytest.mark.usefixtures("_printer")
def test_a_network_prints_so_many_sheets_an_hour(app: Flask, phone: Phone) -> None:
    app.config["PRINTS_AN_HOUR"] = 2
    connect_from(HERE, phone)
    paths = [f"{SHEET}&ink={ink}" for ink in ("colour", "black")]
    assert [phone.open(path).status for path in paths * 2] == [200] * 4  # what was made is sent again

    refused = phone.open(f"{SHEET}&paper=a4")

    assert refused.status == 429
    assert "This network printed 2 sheets within an hour" in refused.text
    assert phone.open(paths[0]).status == 200


def test_a_network_imports_as_many_files_as_the_setting_says(app: Flask, phone: Phone) -> None:
    app.config["IMPORTS_AN_HOUR"] = 1
    file = phone.open(f"{started(phone).path}record.json").response.data
    phone.upload(phone.open("/transfer"), "/transfer", "a.json", file)

    page = phone.upload(phone.open("/transfer"), "/transfer", "a.json", file)

    assert page.status == 429
    assert "sent 1 file within an hour" in page.faults
