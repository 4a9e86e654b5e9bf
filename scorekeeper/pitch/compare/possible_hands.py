"""The hands that an entry may stand for, where other rules need more than was entered.

Nothing is guessed: points alone do not show who took the Off Jack, so there is a possible hand for each taker. "Own
rules" are those that the match was played by.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice, product

from scorekeeper.pitch.rules.awards import AwardId, HighestTrump, LowestTrump, OneTrump
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.auction import contract_of
from scorekeeper.pitch.scoring.award_cards import game_groups_among_leaders, leading_groups
from scorekeeper.pitch.scoring.hand import Hand, SideId, SideIds
from scorekeeper.pitch.scoring.hand_score import needs_every_trick
from scorekeeper.pitch.scoring.match import HandResult, ImpossibleHand, MatchState, play
from scorekeeper.pitch.scoring.point_counts import (
    AwardToAssign,
    Sums,
    allowed_takers,
    nonempty_subsets,
    points_problem,
    possible_sums,
    remaining_points,
    sums_from_each,
)
from scorekeeper.pitch.scoring.search_budget import STEPS_PER_HAND, Budget, BudgetExceeded
from scorekeeper.pitch.scoring.seats import (
    Groups,
    HandSides,
    PointsByGroup,
    Seats,
    divide_sides,
    find_group,
    sums_by_group,
)
from scorekeeper.pitch.scoring.standing import comparable_score

HandAnswer = SideIds
"""The takers of an award, each group by its first side: several if they share the award, empty for nobody.

With `ALL_TRICKS_KEY`, they are the bidders, or empty if these did not take every trick.
"""
ALL_TRICKS_KEY = "all_tricks"
"""The key of the question whether the bidders took every trick, for bids that need every trick."""
OWN_RULES_SUFFIX = ":as_played"
"""The suffix of an award's id that tells a question about the match's own rules from one about the other rules."""
MAX_POSSIBLE_HANDS = 1000
"""The most possible hands for one entry; with more, the search for them raises `BudgetExceeded`."""
GroupsByAward = Mapping[AwardId, Groups]
"""By award, the groups that took it: several if they share the award, empty for nobody."""
NO_GROUPS: Groups = ()
_TIE_BREAKING_RULES = ("joker_breaks", "non_dealer")
"""The tie rules by which one of several sides with equal card points may score Game."""


class InsufficientPoints(Exception):
    """Raised where only points were entered, and no answer to a question can show what the other rules need."""


@dataclass(frozen=True, slots=True)
class PossibleHand:
    """One hand that agrees with an entry, as entered for the other rules, with the answers that distinguish it."""

    hand: Hand
    answers: Mapping[str, HandAnswer]
    """The takers in this hand by key: an award's id, perhaps with `OWN_RULES_SUFFIX`, or `ALL_TRICKS_KEY`."""


def play_under(state: MatchState, hand: Hand, own: HandResult, budget: Budget, *, may_be_open: bool) -> MatchState:
    """Return a match under other rules with a hand added; raises `ImpossibleHand` or `BudgetExceeded`.

    `own` is the result of the hand under the match's own rules. For `may_be_open` see `match.play`.
    """
    budget.spend(STEPS_PER_HAND)
    try:
        after = play(state, hand, may_be_open=may_be_open, budget=budget)
    except ImpossibleHand as impossible:
        if hand.first_there is None or {fault.fault.field for fault in impossible.faults} != {"first_there"}:
            raise
    else:
        first, rules = state.seats.side_of(hand.first_there), state.ruleset
        gained = {
            side: comparable_score(rules, after.scores[side]) - comparable_score(rules, own.scores[side])
            for side in own.scores
        }
        if first is None or all(more >= 0 if side == first else more <= 0 for side, more in gained.items()):
            return after
    # The entry of who pegged the target first is impossible under the other rules, or may be wrong.
    return play(state, replace(hand, first_there=None), may_be_open=may_be_open, budget=budget)


