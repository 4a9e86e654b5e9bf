"""What is tapped while an answer of the server is on its way stays: that answer knows nothing of it yet."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from tests.browser.actions import TapCounter, enter_hand, expect_text, with_markers
from tests.browser.conftest import StartMatch
from tests.common.settling import BY_CARDS

EDITOR = "/house/new?base=partnership-pitch"

ANSWER = """(answered) => {
  if (answered.type === "radio") return answered.click();
  answered.value = "2";
  answered.dispatchEvent(new Event("input", { bubbles: true }));
}"""
IS_GIVEN_UP = f"""(answered) => {{
  let is_given_up = false;
  document.addEventListener("htmx:sendAbort", () => (is_given_up = true), {{ once: true }});
  ({ANSWER})(answered);
  return is_given_up;
}}"""
"""Answer, and return whether the question that was under way has been given up by then."""


@contextmanager
def held(page: Page, method: str = "POST") -> Iterator[None]:
    """Hold back the response to the first htmx request of this method, which the page has to send by the end."""
    is_first = True

    def is_awaited(request: Request) -> bool:
        return request.method == method and "hx-request" in request.headers

    def answer(route: Route) -> None:
        nonlocal is_first
        if is_first and is_awaited(route.request):
            is_first = False  # and nothing comes of it
        else:
            route.continue_()

    page.route("**/*", answer)
    with page.expect_request(is_awaited):
        yield


def tap_meanwhile(page: Page, label: Locator) -> None:
    """Reload a page that requests its answers after it has loaded, and tap before they arrive."""
    with held(page):
        page.reload()
    with page.expect_event("requestfailed"):
        label.tap()


def label_of(page: Page, bid: str) -> Locator:
    return page.locator("label", has=page.get_by_role("radio", name=bid))


def test_a_tap_while_a_draft_comes_back_stays(entry: Page) -> None:
    enter_hand(entry, "Dan 3")

    tap_meanwhile(entry, label_of(entry, "Dan 2"))

    expect_text(entry, "#main-button", with_markers("Save: made, Bea & Dan +3 / Ann & Cal +1"))
    expect(entry.locator(".htmx-request")).to_have_count(0)
    expect(entry.get_by_role("radio", name="Dan 2")).to_be_checked()


@pytest.fixture
def smudge(page: Page, start_match: StartMatch) -> Locator:
    """Enter a smudge, and return the answer to the question that comes with it."""
    page.goto(f"{start_match()}hands/new")
    taps, answer = TapCounter(page), page.get_by_role("radio", name="yes, every one")
    taps.answer("Bea smudge")
    taps.tap(answer)
    return answer


def test_a_tap_while_a_draft_comes_back_loses_no_answer_that_is_not_drawn_yet(page: Page, smudge: Locator) -> None:
    tap_meanwhile(page, label_of(page, "Dan smudge"))

    expect(smudge).to_be_checked()
    expect(page.get_by_role("radio", name="Dan smudge")).to_be_checked()
    expect_text(page, "#main-button", "4 left")


def test_a_tap_while_a_draft_comes_back_drops_what_is_asked_no_more(page: Page, smudge: Locator) -> None:
    name = smudge.get_attribute("name")

    tap_meanwhile(page, label_of(page, "Bea 3"))

    expect(page.get_by_role("radio", name="Bea 3")).to_be_checked()
    expect(page.locator(f'#hand_form [name="{name}"]')).to_have_count(0)


def test_a_tap_while_the_editor_comes_back_stays(page: Page) -> None:
    page.goto(EDITOR)
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.locator('label:has([name="rule-dealer_steal"][value="no"])').tap()

    tap_meanwhile(page, page.locator('label:has([name="rule-all_pass"][value="redeal"])'))

    expect_text(page, "#diff summary", "2 changes")
    expect(page.locator('[name="rule-dealer_steal"][value="no"]')).to_be_checked()
    expect(page.locator('[name="rule-all_pass"][value="redeal"]')).to_be_checked()


@pytest.mark.parametrize(
    ("address", "method", "first", "second"),
    [
        ("hands/new", "POST", "[name=call][value='p4:3']", "[name=call][value='p4:2']"),
        (EDITOR, "POST", "[name=rule-dealer_steal][value=no]", "[name=rule-all_pass][value=redeal]"),
        (f"/settle?{BY_CARDS}", "GET", "[name=took-jack][value=s1]", "[name=took-jack][value=s2]"),
        ("/settle?rules=partnership-pitch", "GET", "[name=count-s1][value='1']", "[name=count-s2][value='1']"),
        ("/new", "GET", "[name=players][value='4']", "[name=bid][value='10']"),
    ],
)
def test_an_answer_gives_up_what_knows_nothing_of_it(
    page: Page, path: str, address: str, method: str, first: str, second: str
) -> None:
    page.goto(urljoin(path, address))
    with held(page, method):
        page.locator(first).evaluate(ANSWER)

    assert page.locator(second).evaluate(IS_GIVEN_UP)
