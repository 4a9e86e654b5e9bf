"""The page of a match that is won: who, why, and nothing between."""

from dataclasses import replace

import pytest

from scorekeeper.engine.readings import rule_on
from tests.gallery import brought_in
from tests.gallery import record as record_of
from tests.web.conftest import Begin, record
from tests.web.phone import Page, Phone


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

    assert "House rule. Whoever reaches the target first wins." in over.part("turn").one(class_="rule").text
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

    link = over.root.one(class_="why").one("a")

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


RULE_ON = "scorekeeper.web.match.page.rule_on"
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
    assert words.index("Other readings") < words.index("Your table plays the standard rules here")
    assert words.index("Your table plays the standard rules here") < words.index("is saved.")


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
    said = "Your table agreed: If both reach 42 on the same hand, the bidding side wins, even with less."

    address = phone.open(f"{over.path}hands/1/settle").response.headers["Location"]

    assert said in over.part("turn").text
    assert said in phone.open(f"{address}&show=ruling").text


def test_nobody_has_won_yet_and_there_are_no_other_readings(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RULE_ON, lambda *_: pytest.fail("asked for nothing"))

    match = record(begin("colorado-ten-point"), **HAND)

    assert "Under other readings" not in match.text


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
    monkeypatch.setattr(RULE_ON, lambda *asked: replace(rule_on(*asked), others=()))

    assert "Under other readings" not in both_at_the_target(begin).text


def test_the_last_hand_stands_open_with_the_rules_that_it_turned_on(begin: Begin) -> None:
    match = record(begin(), call="p4:4", took_low="s1")

    opened = match.root.one("tr", class_="opened").text

    assert "bid 4, took 3: set" in opened
    assert "Does not count: High, Jack, Game" in opened
    assert "A side that takes less than its bid is set: subtract the bid. The points taken do not count." in opened


def test_a_correction_says_what_it_changed_and_how_the_match_had_ended(begin: Begin) -> None:
    over = won(begin)

    other = {"took-high": "s1", "took-low": "s1", "took-jack": "s1", "took-game": "s1", "call": "p1:4"}
    theirs = over.phone.open(f"{over.path}hands/2").send("/2", other, press="Save")
    again = over.phone.open(f"{over.path}hands/1").send("/1", other, press="Save")

    assert "Hand 2 was corrected" not in theirs.text
    assert "corrected" in theirs.rows[0]
    assert "Ann & Cal win" in again.text
    assert "Hand 1 was corrected" in again.text
    assert "Hand 2 was corrected" in again.text


def test_hands_after_the_end_are_named(phone: Phone) -> None:
    was_set = {"bidder": "Dan", "bid": 3, "taken": {"high": "Us", "low": "Us", "jack": None, "game": "Us"}}

    over = brought_in(phone, {**record_of(was_set, was_set), "house": {"set_limit": 1}})

    assert "Hand 2 came after the end and does not count." in over.text
