"""Recording a hand: who bid, who took what, the rest by one button, and the match page after it."""

import pytest

from tests.common.calling import finish, preview_part
from tests.common.importing import brought_in
from tests.common.opened_forms import nameless
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record
from tests.scenarios.scene import told_record


@pytest.mark.every_database
def test_a_bid_an_award_and_the_rest_make_a_hand(match: Page) -> None:
    match = record(match, call="p4:3", trump="spades", took_low="s1")

    assert match.status == 200
    assert match.scores == {"s1": "1", "s2": "3"}
    assert match.rows == ["1 Dan 3 spades made +1 1 +3 3"]


def test_nothing_is_announced_again_when_the_page_is_opened_again(match: Page) -> None:
    match = record(match, call="p4:3")

    assert "is saved." not in match.open().text


def test_every_tap_is_counted_without_anything_being_written(match: Page) -> None:
    part = preview_part(match.tap("Record hand"), call="p4:3", took_low="s1")

    assert part.status == 200
    assert part.part("bottom_bar").one(class_="tally").text.startswith("Bea & Dan 0 of 3, Ann & Cal 1 ")
    assert part.part("main-button").text == "3 left: who took High, Jack, Game?"
    assert not part.has("hand_form")
    assert match.open().scores == {"s1": "0", "s2": "0"}


def test_a_tap_draws_no_form_anew_where_nobody_has_a_name(phone: Phone) -> None:
    assert not preview_part(nameless(phone).tap("Record hand"), call="s1:3").has("hand_form")


def test_a_hand_that_only_pays_says_who_paid_whom(begin: Begin) -> None:
    match = record(begin("racehorse"), call="p2:2")

    assert "Hand 1 is saved. Ann, Cal and Dan each pay Bea $2." in match.text
    standing = "Ann −$2, Bea +$6, Cal −$2, Dan −$2"
    assert f"Hand 1: Bea bid 2, made. {standing}." in match.text
    assert "A Ann −$2 B Bea +$6 C Cal −$2 D Dan −$2" in match.phone.open("/").text


def test_what_is_paid_has_its_rule_and_no_points(phone: Phone) -> None:
    hands = ["E deals | misdeal | A given 1", "E deals | calls A pass, B pass, C pass, D pass, E take_set"]
    record = told_record("racehorse", hands, "ABCDE", house={"all_pass": "may_take_set"})

    shown = brought_in(phone, record).open("history").text

    assert "A for the others’ mistake 1 Rule 8.2 B, C, D and E each pay A $1 Rule 8.2 Another" in shown
    assert "E went set instead of bidding Rule 3.3 E pays A, B, C and D $2 each Rule 6.8 Another" in shown


def test_a_hand_sent_while_somebody_changed_a_name_is_saved_as_entered(match: Page, other_phone: Phone) -> None:
    entry = match.tap("Record hand")
    other_phone.open(match.path).open("names").send("/names", {"name-p4": "Daniel"})

    match = finish(entry.send("/hands/new", {"call": "p4:3"}))

    assert match.rows == ["1 Daniel 3 made 0 0 +4 4"]


def test_a_match_that_there_is_not_takes_no_hand(phone: Phone, match: Page) -> None:
    form = match.open("hands/new").form("/hands/new")

    assert phone.post("/matches/nosuch/hands/new", {**form.fields, "call": "p1:2"}).status == 404
