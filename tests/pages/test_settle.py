"""Who won: one hand settled without a match, and its ruling; the address holds all of it."""

from urllib.parse import parse_qsl, quote, urlencode

import pytest

from scorekeeper.pitch.rules.codes import encode
from scorekeeper.pitch.rules.house_rules import HouseRules
from tests.common.gallery import record as record_of
from tests.common.importing import brought_in
from tests.common.phone import Page, Phone
from tests.common.settling import BY_CARDS, MADE, NOT_AGREED, WENT_SET
from tests.pages.conftest import Begin, record

LONGEST = "x" * 24


def ruling(phone: Phone, address: str) -> Page:
    """Open what comes of a hand, with all that its More has."""
    return phone.open(f"/settle?{address}&show=ruling&more=yes")


def typed(page: Page, **fields: str) -> Page:
    """Return what comes of the form of a page, with some of its fields typed otherwise."""
    return page.phone.open(f"/settle?{urlencode({**dict(page.form('/settle').fields), **fields})}")


# ---------- the ruling ----------


def test_the_bidders_win_at_the_target_with_less(phone: Phone) -> None:
    page = ruling(phone, MADE)

    assert page.one("h2", class_="pop").text == "We win"
    assert [line.text for line in page.all("p", class_="sum")] == ["37 + 6 = 43", "40 + 4 = 44"]
    assert "Rule 7.2" in page.text


def test_a_ruling_is_one_sentence_and_one_rule_until_more_is_opened(phone: Phone) -> None:
    page = phone.open(f"/settle?{MADE}&show=ruling")

    assert page.one("p", class_="why").text == "We and they reached 42 on the same hand; we had the bid."
    assert len(page.all("p", class_="by-rule")) == 1
    assert "By other rules" not in page.text
    assert "By other rules" in page.tap("More").text


def test_each_sides_points_have_their_reasons(phone: Phone) -> None:
    sums = [row.text for row in ruling(phone, BY_CARDS).one("table", class_="sums").all("tr")]

    assert "Ace, Off Jack, Ten, Trey 3 Rule 6.1 took 6, bid 6 +6 37 → 43" in sums[0]
    assert "did not bid +4 40 → 44" in sums[1]


def test_the_readings_that_change_the_winner_come_first(phone: Phone) -> None:
    told = ruling(phone, BY_CARDS).text

    assert "By other rules If both reach 42 on the same hand, the better score wins" in told
    assert ": They win, 44 to 43." in told


def test_a_set_bid_says_what_it_took(phone: Phone) -> None:
    page = ruling(phone, MADE.replace("count-s1=6", "count-s1=5").replace("count-s2=4", "count-s2=5"))

    assert "We bid 6 and were set" in page.one("p", class_="why").text
    assert "37 → 31" in page.text
    assert "does not count: 5 points" in page.text
    assert "Rule 6.5" in page.text


def test_a_ruling_says_that_it_was_typed_in(phone: Phone) -> None:
    assert "Typed in, not from a kept match." in ruling(phone, MADE).text


def test_a_rule_that_is_not_agreed_shows_every_answer_and_calls_none_right(phone: Phone) -> None:
    page = ruling(phone, NOT_AGREED)

    assert page.one(class_="crown").one("h2").text == "It depends"
    assert "This turns on a rule that you have not agreed" in page.faults
    assert "Target: 7 or 11: We win, 13 to 9." in page.faults
    assert "Target: 15 or 21: nobody yet, 13 to 9." in page.faults
    assert not page.all(class_="win")


def test_an_answer_to_what_is_not_agreed_is_one_tap(phone: Phone) -> None:
    page = ruling(phone, NOT_AGREED).tap("11")

    assert page.one(class_="crown").one("h2").text == "We win"
    assert "Auction Pitch, to 11" in page.text


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


def test_the_address_in_the_bar_has_no_empty_field(phone: Phone) -> None:
    answer = phone.open(f"/settle?{MADE}&name-0=&score-0=37&asks=x", part=True).response
    fields = dict(parse_qsl(answer.headers["HX-Replace-Url"].partition("?")[2], keep_blank_values=True))

    assert all(fields.values())
    assert "asks" not in fields
    assert fields["bid"] == "6"


def test_fewer_points_than_a_hand_has_are_fine(phone: Phone) -> None:
    page = phone.open(f"/settle?{MADE.replace('count-s2=4', 'count-s2=3')}")

    assert "1 point nobody took." in page.part("live").text
    assert "1 point nobody took." in ruling(phone, MADE.replace("count-s2=4", "count-s2=3")).text


def test_more_points_than_a_hand_has_are_said(phone: Phone) -> None:
    page = ruling(phone, MADE.replace("count-s1=6", "count-s1=7"))

    assert page.status == 422
    assert "11 points were given, but a hand is worth only 10." in page.part("bottom_bar").text
    assert page.part("main-button").text == "Fix this first"


