"""WebKitGTK, the engine of every iPhone: MiniBrowser under Xvfb, driven by WebKitWebDriver."""

import json
import os
import subprocess
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from tests.engines.engine import HEIGHT, TIMEOUT, WIDTH, Engine, EngineError, EngineMissing, end, find, start
from tests.server.test_serve import free_port

_PATHS = [f"/usr/lib/{machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser" for machine in ("x86_64", "aarch64")]
# Its own toolbar would keep the window wider than a phone.
_NARROW = "toolbar *, headerbar *, entry, button, box {padding:0; margin:0; min-width:0; min-height:0; font-size:6px}\n"
_VERBS = {"Click": "click", "Clear": "clear", "SendKeys": "value"}


class WebKit(Engine):
    """MiniBrowser on a screen that nobody sees."""

    name = "webkit"

    def __init__(self) -> None:
        driver, browser, screen = find("WebKitWebDriver"), find("MiniBrowser", *_PATHS), find("Xvfb")
        self._port = free_port()
        with ExitStack() as stack:
            home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="scorekeeper-webkit-")))
            (home / "gtk-3.0").mkdir()
            (home / "gtk-3.0" / "gtk.css").write_text(_NARROW)
            environ = {
                **os.environ,
                **dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"), str(home)),
                "DISPLAY": f":{_show_screen(stack, screen)}",
                "GDK_BACKEND": "x11",
                "GTK_THEME": "Adwaita",
                "LIBGL_ALWAYS_SOFTWARE": "1",
                "NO_AT_BRIDGE": "1",
                "WEBKIT_DISABLE_COMPOSITING_MODE": "1",  # without a graphics card its layers take as long as all else
                "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",  # it loads pages of this machine only
            }
            stack.callback(end, start([driver, f"--port={self._port}"], environ))
            self._session = self._begin({"binary": browser, "args": ["--automation"]})
            stack.callback(self._quit)
            self._resize()
            self._stack = stack.pop_all()

    def open(self, url: str) -> None:
        self._ask("POST", "/url", url=url)

    def back(self) -> None:
        self._ask("POST", "/back")

    def close(self) -> None:
        self._stack.close()

    def run(self, body: str, *arguments: Any) -> Any:
        return self._ask("POST", "/execute/sync", script=body, args=arguments)

    def _on_element(self, element: str, verb: str, **arguments: Any) -> None:
        self._ask("POST", f"/element/{element}/{_VERBS[verb]}", **arguments)

    def _picture(self) -> str:
        return str(self._ask("GET", "/screenshot"))

    def _begin(self, options: dict[str, Any]) -> str:
        until = monotonic() + TIMEOUT
        while True:
            try:
                capabilities = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
                return str(self._send("POST", "", {"capabilities": capabilities})["sessionId"])
            except URLError as error:
                if monotonic() > until:
                    raise EngineMissing(f"WebKitWebDriver does not answer: {error}") from None
                sleep(0.05)
            except EngineError as error:
                raise EngineMissing(f"MiniBrowser does not start: {error}") from None

    def _quit(self) -> None:
        with suppress(EngineError, OSError):
            self._ask("DELETE", "")

    def _resize(self) -> None:
        """Give the page the size of a phone, whatever the window has around it."""
        width, height = WIDTH, HEIGHT
        for _ in range(20):
            self._ask("POST", "/window/rect", width=width, height=height)
            sleep(0.1)
            inner = self.run("return [innerWidth, innerHeight]")
            if inner == [WIDTH, HEIGHT]:
                return
            width, height = width + WIDTH - inner[0], height + HEIGHT - inner[1]
        raise EngineMissing(f"MiniBrowser's page is {inner} and not {WIDTH} by {HEIGHT}")

    def _ask(self, method: str, path: str, **arguments: Any) -> Any:
        return self._send(method, f"/{self._session}{path}", arguments)

    def _send(self, method: str, path: str, arguments: dict[str, Any]) -> Any:
        body = json.dumps(arguments).encode() if method == "POST" else None
        headers = {"Content-Type": "application/json"}
        request = Request(f"http://127.0.0.1:{self._port}/session{path}", body, headers, method=method)
        try:
            with urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            with error:
                raise EngineError(error.read().decode()) from None


def _show_screen(stack: ExitStack, program: str) -> int:
    """Start a screen, and return its number: the first one that is free."""
    command = [program, "-displayfd", "1", "-screen", "0", "1400x1400x24", "-nolisten", "tcp"]
    process = start(command, os.environ, stdout=subprocess.PIPE)
    stack.callback(end, process)
    assert process.stdout
    number = process.stdout.readline().strip()
    if not number:
        raise EngineMissing("Xvfb does not start")
    return int(number)
