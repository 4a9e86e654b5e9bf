"""What is said of how a match ended, in one breath: by which bid or rule, and what a table would ask beside that."""

from typing import Any

import pytest

from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.scoring.match import Start, open_match, replay
from scorekeeper.pitch.scoring.seats import seat
from scorekeeper.pitch.text.endings import deciding_rule
from tests.common.library import LIBRARY
from tests.common.notation import hand
from tests.pitch.scoring.tables import four, scored

BEFORE = {"scores": {"Us": 20, "Them": 19}}
IN_ORDER = {"tie_rule": "point_order", "win_rule": "first_to_target"}


def because(variant: str, played: dict[str, Any], **record: Any) -> str:
    return str(scored(variant, played, **record)["because"])


@pytest.mark.parametrize(
    "taken", [{"taken": four("Us", "Us", "Them", "Them")}, {"points": {"Us": 2, "Them": 2}}], ids=["cards", "points"]
)
def test_a_made_bid_says_the_bid_and_the_score(taken: dict[str, Any]) -> None:
    played = {"bidder": "Us", "bid": 2, **taken}

    assert because("partnership-pitch", played, start=BEFORE) == (
        "We bid 2, made it and have 22. They have 21, but did not bid this hand."
    )


def test_who_has_the_same_score_and_did_not_bid_is_told_so() -> None:
    played = {"bidder": "Us", "bid": 2, "taken": four("Us", "Us", "Them", "Them")}
    level = {"scores": {"Us": 19, "Them": 19}}

    assert because("partnership-pitch", played, start=level) == (
        "We bid 2, made it and have 21. They have 21 too, but did not bid this hand."
    )


def test_a_win_by_the_defenders_says_whose_bid_was_set_and_what_they_took() -> None:
    played = {"bidder": "Us", "bid": 6, "points": {"Us": 5, "Them": 5}}

    assert because("colorado-ten-point", played, start={"scores": {"Them": 50}}) == (
        "We bid 6 and were set; they took 5 and have 55. They did not have to bid."
    )


def test_a_bid_with_a_called_partner_names_one_bidder() -> None:
    played = {"bidder": "A", "bid": 5, "partner": "C", "points": {"bidders": 2, "defenders": 8}}

    said = because("razzle-dazzle", played, players="ABCDE", start={"scores": {"B": 60}})

    assert said.startswith("A bid 5 and was set; B ")


def test_a_moon_that_was_set_says_who_bid_it() -> None:
    awards = list(LIBRARY["colorado-ten-point"].in_play)
    played = {"bidder": "Us", "bid": "moon", "taken": {**dict.fromkeys(awards, "Us"), "jack": "Them"}}

    said = because("colorado-ten-point", played, start={"scores": {"Them": 50}})

    assert said.startswith("We bid moon and were set; they ")


@pytest.mark.parametrize(
    ("them", "rule"),
    [
        (42, "The winner must lead by 3."),
        (36, "Whoever reaches the target first wins."),
    ],
)
def test_a_lead_is_the_rule_where_it_decided(them: int, rule: str) -> None:
    ruleset, _ = with_house(LIBRARY["colorado-ten-point"], {"win_by": 3})
    seats, _ = seat(ruleset, None, [("Us", ()), ("Them", ())])
    assert seats
    told = hand("Us bid 5 | Us 9 points | Them 1 points", ruleset, seats.ids)

    over = replay(open_match(ruleset, seats, Start(scores={"Us": 43, "Them": them})), [told])

    assert deciding_rule(over) == rule


def test_points_alone_ask_who_got_there_first() -> None:
    played = {"bidder": "Them", "bid": 2, "points": {"Us": 1, "Them": 3}}

    said = because("partnership-pitch", played, house=IN_ORDER, start=BEFORE)

    asked = "It depends: who took High and Low? Points alone do not say who won."
    assert said == f"{asked} We win with High or Low, Them with High and Low."


def test_card_points_may_tell_who_got_there_first() -> None:
    played = {"bidder": "Them", "bid": 2, "points": {"Us": 1, "Them": 3}, "card_points": {"Us": 50, "Them": 30}}

    said = because("partnership-pitch", played, house=IN_ORDER, start=BEFORE)

    assert said == (
        "We and they reached 21 on the same hand; counted in order, they reach 21 first, whoever took which point."
    )


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ((24, 5), "We have 21, but bid 3 and were set. The next bid that we make wins."),
        (
            (24, 19),
            "We have 21, but bid 3 and were set; they have 21, but did not bid this hand. "
            "The next of them to make a bid wins.",
        ),
        ((12, 19), "They have 21, but did not bid this hand. The next bid that they make wins."),
    ],
)
def test_a_bid_that_was_set_is_said_of_whoever_is_at_the_target(scores: tuple[int, int], said: str) -> None:
    played = {"bidder": "Us", "bid": 3, "taken": four("Them", "Us", "Them", "Us")}

    assert (
        because("partnership-pitch", played, start={"scores": dict(zip(("Us", "Them"), scores, strict=True))}) == said
    )


def test_who_wins_by_the_failed_bid_of_the_others_is_told_so() -> None:
    played = {"bidder": "Them", "bid": 4, "points": {"Us": 3, "Them": 3}}
    won = because("nine-card-pitch", played, start={"scores": {"Us": 2, "Them": 5}})

    assert won == "They bid 4 and were set; we took 3 and have −1."


@pytest.mark.parametrize(
    ("bid", "points", "scores", "said"),
    [
        ("A", (6, 4), (54, 56), "A and B had 52 or more before this hand; A made the bid."),
        ("C", (6, 4), (54, 56), "A and B had 52 or more before this hand; B has the better score."),
        ("C", (6, 4), (54, 54), "A has 58 and B has 58. Play another hand to decide."),
        (
            "A",
            (4, 6),
            (64, 56),
            "A and B had 52 or more before this hand; A was set, and B has the better score.",
        ),
    ],
)
def test_of_several_who_were_at_the_target_before_a_made_bid_wins_or_the_better_score(
    bid: str, points: tuple[int, int], scores: tuple[int, int], said: str
) -> None:
    played = {
        "bidder": bid,
        "bid": 5,
        "partner": None,
        "points": dict(zip(("bidders", "defenders"), points, strict=True)),
    }

    found = because("razzle-dazzle", played, players="ABCDE", start={"scores": dict(zip("AB", scores, strict=True))})

    assert found.startswith(said)
