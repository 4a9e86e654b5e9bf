"""Matches as files: taken away, brought back, and refused whole where one has a fault."""

import json
from collections.abc import Callable

import pytest

from scorekeeper.config import LARGEST_BODY
from tests.web.conftest import Begin, record
from tests.web.phone import Page, Phone


@pytest.fixture
def played(match: Page) -> Page:
    """Play a hand."""
    return record(match, call="p4:3", trump="spades", took_low="s1")


def test_a_match_is_a_file_that_says_what_is_in_it(played: Page, phone: Phone) -> None:
    answer = phone.open(f"{played.path}record.json").response

    assert json.loads(answer.text)["format"] == "pitch-record/1"
    assert answer.headers["Content-Disposition"] == "attachment; filename=Ann-Cal-v-Bea-Dan.json"


@pytest.mark.every_database
def test_a_file_imports_the_match_on_another_phone(played: Page, phone: Phone, other_phone: Phone) -> None:
    file = phone.open(f"{played.path}record.json").response.data

    match = other_phone.upload(other_phone.open("/transfer"), "/transfer", "a.json", file)

    assert match.scores == played.scores
    assert match.rows == played.rows
    assert match.path != played.path
    assert other_phone.open("/").root.all("a", href=match.path)


@pytest.mark.usefixtures("played")
def test_every_match_of_a_phone_is_one_file(begin: Begin, phone: Phone, other_phone: Phone) -> None:
    begin("cutthroat-pitch")
    both = phone.open("/transfer/matches.json").response.data
    assert len(both.splitlines()) == 2

    page = other_phone.upload(other_phone.open("/transfer"), "/transfer", "a.jsonl", both)

    assert page.path == "/transfer"
    assert "2 matches imported." in page.text
    listed = {it.attrs["href"] for it in other_phone.open("/").root.all("a") if "/matches/" in it.attrs["href"]}
    assert len(listed) == 2


def test_a_file_sent_twice_is_imported_once(played: Page, phone: Phone) -> None:
    file = phone.open(f"{played.path}record.json").response.data
    page = phone.open("/transfer")

    first, second = (phone.upload(page, "/transfer", "a.json", file) for _ in range(2))

    assert first.path == second.path


def impossible(file: bytes) -> bytes:
    told = json.loads(file)
    told["hands"][0]["taken"]["high"] = None
    return json.dumps(told).encode()


BAD_FILES: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda file: b"",
    "no JSON": lambda file: b"{",
    "no record": lambda file: b'{"a": 1}',
    "no text": lambda file: bytes(range(256)),
    "a hand that cannot be": impossible,
    "a good one before a bad one": lambda file: json.dumps(json.loads(file)).encode() + b"\n{}\n",
    "too deep": lambda file: b"[" * 50_000,
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_with_a_fault_is_refused_whole(played: Page, phone: Phone, other_phone: Phone, name: str) -> None:
    file = phone.open(f"{played.path}record.json").response.data

    page = other_phone.upload(other_phone.open("/transfer"), "/transfer", "a.json", BAD_FILES[name](file))

    assert page.status == 422
    assert page.root.one(class_="bad").all("li")
    assert not other_phone.open("/").root.all("a", href=played.path)
    assert "On this phone" not in other_phone.open("/").text


def test_a_fault_is_shown_with_its_place(played: Page, phone: Phone) -> None:
    file = impossible(phone.open(f"{played.path}record.json").response.data)

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

    assert not page.root.all("img")
    assert "<img src=x>.json" in page.faults
