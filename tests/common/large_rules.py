"""Rules with 24 points of many worths, as a share code can have them, and counts that are possible by them or not."""

from random import Random
from typing import Any

from scorekeeper.pitch.rules.awards import RANK_NAMES
from scorekeeper.pitch.rules.house_rules import HouseRules

PLAYERS = ("Ann", "Bea", "Cal", "Dan", "Eve", "Flo")
TARGET = 1000
AWARDS = (
    *("high", "low", "king", "off_king", "queen", "jack", "off_jack", "high_joker", "low_joker", "off_ace", "ten"),
    *("off_ten", "five", "off_five", "trey", "off_trey", "off_deuce", "high_spade", "last_trick", "game"),
)
EVEN = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20] * 2
NEAR = [13, 12, 11, 10, 9, 8, 7] * 3
ONE_ODD = [1, *EVEN[1:]]
OWN = (2, 2, 4, 6)
CANNOT_BE = (31, 26, 28, 27, 27, 27)
UNDECIDED = (19, 28, 78, 49, 56, 3)
"""No way is found in reasonable time, and none is excluded, where one award alone is odd."""


def large_rules(worths: list[int], **answers: Any) -> HouseRules:
    """Return house rules with 24 points of these worths, four of them their own."""
    ranks = [rank for rank in RANK_NAMES if rank in "8764"]
    own = {f"own_{n}": f"{worth} captured {ranks[n - 1]}: Own {n}" for n, worth in enumerate(OWN, 1)}
    options = {"jokers": 2, **dict(zip(AWARDS, worths, strict=False)), **own, "target": TARGET, **answers}
    return HouseRules("Large", "cutthroat-pitch", options)


RULES = (large_rules(EVEN), large_rules(NEAR), large_rules(ONE_ODD, win_rule="first_to_target", tie_rule="point_order"))


def random_counts(rules: HouseRules, rng: Random) -> list[int]:
    """Return points by side that some way to hand all awards out makes."""
    counts = [0] * len(PLAYERS)
    for worth in (*(int(str(rules.options[award])) for award in AWARDS), *OWN):
        counts[rng.randrange(len(PLAYERS))] += worth
    return counts
