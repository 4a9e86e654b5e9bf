"""What a family does with it, tap by tap, on a phone: 390 by 844, with a finger."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page as Screen
from playwright.sync_api import expect

from tests.browser.conftest import Lay, Pocket
from tests.browser.taps import Finger

NAMES = ("Ann", "Bea", "Cal", "Dan")


def score(screen: Screen, side: str) -> str:
    """Read a side's score."""
    return screen.locator(f"[data-score={side}]").inner_text().strip()


def test_a_first_match_is_begun_with_four_taps_and_four_names(screen: Screen) -> None:
    finger = Finger(screen)
    screen.goto("/")

    finger.tap(screen.get_by_role("link", name="New match"))
    finger.tap(screen.get_by_role("link", name="Partnership Pitch 4 players"))
    for seat, name in enumerate(NAMES):
        screen.locator(f"[name=seat-{seat}]").fill(name)
    finger.tap(screen.get_by_role("radio", name="Seat 3 deals first"))
    expect(screen.locator(".foot .go")).to_have_text("Start: Cal deals")
    finger.tap(screen.locator(".foot .go"))

    expect(screen.locator("#turn")).to_contain_text("Cal deals hand 1. Dan speaks first.")
    assert finger.taps == 4


@pytest.mark.parametrize(
    ("trump", "most"),
    [("", 5), ("spades", 6)],
)
def test_a_hand_of_four_points_takes_few_taps(screen: Screen, lay: Lay, trump: str, most: int) -> None:
    finger = Finger(screen)
    screen.goto(lay())

    finger.tap(screen.get_by_role("link", name="Record hand"))
    finger.tap(screen.get_by_role("radio", name="Dan 3"))
    if trump:
        finger.tap(screen.get_by_role("radio", name=trump))
    finger.tap(screen.locator("#row-low").get_by_role("radio", name="Us"))
    expect(screen.locator("#main-button")).to_have_text("The rest to Them, and savemade: Us +1, Them +3")
    finger.tap(screen.locator("#main-button"))

    expect(screen.locator("#turn")).to_contain_text("Hand 1 is in. Dan 3: made. Us +1, Them +3.")
    assert (score(screen, "s1"), score(screen, "s2")) == ("1", "3")
    assert finger.taps <= most


def test_a_hand_of_ten_points_takes_few_taps(screen: Screen, lay: Lay) -> None:
    finger = Finger(screen)
    screen.goto(lay("colorado-ten-point"))

    finger.tap(screen.get_by_role("link", name="Record hand"))
    finger.tap(screen.get_by_role("radio", name="Cal"))
    finger.tap(screen.get_by_role("radio", name="6", exact=True))
    finger.tap(screen.get_by_role("radio", name="spades"))
    for award in ("jack", "deuce", "low_joker"):
        finger.tap(screen.locator(f"#row-{award}").get_by_role("radio", name="Them"))
    expect(screen.locator("#main-button")).to_have_text("The rest to Us, and savemade: Us +7, Them +3")
    finger.tap(screen.locator("#main-button"))

    expect(screen.locator("#turn")).to_contain_text("Hand 1 is in. Cal 6: made. Us +7, Them +3.")
    assert finger.taps <= 8


def test_the_count_runs_along_and_says_made_or_set_before_saving(screen: Screen, lay: Lay) -> None:
    screen.goto(f"{lay()}hands/new")
    finger, foot = Finger(screen), screen.locator("#foot")

    finger.tap(screen.get_by_role("radio", name="Dan 3"))
    expect(foot).to_contain_text("Them 0 of 3")
    expect(foot).to_contain_text("4 to place")
    for award in ("high", "low"):
        finger.tap(screen.locator(f"#row-{award}").get_by_role("radio", name="Them"))
    expect(foot).to_contain_text("Them 2 of 3")
    for award in ("jack", "game"):
        finger.tap(screen.locator(f"#row-{award}").get_by_role("radio", name="Us"))

    expect(foot.locator(".res")).to_have_text("set")
    expect(screen.locator("#main-button")).to_have_text("Save: Us +2, Them −3")
    finger.tap(screen.locator("#row-game").get_by_role("radio", name="Them"))
    expect(foot.locator(".res")).to_contain_text("made")


def test_a_second_tap_takes_an_answer_back(screen: Screen, lay: Lay) -> None:
    screen.goto(f"{lay()}hands/new")
    finger, low = Finger(screen), screen.locator("#row-low").get_by_role("radio", name="Us")
    finger.tap(screen.get_by_role("radio", name="Dan 3"))
    finger.tap(low)
    expect(screen.locator("#foot")).to_contain_text("3 to place")

    finger.tap(low)

    expect(low).not_to_be_checked()
    expect(screen.locator("#foot")).to_contain_text("4 to place")


