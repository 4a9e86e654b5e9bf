"""The page of a match that is won: who, why, and nothing between."""

from dataclasses import replace
from typing import Any

import pytest
from scorekeeper.pitch.compare.reckoning import WhatIf

from scorekeeper.matches.fold import Match
from scorekeeper.matches.what_if import rule_on_match
from scorekeeper.pitch.compare import what_if
from scorekeeper.pitch.scoring.match import MatchState
from tests.common.gallery import brought_in
from tests.common.gallery import record as record_of
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record


def won(begin: Begin) -> Page:
    """Play until somebody has won."""
    match = begin(house_target="7")
    return record(record(match, call="p2:4"), call="p2:4")


def test_a_notice_never_stands_between_who_won_and_why(begin: Begin) -> None:
    match = won(begin)

    words = match.text

    assert words.index("Bea & Dan win") < words.index("made it with every point") < words.index("Hand 2 is saved.")
    html = match.response.text
    assert html.index('class="why"') < html.index('id="outbox"')


def test_before_that_what_waits_on_the_phone_comes_first(match: Page) -> None:
    html = match.response.text

    assert html.index('id="outbox"') < html.index('id="turn"')


def test_the_reason_names_the_cards(begin: Begin) -> None:
    match = record(begin(house_target="7"), call="p4:4")

    over = record(match, call="p4:3", took_low="s1")

    assert "Bea & Dan bid 3, made it with High, the Jack and Game, and have 7." in over.part("turn").text


def test_a_house_rule_that_decided_is_marked(begin: Begin) -> None:
    match = record(begin(house_target="7", house_win_rule="first_to_target"), call="p2:4")

    over = record(match, call="p2:4")

    assert (
        "House rule. The first side with 7 or more at the end of a hand wins. Rule 7.1"
        in over.part("turn").one(class_="rule").text
    )
    assert "House rule." not in won(begin).text


def test_a_called_partner_did_not_bid(begin: Begin) -> None:
    over = begin("razzle-dazzle", house_target="21")
    for _ in range(3):
        over = record(over, pair="p3:p1", bid="8", called="A")

    board = over.part("board").text
    assert "Cal bid 8, took 10" in board
    assert "Ann with Cal, took 10" in board
    assert board.count("bid 8") == 1


def test_what_decided_links_to_its_rule(begin: Begin) -> None:
    over = won(begin)

    rule = over.root.one(class_="rule")
    link = rule.one("a")

    assert "A side wins when it makes its own bid and then has 7 or more. Rule 7.1" in rule.text
    assert link.text == "Rule 7.1"
    assert link.attrs["href"] == f"{over.path}rules#win.target"


def test_a_running_match_says_how_it_ends_and_by_which_rules(match: Page) -> None:
    ends = match.root.one(class_="ends")

    assert "First to 21 at the end of a hand, and only on a made bid." in ends.text
    assert f"{match.path}rules#count.set" in [link.attrs["href"] for link in ends.all("a")]


def test_a_hand_says_what_a_set_side_took_in_vain_and_by_which_rule(begin: Begin) -> None:
    match = record(begin(), call="p1:4", took_low="s2")

    hand = match.phone.open(f"{match.path}history?open=1")

    assert "bid 4, took 3: set Rule 6." in hand.text
    assert "Does not count: High, Jack, Game" in hand.text


def test_the_dealer_is_a_word_and_no_letter(begin: Begin) -> None:
    assert "D Ann" not in begin().part("turn").text


RULE_ON = "scorekeeper.pages.match.page.rule_on_match"
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


def readings(page: Page) -> dict[str, str]:
    rows = page.part("turn").one("ul", class_="reads").all("li")
    return {row.all("span")[0].text: row.all("span")[1].text for row in rows}


def test_other_readings_say_who_would_have_won(begin: Begin) -> None:
    over = both_at_the_target(begin)

    told = list(readings(over).items())
    assert "Ann & Cal win" in over.part("board").text
    assert told[0] == ("If the higher score won 44 beats 43", "B Bea & Dan win")
    assert 1 < len(told) <= 6
    words = over.part("turn").text
    assert words.index("By other rules") < words.index("None of these was changed at your table")
    assert words.index("None of these was changed at your table") < words.index("is saved.")


