"""Every form does what it says when the clock was set back a day, or is a year ahead."""

from datetime import timedelta

import pytest
from flask import Flask

from tests.common.clock import clock_set
from tests.common.sent_forms import opened, rows

pytestmark = pytest.mark.xdist_group("sent again")


@pytest.fixture
def app(app: Flask) -> Flask:
    """Look at no page's token, which is another matter."""
    app.config["WTF_CSRF_ENABLED"] = False
    return app


GOOD_FOR_HOURS = (
    "phones.invite",
    "phones.close",
    "join.enter",
    "join.submit_pin",
    "night_seats.enter",
    "tv.put_on",
    "put_on_wall",
)
"""What is done about a code by which phones join: that one expires is what a clock is for."""


def what_is_written(app: Flask, database_url: str, by: timedelta) -> dict[str, tuple[str, bool]]:
    """Open and send every form with the clock set, and return how each was answered and whether it wrote something."""
    done = {}
    for form in opened(app, database_url, set(), by):
        before = rows(app)
        with clock_set(by):
            answer, _ = form.send()
        done[form.said] = answer, rows(app) != before
    return {said: found for said, found in done.items() if not any(name in said for name in GOOD_FOR_HOURS)}


def test_every_form_does_the_same_whatever_the_clock_says(app: Flask, database_url: str) -> None:
    right, *wrong = (what_is_written(app, database_url, timedelta(days=days)) for days in (0, -1, 365))

    for done in wrong:
        assert {said: (found, right.get(said)) for said, found in done.items() if found != right.get(said)} == {}
        assert right.keys() - done.keys() == set()
