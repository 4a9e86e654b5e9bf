"""Who took what in a hand: each award to a group, and the hands that cannot have been.

The award of the most card points goes by the count where there is one, else as it was entered. Some points are given
before a card is played. Points may have been entered as bare counts: then some award must make them possible.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from scorekeeper.engine.hand import BIDDERS, DEFENDERS, Hand, SideId
from scorekeeper.engine.hand_faults import Refusal
from scorekeeper.engine.seats import NAMES_JOINED, HandSides, Seats, find_group
from scorekeeper.engine.standing import has_reached_target
from scorekeeper.rules.awards import CARD_POINTS_IN_DECK, AwardId, Gift
from scorekeeper.rules.fault_codes import RefusalCode
from scorekeeper.rules.schema import Ruleset


class Taken(NamedTuple):
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
) -> tuple[Taken | None, list[Refusal]]:
    """Return who took what, with everything in it that cannot be.

    A hand that `is_cut_short` was over before a card was played: then nobody needs to have taken anything.
    """
    if hand.taken is not None and hand.points is not None:
        why = "Enter the cards or the points, not both."
        return None, [Refusal(field, "both_ways", why) for field in ("taken", "points")]
    reader = _TakenReader(ruleset, seats, hand_sides, dealer, is_cut_short)
    counts = reader.card_points(hand.card_points)
    if hand.taken is not None:
        taken = reader.by_awards(hand.taken, counts)
    else:
        taken = reader.by_points(hand.points or {}, None if reader.faults else counts)
    return (None if reader.faults else taken), reader.faults


@dataclass(slots=True)
class _TakenReader:
    """Reads what was entered for one hand, and collects what cannot be."""

    ruleset: Ruleset
    seats: Seats
    hand_sides: HandSides
    dealer: str | None
    is_cut_short: bool
    faults: list[Refusal] = field(default_factory=list)

    def card_points(self, piles: Mapping[str, int] | None) -> dict[int, int] | None:
        """Return the card points by group; `None` where nobody counted them, or nothing depends on them."""
        if piles is None:
            return None
        if self.ruleset.counted_award is None:
            self.faults.append(Refusal("card_points", "not_counted", "Game does not use card points here."))
            return None
        sums = self._sums(piles, "card_points")
        total = sum(sums.values())
        if not self.faults and total > CARD_POINTS_IN_DECK:
            why = f"{total} card points are more than the {CARD_POINTS_IN_DECK} in the deck."
            self.faults.append(Refusal("card_points", "too_many_card_points", why))
        return sums

    def _sums(self, piles: Mapping[str, int], path: str) -> dict[int, int]:
        """Return the sums of piles by group."""
        sums: dict[int, int] = {}
        for who, number in piles.items():
            group = find_group(self.seats, self.hand_sides, who, f"{path}.{who}")
            if isinstance(group, Refusal):
                self.faults.append(group)
            elif number < 0:
                self.faults.append(Refusal(f"{path}.{who}", "below_zero", "A count can’t be below zero."))
            else:
                sums[group] = sums.get(group, 0) + number
        return sums

    def by_awards(self, takers: Mapping[str, str | None], counts: Mapping[int, int] | None) -> Taken:
        """Return who took what where each award was entered; not to be used where there are faults."""
        in_play, caught_cards = self.ruleset.in_play, set[AwardId]()
        for award_id in takers:
            if award_id not in in_play:
                why = _not_in_play(self.ruleset, award_id)
                self.faults.append(Refusal(f"taken.{award_id}", "not_in_play", why))
        for caught, card in self.ruleset.in_place_of.items():
            if takers.get(caught) is None:
                continue
            caught_cards.add(card)
            if takers.get(card) is not None:
                names = f"{in_play[card].name} and {in_play[caught].name}"
                why = f"{names} are the same card: only one of them scores."
                self.faults.append(Refusal(f"taken.{caught}", "same_card", why))
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
        who, is_counted = takers.get(award_id), award_id == self.ruleset.counted_award
        if who not in (None, BIDDERS, DEFENDERS) and not (is_counted and counts) and (side := self.seats.side_of(who)):
            return (self.hand_sides.group_of(side),)  # as for nearly every award, of which the rest would take time
        if is_counted:
            counted = CountedAward(award_id, self.ruleset, self.seats, self.hand_sides, takers, counts, self.dealer)
            groups, faults = counted.decide()
            self.faults.extend([] if self.is_cut_short and who is None else faults)
            return groups
        path, award = f"taken.{award_id}", self.ruleset.awards[award_id]
        if award_id not in takers:
            # Nobody's, unless somebody is said to have it.
            if is_caught or self.is_cut_short or award_id in self.ruleset.seldom_awards:
                return ()
            self.faults.append(Refusal(path, "not_named", f"Say who took {award.name}, or that nobody did."))
            return ()
        if who is None:
            if not (award.unclaimed or is_caught or self.is_cut_short):
                self.faults.append(Refusal(path, "must_be_somebodys", f"Someone has to get {award.name}."))
            return ()
        group = find_group(self.seats, self.hand_sides, who, path)
        if isinstance(group, Refusal):
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
                self.faults.append(Refusal("points", *why_not))
        return Taken(points, (), sum(points), decided)


def _not_in_play(ruleset: Ruleset, award_id: str) -> str:
    if award_id in ruleset.awards:
        return f"{ruleset.awards[award_id].name} is not a point in this game."
    return f"There is no point called {award_id!r}."


def _missing_sides(groups: list[tuple[str, ...]]) -> Refusal:
    slots = iter(range(sum(map(len, groups))))
    names = " and ".join(NAMES_JOINED.join(f"{{{next(slots)}}}" for _ in group) for group in groups)
    people = tuple(side for group in groups for side in group)
    return Refusal("points", "side_missing", f"Say how many points {names} took.", people)


Decision = tuple[tuple[int, ...], list[Refusal]]
"""The groups that score the award, and what cannot be."""


def groups_by_count(
    ruleset: Ruleset, seats: Seats, hand_sides: HandSides, counts: Mapping[int, int] | None, dealer: str | None
) -> tuple[int, ...] | None:
    """Return the groups that score the award by a whole count; `None` where the count leaves it open."""
    if counts is None or len(counts) < len(hand_sides.groups):
        return None
    leaders, tie = leading_groups(counts), ruleset.points.game_tie
    if len(leaders) == 1 or tie == "all_tied_score":
        return leaders
    if tie == "non_dealer":
        return without_dealer(leaders, seats, hand_sides, dealer)
    return None if tie == "joker_breaks" else ()


def without_dealer(
    leaders: tuple[int, ...], seats: Seats, hand_sides: HandSides, dealer: str | None
) -> tuple[int, ...] | None:
    """Return who of those that tie did not deal, where that is one of two; `None` where nobody knows who dealt."""
    dealing = seats.side_of(dealer)
    if dealing is None:
        return None
    group = hand_sides.group_of(dealing)
    return tuple(it for it in leaders if it != group) if group in leaders and len(leaders) == 2 else ()


def leading_groups(counts: Mapping[int, int]) -> tuple[int, ...]:
    """Return the groups with the most card points."""
    most = max(counts.values())
    return tuple(sorted(group for group, number in counts.items() if number == most))


class CountedAward(NamedTuple):
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
            if isinstance(found, Refusal):
                return (), [found]
            taker = found
        if counts is None or len(counts) < len(self.hand_sides.groups):
            return self._as_entered(taker)
        leaders = leading_groups(counts)
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

    def _against_count(self, code: RefusalCode, why: str, who: str | None = None) -> Decision:
        people = () if who is None else (who,)
        return (), [Refusal(field, code, why, people) for field in (self._path, "card_points")]

    def _joker_breaks(self, leaders: tuple[int, ...]) -> Decision:
        """Return who has the joker on a tied count: as it was entered, or as the jokers fell where they are scored."""
        if self._is_entered:
            holder = self.takers[self.award_id]
        else:
            jokers = self.ruleset.joker_awards
            holders = {self.takers.get(award_id) for award_id in jokers}
            if len(jokers) < self.ruleset.points.jokers or len(holders) > 1:
                return (), [Refusal(self._path, "not_named", "The count is tied: say who has the joker, or nobody.")]
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
                return (), [Refusal(self._path, "not_named", "The count is tied: say who did not deal, or nobody.")]
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
            return (), [Refusal(path, "not_named", "Say who took Game, or the card points of every side.")]
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
            return (), [Refusal("card_points", "who_tied", "Everyone tied shares Game: enter the card points.")]
        return tuple(range(groups)), []


def _shown(counts: Mapping[int, int], first: int | None = 0) -> str:
    return " to ".join(str(counts[group]) for group in sorted(counts, key=lambda group: (group != first, group)))


Takers = Mapping[AwardId, SideId | None]
"""Who got what, by award; whatever cannot be read is looked at elsewhere."""


def given_faults(
    ruleset: Ruleset, seats: Seats, dealer: str | None, takers: Takers, scores: Mapping[SideId, int]
) -> Iterator[Refusal]:
    """Find points that were given to a side that cannot have got them; `scores` are those before the hand."""
    dealing = seats.side_of(dealer)
    for award_id, side in given_to(ruleset, seats, takers):
        award, field = ruleset.awards[award_id], f"taken.{award_id}"
        is_gift = isinstance(ruleset.kinds[award_id], Gift)
        if dealing is not None and not is_gift and side != dealing:
            why = f"{award.name} goes to whoever dealt, and {{0}} did."
            yield Refusal(field, "not_dealt", why, (dealing,))
        elif is_gift and side == dealing:
            yield Refusal(field, "own_gift", "{0} dealt, and cannot beg.", (side,))
        elif is_gift and has_reached_target(ruleset, scores[side] + ruleset.sign * award.points):
            why = "The dealer may not give {0} the point that wins the match."
            yield Refusal(field, "gift_wins", why, (side,))


def given_to(ruleset: Ruleset, seats: Seats, takers: Takers) -> Iterator[tuple[AwardId, SideId]]:
    """Yield each award that was given before a card was played, and the side that got it."""
    for award_id in ruleset.given_awards:
        if (side := seats.side_of(takers.get(award_id))) is not None:
            yield award_id, side


_MOST_TRIED = 5000
"""Ways to share the points that are looked at: no known game has more than 40."""


def count_problem(
    ruleset: Ruleset, points: tuple[int, ...], *, complete: bool, counted: tuple[int, ...] | None = None
) -> tuple[RefusalCode, str] | None:
    """Return why counts by group cannot be, as a code and a sentence; `None` where they can.

    `complete`: every group is among them. `counted`: the groups that score Game, where card points have decided it.
    """
    worth = ruleset.points_per_hand
    shared = _shared_game(ruleset, len(points))
    if any(number > worth for number in points) or sum(points) > worth + shared:
        return "too_many_points", f"{sum(points)} points were given, but a hand is worth only {worth}."
    if not _can_be(ruleset, points, complete, counted):
        if counted is not None and _can_be(ruleset, points, complete):
            return "against_the_count", "The card points give Game to a side that these counts leave no room for."
        certain = [award.name for award in ruleset.in_play.values() if not award.unclaimed]
        hint = f" {' and '.join(certain)} always go to someone." if certain and complete else ""
        return "impossible_counts", f"The points can’t split that way.{hint}"
    return None


def _shared_game(ruleset: Ruleset, groups: int) -> int:
    """Return the most by which a Game shared on tied card points raises the sum."""
    if ruleset.counted_award is None or ruleset.points.game_tie != "all_tied_score":
        return 0
    return ruleset.awards[ruleset.counted_award].points * (groups - 1)


def _can_be(ruleset: Ruleset, points: tuple[int, ...], complete: bool, counted: tuple[int, ...] | None = None) -> bool:
    awards = sorted(ruleset.in_play.items(), key=lambda item: -item[1].points)
    either = {card: ruleset.awards[caught].points for caught, card in ruleset.in_place_of.items()}
    worths = tuple(
        (tuple({award.points, either.get(it, award.points)}), award.unclaimed, it == ruleset.counted_award)
        for it, award in awards
        if it not in ruleset.in_place_of
    )
    return _can_hand_out(worths, _shared_game(ruleset, 2) > 0, points, complete, counted)


@lru_cache(maxsize=4096)  # a match has few ways to split its points, and they are tried again for every correction
def _can_hand_out(
    awards: tuple[tuple[tuple[int, ...], bool, bool], ...],
    shares_game: bool,
    points: tuple[int, ...],
    complete: bool,
    counted: tuple[int, ...] | None,
) -> bool:
    """Try to hand out the awards, the most valuable first, so that each group gets its count.

    Of each award: its possible worths, whether it may go to nobody, and whether it goes to the most card points. Where
    there are too many ways to look at them all, the counts are taken as they are.
    """
    # Card points alone tell groups apart: after that award, groups with the same points left are alike.
    awards = tuple(sorted(awards, key=lambda award: not award[2]))
    least, most = [0], [0]
    for worths, may_be_nobodys, _ in reversed(awards):
        least.insert(0, least[0] + (0 if may_be_nobodys or not complete else min(worths)))
        most.insert(0, most[0] + max(worths))
    seen: set[tuple[int, tuple[int, ...]]] = set()
    waiting = [(0, points)]
    while waiting and len(seen) < _MOST_TRIED:
        at, left = waiting.pop()
        if at == len(awards):
            if not any(left):
                return True
            continue
        worths, may_be_nobodys, is_counted = awards[at]
        if is_counted and counted is not None:
            ways = [_without(left, counted, worths[0])] if all(left[i] >= worths[0] for i in counted) else []
        else:
            kept = [left] if may_be_nobodys or not complete else []
            ways = [*kept, *_ways(left, worths, shares=is_counted and shares_game)]
        for way in ways:
            known = at + 1, tuple(sorted(way))
            if least[at + 1] <= sum(way) <= most[at + 1] and known not in seen:
                seen.add(known)
                waiting.append(known)
    return bool(waiting)


def _ways(left: tuple[int, ...], worths: tuple[int, ...], *, shares: bool) -> Iterator[tuple[int, ...]]:
    """Yield what is left after each way in which an award goes to somebody, those with the most left coming last."""
    for worth in worths:
        fits = [i for i, number in enumerate(left) if number >= worth]
        if shares:
            for number in range(len(fits), 1, -1):
                yield from (_without(left, tied, worth) for tied in combinations(fits, number))
        yield from (_without(left, (i,), worth) for i in sorted(fits, key=left.__getitem__))


def _without(left: tuple[int, ...], groups: tuple[int, ...], worth: int) -> tuple[int, ...]:
    return tuple(number - worth if i in groups else number for i, number in enumerate(left))
