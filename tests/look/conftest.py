"""Chromium on a phone's screen, and the sample pages served to it."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import BrowserContext, Playwright, sync_playwright
from waitress.server import create_server

from tests.look.table import look_app

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def look_address() -> Iterator[str]:
    """Serve the sample pages while the tests run."""
    server = create_server(look_app(), host="127.0.0.1", port=0, threads=4)
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.effective_port}"
    server.close()
    thread.join(timeout=5)


@pytest.fixture(scope="module")
def playwright_alone() -> Iterator[Playwright]:
    """Start Playwright, apart from any plugin's own."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        yield playwright


class Phones:
    """Phones to try the pages on, each started once."""

    def __init__(self, playwright: Playwright, folder: Path) -> None:
        self._playwright = playwright
        self._folder = folder
        self._phones: dict[tuple[int, int, int, str], BrowserContext] = {}

    def phone(self, width: int, height: int, *, text: int = 16, scheme: str = "light") -> BrowserContext:
        """Take a phone of this size, its text set to so many pixels."""
        key = (width, height, text, scheme)
        if key not in self._phones:
            profile = self._folder / "-".join(map(str, key))
            (profile / "Default").mkdir(parents=True)
            wish = {"webkit": {"webprefs": {"default_font_size": text}}}
            (profile / "Default" / "Preferences").write_text(json.dumps(wish))
            self._phones[key] = self._playwright.chromium.launch_persistent_context(
                profile,
                executable_path=CHROMIUM,
                headless=True,
                args=QUIET,
                viewport={"width": width, "height": height},
                device_scale_factor=2,
                has_touch=True,
                is_mobile=True,
                color_scheme="dark" if scheme == "dark" else "light",
                reduced_motion="reduce",
            )
        return self._phones[key]

    def close(self) -> None:
        """Put them all away."""
        for phone in self._phones.values():
            phone.close()


@pytest.fixture(scope="module")
def phones(playwright_alone: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phones]:
    """Hand out phones."""
    drawer = Phones(playwright_alone, tmp_path_factory.mktemp("phones"))
    yield drawer
    drawer.close()
