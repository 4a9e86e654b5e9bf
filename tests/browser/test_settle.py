"""Who won: a hand typed in on a phone, whose ruling follows each tap."""

import re

from playwright.sync_api import Page, expect

from tests.browser.actions import Site, expect_text, pick, take_over, tap, tap_main_button
from tests.browser.playing import begin_match
from tests.common.settling import MADE, WENT_SET


def went_set(page: Page, who: str) -> None:
    page.locator("#more > summary").tap()
    tap(page, f"All passed: {who} went set")


def test_the_ruling_follows_what_is_tapped(page: Page) -> None:
    page.goto("/settle/rules")
    page.get_by_role("link", name=re.compile("^Colorado Ten Point")).first.tap()
    button = page.locator("#main-button")
    expect(button).to_have_text("Tap who bid, and how much")

    page.get_by_label("We: score before the hand").fill("37")
    page.get_by_label("They: score before the hand").fill("40")
    pick(page, "bidder", "s1")
    pick(page, "bid", "6")
    expect(button).to_have_text("How many did we take?")
    pick(page, "count-s1", "6")
    expect_text(page, ".tally .res", "4 left")
    expect(button).to_have_text("How many did they take?")
    expect(page.locator("#live .why")).to_have_count(0)
    pick(page, "count-s2", "4")
    expect_text(page, "#live", "We win, 43 to 44.")
    expect(button).to_have_text("Show why we win")
    expect(page).to_have_url(re.compile("score-0=37.*count-s2=4"))

    button.tap()

    expect_text(page, ".crown h2", "We win")
    page.get_by_role("link", name="Change").last.tap()
    expect(page.get_by_label("We: score before the hand")).to_have_value("37")


def test_a_name_is_on_every_part_of_the_page_at_once(page: Page) -> None:
    page.goto(f"/settle?{MADE}")

    page.get_by_text("Names", exact=False).last.tap()
    page.locator("#name-0").fill("The Millers")
    page.locator("#name-1").focus()

    expect_text(page, "#head-0", "The Millers")
    expect_text(page, "#live", "The Millers win")
    expect_text(page, "#q-bid", "The Millers")
    expect(page).to_have_title("Who won? · Scorekeeper")


def test_another_number_of_players_brings_their_rows(page: Page) -> None:
    page.goto("/settle?rules=cutthroat-pitch&seats=3")

    pick(page, "seats", "5")

    expect(page.locator(".before .rowp")).to_have_count(5)
    expect(page).to_have_url(re.compile("seats=5"))


def test_the_dealer_went_set_in_place_of_a_bid(page: Page) -> None:
    page.goto(f"/settle?{WENT_SET}&call=s2:3")

    went_set(page, "We")
    expect_text(page, "#q-bid", "We went set instead of bidding")
    expect_text(page, "#live", "We went set instead of bidding.")
    expect_text(page, "#main-button", "Show why nobody has won yet")
    tap(page.locator("#q-bid"), "Change")
    expect(page.locator("[name=call][value='s2:3']")).to_be_checked()
    expect_text(page, "#main-button", "How many did we take?")
    went_set(page, "We")
    expect_text(page, "#q-bid", "We went set instead of bidding")
    tap_main_button(page)

    expect(page.locator(".why").first).to_contain_text("We went set instead of bidding.")
    tap(page, "More")
    expect_text(page, "table.sums", "18 → 16")


def test_the_rules_last_used_are_aligned(page: Page, site: Site) -> None:
    phone = site.client()
    for game in ("partnership-pitch", "cutthroat-pitch"):
        begin_match(phone, game)
    take_over(page, phone, site)
    page.goto("/settle/rules")

    rights = [element.bounding_box() for element in page.locator("#main .list .end .ico").all() if element.is_visible()]

    assert len({round(box["x"]) for box in rights if box}) == 1
