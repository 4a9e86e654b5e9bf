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

    def answer(self, name: str, row: str = "body") -> None:
        """Tap an answer of a form, in one of its rows."""
        self.tap(self.page.locator(row).get_by_role("radio", name=name))

    def press(self, name: str) -> None:
        """Tap the link or the button of a name."""
        self.tap(self.page.get_by_role("link", name=name).or_(self.page.get_by_role("button", name=name)))
