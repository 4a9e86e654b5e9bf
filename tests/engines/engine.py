"""What a journey can do in any browser, by the commands of the WebDriver standard: open, tap, type, read, wait."""

import base64
import shutil
import signal
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from os import killpg
from pathlib import Path
from time import monotonic, sleep
from typing import Any

TIMEOUT = 10.0
"""Seconds: long, for a machine that runs other tests beside."""
WIDTH, HEIGHT = 390, 844

_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key of an element's id in every answer, by the standard."""
_ENTER = "\ue007"
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


def find(program: str, *paths: str) -> str:
    """Return where a program is; raises `EngineMissing`."""
    found = shutil.which(program) or next((path for path in paths if Path(path).exists()), None)
    if found is None:
        raise EngineMissing(f"{program} is not installed")
    return found


def start(command: list[str], environ: Mapping[str, str], **options: Any) -> "subprocess.Popen[bytes]":
    """Start a program with a process group of its own, so that what it starts ends with it."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **options}
    return subprocess.Popen(command, env=dict(environ), start_new_session=True, **quiet)


def end(process: "subprocess.Popen[bytes]") -> None:
    """End a program that `start` started, and all that it started."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            killpg(process.pid, sign)
        with suppress(subprocess.TimeoutExpired):
            process.wait(5)
    if process.stdout:
        process.stdout.close()


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
    def close(self) -> None:
        """End every process that was started."""

    @abstractmethod
    def run(self, body: str, *arguments: Any) -> Any:
        """Return what the body of a JavaScript function returns on the page."""

    @abstractmethod
    def _on_element(self, element: str, verb: str, **arguments: Any) -> None:
        """Click, clear or type: `Click`, `Clear`, `SendKeys`."""

    @abstractmethod
    def _picture(self) -> str:
        """Return a PNG picture of the screen in base64."""

    def screenshot(self) -> bytes:
        """Return a PNG picture of the screen."""
        return base64.b64decode(self._picture())

    def tap(self, css: str) -> None:
        """Tap an element, or the label of a radio, after what the last tap brought."""
        self.wait_for(css)
        self._on_element(self._element(_ON_SCREEN, css), "Click")

    def pick(self, name: str, value: str) -> None:
        """Tap an answer, and wait until it is counted."""
        self.tap(f'[name="{name}"][value="{value}"]')
        sleep(0.2)  # the form waits a moment before its request
        self.wait(_IS_STILL)

    def type(self, css: str, text: str) -> None:
        """Type into a field, in place of what is in it; a line break is the Enter key."""
        self.wait_for(css)
        element = self._element("return document.querySelector(arguments[0])", css)
        self._on_element(element, "Clear")
        self._on_element(element, "SendKeys", text=text.replace("\n", _ENTER))

    def _element(self, body: str, css: str) -> str:
        """Return the id of the element that a function returns."""
        if found := self.run(body, css):
            return str(found[_ELEMENT])
        raise EngineError(f"{self.name}: no {css}")

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
