"""The page of a match that is won: who, why, and nothing between."""

from typing import Any

from tests.common.gallery import record as record_of
from tests.common.importing import brought_in
from tests.common.phone import Page, Phone
from tests.pages.conftest import Begin, record
from tests.pitch.scoring.tables import four


def won(begin: Begin, ruleset_id: str = "partnership-pitch") -> Page:
    """Play until somebody has won."""
    match = begin(ruleset_id, house_target="7")
    return record(record(match, call="p2:4"), call="p2:4")


def opened(page: Page) -> Page:
    """Open the details of a verdict."""
    return page.open("?more=yes")


def played(phone: Phone, *hands: dict[str, Any], scores: dict[str, int] | None = None, **more: Any) -> Page:
    """Import a match that began with these scores, and open the details of its verdict."""
    return opened(brought_in(phone, record_of(*hands) | {"start": {"scores": scores or {}}} | more))


def bid(who: str, number: int, high: str, low: str, jack: str | None, game: str, **more: Any) -> dict[str, Any]:
    """Return a hand with who took High, Low, Jack and Game."""
    return {"bidder": who, "bid": number, "taken": four(high, low, jack, game), **more}


def test_a_notice_never_stands_between_who_won_and_why(begin: Begin) -> None:
    match = won(begin)

    assert match.text.index("Bea & Dan win") < match.text.index("bid 4, made it and have 8")
    assert "is saved" not in match.part("turn").text
    html = match.response.text
    assert html.index('class="why"') < html.index('id="outbox"')


def test_before_that_what_waits_on_the_phone_comes_first(match: Page) -> None:
    html = match.response.text

    assert html.index('id="outbox"') < html.index('id="turn"')


def test_a_verdict_is_one_sentence_and_one_rule_under_the_sums_of_the_scores(begin: Begin) -> None:
    match = record(begin(house_target="7"), call="p4:4")

    over = record(match, call="p4:3", took_low="s1")

    assert "Bea & Dan win A Ann & Cal 1 0 + 1 = 1 B Bea & Dan 7 4 + 3 = 7" in over.part("board").text
    assert over.part("turn").text == (
        "Why Bea & Dan bid 3, made it and have 7. A side wins when it makes its own bid and then has 7 or more. "
        "Rule 7.1 More Undo hand 2"
    )
    assert over.one(class_="by-rule").one("a").attrs["href"] == f"{over.path}rules#win.target"
    text = "Hand 2: Dan bid 3, made. Ann & Cal 1, Bea & Dan 7. Bea & Dan win. Bea & Dan bid 3, made it and have 7."
    assert over.part("announcement").text == text


def test_the_sum_of_a_side_that_was_set_and_a_house_rule_that_decided_are_marked(begin: Begin) -> None:
    match = record(begin(house_target="7", house_win_rule="first_to_target"), call="p2:4")

    over = record(match, call="p1:3", **{f"took_{award}": "s2" for award in ("high", "low", "jack", "game")})

    assert [marked.text for marked in over.part("board").all(class_="set")] == ["0 − 3 = −3"]
    assert over.one(class_="by-rule").text.startswith("House rule. The first side with 7 or more")


def test_more_opens_what_the_hand_scored_without_scripts_and_closes_again(begin: Begin) -> None:
    over = won(begin)
    assert "4 + 4 = 8" not in over.part("turn").text
    assert "High" not in over.part("turn").text

    more = opened(over)

    explained = "Bea & Dan had 4. High: 4 + 1 = 5. Low: 5 + 1 = 6. Jack: 6 + 1 = 7. Game: 7 + 1 = 8."
    assert explained in more.part("turn").text
    assert more.one("a", id="more").attrs["href"] == over.path
    assert more.one("input", id="is-open").attrs["value"] == "yes"
    offered = ("That’s wrong", "All hands", "Score sheet", "Rule sheet", "Change log", "What if?")
    assert all(map(more.offers, offered))


def test_a_poll_leaves_more_as_it_is(begin: Begin) -> None:
    over = won(begin)
    board = over.part("board").attrs["hx-get"]

    version = over.open(f"board?{board.partition('?')[2].replace('v=2', 'v=1')}&more=yes")

    assert "4 + 4 = 8" in version.text


