"""How every side stands at the end of a hand: its score, and the conditions to win that it meets.

Scores are compared only here, so no other module needs to know whether a match counts up or down.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import BySide, SideId, SideIds


def comparable_score(ruleset: Ruleset, score: int) -> int:
    """Return a number that is greater for a better score, even where scores count down."""
    return ruleset.score_sign * score


def target_score(ruleset: Ruleset) -> int | None:
    """Return the score that ends the match, which is 0 when counting down.

    `None` if no score ends it, or if no win rule is agreed.
    """
    if ruleset.winning.length == "hands" or ruleset.winning.win_rule is None:
        return None
    return 0 if ruleset.counts_down else ruleset.winning.target


def has_reached_target(ruleset: Ruleset, score: int) -> bool:
    """Return whether a score is at the target or past it; false where no score ends the match."""
    target = target_score(ruleset)
    if target is None:
        return False
    return score <= target if ruleset.counts_down else score >= target


def leading_sides(ruleset: Ruleset, scores: BySide, among: Iterable[SideId]) -> SideIds:
    """Return the sides in `among` that have the best score; several where they tie."""
    among = tuple(among)
    best = max(comparable_score(ruleset, scores[side]) for side in among)
    return tuple(side for side in among if comparable_score(ruleset, scores[side]) == best)


def best_reached_by_two(ruleset: Ruleset, scores: BySide, earlier: int | None) -> int | None:
    """Return the best score that two sides both had by the end of one hand.

    `earlier` is the best one of the hands before. `None` for fewer than two sides.
    """
    if len(scores) < 2:
        return None
    better = partial(comparable_score, ruleset)
    second_best = sorted(scores.values(), key=better)[-2]
    return second_best if earlier is None else max(second_best, earlier, key=better)


class Clause(StrEnum):
    """A condition that a side must meet to win a match that is played to a target."""

    TARGET = "target"
    """The side is at the target."""
    MADE_BID = "made_bid"
    """The side made its own or its caller's bid in this hand, where the rules require that."""
    LAST_BID = "last_bid"
    """The side made its own bid, if only a bidder can still win (`002`, Pawnee)."""
    BID_OR_SET = "bid_or_set"
    """The side made a bid or another side was set, if the rules require it (`002`, Nine Card Pitch)."""
    LEAD = "lead"
    """The side leads every other side by the margin that the rules require."""


@dataclass(frozen=True, slots=True)
class SideStanding:
    """One side's score after a hand, and what it lacks to win."""

    side: SideId
    score: int
    """The score after the hand."""
    missing: tuple[Clause, ...]
    """The conditions to win that the side does not meet; only `Clause.TARGET` if not at the target."""
    is_newly_at_target: bool
    """Whether the side is at the target and was not before this hand."""


@dataclass(frozen=True)
class Standing:
    """How every side stands at the end of a hand, or before the first."""

    ruleset: Ruleset
    """The rules in force in the hand."""
    before: BySide
    """The scores before the hand."""
    scores: BySide
    bidders: SideIds = ()
    """The side that bid, then the side of a called partner."""
    made: bool | None = None
    """Whether the bid was made; `None` where nobody bid."""
    set_taken_by: SideId | None = None
    """The side of the dealer, if the dealer went set instead of bidding."""
    reached_by_two: int | None = None
    """The best score that two sides both reached by the end of one earlier hand, including hands on paper."""
    is_end_of_hand: bool = True
    """Whether this is the standing right after a hand; at other times not even `candidates` win."""

    @property
    def is_anybody_at_target(self) -> bool:
        """Whether any side is at the target."""
        best = min if self.ruleset.counts_down else max
        return has_reached_target(self.ruleset, best(self.scores.values()))

    @cached_property
    def sides(self) -> tuple[SideStanding, ...]:
        return tuple(self._standing_of(side, score) for side, score in self.scores.items())

    @cached_property
    def at_target(self) -> tuple[SideStanding, ...]:
        return tuple(side for side in self.sides if Clause.TARGET not in side.missing)

    @cached_property
    def candidates(self) -> SideIds:
        """The sides that meet all conditions to win."""
        return tuple(side.side for side in self.at_target if not side.missing)

    @property
    def new_candidates(self) -> SideIds:
        """The sides that meet all conditions to win, and were not at the target before this hand."""
        return tuple(side.side for side in self.at_target if side.is_newly_at_target and not side.missing)

    @property
    def bidder(self) -> SideId | None:
        """The side that bid; `None` where nobody bid."""
        return self.bidders[0] if self.bidders else None

    @property
    def sides_with_made_bid(self) -> SideIds:
        """The sides that made the bid: the bidder's, then a called partner's; empty where no bid was made."""
        return self.bidders if self.made else ()

    @property
    def sides_that_were_set(self) -> SideIds:
        """The sides of a set bid, or of a dealer who went set instead of bidding; empty if none was set.

        A called partner is included, even one that loses nothing.
        """
        if self.set_taken_by is not None:
            return (self.set_taken_by,)
        return self.bidders if self.made is False else ()

    @cached_property
    def is_overtime(self) -> bool:
        """Whether only the bidder could win by this hand, because two sides had been at the target before."""
        return is_overtime(self.ruleset, self.reached_by_two)

    def _standing_of(self, side: SideId, score: int) -> SideStanding:
        """Return the standing of a side with this score after the hand."""
        if not has_reached_target(self.ruleset, score):
            return SideStanding(side, score, (Clause.TARGET,), False)
        missing = tuple(clause for clause, holds in self._conditions(side) if not holds)
        return SideStanding(side, score, missing, not has_reached_target(self.ruleset, self.before[side]))

    def _conditions(self, side: SideId) -> tuple[tuple[Clause, bool], ...]:
        """Return each condition to win beside the target, and whether a side at the target meets it."""
        winning, made = self.ruleset.winning, side in self.sides_with_made_bid
        has_other_set = bool(self.sides_that_were_set) and side not in self.sides_that_were_set
        return (
            (Clause.MADE_BID, winning.win_rule != "made_bid" or made),
            (Clause.LAST_BID, not self.is_overtime or (made and side == self.bidder)),
            (Clause.BID_OR_SET, not winning.defenders_stop_at_one or made or has_other_set),
            (Clause.LEAD, self._leads_enough(side)),
        )

    def _leads_enough(self, side: SideId) -> bool:
        """Return whether a side leads every other side by the margin that the rules require, if any."""
        lead, score = self.ruleset.winning.win_by, self.scores[side]
        others = (other for who, other in self.scores.items() if who != side)
        return not lead or all(self.ruleset.score_sign * (score - other) >= lead for other in others)


def is_overtime(ruleset: Ruleset, reached_by_two: int | None) -> bool:
    """Return whether only a bidder can win, because two sides have been at the target (`002`, Pawnee)."""
    if ruleset.winning.tie_rule != "bidder_or_play_on" or reached_by_two is None:
        return False
    return has_reached_target(ruleset, reached_by_two)
