"""Whole page or part: one decision, for every way a request can arrive."""

import json

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient

from scorekeeper.web.contexts.errors import ErrorPage
from scorekeeper.web.respond import fragment_or_redirect, nothing_new, page, see_other

TEMPLATE = "errors/error.html"
CONTEXT = ErrorPage(status=200, title="Title", sentence="Sentence", mend="Mend", home_url="/")
PART = {"HX-Request": "true"}


@pytest.fixture
def answering(app: Flask) -> FlaskClient:
    """Make a client of an app with one page for each way to answer."""

    def shown() -> Response:
        return page(TEMPLATE, CONTEXT, block="trouble", trigger={"saved": {"hand": 3}}, address="/matches/x")

    def taken() -> Response:
        return fragment_or_redirect(TEMPLATE, CONTEXT, block="trouble", location="/next")

    app.add_url_rule("/shown", view_func=shown)
    app.add_url_rule("/taken", view_func=taken)
    app.add_url_rule("/whole", view_func=lambda: page(TEMPLATE, CONTEXT), endpoint="whole")
    app.add_url_rule("/gone", view_func=lambda: see_other("/next"), endpoint="gone")
    app.add_url_rule("/poll", view_func=nothing_new)
    return app.test_client()


@pytest.mark.parametrize(
    ("headers", "is_whole"),
    [
        ({}, True),
        (PART, False),
        (PART | {"HX-Boosted": "true"}, True),
        (PART | {"HX-History-Restore-Request": "true"}, True),
        ({"HX-Boosted": "true"}, True),
    ],
)
def test_htmx_gets_a_part_and_everyone_else_the_page(
    answering: FlaskClient, headers: dict[str, str], is_whole: bool
) -> None:
    answer = answering.get("/shown", headers=headers)

    assert ("<html" in answer.text) is is_whole
    assert "Sentence" in answer.text


def test_a_page_without_a_named_block_is_always_whole(answering: FlaskClient) -> None:
    assert "<html" in answering.get("/whole", headers=PART).text


def test_a_part_tells_the_page_what_happened(answering: FlaskClient) -> None:
    headers = answering.get("/shown", headers=PART).headers

    assert json.loads(headers["HX-Trigger"]) == {"saved": {"hand": 3}}
    assert headers["HX-Push-Url"] == "/matches/x"


def test_a_whole_page_has_no_word_for_htmx(answering: FlaskClient) -> None:
    assert not [name for name in answering.get("/shown").headers.keys() if name.startswith("HX-")]


@pytest.mark.parametrize("path", ["/shown", "/taken", "/whole", "/gone", "/poll"])
def test_every_answer_says_what_it_depends_on(answering: FlaskClient, path: str) -> None:
    assert {"HX-Request", "HX-Boosted", "HX-History-Restore-Request"} <= set(answering.get(path).vary)


def test_a_taken_form_leads_on_without_scripts(answering: FlaskClient) -> None:
    answer = answering.get("/taken")

    assert (answer.status_code, answer.location) == (303, "/next")


def test_a_taken_form_is_answered_in_place_with_htmx(answering: FlaskClient) -> None:
    answer = answering.get("/taken", headers=PART)

    assert answer.status_code == 200
    assert "Sentence" in answer.text


def test_htmx_is_told_to_leave_the_page(answering: FlaskClient) -> None:
    assert answering.get("/gone", headers=PART).headers["HX-Redirect"] == "/next"


def test_an_unchanged_poll_is_empty(answering: FlaskClient) -> None:
    answer = answering.get("/poll", headers=PART)

    assert (answer.status_code, answer.data) == (204, b"")
