"""The whole app on a port of its own, and phones with a browser to open it on."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from flask import send_file
from playwright.sync_api import Browser, Page, expect

from scorekeeper.database.migrating import migrate
from tests.browser.actions import Site, enter_hand
from tests.browser.page_checks import AXE, AXE_PATH
from tests.browser.playing import begin_match
from tests.common.apps import close, fast_folder, forget_wrong_pins, make_app, serving
from tests.common.chromium import TIMEOUT, Phones
from tests.common.phone import Page as Answer

NETWORK_ERRORS = re.compile(
    r"net::ERR_|htmx:afterRequest|htmx:sendError|htmx:timeout|htmx:responseError|Response Status Error"
)
"""Console messages that are expected where there is no network."""

MAX_KEPT = 3600
"""Seconds for which a browser keeps what only the tests load."""

expect.set_options(timeout=TIMEOUT)


@pytest.fixture(scope="session")
def served_site() -> Iterator[Site]:
    """Serve the app, with a database of its own, while the tests run."""
    with fast_folder() as folder:
        app = make_app(folder, f"sqlite:///{folder / 'site.sqlite3'}", TESTING=False)
        app.add_url_rule(AXE_PATH, view_func=lambda: send_file(AXE, max_age=MAX_KEPT), endpoint="axe")
        migrate(app)
        with serving(app) as url:
            yield Site(app, url)
        close(app)


@pytest.fixture(autouse=True)
def any_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tests undo as fast as they like."""
    monkeypatch.setattr("scorekeeper.pages.match.views.UNDO_PAUSE", timedelta())


@pytest.fixture
def site(served_site: Site) -> Iterator[Site]:
    """Return the served app; what the last test wrote is there, but belongs to other phones."""
    yield served_site
    forget_wrong_pins(served_site.app)


@pytest.fixture
def phones(browser: Browser, site: Site) -> Iterator[Phones]:
    """Open phones; fail at the end if anything was logged on their consoles."""
    phones = Phones(browser, site.url)
    yield phones
    phones.close()
    assert [text for text in phones.console if not (phones.loses_network and NETWORK_ERRORS.search(text))] == []


@pytest.fixture
def network_errors_allowed(phones: Phones) -> None:
    """Let consoles report that there is no network."""
    phones.loses_network = True


@pytest.fixture
def page(phones: Phones) -> Page:
    """Open a page on a phone: 390 by 844, touched."""
    return phones.new()


@pytest.fixture
def own_page(phones: Phones) -> Page:
    """Open a page on a phone that no other test gets, so that a script may be left in it."""
    return phones.new(is_own=True)


@pytest.fixture
def short_page(phones: Phones) -> Page:
    """Open a page on a phone whose browser leaves it 390 by 664."""
    return phones.new(height=664)


@pytest.fixture
def still_page(phones: Phones) -> Page:
    """Open a page on a phone whose owner wants nothing to move."""
    return phones.new(reduced_motion="reduce")


StartMatch = Callable[..., str]


@pytest.fixture
def start_match(site: Site) -> StartMatch:
    """Return what starts a match without a browser, and returns its path."""

    def start_match(ruleset_id: str = "partnership-pitch", **answers: str) -> str:
        return begin_match(site.client(), ruleset_id, **answers).path

    return start_match


@pytest.fixture
def match(site: Site) -> Answer:
    """Start a match of Partnership Pitch on a phone without a browser."""
    return begin_match(site.client())


@pytest.fixture
def path(match: Answer) -> str:
    """Return where that match is."""
    return match.path


@pytest.fixture
def entry(page: Page, path: str) -> Page:
    """Open the page on which the first hand of that match is entered."""
    page.goto(f"{path}hands/new")
    return page


@pytest.fixture
def entered(entry: Page) -> Page:
    """Enter that hand."""
    enter_hand(entry)
    return entry