def test_who_is_at_the_target_and_did_not_bid_plays_on(phone: Phone) -> None:
    match = brought_in(phone, {**record_of(), "start": {"scores": {"Us": 20}}})

    page = record(match, call="p4:2", took_high="s1", took_game="s1")

    why = "Ann & Cal have 22, but did not bid this hand."
    rule = "A side wins when it makes its own bid and then has 21 or more. Rule 7.1"
    next_bid = "The next bid that Ann & Cal make wins."
    assert page.part("board").text == "Play on A Ann & Cal 22 20 + 2 = 22 B Bea & Dan 2 0 + 2 = 2"
    assert page.open().part("turn").text == f"Why {why} {rule} {next_bid} Hand 2 is next. More"
    assert f"{why} {next_bid}" in page.part("announcement").text
    assert page.offers("Record hand")
    assert page.offers("Undo")


def test_a_running_match_says_how_it_ends_and_by_which_rules(match: Page) -> None:
    ends = match.one(class_="ends")

    assert "First to 21 at the end of a hand, and only on a made bid." in ends.text
    assert ends.all("a", href=f"{match.path}rules#count.set")


def test_other_rules_are_told_only_where_somebody_else_had_won_and_only_once_opened(begin: Begin) -> None:
    to_the_others = {f"took-{award}": "s2" for award in ("jack", "high_joker", "low_joker", "deuce")}
    match = begin("colorado-ten-point", **{"paper-score-0": "37", "paper-score-1": "40"})
    over = record(match, bidder="p1", bid="6", **to_the_others)

    turn = opened(over).part("turn").text

    other = "the better score wins; if that is tied, the bidding side: Bea & Dan win, 44 to 43."
    assert other in turn
    assert 1 <= turn.count(": Bea & Dan win") <= 2
    assert other not in over.text


def test_who_was_past_a_target_before_it_was_lowered_reads_why_that_won_nothing(phone: Phone) -> None:
    both = "Us", "Them", "Us", "Them"
    lowered = bid("Bea", 2, *both, house={"target": 15})

    over = played(phone, bid("Ann", 2, *both), lowered, scores={"Us": 14, "Them": 13})

    assert (
        "Ann & Cal had 16 and Bea & Dan had 15 before that, which won nothing: a new target is looked at when a hand"
    ) in over.part("turn").text


def test_how_game_was_counted_is_told_where_the_sheet_leaves_it_open(phone: Phone) -> None:
    taken = {"high": "Us", "low": "Them", "jack": "Them", "high_joker": "Us", "low_joker": "Us"}
    hand = {"bidder": "Ann", "bid": 4, "taken": taken}

    counted, tied = (
        played(phone, {**hand, "card_points": {"Us": 26, "Them": them}}, variant="oklahoma-six-point").text
        for them in (27, 26)
    )

    assert "Game went to the most card points: ace 4, king 3, queen 2, jack 1, ten 10, and nothing else." in counted
    assert "went to the most" not in tied


def test_an_earlier_hand_says_which_card_was_kicked_twice(phone: Phone) -> None:
    nobody = dict.fromkeys(("turned_ace", "turned_jack", "turned_six", "gift", "jack", "hang_jack"))
    taken = {**nobody, "high": "Us", "low": "Them", "game": "Us"}
    kicked = {"dealer": "Bea", "times": {"turned_six": 2}, "taken": {**taken, "turned_six": "Them"}}
    plain = {"dealer": "Cal", "taken": taken}

    page = played(phone, kicked, plain, format="pitch-record/3", variant="trinidad-all-fours")

    assert "Turned Six twice. Each kick scores at once" in page.part("history").text


def test_the_last_hand_opens_to_what_a_set_side_took_in_vain_and_the_rules_that_it_turned_on(begin: Begin) -> None:
    match = record(begin(), call="p4:4", took_low="s1")

    opened = match.one("tr", class_="opened").text

    for shown in (opened, match.open("history?open=1").text):
        assert "bid 4, took 3: set" in shown
        assert "Does not count: High, Jack, Game" in shown
    assert "A side that takes less than its bid is set: subtract the bid. The points taken do not count." in opened


def test_the_points_of_the_last_hand_stand_in_its_row_alone(begin: Begin) -> None:
    saved = record(begin(), call="p4:4", took_low="s1")

    assert saved.part("turn").text.startswith("Hand 1 is saved. ")
    for page in (saved, saved.open()):
        assert "−4" not in page.part("turn").text
        assert "Dan 4" not in page.part("turn").text
        assert page.rows[0].startswith("1 Dan 4 set +1 1 −4 −4")
        assert page.part("announcement").text.startswith("Hand 1: Dan bid 4, set.")