def test_by_cards_keeps_the_counts_and_fills_nothing_in(phone: Phone) -> None:
    page = phone.open(f"/settle?{MADE}&way=cards", part=False)
    assert page.status == 303

    page = phone.open(page.response.headers["Location"])
    assert page.part("main-button").text.startswith("10 left: who took Ace")
    assert dict(page.form("/settle").fields)["count-s1"] == "6"


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

    assert phone.open(phone.open("/settle").response.headers["Location"]).text.count("Partnership Pitch") >= 1
    used = [link.text for link in phone.open("/settle/rules").all("ul", class_="list")[0].all("a")]
    assert used == ["Partnership Pitch to 11", "Colorado Ten Point to 42"]


def test_a_game_that_was_found_brings_what_was_said(phone: Phone) -> None:
    page = phone.open("/settle?v=1&rules=colorado-ten-point&house-target=52&seats=4")

    assert "10 points a hand, to 52" in page.text


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


def test_a_hand_of_a_match_opens_filled_in(begin: Begin, phone: Phone) -> None:
    match = begin("partnership-pitch", house_target="7")
    record(match, call="p2:3", trump="hearts", **{"took-low": "s1"})
    record(match, call="p1:4", trump="spades")
    page = match.open("history?open=2")
    link = next(found for found in page.all("a") if found.text == "Who won?")

    filled = phone.open(link.attrs["href"]).response.headers["Location"]

    shown = phone.open(f"{filled}&show=ruling&more=yes")
    assert "Ann & Cal bid 4 and took 4: made." in shown.text or "win" in shown.one(class_="crown").text
    assert "1 → 5" in shown.text
    assert "Ann" not in shown.one("title").text


def went_set(phone: Phone, *, sides: bool = False) -> Page:
    """Return a match whose only hand Ann, or Us, gave up for a set."""
    calls = [["Bea", "pass"], ["Cal", "pass"], ["Dan", "pass"], ["Ann", "take_set"]]
    record = record_of({"dealer": "Ann", "auction": calls})
    if sides:
        record = record_of({"auction": [["Them", "pass"], ["Us", "take_set"]]})
        record |= {"sides": [{"name": "Us"}, {"name": "Them"}]}
        record.pop("players", None)
    return brought_in(phone, record | {"house": {"all_pass": "may_take_set"}})


@pytest.mark.parametrize("sides", [False, True])
def test_a_hand_that_the_dealer_gave_up_for_a_set_is_settled(phone: Phone, sides: bool) -> None:
    match = went_set(phone, sides=sides)
    hand = match.open("history?open=1")
    link = next(found for found in hand.all("a") if found.text == "Who won?")

    assert "went set instead of bidding" in hand.text
    assert f"{match.path}rules#bid.all_pass" in [found.attrs["href"] for found in hand.all("a")]

    address = phone.open(link.attrs["href"]).response.headers["Location"]
    after = phone.open(f"{address}&show=ruling&more=yes")

    assert match.open("hands/1").status == 200
    assert [element.text for element in after.all("span", class_="digits")] == list(match.scores.values())
    assert "went set instead of bidding." in after.one("p", class_="why").text
    assert "or goes set for 2 without playing. Rule" in after.one("p", class_="by-rule").text
    assert "went set instead of bidding Rule" in after.one("table", class_="sums").text


def test_the_dealer_went_set_is_a_choice_where_the_rules_have_it(phone: Phone) -> None:
    page = phone.open(f"/settle?{WENT_SET}")
    assert [button.attrs.get("value") for button in page.all("button", name="went_set")] == ["s1", "s2"]
    assert not phone.open(f"/settle?{MADE}").all("button", name="went_set")

    page = typed(page, went_set="s1", show="ruling", more="yes")
    assert page.one(class_="crown").one("h2").text == "Nobody yet"
    assert "We went set instead of bidding." in page.one("p", class_="why").text
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


def test_the_link_to_a_hand_that_was_given_up_repeats_its_ruling(phone: Phone) -> None:
    said = phone.open(f"/settle/share?{WENT_SET}&went_set=s1").part("said").text

    assert "We went set instead of bidding." in said
    link = next(word for word in said.split() if "show=ruling" in word)
    assert "18 − 2 = 16" in phone.open("/settle?" + link.partition("?")[2]).text


def test_an_older_link_goes_on_with_the_fields_of_a_hand(phone: Phone) -> None:
    answer = phone.open(f"/settle?{WENT_SET}&went_set=s1&asks=x", part=True).response
    fields = dict(parse_qsl(answer.headers["HX-Replace-Url"].partition("?")[2]))

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


@pytest.mark.parametrize("carried", ["-1", "x", "1e3", "12.5"])
def test_points_carried_over_are_a_number(phone: Phone, carried: str) -> None:
    page = phone.open(f"/settle?rules=phat&carried={carried}")

    assert page.status == 422
    assert "Points carried over: type a whole number from 0 to 999." in page.part("bottom_bar").text


