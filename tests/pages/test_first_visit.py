"""Pages opened before a phone has a cookie: one without cookies stores nothing, others list these pages later."""

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.database.engine import db
from tests.club.hosting.test_unused import how_many
from tests.common.books import book_of
from tests.common.nights import begin_night
from tests.common.phone import Page, Phone


def rows(app: Flask) -> int:
    with app.app_context():
        return how_many(db.session)


@pytest.fixture
def addresses(app: Flask, match: Page) -> list[str]:
    """Return the addresses of what a phone can open: a match, a book, rules, and what a book leads to."""
    begin_night(match.phone, "Ann & Bea", "Cal & Dan")
    book = book_of(match.phone)
    nights = match.phone.open(f"{book.path}nights/")
    rules = match.phone.open("/house/new?base=partnership-pitch").send("/house/new", {"name": "Ours"}, press="Save")
    others = Phone(app.test_client())  # to which the book's matches are opened by the book alone
    inside = [
        link.attrs["href"].partition("#")[0]
        for page in (others.open(book.path), nights)
        for link in page.all("a")
        if link.attrs["href"].startswith((f"{book.path}matches/", f"{book.path}nights/"))
    ]
    assert any("/matches/" in found for found in inside)
    return [match.path, f"{match.path}tv", book.path, rules.path.removesuffix("/share"), *inside]


@pytest.mark.club
def test_a_visit_without_a_cookie_adds_no_row(app: Flask, addresses: list[str]) -> None:
    for address in addresses:
        Phone(app.test_client()).open(address)  # what is counted once for all is there now
    before = rows(app)

    found = [Phone(app.test_client()).open(address).status for address in addresses]

    assert set(found) <= {200, 302, 303}
    assert rows(app) == before


def test_pages_that_a_new_phone_opens_at_once_all_send_their_forms(app: Flask, match: Page, other_phone: Phone) -> None:
    other_phone.open(match.path)
    beside = Phone(app.test_client())
    beside.client.set_cookie("scorekeeper", cookie_of(other_phone))
    entry = other_phone.open(f"{match.path}hands/new")
    beside.open(f"{match.path}hands/new")
    other_phone.client.set_cookie("scorekeeper", cookie_of(beside))  # the answer that came last

    assert entry.send("/hands/new", {"call": "p1:2"}).status == 200


def cookie_of(phone: Phone) -> str:
    cookie = phone.client.get_cookie("scorekeeper")
    assert cookie
    return cookie.value


def test_what_a_phone_opened_first_is_on_its_list_as_soon_as_the_page_asks_for_news(
    app: Flask, match: Page, other_phone: Phone
) -> None:
    board = other_phone.open(match.path).part("board").attrs["hx-get"]
    before = rows(app)

    first, second = (other_phone.open(board, part=True).response for _ in range(2))

    assert rows(app) == before + 1
    assert [(found.status_code, "Set-Cookie" in found.headers) for found in (first, second)] == [
        (204, True),
        (204, False),
    ]


@pytest.mark.club
def test_a_match_in_a_book_is_opened_by_way_of_the_book(addresses: list[str], other_phone: Phone) -> None:
    [inside] = [address for address in addresses if "/books/" in address and "/matches/" in address]

    first, second = other_phone.open(inside), other_phone.open(inside)

    assert first.response.headers["Location"].startswith("/books/")
    assert second.response.headers["Location"].startswith("/matches/")


def test_a_link_that_was_ended_before_the_second_page_is_no_trouble(
    match: Page, other_phone: Phone, app: Flask
) -> None:
    other_phone.open(match.path)
    with app.app_context():
        db.session.execute(sa.text("UPDATE link SET revoked_at = created_at"))
        db.session.commit()

    assert other_phone.open("/").status == 200
