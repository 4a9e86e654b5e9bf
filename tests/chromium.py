"""Chromium for tests: where it is, how it is started, and pages on phones that keep what their consoles say."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is all that tests need, and takes half the time."""
LAN_HOST = "pitch.lan"
"""A name for this machine that browsers take for any other's: over plain http they keep and promise nothing."""
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-sync",
    f"--host-resolver-rules=MAP {LAN_HOST} 127.0.0.1",
    "--js-flags=--no-maglev --no-turbofan",  # no page is open for long enough to make up for optimizing its scripts
]
TIMEOUT = 10_000
"""Milliseconds: long, for a machine that runs other tests beside."""


@contextmanager
def launched() -> Iterator[Browser]:
    """Start Chromium: the system's, or the one that Playwright has installed; skip the test where neither starts."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    with ExitStack() as stack:
        try:
            playwright = stack.enter_context(sync_playwright())
            browser = stack.enter_context(playwright.chromium.launch(executable_path=found, args=FLAGS))
        except Exception as error:
            pytest.skip(f"Chromium does not start: {error}")
        yield browser


GIVEN_UP = ("htmx:afterRequest", "htmx:sendAbort")
"""What htmx tells the console of a request that was given up."""


@dataclass
class Phones:
    """Phones opened for a test, and everything that their consoles said."""

    browser: Browser
    base_url: str
    console: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)

    def new(
        self, *, width: int = 390, height: int = 844, scripts: bool = True, service_worker: bool = False, **options: Any
    ) -> Page:
        """Open a page on a phone with an empty browser, which takes a service worker only where that is asked for."""
        context = self.browser.new_context(
            base_url=self.base_url,
            viewport={"width": width, "height": height},
            has_touch=True,
            is_mobile=True,
            java_script_enabled=scripts,
            service_workers="allow" if service_worker else "block",
            **options,
        )
        context.set_default_timeout(TIMEOUT)
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self.console.append(str(error)))
        return page

    def close(self) -> None:
        """Close every phone."""
        while self.contexts:
            self.contexts.pop().close()

    def _listen(self, message: ConsoleMessage) -> None:
        # A page with another status than 200 is meant, and checked by what is on it.
        if "blocked by Playwright" in message.text:
            return
        # A page that is left before an answer is there gives that up, and htmx says so; a request that fails says more.
        if message.text.startswith(GIVEN_UP):
            return
        if message.type in ("error", "warning") and "the server responded with a status of" not in message.text:
            self.console.append(message.text)
