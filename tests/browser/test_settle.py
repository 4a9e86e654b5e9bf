"""Who won: a hand typed in on a phone, whose ruling follows each tap."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.playing import begin_match
from tests.common.settling import MADE, WENT_SET


def choose(page: Page, name: str, value: str) -> None:
    page.locator("label", has=page.locator(f"[name={name}][value='{value}']")).tap()


def rest(page: Page, who: str) -> None:
    page.locator("button[name=rest]", has_text=who).tap()


def went_set(page: Page, who: str) -> None:
    page.locator("#more > summary").tap()
    page.get_by_role("button", name=f"All passed: {who} went set").tap()


def test_the_ruling_follows_what_is_tapped(page: Page) -> None:
    page.goto("/settle/rules")
    page.get_by_role("link", name=re.compile("^Colorado Ten Point")).first.tap()
    button = page.locator("#main-button")
    expect(button).to_have_text("Tap who bid, and how much")

    page.get_by_label("We: score before the hand").fill("37")
    page.get_by_label("They: score before the hand").fill("40")
    choose(page, "bidder", "s1")
    choose(page, "bid", "6")
    expect(button).to_have_text("How many did we take?")
    choose(page, "count-s1", "6")
    expect(page.locator(".tally .res")).to_have_text("4 left")
    expect(button).to_have_text("How many did they take?")
    expect(page.locator("#live .why")).to_have_count(0)
    choose(page, "count-s2", "4")
    expect(page.locator("#live")).to_contain_text("We win, 43 to 44.")
    expect(button).to_have_text("Show why we win")
    expect(page).to_have_url(re.compile("score-0=37.*count-s2=4"))

    button.tap()

    expect(page.locator(".crown h2")).to_have_text("We win")
    page.get_by_role("link", name="Change").last.tap()
    expect(page.get_by_label("We: score before the hand")).to_have_value("37")


def test_a_name_is_on_every_part_of_the_page_at_once(page: Page) -> None:
    page.goto(f"/settle?{MADE}")

    page.get_by_text("Names", exact=False).last.tap()
    page.locator("#name-0").fill("The Millers")
    page.locator("#name-1").focus()

    expect(page.locator("#head-0")).to_contain_text("The Millers")
    expect(page.locator("#live")).to_contain_text("The Millers win")
    expect(page.locator("#q-bid")).to_contain_text("The Millers")
    expect(page).to_have_title("Who won? · Scorekeeper")


def test_another_number_of_players_brings_their_rows(page: Page) -> None:
    page.goto("/settle?rules=cutthroat-pitch&seats=3")

    choose(page, "seats", "5")

    expect(page.locator(".before .rowp")).to_have_count(5)
    expect(page).to_have_url(re.compile("seats=5"))


def test_the_dealer_went_set_in_place_of_a_bid(page: Page) -> None:
    page.goto(f"/settle?{WENT_SET}&call=s2:3")

    went_set(page, "We")
    expect(page.locator("#q-bid")).to_contain_text("We went set instead of bidding")
    expect(page.locator("#live")).to_contain_text("We went set instead of bidding.")
    expect(page.locator("#main-button")).to_have_text("Show why nobody has won yet")
    page.locator("#q-bid").get_by_role("button", name="Change").tap()
    expect(page.locator("[name=call][value='s2:3']")).to_be_checked()
    expect(page.locator("#main-button")).to_have_text("How many did we take?")
    went_set(page, "We")
    expect(page.locator("#q-bid")).to_contain_text("We went set instead of bidding")
    page.locator("#main-button").tap()

    expect(page.locator(".why").first).to_contain_text("We went set instead of bidding.")
    page.get_by_role("link", name="More").tap()
    expect(page.locator("table.sums")).to_contain_text("18 → 16")


def test_the_rules_last_used_are_aligned(page: Page, site: Site) -> None:
    phone = site.client()
    for game in ("partnership-pitch", "cutthroat-pitch"):
        begin_match(phone, game)
    cookie = phone.client.get_cookie("scorekeeper")
    assert cookie
    page.context.add_cookies([{"name": "scorekeeper", "value": cookie.value, "url": site.url}])
    page.goto("/settle/rules")

    rights = [element.bounding_box() for element in page.locator("#main .list .end .ico").all() if element.is_visible()]

    assert len({round(box["x"]) for box in rights if box}) == 1
