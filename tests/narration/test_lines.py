"""What is said of a hand's lines."""

from dataclasses import replace

import pytest

from scorekeeper.engine.match import HandResult, open_match, replay
from scorekeeper.engine.seats import Seats, Side, seat
from scorekeeper.narration.hands import bid_words, hand_lines, line_words, not_counted_words, remarks
from scorekeeper.narration.phrases import IDS_AS_NAMES, score_text, signed
from scorekeeper.rules.phrases import listed
from tests.library import LIBRARY
from tests.notation import hand


def test_numbers_carry_their_sign() -> None:
    assert [signed(number) for number in (3, 0, -5)] == ["+3", "0", "−5"]
    assert [score_text(number) for number in (3, -5)] == ["3", "−5"]


def test_names_are_joined_as_they_are_spoken() -> None:
    assert [listed(names) for names in ([], ["A"], ["A", "B"], ["A", "B", "C"])] == ["", "A", "A and B", "A, B and C"]


IN_MONEY = ", paid in money, not in points"


@pytest.mark.parametrize(
    ("variant", "told", "words"),
    [
        ("cutthroat-pitch", "A bid 2 | A high low | B the rest", ["High", "Low", "Jack", "Game"]),
        ("cutthroat-pitch", "A bid 3 | A 2 points | B 2 points | C 0 points", ["bid 3, took 2: set", "took 2"]),
        (
            "cutthroat-pitch",
            "A bid smudge, every trick | A the rest",
            ["bid smudge, which needs all 4 points and every trick, took 4 and every trick: made"],
        ),
        (
            "moon-over-four",
            "A bid moon, not every trick | A the rest",
            ["missed the moon: the score becomes −4"],
        ),
        (
            "money-pitch",
            "A bid moon, every trick | A the rest",
            ["bid moon, which needs all 4 points and every trick, took 4 and every trick: made" + IN_MONEY],
        ),
    ],
)
def test_a_line_says_what_it_is_for(variant: str, told: str, words: list[str]) -> None:
    ruleset = LIBRARY[variant]
    seats, _ = seat(ruleset, "ABC", None)
    assert seats

    (played,) = replay(open_match(ruleset, seats), [hand(told, ruleset, seats.ids)]).results

    assert played.score
    assert [line_words(played, line) for line in played.score.lines] == words


def test_a_missed_moon_can_be_a_gain() -> None:
    ruleset = LIBRARY["moon-over-four"]
    seats, _ = seat(ruleset, "ABC", None)
    assert seats
    told = ["A bid 4 | B the rest", "A bid 4 | B the rest", "A bid moon, not every trick | A the rest"]

    *_, last = replay(open_match(ruleset, seats), [hand(text, ruleset, seats.ids) for text in told]).results

    assert last.score
    assert line_words(last, last.score.lines[0]) == "missed the moon: the score becomes −4, which is a gain"


@pytest.mark.parametrize(
    ("variant", "told", "words"),
    [
        (
            "colorado-cutthroat",
            "A bid moon | nobody ten | A the rest",
            "bid moon, which needs all 10 points, took 9: set, because a point went to nobody",
        ),
        ("colorado-cutthroat", "A bid moon | B ten | A the rest", "bid moon, which needs all 10 points, took 9: set"),
        (
            "moon-over-four",
            "A bid moon, every trick | nobody jack | A the rest",
            "missed the moon: the score becomes −4, because a point went to nobody",
        ),
    ],
)
def test_a_moon_that_a_missing_card_made_impossible_says_so(variant: str, told: str, words: str) -> None:
    ruleset = LIBRARY[variant]
    seats, _ = seat(ruleset, "ABC", None)
    assert seats

    (played,) = replay(open_match(ruleset, seats), [hand(told, ruleset, seats.ids)]).results

    assert played.score
    assert line_words(played, played.score.lines[0]) == words


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("A bid 6 | B trey | A the rest", "bid 6, took 7: made"),
        ("A bid 8 | B trey | A the rest", "bid 8, took 7: set"),
    ],
)
def test_a_line_says_what_the_bid_needed_and_took(told: str, words: str) -> None:
    played = _played("charbonneau-ten-point", told)

    assert played.score
    assert line_words(played, played.score.lines[0]) == words


def test_an_award_of_more_than_a_point_says_its_worth() -> None:
    *_, last = hand_lines(_played("charbonneau-ten-point", "A bid 6 | B trey | A the rest"))

    assert last.text == "Trey 3"


def test_what_a_set_side_took_in_vain_has_names_or_a_number() -> None:
    by_cards = _played("charbonneau-ten-point", "A bid 8 | A trey jack | B the rest")
    by_counts = _played("charbonneau-ten-point", "A bid 8 | A 2 points | B 8 points")
    made = _played("charbonneau-ten-point", "A bid 6 | A the rest")

    assert not_counted_words(by_cards) == "Jack, Trey 3"
    assert not_counted_words(by_counts) == "2 points"
    assert not_counted_words(made) == ""


def test_a_game_for_money_says_what_was_taken_in_vain_where_points_count() -> None:
    set_in_points = _played("money-pitch", "A bid 3 | A high jack | B the rest")
    paid = _played("racehorse", "A bid 3 | A high jack | B the rest")

    assert not_counted_words(set_in_points) == "High, Jack"
    assert not_counted_words(paid) == ""


TWO_SIDES = Seats((Side("A"), Side("B")))


def _played(variant: str, told: str) -> HandResult:
    ruleset = LIBRARY[variant]
    (played,) = replay(open_match(ruleset, TWO_SIDES), [hand(told, ruleset, TWO_SIDES.ids)]).results
    return played


@pytest.mark.parametrize(
    ("calls", "said"),
    [
        ("B pass, C 3, D pass, A 3", "A stole 3"),
        ("B pass, C 2, D pass, A 3", "A 3"),
        ("B pass, C 3, D pass, A pass", "C 3"),
    ],
)
def test_a_bid_that_the_dealer_matched_is_stolen(calls: str, said: str) -> None:
    ruleset = LIBRARY["partnership-pitch"].changed(
        bidding=LIBRARY["partnership-pitch"].bidding.changed(dealer_steal="yes")
    )
    seats, _ = seat(ruleset, "ABCD", None)
    assert seats
    told = tuple((call[0], int(call[2:]) if call[2:].isdigit() else call[2:]) for call in calls.split(", "))
    played = replace(
        hand("A bid 3 | A the rest", ruleset, seats.players), dealer="A", auction=told, bidder=None, bid=None
    )

    (result,) = replay(open_match(ruleset, seats), [played]).results

    assert bid_words(result, IDS_AS_NAMES) == said


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("A bid 2 | A high low | B jack | nobody game", ["Game is tied: nobody scores it."]),
        (
            "A bid 2 | A high low | B jack | A 40 card points | B 40 card points",
            ["Game is tied, 40 to 40: nobody scores it."],
        ),
        ("A bid 3 | A game | B high low jack | A 50 card points | B 30 card points", []),
    ],
)
def test_a_tied_game_is_called_so(told: str, said: list[str]) -> None:
    ruleset = LIBRARY["setback-for-two"] if "setback-for-two" in LIBRARY else LIBRARY["cutthroat-pitch"]
    seats, _ = seat(ruleset, "AB", None)
    assert seats

    (result,) = replay(open_match(ruleset, seats), [hand(told, ruleset, seats.ids)]).results

    assert list(remarks(result, IDS_AS_NAMES)) == said
