"""The pages about people: what they show of a family's matches, what of one match or none, and names mended on them."""

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


@pytest.fixture(autouse=True)
def _nothing_cached() -> None:
    counting._cache.clear()


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
    return page.phone.open(next(it.attrs["href"] for it in page.root.all("a") if name in it.text.split()))


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
    page = table.open("people")
    assert "Finish a match and its people are listed here." in page.text
    assert "Two pairs" not in page.text
    assert "Finish a match of two pairs" in table.open("pairs").text
    assert table.open("years/2026").status == 404
    assert table.open("people/nobody").status == 404
    assert table.open("names/nobody").status == 404
    assert table.open("pairs?a=nobody&b=noone").status == 404
    assert "Finish a match and its people are listed here." in table.open("names").text


def test_people_are_listed_by_matches_played_and_never_in_percent(family_table: Family) -> None:
    page = family_table.open("people")
    played = [int(of) for of in re.findall(r"of (\d+)</small>", page.response.text)]
    assert "30 matches since May 2025" in page.text
    assert played == sorted(played, reverse=True)
    assert len(played) == 5
    for path in ("people", "pairs", "years/2025", "years/2026"):
        words = family_table.open(path).text
        assert "%" not in words, path
        assert "percent" not in words, path


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
    words = page.text
    for heading in ("Bids", "Partners", "Rivals", "Last matches", "best streak", "streak now"):
        assert heading in words
    against = page.phone.open(re.findall(r'href="(/books/[^"]+pairs\?a=[^"]+)"', page.response.text)[0])
    assert "against" in against.text
    met = page.phone.open(re.findall(r'href="(/books/[^"]+b=[^"]+)"', against.response.text)[0].replace("&amp;", "&"))
    assert "Side by side" in met.text
    assert "points a hand" in met.text
    again = met.tap("Play them again")
    assert "/new/again/" in unquote(again.response.headers["Location"])
    assert page.phone.open(again.response.headers["Location"]).status == 200


@pytest.mark.parametrize(("number", "is_said"), [(9, False), (10, True)])
def test_a_match_has_ended_closest_from_ten_on(table: Family, number: int, is_said: bool) -> None:
    table.play(*(replace(THURSDAY, on=date(2025, 5, day)) for day in range(1, number + 1)))
    met = re.findall(r'href="(/books/[^"]+b=[^"]+)"', table.open("pairs").response.text)[0].replace("&amp;", "&")

    for page in (table.open("years/2025"), table.phone.open(met)):
        assert ("Closest finish" in page.text) == is_said
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
    family_table.play(replace(THURSDAY, players=("Nan", "Bea", "Cal", "Dan")))
    page = follow(family_table.open("names"), "Ann")
    bea, nan = (re.findall(rf'value="([\w-]{{22}})">{name}<', page.response.text)[0] for name in ("Bea", "Nan"))
    ann = page.path.rsplit("/", 1)[-1]
    keyed = {"csrf_token": page.form(page.path).fields["csrf_token"]}

    refused = family_table.phone.post(page.path, {**keyed, "do": "join", "into": bea})
    assert refused.status == 422
    assert re.search(r"Ann and Bea sat at one table in \d+ matches, so they are two people\.", refused.text)
    joined = family_table.phone.post(page.path, {**keyed, "do": "join", "into": nan})
    assert "Joined." in joined.text
    assert "Take apart" in joined.text
    assert family_table.phone.open(f"/books/{family_table.code}/people/{ann}").response.status_code == 303
    apart = family_table.phone.post(joined.path, {**keyed, "do": "part", "joined": ann})
    assert "Taken apart." in apart.text

    uid = _last_match(family_table, "Ann")
    deleted = family_table.phone.post(page.path, {**keyed, "do": "delete"})
    assert "Name deleted." in deleted.text
    match = family_table.phone.open(f"/books/{family_table.code}/matches/{uid}").response.location
    pages = [
        family_table.phone.open(f"{match}{rest}").text for rest in ("", "history", "history/journal", "record.json")
    ]
    assert [text for text in pages if re.search(r"\bAnn\b", text)] == []
    assert "changed names of people everywhere" in pages[2]
    assert "Deleted names" in family_table.open("names").text
    assert "Ann" not in family_table.open("people").text
    assert family_table.open(f"people/{ann}").status == 404
    restored = family_table.phone.post(page.path, {**keyed, "do": "restore"})
    assert "Name restored." in restored.text
    assert "Ann" in family_table.open("people").text

    other = family_table.phone.post(page.path, {**keyed, "do": "other", "match": _last_match(family_table, "Ann")})
    assert "Changed." in other.text
    assert "Ann (2)" in family_table.open("people").text
    assert family_table.phone.post(page.path, {**keyed, "do": "dance"}).status == 400
    assert family_table.phone.post(page.path, {**keyed, "do": "join", "into": ann}).status == 422


def _last_match(table: Family, name: str) -> str:
    page = follow(table.open("names"), name).response.text
    return str(re.findall(r'name="match" value="([\w-]+)"', page)[0])


def test_what_is_not_counted_yet_is_said(family_table: Family, monkeypatch: pytest.MonkeyPatch) -> None:
    with family_table.app.app_context():
        drop_all_figures(db.session)
    monkeypatch.setattr(counting, "COUNTING_TIMEOUT_S", 0.0)
    assert "30 matches are still to be added up." in family_table.open("people").text
