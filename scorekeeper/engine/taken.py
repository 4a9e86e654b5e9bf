"""Who took what in a hand: each award to a group, and the hands that cannot have been."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorekeeper.engine.counted_award import CountedAward, groups_by_count
from scorekeeper.engine.hand import BIDDERS, DEFENDERS, Hand
from scorekeeper.engine.hand_sides import HandSides, find_group
from scorekeeper.engine.point_counts import count_problem
from scorekeeper.engine.seats import NAMES_JOINED, Seats
from scorekeeper.rules.awards import AwardId
from scorekeeper.rules.cards import CARD_POINTS_IN_DECK
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.schema import Ruleset


@dataclass(frozen=True, slots=True)
class Taken:
    """What each group of a hand took."""

    points: tuple[int, ...]
    """Points by group."""
    awards: tuple[tuple[AwardId, int, int], ...] = ()
    """Award, group, points; in the ruleset's order, a shared Game once for each."""
    claimed: int = 0
    """The worth of what somebody took; a shared Game counted once."""
    counted: tuple[int, ...] | None = None
    """The groups that score Game by the card points, where only points were entered beside those."""

    def took_all(self, ruleset: Ruleset) -> int | None:
        """Return the group that took every award of the play: no gift is one, and a shared Game is not taken."""
        if not self.awards:
            most = max(self.points)
            return self.points.index(most) if most >= ruleset.points_per_hand and sum(self.points) == most else None
        takers: dict[AwardId, set[int]] = {it: set() for it in ruleset.in_play if it not in ruleset.given_awards}
        for award, group, _ in self.awards:
            if award in takers:
                takers[award].add(group)
        for caught, card in ruleset.in_place_of.items():  # whoever has either has the card
            takers[card] |= takers.pop(caught)
        groups: set[int] = set().union(*takers.values())
        return groups.pop() if len(groups) == 1 and all(len(those) == 1 for those in takers.values()) else None


def taken_of(
    ruleset: Ruleset,
    seats: Seats,
    hand_sides: HandSides,
    hand: Hand,
    *,
    dealer: str | None = None,
    is_cut_short: bool = False,
) -> tuple[Taken | None, list[Fault]]:
    """Return who took what, with everything in it that cannot be.

    A hand that `is_cut_short` was over before a card was played: then nobody needs to have taken anything.
    """
    if hand.taken is not None and hand.points is not None:
        why = "Enter the cards or the points, not both."
        return None, [Fault(field, "both_ways", why) for field in ("taken", "points")]
    reader = _Reader(ruleset, seats, hand_sides, dealer, is_cut_short)
    counts = reader.card_points(hand.card_points)
    if hand.taken is not None:
        taken = reader.by_awards(hand.taken, counts)
    else:
        taken = reader.by_points(hand.points or {}, None if reader.faults else counts)
    return (None if reader.faults else taken), reader.faults


