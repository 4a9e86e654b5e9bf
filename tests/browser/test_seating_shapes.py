"""A short match of every way to sit, from the first name to the verdict, with nothing but taps and names."""

import pytest
from playwright.sync_api import expect

from tests.common.chromium import Phones


def test_a_table_of_four_is_in_sight_above_start(phones: Phones) -> None:
    page = phones.new(height=664)
    page.goto("/new/partnership-pitch")

    above = page.locator(".bottom-bar").evaluate("(it) => it.getBoundingClientRect().top")
    assert page.locator(".rt-note").evaluate("(it) => it.getBoundingClientRect().bottom") <= above


@pytest.mark.parametrize("ruleset", ["oklahoma-ten-point", "colorado-six-player"])
def test_of_a_table_of_six_all_partners_but_the_nearest_are_in_sight_above_start(phones: Phones, ruleset: str) -> None:
    page = phones.new(height=664)
    page.goto(f"/new/{ruleset}?seats=6")

    above = page.locator(".bottom-bar").evaluate("(it) => it.getBoundingClientRect().top")
    markers = page.locator(".seat .mk").evaluate_all("(all) => all.map((it) => it.getBoundingClientRect().bottom)")
    assert len(markers) == 6
    assert sum(bottom <= above for bottom in markers) == 5


@pytest.mark.parametrize("path", ["/", "/new", "/new/partnership-pitch"])
def test_on_its_side_the_button_is_in_sight(phones: Phones, path: str) -> None:
    page = phones.new(width=844, height=390)
    page.goto(path)

    expect(page.locator(".bottom-bar .go")).to_be_in_viewport(ratio=1)
    assert page.locator(".bottom-bar").evaluate("(it) => it.offsetHeight") < 90


def test_what_is_agreed_takes_two_lines_above_start(phones: Phones) -> None:
    page = phones.new(height=664)
    page.goto("/new/oklahoma-ten-point?seats=6")

    lines = "(it) => Math.round(it.offsetHeight / parseFloat(getComputedStyle(it).lineHeight))"
    assert page.locator(".terms").evaluate(lines) == 2
