"""Who took what in a hand: each award to a group, and the hands that cannot have been.

The award of the most card points goes by the count where there is one, else as it was entered. Some points are given
before a card is played. Points may have been entered as bare counts: then some award must make them possible.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, repeat
from typing import NamedTuple

from scorekeeper.engine.hand import Hand, SideId
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

    A hand that `is_cut_short` was over before every card was played: then nobody needs to have taken anything.
    """
    if hand.taken is not None and hand.points is not None:
        why = "Enter the cards or the points, not both."
        return None, [Refusal(field, "both_ways", why) for field in ("taken", "points")]
    barred = frozenset(hand_sides.group_of(side) for side in without_game(hand) if side in seats.ids)
    reader = _TakenReader(ruleset, seats, hand_sides, dealer, is_cut_short, hand.taken or {}, hand.times or {}, barred)
    reader.read_card_points(hand.card_points)
    taken = reader.by_awards() if hand.taken is not None else reader.by_points(hand.points or {})
    return (None if reader.faults else taken), reader.faults


@dataclass(slots=True)
class _TakenReader:
    """Reads what was entered for one hand, and collects what cannot be."""

    ruleset: Ruleset
    seats: Seats
    hand_sides: HandSides
    dealer: str | None
    is_cut_short: bool
    takers: Mapping[str, str | None]
    """Who took each award, as it was entered."""
    times: Mapping[str, int]
    """How often a card turned up scored, where that was more than once."""
    barred: frozenset[int]
    """The groups that may not score Game."""
    counts: dict[int, int] | None = None
    """The card points by group; `None` where nobody counted them, or nothing depends on them."""
    faults: list[Refusal] = field(default_factory=list)

    def _refuse(self, path: str, code: RefusalCode, why: str, *people: str) -> tuple[int, ...]:
        """Add what cannot be; what it is about goes to nobody."""
        self.faults.append(Refusal(path, code, why, people))
        return ()

    def read_card_points(self, piles: Mapping[str, int] | None) -> None:
        """Read how many card points everybody has."""
        if piles is None:
            return
        if self.ruleset.counted_award is None:
            self._refuse("card_points", "not_counted", "Game does not use card points here.")
            return
        self.counts = self._sums(piles, "card_points")
        total = sum(self.counts.values())
        if not self.faults and total > CARD_POINTS_IN_DECK:
            why = f"{total} card points are more than the {CARD_POINTS_IN_DECK} in the deck."
            self._refuse("card_points", "too_many_card_points", why)

    def _sums(self, piles: Mapping[str, int], path: str) -> dict[int, int]:
        """Return the sums of piles by group."""
        sums: dict[int, int] = {}
        for who, number in piles.items():
            group = self._group_of(who, f"{path}.{who}")
            if group is not None and number < 0:
                self._refuse(f"{path}.{who}", "below_zero", "A count can’t be below zero.")
            elif group is not None:
                sums[group] = sums.get(group, 0) + number
        return sums

    def _group_of(self, who: str, path: str) -> int | None:
        group = find_group(self.seats, self.hand_sides, who, path)
        if isinstance(group, int):
            return group
        self.faults.append(group)
        return None

    def by_awards(self) -> Taken:
        """Return who took what where each award was entered; not to be used where there are faults."""
        in_play, takers = self.ruleset.in_play, self.takers
        caught_cards: set[AwardId] = set()
        for award_id in takers:
            if award_id not in in_play:
                self._refuse(f"taken.{award_id}", "not_in_play", _not_in_play(self.ruleset, award_id))
        for caught, card in self.ruleset.in_place_of.items():
            if takers.get(caught) is None:
                continue
            caught_cards.add(card)
            if takers.get(card) is not None:
                names = f"{in_play[card].name} and {in_play[caught].name}"
                self._refuse(f"taken.{caught}", "same_card", f"{names} are the same card: only one of them scores.")
        rows, points, claimed = [], [0] * len(self.hand_sides.groups), 0
        by_count = self.ruleset.counted_award if self.counts else None
        of_their_own = (by_count, self.ruleset.shared_gift, self.ruleset.game_award if self.barred else None)
        for award_id, award in in_play.items():
            side = self.seats.side_of(takers.get(award_id))
            if side is not None and award_id not in of_their_own:
                # Nearly every award comes here, for which the rest would take time.
                groups: tuple[int, ...] = (self.hand_sides.group_of(side),)
            else:
                groups = self._groups(award_id, is_caught=award_id in caught_cards)
            worth = award.points * self.times.get(award_id, 1)
            claimed += worth if groups else 0
            for group in groups:
                rows.append((award_id, group, worth))
                points[group] += worth
        return Taken(tuple(points), tuple(rows), claimed)

    def _groups(self, award_id: AwardId, *, is_caught: bool) -> tuple[int, ...]:
        """Return the groups that an award goes to; a card that `is_caught` scores as another award."""
        who, is_counted = self.takers.get(award_id), award_id == self.ruleset.counted_award
        path, taker = f"taken.{award_id}", None
        if who is not None:
            taker = self._group_of(who, path)
            if taker is None:
                return ()
            if taker in self.barred and award_id == self.ruleset.game_award:
                return self._refuse(path, "forfeited", "{0} gave up Game in this hand.", who)
        if taker is not None and award_id == self.ruleset.shared_gift:
            return self._shared(path, taker)
        if is_counted:
            earlier = len(self.faults)
            groups = self._by_count(path, award_id, taker)
            if self.is_cut_short and who is None:
                del self.faults[earlier:]
            return groups
        if taker is not None:
            return (taker,)
        award = self.ruleset.awards[award_id]
        if is_caught or self.is_cut_short:
            return ()
        if award_id in self.takers:
            why = f"Someone has to get {award.name}."
            return () if award.unclaimed else self._refuse(path, "must_be_somebodys", why)
        if award_id in self.ruleset.seldom_awards:  # nobody's, unless somebody is said to have it
            return ()
        return self._refuse(path, "not_named", f"Say who took {award.name}, or that nobody did.")

    def _shared(self, path: str, beggar: int) -> tuple[int, ...]:
        """Return who gets what the dealer gives to all others, once one of them begs."""
        groups = range(len(self.hand_sides.groups))
        if len(groups) == 2:
            return (beggar,)
        dealing = self.seats.side_of(self.dealer)
        if dealing is None:
            return self._refuse(path, "not_named", "Everyone but the dealer gets the gift: say who dealt.")
        return tuple(group for group in groups if group != self.hand_sides.group_of(dealing))

    # The award of the most card points (`002`, "Bidding")

    def _by_count(self, path: str, award_id: AwardId, taker: int | None) -> tuple[int, ...]:
        """Return the groups that score it, given the group of whoever was entered as its taker."""
        counts, is_entered = self.counts, award_id in self.takers
        if counts is None or len(counts) < len(self.hand_sides.groups):
            return self._as_entered(path, taker, is_entered=is_entered)
        leaders, tie = leading_groups(counts), self.ruleset.points.game_tie
        if not self.barred.isdisjoint(leaders):
            if not is_entered:
                return self._refuse(path, "not_named", "Say who scores Game, or nobody: the highest count gave it up.")
            return () if taker is None else (taker,)
        groups = groups_of_leaders(self.ruleset, self.seats, self.hand_sides, leaders, self.dealer)
        if len(leaders) == 1:
            if is_entered and taker is None:
                why = f"Someone has to get Game: the count is {_shown(counts)}."
                return self._against_count(path, "not_level", why)
            if is_entered and taker != leaders[0]:
                why = f"Game can’t be {{0}} with {_shown(counts, taker)}: the highest count gets it."
                return self._against_count(path, "lower_count", why, self.takers[award_id])
        elif tie == "joker_breaks":
            return self._by_joker(path, award_id, taker, leaders)
        elif groups is None:
            if not is_entered:
                return self._refuse(path, "not_named", "The count is tied: say who did not deal, or nobody.")
            return (taker,) if taker in leaders else ()
        elif tie == "non_dealer":
            if is_entered and taker not in (groups or (None,)):
                return self._against_count(path, "level", "The count is tied: Game goes to whoever did not deal.")
        elif taker is not None:
            why = f"The count is tied at {max(counts.values())}: Game can’t go to one side alone."
            return self._against_count(path, "level", why)
        return groups or ()

    def _against_count(self, path: str, code: RefusalCode, why: str, who: str | None = None) -> tuple[int, ...]:
        for field_path in (path, "card_points"):
            self._refuse(field_path, code, why, *([] if who is None else [who]))
        return ()

    def _by_joker(self, path: str, award_id: AwardId, taker: int | None, leaders: tuple[int, ...]) -> tuple[int, ...]:
        """Return who has the joker on a tied count: as it was entered, or as the jokers fell where they are scored."""
        if award_id in self.takers:
            if taker is None or taker in leaders:
                return () if taker is None else (taker,)
            why = "Game can’t be {0}: others have more card points."
            return self._against_count(path, "lower_count", why, self.takers[award_id])
        jokers = self.ruleset.joker_awards
        holders = {self.takers.get(joker) for joker in jokers}
        if len(jokers) < self.ruleset.points.jokers or len(holders) > 1:
            return self._refuse(path, "not_named", "The count is tied: say who has the joker, or nobody.")
        holder = holders.pop()
        group = None if holder is None else find_group(self.seats, self.hand_sides, holder, path)
        return (group,) if isinstance(group, int) and group in leaders else ()

    def _as_entered(self, path: str, taker: int | None, *, is_entered: bool) -> tuple[int, ...]:
        """Return who was entered, where the count is missing or lacks a pile."""
        counts, tie, groups = self.counts or {}, self.ruleset.points.game_tie, len(self.hand_sides.groups)
        if not is_entered:
            path = path if self.counts is None else "card_points"
            return self._refuse(path, "not_named", "Say who took Game, or the card points of every side.")
        if taker is not None:
            mine = counts.get(taker, CARD_POINTS_IN_DECK)
            most = mine if tie in ("joker_breaks", "non_dealer") else mine - 1
            if any(number > most for group, number in counts.items() if group != taker and group not in self.barred):
                why = f"Game goes to the most card points, and {mine} is not the most."
                return self._against_count(path, "lower_count", why)
            return (taker,)
        if tie != "all_tied_score" or self.barred:
            return ()
        if groups > 2:
            return self._refuse("card_points", "who_tied", "Everyone tied shares Game: enter the card points.")
        return tuple(range(groups))

    def by_points(self, entered: Mapping[str, int]) -> Taken:
        """Return who took what where only points were entered; not to be used where there are faults."""
        groups, earlier = self.hand_sides.groups, len(self.faults)
        counts = None if earlier else self.counts
        sums = self._sums(entered, "points")
        missing = [i for i in range(len(groups)) if i not in sums]
        if missing and not (self.ruleset.only_bidder_counts and 0 in sums):
            self.faults.append(_missing_sides([groups[i] for i in missing]))
        points = tuple(sums.get(i, 0) for i in range(len(groups)))
        decided = None
        if len(self.faults) == earlier:
            if not self.barred:
                decided = groups_by_count(self.ruleset, self.seats, self.hand_sides, counts, self.dealer)
            if decided is not None:
                decided = tuple(group for group in decided if group in sums)
            is_complete = not (missing or self.is_cut_short)
            why_not = count_problem(self.ruleset, points, complete=is_complete, counted=decided)
            if why_not:
                self._refuse("points", *why_not)
        return Taken(points, (), sum(points), decided)


