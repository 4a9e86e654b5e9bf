"""Whole page or part: one decision, for every way a request can arrive."""

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient
from jinja2 import UndefinedError

from scorekeeper.web.errors import ErrorText
from scorekeeper.web.respond import no_news_response, render_page, see_other

TEMPLATE = "shared/error.html"
TEXT = ErrorText("Title", "Problem", "Advice")
PART = {"HX-Request": "true"}


def add_pages(app: Flask) -> None:
    """Add one page for each way to answer."""

    def page(block: str = "") -> Response:
        return render_page(
            TEMPLATE, block=block or (), text=TEXT, resend=None, match_code="", retry_seconds=0, closed=None
        )

    app.add_url_rule("/shown", view_func=lambda: page("trouble"), endpoint="shown")
    app.add_url_rule("/whole", view_func=page, endpoint="whole")
    app.add_url_rule("/gone", view_func=lambda: see_other("/next"), endpoint="gone")
    app.add_url_rule("/poll", view_func=no_news_response)


@pytest.fixture
def answering(app: Flask) -> FlaskClient:
    """Make a client of an app with these pages."""
    return app.test_client()


@pytest.mark.parametrize(
    ("path", "headers", "is_whole"),
    [
        ("/shown", {}, True),
        ("/shown", PART, False),
        ("/shown", PART | {"HX-Boosted": "true"}, True),
        ("/shown", PART | {"HX-History-Restore-Request": "true"}, True),
        ("/shown", {"HX-Boosted": "true"}, True),
        ("/whole", PART, True),
    ],
)
def test_htmx_gets_a_part_where_one_is_named_and_everyone_else_the_page(
    answering: FlaskClient, path: str, headers: dict[str, str], is_whole: bool
) -> None:
    answer = answering.get(path, headers=headers)

    assert ("<html" in answer.text) is is_whole
    assert "Problem" in answer.text


def test_a_whole_page_has_no_word_for_htmx(answering: FlaskClient) -> None:
    assert not [name for name in answering.get("/shown").headers.keys() if name.startswith("HX-")]


@pytest.mark.parametrize("path", ["/shown", "/whole", "/gone", "/poll"])
def test_every_answer_says_what_it_depends_on(answering: FlaskClient, path: str) -> None:
    assert {"HX-Request", "HX-Boosted", "HX-History-Restore-Request"} <= set(answering.get(path).vary)


def test_a_form_leads_on_with_scripts_and_without(answering: FlaskClient) -> None:
    answer = answering.get("/gone")

    assert (answer.status_code, answer.location) == (303, "/next")
    assert answering.get("/gone", headers=PART).headers["HX-Redirect"] == "/next"


def test_an_unchanged_poll_is_empty(answering: FlaskClient) -> None:
    answer = answering.get("/poll", headers=PART)

    assert (answer.status_code, answer.data) == (204, b"")


@pytest.mark.parametrize(
    "template", ["{{ nobody }}", "{% if nobody %}{% endif %}", "{% for person in nobody %}{% endfor %}"]
)
def test_a_name_that_a_template_is_not_given_is_an_error(app: Flask, template: str) -> None:
    with pytest.raises(UndefinedError):
        app.jinja_env.from_string(template).render()
