"""What is said when a hand would end a match, and when the rules keep a side at the target from winning."""

from typing import Any

import pytest

from scorekeeper.pitch.scoring.match import MatchState, replay
from scorekeeper.pitch.text.endings import held_back_words, verdict_sentence
from scorekeeper.pitch.text.outlook import win_words
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES
from tests.common.notation import hand
from tests.pitch.scoring.test_outlook import opened, us_and_them


def after(told: str, variant: str, scores: dict[str, int], **house: Any) -> MatchState:
    """Play one hand at these scores."""
    state = opened(variant, scores, **house)
    return replay(state, [hand(told, state.ruleset, state.seats.ids)])


@pytest.mark.parametrize(
    ("told", "variant", "scores", "house", "said"),
    [
        (
            "Them bid 2 | Us high low | Them the rest",
            "partnership-pitch",
            us_and_them(21, 3),
            {},
            ("Us have 23, but did not bid this hand.", "The next bid that Us make wins."),
        ),
        (
            "Us bid 2 | Them high low jack | Us the rest",
            "partnership-pitch",
            us_and_them(23, 3),
            {},
            ("Us have 21, but bid 2 and were set.", "The next bid that Us make wins."),
        ),
        ("Them bid 2 | Us high | Them the rest", "partnership-pitch", us_and_them(19, 3), {}, ("", "")),
        (
            "misdeal",
            "partnership-pitch",
            us_and_them(23, 3),
            {},
            ("Us have 23.", "The next bid that Us make wins."),
        ),
        (
            "Them bid 2 | Us high low | Them the rest",
            "partnership-pitch",
            us_and_them(2, 15),
            {"count_down_from": 21},
            ("Us have 0, but did not bid this hand.", "The next bid that Us make wins."),
        ),
        (
            "C bid 2 | A high | B low | C the rest",
            "cutthroat-pitch",
            {"A": 20, "B": 20, "C": 0},
            {"win_rule": "made_bid"},
            ("A has 21 and B has 21, but neither bid this hand.", "The next of them to make a bid wins."),
        ),
        (
            "Us bid 2 | Us high low | Them the rest",
            "partnership-pitch",
            us_and_them(19, 19),
            {"win_by": 3},
            (
                "Us have 21, but do not lead by 3; Them have 21, but did not bid this hand.",
                "A winner needs a lead of 3.",
            ),
        ),
        (
            "Us bid 2 | Us high low | Them the rest",
            "partnership-pitch",
            us_and_them(19, 19),
            {"win_rule": "first_to_target", "tie_rule": "another_hand"},
            ("Us have 21 and Them have 21.", "Play another hand to decide."),
        ),
        ("Us bid 2 | Us the rest", "partnership-pitch", us_and_them(19, 19), {}, ("", "")),
    ],
)
def test_who_is_at_the_target_and_has_not_won(
    told: str, variant: str, scores: dict[str, int], house: dict[str, Any], said: tuple[str, str]
) -> None:
    assert held_back_words(after(told, variant, scores, **house), IDS_AS_NAMES) == said


def test_in_overtime_it_says_how_the_match_ends() -> None:
    scores = {"A": 20, "B": 40, "C": 10, "D": 39, "E": 8}
    told = "A bid 5 with C | bidders high trey jack off-jack | defenders the rest"

    assert held_back_words(after(told, "pawnee-call-your-partner", scores), IDS_AS_NAMES) == (
        "B has 44 and D has 43, but neither bid this hand.",
        "Keep playing until a player who makes their bid is at 42 or more.",
    )


def test_a_bidder_who_lacks_the_lead_alone_is_told_so() -> None:
    scores = {"A": 36, "B": 0, "C": 41, "D": 0, "E": 0}
    state = after(
        "A bid 5 with B | bidders 6 points | defenders 4 points", "pawnee-call-your-partner", scores, win_by=2
    )

    assert held_back_words(state, IDS_AS_NAMES) == (
        "A has 42, but does not lead by 2; C has 45, but did not bid this hand.",
        "Keep playing until the bidder makes the bid, is at 42 or more and leads by 2.",
    )
    assert verdict_sentence(state, IDS_AS_NAMES) == (
        "A has 42, but does not lead by 2; C has 45, but did not bid this hand. "
        "Keep playing until the bidder makes the bid, is at 42 or more and leads by 2."
    )


@pytest.mark.parametrize(
    ("told", "variant", "scores", "house", "said"),
    [
        ("Us bid 2 | Us the rest", "partnership-pitch", us_and_them(19, 25), {}, "Us win with this"),
        ("Them bid 2 | Us the rest", "partnership-pitch", us_and_them(19, 3), {}, ""),
        (
            "Them bid 2 | Them high low | Us the rest",
            "partnership-pitch",
            us_and_them(19, 3),
            {"win_rule": "first_to_target"},
            "Us win with this",
        ),
        ("Us bid 2 | Us the rest", "partnership-pitch", us_and_them(4, 3), {"count_down_from": 21}, "Us win with this"),
        ("Us bid 2 | Us the rest", "partnership-pitch", us_and_them(4, 3), {"hands": 1}, "Us win with this"),
        (
            "Us bid 2 | Us high low | Them the rest",
            "partnership-pitch",
            us_and_them(4, 4),
            {"hands": 1, "tie_rule": "higher_score"},
            "Us and Them share the win with this",
        ),
        (
            "Us bid moon, every trick | Us the rest",
            "partnership-pitch",
            us_and_them(4, 3),
            {"moon": "win_or_lose"},
            "Us win with this",
        ),
        (
            "Us bid moon, not every trick | Them high | Us the rest",
            "partnership-pitch",
            us_and_them(-4, 3),
            {"moon": "win_or_lose"},
            "Them win with this",
        ),
    ],
)
def test_who_wins_with_a_hand(
    told: str, variant: str, scores: dict[str, int], house: dict[str, Any], said: str
) -> None:
    assert win_words(after(told, variant, scores, **house), IDS_AS_NAMES) == said


def test_where_it_depends_on_the_cards_it_says_so_also_below_the_target() -> None:
    state = after("Us 4 points | Them 1 points", "seven-up", us_and_them(0, 0), four_points_win_game=True)

    lead, how = held_back_words(state, IDS_AS_NAMES)

    assert lead.startswith("It depends: who took ")
    assert how == "Points alone do not say who won."
