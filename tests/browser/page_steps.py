"""Taps that bring a page into a state before it is checked."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

Step = Callable[[Page], None]


def no_step(_page: Page) -> None:
    """Leave the page as it opens."""


def pick(page: Page, name: str, value: str) -> None:
    """Tap an answer."""
    page.locator(f'label:has([name="{name}"][value="{value}"])').tap()


def wait_for_count(page: Page) -> None:
    """Wait until what was tapped has been counted."""
    expect(page.locator(".htmx-request")).to_have_count(0)


def picks(*answers: tuple[str, str]) -> Step:
    """Return a step that taps answers, each counted before the next."""

    def step(page: Page) -> None:
        for name, value in answers:
            with page.expect_response("**/preview"):
                pick(page, name, value)
            wait_for_count(page)

    return step