def without_game(hand: Hand) -> tuple[SideId, ...]:
    """Return the sides that gave up Game in a hand."""
    return tuple(side for side, what in (hand.forfeits or {}).items() if what == "game")


def _not_in_play(ruleset: Ruleset, award_id: str) -> str:
    if award_id in ruleset.awards:
        return f"{ruleset.awards[award_id].name} is not a point in this game."
    return f"There is no point called {award_id!r}."


def _missing_sides(groups: list[tuple[str, ...]]) -> Refusal:
    slots = iter(range(sum(map(len, groups))))
    names = " and ".join(NAMES_JOINED.join(f"{{{next(slots)}}}" for _ in group) for group in groups)
    people = tuple(side for group in groups for side in group)
    return Refusal("points", "side_missing", f"Say how many points {names} took.", people)


def groups_by_count(
    ruleset: Ruleset, seats: Seats, hand_sides: HandSides, counts: Mapping[int, int] | None, dealer: str | None
) -> tuple[int, ...] | None:
    """Return the groups that score the award by a whole count; `None` where the count leaves it open."""
    if counts is None or len(counts) < len(hand_sides.groups):
        return None
    return groups_of_leaders(ruleset, seats, hand_sides, leading_groups(counts), dealer)


def groups_of_leaders(
    ruleset: Ruleset, seats: Seats, hand_sides: HandSides, leaders: tuple[int, ...], dealer: str | None
) -> tuple[int, ...] | None:
    """Return the groups that score the award where some have the most card points; `None` where that is left open."""
    tie = ruleset.points.game_tie
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


