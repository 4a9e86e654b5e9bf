"""A page is rendered once for all who see the same, and has for each phone its own link, token and keys."""

import re
from datetime import timedelta

import pytest
from flask import Flask

from scorekeeper.pages.match import page, views
from tests.common.clock import clock_set
from tests.common.guests import SCORER, let_in
from tests.common.phone import Page, Phone
from tests.common.reading import forms_of
from tests.pages.conftest import Begin, record


@pytest.fixture
def rendered(app: Flask, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect one entry each time the page is rendered."""
    made: list[str] = []
    whole = page.match_page

    def counted(match: object, *args: object, **known: object) -> object:
        made.append("page")
        return whole(match, *args, **known)  # type: ignore[arg-type]

    monkeypatch.setattr(views, "match_page", counted)
    return made


def codes(page: Page) -> set[str]:
    """Return the code of every link to a match that a page has."""
    return set(re.findall(r'/matches/([^/"]*)', page.response.text))


def keys(page: Page) -> list[str]:
    return [form.fields["client_key"] for form in forms_of(page.root) if "client_key" in form.fields]


def test_ten_phones_cost_one_rendering(app: Flask, match: Page, rendered: list[str]) -> None:
    record(match, call="p4:3")
    guests = [let_in(match, Phone(app.test_client()), SCORER) for _ in range(9)]
    rendered.clear()

    pages = [guest.open() for guest in guests]

    assert rendered == []
    assert [codes(page) for page in pages] == [{guest.code} for guest in guests]
    tokens = {page.form("/undo").fields["csrf_token"] for page in pages}
    assert len(tokens) == 9
    assert len({key for page in pages for key in keys(page)}) == sum(len(keys(page)) for page in pages) >= 9


def test_each_phone_reads_whether_others_can_open_its_own_address(app: Flask, match: Page) -> None:
    app.config.update(IN_CONTAINER=True, PUBLIC_URL="")
    opened = ("pitch.local", "192.168.1.20", "pitch.local")

    shown = [app.test_client().get(match.path, base_url=f"http://{host}:8000").text for host in opened]

    assert ["Phones can’t open this address." in text for text in shown] == [True, False, True]


def test_a_form_of_a_page_that_was_cached_works(match: Page, other_phone: Phone, rendered: list[str]) -> None:
    record(match, call="p4:3")
    guest = let_in(match, other_phone, SCORER)
    guest.open()
    rendered.clear()
    page = guest.open()

    assert rendered == []
    assert page.tap("Undo").scores == {"s1": "0", "s2": "0"}
    assert match.open().scores == {"s1": "0", "s2": "0"}


def test_two_matches_are_never_mixed_up(begin: Begin, rendered: list[str]) -> None:
    one, other = begin(), begin(seat_0="Zoe")

    assert "Zoe" in other.open().text
    assert "Zoe" not in one.open().text


def test_the_theme_is_the_phones_own(match: Page, other_phone: Phone) -> None:
    guest = let_in(match, other_phone, SCORER)
    other_phone.client.set_cookie("theme", "dark")

    dark = other_phone.open(guest.path).response.text
    third = Phone(other_phone.client.application.test_client()).open(guest.path).response.text

    assert 'data-theme="dark"' in dark
    assert "data-theme" not in third


HOSTILE = ("<i>code</i>", "{{ page.code }}", "0123456789abcdef01234567", "%s%s\\1", "csrf_token()")


def test_a_page_is_rendered_anew_on_the_next_day(match: Page, rendered: list[str]) -> None:
    match.open()
    rendered.clear()

    with clock_set(timedelta(days=1)):
        match.open()

    assert rendered == ["page"]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_imitates_a_place(begin: Begin, other_phone: Phone, name: str, rendered: list[str]) -> None:
    match = begin(seat_0=name)
    guest = let_in(match, other_phone, SCORER)

    for _ in range(2):
        page = guest.open()
        assert name in page.text
        assert codes(page) == {guest.code}
