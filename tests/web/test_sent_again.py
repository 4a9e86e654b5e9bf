"""A form that is sent again is answered as before and writes nothing, and no form depends on the clock.

The forms come from the pages themselves, and the routes from the app's own list: a new one joins by itself.
"""

from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask

from tests.common.clock import clock_set
from tests.common.opened_forms import RETIRED, Begun
from tests.common.phone import tap_together
from tests.common.sent_forms import START_PAGES, opened, rows, sizes

pytestmark = [pytest.mark.xdist_group("sent again"), pytest.mark.club]
WRITES_NOTHING = {"hands.preview", "theme.choose", "join.submit_pin", "new_book.cancel", "book_transfer.cancel"}
"""Routes that write no event; only the cookie, a hand in progress, wrong PINs, and uploads not imported yet."""
UPLOADS = {
    *("house.upload", "transfer.upload", "transfer.upload_again", "new_book.confirm"),
    *("book_transfer.upload", "book_transfer.confirm"),
}
"""These take a file; `test_import_export.py` and `test_book_transfer.py` send theirs twice."""


@pytest.fixture
def app(app: Flask) -> Flask:
    """Return an app that checks no CSRF token."""
    app.config["WTF_CSRF_ENABLED"] = False
    return app


def test_a_form_that_is_sent_again_is_answered_as_before_and_writes_nothing(app: Flask, database_url: str) -> None:
    routes = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    faults, tried = list[str](), set[tuple[str, ...]]()

    for form in opened(app, database_url, tried):
        before, first = rows(app), form.send()
        if rows(app) == before:
            continue
        for meanwhile in (None, *START_PAGES[form.make]):
            if meanwhile:
                meanwhile(app, form.start_page)
            now, again, later = rows(app), form.send(), rows(app)
            case = f"{form.description} after {meanwhile.__name__ if meanwhile else 'nothing'}"
            # A form without a key sets a state: its answer may depend on what was written since.
            if "client_key" in form.fields and first != again:
                faults.append(f"{case}: {first}, then {again}")
            faults += [f"{case} writes into {name}" for name in now if now[name] != later[name]]

    assert faults == [], "\n".join(faults)
    assert " ".join(sorted(routes - {kind[0] for kind in tried} - UPLOADS - WRITES_NOTHING - RETIRED)) == ""


def test_a_button_that_is_tapped_twice_at_once_writes_once_and_both_are_answered_alike(
    app: Flask, database_url: str
) -> None:
    faults = list[str]()

    for form in opened(app, database_url, set()):
        database = Begun(app, Path(database_url.removeprefix("sqlite:///")))
        once, before = form.send(), sizes(app)
        database.restore()
        one, other = tap_together(form.phone, form.action, lambda form=form: form.fields)  # type: ignore[misc]
        if sizes(app) != before:
            faults.append(f"{form.description} writes {sizes(app) - before}")
        if "client_key" in form.fields and (one != other or one[0] != once[0]):
            faults.append(f"{form.description}: {once}, at once {one} and {other}")
        if any(answer[0] >= "5" for answer in (one, other)):
            faults.append(f"{form.description}: {one} and {other}")

    assert faults == [], "\n".join(faults)


GOOD_FOR_HOURS = (
    *("phones.invite", "phones.close", "join.enter", "join.submit_pin", "night_seats.enter", "tv.put_on"),
    "put_on_wall",
)
"""Routes for codes by which phones join; these expire, so the clock matters."""


def answers_and_writes(app: Flask, database_url: str, by: timedelta) -> dict[str, tuple[str, bool]]:
    """Open and send every form with the clock set, and return how each was answered and whether it wrote something."""
    done = {}
    for form in opened(app, database_url, set(), by):
        before = rows(app)
        with clock_set(by):
            answer, _ = form.send()
        done[form.description] = answer, rows(app) != before
    return {sent: found for sent, found in done.items() if not any(name in sent for name in GOOD_FOR_HOURS)}


def test_every_form_does_the_same_whatever_the_clock_says(app: Flask, database_url: str) -> None:
    right, *wrong = (answers_and_writes(app, database_url, timedelta(days=days)) for days in (0, -1, 365))

    for done in wrong:
        assert {sent: (found, right.get(sent)) for sent, found in done.items() if found != right.get(sent)} == {}
        assert right.keys() - done.keys() == set()