def _shown(counts: Mapping[int, int], first: int | None = 0) -> str:
    return " to ".join(str(counts[group]) for group in sorted(counts, key=lambda group: (group != first, group)))


Takers = Mapping[AwardId, SideId | None]
"""Who got what, by award; whatever cannot be read is looked at elsewhere."""


def given_faults(
    ruleset: Ruleset, seats: Seats, dealer: str | None, takers: Takers, scores: Mapping[SideId, int]
) -> Iterator[Refusal]:
    """Find points that were given to a side that cannot have got them; `scores` are those before the hand."""
    dealing = seats.side_of(dealer)
    turned = [award_id for award_id in ruleset.turned_awards if takers.get(award_id) is not None]
    if ruleset.points.turned_cards == "last" and len(turned) > 1:
        why = "Only the last card turned up scores, and there are two here."
        yield Refusal(f"taken.{turned[0]}", "once_only", why)
    for award_id, side in given_to(ruleset, seats, takers):
        award, field = ruleset.awards[award_id], f"taken.{award_id}"
        is_gift = isinstance(ruleset.kinds[award_id], Gift)
        if dealing is not None and not is_gift and side != dealing:
            why = f"{award.name} goes to whoever dealt, and {{0}} did."
            yield Refusal(field, "not_dealt", why, (dealing,))
        elif is_gift and side == dealing:
            yield Refusal(field, "own_gift", "{0} dealt, and cannot beg.", (side,))
        elif is_gift:
            to_all = award_id == ruleset.shared_gift and len(seats.ids) > 2
            for getter in [it for it in seats.ids if it != dealing] if to_all else [side]:
                if has_reached_target(ruleset, scores[getter] + ruleset.sign * award.points):
                    why = "The dealer may not give {0} the point that wins the match."
                    yield Refusal(field, "gift_wins", why, (getter,))


