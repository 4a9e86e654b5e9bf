"""Every hand that an entry may stand for, where other rules need more than was entered.

Points alone do not show who took the Off Jack, so there is a possible hand for each side that may have taken it. The
"own rules" are those that the match was played by, the "other rules" those that it is compared with.
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
"""The takers of an award: the first side of each group that took it, so `("s1",)`, or `()` for nobody.

To the question `ALL_TRICKS_KEY`, the first bidding side stands for yes, and `()` for no.
"""
ALL_TRICKS_KEY = "all_tricks"
"""The key of the question whether the bidders took every trick, for bids that need every trick."""
OWN_RULES_SUFFIX = ":as_played"
"""The suffix of an award's id in a question about the match's own rules: "low:as_played"."""
MAX_POSSIBLE_HANDS = 1000
"""The most possible hands for one entry. With more, `possible_hands` raises `BudgetExceeded`."""
GroupsByAward = Mapping[AwardId, Groups]
"""The groups that took each award, keyed by award: `(0, 2)` if two share it, `()` for nobody."""
NO_GROUPS: Groups = ()
_TIE_BREAKING_RULES = ("joker_breaks", "non_dealer")
"""The tie rules that give a tied Game to one of the tied sides."""


class InsufficientPoints(Exception):
    """Raised where the other rules need more than the entered points, and no answer to a question can show it."""


@dataclass(frozen=True, slots=True)
class PossibleHand:
    """One hand that an entry may stand for, as it would be entered under the other rules."""

    hand: Hand
    answers: Mapping[str, HandAnswer]
    """The answers that tell this hand from the other possible ones: `{"off_jack": ("s1",)}`.

    A key is an award's id, perhaps with `OWN_RULES_SUFFIX`, or `ALL_TRICKS_KEY`.
    """


def play_under_other_rules(
    state: MatchState, hand: Hand, own_result: HandResult, budget: Budget, *, may_be_open: bool
) -> MatchState:
    """Return the `state` of a match under other rules after one more hand.

    `own_result` is the result of that hand under the match's own rules; for `may_be_open`, see `match.play`. Raises
    `ImpossibleHand` or `BudgetExceeded`.
    """
    budget.spend(STEPS_PER_HAND)
    try:
        state_after = play(state, hand, may_be_open=may_be_open, budget=budget)
    except ImpossibleHand as impossible:
        if hand.first_there is None or {fault.fault.field for fault in impossible.faults} != {"first_there"}:
            raise
    else:
        first_side, rules = state.seats.side_of(hand.first_there), state.ruleset
        gains = {
            side: comparable_score(rules, state_after.scores[side]) - comparable_score(rules, own_result.scores[side])
            for side in own_result.scores
        }
        if first_side is None or all(gain >= 0 if side == first_side else gain <= 0 for side, gain in gains.items()):
            return state_after
    # The entry of who pegged the target first is impossible under the other rules, or may be wrong.
    return play(state, replace(hand, first_there=None), may_be_open=may_be_open, budget=budget)


@dataclass(frozen=True)
class RulePair:
    """A match's own rules and the other rules, and which of their awards correspond."""

    own_rules: Ruleset
    other_rules: Ruleset

    @cached_property
    def own_award_by_other_award(self) -> Mapping[AwardId, AwardId | None]:
        """The match's own award that goes to the same side as an award of the other rules, keyed by the latter.

        The value is `None` where there is none.
        """
        own_keys = {award_id: _equivalence_key(self.own_rules, award_id) for award_id in self.own_rules.in_play}
        own_awards: dict[AwardId, AwardId | None] = {}
        for award_id in self.other_rules.in_play:
            wanted_key = _equivalence_key(self.other_rules, award_id)
            own_candidates = (award for award, key in own_keys.items() if key == wanted_key)
            own_awards[award_id] = award_id if own_keys.get(award_id) == wanted_key else next(own_candidates, None)
        return own_awards

    @cached_property
    def changed_other_awards(self) -> frozenset[AwardId]:
        """The awards of the other rules that the match's own rules do not have, or score differently."""
        return frozenset(
            award_id
            for award_id, own_award_id in self.own_award_by_other_award.items()
            if own_award_id is None
            or self.own_rules.worth(own_award_id) != self.other_rules.worth(award_id)
            or not self.goes_to_same_side(own_award_id, award_id)
        )

    @cached_property
    def changed_own_awards(self) -> frozenset[AwardId]:
        """The awards of the match's own rules that the other rules do not have, or score differently."""
        unchanged_awards = {
            own_award_id
            for award_id, own_award_id in self.own_award_by_other_award.items()
            if award_id not in self.changed_other_awards
        }
        return frozenset(self.own_rules.in_play) - unchanged_awards

    @cached_property
    def unchanged_own_rules(self) -> Ruleset:
        """The match's own rules, with the awards in `changed_own_awards` switched off."""
        switched_off_awards = {
            award: self.own_rules.awards[award].copy_with(on=False) for award in self.changed_own_awards
        }
        return self.own_rules.copy_with(awards={**self.own_rules.awards, **switched_off_awards})

    def goes_to_same_side(self, own_award_id: AwardId, other_award_id: AwardId) -> bool:
        """Return whether two corresponding awards always go to the same side.

        A tied Game, or a card that nobody has, may be scored by different sides under the two rules.
        """
        if (
            own_award_id == self.own_rules.card_points_award
            and self.own_rules.points.game_tie != self.other_rules.points.game_tie
        ):
            return False
        return self.own_rules.awards[own_award_id].unclaimed == self.other_rules.awards[other_award_id].unclaimed


