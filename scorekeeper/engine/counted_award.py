"""The award of the most card points: it goes by the count where there is one, else as it was entered."""

from collections.abc import Mapping
from dataclasses import dataclass

from scorekeeper.engine.hand_sides import HandSides, find_group
from scorekeeper.engine.seats import Seats
from scorekeeper.rules.awards import AwardId
from scorekeeper.rules.cards import CARD_POINTS_IN_DECK
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.schema import Ruleset

Decision = tuple[tuple[int, ...], list[Fault]]
"""The groups that score the award, and what cannot be."""


def groups_by_count(
    ruleset: Ruleset, seats: Seats, hand_sides: HandSides, counts: Mapping[int, int] | None, dealer: str | None
) -> tuple[int, ...] | None:
    """Return the groups that score the award by a whole count; `None` where the count leaves it open."""
    if counts is None or len(counts) < len(hand_sides.groups):
        return None
    leaders, tie = _leaders(counts), ruleset.points.game_tie
    if len(leaders) == 1 or tie == "all_tied_score":
        return leaders
    if tie == "non_dealer":
        return without_dealer(leaders, seats, hand_sides, dealer)
    return None if tie == "joker_breaks" else ()


def without_dealer(
    leaders: tuple[int, ...], seats: Seats, hand_sides: HandSides, dealer: str | None
) -> tuple[int, ...] | None:
    """Return who of those that tie did not deal, where that is one of two; `None` where nobody knows who dealt."""
    dealing = seats.side_of(dealer) if dealer is not None else None
    if dealing is None:
        return None
    group = hand_sides.group_of(dealing)
    return tuple(it for it in leaders if it != group) if group in leaders and len(leaders) == 2 else ()


def _leaders(counts: Mapping[int, int]) -> tuple[int, ...]:
    most = max(counts.values())
    return tuple(sorted(group for group, number in counts.items() if number == most))


@dataclass(frozen=True, slots=True)
class CountedAward:
    """What was entered for the award in one hand."""

    award_id: AwardId
    ruleset: Ruleset
    seats: Seats
    hand_sides: HandSides
    takers: Mapping[str, str | None]
    """Who took each award, as it was entered."""
    counts: Mapping[int, int] | None
    """Card points by group."""
    dealer: str | None = None

    def decide(self) -> Decision:
        """Return the groups that score the award (`002`, "Bidding")."""
        counts, tie = self.counts, self.ruleset.points.game_tie
        who, taker = self.takers.get(self.award_id), None
        if who is not None:
            found = find_group(self.seats, self.hand_sides, who, self._path)
            if isinstance(found, Fault):
                return (), [found]
            taker = found
        if counts is None or len(counts) < len(self.hand_sides.groups):
            return self._as_entered(taker)
        leaders = _leaders(counts)
        if len(leaders) == 1:
            if self._is_entered and taker is None:
                return self._against_count("not_level", f"Someone has to get Game: the count is {_shown(counts)}.")
            if self._is_entered and taker != leaders[0]:
                why = f"Game can’t be {{0}} with {_shown(counts, taker)}: the highest count gets it."
                return self._against_count("lower_count", why, who)
            return leaders, []
        if tie == "joker_breaks":
            return self._joker_breaks(leaders)
        if tie == "non_dealer":
            return self._non_dealer(leaders, taker)
        if taker is not None:
            best = max(counts.values())
            return self._against_count("level", f"The count is tied at {best}: Game can’t go to one side alone.")
        return (leaders if tie == "all_tied_score" else ()), []

    @property
    def _path(self) -> str:
        return f"taken.{self.award_id}"

    @property
    def _is_entered(self) -> bool:
        return self.award_id in self.takers

    def _against_count(self, code: str, why: str, who: str | None = None) -> Decision:
        people = () if who is None else (who,)
        return (), [Fault(field, code, why, people) for field in (self._path, "card_points")]

    def _joker_breaks(self, leaders: tuple[int, ...]) -> Decision:
        """Return who has the joker on a tied count: as it was entered, or as the jokers fell where they are scored."""
        if self._is_entered:
            holder = self.takers[self.award_id]
        else:
            jokers = self.ruleset.joker_awards
            holders = {self.takers.get(award_id) for award_id in jokers}
            if len(jokers) < self.ruleset.points.jokers or len(holders) > 1:
                return (), [Fault(self._path, "not_named", "The count is tied: say who has the joker, or nobody.")]
            holder = holders.pop()
        group = find_group(self.seats, self.hand_sides, holder, self._path) if holder is not None else None
        if group in leaders and isinstance(group, int):
            return (group,), []
        if isinstance(group, int) and self._is_entered:
            return self._against_count("lower_count", "Game can’t be {0}: others have more card points.", holder)
        return (), []

    def _non_dealer(self, leaders: tuple[int, ...], taker: int | None) -> Decision:
        """Return who of those that tie did not deal; as it was entered where nobody knows who dealt."""
        groups = without_dealer(leaders, self.seats, self.hand_sides, self.dealer)
        if groups is None:
            if not self._is_entered:
                return (), [Fault(self._path, "not_named", "The count is tied: say who did not deal, or nobody.")]
            groups = leaders if taker is None else (taker,) if taker in leaders else ()
            return (() if taker is None else groups), []
        if self._is_entered and taker not in (groups or (None,)):
            return self._against_count("level", "The count is tied: Game goes to whoever did not deal.")
        return groups, []

    def _as_entered(self, taker: int | None) -> Decision:
        """Return who was entered, where the count is missing or lacks a pile."""
        counts, tie, groups = self.counts or {}, self.ruleset.points.game_tie, len(self.hand_sides.groups)
        if not self._is_entered:
            path = self._path if self.counts is None else "card_points"
            return (), [Fault(path, "not_named", "Say who took Game, or the card points of every side.")]
        if taker is not None and not counts:
            return (taker,), []
        if taker is not None:
            others = [number for group, number in counts.items() if group != taker]
            mine = counts.get(taker, CARD_POINTS_IN_DECK)
            if any(
                number > mine or (number == mine and tie not in ("joker_breaks", "non_dealer")) for number in others
            ):
                why = f"Game goes to the most card points, and {mine} is not the most."
                return self._against_count("lower_count", why)
            return (taker,), []
        if tie != "all_tied_score":
            return (), []
        if groups > 2:
            return (), [Fault("card_points", "who_tied", "Everyone tied shares Game: enter the card points.")]
        return tuple(range(groups)), []


def _shown(counts: Mapping[int, int], first: int | None = 0) -> str:
    return " to ".join(str(counts[group]) for group in sorted(counts, key=lambda group: (group != first, group)))
