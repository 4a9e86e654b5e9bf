"""Firefox, driven by its own Marionette: JSON over a socket."""

import json
import os
import socket
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from tests.engines.engine import HEIGHT, WIDTH, Engine, EngineError, EngineMissing, end, find, start

_PATIENCE = 60.0
"""Seconds until it must have started: the first time takes long."""
_SETTINGS = {
    "marionette.port": 0,
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.aboutwelcome.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.sessionstore.resume_from_crash": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.healthreport.uploadEnabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.update.enabled": False,
    "layout.css.devPixelsPerPx": "1.0",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "termsofuse.bypassNotification": True,
    "toolkit.telemetry.enabled": False,
    "ui.useOverlayScrollbars": 1,
}
# A window is never as narrow as a phone; the page in it can be.
_RESIZE = """
  const page = gBrowser.selectedBrowser;
  for (const [side, pixels] of [["width", arguments[0]], ["height", arguments[1]]]) {
    for (const least of ["", "min-", "max-"]) page.style.setProperty(least + side, `${pixels}px`, "important");
  }
"""


class Firefox(Engine):
    """Firefox without a window."""

    name = "firefox"

    def __init__(self) -> None:
        program = next((name for name in ("firefox-esr", "firefox") if _is_found(name)), "firefox-esr")
        with ExitStack() as stack:
            profile = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="scorekeeper-firefox-")))
            settings = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in _SETTINGS.items())
            (profile / "user.js").write_text("".join(settings))
            switches = ["--headless", "--marionette", "-remote-allow-system-access", "--no-remote"]
            environ = {**os.environ, "HOME": str(profile), "MOZ_DISABLE_CONTENT_SANDBOX": "1"}
            process = start([find(program), *switches, "--profile", str(profile)], environ)
            stack.callback(end, process)
            port = _wait_for_port(profile / "MarionetteActivePort")
            self._socket = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
            self._answers = stack.enter_context(self._socket.makefile("rb"))
            self._sent = 0
            self._receive()
            self._ask("WebDriver:NewSession", capabilities={"alwaysMatch": {}})
            stack.callback(self._quit)
            self._resize()
            self._stack = stack.pop_all()

    def open(self, url: str) -> None:
        self._ask("WebDriver:Navigate", url=url)

    def back(self) -> None:
        self._ask("WebDriver:Back")

    def close(self) -> None:
        self._stack.close()

    def run(self, body: str, *arguments: Any) -> Any:
        return self._ask("WebDriver:ExecuteScript", script=body, args=arguments)["value"]

    def _on_element(self, element: str, verb: str, **arguments: Any) -> None:
        self._ask(f"WebDriver:Element{verb}", id=element, **arguments)

    def _picture(self) -> str:
        return str(self._ask("WebDriver:TakeScreenshot", full=False, hash=False)["value"])

    def _quit(self) -> None:
        with suppress(EngineError, OSError):
            self._ask("Marionette:Quit", flags=["eForceQuit"])

    def _resize(self) -> None:
        self._ask("WebDriver:SetWindowRect", width=WIDTH + 200, height=HEIGHT + 200)
        self._ask("Marionette:SetContext", value="chrome")
        self.run(_RESIZE, WIDTH, HEIGHT)
        self._ask("Marionette:SetContext", value="content")
        self.wait(f"return innerWidth === {WIDTH} && innerHeight === {HEIGHT}")

    def _ask(self, command: str, **arguments: Any) -> Any:
        self._sent += 1
        message = json.dumps([0, self._sent, command, arguments]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, value = self._receive()
        if error:
            raise EngineError(f"{error['error']}: {error['message']}")
        return value

    def _receive(self) -> Any:
        """Return the next message: its length, a colon, and so much JSON."""
        length = b""
        while (digit := self._answers.read(1)) != b":":
            if not digit:
                raise OSError("Firefox has ended")
            length += digit
        return json.loads(self._answers.read(int(length)))


def _is_found(program: str) -> bool:
    with suppress(EngineMissing):
        return bool(find(program))
    return False


def _wait_for_port(file: Path) -> int:
    until = monotonic() + _PATIENCE
    while monotonic() < until:
        with suppress(OSError, ValueError):
            return int(file.read_text())
        sleep(0.05)
    raise EngineMissing("Firefox does not start")
