"""Every page of a match that can write, opened before another phone changed the match, or a backup was restored.

The forms come from the pages themselves, and the routes from the app's own list: a new one joins by itself.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import load_match
from tests.common.calling import took
from tests.common.opened_forms import (
    FOR_MONEY,
    MATCHES,
    MEANWHILE,
    TYPED,
    Begun,
    endpoint_of,
    filled,
    found_forms,
    guest_of,
    match_of,
    routes_that_write,
)
from tests.common.phone import Page, Phone
from tests.common.reading import Form, forms_of
from tests.pages.conftest import record

pytestmark = pytest.mark.xdist_group("opened before")  # one process looks for the forms


@pytest.fixture
def app(app: Flask) -> Flask:
    """Return an app that checks no CSRF token."""
    app.config["WTF_CSRF_ENABLED"] = False
    return app


WHERE: dict[str, tuple[Callable[[Phone], Page], str]] = {}
"""Where each form was found, once for all tests."""


@pytest.fixture
def where(app: Flask) -> dict[str, tuple[Callable[[Phone], Page], str]]:
    """Return, for each route that can write, a match and the page that has its form."""
    where = WHERE
    has_money = "money_night" in app.blueprints
    for make in () if where else [make for make in MATCHES if has_money or make not in FOR_MONEY]:
        for endpoint, path, _ in found_forms(app, guest_of(app, make(Phone(app.test_client())))):
            where.setdefault(endpoint, (make, path))
    return {endpoint: where[endpoint] for endpoint in sorted(where.keys() & routes_that_write(app))}


# ---------- what has to hold


def faults_of(app: Flask, endpoint: str, mine: Page, form: Form, before: Match) -> Iterator[str]:
    """Send a form that was opened before, and yield what is wrong with the answer."""
    fields = filled(form)
    client = mine.phone.client
    response = client.post(form.action, data=fields, headers={"Origin": "http://localhost"}, follow_redirects=True)
    page = Page(response, mine.phone)
    answer = f"{endpoint} answers {page.status} at {page.path}"
    if page.status in (400, 404, 405) or page.status >= 500:
        yield f"{answer}: {page.text[-200:]}"
        return
    with app.app_context():
        after = load_match(db.session, before.code)
    if page.status >= 400:
        if not page.all("h2"):
            yield f"{answer} and says nothing"
        links = [link.attrs.get("href", "") for link in page.all("a")] + [found.action for found in forms_of(page.root)]
        if not [link for link in links if link.startswith(mine.path)]:
            yield f"{answer} and does not lead back"
    if page.status >= 400 or after.version == before.version:
        yield from (
            f"{answer} and loses {found}"
            for found in fields.values()
            if TYPED in found and found not in page.response.text
        )
    bids = ('value="p2:3"', 'name="bidder" value="p2"')
    if page.status >= 400 and "call" in form.offered and not any(bid in page.response.text for bid in bids):
        yield f"{answer} and loses the hand"
    if after.log.events[: len(before.log.events)] != before.log.events:
        yield f"{answer} and loses what was written"
    if [result for result in after.state.results if result.status == "after_end"]:
        yield f"{answer} and records a hand after the end"


@pytest.mark.parametrize("meanwhile", MEANWHILE)
def test_a_page_that_was_opened_before_says_what_happened_and_keeps_what_was_typed(
    app: Flask, database_url: str, where: dict[str, tuple[Callable[[Phone], Page], str]], meanwhile: str
) -> None:
    faults: list[str] = []
    matches = {make: make(Phone(app.test_client())) for make in dict(where.values())}
    guests = {make: guest_of(app, match) for make, match in matches.items()}
    begun = Begun(app, Path(database_url.removeprefix("sqlite:///")))

    for endpoint, (make, path) in where.items():
        begun.restore()
        match, mine = matches[make], guests[make]
        page = mine.phone.open(mine.path + path)
        form = next(found for found in forms_of(page.root) if endpoint_of(app, found.action) == endpoint)
        MEANWHILE[meanwhile](app, match)
        faults += faults_of(app, endpoint, mine, form, match_of(app, match))

    assert faults == [], "\n".join(faults)
    print(f"{len(where)} routes, {meanwhile}")


@pytest.fixture
def stale(app: Flask, database_url: str, match: Page) -> tuple[Page, Page]:
    """Return the match page and the page of its third hand as they were before a restore replaced the second hand."""
    record(match, call="p1:2")
    backup = Begun(app, Path(database_url.removeprefix("sqlite:///")))
    record(match, call="p1:4")
    pages = match.open(), match.open("hands/new")
    backup.restore()
    record(match, call="p2:3")
    return pages


def test_a_hand_from_before_a_restore_goes_in_behind_no_other_unasked(match: Page, stale: tuple[Page, Page]) -> None:
    form = stale[1].form("/hands/new")

    refused = match.phone.post(form.action, {**form.fields, "call": "p3:2", **took("s1"), "do": "save"})

    assert refused.status == 409
    assert len(match.open().rows) == 2
    again = next(form for form in refused.forms if "took-high" in form.fields)
    match.phone.post(again.action, again.fields)
    assert [row.split()[1] for row in match.open().rows] == ["Cal", "Bea", "Ann"]


def test_a_correction_of_a_hand_that_is_lost_is_asked_about_after_the_match_was_stopped(
    app: Flask, database_url: str, match: Page
) -> None:
    record(match, call="p1:2")
    backup = Begun(app, Path(database_url.removeprefix("sqlite:///")))
    record(match, call="p1:4")
    record(match, call="p1:3")
    form = match.open("hands/3").form("/hands/3")
    backup.restore()
    match.open("stop").send("/stop")

    refused = match.phone.post(form.action, {**form.fields, "call": "p3:2", "do": "save"})

    assert refused.status == 409
    assert "which the server no longer has" in refused.text
    stopped = next(found for found in refused.forms if "took-high" in found.fields)
    assert "Resume and save" in match.phone.post(stopped.action, stopped.fields).text


def test_an_undo_from_before_a_restore_takes_nothing_else_back(match: Page, stale: tuple[Page, Page]) -> None:
    stale[0].send("/undo")

    assert len(match.open().rows) == 2