def test_other_readings_say_what_was_agreed(begin: Begin) -> None:
    over = both_at_the_target(begin, house_tie_rule="higher_score")

    assert "Bea & Dan win" in over.part("board").text
    assert next(iter(readings(over).items())) == (
        "If the bidding side won with both at 42 43 on a made bid",
        "A Ann & Cal win",
    )
    assert "Your table agreed: If both reach 42 on the same hand," in over.part("turn").text


def test_a_standard_answer_that_the_table_wrote_down_is_known_as_agreed(phone: Phone) -> None:
    taken = {it: "Us" for it in ("ace", "off_jack", "ten", "trey")}
    taken |= {it: "Them" for it in ("jack", "high_joker", "low_joker", "deuce")}
    told = {"variant": "colorado-ten-point", "house": {"tie_rule": "bidder_first"}, "hands": []} | {
        "start": {"scores": {"Us": 37, "Them": 40}},
        "hands": [{"bidder": "Ann", "bid": 6, "taken": taken}],
    }
    over = brought_in(phone, record_of() | told)
    said = "Your table agreed on the rules as printed: If both reach 42 on the same hand, the bidding side wins,"

    address = phone.open(f"{over.path}hands/1/settle").response.headers["Location"]

    assert said in over.part("turn").text
    assert said in phone.open(f"{address}&show=ruling").text


def test_nobody_has_won_yet_and_there_are_no_other_readings(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RULE_ON, lambda *_: pytest.fail("asked for nothing"))

    match = record(begin("colorado-ten-point"), **HAND)

    assert "By other rules" not in match.text


def test_other_readings_are_told_where_somebody_has_won_by_one_of_them(phone: Phone) -> None:
    against = {"bidder": "Dan", "bid": 2, "taken": {"high": "Us", "low": "Them", "jack": "Them", "game": "Us"}}

    goes_on = brought_in(phone, {**record_of(against), "start": {"scores": {"Us": 19}}})

    assert "By other rules 1 ends the match" in goes_on.text
    assert readings(goes_on)["If whoever reached 21 first won wins at 21"] == "A Ann & Cal win"


def test_other_readings_are_told_where_the_bid_itself_was_worth_the_match(phone: Phone) -> None:
    taken = dict.fromkeys(("ace", "jack", "off_jack", "high_joker", "ten", "trey", "deuce"), "Us")
    moon = {"bidder": "Ann", "bid": "moon", "taken": {**taken, "low_joker": None}}
    told = {"variant": "colorado-ten-point", "house": {}, "start": {"scores": {"Us": 30, "Them": 25}}}

    goes_on = brought_in(phone, {**record_of(moon), **told})

    said = "If a moon needed only the points in play Ann & Cal took 9 on a moon: made, 56 to 25"
    assert readings(goes_on)[said] == "A Ann & Cal win"


def test_who_was_at_the_target_with_an_earlier_hand_sees_the_rule_by_which_that_had_won(phone: Phone) -> None:
    against = {"bidder": "Dan", "bid": 2, "taken": {"high": "Us", "low": "Them", "jack": "Them", "game": "Us"}}
    fallen = {"bidder": "Ann", "bid": 4, "taken": {"high": "Us", "low": "Them", "jack": "Them", "game": "Us"}}

    goes_on = brought_in(phone, {**record_of(against, fallen, fallen), "start": {"scores": {"Us": 19}}})

    said = "If whoever reached 21 first won Ann & Cal had 21 after hand 1"
    assert readings(goes_on)[said] == "A Ann & Cal win"