def test_what_is_missing_is_led_to(screen: Screen, lay: Lay) -> None:
    screen.goto(f"{lay()}hands/new")

    screen.locator("#main-button").tap()

    expect(screen.get_by_role("radio", name="Bea 2")).to_be_focused()


def test_a_refusal_takes_the_focus_and_keeps_what_was_tapped(screen: Screen, lay: Lay) -> None:
    screen.goto(f"{lay()}hands/new")
    finger = Finger(screen)
    finger.tap(screen.get_by_role("radio", name="Dan 3"))
    for award in ("high", "jack"):
        finger.tap(screen.locator(f"#row-{award}").get_by_role("radio", name="nobody"))
    finger.tap(screen.locator("#main-button"))

    expect(screen.get_by_role("alert")).to_be_focused()
    expect(screen.get_by_role("alert")).to_contain_text("High has to be somebody’s.")
    expect(screen.get_by_role("radio", name="Dan 3")).to_be_checked()
    expect(screen.locator("#row-jack").get_by_role("radio", name="nobody")).to_be_checked()

    screen.get_by_role("link", name="High has to be somebody’s.").tap()
    expect(screen.locator("#row-high")).to_be_focused()
    finger.tap(screen.locator("#row-high").get_by_role("radio", name="Us"))
    finger.tap(screen.locator("#main-button"))
    expect(screen.locator("#turn")).to_contain_text("Hand 1 is in.")


def recorded(screen: Screen, bid: str, **took: str) -> None:
    """Record a hand from the match page."""
    finger = Finger(screen)
    finger.tap(screen.get_by_role("link", name="Record hand"))
    finger.tap(screen.get_by_role("radio", name=bid))
    for award, who in took.items():
        finger.tap(screen.locator(f"#row-{award}").get_by_role("radio", name=who))
    finger.tap(screen.locator("#main-button"))
    expect(screen.locator("#turn")).to_contain_text("is in.")


def test_an_old_hand_is_put_right_and_everything_follows(screen: Screen, lay: Lay) -> None:
    screen.goto(lay())
    recorded(screen, "Dan 3", low="Us")
    recorded(screen, "Ann 2", low="Them")
    finger = Finger(screen)

    finger.tap(screen.locator("#history a", has_text="Dan 3"))
    finger.tap(screen.locator("summary", has_text="Dan 3"))
    finger.tap(screen.locator("details[open]").get_by_role("link", name="Correct"))
    finger.tap(screen.locator("#row-game").get_by_role("radio", name="Us"))
    expect(screen.locator("#foot .says")).to_have_text("The score: Us 4 → 5, Them 4 → −2.")
    finger.tap(screen.locator("#main-button"))

    expect(screen.locator("#turn")).to_contain_text("Hand 1 is corrected.")
    assert (score(screen, "s1"), score(screen, "s2")) == ("5", "−2")


def test_undo_takes_one_tap_and_put_back_another(screen: Screen, lay: Lay) -> None:
    screen.goto(lay())
    recorded(screen, "Dan 3")
    finger = Finger(screen)

    finger.tap(screen.get_by_role("button", name="Undo"))
    expect(screen.locator("#turn")).to_contain_text("The last hand is taken back.")
    assert score(screen, "s2") == "0"

    finger.tap(screen.get_by_role("button", name="Put back"))
    expect(screen.locator("#board [data-score=s2]")).to_have_text("4")
    assert finger.taps == 2


def test_the_verdict_says_who_and_why_and_leads_to_the_next_match(screen: Screen, lay: Lay) -> None:
    screen.goto(lay(house_target="7"))
    recorded(screen, "Dan 4")
    recorded(screen, "Bea 4")

    expect(screen.locator(".crown h2")).to_have_text("Them win")
    expect(screen.locator(".why")).to_have_text("Them bid 4, made it, and stand at 8.")
    expect(screen.locator(".rule")).to_contain_text("A side wins only at the end of a hand")

    finger = Finger(screen)
    finger.tap(screen.get_by_role("link", name="Play again"))
    finger.tap(screen.locator(".foot .go"))
    expect(screen.locator("#turn")).to_contain_text("deals hand 1.")
    assert finger.taps == 2


def test_last_week_s_table_sits_down_within_four_taps_of_home(screen: Screen, lay: Lay) -> None:
    screen.goto(lay())
    screen.goto("/")
    finger = Finger(screen)

    finger.tap(screen.get_by_role("link", name=re.compile("Ann & Cal, Bea & Dan")))
    finger.tap(screen.locator(".foot .go"))

    expect(screen.locator("#turn")).to_contain_text("Ann deals hand 1.")
    assert finger.taps <= 4


