"""A phone's book: where it is linked, how it is searched, who joins it, and which book a new match is stored in."""

import pytest
from flask import Flask

from tests.browser.playing import begin_match
from tests.common.books import book_code, book_of, change_book, invited_to_book, join_book, opened
from tests.common.guests import OWNER, SCORER, WATCHER, change, let_in
from tests.common.phone import Page, Phone
from tests.common.reading import Form
from tests.pages.conftest import Begin, record


def matches_at_home(phone: Phone) -> list[str]:
    """Return the matches that the home page lists below the one that goes on."""
    return [link.label for found in phone.open("/").all("ul", id="newest") for link in found.all("a")]


def names_filled(form: Form) -> dict[str, str]:
    """Return the form of a new match with a name at every seat."""
    return form.filled(
        dict(zip((name for name in form.fields if name.startswith("seat-")), "WXYZ", strict=True)), "Start"
    )


def test_the_home_page_leads_to_all_matches(match: Page, phone: Phone) -> None:
    assert "1 match" in phone.open("/").tap("All matches").part("matches").text

    match.open("stop").send("/stop")

    assert matches_at_home(phone) == ["Ann & Cal v. Bea & Dan"]
    assert opened(phone.open("/").tap("All matches"), "Ann & Cal v. Bea & Dan").path == match.path


def test_home_lists_the_newest_of_all_matches_and_all_of_them_are_one_list(
    match: Page, begin: Begin, other_phone: Phone
) -> None:
    join_book(match.phone, other_phone, WATCHER)
    for seat in ("Eve", "Fay", "Gus", "Hal", "Ida"):
        record(begin(seat_0=seat), call="p1:2")
    record(match, call="p1:2")
    let_in(begin(seat_0="Joe", book="none"), other_phone, WATCHER)
    alone = begin_match(other_phone, "cutthroat-pitch")
    newest = ["Joe & Cal v. Bea & Dan", *(f"{name} & Cal v. Bea & Dan" for name in ("Ida", "Hal", "Gus", "Fay"))]

    assert other_phone.open("/").one("footer").all("a", href=alone.path)
    assert matches_at_home(other_phone) == newest
    every = other_phone.open("/").tap("All matches")
    rows = [link.label for link in every.part("matches").one("ul").all("a")]
    assert rows == ["Ann, Bea, Cal and Dan", *newest, "Eve & Cal v. Bea & Dan", "Ann & Cal v. Bea & Dan"]
    assert other_phone.open(book_of(match.phone).path).part("matches").text == every.part("matches").text
    assert opened(every, newest[0]).offers("Record hand") is False


@pytest.mark.club
def test_a_phone_without_a_book_has_a_list_of_what_it_opened(match: Page, other_phone: Phone) -> None:
    let_in(match, other_phone, WATCHER)

    page = other_phone.open("/matches")

    assert "1 match" in page.part("matches").text
    assert opened(page, "Ann & Cal v. Bea & Dan").offers("Menu")
    assert not page.offers("Back up and restore")
    assert "Finish a match and its people are listed here." in other_phone.open("/").tap("People").text


def test_matches_are_searched_by_an_address(match: Page, begin: Begin, phone: Phone) -> None:
    begin("racehorse")
    here = book_of(phone).path

    for query, expected in {
        "person=ANN": "2 of 2 matches",
        "person=Ánn’+and+Cal": "2 of 2 matches",
        "variant=racehorse": "1 of 2 matches",
        "person=Zoe": "No match fits.",
        "year=1999": "0 of 2 matches",
    }.items():
        assert expected in phone.open(f"{here}?{query}").text


@pytest.mark.parametrize("role", [WATCHER, SCORER])
def test_another_phone_joins_by_the_pin_and_opens_a_match(match: Page, other_phone: Phone, role: str) -> None:
    page = join_book(match.phone, other_phone, role, "Bea")
    theirs = opened(page, "Ann & Cal v. Bea & Dan")

    assert page.path == book_of(other_phone).path
    assert theirs.path.startswith("/matches/")
    assert theirs.path != match.path
    assert theirs.offers("Record hand") == (role == SCORER)
    assert not page.offers("Other phones")
    assert "Bea’s phone" in match.phone.open(f"/books/{book_code(match.phone)}/phones").text


def test_a_removal_from_a_match_says_that_the_link_to_the_book_still_opens_it_and_ends_that_too(
    match: Page, other_phone: Phone
) -> None:
    page = join_book(match.phone, other_phone, SCORER, "Bea")
    theirs = let_in(match, other_phone, WATCHER, "p2")

    done = change(match, "end")

    assert "but its link to all matches still opens this one" in done.text
    assert other_phone.open(theirs.path).status == 410
    assert opened(page, "Ann & Cal v. Bea & Dan").status == 410
    other_phone.client.delete_cookie("scorekeeper")
    assert opened(other_phone.open(page.path), "Ann & Cal v. Bea & Dan").offers("Record hand")

    ended = done.tap("Remove Bea from all matches")

    assert "Bea’s phone is removed. It lost every match that it opened from here." in ended.text
    assert other_phone.open(page.path).status == 410
    assert "still opens this one" not in match.open("room").text


