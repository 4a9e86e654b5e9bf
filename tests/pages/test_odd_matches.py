"""A book with odd matches in it: each of its pages opens for everybody, and so does each page of such a match."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from scorekeeper.book.book_matches import collect_matches
from scorekeeper.book.books import load_book
from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import WATCHER
from scorekeeper.matches.events import Deleted
from scorekeeper.matches.service import write
from scorekeeper.web.library import library
from tests.common.books import book_code, join_book
from tests.common.importing import import_records
from tests.common.phone import Page, Phone

US, THEM = "Us", "Them"
PLAYERS = ["Ann", "Bea", "Cal", "Dan"]


def record(variant: str, hands: list[dict[str, Any]], **said: Any) -> dict[str, Any]:
    return {"format": "pitch-record/1", "variant": variant, "hands": hands, "played_on": "2026-11-20", **said}


def taken(who: str, bidder: str = "", bid: int = 4) -> dict[str, Any]:
    return {"bidder": bidder or who, "bid": bid, "taken": dict.fromkeys(("high", "low", "jack", "game"), who)}


NO_PLAYERS = [{"name": US}, {"name": THEM}]
ALL_CALLED = dict.fromkeys(("high", "low", "jack", "off_jack", "high_joker", "low_joker", "ten", "trey"), "bidders")
ODD = {
    "without players": record("partnership-pitch", [taken(US)] * 3, sides=NO_PLAYERS, house={"target": 11}),
    "without players, level": record(
        "partnership-pitch", [taken(US, bid=2), taken(THEM, bid=2)], sides=NO_PLAYERS, stopped=True
    ),
    "without a hand": record("partnership-pitch", [], players=PLAYERS),
    "one hand": record("partnership-pitch", [taken("Ann & Cal", "Ann")], players=PLAYERS, house={"target": 4}),
    "three hundred hands": record(
        "partnership-pitch",
        [taken("Ann & Cal", "Ann"), taken("Bea & Dan", "Bea")] * 150,
        players=PLAYERS,
        house={"target": 1000},
        stopped=True,
    ),
    "deleted": record("partnership-pitch", [taken("Ann & Cal", "Ann")] * 3, players=PLAYERS, house={"target": 11}),
    "for money": record("racehorse", [taken("Ann", bid=2)] * 3, players=PLAYERS, stopped=True),
    "partners by a call": record(
        "pawnee-call-your-partner",
        [
            {"bidder": "Ann", "bid": 7, "trump": "spades", "called": "A", "partner": "Cal", "taken": ALL_CALLED},
            {"bidder": "Bea", "bid": "moon", "taken": ALL_CALLED, "all_tricks": True, "partner": None},
        ],
        players=[*PLAYERS, "Eve"],
        stopped=True,
    ),
}
OddBook = tuple[str, dict[str, str]]
"""The code of a phone's link to a book, and those of the matches in it."""


@pytest.fixture
def book(app: Flask, phone: Phone, match: Page) -> OddBook:
    """Put the odd matches into a phone's book; return its code, and those of the matches."""
    code = book_code(phone)
    with app.app_context():
        odd = dict(zip(ODD, import_records(db.session, library(), list(ODD.values())), strict=True))
        write(db.session, odd["deleted"].code, Deleted(), Writer("delete"), expected_version=None)
        collect_matches(db.session, load_book(db.session, code).id)
    return code, {name: match.code for name, match in odd.items()}


def crawled(phone: Phone, start: str) -> Iterator[Page]:
    """Open every page below an address that its pages lead to."""
    seen, left = {start}, [start]
    while left:
        page = phone.open(left.pop())
        yield page
        found = re.findall(r'href="([^"#]+)', page.response.text)
        new = [value.replace("&amp;", "&") for value in found if value.startswith(start) and "/file" not in value]
        left += [fromkey for fromkey in dict.fromkeys(new) if fromkey not in seen]
        seen.update(new)


@pytest.mark.parametrize("who", ["the owner", "a watcher"])
def test_every_page_of_the_book_opens(phone: Phone, other_phone: Phone, book: OddBook, who: str) -> None:
    code, mine = book[0], phone
    if who == "a watcher":
        mine, code = other_phone, join_book(phone, other_phone, WATCHER).code

    pages = list(crawled(mine, f"/books/{code}/"))

    assert {page.path: page.status for page in pages if page.status not in (200, 303)} == {}
    opened = {page.path.removeprefix(f"/books/{code}/").partition("/")[0] for page in pages}
    assert opened >= {"people", "pairs", "years", "matches", "matches.csv", "hands.csv"} | (
        {"names"} if who == "the owner" else set()
    )
    assert mine.open(f"/books/{code}/matches.csv").status == 200
