"""A misdeal gets no hand number, wherever hands are numbered."""

import pytest
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.matches.service import load_match
from scorekeeper.pages.prints.views import match_score_sheet
from scorekeeper.pitch.text.phrases import AMERICAN
from tests.common.phone import Page, Phone
from tests.pages.conftest import record


@pytest.fixture
def redealt(match: Page) -> Page:
    """Record a hand, a misdeal, and two hands more."""
    first = record(match, call="p1:2")
    again = first.tap("Record hand").send("/hands/new", press="Misdeal")
    assert "Bea deals hand 2." in again.text
    entry = again.tap("Record hand")
    assert entry.one("h1").text.startswith("Hand 2")
    return record(record(again, call="p2:4"), call="p3:2", took_low="s2")


def test_the_hand_after_a_misdeal_has_its_number(redealt: Page, phone: Phone) -> None:
    assert [row.split()[:2] for row in redealt.rows] == [["3", "Cal"], ["2", "Bea"], ["Misdeal", "Bea"], ["1", "Ann"]]
    assert "Hand 3 is saved." in redealt.text
    assert "Dan deals hand 4." in redealt.text
    history = redealt.open("history")
    assert [element.text for element in history.all("span", class_="no")] == ["3", "2", "", "1"]
    assert "Hand 4" in phone.open("/").text


def test_the_change_log_and_a_correction_call_it_by_the_same_number(redealt: Page) -> None:
    log = redealt.open("history/journal").text
    assert [log.count(f"recorded hand {number}") for number in (1, 2, 3, 4)] == [1, 2, 1, 0]

    entry = redealt.open("hands/4")
    assert entry.one("h1").text.startswith("Correct hand 3")

    corrected = entry.send("/hands/4", {"took-jack": "s2"}, press="Save")
    assert "Hand 3 is corrected." in corrected.text
    assert "Delete hand 3?" in redealt.open("history/4/remove").text


def test_chart_and_paper_agree(redealt: Page, app: Flask) -> None:
    assert "After 3 hands" in redealt.part("chart").text
    with app.test_request_context():
        sheet = match_score_sheet(load_match(db.session, redealt.code), AMERICAN)

    assert [row.number for row in sheet.hands] == ["1", "–", "2", "3"]
    assert sheet.chart
    assert [tick.label for tick in sheet.chart.hands] == ["1", "2", "3"]
