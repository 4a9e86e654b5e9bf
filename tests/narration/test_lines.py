"""What is said of a hand's lines."""

import pytest

from scorekeeper.engine.match import open_match, replay
from scorekeeper.engine.seats import seat
from scorekeeper.narration.lines import line_words
from scorekeeper.narration.phrases import score_text, signed
from scorekeeper.rules.phrases import listed
from tests.engine.strategies import LIBRARY
from tests.notation import hand


def test_numbers_carry_their_sign() -> None:
    assert [signed(number) for number in (3, 0, -5)] == ["+3", "0", "−5"]
    assert [score_text(number) for number in (3, -5)] == ["3", "−5"]


def test_names_are_joined_as_they_are_spoken() -> None:
    assert [listed(names) for names in ([], ["A"], ["A", "B"], ["A", "B", "C"])] == ["", "A", "A and B", "A, B and C"]


@pytest.mark.parametrize(
    ("variant", "told", "words"),
    [
        ("cutthroat-pitch", "A bid 2 | A high low | B the rest", ["High", "Low", "Jack", "Game"]),
        ("cutthroat-pitch", "A bid 3 | A 2 points | B 2 points | C 0 points", ["bid 3, took 2: set", "took 2"]),
        ("cutthroat-pitch", "A bid smudge, every trick | A the rest", ["bid smudge: made"]),
        (
            "moon-over-four",
            "A bid moon, not every trick | A the rest",
            ["missed the moon: the score becomes −4"],
        ),
        ("money-pitch", "A bid moon, every trick | A the rest", ["paid in money, not in points"]),
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
        ("colorado-cutthroat", "A bid moon | nobody ten | A the rest", "bid moon: set, because a point went to nobody"),
        ("colorado-cutthroat", "A bid moon | B ten | A the rest", "bid moon: set"),
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