def _equivalence_key(ruleset: Ruleset, award_id: AwardId) -> tuple[object, ...]:
    """Return a key that is equal for awards which are won in the same way, and so go to the same side."""
    kind, how = ruleset.kinds[award_id], ruleset.how_won(award_id)
    match kind:
        case HighestTrump():  # the same side has it, dealt or captured
            return HighestTrump, ruleset.points.reverse
        case LowestTrump():
            return LowestTrump, how, ruleset.points.reverse
        case _:
            return kind, how


def possible_hands(
    pair: RulePair, seats: Seats, own_result: HandResult, budget: Budget, *, in_order: bool = False
) -> Sequence[PossibleHand]:
    """Return every hand that `own_result` may stand for, as entered under the other rules of `pair`.

    `own_result` is the result under the own rules. With `in_order`, each hand says who took every award, as counting
    awards in order needs. Raises `BudgetExceeded` or `InsufficientPoints`.
    """
    hand = replace(own_result.hand, house=None, house_on=None, dealer=own_result.dealer or own_result.hand.dealer)
    if not hand.is_played or own_result.status != "scored":
        return [PossibleHand(hand, {})]
    converter = _HandConverter(pair, seats, own_result, hand, budget)
    hands = chain.from_iterable(map(converter.with_all_tricks_answered, converter.convert_hand(in_order=in_order)))
    found_hands = list(islice(hands, MAX_POSSIBLE_HANDS + 1))
    if len(found_hands) > MAX_POSSIBLE_HANDS:
        raise BudgetExceeded
    return found_hands


