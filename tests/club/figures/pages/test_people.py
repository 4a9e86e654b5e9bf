"""Show the pages about people for a family's matches, for one match and for none, and correct names on them."""

import re
from dataclasses import replace
from datetime import date
from urllib.parse import unquote

import pytest
from flask import Flask

from scorekeeper.book.books import BookAccess, load_book
from scorekeeper.club.figures import counting
from scorekeeper.database.engine import db
from scorekeeper.web.library import library
from tests.common import family
from tests.common.books import book_code
from tests.common.family import Evening, drop_all_figures
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record

THURSDAY = Evening(("Ann", "Bea", "Cal", "Dan"), date(2025, 5, 3), "Thursday")


class Family:
    """A phone that owns a book, into which matches are played."""

    def __init__(self, app: Flask, phone: Phone, begin: Begin) -> None:
        self.app, self.phone = app, phone
        begin()
        self.code = book_code(phone)

    def play(self, *evenings: Evening) -> None:
        """Play matches of the family, the same ones each time."""
        with self.app.app_context():
            family.play(db.session, library(), self.access, evenings, seed=3)

    @property
    def access(self) -> BookAccess:
        """The book by the owner's link."""
        return load_book(db.session, self.code)

    def open(self, path: str) -> Page:
        """Open a page of the book."""
        return self.phone.open(f"/books/{self.code}/{path}")

    def person(self, name: str) -> Page:
        """Open somebody's page."""
        return follow(self.open("people"), name)


def follow(page: Page, name: str) -> Page:
    """Follow the link of a list in which a name stands."""
    return page.phone.open(next(link.attrs["href"] for link in page.all("a") if name in link.text.split()))


@pytest.fixture
def table(app: Flask, phone: Phone, begin: Begin) -> Family:
    """Take a phone with a book of one match that goes on."""
    return Family(app, phone, begin)


@pytest.fixture
def family_table(table: Family) -> Family:
    """Take a phone with a book of a year and a half."""
    table.play(*family.evenings(30, ["Ann", "Bea", "Cal", "Dan", "Eve"]))
    return table


def test_a_book_without_a_finished_match_says_what_will_be_there(table: Family) -> None:
    for path in ("people", "names"):
        assert "Finish a match and its people are listed here." in table.open(path).text
    assert "Two pairs" not in table.open("people").text
    assert "Finish a match of two pairs" in table.open("pairs").text
    for path in ("years/2026", "people/nobody", "names/nobody", "pairs?a=nobody&b=noone"):
        assert table.open(path).status == 404


def test_people_are_listed_by_matches_played_and_never_in_percent(family_table: Family) -> None:
    page = family_table.open("people")
    played = [int(of) for of in re.findall(r"of (\d+)</small>", page.response.text)]
    assert played == sorted(played, reverse=True)
    assert len(played) == 5
    words = [family_table.open(path).text for path in ("people", "pairs", "years/2025", "years/2026")]
    assert [text for text in words if "%" in text or "percent" in text] == []


def test_a_match_in_which_nobody_has_a_name_counts_for_nobody(table: Family) -> None:
    page = table.phone.open("/new/partnership-pitch").send("/partnership-pitch", {"house-target": "7"}, press="Start")
    assert record(record(page, call="s1:4"), call="s1:4").offers("Play again")

    assert "Finish a match and its people are listed here." in table.open("people").text
    assert "Finish a match of two pairs" in table.open("pairs").text
    assert table.open(f"years/{date.today().year}").status == 200

    table.play(THURSDAY)
    assert "1 match since May 2025" in table.person("Ann").text


def test_a_list_that_leaves_out_matches_says_which_do_not_count(table: Family) -> None:
    table.play(THURSDAY)
    assert "Matches that were stopped or are in progress do not count." in table.open("people").text


def test_one_match_gives_figures_and_no_chart(table: Family) -> None:
    table.play(THURSDAY)
    page = table.person("Ann")
    assert "1 match since May 2025" in page.text
    assert "of 1" in page.text
    assert '<svg class="hbar"' not in page.response.text
    assert "best:" not in page.text
    assert "Thursday" in page.text


def test_a_persons_page_leads_to_pairs_rivals_and_matches(family_table: Family) -> None:
    page = family_table.person("Ann")
    for heading in ("Bids", "Partners", "Rivals", "Last matches", "best streak", "streak now"):
        assert heading in page.text
    against = linked(page, "pairs?a=")
    assert "against" in against.text
    assert page.phone.open(against.response.request.url.replace("?a=", "?b=")).text == against.text
    met = linked(against, "b=")
    assert "Side by side" in met.text
    assert "points a hand" in met.text
    again = met.tap("Play them again").response.headers["Location"]
    assert "/new/again/" in unquote(again)
    assert page.phone.open(again).status == 200


