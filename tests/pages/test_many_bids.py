"""A bid where a game has too many for a button each: the likely ones are tapped, and any other is typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.pages.hand.view import MAX_LIKELY, likely_numbers
from scorekeeper.pitch.rules.groups.declare import MAX_POINTS
from tests.common.calling import buttons, entry_form, finish, preview, say, way
from tests.common.phone import Page
from tests.pages.conftest import Begin

SIXTY_TWO = ("30", "35", "40", "45", "50", "55", "60", "62")


def opened(begin: Begin, ruleset_id: str = "king-pedro-sixty-two") -> Page:
    """Open the entry of the first hand."""
    return begin(ruleset_id).tap("Record hand")


def bid_shown(page: Page) -> tuple[str, str]:
    """Return the bid that is tapped, and the one that is typed."""
    fields = entry_form(page).fields
    return fields.get("bid", ""), fields["bid-number"]


def test_a_bid_that_was_made_before_has_a_button_from_then_on(begin: Begin) -> None:
    match = opened(begin).send("/hands/new", {"bidder": "p3", "bid-number": "43"}, press="Save")
    match = finish(match)

    assert match.rows[0].startswith("1 Cal 43")
    assert entry_form(match.tap("Record hand")).offered["bid"] == {*SIXTY_TWO, "43"}


def test_what_is_typed_and_has_a_button_is_tapped(begin: Begin) -> None:
    assert bid_shown(preview(opened(begin), bid_number="45")) == ("45", "")


def test_what_changed_last_counts_without_scripts(begin: Begin) -> None:
    typed = preview(opened(begin), bidder="p3", bid="40", bid_number="43")
    assert bid_shown(typed) == ("", "43")
    assert "of 43" in typed.part("bottom_bar").text

    tapped = preview(typed, bid="40")
    assert bid_shown(tapped) == ("40", "")

    typed_again = preview(tapped, bid_number="51")
    assert bid_shown(typed_again) == ("", "51")
    assert bid_shown(preview(typed_again, bid_number="")) == ("", "")


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("29", "29 is too low: the lowest bid is 30."),
        ("63", "63 is too high: the highest number is 62."),
        ("ab", "A bid is a number or one of smudge, moon, double_moon."),
    ],
)
def test_a_number_that_cannot_be_bid_is_refused_and_kept(begin: Begin, typed: str, reason: str) -> None:
    shown = opened(begin).send("/hands/new", {"bidder": "p3", "bid-number": typed}, press="Save")
    assert (shown.part("main-button").text, reason in shown.part("bottom_bar").text) == ("Fix this first", True)
    took = {name: "s1" for name in entry_form(shown).offered if name.startswith("took-")}

    page = shown.post("/hands/new", {**took, "do": "save"})

    assert page.status == 422
    assert reason in page.part("q-bid").text
    assert bid_shown(page) == ("", typed)


# ---------- call by call ----------


def calling(begin: Begin) -> Page:
    """Open the entry of the first hand, call by call."""
    return way(opened(begin), "auction")


def offered(page: Page) -> list[str]:
    """Return the calls that have a button."""
    return [button.value.split(":")[2] for button in buttons(page) if button.value.count(":") == 2]


def typed_call(page: Page, number: str) -> Page:
    """Type a number and press the button beside it."""
    return page.post("/hands/new", {"bid-number": number, "say": entry_form(page).fields["say-next"]})


def test_the_next_few_and_the_round_bids_above_have_a_button(begin: Begin) -> None:
    page = say(calling(begin), "pass", "40")

    assert offered(page)[:6] == ["pass", "41", "42", "43", "44", "45"]
    assert set(offered(page)) >= {"50", "55", "60", "62"}
    assert len(offered(page)) <= 17


def test_any_other_call_is_typed(begin: Begin) -> None:
    page = typed_call(say(calling(begin), "pass"), "38")

    assert page.part("q-bid-h").text == "Dan to bid"
    assert entry_form(page).fields["calls"] == "p2:pass p3:38"


def test_enter_sends_the_call_and_saves_nothing(begin: Begin) -> None:
    page = calling(begin).post("/hands/new", {"bid-number": "38", "do": "save"})

    assert entry_form(page).fields["calls"] == "p2:38"


def test_nothing_typed_is_no_call(begin: Begin) -> None:
    assert not entry_form(typed_call(calling(begin), "")).fields.get("calls")


@pytest.mark.parametrize("number", ["7", "99"])
def test_a_call_that_is_not_allowed_says_why_and_stays_typed(begin: Begin, number: str) -> None:
    page = typed_call(calling(begin), number)

    assert page.part("q-bid-h").text == "Bea to bid"
    assert f"{number} is too" in page.part("bottom_bar").text
    assert entry_form(page).fields["bid-number"] == number


NUMBERS = st.builds(range, st.integers(1, 60), st.integers(61, MAX_POINTS + 1)).map(tuple)
WANTED = st.lists(st.integers(1, MAX_POINTS), max_size=30)


@given(NUMBERS, WANTED)
def test_the_ends_have_a_button_and_all_of_them_fit(numbers: tuple[int, ...], wanted: list[int]) -> None:
    likely = likely_numbers(numbers, wanted)

    assert {numbers[0], numbers[-1]} <= set(likely) <= set(numbers)
    assert list(likely) == sorted(set(likely))
    assert len(likely) <= MAX_LIKELY


@given(NUMBERS, WANTED)
def test_the_last_few_that_were_wanted_have_one(numbers: tuple[int, ...], wanted: list[int]) -> None:
    can_be = [number for number in dict.fromkeys(wanted) if number in numbers]

    assert set(can_be[:4]) <= set(likely_numbers(numbers, wanted))


@given(NUMBERS, WANTED)
def test_no_button_goes_when_more_is_wanted(numbers: tuple[int, ...], wanted: list[int]) -> None:
    assert set(likely_numbers(numbers, [])) <= set(likely_numbers(numbers, wanted))
