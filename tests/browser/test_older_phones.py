"""A phone of 2022: no container queries, no `:has()`, no viewport that changes with its bars, no submitter."""

import re
from collections.abc import Iterator
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.actions import enter_hand, pick, score, tap_main_button, wait_for_count

UNKNOWN = (
    (r"container(-type)?:", r"unknown\1:"),
    (r"@container", "@unknown"),
    (r"(\d)cqi", r"\1unknown"),
    (r":has\(", ":unknown("),
    (r"(\d)dvh", r"\1unknown"),
)
OLD_SCRIPTS = "delete SubmitEvent.prototype.submitter; delete AbortSignal.timeout; delete Array.prototype.at;"


def _as_old(route: Route) -> None:
    answer = route.fetch()
    text = answer.text()
    for known, unknown in UNKNOWN:
        text = re.sub(known, unknown, text)
    route.fulfill(response=answer, body=text)


@pytest.fixture
def old(own_page: Page) -> Iterator[Page]:
    """Open a page in which everything newer is unknown."""
    own_page.route("**/*.css*", _as_old)
    own_page.add_init_script(OLD_SCRIPTS)
    yield own_page
    own_page.unroute_all(behavior="wait")


def test_a_hand_is_recorded_and_the_score_is_large(old: Page, path: str) -> None:
    old.goto(f"{path}hands/new")
    enter_hand(old)

    tap_main_button(old)

    expect(old.locator("[data-score=s2]")).to_have_text("3")
    assert score(old, "s1") == "1"
    old.wait_for_load_state()  # a style sheet that is changed on its way comes late
    size = old.locator("[data-score=s2]").evaluate("(it) => parseFloat(getComputedStyle(it).fontSize)")
    assert 90 <= size <= 128
    assert old.evaluate("document.documentElement.scrollWidth") == 390


def test_the_little_cards_follow_trump(old: Page, path: str) -> None:
    old.goto(f"{path}hands/new")
    suits = old.locator("#row-high .mini svg:visible")
    expect(suits).to_have_count(0)

    pick(old, "trump", "hearts")
    wait_for_count(old)

    expect(suits).to_have_count(1)
    expect(suits).to_have_class(re.compile("trump-hearts"))


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize(
    "address",
    [
        *("hands/new", "", "menu", "rules"),
        *("/", "/new", "/new/partnership-pitch", "/house/new?base=partnership-pitch"),
    ],
)
def test_everything_fits_in_the_plain_column(old: Page, path: str, address: str, width: int) -> None:
    old.set_viewport_size({"width": width, "height": 844})
    old.goto(urljoin(path, address))

    assert old.evaluate("document.documentElement.scrollWidth") == width
