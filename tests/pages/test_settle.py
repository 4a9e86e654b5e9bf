"""“Who won?”: one hand settled without a match, and its ruling; the address has all its fields."""

from urllib.parse import parse_qsl, urlencode

import pytest

from tests.common.gallery import record as record_of
from tests.common.importing import brought_in
from tests.common.phone import Page, Phone
from tests.common.settling import MADE, WENT_SET
from tests.pages.conftest import Begin

LONGEST = "x" * 24


def ruling(phone: Phone, address: str) -> Page:
    """Open the ruling of a hand, with More opened."""
    return phone.open(f"/settle?{address}&show=ruling&more=yes")


def typed(page: Page, **fields: str) -> Page:
    """Send the form of a page with some of its fields changed."""
    return page.phone.open(f"/settle?{urlencode({**dict(page.form('/settle').fields), **fields})}")


# ---------- the ruling ----------


# ---------- while it is typed in ----------


def test_the_ruling_follows_what_is_typed(phone: Phone) -> None:
    live = phone.open(f"/settle?{MADE}", part=True)

    assert "We win, 43 to 44." in live.part("live").text
    assert live.part("main-button").text == "Show why we win"


def in_the_bar(phone: Phone, query: str) -> dict[str, str]:
    """Return the fields of the address that a tap leaves in the browser's bar."""
    address = phone.open(f"/settle?{query}&asks=x", part=True).response.headers["HX-Replace-Url"]
    return dict(parse_qsl(address.partition("?")[2], keep_blank_values=True))


def test_the_address_in_the_bar_has_no_empty_field(phone: Phone) -> None:
    fields = in_the_bar(phone, f"{MADE}&name-0=&score-0=37")

    assert all(fields.values())
    assert "asks" not in fields
    assert fields["bid"] == "6"


# ---------- which rules ----------


def test_the_rules_that_were_used_last_come_first(begin: Begin, phone: Phone) -> None:
    begin("colorado-ten-point")
    begin("partnership-pitch", house_target="11")

    used = [link.text for link in phone.open("/settle/rules").all("ul", class_="list")[0].all("a")]

    assert used == ["Partnership Pitch to 11", "Colorado Ten Point to 42"]


def test_a_link_from_before_an_answer_changed_names_it_and_has_the_old_one_at_a_tap(phone: Phone) -> None:
    hand = "v=1&rules=st-paul-schmier&seats=6&score-0=18&score-1=19&bidder=s1&bid=3&count-s1=3&count-s2=3"
    page = ruling(phone, f"{hand}&fp=2222-2222")
    assert "Now: the bidder; before: the higher score." in page.text

    older = page.tap("Use the old answer")

    assert "These rules" not in older.text
    assert "they have the better score" in older.text


# ---------- a hand of a match ----------


def test_a_hand_of_a_match_that_the_dealer_gave_up_for_a_set_opens_filled_in(phone: Phone) -> None:
    calls = [["Bea", "pass"], ["Cal", "pass"], ["Dan", "pass"], ["Ann", "take_set"]]
    match = brought_in(phone, record_of({"auction": calls}) | {"house": {"all_pass": "may_take_set"}})
    hand = match.open("history?open=1")

    assert "went set instead of bidding" in hand.text
    assert hand.all("a", href=f"{match.path}rules#bid.all_pass")

    address = hand.tap("Who won?").response.headers["Location"]
    ruled = phone.open(f"{address}&show=ruling&more=yes")

    assert "open" in phone.open(address).tap("Back").part("hand-1").attrs
    assert [element.text for element in ruled.all("span", class_="digits")] == list(match.scores.values())
    assert "went set instead of bidding." in ruled.one("p", class_="why").text
    assert "or goes set for 2 without playing. Rule" in ruled.one("p", class_="by-rule").text
    assert "went set instead of bidding Rule" in ruled.one("table", class_="sums").text


def test_what_was_entered_is_there_again_when_the_dealer_did_not_go_set(phone: Phone) -> None:
    bid = f"{WENT_SET}&call=s2:3&count-s2=3&penalty-s1=1"
    page = typed(phone.open(f"/settle?{bid}"), went_set="s1")
    assert page.part("q-bid").one("b").text == "We went set instead of bidding"
    assert not page.all(class_="points")
    assert "We went set instead of bidding." in page.part("live").text
    assert "15" in page.part("live").text

    page = typed(page, thrown_in="")
    fields = dict(page.form("/settle").fields)
    assert (fields["call"], fields["count-s2"]) == ("s2:3", "3")


def test_an_older_link_goes_on_with_the_fields_of_a_hand(phone: Phone) -> None:
    fields = in_the_bar(phone, f"{WENT_SET}&went_set=s1")

    assert (fields["thrown_in"], fields["dealer"]) == ("take_set", "s1")
    assert "went_set" not in fields


