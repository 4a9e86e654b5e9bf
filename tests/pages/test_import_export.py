"""Matches as files: exported, imported, and refused whole where one has a fault."""

from io import BytesIO

import pytest
from flask import Flask

from tests.common.importing import another_import, brought_in
from tests.common.phone import Page, Phone, tap_together
from tests.pages.conftest import Begin, record


@pytest.fixture
def played(match: Page) -> Page:
    """Play a hand."""
    return record(match, call="p4:3", trump="spades", took_low="s1")


@pytest.mark.every_database
def test_a_file_imports_the_match_on_another_phone(played: Page, other_phone: Phone) -> None:
    match = brought_in(other_phone, played.record)

    assert match.scores == played.scores
    assert match.rows == played.rows
    assert match.path != played.path
    assert other_phone.open("/").all("a", href=match.path)


def test_a_hand_of_a_file_that_waits_for_its_cards_is_the_one_to_enter(played: Page, other_phone: Phone) -> None:
    record = played.record
    record["hands"].append({"bidder": "Ann", "bid": 2})

    match = brought_in(other_phone, record)

    assert "Bea deals hand 2." in match.part("turn").text
    assert "Correct hand 2" in match.tap("Enter the cards").text
    assert "Hand 2" in other_phone.open("/").text


def kept(phone: Phone) -> int:
    """Return how many matches the export of a phone has."""
    return len(phone.open("/transfer/matches.json").response.data.splitlines())


@pytest.mark.usefixtures("played")
def test_every_match_of_a_phone_is_one_file(begin: Begin, phone: Phone, other_phone: Phone) -> None:
    begin("cutthroat-pitch")
    both = phone.open("/transfer/matches.json").response.data
    assert len(both.splitlines()) == 2

    page = other_phone.upload(other_phone.open("/transfer"), "/transfer", "a.jsonl", both)

    assert page.path == "/transfer"
    assert "2 matches imported." in page.text
    assert kept(other_phone) == 2


@pytest.mark.every_database
def test_two_taps_on_import_are_answered_alike_and_import_once(played: Page, other_phone: Phone) -> None:
    file = played.open("record.json").response.data.replace(b"\n", b" ") + b"\n"
    form = other_phone.open("/transfer").form("/transfer")

    answers = tap_together(other_phone, form.action, lambda: {**form.fields, "record": (BytesIO(9 * file), "a.jsonl")})

    assert answers == [("303 SEE OTHER", "/transfer?taken=9")] * 2
    assert kept(other_phone) == 9


@pytest.mark.every_database
def test_matches_that_are_here_already_are_asked_about(played: Page, phone: Phone) -> None:
    another = played.record
    another["hands"][0]["note"] = "another hand"
    both = played.record, another

    question = brought_in(phone, *both)
    assert "1 of the 2 matches in this file is here already." in question.text
    assert kept(phone) == 1
    question.send("/transfer/again", {"known": "skip"}, press="Import the other 1")
    assert kept(phone) == 2

    question = brought_in(phone, *both)
    assert "All 2 matches in this file are here already." in question.text
    for _ in range(2):
        done = question.send("/transfer/again", press="Import everything again")
        assert "2 matches imported." in done.text
        assert kept(phone) == 4
    late = question.send("/transfer/again", {"digest": "x", "client_key": "another"}, press="Import everything again")
    assert "is not kept any more. Choose it again." in late.faults


def test_a_file_with_a_fault_is_refused_whole_with_its_place(played: Page, other_phone: Phone) -> None:
    impossible = played.record
    impossible["hands"][0]["taken"]["high"] = None

    page = brought_in(other_phone, impossible, played.record)

    assert page.status == 422
    assert "On this phone" not in other_phone.open("/").text
    assert "thursday.json was not imported: one error" in page.faults
    assert "match 1, hand 1, taken.high" in page.faults
    assert "match 1" not in brought_in(other_phone, impossible).faults


def test_a_name_of_a_file_is_only_text(phone: Phone) -> None:
    page = phone.upload(phone.open("/transfer"), "/transfer", "<img src=x>.json", b"{")

    assert not page.all("img")
    assert "<img src=x>.json" in page.faults


def test_a_file_that_comes_while_another_is_imported_waits(played: Page, phone: Phone, app: Flask) -> None:
    with another_import(app):
        page = brought_in(phone, played.record)

    assert page.status == 503
    assert page.response.retry_after
    assert "thursday.json was not imported yet" in page.faults
    assert "Another import is running. Wait a minute, then try again." in page.faults


def test_a_file_that_had_to_wait_keeps_the_key_of_its_form(played: Page, phone: Phone, app: Flask) -> None:
    file = played.open("record.json").response.data
    page = phone.open("/transfer")
    with another_import(app):
        waits = phone.upload(page, "/transfer", "a.json", file)

    first = phone.upload(page, "/transfer", "a.json", file)
    again = phone.upload(waits, "/transfer", "a.json", file)

    assert first.path == again.path != played.path
