"""Matches as files: taken away, brought back, and refused whole where one has a fault."""

import json
import re
from collections.abc import Callable, Iterator
from io import BytesIO

import pytest
from flask import Flask

from scorekeeper.config import LARGEST_BODY
from tests.common.importing import another_import
from tests.common.phone import Page, Phone, tap_together
from tests.pages.conftest import Begin, record


@pytest.fixture
def played(match: Page) -> Page:
    """Play a hand."""
    return record(match, call="p4:3", trump="spades", took_low="s1")


@pytest.mark.every_database
def test_a_file_imports_the_match_on_another_phone(played: Page, other_phone: Phone) -> None:
    file = played.open("record.json").response.data

    match = other_phone.upload(other_phone.open("/transfer"), "/transfer", "a.json", file)

    assert match.scores == played.scores
    assert match.rows == played.rows
    assert match.path != played.path
    assert other_phone.open("/").all("a", href=match.path)


@pytest.mark.usefixtures("played")
def test_every_match_of_a_phone_is_one_file(begin: Begin, phone: Phone, other_phone: Phone) -> None:
    begin("cutthroat-pitch")
    both = phone.open("/transfer/matches.json").response.data
    assert len(both.splitlines()) == 2

    page = other_phone.upload(other_phone.open("/transfer"), "/transfer", "a.jsonl", both)

    assert page.path == "/transfer"
    assert "2 matches imported." in page.text
    listed = {link.attrs["href"] for link in other_phone.open("/").all("a") if "/matches/" in link.attrs["href"]}
    assert len(listed) == 2


@pytest.mark.every_database
def test_two_taps_on_import_are_answered_alike_and_import_once(played: Page, other_phone: Phone) -> None:
    file = played.open("record.json").response.data.replace(b"\n", b" ") + b"\n"
    form = other_phone.open("/transfer").form("/transfer")

    answers = tap_together(other_phone, form.action, lambda: {**form.fields, "record": (BytesIO(9 * file), "a.jsonl")})

    assert answers == [("303 SEE OTHER", "/transfer?taken=9")] * 2
    assert len(other_phone.open("/transfer/matches.json").response.data.splitlines()) == 9


@pytest.mark.every_database
def test_matches_that_are_here_already_are_asked_about(played: Page, phone: Phone) -> None:
    mine = phone.open("/transfer/matches.json").response.data
    told = json.loads(mine)
    told["hands"][0]["note"] = "another hand"
    both = mine + json.dumps(told).encode()

    asked = phone.upload(phone.open("/transfer"), "/transfer", "a.jsonl", both)
    assert "1 of the 2 matches in this file is here already." in asked.text
    assert len(phone.open("/transfer/matches.json").response.data.splitlines()) == 1
    asked.send("/transfer/again", {"known": "skip"}, press="Import the other 1")
    assert len(phone.open("/transfer/matches.json").response.data.splitlines()) == 2

    asked = phone.upload(phone.open("/transfer"), "/transfer", "a.jsonl", both)
    assert "All 2 matches in this file are here already." in asked.text
    done = asked.send("/transfer/again", press="Import everything again")
    assert "2 matches imported." in done.text
    assert len(phone.open("/transfer/matches.json").response.data.splitlines()) == 4
    again = asked.send("/transfer/again", press="Import everything again")
    assert "2 matches imported." in again.text
    assert len(phone.open("/transfer/matches.json").response.data.splitlines()) == 4
    late = asked.send("/transfer/again", {"digest": "x", "client_key": "another"}, press="Import everything again")
    assert "is not kept any more. Choose it again." in late.faults


def impossible(file: bytes) -> bytes:
    told = json.loads(file)
    told["hands"][0]["taken"]["high"] = None
    return json.dumps(told).encode()


