"""Taps where a thumb would make them, counted."""

from playwright.sync_api import Locator, Page, expect


class TapCounter:
    """Taps one thing after the other, each after what the one before brought."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    def tap(self, what: Locator) -> None:
        """Tap in the middle of an element, or of the label that it is in."""
        expect(what).to_have_count(1)
        what.locator("xpath=(ancestor::label | self::*)[1]").tap()
        self.count += 1
        expect(self.page.locator(".htmx-request")).to_have_count(0)
