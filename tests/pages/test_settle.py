"""“Who won?”: one hand settled without a match, and its ruling; the address has all its fields."""

from urllib.parse import parse_qsl

import pytest

from tests.common.phone import Phone
from tests.common.settling import MADE, WENT_SET
from tests.pages.conftest import Begin


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


def test_the_rules_that_were_used_last_come_first(begin: Begin, phone: Phone) -> None:
    begin("colorado-ten-point")
    begin("partnership-pitch", house_target="11")

    used = [link.text for link in phone.open("/settle/rules").all("ul", class_="list")[0].all("a")]

    assert used == ["Partnership Pitch to 11", "Colorado Ten Point to 42"]


def test_an_older_link_goes_on_with_the_fields_of_a_hand(phone: Phone) -> None:
    fields = in_the_bar(phone, f"{WENT_SET}&went_set=s1")

    assert (fields["thrown_in"], fields["dealer"]) == ("take_set", "s1")
    assert "went_set" not in fields


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
