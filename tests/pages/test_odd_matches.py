"""A book with odd matches in it: each of its pages opens for everybody, and so does each page of such a match."""

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from scorekeeper.eventlog.stream import WATCHER
from tests.common.books import book_code, join_book
from tests.common.importing import brought_in
from tests.common.phone import Page, Phone

US, THEM = "Us", "Them"
PLAYERS = ["Ann", "Bea", "Cal", "Dan"]


def record(variant: str, hands: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    return {"variant": variant, "hands": hands, "played_on": "2026-11-20", **fields}


def taken(who: str, bidder: str = "", bid: int = 4) -> dict[str, Any]:
    return {"bidder": bidder or who, "bid": bid, "taken": dict.fromkeys(("high", "low", "jack", "game"), who)}


NO_PLAYERS = [{"name": US}, {"name": THEM}]
ALL_CALLED = dict.fromkeys(("high", "low", "jack", "off_jack", "high_joker", "low_joker", "ten", "trey"), "bidders")
ODD = (
    record("partnership-pitch", [taken(US)] * 3, sides=NO_PLAYERS, house={"target": 11}),
    record("partnership-pitch", [taken(US, bid=2), taken(THEM, bid=2)], sides=NO_PLAYERS, stopped=True),
    record("partnership-pitch", [], players=PLAYERS),
    record("partnership-pitch", [taken("Ann & Cal", "Ann")], players=PLAYERS, house={"target": 4}),
    record(
        "partnership-pitch",
        [taken("Ann & Cal", "Ann"), taken("Bea & Dan", "Bea")] * 150,
        players=PLAYERS,
        house={"target": 1000},
        stopped=True,
    ),
    record("racehorse", [taken("Ann", bid=2)] * 3, players=PLAYERS, stopped=True),
    record(
        "pawnee-call-your-partner",
        [
            {"bidder": "Ann", "bid": 7, "trump": "spades", "called": "A", "partner": "Cal", "taken": ALL_CALLED},
            {"bidder": "Bea", "bid": "moon", "taken": ALL_CALLED, "all_tricks": True, "partner": None},
        ],
        players=[*PLAYERS, "Eve"],
        stopped=True,
    ),
)
"""Without players, and level; without a hand, with one, with three hundred; for money; with partners by a call."""
DELETED = record("partnership-pitch", [taken("Ann & Cal", "Ann")] * 3, players=PLAYERS, house={"target": 11})


@pytest.fixture
def book(phone: Phone) -> str:
    """Import the odd matches into a phone's book, one of them deleted; return its code."""
    brought_in(phone, DELETED).open("delete").send("/delete")
    brought_in(phone, *ODD)
    return book_code(phone)


def crawled(phone: Phone, start: str) -> Iterator[Page]:
    """Open every page below an address that its pages lead to."""
    seen, left = {start}, [start]
    while left:
        page = phone.open(left.pop())
        yield page
        links = {unescape(found) for found in re.findall(r'href="([^"#]+)', page.response.text)} - seen
        new = [link for link in links if link.startswith(start) and "/file" not in link]
        left += new
        seen.update(new)


@pytest.mark.club
@pytest.mark.parametrize("who", ["the owner", "a watcher"])
def test_every_page_of_the_book_opens(phone: Phone, other_phone: Phone, book: str, who: str) -> None:
    mine = phone
    if who == "a watcher":
        mine, book = other_phone, join_book(phone, other_phone, WATCHER).code

    pages = list(crawled(mine, f"/books/{book}/"))

    assert {page.path: page.status for page in pages if page.status not in (200, 303)} == {}
    opened = {page.path.removeprefix(f"/books/{book}/").partition("/")[0] for page in pages}
    assert opened >= {"people", "pairs", "years", "matches", "matches.csv", "hands.csv"} | (
        {"names"} if who == "the owner" else set()
    )