def accepted_taken(
    ruleset: Ruleset, seats: Seats, hand_sides: HandSides, dealer: str | None, hand: Hand
) -> Taken | None:
    """Return who took what in a hand that was found to have no faults, even if it was over before a card was played."""
    return taken_of(ruleset, seats, hand_sides, hand, dealer=dealer, is_cut_short=True)[0]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads what was entered for one hand, and collects what cannot be."""

    ruleset: Ruleset
    seats: Seats
    hand_sides: HandSides
    dealer: str | None
    is_cut_short: bool
    faults: list[Fault] = field(default_factory=list)

    def card_points(self, piles: Mapping[str, int] | None) -> dict[int, int] | None:
        """Return the card points by group; `None` where nobody counted them, or nothing depends on them."""
        if piles is None:
            return None
        if self.ruleset.counted_award is None:
            self.faults.append(Fault("card_points", "not_counted", "Game does not use card points here."))
            return None
        sums = self._sums(piles, "card_points")
        total = sum(sums.values())
        if not self.faults and total > CARD_POINTS_IN_DECK:
            why = f"{total} card points are more than the {CARD_POINTS_IN_DECK} in the deck."
            self.faults.append(Fault("card_points", "too_many_card_points", why))
        return sums

    def _sums(self, piles: Mapping[str, int], path: str) -> dict[int, int]:
        """Return the sums of piles by group."""
        sums: dict[int, int] = {}
        for who, number in piles.items():
            group = find_group(self.seats, self.hand_sides, who, f"{path}.{who}")
            if isinstance(group, Fault):
                self.faults.append(group)
            elif number < 0:
                self.faults.append(Fault(f"{path}.{who}", "below_zero", "A count can’t be below zero."))
            else:
                sums[group] = sums.get(group, 0) + number
        return sums

    def by_awards(self, takers: Mapping[str, str | None], counts: Mapping[int, int] | None) -> Taken:
        """Return who took what where each award was entered; not to be used where there are faults."""
        in_play = self.ruleset.in_play
        self.faults.extend(
            Fault(f"taken.{award_id}", "not_in_play", _not_in_play(self.ruleset, award_id))
            for award_id in takers
            if award_id not in in_play
        )
        caught_cards = {
            card: caught for caught, card in self.ruleset.in_place_of.items() if takers.get(caught) is not None
        }
        for card, caught in caught_cards.items():
            if takers.get(card) is not None:
                names = f"{in_play[card].name} and {in_play[caught].name}"
                why = f"{names} are the same card: only one of them scores."
                self.faults.append(Fault(f"taken.{caught}", "same_card", why))
        rows, points, claimed = [], [0] * len(self.hand_sides.groups), 0
        for award_id, award in in_play.items():
            groups = self._groups(award_id, takers, counts, is_caught=award_id in caught_cards)
            claimed += award.points if groups else 0
            for group in groups:
                rows.append((award_id, group, award.points))
                points[group] += award.points
        return Taken(tuple(points), tuple(rows), claimed)

    def _groups(
        self, award_id: AwardId, takers: Mapping[str, str | None], counts: Mapping[int, int] | None, *, is_caught: bool
    ) -> tuple[int, ...]:
        """Return the groups that an award goes to; a card that `is_caught` scores as another award."""
        if award_id == self.ruleset.counted_award:
            counted = CountedAward(award_id, self.ruleset, self.seats, self.hand_sides, takers, counts, self.dealer)
            groups, faults = counted.decide()
            self.faults.extend([] if self.is_cut_short and takers.get(award_id) is None else faults)
            return groups
        who = takers.get(award_id)
        if who is not None and who not in (BIDDERS, DEFENDERS) and (side := self.seats.side_of(who)) is not None:
            return (self.hand_sides.group_of(side),)  # as for nearly every award, of which the rest would take time
        path, award = f"taken.{award_id}", self.ruleset.awards[award_id]
        if award_id not in takers:
            # Nobody's, unless somebody is said to have it.
            if is_caught or self.is_cut_short or award_id in self.ruleset.seldom_awards:
                return ()
            self.faults.append(Fault(path, "not_named", f"Say who took {award.name}, or that nobody did."))
            return ()
        if who is None:
            if not (award.unclaimed or is_caught or self.is_cut_short):
                self.faults.append(Fault(path, "must_be_somebodys", f"Someone has to get {award.name}."))
            return ()
        group = find_group(self.seats, self.hand_sides, who, path)
        if isinstance(group, Fault):
            self.faults.append(group)
            return ()
        return (group,)

    def by_points(self, entered: Mapping[str, int], counts: Mapping[int, int] | None) -> Taken:
        """Return who took what where only points were entered; not to be used where there are faults."""
        groups, earlier = self.hand_sides.groups, len(self.faults)
        sums = self._sums(entered, "points")
        missing = [i for i in range(len(groups)) if i not in sums]
        if missing and not (self.ruleset.only_bidder_counts and 0 in sums):
            self.faults.append(_missing_sides([groups[i] for i in missing]))
        points = tuple(sums.get(i, 0) for i in range(len(groups)))
        decided = None
        if len(self.faults) == earlier:
            decided = groups_by_count(self.ruleset, self.seats, self.hand_sides, counts, self.dealer)
            if decided is not None:
                decided = tuple(group for group in decided if group in sums)
            why_not = count_problem(self.ruleset, points, complete=not missing, counted=decided)
            if why_not:
                self.faults.append(Fault("points", *why_not))
        return Taken(points, (), sum(points), decided)


def _not_in_play(ruleset: Ruleset, award_id: str) -> str:
    if award_id in ruleset.awards:
        return f"{ruleset.awards[award_id].name} is not a point in this game."
    return f"There is no point called {award_id!r}."


def _missing_sides(groups: list[tuple[str, ...]]) -> Fault:
    slots = iter(range(sum(map(len, groups))))
    names = " and ".join(NAMES_JOINED.join(f"{{{next(slots)}}}" for _ in group) for group in groups)
    people = tuple(side for group in groups for side in group)
    return Fault("points", "side_missing", f"Say how many points {names} took.", people)