# ---------- an empty field, and what decides ----------

HALF = "v=1&rules=colorado-ten-point&score-0=37&score-1=40&bidder=s1&bid=6&count-s1=6"


def test_an_empty_field_is_asked_for_and_does_not_count_as_nothing(phone: Phone) -> None:
    page = ruling(phone, HALF)

    assert "4 left" in page.part("bottom_bar").text
    assert page.part("main-button").text == "How many did they take?"
    assert not page.all(class_="crown")
    assert phone.open(f"/settle/share?{HALF}").status == 303


@pytest.mark.parametrize("who", ["s1", "s2"])
def test_the_rest_of_the_points_goes_to_a_side_in_sight(phone: Phone, who: str) -> None:
    page = phone.open(phone.open(f"/settle?{HALF}&rest={who}").response.headers["Location"])

    assert "nobody took" not in page.part("live").text
    assert all(page.form("/settle").fields[f"count-{side}"] for side in ("s1", "s2"))


def test_nobody_took_the_rest_only_where_that_was_chosen(phone: Phone) -> None:
    page = phone.open(phone.open(f"/settle?{HALF}&rest=nobody").response.headers["Location"])

    assert page.form("/settle").fields["count-s2"] == "0"
    assert "4 points nobody took." in page.part("live").text


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


def test_an_answer_that_nobody_can_give_is_refused(phone: Phone) -> None:
    answer = phone.open(f"/settle?{MADE}&answer-win_rule=sideways")

    assert answer.status == 422
    assert "Can’t read this link" in answer.text


# ---------- sharing, and hostile addresses ----------


def test_a_ruling_is_shared_as_a_text_with_its_link(phone: Phone) -> None:
    said = phone.open(f"/settle/share?{MADE}").part("said").text

    assert "We win, 43 to 44." in said
    assert "show=ruling" in said


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
    "told",
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
@pytest.mark.parametrize("asked", ["", "&show=ruling", "&rest=s9", "&way=moon", "&rest=s1&by=cards"])
def test_a_hostile_hand_is_never_an_error_of_ours(phone: Phone, told: str, asked: str) -> None:
    for rules in ("colorado-ten-point", "razzle-dazzle", "cutthroat-pitch", "solo-without-bidding"):
        page = phone.open(f"/settle?v=1&rules={rules}&{told}{asked}")

        assert page.status in (200, 303, 422)
        assert phone.open(f"/settle?v=1&rules={rules}&{told}{asked}", part=True).status in (200, 422)
        assert phone.open(f"/settle/share?v=1&rules={rules}&{told}").status in (200, 303, 422)


@pytest.mark.parametrize("score", ["many", "10000", "1.5"])
def test_a_score_that_is_none_is_said(phone: Phone, score: str) -> None:
    page = phone.open(f"/settle?{MADE.replace('37', score)}")

    assert page.status == 422
    assert "Our score: type a whole number from −9999 to 9999." in page.part("bottom_bar").text


def test_names_are_on_the_page_and_not_in_its_title(phone: Phone) -> None:
    name = quote(LONGEST)
    for page in (phone.open(f"/settle?{MADE}&name-0={name}"), ruling(phone, f"{MADE}&name-0={name}")):
        assert LONGEST in page.text.replace(page.one("title").text, "")
        assert page.one("title").text == "Who won? · Scorekeeper"
        assert page.one("meta", name="robots").attrs["content"] == "noindex"


def test_a_name_that_is_too_long_is_said(phone: Phone) -> None:
    page = phone.open(f"/settle?{MADE}&name-0={LONGEST}x")

    assert page.status == 422
    assert "is longer than 24 letters" in page.part("bottom_bar").text


def test_nothing_is_stored(phone: Phone) -> None:
    ruling(phone, MADE)

    assert "Who won?" in phone.open("/").text
    assert "Continue match" not in phone.open("/").text


# ---------- nobody bid, and a bid that is typed ----------


def test_a_hand_that_nobody_bid_is_settled(phone: Phone) -> None:
    rules = "rules=hoyle-auction-pitch&seats=2&seating=alone&house-all_pass=unobliged"
    empty = phone.open(f"/settle?{rules}")
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


def test_a_hand_that_no_cards_make_is_refused_there_as_on_a_phone(phone: Phone) -> None:
    """45 of 80 for one pile, and Game for the other."""
    taken = "took-high=s2&took-jack=s2&took-low=s1&took-game=s2&pile-s1=45"

    page = phone.open(f"/settle?v=1&rules=partnership-pitch&by=cards&bidder=s2&bid=3&{taken}")

    assert "They can’t have Game: one pile has 45 of the 80 card points, and the highest count gets it." in page.text
    assert "win" not in page.part("bottom_bar").text
