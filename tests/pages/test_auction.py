"""A hand with its whole auction: call by call, from the dealer's left, to the bid and what follows it."""

from typing import Any

import pytest

from tests.browser.playing import begin_match
from tests.common.calling import buttons, entry_form, finish, save, say, took, way
from tests.common.importing import brought_in
from tests.common.library import LIBRARY
from tests.common.phone import Page, Phone
from tests.pages.conftest import record
from tests.pages.test_every_ruleset import each_ruleset_id

PITCH: dict[str, Any] = {"variant": "partnership-pitch", "hands": []}


def calling(match: Page) -> Page:
    """Open the entry of a new hand, call by call."""
    return way(match.tap("Record hand"), "auction")


def test_a_dealer_who_overtakes_a_led_card(phone: Phone) -> None:
    misdeal = {"dealer": "Ann", "thrown_in": "misdeal"}
    match = brought_in(
        phone, {**PITCH, "players": ["Ann", "Bea", "Cal", "Dan"], "house": {"pitching": True}, "hands": [misdeal]}
    )

    entry = say(calling(match), "3", "pitch", "pass", "pitch")

    assert entry.part("q-bid").one("summary").text == "A Ann pitched, which counts as 4 Change Close"
    assert "different dealer" in entry.text
    hand = finish(entry).record["hands"][1]
    assert hand["auction"][3] == ["Ann", "pitch"]
    assert "bidder" not in hand
    assert entry_form(way(match.open("hands/2"), "cards")).fields["overtook_pitch"] == "yes"


def mode(match: Page) -> str:
    """Return the mode in which the next hand is entered."""
    return entry_form(match.tap("Record hand")).fields["by"]


def test_the_next_match_of_a_game_begins_in_the_mode_of_its_last_one(match: Page, phone: Phone) -> None:
    finish(say(calling(match), "2", "pass", "pass", "pass"))
    other = begin_match(phone, "auction-pitch")
    assert mode(other) == "cards"
    other.tap("Record hand").send("/hands/new", press="Points only").send("/hands/new", press="Misdeal")

    games = ("partnership-pitch", "auction-pitch", "setback-bernsrite")

    assert [mode(begin_match(phone, game)) for game in games] == ["auction", "counts", "cards"]


def test_a_phone_that_kept_one_mode_for_all_games_has_it_until_its_next_hand(match: Page, phone: Phone) -> None:
    with phone.client.session_transaction() as session:
        session["way"] = "counts"

    assert mode(match) == "counts"


def test_calls_are_the_bid_in_the_other_modes(match: Page) -> None:
    entry = way(say(calling(match), "pass", "pass", "3", "pass"), "counts")
    assert entry_form(entry).fields["call"] == "p4:3"

    match = entry.send("/hands/new", {"count-s1": "1", "count-s2": "3"}, press="How many")

    assert match.record["hands"][0]["points"] == {"Ann & Cal": 1, "Bea & Dan": 3}
    assert [who for who, _ in match.record["hands"][0]["auction"]] == ["Bea", "Cal", "Dan", "Ann"]


def test_counts_are_kept_where_the_calls_are_added(match: Page) -> None:
    entry = match.tap("Record hand").send("/hands/new", press="Points only")
    entry = entry.send("/hands/new", {"call": "p4:3", "count-s1": "1", "count-s2": "3"}, press="Full auction")

    match = say(entry, "pass", "pass", "3", "pass").send(
        "/hands/new", press="Save: made, B Bea & Dan +3 / A Ann & Cal +1"
    )

    assert match.record["hands"][0]["points"] == {"Ann & Cal": 1, "Bea & Dan": 3}
    page = match.tap("All hands").tap("Correct")
    assert page.has("count-s1")
    assert page.part("main-button").text == "Save"
    assert page.part("bottom_bar").text.startswith("Bea & Dan 3 of 3, Ann & Cal 1: made")


def test_who_deals_is_asked_where_nobody_knows(phone: Phone) -> None:
    match = brought_in(phone, {**PITCH, "players": ["Ann", "Bea", "Cal", "Dan"]})
    entry = calling(match)
    assert entry.part("main-button").text == "Who dealt?"
    assert not buttons(entry)
    form = entry_form(entry)

    entry = phone.post(form.action, {**form.fields, "dealer": "p4", "way": "auction"})
    match = finish(say(entry, "2", "pass", "pass", "pass"))

    assert match.record["hands"][0]["dealer"] == "Dan"
    assert match.record["hands"][0]["auction"][0] == ["Ann", 2]


@pytest.mark.parametrize(
    ("page", "form", "fields", "hands"),
    [
        ("history/1/remove", "history/1/remove", {}, 1),
        ("hands/1", "hands/1", {"thrown_in": "misdeal", "do": "save"}, 2),
        ("hands/new?before=2", "hands/new", {"by": "cards", "call": "p1:2", "do": "save", **took("s1")}, 3),
    ],
    ids=["one is deleted", "one was a misdeal", "one was forgotten"],
)
def test_calls_say_who_dealt_whatever_becomes_of_the_hands_before(
    match: Page, page: str, form: str, fields: dict[str, str], hands: int
) -> None:
    match = record(match, call="p1:2", took_low="s2")
    match = finish(say(calling(match), "pass", "3", "pass", "pass"))

    match.open(page).post(form, fields)

    after = match.record["hands"]
    assert len(after) == hands
    assert after[-1]["auction"][:2] == [["Cal", "pass"], ["Dan", 3]]
    save(match.open("hands/2"))
    assert match.record["hands"] == after


def test_a_called_partner_is_asked_for_when_the_bidding_is_over(phone: Phone) -> None:
    entry = way(begin_match(phone, "razzle-dazzle").tap("Record hand"), "auction")
    assert "Which card was called?" not in entry.text

    entry = say(entry, "6", "pass", "pass", "pass", "pass")
    assert "p2" not in entry_form(entry).offered["partner"]
    entry = entry.send("/hands/new", {"partner": "p4"}, press="By cards")

    assert entry_form(entry).fields["pair"] == "p2:p4"
    hand = finish(entry).record["hands"][0]
    assert hand["partner"] == "Dan"
    assert len(hand["auction"]) == 5


@each_ruleset_id
def test_every_auction_ends_and_is_saved(phone: Phone, ruleset_id: str) -> None:
    entry = begin_match(phone, ruleset_id).tap("Record hand")
    if not LIBRARY[ruleset_id].bidding.auction:
        assert [button.value for button in buttons(entry, "way")] == ["cards", "counts"]
        return
    entry = way(entry, "auction")
    # Some games leave the lowest bid to the table; it was agreed when the match started.
    least = next(found.value for found in buttons(entry) if found.value.split(":")[2:] != ["pass"]).rpartition(":")[2]
    entry = say(entry, least)
    while entry.all(class_="call"):
        entry = say(entry, "pass")
    partner = {"partner": "alone"} if "partner" in entry_form(entry).offered else {}

    after = finish(entry.post("/hands/new", {**partner, "do": "look"}))

    assert "Hand 1 is saved." in after.text or after.offers("Play again"), after.text
    assert after.record["hands"][0]["auction"][0][1] == int(least)
