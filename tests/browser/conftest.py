"""The whole app on a port of its own, and phones with a browser to try it on."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Playwright, sync_playwright
from playwright.sync_api import Page as Screen
from waitress.server import create_server

from scorekeeper.app import create_app
from scorekeeper.extensions import db, migrate
from tests.browser.tables import begun
from tests.look.conftest import CHROMIUM, QUIET
from tests.web.phone import Phone

KITCHEN = "kitchen.test"
"""A name for this machine that browsers take for any other's: over plain http they keep and promise nothing."""
FLAGS = [*QUIET, "--disable-dev-shm-usage", f"--host-resolver-rules=MAP {KITCHEN} 127.0.0.1"]
PATIENCE = 5000
"""Milliseconds; everything is on this machine."""
CUT = re.compile(r"net::ERR_|htmx:afterRequest|htmx:sendError|htmx:timeout|htmx:responseError|Response Status Error")
"""What a console says where there is no network, as it should."""


@dataclass
class House:
    """The app, where it is served, and a way to lay tables without a screen."""

    app: Flask
    address: str

    def phone(self) -> Phone:
        """Take a phone without a screen."""
        return Phone(self.app.test_client())


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Serve the app, with a database of its own, while the tests run."""
    folder = tmp_path_factory.mktemp("house")
    app = create_app({"SCOREKEEPER_INSTANCE": folder, "SCOREKEEPER_HOST": "127.0.0.1"})
    migrate(app)
    server = create_server(app, host="127.0.0.1", port=0, threads=4)
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    yield House(app, f"http://127.0.0.1:{server.effective_port}")
    server.close()
    thread.join(timeout=5)
    with app.app_context():
        db.engine.dispose()


@pytest.fixture(scope="package")
def playwright_here() -> Iterator[Playwright]:
    """Start Playwright, apart from any plugin's own."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright_here: Playwright) -> Iterator[Browser]:
    """Start Chromium once."""
    browser = playwright_here.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield browser
    browser.close()


@dataclass
class Pocket:
    """Phones taken out for a test, and all that their consoles said."""

    browser: Browser
    house: House
    folder: Path
    said: list[str] = field(default_factory=list)
    taken: list[BrowserContext] = field(default_factory=list)

    def phone(
        self, *, width: int = 390, height: int = 844, scripts: bool = True, keeps: bool = False, **wishes: Any
    ) -> Screen:
        """Take a phone with an empty browser, which keeps pages only where that is wished, as over https."""
        context = self.browser.new_context(
            base_url=self.house.address,
            viewport={"width": width, "height": height},
            has_touch=True,
            is_mobile=True,
            java_script_enabled=scripts,
            service_workers="allow" if keeps else "block",
            **wishes,
        )
        context.set_default_timeout(PATIENCE)
        self.taken.append(context)
        screen = context.new_page()
        screen.on("console", self._listen)
        screen.on("pageerror", lambda error: self.said.append(str(error)))
        return screen

    def _listen(self, message: ConsoleMessage) -> None:
        # A page with another status than 200 is meant, and told by what is on it.
        if "blocked by Playwright" in message.text:
            return
        if message.type in ("error", "warning") and "the server responded with a status of" not in message.text:
            self.said.append(message.text)


@pytest.fixture
def pocket(browser: Browser, house: House, tmp_path: Path) -> Iterator[Pocket]:
    """Hand out phones; nothing may have been said on their consoles in the end."""
    pocket = Pocket(browser, house, tmp_path)
    yield pocket
    for context in pocket.taken:
        context.close()
    assert pocket.said == []


@pytest.fixture
def screen(pocket: Pocket) -> Screen:
    """Take a phone: 390 by 844, touched."""
    return pocket.phone()


Lay = Callable[..., str]


@pytest.fixture
def lay(house: House) -> Lay:
    """Begin a match without a screen, and give its path."""

    def lay(ruleset_id: str = "partnership-pitch", **said: str) -> str:
        return begun(house.phone(), ruleset_id, **said).path

    return lay
