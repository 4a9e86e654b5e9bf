"""Why a hand, a match or a record cannot be."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from scorekeeper.rules.faults import Fault

HIGHEST_PENALTY = 100
SETTLE_FIRST = "This game is played for money. Settle up, and begin a new match with whoever sits in."


RefusalCode = Literal[
    "after_pitch",
    "against_the_count",
    "bad_value",
    "below_forced",
    "below_zero",
    "bidding_over",
    "both_ways",
    "dealer_must_bid",
    "dealer_must_choose",
    "disagrees",
    "gift_wins",
    "impossible_counts",
    "level",
    "lower_count",
    "moon_too_soon",
    "must_be_somebodys",
    "no_bid",
    "no_bidder",
    "no_bidding",
    "no_moon_yet",
    "no_partner",
    "no_pitching",
    "no_players",
    "no_steal",
    "no_such_bid",
    "no_take_set",
    "nobody_called",
    "not_counted",
    "not_dealer",
    "not_dealt",
    "not_every_trick",
    "not_for_you",
    "not_higher",
    "not_in_play",
    "not_level",
    "not_named",
    "not_overtaken",
    "not_played",
    "out_of_turn",
    "own_gift",
    "own_partner",
    "played_unbound",
    "same_card",
    "settle_first",
    "side_dealer",
    "side_missing",
    "thrown_in",
    "too_high",
    "too_late",
    "too_low",
    "too_many_card_points",
    "too_many_points",
    "tricks_not_said",
    "unfinished",
    "unknown_player",
    "unknown_side",
    "who_tied",
]
"""Why a hand cannot be: each rests on a rule of the sheet, or on none, as `sheets/citations.py` says."""


@dataclass(frozen=True, slots=True)
class Refusal(Fault):
    """What cannot be in a hand, by the rules in force in it."""

    code: RefusalCode


@dataclass(frozen=True, slots=True)
class HandFault:
    """A fault in a match or a record: in which hand, counted from 1, or in none."""

    hand: int | None
    fault: Fault


class Faulty(Exception):
    """A match or a record cannot be, or cannot be read; `faults` says everything that is wrong."""

    def __init__(self, faults: Iterable[HandFault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(item.fault.message for item in self.faults))
