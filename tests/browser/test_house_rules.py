"""House rules on the phone: composed by tapping, kept, carried to another phone, played by."""

import re

from playwright.sync_api import Locator, expect
from playwright.sync_api import Page as Screen

from tests.browser.conftest import Pocket

NEW = "/house/new?base=partnership-pitch"


def answer(screen: Screen, option: str, value: str) -> None:
    """Tap an answer and wait until it has been counted."""
    with screen.expect_response(lambda response: response.request.method == "POST"):
        screen.locator(f'label:has([name="rule-{option}"][value="{value}"])').tap()


def stepper(screen: Screen, where: str, label: str) -> Locator:
    return screen.locator(f"#{where}").get_by_role("button", name=label)


def changes(screen: Screen) -> Locator:
    return screen.locator("#diff li > span")


def test_what_differs_follows_every_tap_and_each_change_has_its_way_back(pocket: Pocket) -> None:
    screen = pocket.phone()
    screen.goto(NEW)

    answer(screen, "dealer_steal", "no")
    answer(screen, "all_pass", "redeal")
    expect(screen.locator("#diff h2")).to_have_text("2 changes from the book")
    screen.get_by_role("button", name="Dealer steals: back to what it was").tap()

    expect(changes(screen)).to_have_count(1)
    expect(screen.locator('[name="rule-dealer_steal"][value="yes"]')).to_be_checked()
    answer(screen, "dealer_steal", "no")
    expect(changes(screen)).to_have_count(2)


def test_every_tap_on_a_step_counts_once(pocket: Pocket) -> None:
    screen = pocket.phone()
    screen.goto(NEW)

    for _ in range(6):
        stepper(screen, "rule-target", "Target: less").tap()

    expect(changes(screen)).to_contain_text(["The match is played to 15."])
    expect(screen.locator("#in-rule-target")).to_have_value("15")


def test_new_questions_leave_the_answered_one_under_the_thumb(pocket: Pocket) -> None:
    screen = pocket.phone()
    screen.goto(NEW)
    asked = screen.locator("#rule-moon")
    asked.scroll_into_view_if_needed()
    before = asked.bounding_box()

    answer(screen, "moon", "stake")
    expect(screen.locator("#rule-moon_made")).to_be_visible()

    after = asked.bounding_box()
    assert before
    assert after
    assert abs(after["y"] - before["y"]) < 4


def test_the_dashed_button_leads_to_what_is_to_be_put_right(pocket: Pocket) -> None:
    screen = pocket.phone()
    screen.goto(NEW)
    screen.locator("#in-rule-min_bid").fill("9")
    screen.locator("#in-rule-min_bid").blur()

    expect(screen.locator("#rule-min_bid")).to_contain_text("The lowest bid is 9, but a hand is worth only 4.")
    screen.get_by_role("button", name="1 thing to put right first").tap()
    expect(screen.locator("#in-rule-min_bid")).to_be_focused()

    screen.locator("#in-rule-min_bid").fill("3")
    screen.locator("#in-rule-min_bid").blur()
    expect(screen.get_by_role("button", name="Save these rules")).to_be_visible()


def test_rules_go_from_phone_to_phone_and_are_played_by(pocket: Pocket) -> None:
    one, other = pocket.phone(), pocket.phone()
    one.goto(NEW)
    answer(one, "dealer_steal", "no")
    one.get_by_label("What you call these rules").fill("The Millers’ Pitch")
    one.get_by_role("button", name="Save these rules").tap()
    expect(one.get_by_text("The Millers’ Pitch is saved.")).to_be_visible()
    one.get_by_role("link", name=re.compile("^The Millers’ Pitch")).tap()
    one.get_by_role("link", name="Share these rules").tap()
    code = one.locator("#code").inner_text()

    other.goto(f"/rules?r={code}")
    other.get_by_role("button", name="Keep as our rules").tap()
    expect(other.get_by_text("The Millers’ Pitch is saved.")).to_be_visible()
    other.goto("/new")
    other.get_by_role("link", name=re.compile("^The Millers’ Pitch")).tap()
    other.get_by_role("button", name="Start").last.tap()

    expect(other.locator("h1")).to_contain_text("The Millers’ Pitch, to 21")


def test_without_scripts_rules_are_composed_as_well(pocket: Pocket) -> None:
    screen = pocket.phone(scripts=False)
    screen.goto(NEW)

    stepper(screen, "rule-target", "Target: less").tap()
    expect(changes(screen)).to_contain_text(["The match is played to 20."])
    screen.locator('label:has([name="rule-smudge"][value="no"])').tap()
    screen.get_by_label("What you call these rules").fill("Plain")
    screen.get_by_role("button", name="Save these rules").tap()

    expect(screen.get_by_text("Plain is saved.")).to_be_visible()
    screen.get_by_role("link", name=re.compile("^Plain")).tap()
    expect(changes(screen)).to_have_count(2)