BAD_FILES: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda file: b"",
    "no JSON": lambda file: b"{",
    "no record": lambda file: b'{"a": 1}',
    "no text": lambda file: bytes(range(256)),
    "a picture": lambda file: b"\x89PNG\r\n\x1a\n",
    "words": lambda file: b"Ann 21\nBea 18\n",
    "more after it": lambda file: file + b"}",
    "a hand that cannot be": impossible,
    "a good one before a bad one": lambda file: json.dumps(json.loads(file)).encode() + b"\n{}\n",
    "too deep": lambda file: b"[" * 50_000,
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_with_a_fault_is_refused_whole(played: Page, other_phone: Phone, name: str) -> None:
    file = played.open("record.json").response.data

    page = other_phone.upload(other_phone.open("/transfer"), "/transfer", "a.json", BAD_FILES[name](file))

    assert page.status == 422
    assert page.one(class_="bad").all("li")
    assert not re.search(r"codec|0x|Expecting|Extra data|char \d", page.faults)
    assert not other_phone.open("/").all("a", href=played.path)
    assert "On this phone" not in other_phone.open("/").text


def test_a_fault_is_shown_with_its_place(played: Page, phone: Phone) -> None:
    file = impossible(played.open("record.json").response.data)

    page = phone.upload(phone.open("/transfer"), "/transfer", "cabin.json", file)

    assert "cabin.json was not imported: one error" in page.faults
    assert "hand 1, taken.high" in page.faults


def test_a_file_that_is_too_large_is_refused(phone: Phone) -> None:
    kind = "multipart/form-data; boundary=x"

    page = Page(phone.client.post("/transfer", data=b" " * (LARGEST_BODY + 1), content_type=kind), phone)

    assert page.status == 413
    assert "more than Scorekeeper can take" in page.faults


def test_a_name_of_a_file_is_only_text(phone: Phone) -> None:
    page = phone.upload(phone.open("/transfer"), "/transfer", "<img src=x>.json", b"{")

    assert not page.all("img")
    assert "<img src=x>.json" in page.faults


@pytest.fixture
def running(app: Flask) -> Iterator[None]:
    """Let another import run meanwhile."""
    with another_import(app):
        yield


@pytest.mark.usefixtures("running")
def test_a_file_that_comes_while_another_is_imported_waits(played: Page, phone: Phone) -> None:
    file = played.open("record.json").response.data
    form = phone.open("/transfer").form("/transfer")

    page = phone.upload(phone.open("/transfer"), "/transfer", "cabin.json", file)

    assert page.status == 503
    assert page.response.retry_after
    assert "cabin.json was not imported yet" in page.faults
    assert "Another import is running. Wait a minute, then try again." in page.faults
    assert form.fields["client_key"] != page.form("/transfer").fields["client_key"]


def test_a_file_that_had_to_wait_keeps_the_key_of_its_form(played: Page, phone: Phone, app: Flask) -> None:
    file = played.open("record.json").response.data
    page = phone.open("/transfer")
    with another_import(app):
        waits = phone.upload(page, "/transfer", "a.json", file)

    first = phone.upload(page, "/transfer", "a.json", file)
    again = phone.upload(waits, "/transfer", "a.json", file)

    assert first.path == again.path != played.path


@pytest.mark.every_database
def test_a_year_of_matches_comes_back_in_one_file(database_url: str, phone: Phone) -> None:
    hand = {"bidder": "Us", "bid": 3, "taken": {"high": "Us", "low": "Them", "jack": "Us", "game": "Us"}}
    sides = [{"name": "Us"}, {"name": "Them"}]
    match = {"format": "pitch-record/1", "variant": "partnership-pitch", "sides": sides, "hands": [hand] * 7}
    file = b"\n".join(json.dumps({**match, "title": f"Evening {number}"}).encode() for number in range(156))

    page = phone.upload(phone.open("/transfer"), "/transfer", "a.jsonl", file)

    assert "156 matches imported." in page.text
    assert len(phone.open("/transfer/matches.json").response.data.splitlines()) == 156
