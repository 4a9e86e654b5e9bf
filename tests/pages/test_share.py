"""Sharing the score of a match: the text, and a link that only allows watching and can be removed."""

import io
import re

import pytest
from PIL import Image

from tests.common.guests import SCORER, WATCHER, let_in
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record


@pytest.fixture
def over(begin: Begin) -> Page:
    """Play until somebody has won."""
    match = begin(house_target="7")
    return record(record(match, call="p2:4"), call="p2:4")


def sent(page: Page) -> str:
    """Return the lines of the text to copy."""
    return page.one("textarea").inside[0].strip()  # type: ignore[union-attr]


def watching_path(page: Page) -> str:
    """Return the path of the link in the shared text."""
    return re.sub(r"^https?://[^/]+", "", sent(page).splitlines()[-1])


@pytest.mark.every_database
def test_the_result_is_sent_with_a_link_to_watch_and_never_with_the_phones_own(over: Page, other_phone: Phone) -> None:
    page = over.tap("Share")

    assert "Bea & Dan win: Ann & Cal 0, Bea & Dan 8." in sent(page)
    assert "made it and have 8" in sent(page)
    assert over.code not in sent(page)
    assert "readonly" in page.one("textarea").attrs
    watcher = other_phone.open(watching_path(page))
    assert "Bea & Dan win" in watcher.text
    assert not watcher.offers("Undo")


def test_a_match_that_goes_on_is_shared_from_its_menu(match: Page) -> None:
    record(match, call="p4:3")

    page = match.open("menu").tap("Share the score")

    assert "1 hand played." in sent(page)
    assert "Ann & Cal 0, Bea & Dan 4." in sent(page)


@pytest.mark.every_database
def test_the_link_is_removed_with_the_connected_phones(over: Page, other_phone: Phone) -> None:
    page = over.tap("Share")
    path = watching_path(page)
    assert "not opened yet" in over.open("room").text
    other_phone.open(path)
    other_phone.open(f"{path}board", part=True)  # the poll of the open page

    room = over.open("room")
    assert "Shared link lets people watch" in room.text
    assert "opened on 1 phone" in room.text
    removed = room.send("/room/2", press="Remove link")

    assert "Shared link is removed." in removed.text
    assert other_phone.open(path).status == 410
    assert over.tap("Share").status == 200
    assert watching_path(over.tap("Share")) != path


def test_a_shared_link_never_lets_anybody_score(over: Page, other_phone: Phone) -> None:
    path = watching_path(over.tap("Share"))

    for do in ("scorer", "owner"):
        assert over.open("room").post("/room/2", {"do": do}).status == 422

    assert not other_phone.open(path).offers("Undo")


@pytest.mark.every_database
def test_who_joins_after_opening_a_shared_link_gets_a_link_of_their_own(match: Page, other_phone: Phone) -> None:
    path = watching_path(match.open().tap("Menu").tap("Share the score"))
    other_phone.open(path)

    mine = let_in(match, other_phone, SCORER, "p2")

    assert mine.path != path
    assert mine.offers("Record hand")
    assert not Phone(other_phone.client.application.test_client()).open(path).offers("Record hand")


def test_a_shared_link_is_nobodys_phone(match: Page, other_phone: Phone) -> None:
    path = watching_path(match.tap("Menu").tap("Share the score"))

    assert not other_phone.open(f"{path}menu").offers("Whose phone is this?")
    refused = other_phone.open(f"{path}whose").send("/whose", {"seat": "p2"})
    assert refused.status == 422
    assert "Ask for a PIN" in refused.text


@pytest.mark.parametrize("role", [SCORER, WATCHER])
def test_other_phones_send_the_words_alone(over: Page, other_phone: Phone, role: str) -> None:
    over.tap("Share")

    page = let_in(over, other_phone, role, "p2").tap("Share")

    assert "Bea & Dan win" in sent(page)
    assert "/matches/" not in sent(page)
    assert not page.offers("Add a link to watch")


def test_a_link_is_added_only_when_asked_for(over: Page) -> None:
    page = over.open("share")
    assert "/matches/" not in sent(page)

    assert "/matches/watch-" in sent(page.tap("Add a link to watch"))


def picture_path(page: Page) -> str:
    """Return the path of the result picture."""
    return re.search(r'href="([^"]+/share/picture\.png)"', page.response.text)[1]  # type: ignore[index]


def test_whoever_may_look_saves_the_result_as_a_picture(over: Page, other_phone: Phone) -> None:
    page = over.tap("Share")
    watcher = other_phone.open(watching_path(page)).tap("Share")

    answers = [found.phone.client.get(picture_path(found)) for found in (page, watcher)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert {answer.content_type for answer in answers} == {"image/png"}
    assert Image.open(io.BytesIO(answers[0].data)).size == (1080, 1350)
    assert answers[0].data == answers[1].data
    assert re.fullmatch(r"attachment; filename=.*\.png", answers[0].headers["Content-Disposition"])
    etag = {"If-None-Match": answers[0].headers["ETag"]}
    assert page.phone.client.get(picture_path(page), headers=etag).status_code == 304


def test_a_match_that_goes_on_has_no_picture_of_its_result(match: Page) -> None:
    record(match, call="p4:3")
    page = match.open("share")

    assert "Save picture" not in page.text
    assert match.phone.client.get(f"{match.path}share/picture.png").status_code == 404
