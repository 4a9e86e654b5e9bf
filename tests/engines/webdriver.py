"""What WebKit and Firefox share: the commands of the WebDriver standard."""

import base64
import shutil
import signal
import subprocess
from abc import abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from os import killpg
from pathlib import Path
from typing import Any

from tests.engines.engine import Engine, EngineError, EngineMissing

_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key of an element's id in every answer, by the standard."""
_ENTER = "\ue007"


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


class WebDriver(Engine):
    """A browser that is driven by the standard's commands, however they reach it."""

    @abstractmethod
    def _execute(self, body: str, arguments: list[Any]) -> Any:
        """Run a script."""

    @abstractmethod
    def _on_element(self, element: str, verb: str, **arguments: Any) -> None:
        """Click, clear or type: `Click`, `Clear`, `SendKeys`."""

    @abstractmethod
    def _picture(self) -> str:
        """Return a picture in base64."""

    def run(self, body: str, *arguments: Any) -> Any:
        return self._execute(body, list(arguments))

    def screenshot(self) -> bytes:
        return base64.b64decode(self._picture())

    def _click(self, body: str, css: str) -> None:
        self._on_element(self._element(body, css), "Click")

    def _type(self, css: str, text: str) -> None:
        element = self._element("return document.querySelector(arguments[0])", css)
        self._on_element(element, "Clear")
        self._on_element(element, "SendKeys", text=text.replace("\n", _ENTER))

    def _element(self, body: str, css: str) -> str:
        found = self._execute(body, [css])
        if not found:
            raise EngineError(f"{self.name}: no {css}")
        return str(found[_ELEMENT])
