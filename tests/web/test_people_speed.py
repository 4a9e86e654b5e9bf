"""Every page about people in a tenth of a second, for a book of 20 years: 2,000 matches, 80,000 hands, 60 people."""

import gc
import re
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.extensions import db, migrate
from scorekeeper.services import books, figures
from scorekeeper.store.tables import EventRow, MatchRow
from scorekeeper.web.shared.library import library
from tests import family
from tests.apps import close, make_app
from tests.web.phone import Phone

LONGEST = 0.1
ROUNDS = 8
"""The fastest of so many counts: what another process takes of the machine is no time of the page."""


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Flask, str]]:
    """Make the book once."""
    folder: Path = tmp_path_factory.mktemp("big")
    app = make_app(folder, f"sqlite:///{folder / 'big.sqlite'}")
    migrate(app)
    with app.app_context():
        code = family.big_book(db.session, library()).code
        hands = db.session.execute(sa.select(sa.func.count()).select_from(EventRow.__table__)).scalar_one()
        matches = db.session.execute(sa.select(sa.func.count()).select_from(MatchRow.__table__)).scalar_one()
        assert (matches, hands >= 78_000) == (2000, True)
    yield app, code
    close(app)


@pytest.mark.timing
def test_every_page_of_20_years_is_there_at_once(big: tuple[Flask, str]) -> None:
    app, code = big
    phone = Phone(app.test_client())
    people = phone.open(f"/books/{code}/people").response.text
    person = re.findall(r'/people/([\w-]{22})"', people)[0]
    pairs = re.findall(r'href="(/books/[^"]+b=[^"]+)"', phone.open(f"/books/{code}/pairs").response.text)
    paths = [f"/books/{code}/{end}" for end in ("people", f"people/{person}", "pairs", "names", f"names/{person}")]
    paths += [f"/books/{code}/years/{year}" for year in (2025, 2030)] + [pairs[0].replace("&amp;", "&")]

    cold, warm = {}, {}
    for path in paths:
        cold[path] = min(_taken(phone, path, is_cold=True) for _ in range(ROUNDS))
        warm[path] = min(_taken(phone, path, is_cold=False) for _ in range(ROUNDS))

    assert {path: taken for path, taken in warm.items() if taken > LONGEST} == {}
    assert {path: taken for path, taken in cold.items() if taken > LONGEST} == {}


def _taken(phone: Phone, path: str, *, is_cold: bool) -> float:
    if is_cold:
        figures._cache.clear()
        books._cache.clear()
    gc.collect()
    begun = process_time()
    assert phone.client.get(path).status_code == 200
    return process_time() - begun
