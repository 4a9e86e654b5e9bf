"""Site rules on the phone: composed by tapping, kept, carried to another phone, played by."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.actions import expect_text, pick, tap


@pytest.fixture
def editor(page: Page) -> Page:
    """Open the editor of house rules."""
    page.goto("/house/new?base=partnership-pitch")
    return page


def unfold(page: Page) -> None:
    """Unfold every group of questions."""
    page.evaluate("for (const it of document.querySelectorAll('#compose details')) it.open = true")


def answer(page: Page, option: str, value: str) -> None:
    """Tap an answer and wait until it has been counted."""
    unfold(page)
    with page.expect_response(lambda response: response.request.method == "POST"):
        pick(page, f"rule-{option}", value)


def stepper(page: Page, where: str, label: str) -> Locator:
    unfold(page)
    return page.locator(f"#{where}").get_by_role("button", name=label)


def changes(page: Page) -> Locator:
    return page.locator("#diff li > span")


def test_changes_are_listed_after_every_tap_and_can_be_reverted(editor: Page) -> None:

    answer(editor, "dealer_steal", "no")
    answer(editor, "all_pass", "redeal")
    expect_text(editor, "#diff summary", "2 changes")
    tap(editor, "Dealer steals: undo this change")

    expect(changes(editor)).to_have_count(1)
    expect(editor.locator('[name="rule-dealer_steal"][value="yes"]')).to_be_checked()
    answer(editor, "dealer_steal", "no")
    expect(changes(editor)).to_have_count(2)


def test_every_tap_on_a_stepper_counts_once(editor: Page) -> None:

    for target in range(20, 14, -1):
        stepper(editor, "rule-target", "Target: less").tap()
        expect(changes(editor)).to_contain_text([f"Play to {target}."])

    expect(editor.locator("#in-rule-target")).to_have_value("15")


def test_new_questions_do_not_move_the_answered_one(editor: Page) -> None:
    unfold(editor)
    field = editor.locator("#rule-moon")
    field.scroll_into_view_if_needed()
    before = field.bounding_box()

    answer(editor, "moon", "stake")
    expect(editor.locator("#rule-moon_made")).to_be_visible()

    after = field.bounding_box()
    assert before
    assert after
    assert abs(after["y"] - before["y"]) < 4


def test_an_answer_to_a_new_question_can_be_changed_after_the_page_came_back(editor: Page) -> None:
    answer(editor, "moon", "stake")
    field = editor.locator('[name="rule-moon_made"]')
    for points in ("30", "40"):
        with editor.expect_response(lambda response: response.request.method == "POST"):
            field.fill(points)
            field.blur()

        editor.reload()

        unfold(editor)
        expect(editor.locator("#in-rule-moon_made")).to_have_value(points)
        expect(field).to_have_count(1)


def test_the_dashed_button_leads_to_what_needs_correcting(editor: Page) -> None:
    unfold(editor)
    editor.locator("#in-rule-min_bid").fill("9")
    editor.locator("#in-rule-min_bid").blur()

    expect_text(editor, "#rule-min_bid", "The lowest bid is 9, but a hand is worth only 4.")
    tap(editor, "1 thing to fix first")
    expect(editor.locator("#in-rule-min_bid")).to_be_focused()

    editor.locator("#in-rule-min_bid").fill("3")
    editor.locator("#in-rule-min_bid").blur()
    expect(editor.get_by_role("button", name="Play by these rules 1 change")).to_be_visible()


def test_what_is_unfolded_stays_so_when_the_questions_change(editor: Page) -> None:
    editor.locator("#kind-moon > summary").tap()
    with editor.expect_response(lambda response: response.request.method == "POST"):
        pick(editor, "rule-moon", "stake")

    expect(editor.locator("#rule-moon_made")).to_be_visible()
    expect(editor.locator("#kind-bidding")).not_to_have_attribute("open", "")
