"""The page of a match that is won: who, why, and nothing between."""

from typing import Any

import pytest

from tests.common.gallery import record as record_of
from tests.common.importing import brought_in
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record


def won(begin: Begin) -> Page:
    """Play until somebody has won."""
    match = begin(house_target="7")
    return record(record(match, call="p2:4"), call="p2:4")


def test_a_notice_never_stands_between_who_won_and_why(begin: Begin) -> None:
    match = won(begin)

    words = match.text

    assert words.index("Bea & Dan win") < words.index("bid 4, made it and have 8")
    assert "is saved" not in match.part("turn").text
    html = match.response.text
    assert html.index('class="why"') < html.index('id="outbox"')


def test_before_that_what_waits_on_the_phone_comes_first(match: Page) -> None:
    html = match.response.text

    assert html.index('id="outbox"') < html.index('id="turn"')


def opened(page: Page) -> Page:
    """Open what a verdict keeps closed."""
    return page.open("?more=yes")


def test_a_verdict_is_one_sentence_and_one_rule_under_the_sums_of_the_scores(begin: Begin) -> None:
    match = record(begin(house_target="7"), call="p4:4")

    over = record(match, call="p4:3", took_low="s1")

    assert "Bea & Dan win A Ann & Cal 1 0 + 1 = 1 B Bea & Dan 7 4 + 3 = 7" in over.part("board").text
    assert over.part("turn").text == (
        "Why Bea & Dan bid 3, made it and have 7. A side wins when it makes its own bid and then has 7 or more. "
        "Rule 7.1 More Undo hand 2"
    )
    said = "Hand 2: Dan bid 3, made. Ann & Cal 1, Bea & Dan 7. Bea & Dan win. Bea & Dan bid 3, made it and have 7."
    assert over.part("announcement").text == said


def test_the_sum_of_a_side_that_was_set_is_marked(begin: Begin) -> None:
    match = record(begin(house_target="7", house_win_rule="first_to_target"), call="p2:4")

    over = record(match, call="p1:3", **{f"took_{award}": "s2" for award in ("high", "low", "jack", "game")})

    (was_set,) = over.part("board").all(class_="set")
    assert was_set.text == "0 − 3 = −3"
    assert "Ann & Cal bid 3 and were set; Bea & Dan took 4 and have 8." in over.part("turn").text
    assert "Bea & Dan did not have to bid." in over.part("turn").text


def test_more_opens_what_the_hand_scored_without_scripts_and_closes_again(begin: Begin) -> None:
    over = won(begin)
    assert "4 + 4 = 8" not in over.part("turn").text
    assert "High" not in over.part("turn").text

    more = opened(over)

    assert "4 + 4 = 8" in more.part("turn").text
    assert more.one("a", id="more").attrs["href"] == over.path
    assert more.one("input", id="is-open").attrs["value"] == "yes"
    assert all(more.offers(found) for found in ("All hands", "Score sheet", "Rule sheet", "Change log", "What if?"))


def test_a_poll_leaves_more_as_it_is(begin: Begin) -> None:
    over = won(begin)
    board = over.part("board").attrs["hx-get"]

    version = over.open(f"board?{board.partition('?')[2].replace('v=2', 'v=1')}&more=yes")

    assert "4 + 4 = 8" in version.text


def test_who_is_at_the_target_and_did_not_bid_plays_on(phone: Phone) -> None:
    against = {"bidder": "Dan", "bid": 2, "taken": {"high": "Us", "low": "Them", "jack": "Them", "game": "Us"}}

    page = brought_in(phone, {**record_of(against), "start": {"scores": {"Us": 20}}})

    assert page.part("board").text == "Play on A Ann & Cal 22 20 + 2 = 22 B Bea & Dan 2 0 + 2 = 2"
    assert page.part("turn").text == (
        "Why Ann & Cal have 22, but did not bid this hand. A side wins when it makes its own bid and then has 21 or "
        "more. Rule 7.1 The next bid that Ann & Cal make wins. Hand 2 is next. More"
    )
    assert page.offers("Record hand")
    assert page.offers("Undo")


def test_a_house_rule_that_decided_is_marked(begin: Begin) -> None:
    match = record(begin(house_target="7", house_win_rule="first_to_target"), call="p2:4")

    over = record(match, call="p2:4")

    assert (
        "House rule. The first side with 7 or more at the end of a hand wins. Rule 7.1"
        in over.part("turn").one(class_="by-rule").text
    )
    assert "House rule." not in won(begin).text