@dataclass(frozen=True)
class _HandConverter:
    """Converts a hand, as entered under the match's own rules, into the possible hands under the other rules."""

    pair: RulePair
    seats: Seats
    own_result: HandResult
    """The result of the hand under the match's own rules."""
    hand: Hand
    """The hand as entered, with its dealer added."""
    budget: Budget

    @cached_property
    def own_sides(self) -> HandSides:
        """How the sides are grouped to count together under the match's own rules."""
        return self.own_result.hand_sides

    @cached_property
    def other_sides(self) -> HandSides:
        """How the sides are grouped to count together under the other rules."""
        return divide_sides(
            self.pair.other_rules,
            self.seats,
            self.own_result.bidder,
            self.hand.partner,
            pools_defenders=self.hand.has_entry_for_defenders,
        )

    @cached_property
    def all_groups(self) -> Groups:
        """The indexes of all groups under the other rules."""
        return tuple(range(len(self.other_sides.groups)))

    def groups_for(self, *own_groups: int) -> Groups:
        """Return the groups under the other rules that have a side of `own_groups`, the groups under the own rules."""
        sides_in_own_groups = chain.from_iterable(self.own_sides.groups[group] for group in own_groups)
        return tuple(dict.fromkeys(map(self.other_sides.group_of, sides_in_own_groups)))

    @cached_property
    def splits_own_group(self) -> bool:
        """Whether sides that were entered as one group are in several groups under the other rules."""
        own_groups = self.own_sides.groups
        return own_groups != self.other_sides.groups and any(
            len(self.groups_for(group)) > 1 for group in range(len(own_groups))
        )

    @cached_property
    def known_leaders(self) -> Groups | None:
        """The groups with the most card points, as grouped under the other rules; `None` if not known."""
        sums, faults = sums_by_group(self.seats, self.other_sides, self.hand.card_points or {})
        if faults or self.pair.own_rules.card_points_award is None or len(sums) < len(self.other_sides.groups):
            return None
        return leading_groups(sums)

    def first_side(self, group: int) -> SideId:
        """Return the first side of a group under the other rules, which stands for the group in an entered hand."""
        return self.other_sides.groups[group][0]

    def first_sides(self, groups: Groups) -> HandAnswer:
        """Return the first side of each of `groups`, which are groups under the other rules: `("s1", "s3")`."""
        return tuple(map(self.first_side, groups))

    # How a hand is entered for the other rules

    def with_all_tricks_answered(self, possible_hand: PossibleHand) -> Iterator[PossibleHand]:
        """Yield a hand unchanged, or twice if `is_all_tricks_unknown`: once with every trick taken, once without."""
        if not self.is_all_tricks_unknown:
            yield possible_hand
            return
        bidders = self.first_sides((0,))
        for took_all, answer in ((True, bidders), (False, ())):
            yield PossibleHand(
                replace(possible_hand.hand, all_tricks=took_all), {**possible_hand.answers, ALL_TRICKS_KEY: answer}
            )

    @cached_property
    def is_all_tricks_unknown(self) -> bool:
        """Whether the bid needs every trick under the other rules, and nobody entered whether the bidders took them."""
        contract, faults = contract_of(self.pair.other_rules, self.seats, self.hand.dealer, self.hand)
        return self.hand.all_tricks is None and not faults and needs_every_trick(self.pair.other_rules, contract)

    def convert_hand(self, *, in_order: bool) -> Iterator[PossibleHand]:
        """Yield every possible hand, before `with_all_tricks_answered` adds whether the bidders took every trick."""
        pair, by_awards = self.pair, self.hand.taken is not None
        lacks_answers = bool(pair.changed_other_awards or pair.changed_own_awards) or self.splits_own_group
        if by_awards:  # with the same awards by the same ids, the hand has all that the other rules need
            lacks_answers |= any(
                award_id != own_award_id for award_id, own_award_id in pair.own_award_by_other_award.items()
            )
        else:  # points do not show the order of awards; where only the bidders' count, the others' may be missing
            lacks_answers |= in_order or (pair.own_rules.only_bidder_counts and not pair.other_rules.only_bidder_counts)
        if not lacks_answers:
            yield PossibleHand(self.hand, {})
        else:
            yield from self.hands_entered_by_awards() if by_awards else self.hands_entered_by_points(in_order=in_order)

    def hands_entered_by_awards(self) -> Iterator[PossibleHand]:
        """Yield every possible hand for an entry that says who took which award."""
        own_takers: dict[AwardId, Groups] = dict.fromkeys(self.pair.own_rules.in_play, NO_GROUPS)
        for award_id, group, _ in self.own_result.taken.awards if self.own_result.taken else ():
            own_takers[award_id] = (*own_takers[award_id], group)
        for groups_by_award in self.assignments(own_takers, self.pair.other_rules.in_play):
            yield PossibleHand(
                self.with_takers(groups_by_award),
                {award_id: self.first_sides(groups) for award_id, groups in groups_by_award.items()},
            )

    def with_takers(self, groups_by_award: GroupsByAward) -> Hand:
        """Return the hand as it would be entered under the other rules, if the takers are those in `groups_by_award`.

        Its card points lead to these takers of Game, even if they must be made up for that.
        """
        game_award, tie_rule = self.pair.other_rules.card_points_award, self.pair.other_rules.points.game_tie
        lacks_tie_winner = tie_rule == "joker_breaks" or (tie_rule == "non_dealer" and self.own_result.dealer is None)
        taker_by_award = {
            award_id: self.first_side(groups[0]) if len(groups) == 1 else None
            for award_id, groups in groups_by_award.items()
        }
        card_points = self.hand.card_points
        if game_award is None:
            card_points = None
        elif self.known_leaders is not None and (len(self.known_leaders) == 1 or not lacks_tie_winner):
            # The card points show who takes Game.
            taker_by_award.pop(game_award, None)
        elif len(groups_by_award[game_award]) > 1 and len(self.all_groups) > 2:
            # Invented card points show that several of three or more groups share Game.
            taker_by_award.pop(game_award)
            card_points = {
                self.first_side(group): int(group in groups_by_award[game_award]) for group in self.all_groups
            }
        elif self.known_leaders is None:
            card_points = None
        return replace(self.hand, taken=taker_by_award, points=None, card_points=card_points)

    def assignments(
        self, own_takers: GroupsByAward, needed_awards: Collection[AwardId]
    ) -> Iterator[dict[AwardId, Groups]]:
        """Yield each possible combination of takers of `needed_awards` under the other rules.

        Awards that are not needed have no taker. `own_takers` are the takers under the match's own rules.
        """
        in_play = self.pair.other_rules.in_play
        takers_of_each_award = [
            self.possible_takers(award_id, own_takers) if award_id in needed_awards else [NO_GROUPS]
            for award_id in in_play
        ]
        for groups in product(*takers_of_each_award):
            self.budget.spend()
            yield dict(zip(in_play, groups, strict=True))

    def possible_takers(self, award_id: AwardId, own_takers: GroupsByAward) -> list[Groups]:
        """Return each set of groups that may take an award under the other rules; `NO_GROUPS` stands for nobody."""
        other_rules, own_award_id = self.pair.other_rules, self.pair.own_award_by_other_award[award_id]
        if award_id == other_rules.card_points_award:
            return self.possible_game_takers(own_takers)
        award = other_rules.awards[award_id]
        single_groups: list[Groups] = [(group,) for group in self.all_groups]
        nobody_if_allowed = [NO_GROUPS] if award.unclaimed else []
        if own_award_id is None:
            is_in_play = self.is_card_in_play(award_id, own_takers)
            if is_in_play is None:
                return [*single_groups, *nobody_if_allowed]
            return single_groups if is_in_play else nobody_if_allowed or single_groups
        if own_award_id not in own_takers:  # only points were entered, and their sum is the same for any taker
            return [*single_groups, NO_GROUPS]
        if own_takers[own_award_id]:
            named_group = find_group(self.seats, self.other_sides, (self.hand.taken or {}).get(own_award_id) or "", "")
            groups = [named_group] if isinstance(named_group, int) else self.groups_for(own_takers[own_award_id][0])
            return [(group,) for group in groups]
        return nobody_if_allowed or single_groups

    def is_card_in_play(self, award_id: AwardId, own_takers: GroupsByAward) -> bool | None:
        """Return whether the card of an award was in play; `None` if no award of the own rules is for that card."""
        kind = self.pair.other_rules.kinds[award_id]
        if not isinstance(kind, OneTrump):
            return None
        return next(
            (bool(groups) for award_id, groups in own_takers.items() if self.pair.own_rules.kinds[award_id] == kind),
            None,
        )

    def possible_game_takers(self, own_takers: GroupsByAward) -> list[Groups]:
        """Return each set of groups that may score Game under the other rules."""
        own_rules, other_rules = self.pair.own_rules, self.pair.other_rules
        if (
            own_rules.card_points_award is not None
            and own_rules.points.game_tie == other_rules.points.game_tie
            and not self.splits_own_group
        ):
            return [self.groups_for(*own_takers[own_rules.card_points_award])]
        possible_groups: list[Groups] = []
        for leaders in self.possible_leaders(own_takers):
            groups = game_groups_among_leaders(
                other_rules, self.seats, self.other_sides, leaders, self.own_result.dealer
            )
            possible_groups += self.possible_takers_of_tied_game(leaders, own_takers) if groups is None else [groups]
        return list(dict.fromkeys(possible_groups))

    def possible_leaders(self, own_takers: GroupsByAward) -> Iterator[Groups]:
        """Yield each set of groups, under the other rules, that may have the most card points."""
        if self.known_leaders is not None:
            yield self.known_leaders
            return
        game_award = self.pair.own_rules.card_points_award
        if game_award is None:
            yield from nonempty_subsets(self.all_groups)
            return
        game_takers, tie_rule = own_takers[game_award], self.pair.own_rules.points.game_tie
        if self.splits_own_group:
            # Bidders who beat the pooled defenders beat each of them; any other result leaves every set possible.
            is_defense_beaten = (
                game_takers == (0,) and len(self.groups_for(0)) == 1 and tie_rule not in _TIE_BREAKING_RULES
            )
            yield from [self.groups_for(0)] if is_defense_beaten else nonempty_subsets(self.all_groups)
            return
        own_groups = range(len(self.own_sides.groups))
        if len(game_takers) > 1 or (game_takers and tie_rule not in _TIE_BREAKING_RULES):
            own_leaders: Iterable[Groups] = [game_takers]
        elif game_takers:
            own_leaders = (leaders for leaders in nonempty_subsets(own_groups) if game_takers[0] in leaders)
        else:
            own_leaders = (leaders for leaders in nonempty_subsets(own_groups) if len(leaders) > 1)
        yield from (self.groups_for(*leaders) for leaders in own_leaders)

    def possible_takers_of_tied_game(self, leaders: Groups, own_takers: GroupsByAward) -> list[Groups]:
        """Return each set of groups that may score a Game tied between `leaders`.

        The tie is decided by who took a joker, or by who dealt, which was not entered.
        """
        rules = self.pair.other_rules
        joker_takers = [self.possible_takers(award_id, own_takers) for award_id in rules.tie_breaking_joker_awards]
        if (
            rules.points.game_tie == "joker_breaks"
            and joker_takers
            and all(len(takers) == 1 for takers in joker_takers)
        ):
            winners = tuple(group for group in leaders if [(group,)] in joker_takers)
            return [winners if len(winners) == 1 else NO_GROUPS]
        return [*((group,) for group in leaders), NO_GROUPS]

    # Hands that were entered by points alone

    def hands_entered_by_points(self, *, in_order: bool) -> Iterator[PossibleHand]:
        """Yield every possible hand for an entry with points alone; raises `InsufficientPoints` or `BudgetExceeded`."""
        own_rules, pair, taken = self.pair.own_rules, self.pair, self.own_result.taken
        if (
            taken is None
            or self.splits_own_group
            or not (self.has_points_of_all or pair.other_rules.only_bidder_counts)
        ):
            raise InsufficientPoints
        needed_own_awards = frozenset(own_rules.in_play) if in_order else pair.changed_own_awards
        needed_awards = frozenset(pair.other_rules.in_play) if in_order else pair.changed_other_awards
        seen_keys = set()
        rest_sums = (
            Sums()
            if in_order
            else possible_sums(pair.unchanged_own_rules, len(taken.points), is_complete=self.has_points_of_all)
        )
        for own_takers, points_left in self.own_assignments(
            taken.points, [award for award in own_rules.in_play if award in needed_own_awards], rest_sums
        ):
            if not in_order and points_problem(
                pair.unchanged_own_rules, points_left, self.budget, is_complete=self.has_points_of_all
            ):
                continue
            for groups_by_award in self.assignments(own_takers, needed_awards):
                hand = self.with_takers(groups_by_award) if in_order else self.with_points(points_left, groups_by_award)
                answers = self.distinguishing_answers(
                    own_takers,
                    {award_id: groups_by_award[award_id] for award_id in groups_by_award if award_id in needed_awards},
                )
                key = tuple(sorted(answers.items())), tuple(sorted((hand.points or {}).items()))
                if key not in seen_keys:
                    seen_keys.add(key)
                    yield PossibleHand(hand, answers)

    @cached_property
    def has_points_of_all(self) -> bool:
        """Whether the points of every group under the match's own rules were entered."""
        sums, faults = sums_by_group(self.seats, self.own_sides, self.hand.points or {})
        return not faults and len(sums) == len(self.own_sides.groups)

    def own_assignments(
        self, points_by_group: PointsByGroup, awards: Sequence[AwardId], rest_sums: Sums
    ) -> Iterator[tuple[dict[AwardId, Groups], PointsByGroup]]:
        """Yield each possible combination of takers of `awards` under the own rules, with each group's points left.

        `rest_sums` are the sums that the points left may have.
        """
        awards_to_assign = [
            AwardToAssign((self.pair.own_rules.worth(award),), self.possible_own_takers(award)) for award in awards
        ]
        sums_from_each_award = sums_from_each(awards_to_assign, rest_sums)

        def distribute(index: int, points_left: PointsByGroup) -> Iterator[tuple[dict[AwardId, Groups], PointsByGroup]]:
            if index == len(awards):
                yield {}, points_left
                return
            (worth,), takers, _ = awards_to_assign[index]
            for groups in takers:
                self.budget.spend()
                points_after = remaining_points(points_left, groups, worth)
                if min(points_after) >= 0 and sums_from_each_award[index + 1].may_fit(points_after):
                    completions = distribute(index + 1, points_after)
                    yield from (({awards[index]: groups, **later}, points_over) for later, points_over in completions)

        if sums_from_each_award[0].may_fit(points_by_group):
            yield from distribute(0, points_by_group)

    def possible_own_takers(self, award_id: AwardId) -> tuple[Groups, ...]:
        """Return each set of groups that may take an award under the own rules; `NO_GROUPS` stands for nobody."""
        own_rules, taken = self.pair.own_rules, self.own_result.taken
        is_game = award_id == own_rules.card_points_award
        may_lack_taker = (
            own_rules.points.game_tie != "all_tied_score" if is_game else own_rules.awards[award_id].unclaimed
        )
        return allowed_takers(
            own_rules,
            award_id,
            len(self.own_sides.groups),
            may_be_nobodys=may_lack_taker or not (is_game or self.has_points_of_all),
            game_groups=taken.game_groups if taken else None,
        )

    def with_points(self, points_left: PointsByGroup, groups_by_award: GroupsByAward) -> Hand:
        """Return the hand as it would be entered by points under the other rules.

        The points are those of the awards in `groups_by_award`, and `points_left`, which each group under the own rules
        has for awards that both rules score alike. Unless all points were entered, only the bidders' are.
        """
        sums = dict.fromkeys(self.all_groups, 0)
        for group, points in enumerate(points_left):
            sums[self.groups_for(group)[0]] += points
        for award_id, groups in groups_by_award.items():
            for group in groups:
                sums[group] += self.pair.other_rules.worth(award_id)
        keeps_card_points = self.pair.other_rules.card_points_award is not None and self.known_leaders is not None
        entered_sums = sums if self.has_points_of_all else {0: sums[0]}
        return replace(
            self.hand,
            points={self.first_side(group): points for group, points in entered_sums.items()},
            card_points=self.hand.card_points if keeps_card_points else None,
        )

    def distinguishing_answers(
        self, own_takers: GroupsByAward, groups_by_award: GroupsByAward
    ) -> dict[str, HandAnswer]:
        """Return the answers that tell a possible hand from the others.

        They are the takers under the other rules, and those under the own rules that these do not imply.
        """
        answers = {award_id: self.first_sides(groups) for award_id, groups in groups_by_award.items()}
        implied_own_awards = {
            own_award_id
            for award_id in groups_by_award
            if (own_award_id := self.pair.own_award_by_other_award[award_id])
            and self.pair.goes_to_same_side(own_award_id, award_id)
        }
        for award_id, groups in own_takers.items():
            if award_id not in implied_own_awards:
                key = f"{award_id}{OWN_RULES_SUFFIX}" if award_id in self.pair.other_rules.in_play else award_id
                answers[key] = tuple(self.own_sides.groups[group][0] for group in groups)
        return answers
