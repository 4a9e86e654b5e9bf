"""A finger that counts: every tap is where a thumb would put it, and nothing goes on before what it brought."""

from playwright.sync_api import Locator, expect
from playwright.sync_api import Page as Screen


class Finger:
    """Taps one thing after the other, and knows how often."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.taps = 0

    def tap(self, what: Locator) -> None:
        """Tap in the middle of it; of an answer its square takes the tap."""
        expect(what).to_have_count(1)
        square = what.locator("xpath=ancestor::label[1]")
        (square if square.count() else what).tap()
        self.taps += 1
        expect(self.screen.locator(".htmx-request")).to_have_count(0)