def is_pegged_out(ruleset: Ruleset, seats: Seats, hand: Hand, scores: Mapping[SideId, int]) -> bool:
    """Return whether a side pegged the target in a hand, so that the rest of it need not be played."""
    if not ruleset.winning.pegged:
        return False
    after = dict(scores)
    for award_id, who in (hand.taken or {}).items():
        if (side := seats.side_of(who)) is not None and award_id in ruleset.in_play:
            after[side] += ruleset.sign * ruleset.in_play[award_id].points
    for who, points in (*(hand.points or {}).items(), *(hand.penalties_to or {}).items()):
        if (side := seats.side_of(who)) is not None:
            after[side] += ruleset.sign * points
    return any(has_reached_target(ruleset, score) for score in after.values())


def given_to(
    ruleset: Ruleset, seats: Seats, takers: Takers, times: Mapping[str, int] | None = None
) -> Iterator[tuple[AwardId, SideId]]:
    """Yield each award that was given before a card was played, and the side that got it, as often as it scored."""
    for award_id in ruleset.given_awards:
        if (side := seats.side_of(takers.get(award_id))) is not None:
            yield from repeat((award_id, side), (times or {}).get(award_id, 1))


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
    if any(number > worth for number in points) or sum(points) > worth + shared + _shared_gift(ruleset, len(points)):
        return "too_many_points", f"{sum(points)} points were given, but a hand is worth only {worth}."
    if not _can_be(ruleset, points, complete, counted):
        if counted is not None and _can_be(ruleset, points, complete):
            return "against_the_count", "The card points give Game to a side that these counts leave no room for."
        certain = dict.fromkeys(award.name for award in ruleset.in_play.values() if not award.unclaimed)
        hint = f" {' and '.join(certain)} always go to someone." if certain and complete else ""
        return "impossible_counts", f"The points can’t split that way.{hint}"
    return None


