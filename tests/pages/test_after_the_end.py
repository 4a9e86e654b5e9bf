"""A match that is over accepts no hand: every page shows the winner and how to go on, and keeps what was entered."""

import pytest
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.matches.service import load_match
from tests.common.calling import finish, hand_fields, preview_part, took
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record


@pytest.fixture
def nearly(begin: Begin) -> Page:
    """Play to 7, of which one side has 4."""
    return record(begin(house_target="7"), call="p1:4")


def end(match: Page, phone: Phone) -> None:
    """Record the hand that wins, on another phone."""
    record(phone.open(match.path), call="p1:4")


def shows_match_over(page: Page) -> bool:
    """Return whether a page shows that the match is over, who won, and what can be done."""
    shows_winner = "This match is over" in page.faults and "Ann & Cal win, 8 to 0" in page.text
    return shows_winner and page.offers("Correct a hand") and page.offers("Play again")


def test_a_second_last_hand_is_compared_and_not_added(nearly: Page, other_phone: Phone) -> None:
    entry = nearly.tap("Record hand").send("/hands/new", {"call": "p2:3"})
    end(nearly, other_phone)

    conflict = finish(entry)

    assert conflict.status == 409
    assert "This match is over. Ann & Cal win, 8 to 0." in conflict.text
    assert not conflict.offers("Add mine as hand 3")
    assert conflict.offers("Play again")
    assert conflict.tap("Use this one").rows[0].startswith("2 Bea 3 made")


def test_an_open_form_says_so_while_it_is_filled_in(nearly: Page, other_phone: Phone) -> None:
    entry = nearly.tap("Record hand")
    end(nearly, other_phone)

    part = preview_part(entry, call="p2:3")

    assert shows_match_over(part)
    assert part.part("main-button").text == "This match is over"


def test_a_forgotten_hand_is_still_inserted_and_the_history_says_what_came_after_the_end(
    nearly: Page, other_phone: Phone
) -> None:
    end(nearly, other_phone)

    finish(nearly.open("hands/new?before=1").send("/hands/new", {"call": "p1:4"}))

    hands = [hand.text for hand in nearly.open("history").all("details", class_="hand")]
    assert ["after the end" in hand for hand in hands] == [True, False, False]
    assert shows_match_over(nearly.open("hands/new?before=2"))


def test_a_hand_after_the_end_may_be_entered_again_by_cards(nearly: Page) -> None:
    for query in ("by=counts", "before=1"):
        entry = nearly.open(f"hands/new?{query}")
        entry.send("/hands/new", {"call": "p1:4", "count-s1": "4", "count-s2": "0"}, press="do=save")

    again = nearly.open("hands/2?by=cards")
    match = finish(again)

    assert again.part("main-button").text == "4 left: who took High, Low, Jack, …?"
    assert match.open("history").all("details", class_="hand")[0].text.startswith("3 Ann 4 after the end")


def test_a_rule_editor_that_is_open_says_so_at_the_next_tap(nearly: Page, other_phone: Phone) -> None:
    form = nearly.open("rules/change").form("/rules/change")
    end(nearly, other_phone)

    part = nearly.phone.post(form.action, {**form.fields, "rule-target": "15"}, part=True)

    assert part.response.headers["HX-Retarget"] == "#trouble"
    assert shows_match_over(part)


ENDS = pytest.mark.parametrize(("end", "press"), [("stop", "Resume and save"), ("delete", "Restore and save")])
"""How another phone may end a match, and the button that resumes it."""


def entered_meanwhile(match: Page, other_phone: Phone, *ends: str, **answers: str) -> Page:
    """Enter a hand while another phone stops or deletes the match, and return the page that refuses it."""
    fields = {"call": "p2:3", **took("s2"), **hand_fields(answers)}
    form = match.open().tap("Record hand").form("/hands/new")
    for end in ends:
        other_phone.open(f"{match.path}{end}").send(f"/{end}")
    return match.phone.post(form.action, form.filled(fields, press="do=save"))


def status(app: Flask, match: Page) -> tuple[bool, bool, int]:
    """Return whether a match is stopped, whether it is deleted, and how many hands it has."""
    with app.app_context():
        log = load_match(db.session, match.code).log
    return log.is_stopped, log.is_deleted, len(log.hands)


@pytest.mark.every_database
@ENDS
def test_a_hand_that_comes_again_after_the_match_was_ended_again_leaves_it_ended(
    app: Flask, match: Page, other_phone: Phone, end: str, press: str
) -> None:
    refused = entered_meanwhile(match, other_phone, end)
    form = refused.form("/hands/new")
    fields = form.filled({}, press)

    first = match.phone.post(form.action, fields, follow=False).response
    other_phone.open(f"{match.path}{end}").send(f"/{end}")
    ended = status(app, match)
    again = match.phone.post(form.action, fields, follow=False).response

    assert f"{press.split()[0]} it first." in refused.faults
    assert (again.status_code, again.location) == (first.status_code, first.location)
    assert status(app, match) == ended == (end == "stop", end == "delete", 1)


@pytest.mark.every_database
@ENDS
def test_a_hand_that_is_refused_leaves_the_match_as_it_was(
    app: Flask, match: Page, other_phone: Phone, end: str, press: str
) -> None:
    refused = entered_meanwhile(match, other_phone, end, penalty_s1="x").send("/hands/new", press=press)

    assert refused.status == 422
    assert refused.offers(press)
    assert status(app, match) == (end == "stop", end == "delete", 0)


def test_a_match_that_was_stopped_and_deleted_goes_on_with_the_hand(
    app: Flask, match: Page, other_phone: Phone
) -> None:
    saved = entered_meanwhile(match, other_phone, "stop", "delete").send("/hands/new", press="Restore and save")

    assert saved.rows == ["1 Bea 3 made 0 0 +4 4"]
    assert status(app, match) == (False, False, 1)


@ENDS
def test_a_hand_saved_first_in_a_match_that_was_ended_is_asked_about_before_it_goes_on(
    app: Flask, match: Page, other_phone: Phone, end: str, press: str
) -> None:
    entry = match.tap("Record hand")
    record(other_phone.open(match.path), call="p1:2")
    other_phone.open(f"{match.path}{end}").send(f"/{end}")

    refused = entry.send("/hands/new", {"call": "p2:3", **took("s2")}, press="do=save")
    refused = (
        refused.send("/hands/new", press=press) if refused.has_form("/hands/new") and refused.offers(press) else refused
    )

    assert refused.status == 409
    assert "Which one counts?" in refused.text
    assert status(app, match) == (end == "stop", end == "delete", 1)
    saved = refused.tap("Use this one")
    (row,) = saved.open("history").all("details", class_="hand")
    assert row.text.startswith("1 Bea")


def test_a_hand_in_a_deleted_match_that_is_over_says_so_and_restores_nothing(
    app: Flask, nearly: Page, other_phone: Phone
) -> None:
    form = nearly.tap("Record hand").form("/hands/new")
    fields = {**form.fields, "call": "p2:3", **took("s2"), "version": "3", "do": "restore"}
    end(nearly, other_phone)
    other_phone.open(f"{nearly.path}delete").send("/delete")

    refused = nearly.phone.post(form.action, fields)

    assert refused.status == 409
    assert "This match is over. Ann & Cal win, 8 to 0." in refused.text
    assert status(app, nearly) == (False, True, 2)