def linked(page: Page, part: str) -> Page:
    """Follow the first link with this in its address."""
    return page.phone.open(next(link.attrs["href"] for link in page.all("a") if part in link.attrs["href"]))


@pytest.mark.parametrize(("number", "is_shown"), [(9, False), (10, True)])
def test_a_match_has_ended_closest_from_ten_on(table: Family, number: int, is_shown: bool) -> None:
    table.play(*(replace(THURSDAY, on=date(2025, 5, day)) for day in range(1, number + 1)))

    for page in (table.open("years/2025"), linked(table.open("pairs"), "b=")):
        assert ("Closest finish" in page.text) == is_shown
        assert "To remember" in page.text


def test_the_printed_year_is_asked_for_by_book_and_year(family_table: Family) -> None:
    phone, code = family_table.phone, family_table.code
    assert phone.open(f"/print?book={code}&year=1999").status == 404
    assert phone.open("/print?book=nosuch&year=2026").status == 404
    page = phone.open(f"/print?book={code}&year=2026")
    assert page.status in (200, 503)
    assert "2026 at our table" in page.text or page.status == 503


def test_a_person_is_renamed_on_the_page_and_it_can_be_undone(family_table: Family) -> None:
    page = follow(family_table.open("names"), "Ann")
    renamed = page.send(page.path, {"name": "Anna"}, press="Save")
    assert "Renamed." in renamed.text
    assert "Anna" in family_table.open("people").text
    match = follow(family_table.person("Anna"), "Thursday")
    assert "Anna" in family_table.phone.open(match.response.headers["Location"]).text

    undone = renamed.send("/names/undo")
    assert "Undone." in undone.text
    assert "Anna" not in family_table.open("people").text
    assert "Redone." in undone.send("/names/redo").text
    assert "Anna" in family_table.open("people").text


def test_a_refused_name_keeps_what_was_typed(family_table: Family) -> None:
    page = follow(family_table.open("names"), "Ann")
    refused = page.send(page.path, {"name": "Bea", "since": "now"}, press="Save")
    assert refused.status == 422
    assert "Bea is in these matches too. If they are one person, join them." in refused.text
    assert 'value="Bea"' in refused.response.text
    assert re.search(r'value="now" checked', refused.response.text)


def test_names_are_joined_taken_apart_deleted_and_restored(family_table: Family) -> None:
    table = family_table
    table.play(replace(THURSDAY, players=("Nan", "Bea", "Cal", "Dan")))
    page = follow(table.open("names"), "Ann")
    bea, nan = (follow(table.open("names"), name).path.rpartition("/")[2] for name in ("Bea", "Nan"))
    ann = page.path.rpartition("/")[2]

    token = page.form(page.path).fields["csrf_token"]

    def do(what: str, path: str = page.path, **fields: str) -> Page:
        return page.phone.post(path, {"csrf_token": token, "do": what, **fields})

    refused = do("join", into=bea)
    assert refused.status == 422
    assert re.search(r"Ann and Bea sat at one table in \d+ matches, so they are two people\.", refused.text)
    joined = do("join", into=nan)
    assert "Joined." in joined.text
    assert "Take apart" in joined.text
    assert table.open(f"people/{ann}").status == 303
    assert "Taken apart." in do("part", joined.path, joined=ann).text

    uid = _last_match(table, "Ann")
    assert "Name deleted." in do("delete").text
    match = table.open(f"matches/{uid}").response.location or ""
    pages = [table.phone.open(f"{match}{rest}").text for rest in ("", "history", "history/journal", "record.json")]
    assert [text for text in pages if re.search(r"\bAnn\b", text)] == []
    assert "changed names of people everywhere" in pages[2]
    suggesting = table.phone.open("/new/partnership-pitch").response.text
    assert re.findall(r'<option value="(Ann|Bea|Player \d)"', suggesting) == ["Bea"]
    assert "Deleted names" in table.open("names").text
    assert "Ann" not in table.open("people").text
    assert table.open(f"people/{ann}").status == 404
    assert "Name restored." in do("restore").text
    assert "Ann" in table.open("people").text

    assert "Changed." in do("other", match=_last_match(table, "Ann")).text
    assert "Ann (2)" in table.open("people").text
    assert do("dance").status == 400
    assert do("join", into=ann).status == 422


def _last_match(table: Family, name: str) -> str:
    page = follow(table.open("names"), name).response.text
    return str(re.findall(r'name="match" value="([\w-]+)"', page)[0])


def test_what_is_not_counted_yet_is_said(family_table: Family, monkeypatch: pytest.MonkeyPatch) -> None:
    with family_table.app.app_context():
        drop_all_figures(db.session)
    monkeypatch.setattr(counting, "COMPUTING_TIMEOUT_S", 0.0)
    assert "30 matches are still to be added up." in family_table.open("people").text
