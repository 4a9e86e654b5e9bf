"""The house rules of a match that is over are kept as a phone's own."""

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.eventlog.cache import clear_all_caches
from tests.common.guests import WATCHER, let_in
from tests.common.phone import Page, Phone, tap_together
from tests.pages.conftest import Begin, record

KEEP = "Keep as our rules"


@pytest.fixture
def won(begin: Begin) -> Page:
    """Play a match to 7 by house rules, until it is won."""
    match = begin(house_target="7", house_win_rule="first_to_target")
    return record(record(match, call="p2:4"), call="p2:4").tap("More")


def test_they_are_kept_once_and_the_match_says_so(won: Page, phone: Phone) -> None:
    kept = won.send("/house/take", press=KEEP)
    again = won.send("/house/take", press=KEEP)

    assert "Saved 2 changes Play to 7." in kept.text
    assert "Kept already 2 changes" in again.text
    assert again.path == kept.path
    assert "Kept as Our Partnership Pitch" in phone.open(won.path).tap("More").text
    assert len(phone.open("/house").all("a", href=kept.path.removesuffix("/share"))) == 1


def test_two_tabs_that_keep_them_at_the_same_moment_save_them_once(won: Page, phone: Phone) -> None:
    keys = iter(("one tab", "another tab"))
    form = won.form("/house/take")

    one, other = tap_together(phone, form.action, lambda: {**form.fields, "client_key": next(keys)})

    assert (one[1] or "").partition("?")[0] == (other[1] or "").partition("?")[0]
    assert phone.open("/house").text.count("Our Partnership Pitch") == 1


def test_rules_that_were_archived_are_kept_anew(won: Page, phone: Phone) -> None:
    kept = won.send("/house/take", press=KEEP)
    phone.open(kept.path.removesuffix("/share")).send("/retire", press="Archive")

    again = won.send("/house/take", press=KEEP)

    assert "Saved 2 changes" in again.text
    assert again.path != kept.path


def test_rules_that_were_renamed_are_kept_all_the_same(won: Page) -> None:
    kept = won.send("/house/take", press=KEEP)
    kept.tap("Rename").send(kept.path.removesuffix("/share"), {"name": "The Millers’ Pitch"}, press="Save")

    again = won.send("/house/take", press=KEEP)

    assert "Kept already" in again.text
    assert "The Millers’ Pitch" in again.text


def test_each_phone_keeps_its_own(won: Page, other_phone: Phone) -> None:
    won.send("/house/take", press=KEEP)
    theirs = let_in(won, other_phone, WATCHER)

    assert KEEP in theirs.tap("More").text
    assert "Kept as" in won.phone.open(won.path).tap("More").text
    assert KEEP in theirs.open().tap("More").text


def test_the_list_of_own_rules_points_to_what_was_played_and_not_kept(won: Page, phone: Phone) -> None:
    listed = phone.open("/house")

    kept = listed.send("/house/take", press="Keep Our Partnership Pitch")

    assert "or keep what you have played. Played, but not kept Keep Our Partnership Pitch" in listed.text
    assert "Saved 2 changes" in kept.text
    assert "Played, but not kept" not in phone.open("/house").text


def test_a_game_that_this_version_no_longer_has_is_neither_kept_nor_played_again(
    won: Page, phone: Phone, app: Flask
) -> None:
    with app.app_context():
        db.session.execute(sa.text("UPDATE match SET variant = 'gone'"))
        db.session.commit()
    clear_all_caches()

    assert KEEP not in phone.open(won.path).tap("More").text
    assert "Played, but not kept" not in phone.open("/house").text
    assert "no longer has this game" in phone.open(won.path).tap("Play again").text


def test_a_phone_that_played_nothing_has_nothing_to_keep(phone: Phone) -> None:
    assert "keep" not in phone.open("/house").text