@dataclass(frozen=True)
class RulePair:
    """A match's own rules and other rules, with the awards that correspond to each other."""

    own: Ruleset
    other: Ruleset

    @cached_property
    def own_award_by_other(self) -> Mapping[AwardId, AwardId | None]:
        """By award of the other rules, the match's own award that goes to the same side; `None` without one."""
        own = {award_id: _equivalence_key(self.own, award_id) for award_id in self.own.in_play}
        found: dict[AwardId, AwardId | None] = {}
        for award_id in self.other.in_play:
            wanted = _equivalence_key(self.other, award_id)
            candidates = (award for award, key in own.items() if key == wanted)
            found[award_id] = award_id if own.get(award_id) == wanted else next(candidates, None)
        return found

    @cached_property
    def changed_other(self) -> frozenset[AwardId]:
        """The awards of the other rules that the match's own rules lack, give to another side or count differently."""
        return frozenset(
            award_id
            for award_id, source in self.own_award_by_other.items()
            if source is None
            or self.own.worth(source) != self.other.worth(award_id)
            or not self.goes_to_same_side(source, award_id)
        )

    @cached_property
    def changed_own(self) -> frozenset[AwardId]:
        """The awards of the match's own rules that the other rules lack, give to another side or count differently."""
        unchanged = {
            source for award_id, source in self.own_award_by_other.items() if award_id not in self.changed_other
        }
        return frozenset(self.own.in_play) - unchanged

    @cached_property
    def unchanged_own(self) -> Ruleset:
        """The match's own rules without the awards in `changed_own`."""
        left_out = {award: self.own.awards[award].copy_with(on=False) for award in self.changed_own}
        return self.own.copy_with(awards={**self.own.awards, **left_out})

    def goes_to_same_side(self, own: AwardId, other: AwardId) -> bool:
        """Return whether two corresponding awards always go to the same side.

        They may not in a tied Game, or where nobody has the award's card.
        """
        if own == self.own.card_points_award and self.own.points.game_tie != self.other.points.game_tie:
            return False
        return self.own.awards[own].unclaimed == self.other.awards[other].unclaimed


def _equivalence_key(ruleset: Ruleset, award_id: AwardId) -> tuple[object, ...]:
    """Return a key of how an award is won, equal for awards that go to the same side."""
    kind, how = ruleset.kinds[award_id], ruleset.how_won(award_id)
    match kind:
        case HighestTrump():  # the same side has it, dealt or captured
            return HighestTrump, ruleset.points.reverse
        case LowestTrump():
            return LowestTrump, how, ruleset.points.reverse
        case _:
            return kind, how


def possible_hands(
    pair: RulePair, seats: Seats, played: HandResult, budget: Budget, *, in_order: bool = False
) -> Sequence[PossibleHand]:
    """Return every hand for the other rules of `pair` that `played` may stand for.

    `played` is the hand's result under the own rules. With `in_order`, every award has a taker, so that awards can be
    counted in order. Raises `BudgetExceeded` or `InsufficientPoints`.
    """
    hand = replace(played.hand, house=None, house_on=None, dealer=played.dealer or played.hand.dealer)
    if not hand.is_played or played.status != "scored":
        return [PossibleHand(hand, {})]
    converter = _HandConverter(pair, seats, played, hand, budget)
    possible = chain.from_iterable(map(converter.with_all_tricks_answered, converter.hands(in_order=in_order)))
    found = list(islice(possible, MAX_POSSIBLE_HANDS + 1))
    if len(found) > MAX_POSSIBLE_HANDS:
        raise BudgetExceeded
    return found


