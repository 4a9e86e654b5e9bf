"""What a link allows: every form of a match, for every role; and a change by the owner takes effect at once."""

import pytest
import segno
from flask import Flask

from tests.common.calling import took
from tests.common.guests import SCORER, WATCHER, address_of, change, come_in, invited, let_in
from tests.common.phone import Page, Phone
from tests.pages.conftest import record


def test_a_page_that_names_no_role_is_shown_to_nobody(own_app: Flask) -> None:
    own_app.add_url_rule("/matches/<code>/new-page", view_func=lambda code: code, endpoint="new_page")
    own_app.config["PROPAGATE_EXCEPTIONS"] = False

    assert own_app.test_client().get("/matches/anything/new-page").status_code == 500


@pytest.mark.parametrize("rest", ["", "history", "menu"])
def test_a_watcher_sees_no_button_that_writes_but_thats_wrong(match: Page, other_phone: Phone, rest: str) -> None:
    record(match, call="p4:3")
    record(match, call="p4:4")
    match.open("history/1/remove").send("/remove")
    mine = let_in(match, other_phone, WATCHER, "p2")

    page = mine.open(rest)

    posts = [form.attrs["action"] for form in page.all("form", method="post")]
    assert [action for action in posts if "/matches/" in action and not action.endswith("/dispute")] == []
    labels = ("Record hand", "Undo", "Correct", "Delete", "Restore", "Stop for tonight", "Other phones")
    assert [label for label in labels if page.offers(label)] == []


def test_a_form_sent_too_late_is_refused_in_words_and_can_be_sent_again(match: Page, other_phone: Phone) -> None:
    mine = let_in(match, other_phone, SCORER, "p2")
    entry = mine.tap("Record hand")
    change(match, "watcher")
    fields = {**entry.form("/hands/new").fields, "call": "p4:3", **took("s2"), "do": "save"}
    other_phone.client.environ_base["HTTP_ORIGIN"] = "http://localhost"

    late = other_phone.post(f"{mine.path}hands/new", fields)
    part = other_phone.post(f"{mine.path}hands/preview", fields, part=True)

    assert (late.status, "This phone is watching" in late.root.text) == (403, True)
    assert late.form("/hands/new").fields["call"] == "p4:3"
    assert (part.status, part.response.headers["HX-Retarget"]) == (403, "#trouble")
    change(match, "scorer")
    assert late.send("/hands/new").scores == {"s1": "0", "s2": "4"}


@pytest.mark.every_database
def test_an_open_page_shows_that_it_may_score_now(match: Page, other_phone: Phone) -> None:
    mine = let_in(match, other_phone, WATCHER, "p2")
    poll = mine.part("board").attrs["hx-get"]
    assert other_phone.open(poll, part=True).status == 204

    change(match, "scorer")
    given = other_phone.open(poll, part=True)
    change(match, "owner")
    raised = other_phone.open(given.part("board").attrs["hx-get"], part=True)
    assert match.open("room").offers("Remove this phone")
    change(match, "watcher")
    taken = other_phone.open(raised.part("board").attrs["hx-get"], part=True)

    assert given.offers("Record hand")
    assert "This phone can score now." in given.text
    assert "This phone is a co-owner now." in raised.text
    assert not taken.offers("Record hand")
    assert "Bea’s phone is watching." in taken.part("bottom_bar").text
    assert other_phone.open(taken.part("board").attrs["hx-get"], part=True).status == 204


@pytest.mark.every_database
def test_whose_link_was_ended_reads_who_ended_it(match: Page, other_phone: Phone) -> None:
    match.open("whose").send("/whose", {"seat": "p1"})
    mine = let_in(match, other_phone, SCORER, "p2")

    removed = change(match, "end")

    page = other_phone.open(mine.path)
    assert "Bea is removed." in removed.text
    assert (page.status, page.has("board"), "Ann removed this phone" in page.text) == (410, False, True)
    assert mine.path not in other_phone.open("/").response.text


def test_the_page_says_that_a_removal_closed_codes_and_opens_new_ones(match: Page, other_phone: Phone) -> None:
    let_in(match, other_phone, SCORER, "p2")
    old = {address_of(match, SCORER), invited(match, WATCHER)}

    removed = change(match, "end")

    assert "Bea is removed. The codes that it could use are closed." in removed.text
    shown = removed.tap("Open new ones")
    assert shown.all(class_="pin")
    assert "The codes that it could use" not in shown.text
    assert not {address_of(match, SCORER), address_of(match, WATCHER)} & old


def test_the_history_names_the_phone_that_wrote(match: Page, other_phone: Phone) -> None:
    record(match, call="p4:3")
    mine = let_in(match, other_phone, SCORER, "p2")
    record(mine, call="p4:3")

    theirs = match.open("history").text
    here = other_phone.open(f"{mine.path}history").text

    assert "Bea recorded this" in theirs
    assert "This phone recorded this" in theirs
    assert "Another phone recorded this" in here


@pytest.mark.every_database
def test_nobody_may_score_by_the_code_on_the_tv(match: Page, other_phone: Phone) -> None:
    shown = match.open().tap("Menu").tap("Show on TV").tap("Open on this device")
    assert match.path not in picture(shown)

    link = match.open("room").one(class_="link").text

    guest = come_in(other_phone, address_of(match, WATCHER), "p2")

    assert segno.make(link, micro=False).svg_inline(
        border=2, light="#fff", dark="#000", omitsize=True, title="To follow this match"
    ) in picture(shown)
    assert not guest.offers("Record hand")
    assert not other_phone.open(f"{guest.path}tv").offers("Record hand")


def picture(page: Page) -> str:
    return page.response.text.partition('<div class="join">')[2]


def test_the_tv_follows_the_code(match: Page) -> None:
    shown = match.open().tap("Menu").tap("Show on TV").tap("Open on this device")
    poll = shown.part("board").attrs["hx-get"]
    assert match.phone.open(poll, part=True).status == 204

    match.open("room").send("/room/close")

    assert not match.phone.open(poll, part=True).all(class_="join")
