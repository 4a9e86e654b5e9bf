"""“That’s wrong” on a watching phone, and how every phone, the TV and the change log show it."""

import pytest
from flask import Flask

from tests.common.phone import Page, Phone
from tests.common.room import let_in
from tests.pages.conftest import Begin, record

DISPUTE = "Bea’s phone: That’s wrong."


@pytest.fixture
def scoring(match: Page) -> Page:
    """Record a hand on the phone that scores."""
    return record(match, call="p1:3", took_low="s2")


@pytest.fixture
def watching(app: Flask, scoring: Page, other_phone: Phone) -> Page:
    """Return Bea's phone, which watches."""
    return other_phone.open(let_in(app, scoring.path, "p2", role="watcher"))


def again(page: Page) -> Page:
    """Open the page again."""
    return page.open()


def test_a_watching_phone_says_that_the_last_hand_is_wrong_and_every_phone_shows_it(
    app: Flask, scoring: Page, watching: Page
) -> None:
    third = Phone(app.test_client()).open(let_in(app, scoring.path, "p4", role="watcher"))

    disputed = watching.tap("That’s wrong")

    assert "You said: That’s wrong." in disputed.part("turn").text
    assert "Hand 1: Ann 3: made. Ann & Cal +3, Bea & Dan +1." in disputed.part("turn").text
    assert not disputed.offers("That’s wrong")
    for page in (again(scoring), again(third), third.open("tv")):
        assert DISPUTE in page.text
    assert DISPUTE in third.open("history").text
    assert again(third).offers("That’s wrong")


def test_who_scores_says_that_the_hand_is_right_and_may_undo_that(scoring: Page, watching: Page) -> None:
    watching.tap("That’s wrong")

    right = again(scoring).tap("It’s right")
    undone = right.send("/undo")

    assert "Hand 1 is confirmed." in right.text
    assert DISPUTE not in right.text
    assert "Undo confirmation" in right.part("bottom_bar").text
    assert DISPUTE in undone.text


def test_the_change_log_has_all_that_was_said(scoring: Page, watching: Page) -> None:
    watching.tap("That’s wrong").tap("Undo").tap("That’s wrong")
    again(scoring).tap("It’s right")

    log = scoring.open("history/journal").root
    history = scoring.open("history")

    assert [item.text for item in log.all("p", class_="said")][:4] == [
        "This phone confirmed hand 1",
        "Bea said that hand 1 is wrong",
        "Bea no longer said that hand 1 is wrong",
        "Bea said that hand 1 is wrong",
    ]
    assert "Bea said that this is wrong" in history.text


def test_the_last_hand_of_a_won_match_may_be_wrong(app: Flask, begin: Begin, other_phone: Phone) -> None:
    won = record(record(begin(house_target="7"), call="p1:4"), call="p1:4")
    watching = other_phone.open(let_in(app, won.path, None, role="watcher"))

    disputed = watching.tap("More").tap("That’s wrong")

    for page, note in ((disputed, "You said: That’s wrong."), (again(won), "A watching phone: That’s wrong.")):
        assert page.part("turn").text.startswith(note)


def test_a_hand_of_a_deleted_match_is_wrong_no_more(scoring: Page, watching: Page) -> None:
    scoring.open("delete").send("/delete")

    disputed = watching.tap("That’s wrong")

    assert "This match was deleted" in disputed.text
