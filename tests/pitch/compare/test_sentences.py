"""A hand settled, as the table tells it: the bid, who wins, by other rules, and what is not agreed."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given

from scorekeeper.pitch.compare.alternatives import alternatives, changing_alternatives
from scorekeeper.pitch.compare.ruling import Ruling, rule_on
from scorekeeper.pitch.compare.sentences import (
    alternative_sentence,
    bid_sentence,
    ending_rule,
    ending_words,
    money_words,
    reason_words,
    undecided_lines,
    undecided_sentence,
)
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.scoring.budget import Budget
from scorekeeper.pitch.scoring.hand import Hand
from scorekeeper.pitch.scoring.match import MatchState, Start, open_match, play
from scorekeeper.pitch.scoring.seats import seat
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES
from tests.common.library import LIBRARY
from tests.common.notation import hand
from tests.common.pace import counted_calls
from tests.pitch.scoring.strategies import matches

US = ("Us", "Them")


def ruled(variant: str, told: str, names: Sequence[str] = US, *, scores: Sequence[int] = (), **house: Any) -> Ruling:
    """Settle one hand at these scores."""
    base = LIBRARY[variant]
    ruleset, faults = with_house(base, house)
    assert not faults
    are_sides = names == US
    seats, problems = seat(ruleset, None if are_sides else names, [(name, ()) for name in names] if are_sides else None)
    assert seats, problems
    start = Start(dict(zip(seats.ids, scores, strict=False)))
    before = open_match(ruleset, seats, start)
    ids = [*seats.players, *seats.ids]
    return rule_on(before, hand(told, ruleset, ids), start, base)


def other_rules(ruling: Ruling) -> list[str]:
    """Return each other rule by which somebody else wins, in a sentence."""
    return [alternative_sentence(it, IDS_AS_NAMES) for it in changing_alternatives(ruling.match)]


COLORADO, PARTNERS = "colorado-ten-point", "partnership-pitch"
MADE = "Us bid 6 | Us ace trey ten off-jack | Them the rest"


def test_only_rules_that_change_the_winner_are_told_and_no_more_than_two() -> None:
    assert other_rules(ruled(COLORADO, MADE, scores=(37, 40))) == [
        "If both reach 42 on the same hand, the better score wins; if that is tied, the bidding side: "
        "Them win, 44 to 43.",
        "If both reach 42 on the same hand, play another hand: nobody yet, 43 to 44.",
    ]
    assert other_rules(ruled(PARTNERS, "Us bid 4 | Us 3 points | Them 0 points", low="held")) == []


def test_who_had_won_before_the_hand_is_told_with_those_scores() -> None:
    told = other_rules(ruled(PARTNERS, "Us bid 3 | Us high jack game | Them low", scores=(18, 24)))

    assert told == ["Whoever reaches the target first wins: Them win, 24 to 18."]


def test_a_moon_may_have_needed_only_the_points_in_play() -> None:
    (told,) = other_rules(ruled(COLORADO, "Us bid moon | nobody deuce | Us the rest", scores=(37, 35)))

    assert told.endswith(": Us win, 63 to 35.")


OPEN = "This turns on a rule that you have not agreed: "


@pytest.mark.parametrize(
    ("variant", "told", "names", "scores", "house", "said", "lines"),
    [
        ("arizona-29", "Us bid 3 | Them high low | Us the rest", US, (20, 19), {"target": 21}, f"{OPEN}Who may win?",
         ["Who wins: whoever reaches it: Us win, 23 to 21", "Who wins: only on a made bid: Us win, 23 to 21"]),
        ("arizona-29", "Us bid 3 | Them high low | Us the rest", US, (3, 19), {"target": 21}, f"{OPEN}Who may win?",
         ["Who wins: whoever reaches it: Them win, 21 to 6", "Who wins: only on a made bid: nobody yet, 6 to 21"]),
        ("solo-without-bidding", "A high jack | B low | C game", ("A", "B", "C"), (9, 8, 8), {},
         f"{OPEN}What score do you play to?", ["Target: 11: A wins", "Target: 15 or 21: nobody yet"]),
        ("catch-five", "Us bid 3 | Them high five | Us the rest", US, (3, 15), {},
         "This turns on 2 rules that you have not agreed: What score do you play to? Who may win?",
         ["Target: 21, Who wins: whoever reaches it: Them win, 21 to 6",
          "Target: 21, Who wins: only on a made bid: nobody yet, 6 to 21",
          "Target: 42, 52 or 62: nobody yet, 6 to 21"]),
        ("arizona-29", "Us bid 3 | Them high low | Us the rest", US, (3, 3), {"target": 21}, "", []),
    ],
)  # fmt: skip
def test_a_ruling_that_turns_on_what_is_not_agreed_shows_every_answer(
    variant: str,
    told: str,
    names: tuple[str, ...],
    scores: tuple[int, ...],
    house: dict[str, Any],
    said: str,
    lines: list[str],
) -> None:
    ruling = ruled(variant, told, names, scores=scores, **house)

    assert undecided_sentence(ruling) == said
    assert [": ".join(line) for line in undecided_lines(ruling, IDS_AS_NAMES)] == lines
    open_options = set(ruling.before.ruleset.open_options)
    assert not {name for it in alternatives(ruling.match) for name in it.house} & open_options


def test_where_everyone_passed_and_nothing_is_agreed_each_answer_says_what_follows() -> None:
    ruling = ruled("nine-card-pitch", "all passed")

    assert undecided_sentence(ruling) == f"{OPEN}What if everyone passes?"
    said = dict(undecided_lines(ruling, IDS_AS_NAMES))
    assert sorted(it.endswith("nobody yet, 21 to 21") for it in said.values()) == [False, False, True, True]


@pytest.mark.parametrize(
    ("variant", "told", "names", "said"),
    [
        (PARTNERS, "Us bid 3 | Us high jack game | Them low", US, "Us bid 3 and took 3: made."),
        (PARTNERS, "Us bid 4 | Us high jack game | Them low", US, "Us bid 4 and took 3: set."),
        (PARTNERS, "Us bid smudge, not every trick | Us the rest", US, "Us bid smudge, which needs all 4 points and all 6 tricks, and took 4, but not every trick: set."),  # noqa: E501
        (PARTNERS, "Us bid smudge, every trick | Us the rest", US, "Us bid smudge, which needs all 4 points and all 6 tricks, and took 4 and every trick: made."),  # noqa: E501
        (COLORADO, "Us bid moon | Us the rest", US, "Us bid moon, which needs all 10 points, and took 10: made."),
        (PARTNERS, "misdeal", US, "Misdeal: the dealer deals again."),
        ("solo-without-bidding", "A high jack | B low | C game", ("A", "B", "C"), ""),
        ("pawnee-call-your-partner", "A bid 5 with C | bidders high trey jack | defenders the rest", ("A", "B", "C", "D", "E"), "A bid 5 with C and took 5: made."),  # noqa: E501
        ("pawnee-call-your-partner", "A bid 6 alone | bidders high trey jack | defenders the rest", ("A", "B", "C", "D", "E"), "A bid 6 alone and took 5: set."),  # noqa: E501
    ],
)  # fmt: skip
def test_a_bid_says_what_it_needed_and_took(variant: str, told: str, names: tuple[str, ...], said: str) -> None:
    assert bid_sentence(ruled(variant, told, names), IDS_AS_NAMES) == said


def test_an_ending_says_who_won_or_why_nobody_has_and_the_rule() -> None:
    won, held_back, early = (
        ruled(PARTNERS, told, scores=scores)
        for told, scores in (
            ("Us bid 3 | Us high jack game | Them low", (18, 24)),
            ("Them bid 2 | Us high low | Them the rest", (20, 3)),
            ("Them bid 2 | Us high low | Them the rest", (2, 3)),
        )
    )

    assert ending_words(won.state, IDS_AS_NAMES) == "Us win, 21 to 25"
    assert ending_rule(won.state).startswith("A side wins only at the end of a hand in which its own bid was made")
    assert ending_words(held_back.state, IDS_AS_NAMES) == "Nobody yet, 22 to 5"
    assert reason_words(held_back.state, IDS_AS_NAMES).startswith("Us have 22, but did not bid this hand.")
    assert reason_words(early.state, IDS_AS_NAMES).startswith("Nobody has reached 21 yet.")
    assert ending_rule(early.state).startswith("Play to 21. A side wins only")
    assert ending_words(early.state, IDS_AS_NAMES, stopped=True) == "Stopped, 4 to 5"


def test_of_many_sides_an_ending_has_the_score_of_the_winner() -> None:
    told, names = "A bid 2 | A high low | B jack | C game", ("A", "B", "C")

    assert (
        ending_words(ruled("cutthroat-pitch", told, names, scores=(19, 3, 4)).state, IDS_AS_NAMES) == "A wins with 21"
    )
    assert ending_words(ruled("cutthroat-pitch", told, names).state, IDS_AS_NAMES) == "Nobody yet"


def test_in_a_game_for_money_it_says_who_pays() -> None:
    ruling = ruled("racehorse", "A bid 3 | A high jack game | B low", ("A", "B", "C"), cents_per_point=10)

    assert money_words(ruling, IDS_AS_NAMES) == "For this hand A gets 60 cents, B pays 30 cents, C pays 30 cents."


@given(matches())
def test_every_hand_of_every_table_is_settled_in_words(match: tuple[MatchState, tuple[Hand, ...]]) -> None:
    state, names = match[0], IDS_AS_NAMES
    for played in match[1]:
        ruling = rule_on(state, played, Start(state.scores, state.scored, state.sets), LIBRARY[state.ruleset.id])
        state = play(state, played)

        assert ruling.state == state
        assert all(line[-1] == "." and ": ." not in line for line in other_rules(ruling))
        assert all(all(line) for line in undecided_lines(ruling, names))
        assert ending_words(state, names)
        assert reason_words(state, names)
        assert bid_sentence(ruling, names) or not state.ruleset.bidding.auction


EIGHT = ("Ann", "Bob", "Cal", "Dot", "Eve", "Fay", "Gus", "Hal")


@pytest.mark.parametrize(
    ("variant", "told", "names", "scores", "house"),
    [
        (COLORADO, MADE, US, (37, 40), {}),
        (COLORADO, "Us bid 6 | Us 6 points | Them 4 points", US, (37, 40), {}),
        # Game is tied among any of eight, of whom nobody wins by it.
        (
            "solo-with-bidding",
            "Dot bid 2 | Eve high | Hal low | Cal jack | nobody game",
            EIGHT,
            (41, 41, 41, 41, 41, 40, 40, 41),
            {"target": 42},
        ),
        # Another deuce is in many sums of points.
        (
            "smear-five-point",
            "Gus bid 3 | Gus 3 points | Ann 0 points | Bob 0 points | Cal 1 points | Dot 0 points | Eve 2 points"
            " | Fay 1 points",
            EIGHT[:7],
            (0, 0, 10, 14, 10, 10, 0),
            {"deuce": 2},
        ),
    ],
)
def test_other_rules_of_a_hand_cost_little(
    variant: str, told: str, names: Sequence[str], scores: Sequence[int], house: dict[str, Any]
) -> None:
    ruling, budget = ruled(variant, told, names, scores=scores, **house), Budget()

    with counted_calls() as count:
        list(alternatives(ruling.match, budget))

    assert budget.spent < 100_000
    assert count.calls < 900_000
