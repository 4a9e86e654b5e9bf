"""Where every side is at the end of a hand: the outcome of a match and the sentences about it rest on this alone.

A score is compared with the target, and with others, whichever way a match counts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial

from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import BySide, SideId, SideIds


def comparable(ruleset: Ruleset, score: int) -> int:
    """Return a score turned so that more is better, whichever way the match counts."""
    return ruleset.sign * score


def target_of(ruleset: Ruleset) -> int | None:
    """Return the score that ends the match: 0 when counting down, `None` where none is agreed."""
    if ruleset.winning.length == "hands" or ruleset.winning.win_rule is None:
        return None
    return 0 if ruleset.counts_down else ruleset.winning.target


def has_reached_target(ruleset: Ruleset, score: int) -> bool:
    """Return whether a score has reached the target."""
    target = target_of(ruleset)
    if target is None:
        return False
    return score <= target if ruleset.counts_down else score >= target


def leading(ruleset: Ruleset, scores: BySide, among: Iterable[SideId]) -> SideIds:
    """Return the sides with the best score among some sides."""
    among = tuple(among)
    best = max(comparable(ruleset, scores[side]) for side in among)
    return tuple(side for side in among if comparable(ruleset, scores[side]) == best)


def best_of_two(ruleset: Ruleset, scores: BySide, earlier: int | None) -> int | None:
    """Return the best score that two sides have had at once, `earlier` or now; `None` where one side plays alone."""
    if len(scores) < 2:
        return None
    better = partial(comparable, ruleset)
    now = sorted(scores.values(), key=better)[-2]
    return now if earlier is None else max(now, earlier, key=better)


class Clause(StrEnum):
    """What a side has to have done to win a match that goes to a target."""

    TARGET = "target"
    """It is at the target."""
    MADE_BID = "made_bid"
    """Its own bid was made in this hand, where the rules require that."""
    LAST_BID = "last_bid"
    """It bid itself, and made it: once several were at the target and none of them had (`002`, Pawnee)."""
    BID_OR_SET = "bid_or_set"
    """Its own bid was made, or another's was set (`002`, Nine Card Pitch)."""
    LEAD = "lead"
    """It leads every other side by as much as the rules require."""


@dataclass(frozen=True, slots=True)
class SideStanding:
    """The score of one side after a hand, and what the side lacks to win."""

    side: SideId
    now: int
    """The score after the hand."""
    missing: tuple[Clause, ...]
    """The clauses of the win rule that do not hold for it."""
    reached_target: bool
    """Whether it reached the target in this hand: it was not there before, by the rules that hold in the hand."""


@dataclass(frozen=True)
class Standing:
    """How a match stands at the end of a hand, or before its first."""

    ruleset: Ruleset
    """The rules in force in the hand."""
    before: BySide
    scores: BySide
    bidders: SideIds = ()
    """The side that bid, then the partner that it called."""
    made: bool | None = None
    """Whether the bid was made; `None` where nobody had one to make."""
    set_taken_by: SideId | None = None
    """The side that went set instead of bidding."""
    best_of_two: int | None = None
    """The best score that two sides have had at once, at the end of any earlier hand or on paper."""
    is_end_of_hand: bool = True
    """Whether a hand that was played ends here: nobody wins otherwise."""

    @property
    def is_anybody_at_target(self) -> bool:
        """Whether some side is at the target: mostly none is, and then nothing else has to be checked."""
        best = min if self.ruleset.counts_down else max
        return has_reached_target(self.ruleset, best(self.scores.values()))

    @cached_property
    def sides(self) -> tuple[SideStanding, ...]:
        """Every side."""
        return tuple(self._side(side, score) for side, score in self.scores.items())

    @cached_property
    def at_target(self) -> tuple[SideStanding, ...]:
        """The sides that are at the target."""
        return tuple(side for side in self.sides if Clause.TARGET not in side.missing)

    @cached_property
    def candidates(self) -> SideIds:
        """The sides for which every clause of the win rule holds."""
        return tuple(side.side for side in self.at_target if not side.missing)

    @property
    def reached(self) -> SideIds:
        """The candidates that reached the target in this hand."""
        return tuple(side.side for side in self.at_target if side.reached_target and not side.missing)

    @property
    def bidder(self) -> SideId | None:
        """The side that bid."""
        return self.bidders[0] if self.bidders else None

    @property
    def made_bid(self) -> SideIds:
        """The sides whose bid was made, the bidder first."""
        return self.bidders if self.made else ()

    @property
    def was_set(self) -> SideIds:
        """The sides whose bid was set, the bidder first."""
        if self.set_taken_by is not None:
            return (self.set_taken_by,)
        return self.bidders if self.made is False else ()

    @cached_property
    def is_overtime(self) -> bool:
        """Whether only the bidder could win in this hand."""
        return is_overtime(self.ruleset, self.best_of_two)

    def _side(self, side: SideId, now: int) -> SideStanding:
        if not has_reached_target(self.ruleset, now):
            return SideStanding(side, now, (Clause.TARGET,), False)
        missing = tuple(clause for clause, holds in self._clauses(side) if not holds)
        return SideStanding(side, now, missing, not has_reached_target(self.ruleset, self.before[side]))

    def _clauses(self, side: SideId) -> tuple[tuple[Clause, bool], ...]:
        """Return whether each clause holds for a side that is at the target."""
        winning, made = self.ruleset.winning, side in self.made_bid
        has_other_set = bool(self.was_set) and side not in self.was_set
        return (
            (Clause.MADE_BID, winning.win_rule != "made_bid" or made),
            (Clause.LAST_BID, not self.is_overtime or (made and side == self.bidder)),
            (Clause.BID_OR_SET, not winning.defenders_stop_at_one or made or has_other_set),
            (Clause.LEAD, self._leads_enough(side)),
        )

    def _leads_enough(self, side: SideId) -> bool:
        lead, score = self.ruleset.winning.win_by, self.scores[side]
        others = (other for who, other in self.scores.items() if who != side)
        return not lead or all(self.ruleset.sign * (score - other) >= lead for other in others)


def is_overtime(ruleset: Ruleset, best_of_two: int | None) -> bool:
    """Return whether only a bidder can win, as two sides have been at the target by the rules that hold now."""
    if ruleset.winning.tie_rule != "bidder_or_play_on" or best_of_two is None:
        return False
    return has_reached_target(ruleset, best_of_two)