def two_hands(start: dict[str, int], *hands: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a record to 31 that begins with scores, where the winner must lead by two."""
    house = {"target": 31, "win_by": 2, "win_rule": "first_to_target", "tie_rule": "bidder_first"}
    return record_of(*hands) | {"variant": "auction-pitch", "house": house, "start": {"scores": start}} | more


def test_other_readings_hold_in_the_hands_before_the_last_as_well(phone: Phone) -> None:
    first = {"bidder": "Ann", "bid": 2, "taken": {"high": "Us", "low": "Them", "jack": "Us", "game": None}}
    second = {"bidder": "Bea", "bid": 4, "taken": dict.fromkeys(("high", "low", "jack", "game"), "Them")}

    over = brought_in(phone, two_hands({"Us": 30, "Them": 30}, first, second))

    assert "Bea & Dan win" in over.part("board").text
    told = readings(over)
    assert told["If Low went to whoever held it needs to know who held Low in hands 1 and 2"] == "not known"


def test_while_a_match_goes_on_its_readings_are_scored_no_longer_than_a_saved_hand_may_wait(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[WhatIf] = []
    scored = what_if.what_if

    def counted(*its: Any, **said: Any) -> WhatIf:
        tried.append(scored(*its, **said))
        return tried[-1]

    ours = {"bidder": "Ann", "bid": 2, "taken": {"high": "Us", "low": "Us", "jack": None, "game": "Us"}}
    theirs = {"bidder": "Bea", "bid": 2, "taken": {"high": "Them", "low": "Us", "jack": None, "game": "Them"}}
    record = record_of(*[ours, theirs] * 15) | {"variant": "auction-pitch"}
    monkeypatch.setattr("scorekeeper.matches.what_if.what_if", counted)

    going = brought_in(phone, record | {"house": {"target": 60, "win_rule": "made_bid"}})

    assert "Ann & Cal 60 needs a made bid" in going.part("board").text
    (told,) = [line for line in readings(going) if "held Low" in line]
    assert told.endswith("hands or more")
    assert max(it.plays for it in tried) <= what_if.PLAYS_MEANWHILE


def test_a_rule_that_was_fought_over_in_an_earlier_hand_is_among_the_readings(phone: Phone) -> None:
    first = {"bidder": "Ann", "bid": 3, "taken": {"high": "Us", "low": "Them", "jack": "Us", "game": None}}
    second = {"bidder": "Bea", "bid": 4, "taken": dict.fromkeys(("high", "low", "jack", "game"), "Them")}

    over = brought_in(phone, two_hands({"Us": 29, "Them": 28}, first, second))

    assert "Bea & Dan win" in over.part("board").text
    assert readings(over)["If everyone tied scored Game 32 to 30 after hand 1"] == "A Ann & Cal win"


def test_who_was_past_a_target_before_it_was_lowered_reads_why_that_won_nothing(phone: Phone) -> None:
    both = {"high": "Us", "low": "Them", "jack": "Us", "game": "Them"}
    hands = [
        {"bidder": "Ann", "bid": 2, "taken": both},
        {"bidder": "Bea", "bid": 2, "taken": both, "house": {"target": 15}},
    ]

    over = brought_in(phone, {**record_of(*hands), "start": {"scores": {"Us": 14, "Them": 13}}})

    said = over.part("turn").text
    assert "Ann & Cal had 16 and Bea & Dan had 15 before that, which won nothing" in said
    assert "a new target is looked at when a hand ends" in said


def test_where_the_hand_that_was_first_there_may_not_be_there_nothing_is_known(phone: Phone) -> None:
    sides = [{"name": "Us", "players": ["Ann", "Cal"]}, {"name": "Them", "players": ["Bea", "Dan"]}]
    hand = {"points": {"Us": 52, "Them": 36}, "first_there": "Them"}
    told = {
        "format": "pitch-record/3",
        "variant": "phat",
        "sides": sides,
        "start": {"scores": {"Us": 140, "Them": 150}},
    }

    over = brought_in(phone, {**told, "hands": [hand]})

    lines = readings(over)
    assert lines["If the Nine did not count needs the cards"] == "not known"
    assert lines["If the King did not count needs the cards"] == "not known"  # without it they may have come second


def test_a_tied_game_that_somebody_scores_says_how(phone: Phone) -> None:
    names = ("Ann", "Bea", "Cal", "Dan")
    sides = [{"name": "Us", "players": ["Ann", "Cal"]}, {"name": "Them", "players": ["Bea", "Dan"]}]
    told = {"variant": "pennsylvania-cinch", "house": {"all_pass": "redeal"}, "players": names, "sides": sides}
    taken = {"high": "Us", "jack": "Us", "high_joker": "Us", "low": "Them", "low_joker": "Them", "game": "Us"}
    hand = {"bidder": "Ann", "bid": 4, "taken": taken, "card_points": {"Us": 40, "Them": 40}}

    over = brought_in(phone, {**told, "start": {"scores": {"Us": 17, "Them": 18}}, "hands": [hand]})

    assert "Game is tied, 40 to 40: the Joker gives it to Ann & Cal." in over.part("turn").text
    assert any("If the Joker and the Ginny did not count" in line for line in readings(over))
    assert "the Joker, then the Ginny" in over.part("turn").text  # neither is the lowest trump


def test_both_jokers_that_break_a_tie_are_named(phone: Phone) -> None:
    won = dict.fromkeys(("high", "jack", "high_joker", "low_joker"), "Us")
    hand = {"bidder": "Ann", "bid": 4, "taken": won | {"low": "Them", "off_jack": "Them"}}
    told = {"variant": "seven-point-pitch", "house": {}, "start": {"scores": {"Us": 10, "Them": 11}}}

    over = brought_in(phone, record_of({**hand, "card_points": {"Us": 33, "Them": 33}}) | told)

    assert "33 to 33: the High Joker and the Low Joker give it to Ann & Cal." in over.part("turn").text


def test_a_game_that_somebody_took_is_not_tied_where_nobody_counted(phone: Phone) -> None:
    taken = {"high": "Us", "jack": "Us", "high_joker": "Us", "low_joker": "Us", "low": "Them", "off_jack": "Them"}
    hand = {"bidder": "Ann", "bid": 4, "taken": {**taken, "game": "Us"}}

    on = brought_in(phone, record_of(hand, hand) | {"variant": "seven-point-pitch", "house": {}})

    assert "Game is tied" not in on.part("turn").text + on.part("history").text


FIVE = ("Ann", "Bea", "Cal", "Dan", "Eve")


def test_who_called_a_card_and_played_alone_is_told_with_the_rule(phone: Phone) -> None:
    taken = {"high": "Ann", "low": "Bea", "right": "Bea", "left": "Cal", "joker": "Ann", "game": "Dan"}
    hand = {"bidder": "Ann", "bid": 3, "trump": "spades", "called": "queen of hearts", "partner": None, "taken": taken}
    record = {"format": "pitch-record/1", "variant": "schmier-for-five", "players": FIVE, "hands": [hand]}

    on = brought_in(phone, record)

    said = on.part("history").text
    assert "Ann called the queen of hearts, and played alone." in said
    assert "If that card is thrown away, or a bidder who deals finds it among the rest, the bidder plays alone." in said


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


def test_a_point_that_nobody_got_is_told_with_what_it_is_worth(phone: Phone) -> None:
    taken = dict.fromkeys(("ace", "king", "jack", "ten", "five", "off_five"), "Us") | {"nine": "Them", "deuce": "Them"}
    hand = {"bidder": "Ann", "bid": 40, "taken": {**taken, "trey": None}}
    told = {"variant": "sixty-three", "house": {"min_bid": 1, "all_pass": "redeal"}}

    said = brought_in(phone, record_of(hand) | told).part("history").text

    assert "The Trey was not in play: nobody gets its 15 points." in said
    assert "a card thrown away is not in play" in said


def test_an_earlier_hand_says_which_card_was_kicked_twice(phone: Phone) -> None:
    nobody = dict.fromkeys(("turned_ace", "turned_jack", "gift", "jack", "hang_jack"))
    taken = nobody | {"turned_six": "Them", "high": "Us", "low": "Them", "game": "Us"}
    kicked = {"dealer": "Bea", "times": {"turned_six": 2}, "taken": taken}
    plain = {"dealer": "Cal", "taken": taken | {"turned_six": None}}
    told = {"format": "pitch-record/3", "variant": "trinidad-all-fours", "house": {}}

    said = brought_in(phone, record_of(kicked, plain) | told).part("history").text

    assert "Turned Six twice. Each kick scores at once" in said


def test_what_is_still_to_pick_is_named(phone: Phone) -> None:
    hand = {"bidder": "Ann", "bid": 5, "points": {"Us": 7, "Them": 3}}
    house: dict[str, Any] = {"min_bid": 4, "all_pass": "dealer_forced"}
    told = {"variant": "stauffer-ten-point"}

    on = brought_in(phone, record_of(hand) | told | {"house": house})
    to = brought_in(phone, record_of({**hand, "bid": 6}) | told | {"house": {**house, "target": 52}})

    assert "Nobody picked a target or a win rule, so no score ends the match." in on.text
    assert "Nobody picked a win rule, so no score ends the match." in to.text


def test_a_bidder_who_is_set_takes_part_in_a_tie(phone: Phone) -> None:
    hand = {"bidder": "Ann", "bid": 3, "taken": {"high": "Us", "low": "Them", "jack": None}}

    on = brought_in(phone, record_of({**hand, "card_points": {"Us": 20, "Them": 20}}))

    assert (
        "Game is tied, 20 to 20: nobody scores it. The cards of a bid that is set count, too."
        in on.part("history").text
    )


def test_an_earlier_hand_says_how_its_bid_was_set(phone: Phone) -> None:
    lost = {"bidder": "Ann", "bid": 3, "taken": {"high": "Us", "low": "Them", "jack": None, "game": "Them"}}
    made = {"bidder": "Bea", "bid": 2, "taken": {"high": "Them", "low": "Us", "jack": None, "game": "Them"}}

    on = brought_in(phone, record_of(lost, made))

    assert "bid 3, took 1: set. Rule 6.8" in on.part("history").text


def test_what_the_table_changed_in_play_is_read_as_it_was_before(phone: Phone) -> None:
    taken = {it: "Us" for it in ("ace", "jack", "trey")} | {
        it: "Them" for it in ("off_jack", "high_joker", "low_joker", "ten", "deuce")
    }
    others = {award: "Them" if side == "Us" else "Us" for award, side in taken.items()}
    hands = [
        {"bidder": "Ann", "bid": 5, "taken": taken},
        {"bidder": "Bea", "bid": 6, "taken": others, "house": {"dirty": True}},
    ]
    told = {"variant": "colorado-ten-point", "house": {}, "start": {"scores": {"Us": 36, "Them": 35}}}

    over = brought_in(phone, record_of(*hands) | told)

    assert readings(over)["If the Deuce did not have to be won in a trick needs more than hand 2 tells"] == "not known"
    assert "A Ann & Cal win" in readings(over)["If the Off Jack did not count 45 to 33 after hand 2"]


def test_other_readings_are_read_once_for_all_phones(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    over = both_at_the_target(begin)
    monkeypatch.setattr(RULE_ON, lambda *_: pytest.fail("read again"))

    assert readings(over.phone.open(over.path)) == readings(over)


def test_other_readings_are_of_the_rules_that_were_changed_before_that_hand(begin: Begin) -> None:
    match = begin("colorado-ten-point", **PAPER)
    form = match.phone.open(f"{match.path}rules/change").form("/rules/change")
    changed = match.phone.post(form.action, {**form.fields, "rule-tie_rule": "higher_score", "do": "save"})

    over = record(changed, **HAND)

    assert readings(over)["If the bidding side won with both at 42 43 on a made bid"] == "A Ann & Cal win"
    assert "Your table agreed: If both reach 42 on the same hand," in over.part("turn").text


def test_where_nothing_else_could_have_come_out_there_is_no_heading(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RULE_ON, lambda *asked: replace(rule_on_match(*asked), others=()))

    assert "By other rules" not in both_at_the_target(begin).text


def test_the_last_hand_stands_open_with_the_rules_that_it_turned_on(begin: Begin) -> None:
    match = record(begin(), call="p4:4", took_low="s1")

    opened = match.root.one("tr", class_="opened").text

    assert "bid 4, took 3: set" in opened
    assert "Does not count: High, Jack, Game" in opened
    assert "A side that takes less than its bid is set: subtract the bid. The points taken do not count." in opened


def test_a_match_that_goes_on_opens_with_what_the_last_hand_did_and_why_nobody_has_won(begin: Begin) -> None:
    saved = record(begin(), call="p4:4", took_low="s1")
    opened = saved.phone.open(saved.path)
    said = "Hand 1: Dan bid 4, took 3: set, −4. Nobody has reached 21 yet."

    assert said in opened.part("turn").text
    assert opened.text.index(said) < opened.text.index("deals hand 2")
    assert "0 − 4 = −4" in opened.root.one("tr", class_="opened").text
    assert said not in saved.text
    assert "Dan 4: set . Ann & Cal +1, Bea & Dan −4. Nobody has reached 21 yet." in saved.text


def test_what_is_said_of_who_is_at_the_target_is_not_said_again_of_the_last_hand(phone: Phone) -> None:
    told = {"bidder": "Ann", "bid": 3, "taken": {"high": "Us", "low": "Us", "jack": "Them", "game": "Them"}}
    others = brought_in(phone, {**record_of(told), "start": {"scores": {"Them": 20}}}).part("turn").text
    bidder = brought_in(phone, {**record_of(told), "start": {"scores": {"Us": 25}}}).part("turn").text

    assert "Hand 1: Ann bid 3, took 2: set, −3." in others
    assert "Nobody has reached" not in others
    assert bidder.count("bid 3, took 2: set") == 1


def test_a_correction_says_what_it_changed_and_how_the_match_had_ended(begin: Begin) -> None:
    over = won(begin)

    other = {"took-high": "s1", "took-low": "s1", "took-jack": "s1", "took-game": "s1", "call": "p1:4"}
    theirs = over.phone.open(f"{over.path}hands/2").send("/2", other, press="Save")
    again = over.phone.open(f"{over.path}hands/1").send("/1", other, press="Save")

    assert "corrected hand 2" in theirs.part("turn").text
    assert "corrected" in theirs.rows[0]
    assert "Ann & Cal win" in again.text
    assert "corrected hand 1" in again.text
    assert "corrected hand 2" in again.text


def test_a_penalty_that_takes_a_side_from_the_target_says_its_sum_and_its_rule(phone: Phone) -> None:
    told = {"bidder": "Ann", "bid": 2, "taken": {"high": "Us", "low": "Us", "jack": "Them", "game": "Them"}}
    penalty = {**record_of({**told, "penalties": {"Us": 2}}), "format": "pitch-record/2"}

    held_back = brought_in(phone, {**penalty, "start": {"scores": {"Us": 20}}})
    ordinary = brought_in(phone, {**penalty, "start": {"scores": {"Us": 10}}})

    assert "penalty 2: it counts first 20 − 2 = 18" in held_back.text
    assert "18 + 2 = 20" in held_back.text
    assert "Renege (revoke): up to you" not in held_back.text
    assert "penalty 2 10 − 2 = 8" in ordinary.text
    assert "Hand 1: Ann bid 2, took 2: made, +2; penalty 2 for Ann & Cal. Nobody has reached 21 yet." in ordinary.text


def test_a_win_by_the_failed_bid_of_the_others_cites_no_rule_that_changes_nothing_of_it(phone: Phone) -> None:
    failed = {"bidder": "Bea", "bid": 4, "points": {"Us": 3, "Them": 3}}
    record = {**record_of(failed), "variant": "nine-card-pitch", "start": {"scores": {"Us": 2, "Them": 5}}}

    over = brought_in(phone, record)

    assert "because the bid of Bea & Dan failed. Bea & Dan bid 4, took 3." in over.part("turn").text
    assert [rule.one("a").text for rule in over.root.all(class_="rule")] == ["Rule 7.1"]


def test_hands_after_the_end_are_named(phone: Phone) -> None:
    was_set = {"bidder": "Dan", "bid": 3, "taken": {"high": "Us", "low": "Us", "jack": None, "game": "Us"}}

    over = brought_in(phone, {**record_of(was_set, was_set), "house": {"set_limit": 1}})

    assert "Hand 2 came after the end and does not count." in over.text


def test_what_was_agreed_and_what_changed_since_is_told_with_the_verdict(phone: Phone) -> None:
    told = {"bidder": "Dan", "bid": 2, "taken": {"high": "Us", "low": "Them", "jack": "Them", "game": "Us"}}
    record = {**record_of(told), "house": {"dealer_steal": "no"}, "start": {"scores": {"Them": 18}}}
    match = brought_in(phone, record)
    everything = {"took-high": "s2", "took-low": "s2", "took-jack": "s2", "took-game": "s2"}

    over = match.phone.open(f"{match.path}hands/1").send("/1", everything, press="Save")

    assert "Agreed: 1 house rule 1 change since" in over.text
    assert "At the start: The dealer cannot steal the bid." in over.text
    assert "corrected hand 1" in over.text
    assert "Bea & Dan 20 → 22" in over.text


def test_points_for_the_others_mistake_come_first_with_the_rules_that_say_so_in_full(phone: Phone) -> None:
    told = {"penalties_to": {"Us": 4}, "taken": {"high": "Them", "low": "Them", "jack": None, "game": "Us"}}
    start = {"start": {"scores": {"Us": 8, "Them": 9}}}

    over = brought_in(phone, {**record_of(told), "format": "pitch-record/3", "variant": "yorkshire-all-fours", **start})

    words = over.text
    assert words.index("8 + 4 = 12") < words.index("12 + 1 = 13")
    assert "For the others’ mistake 4: 8 + 4 = 12. Game: 12 + 1 = 13." in words
    assert "If that partner looks" not in words  # nobody wrote what the mistake was
    assert "Penalty points are added or subtracted first. Rule 8.6" in words
    assert "Renege (revoke): up to you." not in words


def test_rules_that_a_hand_brought_changed_since_and_the_verdict_says_when(phone: Phone) -> None:
    told = {"bidder": "Dan", "bid": 2, "taken": {"high": "Us", "low": "Them", "jack": "Them", "game": "Them"}}
    record = {**record_of(told, told, {**told, "house": {"target": 9}}), "house": {"target": 15}}

    over = brought_in(phone, record)

    assert "Agreed: 1 house rule 1 change since" in over.text
    assert ": Dan 2; Play to 9." in over.text
    assert (
        "With hand 3 the table changed this: Play to 9. Until then: Play to 15. A change counts from its hand on."
    ) in over.text


def test_a_hand_that_only_says_again_what_was_agreed_changes_nothing(phone: Phone) -> None:
    told = {"bidder": "Dan", "bid": 2, "taken": {"high": "Us", "low": "Them", "jack": "Them", "game": "Them"}}

    over = brought_in(phone, {**record_of(told, {**told, "house": {"target": 5}}), "house": {"target": 5}})

    assert "Agreed: 1 house rule nothing changed since" in over.text
    assert "the table changed this" not in over.text


def test_the_deciding_hand_can_be_corrected_and_explained_in_sums(begin: Begin) -> None:
    over = won(begin)

    assert over.offers("That’s wrong")
    assert "Bea & Dan had 4. High: 4 + 1 = 5. Low: 5 + 1 = 6. Jack: 6 + 1 = 7. Game: 7 + 1 = 8." in over.text


def test_why_an_earlier_hand_did_not_end_the_match(phone: Phone) -> None:
    against = {"bidder": "Dan", "bid": 2, "taken": {"high": "Us", "low": "Them", "jack": "Them", "game": "Us"}}
    by_bid = {**against, "bidder": "Ann", "taken": {"high": "Us", "low": "Us", "jack": "Us", "game": "Us"}}

    over = brought_in(phone, {**record_of(against, by_bid), "start": {"scores": {"Us": 20}}})

    assert "Hand 1 did not end it: Ann & Cal are at 22, but did not bid that hand. Rule 7.1" in over.text


def test_of_many_hands_at_the_target_only_the_last_are_looked_at(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    state_before = Match.state_before

    def look(match: Match, place: int) -> MatchState:
        looked.append(place)
        return state_before(match, place)

    monkeypatch.setattr(Match, "state_before", look)
    against = {"bidder": "Dan", "bid": 2, "taken": {"high": "Us", "low": "Them", "jack": "Them", "game": "Us"}}
    by_bid = {**against, "bidder": "Ann", "taken": {"high": "Us", "low": "Us", "jack": "Us", "game": "Us"}}
    record = {**record_of(*[against] * 8, by_bid), "start": {"scores": {"Us": 20}}}

    over = brought_in(phone, record)

    assert over.text.count("did not end it:") == 2
    assert len(looked) <= 4


# ---------- what is an agreed reading ----------

READING = "“Pitch” says it only in part; we read: A player wins as a side does in the game for partners."


def won_alone(begin: Begin) -> Page:
    """Play until one of four players who each score alone has won on a made bid."""
    match = begin("solo-with-bidding", house_target="7")
    return record(record(match, call="p2:4"), call="p2:4")


def test_what_decided_says_what_was_read(begin: Begin) -> None:
    over = won_alone(begin)

    assert over.root.one(class_="basis").text == READING
    assert over.text.index("Rule 7.1") < over.text.index(READING)


def test_what_the_source_says_has_none(begin: Begin) -> None:
    over = won(begin)

    assert over.root.all(class_="basis") == []


def test_what_if_says_it_of_the_rule_that_decided(begin: Begin) -> None:
    over = won_alone(begin)

    page = over.phone.open(f"{over.path}what-if?target=11")

    assert "As played: You win when you make your own bid and then have 7 or more." in page.text
    assert READING in page.part("hands").text


def test_a_rule_in_full_under_the_hand_says_what_was_read(phone: Phone) -> None:
    taken = dict.fromkeys(("ace", "jack", "off_jack", "high_joker", "ten", "trey", "deuce"), "Us")
    moon = {"bidder": "Ann", "bid": "moon", "taken": {**taken, "low_joker": None}}
    failed = brought_in(phone, {**record_of(moon), "variant": "colorado-ten-point", "house": {}})

    basis = [it.text for it in failed.root.one(class_="opened").all(class_="basis")]

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

    assert "Dan bid 4, took 3: set, double for outbidding a led card, −8." in page.text
    assert "Cal pitched, Dan took the bid with a led card. Rule 3." in page.text
    assert "A dealer who takes the bid from a led card and is set loses double. Rule 3." in page.text
    assert "A card led instead of a bid is a bid of four" in page.root.one(class_="opened").text
    assert readings(page)["If a dealer who outbid a led card lost no more 21 to 14"] == "nobody yet"
    agreed = "At the start: A dealer who takes the bid from a led card and is set loses double."
    assert agreed in page.part("turn").text


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

    assert changed in there.part("turn").text
    assert "Through hand 1 it was to 11." in there.part("turn").text
    assert "With hand 2" not in below.part("turn").text


def test_who_is_held_back_reads_the_rule_in_words_with_what_was_read(phone: Phone) -> None:
    told = {"points": {"Us": 2, "Them": 2}}
    record = {**record_of(told), "variant": "partners-without-bidding", "house": {"target": 11}}

    page = brought_in(phone, {**record, "start": {"scores": {"Us": 9, "Them": 10}}}).part("turn")

    assert "Points alone do not say who won. Ann & Cal win with High and Low, Bea & Dan with High or Low." in page.text
    assert "If both reach 11 on the same hand, count the points in the order High, Low, Jack, Game" in page.text
    assert "“Pitch” is silent; we read: " in page.one(class_="basis").text


def test_an_earlier_hand_says_by_which_rule_its_dealer_was_stuck(phone: Phone) -> None:
    passed = [["Ann", "pass"], ["Bea", "pass"], ["Cal", "pass"]]
    stuck = {"dealer": "Dan", "auction": [*passed, ["Dan", 2]], "taken": {**LED["taken"], "high": "Us"}}

    page = brought_in(phone, record_of(stuck, {"dealer": "Ann", "bidder": "Bea", "bid": 2, "taken": LED["taken"]}))

    rows = [row.text for row in page.part("history").one("table").all("tr")]
    assert any("If everyone else passes, the dealer is stuck and must bid" in it and "Dan 2" in it for it in rows)


def test_a_deal_that_everyone_passed_says_on_top_that_nothing_is_scored(phone: Phone) -> None:
    page = brought_in(
        phone, {**record_of({"dealer": "Ann", "thrown_in": "all_passed"}), "house": {"all_pass": "redeal"}}
    )

    assert "Everyone passed. Nobody has to bid here, and nothing is scored." in page.part("turn").text


def test_a_note_of_the_match_stands_with_what_was_agreed(phone: Phone) -> None:
    page = brought_in(phone, {**record_of(LED | {"auction": None, "bidder": "Ann", "bid": 2}), "note": "a short one"})

    assert "“a short one”" in page.part("turn").text
