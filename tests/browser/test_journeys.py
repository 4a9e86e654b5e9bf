"""What a family does with it, tap by tap, on a phone: 390 by 844, touched."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.actions import give_rest, record_hand, score, with_markers
from tests.browser.conftest import StartMatch
from tests.browser.taps import TapCounter
from tests.common.chromium import Phones

NAMES = ("Ann", "Bea", "Cal", "Dan")


def test_a_first_match_is_started_with_four_taps_and_four_names(page: Page) -> None:
    taps = TapCounter(page)
    page.goto("/")

    taps.tap(page.get_by_role("link", name="New match"))
    taps.tap(page.get_by_role("link", name="Play Partnership Pitch"))
    for seat, name in enumerate(NAMES):
        page.locator(f"[name=seat-{seat}]").fill(name)
    taps.tap(page.get_by_role("radio", name="Seat 3 deals first"))
    expect(page.locator(".bottom-bar .go")).to_have_text("Start: Cal deals")
    taps.tap(page.locator(".bottom-bar .go"))

    expect(page.locator("#turn")).to_contain_text("Cal deals hand 1. Dan bids first.")
    assert taps.count == 4


def test_the_commonest_game_is_four_taps_from_home_to_its_first_hand(page: Page) -> None:
    page.goto("/")
    taps = TapCounter(page)

    taps.tap(page.get_by_role("link", name="New match"))
    taps.tap(page.get_by_role("link", name="Play Partnership Pitch"))
    taps.tap(page.locator(".bottom-bar .go"))
    taps.tap(page.get_by_role("link", name="Record hand"))

    expect(page.locator("#hand_form")).to_be_visible()
    assert taps.count == 4


@pytest.mark.parametrize("width", [390, 320])
def test_a_seat_shows_twelve_letters(phones: Phones, width: int) -> None:
    page = phones.new(width=width)
    page.goto("/new/partnership-pitch")

    for seat, name in enumerate(("Maximilianne", "Wilhelminaaa", "Bartholomews", "Christophers")):
        page.locator(f"[name=seat-{seat}]").fill(name)

    seats = page.locator(".seat input[type=text]")
    hidden = seats.evaluate_all("(all) => all.map((it) => it.scrollWidth - it.clientWidth)")
    assert hidden == [0, 0, 0, 0]
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize(
    ("trump", "most"),
    [("", 5), ("spades", 6)],
)
def test_a_hand_of_four_points_takes_few_taps(page: Page, start_match: StartMatch, trump: str, most: int) -> None:
    taps = TapCounter(page)
    page.goto(start_match())

    taps.tap(page.get_by_role("link", name="Record hand"))
    taps.tap(page.get_by_role("radio", name="Dan 3"))
    if trump:
        taps.tap(page.get_by_role("radio", name=trump))
    taps.tap(page.locator("#row-low").get_by_role("radio", name="Ann & Cal"))
    expect(page.locator("#main-button")).to_have_text("3 left: who took High, Jack, Game?")
    taps.tap(page.get_by_role("button", name="Rest to Bea & Dan"))
    expect(page.locator("#main-button")).to_have_text(with_markers("Save: made, Bea & Dan +3 / Ann & Cal +1"))
    taps.tap(page.locator("#main-button"))

    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved. Dan 3: made. Ann & Cal +1, Bea & Dan +3.")
    assert (score(page, "s1"), score(page, "s2")) == ("1", "3")
    assert taps.count <= most


def test_a_hand_of_ten_points_takes_few_taps(page: Page, start_match: StartMatch) -> None:
    taps = TapCounter(page)
    page.goto(start_match("colorado-ten-point"))

    taps.tap(page.get_by_role("link", name="Record hand"))
    taps.tap(page.get_by_role("radio", name="Cal", exact=True))
    taps.tap(page.get_by_role("radio", name="6", exact=True))
    taps.tap(page.get_by_role("radio", name="spades"))
    for award in ("jack", "deuce", "low_joker"):
        taps.tap(page.locator(f"#row-{award}").get_by_role("radio", name="Bea & Dan"))
    taps.tap(page.get_by_role("button", name="Rest to Ann & Cal"))
    said = with_markers("Save: made, Ann & Cal +7 / Bea & Dan +3")
    expect(page.locator("#main-button")).to_have_text(said)
    taps.tap(page.locator("#main-button"))

    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved. Cal 6: made. Ann & Cal +7, Bea & Dan +3.")
    assert taps.count <= 9


@pytest.mark.parametrize("height", [844, 664])
def test_nothing_is_saved_that_nobody_entered(phones: Phones, start_match: StartMatch, height: int) -> None:
    page = phones.new(height=height)
    page.goto(f"{start_match('colorado-ten-point')}hands/new")
    taps, button = TapCounter(page), page.locator("#main-button")
    taps.tap(page.get_by_role("radio", name="Cal", exact=True))
    taps.tap(page.get_by_role("radio", name="7", exact=True))
    taps.tap(page.locator("#row-ace").get_by_role("radio", name="Ann & Cal"))
    expect(button).to_have_text("9 left: who took Jack, Off Jack, High Joker, …?")

    taps.tap(button)
    expect(page.locator("#row-jack input").first).to_be_focused()
    expect(page.locator("#row-jack")).to_be_in_viewport()
    expect(page.locator("#row-jack input:checked")).to_have_count(0)

    taps.tap(page.get_by_role("button", name="Rest to Bea & Dan"))
    expect(page.locator(".rest")).not_to_be_visible()
    expect(page.locator("#row-jack").get_by_role("radio", name="Bea & Dan")).to_be_checked()
    expect(button).to_have_text(with_markers("Save: set, Ann & Cal −7 / Bea & Dan +9"))
    taps.tap(page.locator("#row-trey").get_by_role("radio", name="Bea & Dan"))
    expect(page.locator(".rest")).to_be_visible()
    taps.tap(page.get_by_role("button", name="Rest to nobody"))
    taps.tap(button)

    expect(page.locator("#turn")).to_contain_text("Ann & Cal −7, Bea & Dan +6.")


def test_points_only_are_saved_once_every_number_is_in_sight(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new?by=counts")
    taps, button = TapCounter(page), page.locator("#main-button")
    taps.tap(page.get_by_role("radio", name="Dan 3"))
    taps.tap(page.locator("#count-s2").get_by_role("radio", name="3"))
    expect(button).to_have_text("How many did Ann & Cal take?")

    taps.tap(page.get_by_role("button", name="Rest to Ann & Cal"))
    expect(page.locator("#count-s1").get_by_role("radio", name="1")).to_be_checked()
    taps.tap(button)

    expect(page.locator("#turn")).to_contain_text("Ann & Cal +1, Bea & Dan +3.")


def test_the_count_shows_made_or_set_before_saving(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new")
    taps, bar = TapCounter(page), page.locator("#bottom_bar")

    taps.tap(page.get_by_role("radio", name="Dan 3"))
    expect(bar).to_contain_text("Bea & Dan 0 of 3")
    expect(bar).to_contain_text("4 left")
    for award in ("high", "low"):
        taps.tap(page.locator(f"#row-{award}").get_by_role("radio", name="Bea & Dan"))
    expect(bar).to_contain_text("Bea & Dan 2 of 3")
    for award in ("jack", "game"):
        taps.tap(page.locator(f"#row-{award}").get_by_role("radio", name="Ann & Cal"))

    expect(bar.locator(".res")).to_have_text("set")
    expect(page.locator("#main-button")).to_have_text(with_markers("Save: set, Bea & Dan −3 / Ann & Cal +2"))
    taps.tap(page.locator("#row-game").get_by_role("radio", name="Bea & Dan"))
    expect(bar.locator(".res")).to_contain_text("made")


def test_a_second_tap_takes_an_answer_back(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new")
    taps, low = TapCounter(page), page.locator("#row-low").get_by_role("radio", name="Ann & Cal")
    taps.tap(page.get_by_role("radio", name="Dan 3"))
    taps.tap(low)
    expect(page.locator("#bottom_bar")).to_contain_text("3 left")

    taps.tap(low)

    expect(low).not_to_be_checked()
    expect(page.locator("#bottom_bar")).to_contain_text("4 left")


def test_the_main_button_leads_to_the_missing_answer(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new")

    page.locator("#main-button").tap()

    expect(page.get_by_role("radio", name="Bea 2")).to_be_focused()


def test_a_refusal_takes_the_focus_and_keeps_what_was_tapped(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}hands/new")
    taps = TapCounter(page)
    taps.tap(page.get_by_role("radio", name="Dan 3"))
    for award in ("high", "jack"):
        taps.tap(page.locator(f"#row-{award}").get_by_role("radio", name="nobody"))
    give_rest(taps)
    taps.tap(page.locator("#main-button"))

    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_role("alert")).to_contain_text("Someone has to get High.")
    expect(page.get_by_role("radio", name="Dan 3")).to_be_checked()
    expect(page.locator("#row-jack").get_by_role("radio", name="nobody")).to_be_checked()

    page.get_by_role("link", name="Someone has to get High.").tap()
    expect(page.locator("#row-high")).to_be_focused()
    taps.tap(page.locator("#row-high").get_by_role("radio", name="Ann & Cal"))
    taps.tap(page.locator("#main-button"))
    expect(page.locator("#turn")).to_contain_text("Hand 1 is saved.")


def test_correcting_an_old_hand_recounts_the_match(page: Page, start_match: StartMatch) -> None:
    page.goto(start_match())
    record_hand(page, "Dan 3", low="Ann & Cal")
    record_hand(page, "Ann 2", low="Bea & Dan")
    taps = TapCounter(page)

    taps.tap(page.locator("#history a", has_text="Dan 3"))
    taps.tap(page.locator("details[open]").get_by_role("link", name="Correct"))
    taps.tap(page.locator("#row-game").get_by_role("radio", name="Ann & Cal"))
    expect(page.locator("#bottom_bar .says")).to_have_text("Score: Ann & Cal 4 → 5, Bea & Dan 4 → −2.")
    taps.tap(page.locator("#main-button"))

    expect(page.locator("#turn")).to_contain_text("Hand 1 is corrected.")
    assert (score(page, "s1"), score(page, "s2")) == ("5", "−2")


def test_undo_and_redo_take_one_tap_each(page: Page, start_match: StartMatch) -> None:
    page.goto(start_match())
    record_hand(page, "Dan 3")
    taps = TapCounter(page)

    taps.tap(page.get_by_role("button", name="Undo"))
    expect(page.locator("#turn")).to_contain_text("undone.")
    assert score(page, "s2") == "0"

    taps.tap(page.locator("#turn").get_by_role("button", name="Redo"))
    expect(page.locator("#board [data-score=s2]")).to_have_text("4")
    assert taps.count == 2


def test_the_verdict_says_who_and_why_and_leads_to_the_next_match(page: Page, start_match: StartMatch) -> None:
    page.goto(start_match(house_target="7"))
    record_hand(page, "Dan 4")
    record_hand(page, "Bea 4")

    expect(page.locator(".crown h2")).to_have_text("Bea & Dan win")
    expect(page.locator(".why")).to_contain_text("Bea & Dan bid 4, made it with every point, and have 8.")
    expect(page.locator(".rule")).to_contain_text("A side wins when it makes its own bid and then has 7 or more.")

    taps = TapCounter(page)
    taps.tap(page.get_by_role("link", name="Play again"))
    taps.tap(page.locator(".bottom-bar .go"))
    expect(page.locator("#turn")).to_contain_text("deals hand 1.")
    assert taps.count == 2


def test_the_same_players_start_again_within_four_taps_of_home(page: Page, start_match: StartMatch) -> None:
    page.goto(start_match())
    page.goto("/")
    taps = TapCounter(page)

    taps.tap(page.get_by_role("link", name=re.compile("Ann & Cal, Bea & Dan")))
    taps.tap(page.locator(".bottom-bar .go"))

    expect(page.locator("#turn")).to_contain_text("Ann deals hand 1.")
    assert taps.count <= 4


def test_colors_and_names_are_kept_for_the_next_match(page: Page, start_match: StartMatch) -> None:
    page.goto(f"{start_match()}menu")
    taps = TapCounter(page)
    taps.tap(page.get_by_role("link", name="Names, date and place"))
    taps.tap(page.get_by_role("group", name="Ann & Cal").get_by_role("button", name="cross", exact=True))
    expect(page.locator("#turn")).to_contain_text("Ann & Cal have the cross.")
    assert taps.count == 2
    expect(page.locator("#board .pc.s4")).to_contain_text("Ann & Cal")

    page.goto("/")
    taps = TapCounter(page)
    taps.tap(page.get_by_role("link", name=re.compile("Ann & Cal, Bea & Dan")))
    taps.tap(page.locator(".bottom-bar .go"))

    expect(page.locator("#turn")).to_contain_text("Ann deals hand 1.")
    expect(page.locator("#board .pc.s4")).to_contain_text("Ann & Cal")
    assert taps.count <= 4


def test_a_name_that_the_phone_knows_is_offered(page: Page, start_match: StartMatch) -> None:
    page.goto(start_match())
    page.goto("/new/cutthroat-pitch")

    offered = page.locator("#seat-0").evaluate("(it) => [...it.list.options].map((name) => name.value)")

    assert offered == ["Ann", "Bea", "Cal", "Dan"]


def test_another_phone_follows(phones: Phones, start_match: StartMatch) -> None:
    path = start_match()
    scorer, watcher = phones.new(), phones.new()
    watcher.goto(path)
    scorer.goto(path)

    record_hand(scorer, "Dan 3", low="Ann & Cal")

    expect(watcher.locator("#board [data-score=s2]")).to_have_text("3")
    expect(watcher.locator("#history tbody tr:not(.opened)")).to_have_count(1)
    expect(watcher.locator("#turn")).to_contain_text("Bea deals hand 2.")


def test_polls_are_empty_while_nothing_changes(phones: Phones, start_match: StartMatch) -> None:
    watcher = phones.new()
    watcher.goto(start_match())

    answers = []
    for _ in range(2):
        with watcher.expect_response("**/board?v=*", timeout=3000) as answer:
            pass
        answers.append(answer.value.status)

    assert answers == [204, 204]


def test_both_hands_are_shown_when_two_phones_write_the_same_one(phones: Phones, start_match: StartMatch) -> None:
    path = start_match()
    mine, theirs = phones.new(), phones.new()
    mine.goto(path)
    taps = TapCounter(mine)
    taps.tap(mine.get_by_role("link", name="Record hand"))
    taps.tap(mine.get_by_role("radio", name="Ann 2"))
    give_rest(taps)
    theirs.goto(path)
    record_hand(theirs, "Dan 3")

    taps.tap(mine.locator("#main-button"))
    expect(mine.get_by_role("alert")).to_contain_text("Another phone saved hand 1 first")
    taps.tap(mine.get_by_role("button", name="Add mine as hand 2"))

    expect(mine.locator("#board [data-score=s1]")).to_have_text("4")
    expect(mine.locator("#board [data-score=s2]")).to_have_text("4")


def test_a_failure_is_shown_until_a_request_succeeds(page: Page, start_match: StartMatch, phones: Phones) -> None:
    page.goto(f"{start_match()}hands/new")
    taps, cookies = TapCounter(page), page.context.cookies()
    taps.tap(page.get_by_role("radio", name="Dan 3"))

    page.context.clear_cookies()
    taps.tap(page.get_by_role("radio", name="spades"))
    expect(page.locator("#trouble")).to_contain_text("open too long")
    expect(page.locator("#main-button")).to_have_text("4 left: who took High, Low, Jack, …?")

    page.context.add_cookies(cookies)  # type: ignore[arg-type]
    taps.tap(page.get_by_role("radio", name="hearts"))
    expect(page.locator("#trouble")).to_be_empty()
    phones.console.clear()  # htmx tells the console of the failure, as it should


def test_a_proxy_error_keeps_the_answers_and_lets_the_hand_be_saved(
    page: Page, start_match: StartMatch, phones: Phones
) -> None:
    page.goto(f"{start_match()}hands/new")
    page.route("**/preview", lambda route: route.fulfill(status=502, body="<p>no</p>", content_type="text/html"))

    TapCounter(page).tap(page.get_by_role("radio", name="Dan 3"))

    expect(page.locator("#main-button")).to_contain_text("this phone keeps it until the Wi-Fi is back")
    expect(page.get_by_role("radio", name="Dan 3")).to_be_checked()
    phones.console.clear()


def test_the_dark_theme_is_remembered(page: Page, start_match: StartMatch) -> None:
    paper: Callable[[], str] = lambda: page.evaluate("getComputedStyle(document.body).backgroundColor")  # noqa: E731
    page.goto("/settings")
    by_day = paper()

    page.get_by_role("button", name="dark").tap()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto(start_match())

    assert paper() == "rgb(13, 22, 18)" != by_day
