"""What is tapped while an answer of the server is on its way stays: that answer knows nothing of it yet."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.actions import enter_hand, with_markers
from tests.browser.conftest import StartMatch
from tests.browser.taps import TapCounter
from tests.settling import BY_CARDS

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


def hold_first(page: Page, method: str = "POST") -> list[Route]:
    """Hold back what comes of the first request of this kind, and return where it will be."""
    held: list[Route] = []

    def answer(route: Route) -> None:
        if held or route.request.method != method or "hx-request" not in route.request.headers:
            route.continue_()
        else:
            held.append(route)

    page.route("**/*", answer)
    return held


def wait_for(page: Page, held: list[Route]) -> None:
    for _ in range(500):
        if held:
            return
        page.wait_for_timeout(20)
    raise AssertionError("nothing was sent")


def test_a_tap_while_a_draft_comes_back_stays(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new")
    enter_hand(page, "Dan 3")
    held = hold_first(page)
    page.reload()
    expect(page.get_by_role("radio", name="Dan 3")).to_be_checked()
    wait_for(page, held)

    with page.expect_event("requestfailed"):
        page.locator("label", has=page.get_by_role("radio", name="Dan 2")).tap()
    held[0].continue_()

    expect(page.locator("#main-button")).to_contain_text(with_markers("Give the rest to Bea & Dan and save"))
    expect(page.locator(".htmx-request")).to_have_count(0)
    expect(page.get_by_role("radio", name="Dan 2")).to_be_checked()


def test_a_tap_while_a_draft_comes_back_loses_no_answer_that_is_not_drawn_yet(
    page: Page, start_match: StartMatch
) -> None:
    page.goto(f"{start_match()}hands/new")
    taps = TapCounter(page)
    taps.tap(page.get_by_role("radio", name="Bea smudge"))
    taps.tap(page.get_by_role("radio", name="yes, every one"))
    held = hold_first(page)
    page.reload()
    expect(page.get_by_role("radio", name="Bea smudge")).to_be_checked()
    wait_for(page, held)

    with page.expect_event("requestfailed"):
        page.locator("label", has=page.get_by_role("radio", name="Dan smudge")).tap()

    expect(page.get_by_role("radio", name="yes, every one")).to_be_checked()
    expect(page.get_by_role("radio", name="Dan smudge")).to_be_checked()
    expect(page.locator("#main-button")).to_contain_text("Save +5")


def test_a_tap_while_the_editor_comes_back_stays(page: Page) -> None:
    page.goto(EDITOR)
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.locator('label:has([name="rule-dealer_steal"][value="no"])').tap()
    held = hold_first(page)
    page.reload()
    wait_for(page, held)

    with page.expect_event("requestfailed"):
        page.locator('label:has([name="rule-all_pass"][value="redeal"])').tap()
    held[0].continue_()

    expect(page.locator("#diff summary")).to_contain_text("2 changes from standard")
    expect(page.locator('[name="rule-dealer_steal"][value="no"]')).to_be_checked()
    expect(page.locator('[name="rule-all_pass"][value="redeal"]')).to_be_checked()


@pytest.mark.parametrize(
    ("path", "method", "first", "second"),
    [
        ("hands/new", "POST", "[name=call][value='p4:3']", "[name=call][value='p4:2']"),
        (EDITOR, "POST", "[name=rule-dealer_steal][value=no]", "[name=rule-all_pass][value=redeal]"),
        (f"/settle?{BY_CARDS}", "GET", "[name=took-jack][value=s1]", "[name=took-jack][value=s2]"),
        ("/settle?rules=partnership-pitch", "GET", "[name=count-s1]", "[name=count-s2]"),
    ],
)
def test_an_answer_gives_up_what_knows_nothing_of_it(
    page: Page, start_match: StartMatch, path: str, method: str, first: str, second: str
) -> None:
    page.goto(path if path.startswith("/") else start_match() + path)
    held = hold_first(page, method)
    page.locator(first).evaluate(ANSWER)
    wait_for(page, held)

    assert page.locator(second).evaluate(IS_GIVEN_UP)
