"""“Who won?”: one hand settled without a match, and its ruling; the address has all its fields."""

from urllib.parse import parse_qsl, quote, urlencode

import pytest

from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.pitch.rules.share_codes import encode
from tests.common.gallery import record as record_of
from tests.common.importing import brought_in
from tests.common.phone import Page, Phone
from tests.common.settling import BY_CARDS, MADE, NOT_AGREED, WENT_SET
from tests.pages.conftest import Begin

LONGEST = "x" * 24


def ruling(phone: Phone, address: str) -> Page:
    """Open the ruling of a hand, with More opened."""
    return phone.open(f"/settle?{address}&show=ruling&more=yes")


def followed(phone: Phone, query: str) -> Page:
    """Follow the redirect that a query is answered with."""
    return phone.open(phone.open(f"/settle?{query}").response.headers["Location"])


def typed(page: Page, **fields: str) -> Page:
    """Send the form of a page with some of its fields changed."""
    return page.phone.open(f"/settle?{urlencode({**dict(page.form('/settle').fields), **fields})}")


# ---------- the ruling ----------


def test_a_ruling_is_one_sentence_and_one_rule_until_more_is_opened(phone: Phone) -> None:
    page = phone.open(f"/settle?{MADE}&show=ruling")

    assert page.one("h2", class_="pop").text == "We win"
    assert [line.text for line in page.all("p", class_="sum")] == ["37 + 6 = 43", "40 + 4 = 44"]
    assert page.one("p", class_="why").text == "We and they reached 42 on the same hand; we had the bid."
    assert page.one("p", class_="by-rule").text.endswith("Rule 7.2")
    assert "Typed in, not from a kept match." in page.text
    assert "By other rules" not in page.text
    assert "By other rules If both reach 42 on the same hand, the better score wins" in page.tap("More").text


def test_each_sides_points_have_their_reasons(phone: Phone) -> None:
    sums = [row.text for row in ruling(phone, BY_CARDS).one("table", class_="sums").all("tr")]

    assert "Ace, Off Jack, Ten, Trey 3 Rule 6.1 took 6, bid 6 +6 37 → 43" in sums[0]
    assert "did not bid +4 40 → 44" in sums[1]


def test_a_set_bid_says_what_it_took_in_vain(phone: Phone) -> None:
    page = ruling(phone, MADE.replace("count-s1=6", "count-s1=5").replace("count-s2=4", "count-s2=5"))

    assert "37 → 31" in page.text
    assert "does not count: 5 points" in page.text


def test_a_rule_that_is_not_agreed_shows_every_answer_and_calls_none_right_until_one_is_tapped(phone: Phone) -> None:
    page = ruling(phone, NOT_AGREED)

    assert page.one(class_="crown").one("h2").text == "It depends"
    assert "This turns on a rule that you have not agreed" in page.faults
    assert "Target: 7 or 11: We win, 13 to 9. Target: 15 or 21: nobody yet, 13 to 9." in page.faults
    assert not page.all(class_="win")

    agreed = page.tap("11")

    assert agreed.one(class_="crown").one("h2").text == "We win"
    assert "Auction Pitch, to 11" in agreed.text


def test_players_who_are_alone_stand_in_rows(phone: Phone) -> None:
    page = ruling(
        phone, "rules=cutthroat-pitch&seats=5&score-0=18&call=p1:3&count-p1=3&count-p4=1&name-0=Ann&name-3=Dee"
    )

    assert page.one(class_="crown").one("h2").text == "Ann wins"
    assert len(page.all("section", class_="rowp")) == 5


def test_where_nobody_bids_there_is_no_question_of_a_bid(phone: Phone) -> None:
    page = phone.open("/settle?rules=partners-without-bidding&house-target=11&count-s1=3&count-s2=1&score-0=9")

    assert not page.has("q-bid")
    assert "We win" in page.part("live").text


# ---------- while it is typed in ----------


def test_the_button_says_what_is_missing(phone: Phone) -> None:
    page = phone.open("/settle?rules=colorado-ten-point")
    button = page.part("main-button")

    assert button.text == "Tap who bid, and how much"
    assert button.attrs["data-leads"] == "q-bid"
    assert button.attrs["data-plain"] == "Who won?"


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


def test_fewer_points_than_a_hand_has_are_fine(phone: Phone) -> None:
    fewer = MADE.replace("count-s2=4", "count-s2=3")

    assert "1 point nobody took." in phone.open(f"/settle?{fewer}").part("live").text
    assert "1 point nobody took." in ruling(phone, fewer).text


