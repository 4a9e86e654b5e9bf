"""What is said of a hand's lines."""

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.scoring.match import HandResult, Start, open_match, replay
from scorekeeper.pitch.scoring.seats import Seats, Side, seat
from scorekeeper.pitch.text.hands import (
    bid_words,
    explained,
    hand_lines,
    moon_goes_on,
    not_counted_words,
    remarks,
)
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES
from tests.common.library import LIBRARY
from tests.common.notation import hand


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
