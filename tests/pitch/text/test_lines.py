"""What is said of a hand's lines."""

from dataclasses import replace

import pytest

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.scoring.match import HandResult, Start, open_match, replay
from scorekeeper.pitch.scoring.seats import Seats, Side, seat
from scorekeeper.pitch.text.hands import (
    bid_words,
    bidding_remark,
    explained,
    hand_lines,
    line_words,
    moon_goes_on,
    not_counted_words,
    remarks,
)
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES
from tests.common.library import LIBRARY
from tests.common.notation import hand

IN_MONEY = ", paid in money, not in points"
MOON = "bid moon, which needs all 4 points and all 6 tricks"


@pytest.mark.parametrize(
    ("variant", "told", "words"),
    [
        ("cutthroat-pitch", "A bid 2 | A high low | B the rest", ["High", "Low", "Jack", "Game"]),
        ("cutthroat-pitch", "A bid 3 | A 2 points | B 2 points | C 0 points", ["bid 3, took 2: set", "took 2"]),
        (
            "cutthroat-pitch",
            "A bid smudge, every trick | A the rest",
            ["bid smudge, which needs all 4 points and all 6 tricks, took 4 and every trick: made"],
        ),
        (
            "moon-over-four",
            "A bid moon, not every trick | A the rest",
            [
                f"{MOON}, took 4, but not every trick: set; the score becomes −4",
            ],
        ),
        (
            "money-pitch",
            "A bid moon, every trick | A the rest",
            ["bid moon, which needs all 4 points and all 6 tricks, took 4 and every trick: made" + IN_MONEY],
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


@pytest.mark.parametrize(
    ("variant", "told", "words"),
    [
        (
            "colorado-cutthroat",
            "A bid moon | nobody ten | A the rest",
            "bid moon, which needs all 10 points, took 9: set, because the Ten was not in play",
        ),
        ("colorado-cutthroat", "A bid moon | B ten | A the rest", "bid moon, which needs all 10 points, took 9: set"),
        (
            "cutthroat-pitch",
            "A bid 4 | nobody jack | A the rest",
            "bid 4, took 3: set, because the Jack was not in play",
        ),
        ("cutthroat-pitch", "A bid 3 | nobody jack | B low | A the rest", "bid 3, took 2: set"),
        ("cutthroat-pitch", "A bid 4 | A 3 points | B 0 points | C 0 points", "bid 4, took 3: set"),
        ("money-pitch", "A bid 4 | nobody game | A the rest", "bid 4, took 3: set"),
        (
            "moon-over-four",
            "A bid moon, every trick | nobody jack | A the rest",
            f"{MOON}, took 3 and every trick: set, because the Jack was not in play; the score becomes −4",
        ),
    ],
)
def test_a_bid_that_a_missing_card_made_impossible_says_so(variant: str, told: str, words: str) -> None:
    ruleset = LIBRARY[variant]
    seats, _ = seat(ruleset, "ABC", None)
    assert seats

    (played,) = replay(open_match(ruleset, seats), [hand(told, ruleset, seats.ids)]).results

    assert played.score
    assert line_words(played, played.score.lines[0]) == words


def test_an_award_of_more_than_a_point_says_its_worth() -> None:
    *_, last = hand_lines(_played("charbonneau-ten-point", "A bid 6 | B trey | A the rest"))

    assert last.text == "Trey 3"


def test_what_is_given_for_the_others_mistake_is_counted_first() -> None:
    played = _played("yorkshire-all-fours", "A game | B high low | nobody jack | A given 4")

    assert [line.text for line in hand_lines(played)] == ["for the others’ mistake 4", "Game", "High, Low"]
    assert [*explained(played, IDS_AS_NAMES)][:3] == [
        "A had 0.",
        "For the others’ mistake 4: 0 + 4 = 4.",
        "Game: 4 + 1 = 5.",
    ]


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

    assert [it.text for it in remarks(result, IDS_AS_NAMES)] == said


@pytest.mark.parametrize(
    ("variant", "told", "said"),
    [
        (
            "partnership-pitch",
            "Us bid 2 | Us high low game | nobody jack",
            "The Jack was not in play: nobody gets its point.",
        ),
        (
            "racehorse",
            "A bid 3 | A high low game | nobody jack",
            None,
        ),
        (
            "colorado-ten-point",
            "Us bid 6 | Us ace jack off-jack trey deuce | nobody ten high-joker | Them low-joker",
            "The High Joker and the Ten were not in play: nobody gets their points.",
        ),
        (
            "trinidad-all-fours",
            "Us high low | nobody jack | Them game",
            "The Jack was not in play: nobody gets its point.",
        ),
        (
            "trinidad-all-fours",
            "Us high low | nobody jack | Them game hang-jack",
            None,
        ),
    ],
)
def test_the_cards_that_were_not_out_are_named(variant: str, told: str, said: str | None) -> None:
    ruleset = LIBRARY[variant]
    is_alone = told.startswith("A ")
    seats, _ = seat(ruleset, "ABC" if is_alone else None, None if is_alone else [("Us", ()), ("Them", ())])
    assert seats

    (played,) = replay(open_match(ruleset, seats), [hand(told, ruleset, seats.ids)]).results

    assert [it.text for it in remarks(played, IDS_AS_NAMES)] == ([said] if said else [])


@pytest.mark.parametrize(
    ("all_pass", "said"),
    [
        ("dealer_forced", ["Everyone else passed, so C had to bid."]),
        ("may_take_set", ["Everyone else passed, so C had to bid or go set."]),
        ("redeal", []),
        ("pass_deal", []),
        ("unobliged", []),
    ],
)
def test_a_dealer_is_stuck_only_where_somebody_has_to_bid(all_pass: str, said: list[str]) -> None:
    ruleset, _ = with_house(LIBRARY["cutthroat-pitch"], {"all_pass": all_pass})
    seats, _ = seat(ruleset, "ABC", None)
    assert seats
    told = "C deals | calls A pass, B pass, C 2 | C the rest"

    (result,) = replay(open_match(ruleset, seats), [hand(told, ruleset, seats.ids)]).results

    assert [it.text for it in remarks(result, IDS_AS_NAMES)] == said


@pytest.mark.parametrize(
    ("variant", "told", "said", "rules"),
    [
        (
            "partnership-pitch",
            "calls B 2, C pass, D 3, A 3 | A high low game | B jack",
            "B bid 2, C passed, D bid 3, A stole it for 3.",
            ("bid.dealer_steal",),
        ),
        (
            "partnership-pitch",
            "calls B pass, C pass, D pass, A 2 | A high low game | B jack",
            "B passed, C passed, D passed, A bid 2.",
            (),
        ),
        ("partnership-pitch", "B bid 2 | A high low game | B jack", None, ()),
    ],
)
def test_the_bidding_is_told_with_the_rule_that_decided_it(
    variant: str, told: str, said: str | None, rules: tuple[str, ...]
) -> None:
    ruleset = LIBRARY[variant]
    seats, _ = seat(ruleset, "ABCD", None)
    assert seats
    state = open_match(ruleset, seats)
    played = replay(state, [replace(hand(told, ruleset, [*"ABCD", *seats.ids]), dealer="A")]).results[0]

    remark = bidding_remark(played, IDS_AS_NAMES)

    assert (remark.text if remark else None) == said
    assert remark is None or remark.rules == rules


def played_by(variant: str, told: str, **scores: int) -> HandResult:
    """Play one hand of two sides, at these scores."""
    ruleset = LIBRARY[variant]
    seats, _ = seat(ruleset, None, [("Us", ()), ("Them", ())])
    assert seats
    state = open_match(ruleset, seats, Start(scores))
    return replay(state, [hand(told, ruleset, seats.ids)]).results[0]


def test_a_misdeal_after_the_end_is_called_one() -> None:
    ruleset = LIBRARY["cutthroat-pitch"]
    seats, _ = seat(ruleset, "ABC", None)
    assert seats
    hands = [hand(told, ruleset, seats.players) for told in ("A bid 2 | A high low jack | B game", "misdeal")]

    result = replay(open_match(ruleset, seats, Start({"A": 20})), hands).results[-1]

    assert (result.status, bid_words(result, IDS_AS_NAMES)) == ("after_end", "Misdeal")


def test_a_hand_that_a_turned_card_won_was_not_played() -> None:
    assert bid_words(played_by("trinidad-all-fours", "Us turned-ace", Us=13, Them=13), IDS_AS_NAMES) == "Not played"
    every_other = "Us turned-ace | nobody the rest"
    named = played_by("trinidad-all-fours", every_other, Us=13, Them=13)
    assert bid_words(named, IDS_AS_NAMES) == "Not played"
    assert list(remarks(named, IDS_AS_NAMES)) == []
    assert bid_words(played_by("trinidad-all-fours", "Us high low jack | Them game"), IDS_AS_NAMES) == "Played"


def test_a_moon_from_below_zero_is_not_said_to_score_its_points() -> None:
    told = "Us bid moon, every trick | Us the rest"

    assert not moon_goes_on(played_by("charbonneau-ten-point", told, Us=-8, Them=13))
    assert moon_goes_on(played_by("colorado-ten-point", told))


def test_bidders_and_defenders_with_equal_counts_have_lines_of_their_own() -> None:
    result = played_by("partnership-pitch", "Us bid 2 | Us 2 points | Them 2 points")

    assert [(line.sides, line.text) for line in hand_lines(result)] == [(("Us",), "took 2"), (("Them",), "took 2")]


def test_a_bid_taken_from_a_led_card_says_why_it_costs_double() -> None:
    ruleset, _ = with_house(LIBRARY["partnership-pitch"], {"pitching": "yes", "double_loss_on_overtake": "yes"})
    seats, _ = seat(ruleset, None, [("Us", ()), ("Them", ())])
    assert seats
    told = "Us bid 4, over a pitch | Us high jack game | Them low"

    (played,) = replay(open_match(ruleset, seats, dealer="Us"), [hand(told, ruleset, seats.ids)]).results

    assert next(line.text for line in hand_lines(played)) == "bid 4, took 3: set, double for outbidding a led card"
