"""How every side stands at the end of a hand: its score, and which conditions to win it meets.

Scores are compared only here, so that no other module needs to know whether a match counts up or down.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import BySide, SideId, SideIds


def comparable_score(ruleset: Ruleset, score: int) -> int:
    """Return a number that is greater for a better score, whether scores count up or down."""
    return ruleset.score_sign * score


def target_score(ruleset: Ruleset) -> int | None:
    """Return the score that ends the match, which is 0 where scores count down.

    Return `None` if no score ends the match, or if the win rule is still to be agreed.
    """
    if ruleset.winning.length == "hands" or ruleset.winning.win_rule is None:
        return None
    return 0 if ruleset.counts_down else ruleset.winning.target


def has_reached_target(ruleset: Ruleset, score: int) -> bool:
    """Return whether a score is at the target or past it; `False` if no score ends the match."""
    target = target_score(ruleset)
    if target is None:
        return False
    return score <= target if ruleset.counts_down else score >= target


def leading_sides(ruleset: Ruleset, scores: BySide, among: Iterable[SideId]) -> SideIds:
    """Return the sides in `among` that have the best score; several if they tie."""
    among = tuple(among)
    best = max(comparable_score(ruleset, scores[side]) for side in among)
    return tuple(side for side in among if comparable_score(ruleset, scores[side]) == best)


def best_reached_by_two(ruleset: Ruleset, scores: BySide, earlier_best: int | None) -> int | None:
    """Return the best score that two sides both had at the end of the same hand, in this hand or before.

    `earlier_best` is the best one of the hands before. For a single side, return `None`.
    """
    if len(scores) < 2:
        return None
    comparable_score_of = partial(comparable_score, ruleset)
    second_best = sorted(scores.values(), key=comparable_score_of)[-2]
    return second_best if earlier_best is None else max(second_best, earlier_best, key=comparable_score_of)


class Clause(StrEnum):
    """A condition that a side must meet to win a match to a target."""

    TARGET = "target"
    """The side is at the target."""
    MADE_BID = "made_bid"
    """The side made its own bid in this hand, or that of its caller, where the rules require that."""
    LAST_BID = "last_bid"
    """The side made its own bid in this hand, where only a bidder can still win (`002`, Pawnee)."""
    BID_OR_SET = "bid_or_set"
    """The side made a bid or another side was set, where the rules require that (`002`, Nine Card Pitch)."""
    LEAD = "lead"
    """The side leads every other side by as many points as the rules require."""


@dataclass(frozen=True, slots=True)
class SideStanding:
    """One side's score after a hand, and the conditions to win that it does not meet."""

    side: SideId
    score: int
    """The score after the hand."""
    missing: tuple[Clause, ...]
    """The conditions to win that the side does not meet. Below the target, it is only `Clause.TARGET`."""
    is_newly_at_target: bool
    """Whether the side is at the target and was not there before this hand."""


@dataclass(frozen=True)
class Standing:
    """How every side stands at the end of a hand, or before the first hand."""

    ruleset: Ruleset
    """The rules in force in the hand."""
    before: BySide
    """The scores before the hand, keyed by side."""
    scores: BySide
    bidders: SideIds = ()
    """The side that bid, then the side of a called partner; empty if nobody bid."""
    made: bool | None = None
    """Whether the bid was made; `None` if nobody bid."""
    set_taken_by: SideId | None = None
    """The side of a dealer who went set instead of bidding; otherwise `None`."""
    reached_by_two: int | None = None
    """The best score that two sides both had at the end of the same earlier hand, hands on paper included; `None` if
    there is none."""
    is_end_of_hand: bool = True
    """Whether this is the standing right after a hand. At other times, not even `candidates` win."""

    @property
    def is_anybody_at_target(self) -> bool:
        """Whether any side is at the target."""
        best_of = min if self.ruleset.counts_down else max
        return has_reached_target(self.ruleset, best_of(self.scores.values()))

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
        """The sides that meet all conditions to win and were not at the target before this hand."""
        return tuple(side.side for side in self.at_target if side.is_newly_at_target and not side.missing)

    @property
    def bidder(self) -> SideId | None:
        """The side that bid; `None` if nobody bid."""
        return self.bidders[0] if self.bidders else None

    @property
    def sides_with_made_bid(self) -> SideIds:
        """The side that made its bid, then the side of its called partner; empty if no bid was made."""
        return self.bidders if self.made else ()

    @property
    def sides_that_were_set(self) -> SideIds:
        """The sides of a set bid, or of a dealer who went set instead of bidding; empty if no side was set.

        A called partner is among them, even one who loses nothing.
        """
        if self.set_taken_by is not None:
            return (self.set_taken_by,)
        return self.bidders if self.made is False else ()

    @cached_property
    def is_overtime(self) -> bool:
        """Whether only the bidder could win by this hand, because two sides had been at the target before it."""
        return is_overtime(self.ruleset, self.reached_by_two)

    def _standing_of(self, side: SideId, score: int) -> SideStanding:
        """Return the standing of a side that has `score` after the hand."""
        if not has_reached_target(self.ruleset, score):
            return SideStanding(side, score, (Clause.TARGET,), False)
        missing = tuple(clause for clause, holds in self._conditions(side) if not holds)
        return SideStanding(side, score, missing, not has_reached_target(self.ruleset, self.before[side]))

    def _conditions(self, side: SideId) -> tuple[tuple[Clause, bool], ...]:
        """Return each condition to win beside the target, and whether a side that is at the target meets it."""
        winning = self.ruleset.winning
        has_made_bid = side in self.sides_with_made_bid
        was_other_set = bool(self.sides_that_were_set) and side not in self.sides_that_were_set
        return (
            (Clause.MADE_BID, winning.win_rule != "made_bid" or has_made_bid),
            (Clause.LAST_BID, not self.is_overtime or (has_made_bid and side == self.bidder)),
            (Clause.BID_OR_SET, not winning.defenders_stop_at_one or has_made_bid or was_other_set),
            (Clause.LEAD, self._leads_enough(side)),
        )

    def _leads_enough(self, side: SideId) -> bool:
        """Return whether a side leads every other side by as many points as the rules require."""
        required_lead, score = self.ruleset.winning.win_by, self.scores[side]
        other_scores = (other_score for who, other_score in self.scores.items() if who != side)
        return not required_lead or all(
            self.ruleset.score_sign * (score - other_score) >= required_lead for other_score in other_scores
        )


def is_overtime(ruleset: Ruleset, reached_by_two: int | None) -> bool:
    """Return whether only a bidder can win, because two sides have been at the target (`002`, Pawnee)."""
    if ruleset.winning.tie_rule != "bidder_or_play_on" or reached_by_two is None:
        return False
    return has_reached_target(ruleset, reached_by_two)
