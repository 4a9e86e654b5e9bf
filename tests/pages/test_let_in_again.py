"""A phone that was removed and is let in again: no page that it may see shows any more that it was removed."""

import pytest
from flask import Flask

from tests.club.money.pages.test_money_night import eve_for_dan, links_of, night
from tests.common.calling import took
from tests.common.guests import OWNER, SCORER, WATCHER, change, invited, let_in
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin

pytestmark = pytest.mark.every_database


@pytest.fixture
def passed_on(match: Page, other_phone: Phone, app: Flask) -> str:
    """Let a phone score, pass its address on to another one, and remove it."""
    first = let_in(match, Phone(app.test_client()), SCORER)
    other_phone.open(first.path)
    return first.path


def test_the_address_that_it_had_leads_to_its_new_link(match: Page, other_phone: Phone, passed_on: str) -> None:
    change(match, "end")
    assert other_phone.open(f"{passed_on}history").status == 410
    mine = let_in(match, other_phone, SCORER)

    page = Page(other_phone.client.get(f"{passed_on}history?newest=first", follow_redirects=True), other_phone)

    assert mine.path != passed_on
    assert (page.status, page.path) == (200, f"{mine.path}history")
    assert Phone(match.phone.client.application.test_client()).open(passed_on).status == 410


@pytest.mark.parametrize(("role", "status", "score"), [(WATCHER, 403, "0"), (SCORER, 200, "4")])
def test_a_form_that_was_open_is_sent_as_far_as_its_new_link_allows(
    match: Page, other_phone: Phone, passed_on: str, role: str, status: int, score: str
) -> None:
    form = other_phone.open(f"{passed_on}hands/new").form("/hands/new")
    change(match, "end")
    let_in(match, other_phone, role)

    fields = {**form.fields, "call": "p4:3", **took("s2"), "do": "save"}
    moved = other_phone.post(form.action, fields, follow=False).response
    page = other_phone.post(moved.headers["Location"], fields)

    assert (moved.status_code, page.status) == (307, status)
    assert match.open().scores["s2"] == score


@pytest.mark.club
@pytest.mark.parametrize("role", [WATCHER, SCORER])
def test_by_a_code_it_has_all_of_a_money_night_again_as_the_code_says(
    begin: Begin, other_phone: Phone, role: str
) -> None:
    match = begin("racehorse")
    first = let_in(match, other_phone, SCORER, "p2")
    change(match, OWNER)
    after = eve_for_dan(match)
    (second,) = [path for path in links_of(night(first)) if path != first.path]
    change(match, "end")
    assert [other_phone.open(path).status for path in (first.path, second)] == [410, 410]

    other_phone.open(invited(after, role))
    let_in(after, other_phone, role, "p2")

    pages = [other_phone.open(path) for path in (first.path, second)]
    assert [page.status for page in pages] == [200, 200]
    assert [other_phone.open(f"{page.path}names").status for page in pages] == [200 if role == SCORER else 403] * 2
    assert [other_phone.open(f"{page.path}room").status for page in pages] == [403, 403]
