"""How much work the pages about people are in a book of 20 years: 2,000 matches of 60 people."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.database.migrating import migrate
from scorekeeper.web.library import library
from tests.common import family
from tests.common.apps import clear_caches, close, make_app
from tests.common.pace import counted_calls
from tests.common.phone import Phone

MAX_COLD, MAX_WARM = 330_000, 100_000
"""Calls of functions: a page whose figures are read from the database, and one whose figures are still in memory."""


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Flask, str]]:
    """Make the book once."""
    folder: Path = tmp_path_factory.mktemp("big")
    app = make_app(folder, f"sqlite:///{folder / 'big.sqlite'}")
    migrate(app)
    with app.app_context():
        access = family.begin_family_book(db.session)
        evenings = [*family.evenings(2000, [f"Person {number}" for number in range(60)], seed=7, days=4)]
        for first in range(0, len(evenings), 500):
            # Short ones: what a page reads of a match is as large, however many hands it has.
            family.play(db.session, library(), access, evenings[first : first + 500], target=10)
    yield app, access.code
    close(app)


def test_every_page_of_20_years_takes_little_work(big: tuple[Flask, str]) -> None:
    app, code = big
    phone = Phone(app.test_client())
    people = phone.open(f"/books/{code}/people").response.text
    person = re.findall(r'/people/([\w-]{22})"', people)[0]
    pairs = re.findall(r'href="(/books/[^"]+b=[^"]+)"', phone.open(f"/books/{code}/pairs").response.text)
    paths = [f"/books/{code}/{end}" for end in ("people", f"people/{person}", "pairs", "names", f"names/{person}")]
    paths += [f"/books/{code}/years/{year}" for year in (2025, 2030)] + [pairs[0].replace("&amp;", "&")]

    cold, warm = {}, {}
    for path in paths:
        clear_caches()
        cold[path] = _calls(phone, path)
        warm[path] = _calls(phone, path)

    assert {path: taken for path, taken in cold.items() if taken > MAX_COLD} == {}
    assert {path: taken for path, taken in warm.items() if taken > MAX_WARM} == {}


def _calls(phone: Phone, path: str) -> int:
    with counted_calls() as count:
        assert phone.client.get(path).status_code == 200
    return count.calls
