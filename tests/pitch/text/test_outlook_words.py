"""What is said when a hand would end a match, and when the rules keep a side at the target from winning."""

from typing import Any

from scorekeeper.pitch.scoring.match import MatchState, replay
from scorekeeper.pitch.text.endings import held_back_words, verdict_sentence
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES
from tests.common.notation import hand
from tests.pitch.scoring.test_outlook import opened, us_and_them


def after(told: str, variant: str, scores: dict[str, int], **house: Any) -> MatchState:
    """Play one hand at these scores."""
    state = opened(variant, scores, **house)
    return replay(state, [hand(told, state.ruleset, state.seats.ids)])


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


def test_where_it_depends_on_the_cards_it_says_so_also_below_the_target() -> None:
    state = after("Us 4 points | Them 1 points", "seven-up", us_and_them(0, 0), four_points_win_game=True)

    lead, how = held_back_words(state, IDS_AS_NAMES)

    assert lead.startswith("It depends: who took ")
    assert how == "Points alone do not say who won."