def _shared_game(ruleset: Ruleset, groups: int) -> int:
    """Return the most by which a Game shared on tied card points raises the sum."""
    if ruleset.counted_award is None or ruleset.points.game_tie != "all_tied_score":
        return 0
    return ruleset.awards[ruleset.counted_award].points * (groups - 1)


def _shared_gift(ruleset: Ruleset, groups: int) -> int:
    """Return by how much a gift to all others raises the sum."""
    return ruleset.awards[ruleset.shared_gift].points * (groups - 2) if ruleset.shared_gift else 0


def _can_be(ruleset: Ruleset, points: tuple[int, ...], complete: bool, counted: tuple[int, ...] | None = None) -> bool:
    awards = sorted(ruleset.in_play.items(), key=lambda item: -item[1].points)
    either = {card: ruleset.awards[caught].points for caught, card in ruleset.in_place_of.items()}
    worths = tuple(
        (
            tuple({award.points, either.get(it, award.points)}),
            award.unclaimed,
            it == ruleset.counted_award,
            it == ruleset.shared_gift,
        )
        for it, award in awards
        if it not in ruleset.in_place_of
    )
    return _can_hand_out(worths, _shared_game(ruleset, 2) > 0, points, complete, counted)


@lru_cache(maxsize=4096)  # a match has few ways to split its points, and they are tried again for every correction
def _can_hand_out(
    awards: tuple[tuple[tuple[int, ...], bool, bool, bool], ...],
    shares_game: bool,
    points: tuple[int, ...],
    complete: bool,
    counted: tuple[int, ...] | None,
) -> bool:
    """Try to hand out the awards, the most valuable first, so that each group gets its count.

    Of each award: its possible worths, whether it may go to nobody, whether it goes to the most card points, and
    whether to all but the dealer. Where there are too many ways to look at them all, the counts are taken as they are.
    """
    # Card points alone tell groups apart: after that award, groups with the same points left are alike.
    awards = tuple(sorted(awards, key=lambda award: not award[2]))
    least, most = [0], [0]
    for worths, may_be_nobodys, _, is_shared in reversed(awards):
        least.insert(0, least[0] + (0 if may_be_nobodys or not complete else min(worths)))
        most.insert(0, most[0] + max(worths) * (len(points) - 1 if is_shared else 1))
    seen: set[tuple[int, tuple[int, ...]]] = set()
    waiting = [(0, points)]
    while waiting and len(seen) < _MOST_TRIED:
        at, left = waiting.pop()
        if at == len(awards):
            if not any(left):
                return True
            continue
        worths, may_be_nobodys, is_counted, is_shared = awards[at]
        if is_shared:
            ways = [left, *_all_but_one(left, worths[0])]
        elif is_counted and counted is not None:
            ways = [left_after(left, counted, worths[0])] if all(left[i] >= worths[0] for i in counted) else []
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
                yield from (left_after(left, tied, worth) for tied in combinations(fits, number))
        yield from (left_after(left, (i,), worth) for i in sorted(fits, key=left.__getitem__))


def _all_but_one(left: tuple[int, ...], worth: int) -> Iterator[tuple[int, ...]]:
    """Yield what is left after each way in which all groups but one get an award."""
    for dealt in range(len(left)):
        others = tuple(i for i in range(len(left)) if i != dealt)
        if all(left[i] >= worth for i in others):
            yield left_after(left, others, worth)


def left_after(left: tuple[int, ...], groups: tuple[int, ...], worth: int) -> tuple[int, ...]:
    """Return the points that are left to each group once some of them got an award."""
    return tuple(number - worth if i in groups else number for i, number in enumerate(left))
