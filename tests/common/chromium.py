"""Chromium for tests: where it is, how it is started, and pages on phones that keep what their consoles say."""

import shutil
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, sync_playwright

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
    "--ip-address-space-overrides=127.0.0.1:0=public",
    "--js-flags=--no-maglev --no-turbofan",  # no page is open for long enough to make up for optimizing its scripts
]
TIMEOUT = 10_000
"""Milliseconds: long, for a machine that runs other tests beside."""
ColorScheme = Literal["light", "dark"]
ReducedMotion = Literal["no-preference", "reduce"]


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
        _idle.clear()


GIVEN_UP = ("htmx:afterRequest", "htmx:sendAbort")
"""Console messages of htmx about a request that was given up."""


@dataclass
class Phones:
    """Phones opened for a test, and everything that was logged on their consoles."""

    browser: Browser
    base_url: str
    console: list[str] = field(default_factory=list)
    loses_network: bool = False
    """Whether consoles may say that a request was lost."""
    _own: list[BrowserContext] = field(default_factory=list)
    _lent: list[tuple[Page, list[Page]]] = field(default_factory=list)
    """Each with those among which it was idle."""

    def new(
        self,
        *,
        width: int = 390,
        height: int = 844,
        scripts: bool = True,
        service_worker: bool = False,
        color_scheme: ColorScheme = "light",
        reduced_motion: ReducedMotion = "no-preference",
        is_own: bool = False,
        **options: Any,
    ) -> Page:
        """Open a page on a phone with an empty browser, which takes a service worker only where it is requested.

        A phone `is_own` where the test leaves something in it that nobody can take away: its own clock, or scripts.
        """
        if is_own or service_worker or options:
            page = self._opened(scripts, service_workers="allow" if service_worker else "block", **options)
            self._own.append(page.context)
        else:
            idle = _idle[self.browser, self.base_url, scripts]
            page = idle.pop() if idle else self._opened(scripts, service_workers="block")
            self._lent.append((page, idle))
        page.set_default_timeout(TIMEOUT)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        page.on("console", self._listen)
        page.on("pageerror", self._listen_to_error)
        return page

    def close(self) -> None:
        """Close every phone."""
        while self._own:
            self._own.pop().close()
        while self._lent:
            page, idle = self._lent.pop()
            page.remove_listener("console", self._listen)
            page.remove_listener("pageerror", self._listen_to_error)
            try:
                _empty(page, self.base_url)
            except Error:
                page.context.close()
            else:
                idle.append(page)

    def _opened(self, scripts: bool, **options: Any) -> Page:
        always: dict[str, Any] = {"base_url": self.base_url, "has_touch": True, "is_mobile": True}
        return self.browser.new_context(**always, java_script_enabled=scripts, **options).new_page()

    def _listen(self, message: ConsoleMessage) -> None:
        # A page with another status than 200 is meant, and checked by what is on it.
        if "blocked by Playwright" in message.text:
            return
        # A page that is left before a response arrives gives it up, which htmx logs; a request that fails logs more.
        if message.text.startswith(GIVEN_UP):
            return
        if message.type in ("error", "warning") and "the server responded with a status of" not in message.text:
            self.console.append(message.text)

    def _listen_to_error(self, error: Error) -> None:
        self.console.append(str(error))


_idle: defaultdict[tuple[Browser, str, bool], list[Page]] = defaultdict(list)
"""Pages for the next test, by browser, site, and whether they run scripts: a new one takes twice as long to open."""


def _empty(page: Page, base_url: str) -> None:
    """Leave a page as if it were new: nothing stored, online, alone, with text as large as it was."""
    page.context.set_offline(False)
    for other in page.context.pages:
        if other != page:
            other.close()
    page.unroute_all()
    page.context.unroute_all()
    page.evaluate("location.protocol.startsWith('http') && sessionStorage.clear()")
    page.goto("about:blank")
    page.context.clear_cookies()
    session = page.context.new_cdp_session(page)
    session.send("Page.setFontSizes", _font_sizes(TEXT_SIZE))
    for host in (urlsplit(base_url).hostname, LAN_HOST):
        origin = f"http://{host}:{urlsplit(base_url).port}"
        session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    session.send("Page.resetNavigationHistory")
    session.detach()


TEXT_SIZE = 16
"""Pixels, in a browser that nobody has changed."""


def set_text_size(page: Page, pixels: int) -> None:
    """Set the browser's text size."""
    session = page.context.new_cdp_session(page)
    session.send("Page.setFontSizes", _font_sizes(pixels))
    session.detach()


def _font_sizes(pixels: int) -> dict[str, dict[str, int]]:
    return {"fontSizes": {"standard": pixels, "fixed": pixels}}
