"""What scripts do on the hand entry: each tap is counted, and what is not new stays as it is."""

from playwright.sync_api import Page, expect

from tests.browser.actions import expect_text
from tests.browser.conftest import StartMatch


def test_another_dealer_moves_the_head_and_the_board_and_folds_nothing(entry: Page) -> None:
    rows = entry.locator("#q-bid .who")
    expect_text(entry, "h1", "Ann deals")
    entry.locator("summary", has_text="different dealer").tap()

    for dealer, first in (("Cal", "Dan"), ("Ann", "Bea")):
        entry.locator("#dealer").get_by_role("radio", name=dealer).check(force=True)

        expect_text(entry, "h1", f"{dealer} deals")
        expect(rows.first).to_contain_text(first)
        expect(rows.last).to_contain_text("dealer")
        expect(entry.locator("#dealer").get_by_role("radio", name=dealer)).to_be_focused()


def test_a_tap_asks_once_and_typing_asks_when_it_rests(page: Page, path: str) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url) if request.method == "POST" else None)
    page.goto(f"{path}hands/new")
    with page.expect_response("**/preview"):
        page.get_by_role("radio", name="Dan 3").check(force=True)
    page.locator("summary", has_text="Count for Game").tap()
    requests.clear()

    page.locator("#row-low").get_by_role("radio", name="Bea & Dan").check(force=True)
    page.wait_for_timeout(700)
    after_a_tap = len(requests)
    page.get_by_role("textbox", name="Card points for Ann & Cal").press_sequentially("05", delay=30)
    page.wait_for_timeout(700)

    assert after_a_tap == 1
    assert len(requests) == 2
    expect(page.get_by_role("textbox", name="Card points for Ann & Cal")).to_be_focused()


def test_the_little_cards_follow_the_trump(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match('colorado-fourteen-point')}hands/new")
    page.get_by_role("radio", name="diamonds").check(force=True)
    expect(page.locator("#row-off_jack .off-hearts")).to_be_visible()

    page.get_by_role("radio", name="clubs").check(force=True)

    expect(page.locator("#row-jack .trump-clubs")).to_be_visible()
    expect(page.locator("#row-off_jack .off-spades")).to_be_visible()
    expect(page.locator("#row-off_jack .off-hearts")).not_to_be_visible()
