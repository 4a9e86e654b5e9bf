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
from tests.common.tables import table
from tests.scenarios.scene import told_record


def records() -> Iterator[dict[str, Any]]:
    """Yield the odd matches, of which the first is to be deleted."""
    for match in table(__file__, "odd_matches.toml")["match"]:
        record = told_record(**match)
        yield {**record, "hands": record["hands"] * match.get("times", 1), "played_on": "2026-11-20"}


@pytest.fixture
def book(phone: Phone) -> str:
    """Import the odd matches into a phone's book, one of them deleted; return its code."""
    deleted, *others = records()
    brought_in(phone, deleted).open("delete").send("/delete")
    brought_in(phone, *others)
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