def test_colours_and_names_come_along_to_the_next_match(screen: Screen, lay: Lay) -> None:
    screen.goto(f"{lay()}menu")
    finger = Finger(screen)
    finger.tap(screen.get_by_text("Colours and signs of the sides"))
    finger.tap(screen.get_by_role("group", name="Us").get_by_role("button", name="cross", exact=True))
    expect(screen.locator("#turn")).to_contain_text("Us wear the cross.")
    assert finger.taps == 2
    expect(screen.locator("#board .pc.s4")).to_contain_text("Us")

    screen.goto("/")
    finger = Finger(screen)
    finger.tap(screen.get_by_role("link", name=re.compile("Ann & Cal, Bea & Dan")))
    finger.tap(screen.locator(".foot .go"))

    expect(screen.locator("#turn")).to_contain_text("Ann deals hand 1.")
    expect(screen.locator("#board .pc.s4")).to_contain_text("Ann & Cal")
    assert finger.taps <= 4


def test_a_name_that_the_phone_knows_is_offered(screen: Screen, lay: Lay) -> None:
    screen.goto(lay())
    screen.goto("/new/cutthroat-pitch")

    offered = screen.locator("#seat-0").evaluate("(it) => [...it.list.options].map((name) => name.value)")

    assert offered == ["Ann", "Bea", "Cal", "Dan"]


def test_another_phone_follows_within_two_and_a_half_seconds(pocket: Pocket, lay: Lay) -> None:
    path = lay()
    scorer, watcher = pocket.phone(), pocket.phone()
    watcher.goto(path)
    scorer.goto(path)

    recorded(scorer, "Dan 3", low="Us")

    expect(watcher.locator("#board [data-score=s2]")).to_have_text("3", timeout=2500)
    expect(watcher.locator("#history tbody tr")).to_have_count(1)
    expect(watcher.locator("#turn")).to_contain_text("Bea deals hand 2.")


def test_a_watching_phone_asks_on_and_is_sent_nothing_while_nothing_changes(pocket: Pocket, lay: Lay) -> None:
    watcher = pocket.phone()
    watcher.goto(lay())

    answers = []
    for _ in range(2):
        with watcher.expect_response("**/board?v=*", timeout=3000) as answer:
            pass
        answers.append(answer.value.status)

    assert answers == [204, 204]


def test_two_phones_that_write_the_same_hand_are_both_shown(pocket: Pocket, lay: Lay) -> None:
    path = lay()
    mine, theirs = pocket.phone(), pocket.phone()
    mine.goto(path)
    finger = Finger(mine)
    finger.tap(mine.get_by_role("link", name="Record hand"))
    finger.tap(mine.get_by_role("radio", name="Ann 2"))
    theirs.goto(path)
    recorded(theirs, "Dan 3")

    finger.tap(mine.locator("#main-button"))
    expect(mine.get_by_role("alert")).to_contain_text("Another phone wrote hand 1 first")
    finger.tap(mine.get_by_role("button", name="Add mine as hand 2"))

    expect(mine.locator("#board [data-score=s1]")).to_have_text("4")
    expect(mine.locator("#board [data-score=s2]")).to_have_text("4")


def test_a_failure_is_said_and_goes_when_it_works_again(screen: Screen, lay: Lay, pocket: Pocket) -> None:
    screen.goto(f"{lay()}hands/new")
    finger, cookies = Finger(screen), screen.context.cookies()
    finger.tap(screen.get_by_role("radio", name="Dan 3"))

    screen.context.clear_cookies()
    finger.tap(screen.get_by_role("radio", name="spades"))
    expect(screen.locator("#trouble")).to_contain_text("lost touch")
    expect(screen.locator("#main-button")).to_contain_text("The rest to Them, and save")

    screen.context.add_cookies(cookies)  # type: ignore[arg-type]
    finger.tap(screen.get_by_role("radio", name="hearts"))
    expect(screen.locator("#trouble")).to_be_empty()
    pocket.said.clear()  # htmx tells the console of the failure, as it should


def test_a_stranger_s_failure_leaves_what_was_tapped_and_lets_it_be_saved(
    screen: Screen, lay: Lay, pocket: Pocket
) -> None:
    screen.goto(f"{lay()}hands/new")
    screen.route("**/preview", lambda route: route.fulfill(status=502, body="<p>no</p>", content_type="text/html"))

    Finger(screen).tap(screen.get_by_role("radio", name="Dan 3"))

    expect(screen.locator("#main-button")).to_contain_text("it waits here until the Wi-Fi is back")
    expect(screen.get_by_role("radio", name="Dan 3")).to_be_checked()
    pocket.said.clear()


def test_the_dark_is_chosen_and_stays(screen: Screen, lay: Lay) -> None:
    paper: Callable[[], str] = lambda: screen.evaluate("getComputedStyle(document.body).backgroundColor")  # noqa: E731
    screen.goto("/")
    by_day = paper()

    screen.get_by_role("button", name="dark").tap()
    expect(screen.locator("html")).to_have_attribute("data-theme", "dark")
    screen.goto(lay())

    assert paper() == "rgb(13, 22, 18)" != by_day