def test_a_called_partner_did_not_bid(begin: Begin) -> None:
    over = begin("razzle-dazzle", house_target="21")
    for _ in range(3):
        over = record(over, pair="p3:p1", bid="8", called="A")

    board = over.part("board").text
    assert "Cal wins" in board
    assert "Ann and Cal reached 21 on the same hand; Cal had the bid." in over.part("turn").text


def test_what_decided_links_to_its_rule(begin: Begin) -> None:
    over = won(begin)

    rule = over.one(class_="by-rule")
    link = rule.one("a")

    assert "A side wins when it makes its own bid and then has 7 or more. Rule 7.1" in rule.text
    assert link.text == "Rule 7.1"
    assert link.attrs["href"] == f"{over.path}rules#win.target"


def test_a_running_match_says_how_it_ends_and_by_which_rules(match: Page) -> None:
    ends = match.one(class_="ends")

    assert "First to 21 at the end of a hand, and only on a made bid." in ends.text
    assert f"{match.path}rules#count.set" in [link.attrs["href"] for link in ends.all("a")]


def test_a_hand_says_what_a_set_side_took_in_vain_and_by_which_rule(begin: Begin) -> None:
    match = record(begin(), call="p1:4", took_low="s2")

    hand = match.open("history?open=1")

    assert "bid 4, took 3: set Rule 6." in hand.text
    assert "Does not count: High, Jack, Game" in hand.text


PAPER = {"paper-score-0": "37", "paper-score-1": "40"}


def both_at_the_target(begin: Begin, **said: str) -> Page:
    """Play the hand after which both are at 42 or past it, and those who had the bid have less."""
    return record(begin("colorado-ten-point", **PAPER, **said), **HAND)


HAND = {
    "bidder": "p1",
    "bid": "6",
    "took-jack": "s2",
    "took-high_joker": "s2",
    "took-low_joker": "s2",
    "took-deuce": "s2",
}


def test_other_rules_are_told_only_where_somebody_else_had_won_and_only_once_opened(begin: Begin) -> None:
    over = both_at_the_target(begin)

    told = opened(over).part("turn").text
    assert "Ann & Cal win" in over.part("board").text
    other = "the better score wins; if that is tied, the bidding side: Bea & Dan win, 44 to 43."
    assert other in told
    assert 1 <= told.count(": Bea & Dan win") <= 2
    assert other not in over.text


