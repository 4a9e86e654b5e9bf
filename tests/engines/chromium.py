"""Chromium, as Playwright drives it in all other tests."""

from typing import Any

from playwright.sync_api import Browser, Error

from tests.common.chromium import Phones
from tests.engines.engine import HEIGHT, WIDTH, Engine, EngineError


class Chromium(Engine):
    """A phone of the browser that the other tests use."""

    name = "chromium"

    def __init__(self, browser: Browser) -> None:
        self._phones = Phones(browser, "")
        self._page = self._phones.new(width=WIDTH, height=HEIGHT)

    def open(self, url: str) -> None:
        self._page.goto(url)

    def back(self) -> None:
        self._page.go_back()

    def run(self, body: str, *arguments: Any) -> Any:
        try:
            return self._page.evaluate(f"(all) => (function () {{ {body} }})(...all)", list(arguments))
        except Error as error:
            raise EngineError(str(error)) from None

    def screenshot(self) -> bytes:
        return self._page.screenshot()

    def close(self) -> None:
        self._phones.close()

    def _click(self, body: str, css: str) -> None:
        found = self._page.evaluate_handle(f"(css) => (function () {{ {body} }})(css)", css).as_element()
        if found is None:
            raise EngineError(f"{self.name}: no {css}")
        found.tap()

    def _type(self, css: str, text: str) -> None:
        self._page.locator(css).first.fill("")
        self._page.locator(css).first.press_sequentially(text)
