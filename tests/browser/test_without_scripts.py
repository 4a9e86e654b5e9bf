"""Every journey with scripts off: page forms and links."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import give_rest, score, with_markers
from tests.browser.conftest import Site, StartMatch
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones


@pytest.fixture
def page(phones: Phones) -> Page:
    """Open a page on a phone that runs no scripts."""
    return phones.new(scripts=False)


def record_hand(page: Page, bid: str, **took: str) -> None:
    """Record a hand from the match page: what is tapped is counted first, the rest is given, then it is saved."""
    taps = TapCounter(page)
    taps.tap(page.locator("#bottom_bar .go"))
    taps.tap(page.get_by_role("radio", name=bid))
    for award, who in took.items():
        taps.tap(page.locator(f"#row-{award}").get_by_role("radio", name=who))
    taps.tap(page.locator("#main-button"))
    expect(page.locator(".bottom-bar .says")).to_contain_text("left: who took")
    give_rest(taps)
    taps.tap(page.locator("#main-button"))
    expect(page.locator("#turn")).to_contain_text("is saved.")


def test_a_match_from_start_to_verdict(page: Page) -> None:
    page.goto("/")
    taps = TapCounter(page)
    taps.tap(page.get_by_role("link", name="New match"))
    taps.tap(page.locator("label", has=page.locator("[name=players][value='3']")))
    taps.tap(page.get_by_role("button", name="Show what fits"))
    taps.tap(page.get_by_role("link", name="Play Cutthroat Pitch"))
    for seat, name in enumerate(("Ann", "Bea", "Cal")):
        page.locator(f"[name=seat-{seat}]").fill(name)
    taps.tap(page.locator("label", has=page.locator("[name=house-target][value='7']")))
    taps.tap(page.locator(".bottom-bar .go"))

    record_hand(page, "Bea 4", low="Ann")
    record_hand(page, "Cal 4")
    record_hand(page, "Cal 4")

    expect(page.locator(".crown h2")).to_have_text("Cal wins")
    assert [score(page, side) for side in ("p1", "p2", "p3")] == ["1", "−4", "8"]


def test_further_questions_are_asked_on_the_next_page(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new")
    taps = TapCounter(page)
    taps.tap(page.get_by_role("radio", name="Bea smudge"))
    taps.tap(page.locator("#main-button"))

    taps.tap(page.get_by_role("radio", name="yes, every one"))
    give_rest(taps)
    taps.tap(page.locator("#main-button"))

    expect(page.locator("#turn")).to_contain_text("Bea smudge: made.")


@pytest.mark.parametrize("answered", [False, True])
def test_the_save_button_of_a_complete_hand_says_save_and_can_be_tapped(
    page: Page, start_match: StartMatch, answered: bool
) -> None:
    page.goto(f"{start_match()}hands/new")
    taps, button = TapCounter(page), page.locator("#main-button")
    taps.tap(page.get_by_role("radio", name="Dan 3"))
    if answered:
        taps.tap(button)
        expect(page.locator(".bottom-bar .says")).to_have_text("4 left: who took High, Low, Jack, …?")

    for award in ("high", "low", "jack", "game"):
        taps.tap(page.locator(f"#row-{award}").get_by_role("radio", name="Bea & Dan"))

    expect(page.get_by_role("button", name="Save", exact=True)).to_have_id("main-button")
    assert button.inner_text() == ""  # what was missing before
    expect(button).to_have_css("border-style", "solid")
    taps.tap(button)
    expect(page.locator("#turn")).to_contain_text("is saved.")


def test_an_empty_hand_is_refused_with_what_is_missing(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new")

    TapCounter(page).tap(page.locator("#main-button"))

    expect(page.get_by_role("alert")).to_contain_text("Not saved yet")


def test_a_button_gives_the_rest_in_sight(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new")
    taps = TapCounter(page)
    taps.tap(page.get_by_role("radio", name="Dan 3"))
    taps.tap(page.get_by_role("button", name="Rest to Ann & Cal"))

    expect(page.locator("#row-low").get_by_role("radio", name="Ann & Cal")).to_be_checked()
    expect(page.locator("#main-button")).to_have_text(with_markers("Save: set, Bea & Dan −3 / Ann & Cal +4"))


def test_correct_delete_undo_redo(page: Page, start_match: StartMatch) -> None:
    page.goto(start_match())
    record_hand(page, "Dan 3", low="Ann & Cal")
    taps = TapCounter(page)
    taps.tap(page.locator("#history").get_by_role("link", name="All hands"))
    taps.tap(page.locator("summary"))
    taps.tap(page.get_by_role("link", name="Correct"))
    taps.tap(page.locator("#row-game").get_by_role("radio", name="Ann & Cal"))
    taps.tap(page.locator("#main-button"))
    assert (score(page, "s1"), score(page, "s2")) == ("2", "−3")

    taps.tap(page.locator("#history").get_by_role("link", name="All hands"))
    taps.tap(page.locator("summary"))
    taps.tap(page.get_by_role("link", name="Delete"))
    taps.tap(page.get_by_role("button", name="Delete"))
    assert (score(page, "s1"), score(page, "s2")) == ("0", "0")

    taps.tap(page.get_by_role("button", name="Undo"))
    assert (score(page, "s1"), score(page, "s2")) == ("2", "−3")
    taps.tap(page.locator("#turn").get_by_role("button", name="Redo"))
    assert (score(page, "s1"), score(page, "s2")) == ("0", "0")


def test_names_stop_resume_delete_restore(page: Page, start_match: StartMatch) -> None:
    path = start_match()
    page.goto(path)
    taps = TapCounter(page)
    taps.tap(page.get_by_role("link", name="Menu"))
    taps.tap(page.get_by_role("link", name="Names, date and place"))
    page.locator("[name=name-p1]").fill("Anna")
    taps.tap(page.get_by_role("button", name="Save", exact=True))
    expect(page.locator("#board")).to_contain_text("Anna & Cal")

    taps.tap(page.get_by_role("link", name="Menu"))
    taps.tap(page.get_by_role("link", name="Stop for tonight"))
    taps.tap(page.get_by_role("button", name="Stop"))
    expect(page.locator(".crown h2")).to_have_text("Stopped")
    taps.tap(page.get_by_role("button", name="Resume"))

    taps.tap(page.get_by_role("link", name="Menu"))
    taps.tap(page.get_by_role("link", name="Delete this match"))
    taps.tap(page.get_by_role("button", name="Delete"))
    taps.tap(page.get_by_role("button", name="Restore"))
    expect(page).to_have_url(re.compile(re.escape(path)))


def test_a_match_is_downloaded_and_imported(page: Page, start_match: StartMatch, site: Site) -> None:
    path = start_match()
    page.goto(path)
    record_hand(page, "Dan 3")
    with page.expect_download() as download:
        page.goto(f"{path}menu")
        page.get_by_role("link", name="Download").tap()

    page.goto("/transfer")
    page.locator("[type=file]").set_input_files(download.value.path())
    taps = TapCounter(page)
    taps.tap(page.get_by_role("button", name="Import"))
    taps.tap(page.get_by_role("button", name="Import everything again"))

    assert score(page, "s2") == "4"
    assert not page.url.startswith(f"{site.url}{path}")


def test_two_phones_on_the_same_hand(page: Page, phones: Phones, start_match: StartMatch) -> None:
    path = start_match()
    theirs = phones.new(scripts=False)
    page.goto(path)
    taps = TapCounter(page)
    taps.tap(page.get_by_role("link", name="Record hand"))
    taps.tap(page.get_by_role("radio", name="Ann 2"))
    taps.tap(page.locator("#main-button"))
    give_rest(taps)
    theirs.goto(path)
    others = TapCounter(theirs)
    others.tap(theirs.get_by_role("link", name="Continue this hand"))
    others.tap(theirs.get_by_role("radio", name="Dan 3"))
    others.tap(theirs.locator("#main-button"))
    expect(theirs.get_by_role("alert")).to_contain_text("The button said Ann & Cal +4, Bea & Dan 0")
    others.tap(theirs.locator("#main-button"))
    expect(theirs.locator("#turn")).to_contain_text("is saved.")

    taps.tap(page.locator("#main-button"))
    taps.tap(page.get_by_role("button", name="Use this one"))

    assert (score(page, "s1"), score(page, "s2")) == ("4", "0")


def test_the_theme(page: Page) -> None:
    page.goto("/settings")

    TapCounter(page).tap(page.get_by_role("button", name="dark"))

    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