PILE = (
    "v=1&rules=partnership-pitch&by=cards&bidder=s2&bid=3&took-high=s2&took-jack=s2&took-low=s1&took-game=s2&pile-s1=45"
)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (MADE.replace("count-s1=6", "count-s1=7"), "11 points were given, but a hand is worth only 10."),
        *(
            (MADE.replace("37", score), "Our score: type a whole number from −9999 to 9999.")
            for score in ("many", "10000", "1.5")
        ),
        *(
            (f"rules=phat&carried={carried}", "Points carried over: type a whole number from 0 to 999.")
            for carried in ("-1", "x", "1e3", "12.5")
        ),
        (f"{MADE}&name-0={LONGEST}x", "is longer than 24 letters"),
        (PILE, "They can’t have Game: one pile has 45 of the 80 card points, and the highest count gets it."),
    ],
)
def test_what_cannot_be_is_said_beside_the_button(phone: Phone, query: str, reason: str) -> None:
    page = ruling(phone, query)

    assert page.status == 422
    assert reason in page.part("bottom_bar").text
    assert page.part("main-button").text == "Fix this first"
    assert not page.all(class_="crown")


def test_by_cards_keeps_the_counts_and_fills_nothing_in(phone: Phone) -> None:
    page = followed(phone, f"{MADE}&way=cards")

    assert page.part("main-button").text.startswith("10 left: who took Ace")
    assert page.form("/settle").fields["count-s1"] == "6"


def test_another_number_of_players_starts_over(phone: Phone) -> None:
    answer = phone.open("/settle?rules=cutthroat-pitch&seats=3&shape=5a&call=p5:3&score-4=9").response

    assert answer.status_code == 303
    assert "p5" not in answer.headers["Location"]


# ---------- which rules ----------


def test_a_new_phone_chooses_the_rules(phone: Phone) -> None:
    assert phone.open("/settle").response.headers["Location"] == "/settle/rules"


def test_the_rules_that_were_used_last_come_first(begin: Begin, phone: Phone) -> None:
    begin("colorado-ten-point")
    begin("partnership-pitch", house_target="11")

    used = [link.text for link in phone.open("/settle/rules").all("ul", class_="list")[0].all("a")]

    assert used == ["Partnership Pitch to 11", "Colorado Ten Point to 42"]


def test_a_link_of_another_edition_says_so_above_the_ruling(phone: Phone) -> None:
    page = ruling(phone, f"{MADE}&fp=2222-2222")

    assert "These rules were different when this link was made." in page.text
    assert "These rules were different" not in ruling(phone, MADE).text


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

    assert [element.text for element in ruled.all("span", class_="digits")] == list(match.scores.values())
    assert "went set instead of bidding." in ruled.one("p", class_="why").text
    assert "or goes set for 2 without playing. Rule" in ruled.one("p", class_="by-rule").text
    assert "went set instead of bidding Rule" in ruled.one("table", class_="sums").text


def test_the_dealer_went_set_is_a_choice_where_the_rules_have_it(phone: Phone) -> None:
    page = phone.open(f"/settle?{WENT_SET}")
    assert [button.attrs.get("value") for button in page.all("button", name="went_set")] == ["s1", "s2"]
    assert not phone.open(f"/settle?{MADE}").all("button", name="went_set")

    page = typed(page, went_set="s1", show="ruling", more="yes")
    assert page.one(class_="crown").one("h2").text == "Nobody yet"
    assert "18 → 16" in page.text
    assert "We went set" in page.all("div", class_="sec")[0].text


def test_a_penalty_may_be_points_for_the_others(phone: Phone) -> None:
    taken_off = typed(phone.open(f"/settle?{MADE}&penalty-s1=4"), show="ruling", more="yes")
    given = typed(phone.open(f"/settle?{MADE}&penalty-s1=4"), others="s1 s2", show="ruling", more="yes")

    assert "We penalty 4, took 6" in taken_off.text
    assert "They for the others’ mistake 4, took 4" in given.text


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


@pytest.mark.parametrize("who", ["p9", "nobody", "s3", "s1 s2"])
def test_nobody_else_goes_set(phone: Phone, who: str) -> None:
    page = phone.open(f"/settle?{WENT_SET}&went_set={quote(who)}")

    assert page.part("main-button").text == "Tap who bid, and how much"


def test_a_misdeal_has_nothing_to_settle(begin: Begin) -> None:
    match = begin()
    match.tap("Record hand").send("/hands/new", press="Misdeal")

    assert not match.open("history").offers("Who won?")
    assert match.open("hands/1/settle").status == 422


def test_the_page_asks_who_dealt_only_where_something_depends_on_it(phone: Phone) -> None:
    assert phone.open("/settle?rules=seven-up&seats=3").has("dealer")
    assert phone.open("/settle?rules=trinidad-all-fours").has("dealer")
    assert not phone.open(f"/settle?{MADE}").has("dealer")
    assert not phone.open(f"/settle?{MADE}&dealer=s1").has("dealer")


# ---------- an empty field, and what decides ----------

HALF = "v=1&rules=colorado-ten-point&score-0=37&score-1=40&bidder=s1&bid=6&count-s1=6"