# ---------- an empty field, and what decides ----------


def test_what_decides_is_a_row_to_tap_and_lives_in_the_address(phone: Phone) -> None:
    page = phone.open("/settle?rules=partnership-pitch&score-0=20&score-1=5&call=s2:3&count-s1=1&count-s2=3")
    assert "Nobody yet, 21 to 8." in page.part("live").text
    assert not page.has("answer-tie_rule")

    reached = typed(page, **{"answer-win_rule": "first_to_target", "show": "ruling"})

    assert reached.one(class_="crown").one("h2").text == "We win"
    assert "These rules were different" not in reached.text
    kept = phone.open(reached.one("div", class_="bottom-bar-in").all("a")[0].attrs["href"])
    assert kept.form("/settle").fields["answer-win_rule"] == "first_to_target"
    assert kept.has("answer-tie_rule")


# ---------- sharing, and hostile addresses ----------


def test_a_ruling_is_shared_as_a_text_with_its_link(phone: Phone) -> None:
    text = phone.open(f"/settle/share?{MADE}").part("said").text

    assert "Side 1 wins, 43 to 44." in text
    link = next(word for word in text.split() if "show=ruling" in word)
    shared = phone.open(f"/settle?{link.partition('?')[2]}").text
    assert "37 + 6 = 43" in shared
    assert not {"We", "They"} & {*text.split(), *shared.split()}


@pytest.mark.parametrize(
    "hand",
    [
        "score-0=many",
        "score-0=10000",
        "score-0=-99999",
        "score-1=1e9",
        f"name-0={'x' * 25}",
        "name-0=Them",
        "name-0=bidders",
        "name-0=%01%02",
        "bidder=p9&bid=6&count-s1=6",
        "bidder=s1&bid=999999&count-s1=6",
        "bidder=s1&bid=moon&all_tricks=perhaps&count-s1=10",
        "call=s1:pass&count-s1=6",
        "bidder=s1&bid=6&count-s1=-3",
        "bidder=s1&bid=6&count-s1=six",
        "bidder=s1&bid=6&count-nobody=6",
        "bidder=s1&bid=6&count-s1=11",
        "bidder=s1&bid=6&by=cards&took-weather=s1",
        "bidder=s1&bid=6&count-s1=6&pile-s1=900",
        "bidder=s1&bid=6&count-s1=6&penalty-s1=-7",
        "bidder=s1&bid=6&count-s1=6&penalty-p7=7",
        "bidder=s1&bid=6&count-s1=6&penalty-s1=7&others=nobody",
        "bidder=s1&bid=6&count-s1=6&partner=s2",
        "bidder=s1&bid=6&count-s1=6&overtook_pitch=yes",
        "house-all_pass=may_take_set&went_set=s1&bidder=s1&bid=6&count-s1=many",
        "house-all_pass=may_take_set&went_set=p1&penalty-p1=-3",
        "seats=99&by=auction&calls=p1:3&thrown_in=misdeal&dealer=p1",
        "bidder=%F0%9F%83%8F&bid=%C3%28",
    ],
)
@pytest.mark.parametrize("options", ["", "&show=ruling", "&rest=s9", "&way=moon", "&rest=s1&by=cards"])
def test_a_hostile_hand_is_never_an_error_of_ours(phone: Phone, hand: str, options: str) -> None:
    for rules in ("colorado-ten-point", "razzle-dazzle", "cutthroat-pitch", "solo-without-bidding"):
        page = phone.open(f"/settle?v=1&rules={rules}&{hand}{options}")

        assert page.status in (200, 303, 422)
        assert phone.open(f"/settle?v=1&rules={rules}&{hand}{options}", part=True).status in (200, 422)
        assert phone.open(f"/settle/share?v=1&rules={rules}&{hand}").status in (200, 303, 422)


def test_nothing_is_stored(phone: Phone) -> None:
    ruling(phone, MADE)

    assert "Continue match" not in phone.open("/").text


# ---------- nobody bid, and a bid that is typed ----------


def test_a_hand_that_nobody_bid_is_settled(phone: Phone) -> None:
    empty = phone.open("/settle?rules=hoyle-auction-pitch&seats=2&seating=alone&house-all_pass=unobliged")
    assert empty.offers("All passed, play without a bid")

    page = typed(empty, **{"passed": "yes", "count-p1": "3", "count-p2": "1", "score-0": "5"})

    assert page.part("q-bid").one("b").text == "All passed: nobody has a bid to make"
    assert typed(page, passed="no").part("q-bid").one("legend").text == "Who bid, and how much?"
    assert typed(page, show="ruling", more="yes").one("h2", class_="pop").text == "A wins"