def test_an_owners_link_that_was_passed_on_is_renewed_and_opens_nothing_any_more(
    match: Page, other_phone: Phone
) -> None:
    theirs, passed_on = let_in(match, other_phone, WATCHER, "p2"), book_of(match.phone)
    copied = [opened(other_phone.open(passed_on.path), "Ann & Cal v. Bea & Dan"), other_phone.open(passed_on.path)]
    code = invited_to_book(match.phone, SCORER).one(class_="link").text
    done = change(match, "end")

    assert "but its link to all matches still opens this one" in done.text
    as_owner = other_phone.open(f"{passed_on.path}phones")
    assert not as_owner.offers("Renew my link to all matches")
    refused = other_phone.post(f"{passed_on.path}phones/1", {**as_owner.form("/invite").fields, "do": "renew"})
    assert "Only the phone that has this link can renew it." in refused.text

    renewed = done.tap("Renew my link to all matches")

    assert "has a new link now. The old one opens nothing now." in renewed.text
    assert renewed.offers("Open a new one")
    other_phone.client.delete_cookie("scorekeeper")
    assert [other_phone.open(each.path).status for each in (*copied, theirs)] == [404, 404, 410]
    assert other_phone.open(code).status == 410
    assert matches_at_home(other_phone) == []
    assert opened(book_of(match.phone), "Ann & Cal v. Bea & Dan").offers("Record hand")
    assert "still opens this one" not in match.open("room").text


def test_who_does_not_own_the_book_is_only_told_that_its_link_still_opens_the_match(
    app: Flask, match: Page, other_phone: Phone
) -> None:
    join_book(match.phone, other_phone, SCORER, "Bea")
    let_in(match, other_phone, WATCHER, "p2")
    owner = let_in(match, Phone(app.test_client()), SCORER, "p3")
    change(match, OWNER, 3)

    done = change(owner, "end")

    assert "but its link to all matches still opens this one" in done.text
    assert not done.offers("Remove Bea from all matches")


def test_a_followed_link_takes_no_match_of_a_phone(match: Page, other_phone: Phone) -> None:
    other_phone.open("/")
    other_phone.open(book_of(match.phone).path)
    page = other_phone.open("/new/partnership-pitch")
    form = page.form("partnership-pitch")

    mine = other_phone.post(form.action, names_filled(form))
    again = other_phone.open("/new/partnership-pitch")

    assert "Keep this match in a new list" in page.text
    assert all("another phone’s matches" in shown.text and "Bea" not in shown.response.text for shown in (page, again))
    assert "Keep this match in Your matches" in again.text
    strange = opened(other_phone.open(book_of(match.phone).path), "Ann & Cal v. Bea & Dan").tap("Menu")
    assert "another phone’s matches" in strange.text
    assert "another phone’s matches" in other_phone.open(f"{book_of(match.phone).path}settings").text
    assert opened(book_of(other_phone), "W & Y v. X & Z").path == mine.path
    assert "1 match" in book_of(match.phone).text


def test_the_choice_of_the_book_is_kept_while_other_rules_are_looked_for(match: Page, phone: Phone) -> None:
    form = phone.open("/new/partnership-pitch")
    form.send("partnership-pitch", {"book": "none"}, press="Choose another game")

    assert "Keep this match in none" in phone.open("/new/partnership-pitch").text


def test_a_book_that_was_lost_before_the_start_is_said(match: Page, other_phone: Phone) -> None:
    join_book(match.phone, other_phone, SCORER)
    form = other_phone.open("/new/partnership-pitch").form("partnership-pitch")
    change_book(match.phone, "end")

    refused = other_phone.post(form.action, names_filled(form))

    assert refused.status == 422
    assert "This phone can’t save matches there any more." in refused.faults
    assert other_phone.post(form.action, {**names_filled(form), "book": ""}).offers("Record hand")


def test_a_match_is_moved_and_moved_back_on_its_page(match: Page, phone: Phone, other_phone: Phone) -> None:
    page = match.tap("Menu").tap("Move this match")

    moved = page.send("/book", {"book": "none"}, press="Move")
    assert "No matches yet." in other_phone.open(book_of(phone).path).text
    moved.send("/back")

    assert "1 match" in other_phone.open(book_of(phone).path).text


def test_the_owner_of_a_match_learns_no_name_of_a_book_that_is_not_theirs(match: Page, other_phone: Phone) -> None:
    book_of(match.phone).tap("Name").send("/settings", {"name": "Thursdays"})
    link = let_in(match, other_phone, SCORER)
    match.phone.post(f"{match.path}room/2", {**match.open("room").form("/room/invite").fields, "do": OWNER})

    page = other_phone.open(f"{link.path}book")

    assert "Another phone keeps this match with its own." in page.text
    assert "Thursdays" not in page.text + other_phone.open(f"{link.path}menu").text