def two_hands(start: dict[str, int], *hands: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a record to 31 that begins with scores, where the winner must lead by two."""
    house = {"target": 31, "win_by": 2, "win_rule": "first_to_target", "tie_rule": "bidder_first"}
    return record_of(*hands) | {"variant": "auction-pitch", "house": house, "start": {"scores": start}} | more


def test_a_rule_that_was_fought_over_in_an_earlier_hand_is_among_the_readings(phone: Phone) -> None:
    first = {"bidder": "Ann", "bid": 3, "taken": {"high": "Us", "low": "Them", "jack": "Us", "game": None}}
    second = {"bidder": "Bea", "bid": 4, "taken": dict.fromkeys(("high", "low", "jack", "game"), "Them")}

    over = brought_in(phone, two_hands({"Us": 29, "Them": 28}, first, second))

    assert "Bea & Dan win" in over.part("board").text
    assert ": Ann & Cal win, 32 to 30." in opened(over).part("turn").text


def test_who_was_past_a_target_before_it_was_lowered_reads_why_that_won_nothing(phone: Phone) -> None:
    both = {"high": "Us", "low": "Them", "jack": "Us", "game": "Them"}
    hands = [
        {"bidder": "Ann", "bid": 2, "taken": both},
        {"bidder": "Bea", "bid": 2, "taken": both, "house": {"target": 15}},
    ]

    over = brought_in(phone, {**record_of(*hands), "start": {"scores": {"Us": 14, "Them": 13}}})

    said = opened(over).part("turn").text
    assert "Ann & Cal had 16 and Bea & Dan had 15 before that, which won nothing" in said
    assert "a new target is looked at when a hand ends" in said


def test_how_game_was_counted_is_told_where_the_sheet_leaves_it_open(phone: Phone) -> None:
    taken = {"high": "Us", "low": "Them", "jack": "Them", "high_joker": "Us", "low_joker": "Us"}
    hand = {"bidder": "Ann", "bid": 4, "taken": taken, "card_points": {"Us": 26, "Them": 27}}

    on = brought_in(phone, record_of(hand) | {"variant": "oklahoma-six-point", "house": {}})

    told = "Game went to the most card points: ace 4, king 3, queen 2, jack 1, ten 10, and nothing else."
    assert told in on.part("turn").text + on.part("history").text

    tied = brought_in(
        phone,
        record_of({**hand, "card_points": {"Us": 26, "Them": 26}}) | {"variant": "oklahoma-six-point", "house": {}},
    )

    assert "went to the most" not in tied.text


def test_an_earlier_hand_says_which_card_was_kicked_twice(phone: Phone) -> None:
    nobody = dict.fromkeys(("turned_ace", "turned_jack", "gift", "jack", "hang_jack"))
    taken = nobody | {"turned_six": "Them", "high": "Us", "low": "Them", "game": "Us"}
    kicked = {"dealer": "Bea", "times": {"turned_six": 2}, "taken": taken}
    plain = {"dealer": "Cal", "taken": taken | {"turned_six": None}}
    told = {"format": "pitch-record/3", "variant": "trinidad-all-fours", "house": {}}

    said = brought_in(phone, record_of(kicked, plain) | told).part("history").text

    assert "Turned Six twice. Each kick scores at once" in said


def test_the_last_hand_opens_to_the_rules_that_it_turned_on(begin: Begin) -> None:
    match = record(begin(), call="p4:4", took_low="s1")

    opened = match.one("tr", class_="opened").text

    assert "bid 4, took 3: set" in opened
    assert "Does not count: High, Jack, Game" in opened
    assert "A side that takes less than its bid is set: subtract the bid. The points taken do not count." in opened


def test_the_points_of_the_last_hand_stand_in_its_row_alone(begin: Begin) -> None:
    saved = record(begin(), call="p4:4", took_low="s1")
    opened = saved.open()

    assert saved.part("turn").text.startswith("Hand 1 is saved. ")
    for page in (saved, opened):
        assert "−4" not in page.part("turn").text
        assert "Dan 4" not in page.part("turn").text
        assert page.rows[0].startswith("1 Dan 4 set +1 1 −4 −4")
        assert page.part("announcement").text.startswith("Hand 1: Dan bid 4, set.")


def test_a_correction_says_what_it_changed_and_how_the_match_had_ended(begin: Begin) -> None:
    over = won(begin)

    other = {"took-high": "s1", "took-low": "s1", "took-jack": "s1", "took-game": "s1", "call": "p1:4"}
    theirs = over.open("hands/2").send("/2", other, press="Save")
    again = over.open("hands/1").send("/1", other, press="Save")

    assert "corrected" in theirs.rows[0]
    assert "Ann & Cal win" in again.text
    assert "Hand 1 is corrected." in again.text
    log = again.open("history/journal").text
    assert "corrected hand 1" in log
    assert "corrected hand 2" in log


def test_a_penalty_that_takes_a_side_from_the_target_says_its_sum_and_its_rule(phone: Phone) -> None:
    told = {"bidder": "Ann", "bid": 2, "taken": {"high": "Us", "low": "Us", "jack": "Them", "game": "Them"}}
    penalty = {**record_of({**told, "penalties": {"Us": 2}}), "format": "pitch-record/2"}

    held_back = brought_in(phone, {**penalty, "start": {"scores": {"Us": 20}}})
    ordinary = brought_in(phone, {**penalty, "start": {"scores": {"Us": 10}}})

    assert "penalty 2: it counts first 20 − 2 = 18" in held_back.text
    assert "18 + 2 = 20" in held_back.text
    assert "Renege (revoke): up to you" not in held_back.text
    assert "penalty 2 10 − 2 = 8" in ordinary.text


def test_a_win_by_the_failed_bid_of_the_others_cites_no_rule_that_changes_nothing_of_it(phone: Phone) -> None:
    failed = {"bidder": "Bea", "bid": 4, "points": {"Us": 3, "Them": 3}}
    record = {**record_of(failed), "variant": "nine-card-pitch", "start": {"scores": {"Us": 2, "Them": 5}}}

    over = brought_in(phone, record)

    assert "Bea & Dan bid 4 and were set; Ann & Cal took 3 and have −1." in over.part("turn").text
    assert [rule.one("a").text for rule in opened(over).all(class_="by-rule")] == ["Rule 7.1"]


def test_hands_after_the_end_are_named(phone: Phone) -> None:
    was_set = {"bidder": "Dan", "bid": 3, "taken": {"high": "Us", "low": "Us", "jack": None, "game": "Us"}}

    over = brought_in(phone, {**record_of(was_set, was_set), "house": {"set_limit": 1}})

    assert "Hand 2 came after the end and does not count." in opened(over).text


def test_points_for_the_others_mistake_come_first_with_the_rules_that_say_so_in_full(phone: Phone) -> None:
    told = {"penalties_to": {"Us": 4}, "taken": {"high": "Them", "low": "Them", "jack": None, "game": "Us"}}
    start = {"start": {"scores": {"Us": 8, "Them": 9}}}

    over = brought_in(phone, {**record_of(told), "format": "pitch-record/3", "variant": "yorkshire-all-fours", **start})

    assert "Ann & Cal had 8, and 4 points for the others’ mistake make 12: that counts first." in over.text
    words = opened(over).part("turn").text
    assert words.index("8 + 4 = 12") < words.index("12 + 1 = 13")
    assert "For the others’ mistake 4: 8 + 4 = 12. Game: 12 + 1 = 13." in words
    assert "If that partner looks" not in words  # nobody wrote what the mistake was
    assert "Penalty points are added or subtracted first. Rule 8.6" in words
    assert "Renege (revoke): up to you." not in words


def test_rules_that_a_hand_brought_changed_since_and_the_verdict_says_when(phone: Phone) -> None:
    told = {"bidder": "Dan", "bid": 2, "taken": {"high": "Us", "low": "Them", "jack": "Them", "game": "Them"}}
    record = {**record_of(told, told, {**told, "house": {"target": 9}}), "house": {"target": 15}}

    over = brought_in(phone, record)

    assert (
        "With hand 3 the table changed this: Play to 9. Until then: Play to 15. A change counts from its hand on."
    ) in opened(over).text


def test_the_deciding_hand_can_be_corrected_and_explained_in_sums(begin: Begin) -> None:
    over = opened(won(begin))

    assert over.offers("That’s wrong")
    assert "Bea & Dan had 4. High: 4 + 1 = 5. Low: 5 + 1 = 6. Jack: 6 + 1 = 7. Game: 7 + 1 = 8." in over.text


@pytest.mark.parametrize(("earlier", "told"), [(1, 1), (8, 2)])
def test_why_the_last_hands_before_it_did_not_end_the_match(phone: Phone, earlier: int, told: int) -> None:
    against = {"bidder": "Dan", "bid": 2, "taken": {"high": "Us", "low": "Them", "jack": "Them", "game": "Us"}}
    by_bid = {**against, "bidder": "Ann", "taken": {"high": "Us", "low": "Us", "jack": "Us", "game": "Us"}}

    over = opened(brought_in(phone, {**record_of(*[against] * earlier, by_bid), "start": {"scores": {"Us": 20}}}))

    scores = 20 + 2 * earlier
    assert over.text.count("did not end it:") == told
    assert f"did not end it: Ann & Cal have {scores}, but did not bid that hand. Rule 7.1" in over.text


# ---------- what is an agreed reading ----------

READING = "“Pitch” says it only in part; we read: A player wins as a side does in the game for partners."


def won_alone(begin: Begin) -> Page:
    """Play until one of four players who each score alone has won on a made bid."""
    match = begin("solo-with-bidding", house_target="7")
    return record(record(match, call="p2:4"), call="p2:4")


def test_what_decided_says_what_was_read(begin: Begin) -> None:
    over = opened(won_alone(begin))

    assert over.one(class_="basis").text == READING
    assert over.text.index("Rule 7.1") < over.text.index(READING)


def test_what_the_source_says_has_none(begin: Begin) -> None:
    over = opened(won(begin))

    assert over.all(class_="basis") == []


def test_a_rule_in_full_under_the_hand_says_what_was_read(phone: Phone) -> None:
    taken = dict.fromkeys(("ace", "jack", "off_jack", "high_joker", "ten", "trey", "deuce"), "Us")
    moon = {"bidder": "Ann", "bid": "moon", "taken": {**taken, "low_joker": None}}
    failed = brought_in(phone, {**record_of(moon), "variant": "colorado-ten-point", "house": {}})

    basis = [element.text for element in failed.one(class_="opened").all(class_="basis")]

    assert len(basis) == 1
    assert "we read: " in basis[0]


def test_a_deal_that_was_thrown_in_says_by_which_rule_and_what_was_noted(phone: Phone) -> None:
    misdeal = {"dealer": "Ann", "thrown_in": "misdeal", "note": "Bob had nothing"}
    passed = {"dealer": "Ann", "thrown_in": "all_passed"}

    dealt = brought_in(phone, {**record_of(misdeal), "variant": "colorado-thirteen-point", "house": {}})
    again = brought_in(phone, {**record_of(passed), "house": {"all_pass": "redeal"}})

    assert "“Bob had nothing”" in dealt.text
    assert " Rule 2.3" in dealt.text
    assert "If everyone passes, nothing is scored, and the same dealer deals again. Rule 3." in again.text


LED: dict[str, Any] = {
    "dealer": "Dan",
    "auction": [["Ann", "pass"], ["Bea", "pass"], ["Cal", "pitch"], ["Dan", "pitch"]],
    "taken": {"high": "Them", "low": "Us", "jack": "Them", "game": "Them"},
}


def test_a_bid_taken_from_a_led_card_tells_its_own_rules_and_readings(phone: Phone) -> None:
    house = {"pitching": "yes", "double_loss_on_overtake": "yes"}

    page = brought_in(phone, {**record_of(LED), "house": house, "start": {"scores": {"Us": 20, "Them": 18}}})

    assert "Ann & Cal have 21, but did not win the bidding." in page.text
    page = opened(page)
    assert "bid 4, took 3: set, double for outbidding a led card" in page.text
    assert "Cal pitched, Dan took the bid with a led card. Rule 3." in page.text
    assert "A dealer who takes the bid from a led card and is set loses double. Rule 3." in page.text
    assert "A card led instead of a bid is a bid of four" in page.part("turn").text


def test_a_rule_that_changed_is_told_while_somebody_would_have_won_by_the_old_one(phone: Phone) -> None:
    told = {"bidder": "Dan", "bid": 2, "taken": {"high": "Them", "low": "Them", "jack": "Us", "game": "Us"}}
    raised = {**told, "house": {"target": 15}, "house_on": "2026-11-14"}
    changed = (
        "With hand 2 (Nov 14, 2026) the table changed this: Play to 15. Until then: Play to 11. A change counts from "
        "its hand on."
    )
    record = {**record_of(told, raised), "house": {"target": 11}}

    there = brought_in(phone, {**record, "start": {"scores": {"Them": 8}}})
    below = brought_in(phone, record)

    assert changed in opened(there).part("turn").text
    assert "With hand 2" not in below.part("turn").text


def test_who_is_held_back_reads_the_rule_in_words_with_what_was_read(phone: Phone) -> None:
    told = {"points": {"Us": 2, "Them": 2}}
    record = {**record_of(told), "variant": "partners-without-bidding", "house": {"target": 11}}

    page = opened(brought_in(phone, {**record, "start": {"scores": {"Us": 9, "Them": 10}}})).part("turn")

    assert "Points alone do not say who won. Ann & Cal win with High and Low, Bea & Dan with High or Low." in page.text
    assert "If both reach 11 on the same hand, count the points in the order High, Low, Jack, Game" in page.text
    assert "“Pitch” is silent; we read: " in page.one(class_="basis").text


def test_a_deal_that_everyone_passed_says_on_top_that_nothing_is_scored(phone: Phone) -> None:
    page = brought_in(
        phone, {**record_of({"dealer": "Ann", "thrown_in": "all_passed"}), "house": {"all_pass": "redeal"}}
    )

    assert "Everyone passed. Nobody has to bid here, and nothing is scored." in page.part("turn").text


def test_a_note_of_the_match_stands_under_more(phone: Phone) -> None:
    told = {**record_of(LED | {"auction": None, "bidder": "Ann", "bid": 2}), "stopped": True, "note": "a short one"}
    page = opened(brought_in(phone, told))

    assert "“a short one”" in page.part("turn").text