def test_an_empty_field_is_asked_for_and_does_not_count_as_nothing(phone: Phone) -> None:
    page = ruling(phone, HALF)

    assert "4 left" in page.part("bottom_bar").text
    assert page.part("main-button").text == "How many did they take?"
    assert not page.all(class_="crown")
    assert phone.open(f"/settle/share?{HALF}").status == 303


@pytest.mark.parametrize(
    ("who", "counts", "left"), [("s1", ("10", "0"), ""), ("s2", ("6", "4"), ""), ("nobody", ("6", "0"), "4 points")]
)
def test_the_rest_of_the_points_goes_where_it_was_tapped_in_sight(
    phone: Phone, who: str, counts: tuple[str, str], left: str
) -> None:
    page = followed(phone, f"{HALF}&rest={who}")

    fields = page.form("/settle").fields
    assert (fields["count-s1"], fields["count-s2"]) == counts
    assert (f"{left} nobody took." in page.part("live").text) == bool(left)


def test_where_some_took_every_point_the_others_took_none(phone: Phone) -> None:
    page = phone.open(f"/settle?{HALF.replace('count-s1=6', 'count-s1=10')}")

    assert page.part("main-button").text.startswith("Show ")
    assert "count-s2" not in page.form("/settle").fields
    assert page.part("count-s2").one(class_="assumed").text == "0"


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

    assert "We win, 43 to 44." in text
    link = next(word for word in text.split() if "show=ruling" in word)
    assert "37 + 6 = 43" in phone.open(f"/settle?{link.partition('?')[2]}").text


@pytest.mark.parametrize(
    "address",
    [
        "v=2&rules=colorado-ten-point",
        "rules=no-such-rules",
        f"{MADE}&house-target=99999",
        f"{MADE}&house-target=many",
        f"{MADE}&house-low=sideways",
        f"{MADE}&house-nonsense=1",
        f"{MADE}&other-target=many",
        f"{MADE}&answer-win_rule=sideways",
        "r=1.nonsense",
        "r=2.nonsense",
        f"r=1.{'A' * 3000}",
        f"rules=colorado-ten-point&score-0={'9' * 5000}",
        f"rules=colorado-ten-point&took-ace={'s' * 100}",
        "rules=colorado-ten-point" + "".join(f"&x{n}=1" for n in range(400)),
        "score-0=1",
        f"r={encode(HouseRules('Ours', 'no-such-variant'))}",
        f"{MADE}&{'a' * 7000}=1",
        "show=ruling",
    ],
)
@pytest.mark.parametrize("page", ["/settle", "/settle/share"])
def test_an_address_that_cannot_be_read_has_a_page_that_says_so(phone: Phone, page: str, address: str) -> None:
    answer = phone.open(f"{page}?{address}")

    assert answer.status == 422
    assert "Can’t read this link" in answer.text


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


def test_names_are_on_the_page_and_not_in_its_title(phone: Phone) -> None:
    for page in (phone.open(f"/settle?{MADE}&name-0={LONGEST}"), ruling(phone, f"{MADE}&name-0={LONGEST}")):
        assert LONGEST in page.text
        assert page.one("title").text == "Who won? · Scorekeeper"
        assert page.one("meta", name="robots").attrs["content"] == "noindex"


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


def test_a_bid_without_a_button_is_typed(phone: Phone) -> None:
    page = phone.open("/settle?rules=king-pedro-sixty-two&bidder=s1&bid-number=43&count-s1=43&count-s2=19")

    assert page.form("/settle").fields["bid-number"] == "43"
    assert "We bid 43 and took 43: made." in typed(page, show="ruling", more="yes").text


@pytest.mark.parametrize(
    ("rules", "money"),
    [
        (
            "money-pitch",
            "Settled now, by points alone: A pays 25 cents, B gets 25 cents, C gets 5 cents, D pays 5 cents.",
        ),
        ("racehorse", "For this hand A pays $9, B gets $3, C gets $3, D gets $3."),
        ("moon-over-four", ""),
    ],
)
def test_a_hand_for_money_says_what_is_paid_or_nothing(phone: Phone, rules: str, money: str) -> None:
    hand = "bidder=p1&bid=3&count-p1=2&count-p2=1&count-p3=1&count-p4=0"

    page = ruling(phone, f"v=1&rules={rules}&seats=4&score-0=1&score-1=2&by=counts&{hand}")

    assert "For this hand ." not in page.text
    assert money in page.text


def test_what_a_hand_turned_on_is_told_in_full_under_its_sums(phone: Phone) -> None:
    low = {"took-high": "s1", "took-low": "s2", "took-jack": "s1", "took-game": "s2"}
    query = urlencode({"v": "1", "rules": "partnership-pitch", "by": "cards", "bidder": "s1", "bid": "3", **low})

    page = phone.open(f"/settle?{query}&show=ruling&more=yes")

    assert "Low 1: the side that takes the lowest trump in play. Rule 6.2" in page.text