def test_a_correction_says_how_the_match_had_ended(begin: Begin) -> None:
    over = won(begin)
    ours = {f"took-{award}": "s1" for award in ("high", "low", "jack", "game")}

    corrected = over.open("hands/2").send("/2", {**ours, "call": "p1:4"}, press="Save")

    assert "corrected" in corrected.rows[0]
    assert "Before that: Bea & Dan win, 8 to 0." in corrected.text


def test_a_penalty_that_takes_a_side_from_the_target_counts_first(phone: Phone) -> None:
    hand = bid("Ann", 2, "Us", "Us", "Them", "Them", penalties={"Us": 2})

    held_back, ordinary = (played(phone, hand, scores={"Us": us}, format="pitch-record/2").text for us in (20, 10))

    assert "penalty 2: it counts first 20 − 2 = 18" in held_back
    assert "18 + 2 = 20" in held_back
    assert "penalty 2 10 − 2 = 8" in ordinary


def test_hands_after_the_end_are_named(phone: Phone) -> None:
    was_set = bid("Dan", 3, "Us", "Us", None, "Us")

    over = played(phone, was_set, was_set, house={"set_limit": 1})

    assert "Hand 2 came after the end and does not count." in over.text


def test_why_the_last_two_hands_before_it_did_not_end_the_match(phone: Phone) -> None:
    against = bid("Dan", 2, "Us", "Them", "Them", "Us")

    over = played(phone, *[against] * 8, bid("Ann", 2, "Us", "Us", "Us", "Us"), scores={"Us": 20})

    assert over.text.count("did not end it:") == 2
    assert "Hand 8 did not end it: Ann & Cal have 36, but did not bid that hand. Rule 7.1" in over.text


def test_what_decided_says_what_was_read_where_the_source_does_not_say_it(begin: Begin) -> None:
    read = opened(won(begin, "solo-with-bidding"))

    basis = "“Pitch” says it only in part; we read: A player wins as a side does in the game for partners."
    assert read.one(class_="basis").text == basis
    assert read.text.index("Rule 7.1") < read.text.index(basis)
    assert opened(won(begin)).all(class_="basis") == []


def test_a_rule_in_full_under_the_hand_says_what_was_read(phone: Phone) -> None:
    taken = dict.fromkeys(("ace", "jack", "off_jack", "high_joker", "ten", "trey", "deuce"), "Us")
    moon = {"bidder": "Ann", "bid": "moon", "taken": {**taken, "low_joker": None}}

    page = played(phone, moon, variant="colorado-ten-point")

    (basis,) = page.one(class_="opened").all(class_="basis")
    assert "we read: " in basis.text


def test_a_deal_that_was_thrown_in_says_by_which_rule_and_what_was_noted(phone: Phone) -> None:
    misdeal = {"dealer": "Ann", "thrown_in": "misdeal", "note": "Bob had nothing"}
    passed = {"dealer": "Ann", "thrown_in": "all_passed"}

    dealt = played(phone, misdeal, variant="colorado-thirteen-point").text
    again = played(phone, passed, house={"all_pass": "redeal"})

    assert "“Bob had nothing”" in dealt
    assert " Rule 2.3" in dealt
    assert "Everyone passed. Nobody has to bid here, and nothing is scored." in again.part("turn").text
    assert "If everyone passes, nothing is scored, and the same dealer deals again. Rule 3." in again.text


def test_a_rule_that_changed_is_told_while_somebody_would_have_won_by_the_old_one(phone: Phone) -> None:
    hand = bid("Dan", 2, "Them", "Them", "Us", "Us")
    raised = {**hand, "house": {"target": 15}, "house_on": "2026-11-14"}

    above, below = (
        played(phone, hand, raised, scores={"Them": them}, house={"target": 11}).part("turn").text for them in (8, 0)
    )

    assert (
        "With hand 2 (Nov 14, 2026) the table changed this: Play to 15. Until then: Play to 11. A change counts from "
        "its hand on."
    ) in above
    assert "With hand 2" not in below


def test_a_note_of_the_match_stands_under_more(phone: Phone) -> None:
    page = played(phone, bid("Ann", 2, "Us", "Us", "Us", "Us"), stopped=True, note="a short one")

    assert "“a short one”" in page.part("turn").text
