"""What a phone shows when a request fails: an error page with the site's layout, or a notice on the open page."""

import pytest
from flask import Flask, abort
from flask.testing import FlaskClient

from scorekeeper.club.nights.pages.context import NIGHT_LINK_KIND
from scorekeeper.web.errors import (
    CANNOT_READ_TEXT,
    CANNOT_SAVE_TEXT,
    FORM_EXPIRED_TEXT,
    TEXTS_BY_STATUS,
    UNREADABLE_TEXT,
    ErrorText,
)
from scorekeeper.web.security import MATCH_LINK_KIND
from tests.common.each import each

HTMX = {"HX-Request": "true"}


def add_pages(app: Flask) -> None:
    app.add_url_rule("/fail/<int:status>", view_func=lambda status: abort(status), endpoint="fail")
    app.add_url_rule("/break", view_func=lambda: str(1 // 0), endpoint="break")


@pytest.fixture
def failing(app: Flask) -> FlaskClient:
    """Make a client of an app with a route for each kind of failure."""
    app.config["PROPAGATE_EXCEPTIONS"] = False
    return app.test_client()


PAGE_TEXTS = [*TEXTS_BY_STATUS.values(), FORM_EXPIRED_TEXT]


@pytest.mark.parametrize("status", sorted(set(TEXTS_BY_STATUS) | {418, 503}))
def test_every_failure_has_a_page_that_says_what_to_do(failing: FlaskClient, status: int) -> None:
    page = failing.get(f"/fail/{status}")
    text = TEXTS_BY_STATUS.get(status) or TEXTS_BY_STATUS[400 if status < 500 else 500]

    assert page.status_code == status
    assert page.text.lower().startswith("<!doctype html>")
    assert f"{text.title} · Scorekeeper</title>" in page.text
    assert text.advice in page.text
    assert 'href="/"' in page.text


@each("text", PAGE_TEXTS)
@pytest.mark.parametrize("never", ["error", "invalid", "oops", "please", "sorry", "!"])
def test_no_text_blames_or_alarms(text: ErrorText, never: str) -> None:
    assert never not in f"{text.title} {text.problem} {text.advice}".lower()


NOT_ALLOWED = [text for kind in (MATCH_LINK_KIND, NIGHT_LINK_KIND) for text in (kind.scorers_only, kind.owners_only)]


@each("text", [*PAGE_TEXTS, CANNOT_READ_TEXT, CANNOT_SAVE_TEXT, UNREADABLE_TEXT, *NOT_ALLOWED])
def test_what_is_wrong_is_understood_without_the_title_where_a_waiting_hand_says_it(text: ErrorText) -> None:
    assert text.problem.split()[0] not in ("It", "Its", "That", "They")
    assert " its " not in text.problem


def test_an_internal_error_shows_no_details(failing: FlaskClient) -> None:
    page = failing.get("/break")

    assert page.status_code == 500
    assert TEXTS_BY_STATUS[500].title in page.text
    assert "ZeroDivisionError" not in page.text
    assert "Traceback" not in page.text


def test_htmx_gets_a_notice_for_the_open_page(failing: FlaskClient) -> None:
    part = failing.get("/fail/404", headers=HTMX)

    assert part.status_code == 404
    assert "<html" not in part.text
    assert TEXTS_BY_STATUS[404].problem in part.text
    assert part.headers["HX-Retarget"] == "#trouble"


def test_page_and_notice_are_never_mixed_up_by_a_cache(failing: FlaskClient) -> None:
    page = failing.get("/fail/404")

    assert "HX-Request" in page.headers["Vary"]
    assert page.headers["Cache-Control"] == "no-store"


def test_the_wrong_method_names_the_right_ones(failing: FlaskClient) -> None:
    page = failing.get("/theme")

    assert page.status_code == 405
    assert "POST" in page.headers["Allow"]
