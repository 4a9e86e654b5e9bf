"""Where unused data are removed after a time: pages show until when they are kept, and where to save a copy."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask

from scorekeeper.club.hosting.serving import folder_of_removed_files
from scorekeeper.club.hosting.unused import check_and_remove_unused
from scorekeeper.database.engine import db
from tests.club.hosting.test_unused import look_for_days, pass_by
from tests.common.books import book_of
from tests.common.nights import EIGHT, begin_night, night_path, seat_by_hand
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin
from tests.pages.test_share import watching_path

DAYS = 400
UNLESS_USED = "unless somebody uses it."


def day_after(days: int) -> str:
    """Return the sentence of a page about the day so many days from now."""
    then = datetime.now(UTC).astimezone() + timedelta(days=days)
    return f"Kept until {then:%b} {then.day}, {then.year} {UNLESS_USED}"


def pages(begin: Begin, phone: Phone, other_phone: Phone) -> list[Page]:
    """Open every page that shows until when something is kept."""
    match = begin()
    share = phone.open(f"{match.path}menu").tap("Share the score")
    share = share.send("share", {}, press="Add a link to watch") if "Add a link to watch" in share.text else share
    host = begin_night(phone, *EIGHT)
    seats = seat_by_hand(host)
    return [
        phone.open("/new/partnership-pitch"),
        phone.open(f"{match.path}menu"),
        share,
        other_phone.open(watching_path(share)),
        book_of(phone),
        host,
        seats,
        phone.open(f"{night_path(seats)}/seat"),
    ]


@pytest.mark.club
def test_pages_say_until_when_and_how_to_keep_a_copy(
    app: Flask, begin: Begin, phone: Phone, other_phone: Phone
) -> None:
    app.config["KEEP_UNUSED"] = DAYS

    for page in pages(begin, phone, other_phone):
        assert page.text.count(day_after(DAYS)) == 1, page.path
        copies = [link for link in page.all("a") if link.text == "Download a copy"]
        if page.path.startswith("/new"):
            assert "Its menu has a copy to download." in page.text
        else:
            [copy] = copies
            assert page.phone.client.get(copy.attrs["href"]).status_code == 200


def test_the_page_of_a_phone_that_scores_says_nothing(app: Flask, begin: Begin) -> None:
    app.config["KEEP_UNUSED"] = DAYS
    match = begin()

    assert UNLESS_USED not in match.text
    assert UNLESS_USED not in match.open("hands/new").text


@pytest.mark.club
def test_where_all_is_kept_nothing_is_said(begin: Begin, phone: Phone, other_phone: Phone) -> None:
    assert not [page.path for page in pages(begin, phone, other_phone) if UNLESS_USED in page.text]


@pytest.mark.club
def test_a_night_is_kept_from_when_it_was_written_in(app: Flask, phone: Phone) -> None:
    app.config["KEEP_UNUSED"] = DAYS
    path = night_path(begin_night(phone, *EIGHT))
    with app.app_context():
        pass_by(db.session, 10)

    assert day_after(DAYS - 10) in phone.open(f"{path}/pairs").text


@pytest.mark.club
@pytest.mark.parametrize("what", ["match", "book", "night"])
def test_the_link_to_what_was_removed_says_what_an_erased_one_does(
    app: Flask, begin: Begin, phone: Phone, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.config["KEEP_UNUSED"] = DAYS
    monkeypatch.setattr(app, "instance_path", str(tmp_path))
    paths = {"match": begin().path, "book": book_of(phone).path, "night": night_path(begin_night(phone)) + "/pairs"}
    path = paths[what]
    with app.app_context():
        pass_by(db.session, DAYS + 4)
        db.session.rollback()
    look_for_days(folder_of_removed_files(app))
    check_and_remove_unused(app)

    gone, never = phone.open(path), phone.open(path.replace(path.split("/")[2], "none"))
    assert (gone.status, gone.text) == (never.status, never.text)
    assert gone.status == 404
    assert phone.open("/").status == 200
    assert len([*folder_of_removed_files(app).glob("*-*")]) == 1
