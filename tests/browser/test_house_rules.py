"""Site rules on the phone: composed by tapping, kept, carried to another phone, played by."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.common.chromium import Phones

NEW = "/house/new?base=partnership-pitch"


def unfold(page: Page) -> None:
    """Unfold every group of questions."""
    page.evaluate("for (const it of document.querySelectorAll('#compose details')) it.open = true")


def answer(page: Page, option: str, value: str) -> None:
    """Tap an answer and wait until it has been counted."""
    unfold(page)
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.locator(f'label:has([name="rule-{option}"][value="{value}"])').tap()


def stepper(page: Page, where: str, label: str) -> Locator:
    unfold(page)
    return page.locator(f"#{where}").get_by_role("button", name=label)


def changes(page: Page) -> Locator:
    return page.locator("#diff li > span")


def test_changes_are_listed_after_every_tap_and_can_be_reverted(phones: Phones) -> None:
    page = phones.new()
    page.goto(NEW)

    answer(page, "dealer_steal", "no")
    answer(page, "all_pass", "redeal")
    expect(page.locator("#diff summary")).to_contain_text("2 changes")
    page.get_by_role("button", name="Dealer steals: undo this change").tap()

    expect(changes(page)).to_have_count(1)
    expect(page.locator('[name="rule-dealer_steal"][value="yes"]')).to_be_checked()
    answer(page, "dealer_steal", "no")
    expect(changes(page)).to_have_count(2)


@pytest.mark.parametrize("ruleset", ["partnership-pitch", "auction-pitch", "colorado-ten-point", "pedro"])
def test_what_tables_argue_about_is_nearly_all_in_sight(phones: Phones, ruleset: str) -> None:
    page = phones.new(height=664)
    page.goto(f"/house/new?base={ruleset}")

    bar = page.locator(".bottom-bar").evaluate("(it) => it.getBoundingClientRect().top")
    ends = page.locator(".six .ask").evaluate_all("(all) => all.map((it) => it.getBoundingClientRect().bottom)")

    assert len(ends) == 6
    assert sum(end <= bar for end in ends) >= 5


def test_every_tap_on_a_stepper_counts_once(phones: Phones) -> None:
    page = phones.new()
    page.goto(NEW)

    for target in range(20, 14, -1):
        stepper(page, "rule-target", "Target: less").tap()
        expect(changes(page)).to_contain_text([f"Play to {target}."])

    expect(page.locator("#in-rule-target")).to_have_value("15")


def test_new_questions_do_not_move_the_answered_one(phones: Phones) -> None:
    page = phones.new()
    page.goto(NEW)
    unfold(page)
    asked = page.locator("#rule-moon")
    asked.scroll_into_view_if_needed()
    before = asked.bounding_box()

    answer(page, "moon", "stake")
    expect(page.locator("#rule-moon_made")).to_be_visible()

    after = asked.bounding_box()
    assert before
    assert after
    assert abs(after["y"] - before["y"]) < 4


def test_an_answer_to_a_new_question_can_be_changed_after_the_page_came_back(phones: Phones) -> None:
    page = phones.new()
    page.goto(NEW)
    answer(page, "moon", "stake")
    asked = page.locator('[name="rule-moon_made"]')
    for points in ("30", "40"):
        with page.expect_response(lambda response: response.request.method == "POST"):
            asked.fill(points)
            asked.blur()

        page.reload()

        unfold(page)
        expect(page.locator("#in-rule-moon_made")).to_have_value(points)
        expect(asked).to_have_count(1)


def test_the_dashed_button_leads_to_what_needs_correcting(phones: Phones) -> None:
    page = phones.new()
    page.goto(NEW)
    unfold(page)
    page.locator("#in-rule-min_bid").fill("9")
    page.locator("#in-rule-min_bid").blur()

    expect(page.locator("#rule-min_bid")).to_contain_text("The lowest bid is 9, but a hand is worth only 4.")
    page.get_by_role("button", name="1 thing to fix first").tap()
    expect(page.locator("#in-rule-min_bid")).to_be_focused()

    page.locator("#in-rule-min_bid").fill("3")
    page.locator("#in-rule-min_bid").blur()
    expect(page.get_by_role("button", name="Play by these rules 1 change")).to_be_visible()


def test_what_is_unfolded_stays_so_when_the_questions_change(page: Page) -> None:
    page.goto(NEW)
    page.locator("#kind-moon > summary").tap()
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.locator('label:has([name="rule-moon"][value="stake"])').tap()

    expect(page.locator("#rule-moon_made")).to_be_visible()
    expect(page.locator("#kind-bidding")).not_to_have_attribute("open", "")
