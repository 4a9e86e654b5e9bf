"""The hand in progress: from its bid on every phone shows it, and any that may score goes on with it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.matches import drafts
from scorekeeper.matches.drafts import draft_of
from scorekeeper.matches.service import load_match
from tests.common import guests
from tests.common.calling import finish, preview_part
from tests.common.phone import Page, Phone
from tests.common.room import let_in
from tests.pages.conftest import Begin, record

GOING = "Ann bid 3 ♥"
BID = {"call": "p1:3", "trump": "hearts"}


def enter(page: Page, **answers: str) -> Page:
    """Tap answers on the entry of the next hand, which counts them and saves nothing."""
    preview_part(page.open("hands/new"), asks="", **answers)
    return page


def again(page: Page) -> Page:
    return page.open()


def is_going(page: Page) -> bool:
    return GOING in again(page).part("turn").text.replace("hearts", "♥")


@pytest.fixture
def second(app: Flask, match: Page, other_phone: Phone) -> Page:
    """Open the match on Bea's phone, which may score."""
    return other_phone.open(let_in(app, match.path, "p2"))


@pytest.fixture
def watcher(app: Flask, match: Page) -> Page:
    return Phone(app.test_client()).open(let_in(app, match.path, None, "watcher"))


def test_every_phone_home_and_the_tv_show_it_from_the_bid_on(match: Page, second: Page, watcher: Page) -> None:
    enter(match, trump="hearts")
    assert not is_going(match)
    assert not is_going(second)
    tv = match.open("tv").part("board").attrs["hx-get"]
    assert match.phone.open(tv, part=True).status == 204

    enter(match, **BID)

    assert all(map(is_going, (match, second, watcher)))
    assert f"Hand 1: {GOING}" in match.phone.open("/").text.replace("hearts", "♥")
    assert "Ann bid 3" in match.phone.open(tv, part=True).text
    assert again(second).offers("Continue this hand")
    assert not again(watcher).all("a", class_="going")


def test_an_open_page_hears_of_it_though_nothing_was_written(match: Page, second: Page) -> None:
    board = second.part("board").attrs["hx-get"]
    assert second.phone.open(board, part=True).status == 204

    enter(match, **BID)

    news = second.phone.open(board, part=True)
    assert news.status == 200
    assert "bid 3" in news.text
    assert second.phone.open(news.part("board").attrs["hx-get"], part=True).status == 204
    assert again(match).scores == again(second).scores


def test_another_phone_opens_it_filled_and_says_from_which(app: Flask, match: Page, second: Page) -> None:
    own = match.phone.open(let_in(app, match.path, "p1"))
    enter(own, **BID, took_high="s1")

    opened = second.open("hands/new")

    assert "From Ann’s phone." in opened.text
    fields = opened.form("/hands/new").fields
    assert (fields["call"], fields["trump"], fields["took-high"]) == ("p1:3", "hearts", "s1")
    saved = finish(second.phone.post(f"{second.path}hands/new", {**fields, "do": "look"}))
    assert saved.scores == {"s1": "4", "s2": "0"}
    assert not is_going(match)


def test_nothing_that_the_form_does_not_have_goes_on_with_it(app: Flask, match: Page, second: Page) -> None:
    others = " ".join(f"x{number}" for number in range(1000))

    enter(match, **BID, took_high="s1", took_x="s1", others=others, shown="x" * 5000, nonsense="x")

    with app.app_context():
        draft = draft_of(db.session, load_match(db.session, match.code))
    assert draft
    assert dict(draft.fields) == {"by": "cards", "bidder": "p1", "bid": "3", "trump": "hearts", "took-high": "s1"}


ENDS: dict[str, Callable[[Page], object]] = {
    "a saved hand": lambda match: record(match, call="p2:2", took_low="s1"),
    "a misdeal": lambda match: again(match).tap("Continue this hand").send("/hands/new", press="Misdeal"),
    "an undo": lambda match: again(match).send("/undo"),
    "another dealer": lambda match: match.open("deal").send("/deal"),
    "an end before there is a winner": lambda match: match.open("stop").send("/stop"),
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_a_hand_in_progress_ends_when_saved_or_no_longer_next(match: Page, end: Callable[[Page], object]) -> None:
    record(match, call="p1:2", took_low="s2")
    enter(match, **BID)
    assert is_going(match)

    end(match)

    assert not is_going(match)


def test_a_new_name_ends_nothing(match: Page) -> None:
    enter(match, **BID)

    match.open("names").send("/names", {"name-p2": "Beatrice"})

    assert is_going(match)


def test_after_three_hours_it_is_forgotten(match: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    enter(match, **BID)

    monkeypatch.setattr(drafts, "DRAFT_LIFETIME", timedelta(0))

    assert not is_going(match)


def test_a_phone_that_is_removed_takes_it_along(match: Page, other_phone: Phone) -> None:
    guest = guests.let_in(match, other_phone, "scorer", "p2")
    enter(guest, **BID)
    assert is_going(match)

    guests.change(match, "end")

    assert not is_going(match)


def test_taking_the_bid_back_takes_it_from_the_other_phones(match: Page, second: Page) -> None:
    enter(match, **BID)
    enter(match, call="", trump="hearts")

    assert not is_going(second)


def test_an_empty_form_does_not_let_go_what_another_phone_has_entered(match: Page, second: Page) -> None:
    entry = second.open("hands/new")
    enter(match, **BID)

    preview_part(entry, trump="clubs")

    assert is_going(second)


def test_starting_over_lets_it_go_on_every_phone(match: Page, second: Page) -> None:
    enter(match, **BID)
    opened = second.open("hands/new")

    fresh = second.phone.post(f"{second.path}hands/new", {**opened.form("/hands/new").fields, "do": "clear"})

    assert "call" not in fresh.form("/hands/new").fields
    assert not is_going(match)


def test_what_is_entered_for_a_hand_that_was_saved_meanwhile_is_not_the_next_one(match: Page, second: Page) -> None:
    entry = second.open("hands/new")
    record(match, call="p2:2", took_low="s1")

    preview_part(entry, **BID)

    assert not is_going(match)


def test_a_correction_and_an_inserted_hand_are_no_hand_in_progress(match: Page) -> None:
    record(match, call="p1:2", took_low="s2")
    for opened in ("hands/1", "hands/new?before=1"):
        preview_part(match.open(opened), **BID)

    assert not is_going(match)


def test_the_rest_that_was_given_goes_on_with_it(match: Page) -> None:
    enter(match, **BID, took_low="s2", rest="s1")

    assert match.open("hands/new").form("/hands/new").fields["took-jack"] == "s1"


def test_it_is_dealt_on_every_page_by_whoever_dealt_it(begin: Begin) -> None:
    match = begin("cutthroat-pitch")
    enter(match, dealer="p3", call="p1:2")

    page, tv = again(match), match.open("tv")
    entry = page.tap("Continue this hand")

    bidders = [element.text for element in entry.part("q-bid").all(class_="who")]
    assert (entry.part("deals").text, bidders) == ("Cal deals", ["D Dan", "A Ann", "B Bea", "C Cal dealer"])
    for shown in (page, tv):
        deals = [section.attrs["aria-label"] for section in shown.all("section") if section.all(class_="dealer")]
        assert deals == ["Cal: 0"]
    assert "Cal deals hand 1." in tv.text
    assert "Ann deals" not in page.text + tv.text