@dataclass(frozen=True)
class _HandConverter:
    """The conversion of a hand, as entered under the match's own rules, into hands for the other rules."""

    pair: RulePair
    seats: Seats
    played: HandResult
    """The result of the hand under the match's own rules."""
    hand: Hand
    """The hand as entered, with its dealer."""
    budget: Budget

    @cached_property
    def own_sides(self) -> HandSides:
        """The sides in groups that count together under the match's own rules."""
        return self.played.hand_sides

    @cached_property
    def other_sides(self) -> HandSides:
        """The sides in groups that count together under the other rules."""
        pooled, partner = self.hand.has_entry_for_defenders, self.hand.partner
        return divide_sides(self.pair.other, self.seats, self.played.bidder, partner, pools_defenders=pooled)

    @cached_property
    def all_groups(self) -> Groups:
        """The indexes of all groups under the other rules."""
        return tuple(range(len(self.other_sides.groups)))

    def groups_in(self, *own_groups: int) -> Groups:
        """Return the groups under the other rules with a side of any of these groups under the match's own rules."""
        sides = chain.from_iterable(self.own_sides.groups[group] for group in own_groups)
        return tuple(dict.fromkeys(map(self.other_sides.group_of, sides)))

    @cached_property
    def splits_own_group(self) -> bool:
        """Whether sides that were entered as one group are in several groups under the other rules."""
        own_groups = self.own_sides.groups
        return own_groups != self.other_sides.groups and any(
            len(self.groups_in(group)) > 1 for group in range(len(own_groups))
        )

    @cached_property
    def leaders(self) -> Groups | None:
        """The groups with the most card points, under the other rules; `None` if not known."""
        sums, faults = sums_by_group(self.seats, self.other_sides, self.hand.card_points or {})
        if faults or self.pair.own.card_points_award is None or len(sums) < len(self.other_sides.groups):
            return None
        return leading_groups(sums)

    def first_side(self, group: int) -> SideId:
        """Return the first side of a group under the other rules, which stands for the group in a hand."""
        return self.other_sides.groups[group][0]

    def first_sides(self, groups: Groups) -> HandAnswer:
        """Return the first side of each of these groups under the other rules; empty for no groups."""
        return tuple(map(self.first_side, groups))

    # How a hand is entered for the other rules

    def with_all_tricks_answered(self, possible: PossibleHand) -> Iterator[PossibleHand]:
        """Yield a hand unchanged; if `is_all_tricks_unknown`, yield one with every trick taken and one without."""
        if not self.is_all_tricks_unknown:
            yield possible
            return
        bidders = self.first_sides((0,))
        for took_all, answer in ((True, bidders), (False, ())):
            yield PossibleHand(
                replace(possible.hand, all_tricks=took_all), {**possible.answers, ALL_TRICKS_KEY: answer}
            )

    @cached_property
    def is_all_tricks_unknown(self) -> bool:
        """Whether the bid needs every trick under the other rules, and nobody entered whether the bidders took them."""
        contract, faults = contract_of(self.pair.other, self.seats, self.hand.dealer, self.hand)
        return self.hand.all_tricks is None and not faults and needs_every_trick(self.pair.other, contract)

    def hands(self, *, in_order: bool) -> Iterator[PossibleHand]:
        """Yield every possible hand, but without an answer to `ALL_TRICKS_KEY`."""
        pair, by_awards = self.pair, self.hand.taken is not None
        lacks_answers = bool(pair.changed_other or pair.changed_own) or self.splits_own_group
        if by_awards:  # with the same awards by the same ids, the hand has all that the other rules need
            lacks_answers |= any(award_id != source for award_id, source in pair.own_award_by_other.items())
        else:  # points do not show the order of awards; where only the bidders' count, the others' may be missing
            lacks_answers |= in_order or (pair.own.only_bidder_counts and not pair.other.only_bidder_counts)
        if not lacks_answers:
            yield PossibleHand(self.hand, {})
        else:
            yield from self.hands_entered_by_awards() if by_awards else self.hands_entered_by_points(in_order=in_order)

    def hands_entered_by_awards(self) -> Iterator[PossibleHand]:
        """Yield every possible hand for an entry with the takers of awards."""
        own_takers: dict[AwardId, Groups] = dict.fromkeys(self.pair.own.in_play, NO_GROUPS)
        for award_id, group, _ in self.played.taken.awards if self.played.taken else ():
            own_takers[award_id] = (*own_takers[award_id], group)
        for assigned in self.assignments(own_takers, self.pair.other.in_play):
            yield PossibleHand(
                self.with_takers(assigned),
                {award_id: self.first_sides(groups) for award_id, groups in assigned.items()},
            )

    def with_takers(self, assigned: GroupsByAward) -> Hand:
        """Return the hand as it would be entered under the other rules with these takers of awards.

        Its card points agree with the takers of Game, and may be invented.
        """
        game, tie = self.pair.other.card_points_award, self.pair.other.points.game_tie
        lacks_tie_winner = tie == "joker_breaks" or (tie == "non_dealer" and self.played.dealer is None)
        taken = {
            award_id: self.first_side(groups[0]) if len(groups) == 1 else None for award_id, groups in assigned.items()
        }
        card_points = self.hand.card_points
        if game is None:
            card_points = None
        elif self.leaders is not None and (len(self.leaders) == 1 or not lacks_tie_winner):
            # The card points show who takes Game.
            taken.pop(game, None)
        elif len(assigned[game]) > 1 and len(self.all_groups) > 2:
            # Invented card points show that several of three or more groups share Game.
            taken.pop(game)
            card_points = {self.first_side(group): int(group in assigned[game]) for group in self.all_groups}
        elif self.leaders is None:
            card_points = None
        return replace(self.hand, taken=taken, points=None, card_points=card_points)

    def assignments(self, own_takers: GroupsByAward, needed: Collection[AwardId]) -> Iterator[dict[AwardId, Groups]]:
        """Yield each possible combination of takers of the `needed` awards under the other rules.

        All other awards have no taker. `own_takers` are the takers under the match's own rules.
        """
        in_play = self.pair.other.in_play
        takers = [
            self.possible_takers(award_id, own_takers) if award_id in needed else [NO_GROUPS] for award_id in in_play
        ]
        for groups in product(*takers):
            self.budget.spend()
            yield dict(zip(in_play, groups, strict=True))

    def possible_takers(self, award_id: AwardId, own_takers: GroupsByAward) -> list[Groups]:
        """Return each possible set of groups that take an award under the other rules; `NO_GROUPS` is nobody."""
        other, source = self.pair.other, self.pair.own_award_by_other[award_id]
        if award_id == other.card_points_award:
            return self.possible_game_takers(own_takers)
        award = other.awards[award_id]
        each: list[Groups] = [(group,) for group in self.all_groups]
        nobody = [NO_GROUPS] if award.unclaimed else []
        if source is None:
            in_play = self.is_card_in_play(award_id, own_takers)
            if in_play is None:
                return [*each, *nobody]
            return each if in_play else nobody or each
        if source not in own_takers:  # only points were entered, and their sum is the same for any taker
            return [*each, NO_GROUPS]
        if own_takers[source]:
            named = find_group(self.seats, self.other_sides, (self.hand.taken or {}).get(source) or "", "")
            groups = [named] if isinstance(named, int) else self.groups_in(own_takers[source][0])
            return [(group,) for group in groups]
        return nobody or each

    def is_card_in_play(self, award_id: AwardId, own_takers: GroupsByAward) -> bool | None:
        """Return whether the card of an award was in play; `None` if no award of the match's own rules shows it."""
        kind = self.pair.other.kinds[award_id]
        if not isinstance(kind, OneTrump):
            return None
        return next(
            (bool(groups) for award_id, groups in own_takers.items() if self.pair.own.kinds[award_id] == kind), None
        )

    def possible_game_takers(self, own_takers: GroupsByAward) -> list[Groups]:
        """Return each possible set of groups that score Game under the other rules."""
        own, other = self.pair.own, self.pair.other
        if (
            own.card_points_award is not None
            and own.points.game_tie == other.points.game_tie
            and not self.splits_own_group
        ):
            return [self.groups_in(*own_takers[own.card_points_award])]
        found: list[Groups] = []
        for leaders in self.possible_leaders(own_takers):
            groups = game_groups_among_leaders(other, self.seats, self.other_sides, leaders, self.played.dealer)
            found += self.possible_takers_of_tied_game(leaders, own_takers) if groups is None else [groups]
        return list(dict.fromkeys(found))

    def possible_leaders(self, own_takers: GroupsByAward) -> Iterator[Groups]:
        """Yield each possible set of groups under the other rules that have the most card points."""
        if self.leaders is not None:
            yield self.leaders
            return
        source = self.pair.own.card_points_award
        if source is None:
            yield from nonempty_subsets(self.all_groups)
            return
        scored, own_tie = own_takers[source], self.pair.own.points.game_tie
        if self.splits_own_group:
            # Bidders who beat the pooled defenders beat each of them; any other result leaves every set possible.
            are_defenders_beaten = scored == (0,) and len(self.groups_in(0)) == 1 and own_tie not in _TIE_BREAKING_RULES
            yield from [self.groups_in(0)] if are_defenders_beaten else nonempty_subsets(self.all_groups)
            return
        own_groups = range(len(self.own_sides.groups))
        if len(scored) > 1 or (scored and own_tie not in _TIE_BREAKING_RULES):
            possible: Iterable[Groups] = [scored]
        elif scored:
            possible = (leaders for leaders in nonempty_subsets(own_groups) if scored[0] in leaders)
        else:
            possible = (leaders for leaders in nonempty_subsets(own_groups) if len(leaders) > 1)
        yield from (self.groups_in(*leaders) for leaders in possible)

    def possible_takers_of_tied_game(self, leaders: Groups, own_takers: GroupsByAward) -> list[Groups]:
        """Return each possible set of groups that score a tied Game, if a joker or an unknown dealer decides."""
        other = self.pair.other
        jokers = [self.possible_takers(award_id, own_takers) for award_id in other.tie_breaking_joker_awards]
        if other.points.game_tie == "joker_breaks" and jokers and all(len(takers) == 1 for takers in jokers):
            won = tuple(group for group in leaders if [(group,)] in jokers)
            return [won if len(won) == 1 else NO_GROUPS]
        return [*((group,) for group in leaders), NO_GROUPS]

    # Hands that were entered by points alone

    def hands_entered_by_points(self, *, in_order: bool) -> Iterator[PossibleHand]:
        """Yield every possible hand for an entry with points alone; raises `InsufficientPoints` or `BudgetExceeded`."""
        own, pair, taken = self.pair.own, self.pair, self.played.taken
        if taken is None or self.splits_own_group or not (self.has_points_of_all or pair.other.only_bidder_counts):
            raise InsufficientPoints
        needed_own = frozenset(own.in_play) if in_order else pair.changed_own
        needed = frozenset(pair.other.in_play) if in_order else pair.changed_other
        seen = set()
        rest = (
            Sums()
            if in_order
            else possible_sums(pair.unchanged_own, len(taken.points), is_complete=self.has_points_of_all)
        )
        for own_takers, points_left in self.own_assignments(
            taken.points, [award for award in own.in_play if award in needed_own], rest
        ):
            if not in_order and points_problem(
                pair.unchanged_own, points_left, self.budget, is_complete=self.has_points_of_all
            ):
                continue
            for assigned in self.assignments(own_takers, needed):
                hand = self.with_takers(assigned) if in_order else self.with_points(points_left, assigned)
                answers = self.distinguishing_answers(
                    own_takers, {award_id: assigned[award_id] for award_id in assigned if award_id in needed}
                )
                key = tuple(sorted(answers.items())), tuple(sorted((hand.points or {}).items()))
                if key not in seen:
                    seen.add(key)
                    yield PossibleHand(hand, answers)

    @cached_property
    def has_points_of_all(self) -> bool:
        """Whether the points of every group under the match's own rules were entered."""
        sums, faults = sums_by_group(self.seats, self.own_sides, self.hand.points or {})
        return not faults and len(sums) == len(self.own_sides.groups)

    def own_assignments(
        self, points: PointsByGroup, awards: Sequence[AwardId], rest: Sums
    ) -> Iterator[tuple[dict[AwardId, Groups], PointsByGroup]]:
        """Yield each possible combination of takers of `awards` under the own rules, with each group's other points.

        The other points must be sums that `rest` allows.
        """
        shares = [AwardToAssign((self.pair.own.worth(award),), self.possible_own_takers(award)) for award in awards]
        sums = sums_from_each(shares, rest)

        def distribute(index: int, points_left: PointsByGroup) -> Iterator[tuple[dict[AwardId, Groups], PointsByGroup]]:
            if index == len(awards):
                yield {}, points_left
                return
            (worth,), takers, _ = shares[index]
            for groups in takers:
                self.budget.spend()
                after = remaining_points(points_left, groups, worth)
                if min(after) >= 0 and sums[index + 1].may_fit(after):
                    completions = distribute(index + 1, after)
                    yield from (({awards[index]: groups, **later}, remaining) for later, remaining in completions)

        if sums[0].may_fit(points):
            yield from distribute(0, points)

    def possible_own_takers(self, award_id: AwardId) -> tuple[Groups, ...]:
        """Return each possible set of groups that take an award under the match's own rules; `NO_GROUPS` is nobody."""
        own, taken = self.pair.own, self.played.taken
        is_game = award_id == own.card_points_award
        may_be_unclaimed = own.points.game_tie != "all_tied_score" if is_game else own.awards[award_id].unclaimed
        return allowed_takers(
            own,
            award_id,
            len(self.own_sides.groups),
            may_be_nobodys=may_be_unclaimed or not (is_game or self.has_points_of_all),
            game_groups=taken.game_groups if taken else None,
        )

    def with_points(self, points_left: PointsByGroup, assigned: GroupsByAward) -> Hand:
        """Return the hand as entered by points under the other rules: `points_left` and those of the assigned awards.

        `points_left` are each own group's points for awards in which both rules agree. Unless the points of all were
        entered, only the bidders have any.
        """
        sums = dict.fromkeys(self.all_groups, 0)
        for group, number in enumerate(points_left):
            sums[self.groups_in(group)[0]] += number
        for award_id, groups in assigned.items():
            for group in groups:
                sums[group] += self.pair.other.worth(award_id)
        is_counted = self.pair.other.card_points_award is not None and self.leaders is not None
        counted = sums if self.has_points_of_all else {0: sums[0]}
        return replace(
            self.hand,
            points={self.first_side(group): number for group, number in counted.items()},
            card_points=self.hand.card_points if is_counted else None,
        )

    def distinguishing_answers(self, own_takers: GroupsByAward, assigned: GroupsByAward) -> dict[str, HandAnswer]:
        """Return the answers that distinguish a possible hand: takers of awards under the other and the own rules."""
        answers = {award_id: self.first_sides(groups) for award_id, groups in assigned.items()}
        implied_own = {
            source
            for award_id in assigned
            if (source := self.pair.own_award_by_other[award_id]) and self.pair.goes_to_same_side(source, award_id)
        }
        for award_id, groups in own_takers.items():
            if award_id not in implied_own:
                key = f"{award_id}{OWN_RULES_SUFFIX}" if award_id in self.pair.other.in_play else award_id
                answers[key] = tuple(self.own_sides.groups[group][0] for group in groups)
        return answers
