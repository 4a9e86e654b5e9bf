"""Forms from before a backup was restored, once the match has as many entries again."""

from pathlib import Path

import pytest
from flask import Flask

from tests.common.calling import took
from tests.common.opened_forms import Begun
from tests.common.phone import Page
from tests.pages.conftest import record


@pytest.fixture
def stale(app: Flask, database_url: str, match: Page) -> tuple[Page, Page]:
    """Return the match page and the page of its third hand as they were before another second hand took its place."""
    record(match, call="p1:2")
    backup = Begun(app, Path(database_url.removeprefix("sqlite:///")))
    record(match, call="p1:4")
    pages = match.open(), match.open("hands/new")
    backup.restore()
    record(match, call="p2:3")
    return pages


def test_a_hand_from_before_a_restore_goes_in_behind_no_other_unasked(match: Page, stale: tuple[Page, Page]) -> None:
    form = stale[1].form("/hands/new")

    asked = match.phone.post(form.action, {**form.fields, "call": "p3:2", **took("s1"), "do": "save"})

    assert asked.status == 409
    assert len(match.open().rows) == 2
    again = next(form for form in asked.forms if "took-high" in form.fields)
    match.phone.post(again.action, again.fields)
    assert [row.split()[1] for row in match.open().rows] == ["Cal", "Bea", "Ann"]


def test_a_correction_of_a_hand_that_is_lost_is_asked_about_after_the_match_was_stopped(
    app: Flask, database_url: str, match: Page
) -> None:
    record(match, call="p1:2")
    backup = Begun(app, Path(database_url.removeprefix("sqlite:///")))
    record(match, call="p1:4")
    record(match, call="p1:3")
    row = next(found for found in match.open().all("tr") if found.attrs.get("id", "").startswith("hand-"))
    address = f"/hands/{row.attrs['id'].removeprefix('hand-')}"
    form = match.phone.open(f"{match.path.rstrip('/')}{address}").form(address)
    backup.restore()
    match.open("stop").send("/stop")

    asked = match.phone.post(form.action, {**form.fields, "call": "p3:2", "do": "save"})

    assert asked.status == 409
    assert "which the server no longer has" in asked.text
    stopped = next(found for found in asked.forms if "took-high" in found.fields)
    assert "Resume and save" in match.phone.post(stopped.action, stopped.fields).text


def test_an_undo_from_before_a_restore_takes_nothing_else_back(match: Page, stale: tuple[Page, Page]) -> None:
    stale[0].send("/undo")

    assert len(match.open().rows) == 2
