"""What a journey can do in any browser: open, tap, type, read, wait, go back, take a picture."""

from abc import ABC, abstractmethod
from time import monotonic, sleep
from typing import Any

TIMEOUT = 10.0
"""Seconds: long, for a machine that runs other tests beside."""
WIDTH, HEIGHT = 390, 844

_IS_STILL = "return document.readyState === 'complete' && !document.querySelector('.htmx-request')"
_TEXT = "return document.querySelector(arguments[0])?.textContent.replace(/\\s+/g, ' ').trim() ?? null"
_ON_SCREEN = """
  const found = document.querySelector(arguments[0]);
  const it = found?.matches("[type=radio], [type=checkbox]") ? found.closest("label") : found;
  it?.scrollIntoView({ block: "center", behavior: "instant" });
  return it ?? null;
"""
"""Return what a thumb would tap: of a radio its label, in the middle of the screen."""


class EngineMissing(Exception):
    """This machine has no such browser, or it does not start."""


class Engine(ABC):
    """A browser on a phone of 390 by 844."""

    name: str

    @abstractmethod
    def open(self, url: str) -> None:
        """Open a page."""

    @abstractmethod
    def back(self) -> None:
        """Go back as with the phone's own button."""

    @abstractmethod
    def run(self, body: str, *arguments: Any) -> Any:
        """Return what the body of a JavaScript function returns on the page."""

    @abstractmethod
    def screenshot(self) -> bytes:
        """Return a PNG picture of the screen."""

    @abstractmethod
    def close(self) -> None:
        """End every process that was started."""

    @abstractmethod
    def _click(self, body: str, css: str) -> None:
        """Press and release on the element that a function returns."""

    @abstractmethod
    def _type(self, css: str, text: str) -> None:
        """Type into a field, in place of what is in it."""

    def tap(self, css: str) -> None:
        """Tap an element, or the label of a radio, after what the last tap brought."""
        self.wait_for(css)
        self._click(_ON_SCREEN, css)

    def pick(self, name: str, value: str) -> None:
        """Tap an answer, and wait until it is counted."""
        self.tap(f'[name="{name}"][value="{value}"]')
        sleep(0.2)  # the form waits a moment before its request
        self.wait(_IS_STILL)

    def type(self, css: str, text: str) -> None:
        """Type into a field; a line break is the Enter key."""
        self.wait_for(css)
        self._type(css, text)

    def read(self, css: str) -> str:
        """Return the words of an element; empty where there is none."""
        return self.run(_TEXT, css) or ""

    def bounds(self, css: str) -> tuple[int, int, int, int]:
        """Return where an element is on the screen, in pixels: left, top, right, bottom; it is brought there first."""
        body = "const it = document.querySelector(arguments[0]).getBoundingClientRect();"
        self.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center', behavior: 'instant' })", css)
        left, top, right, bottom = self.run(f"{body} return [it.left, it.top, it.right, it.bottom]", css)
        return round(left), round(top), round(right), round(bottom)

    def wait_for(self, css: str, *words: str) -> str:
        """Wait until an element is there with these words in it, on a page that has loaded; return its text."""
        if not words:
            self.wait(f"{_IS_STILL} && document.querySelector(arguments[0]) !== null", css)
            return self.read(css)
        body = "const text = document.querySelector(arguments[0])?.textContent.replace(/\\s+/g, ' ') ?? '';"
        self.wait(f"{body} {_IS_STILL} && arguments[1].every((word) => text.includes(word))", css, words)
        return self.read(css)

    def wait_for_path(self, ending: str) -> None:
        """Wait until a page whose path ends so is open."""
        self.wait(f"{_IS_STILL} && location.pathname.endsWith(arguments[0])", ending)

    def wait(self, body: str, *arguments: Any) -> None:
        """Wait until a function returns something true."""
        until, last = monotonic() + TIMEOUT, None
        while monotonic() < until:
            try:
                if self.run(body, *arguments):
                    return
            except EngineError as error:
                last = error  # between two pages there is nothing to ask
            sleep(0.05)
        where = self.run("return `${location} ${document.body.innerText}`")
        raise AssertionError(f"{self.name}: {body} {arguments} did not come true ({last}) on {where}")


class EngineError(Exception):
    """The browser did not carry out a command."""
