"""Find which group took each award in a hand, and refuse hands that no cards allow.

Game goes to the most card points if they were counted, otherwise to the entered taker. A stored hand may be older than
a check of new hands, and scores as it was entered.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from scorekeeper.pitch.rules.awards import CARD_POINTS, AwardId
from scorekeeper.pitch.rules.faults import Refusal, RefusalCode
from scorekeeper.pitch.rules.phrases import join_words
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.award_cards import (
    award_card_rank,
    certain_leaders,
    dealing_side,
    game_groups_among_leaders,
    game_groups_by_count,
    needs_trick,
    not_every_trick_fault,
    plays_every_card,
    same_card_awards,
    with_last_pile,
)
from scorekeeper.pitch.scoring.hand import Hand, SideId
from scorekeeper.pitch.scoring.point_counts import BarredGroupsByAward, can_be_split, points_problem
from scorekeeper.pitch.scoring.search_budget import Budget, BudgetExceeded
from scorekeeper.pitch.scoring.seats import (
    NAME_SEPARATOR,
    Groups,
    HandSides,
    PointsByGroup,
    Seats,
    find_group,
    sums_by_group,
)


class Taken(NamedTuple):
    """The points that each group took in a hand, and who took which award.

    If only points were entered, at most the takers of Game are known.
    """

    points: PointsByGroup
    """The points that each group took."""
    awards: tuple[tuple[AwardId, int, int], ...]
    """The awards that were taken, each with a group that took it and its points: `("low", 1, 1)`. A shared award is
    there once for each group."""
    claimed: int
    """The sum of the points that anybody took. A shared award counts once."""
    game_groups: Groups | None = None
    """The groups that score Game by card points, if points were entered instead of awards; otherwise `None`."""

    def taker_of_all(self, ruleset: Ruleset) -> int | None:
        """Return the group that took every award of the play; `None` if no group did.

        Of two awards for one card, one is enough. If only points were entered, the group needs all points of the hand.
        """
        if not self.awards:
            points = max(self.points)
            return self.points.index(points) if ruleset.points_per_hand <= points == sum(self.points) else None
        takers_by_award: dict[AwardId, set[int]] = {
            award: set() for award in ruleset.in_play if award not in ruleset.given_awards
        }
        for award, group, _ in self.awards:
            if award in takers_by_award:
                takers_by_award[award].add(group)
        for caught, replaced in ruleset.replaced_award_by_caught.items():  # the taker of either award has the card
            takers_by_award[replaced] |= takers_by_award.pop(caught)
        all_takers: set[int] = set().union(*takers_by_award.values())
        return all_takers.pop() if len(all_takers) == 1 and all(takers_by_award.values()) else None


@dataclass
class TakenReader:
    """Finds what each group took in one hand, and collects the faults of the entries."""

    ruleset: Ruleset
    seats: Seats
    hand_sides: HandSides
    hand: Hand
    budget: Budget
    dealer: str | None = None
    is_cut_short: bool = False
    """Whether play may have stopped before every card was played, so that an award needs no taker."""
    is_new: bool = False
    """Whether the hand is being entered now, and so is checked against the cards."""
    entered_card_points: dict[int, int] | None = None
    """The entered card points of each group, keyed by group; `None` if none were entered."""
    faults: list[Refusal] = field(default_factory=list)

    def read(self) -> Taken | None:
        """Return what each group took.

        If there are faults, add them to `faults` and return `None`.
        """
        if self.hand.taken is not None and self.hand.points is not None:
            for path in ("taken", "points"):
                self._refuse(path, "both_ways", "Enter the cards or the points, not both.")
            return None
        self.read_card_points()
        taken = self.read_by_awards() if self.hand.taken is not None else self.read_by_points()
        return None if self.faults else taken

    @cached_property
    def taker_by_award(self) -> Mapping[str, str | None]:
        """The entered taker of each award, keyed by award; `None` for an award that nobody took.

        If points were entered, it is empty.
        """
        return self.hand.taken or {}

    @cached_property
    def reneging_groups(self) -> frozenset[int]:
        """The groups that reneged in this hand, and so score none of the awards that a renege costs."""
        return frozenset(
            self.hand_sides.group_of(side) for side in self.hand.sides_without_game if side in self.seats.ids
        )

    @cached_property
    def has_every_trick(self) -> bool:
        """Whether it was entered that the bidding side took every trick."""
        return bool(self.hand.all_tricks) and self.hand_sides.has_bidders

    def _refuse(self, path: str, code: RefusalCode, why: str, *people: str) -> tuple[()]:
        """Add a fault, and return `()`, because no groups score an award with a fault.

        `people` are the ids whose names replace the placeholders in the message `why`.
        """
        self.faults.append(Refusal(path, code, why, people))
        return ()

    def read_card_points(self) -> None:
        """Set `entered_card_points` to the sums entered for the groups, and add faults for impossible ones."""
        entered_numbers = self.hand.card_points
        deck_points = self.ruleset.card_points_in_deck
        if entered_numbers is None:
            return
        if self.ruleset.card_points_award is None:
            self._refuse("card_points", "not_counted", f"{self.ruleset.game_name} does not use card points here.")
            return
        self.entered_card_points, faults = sums_by_group(self.seats, self.hand_sides, entered_numbers, "card_points")
        self.faults += faults
        total = sum(self.entered_card_points.values())
        if self.faults:
            return
        if total > deck_points:
            why = f"{total} card points are more than the {deck_points} in the deck."
            self._refuse("card_points", "too_many_card_points", why)
        elif self.is_new and not self.is_cut_short:
            self._check_card_points(self.entered_card_points, total)

    def _check_card_points(self, card_points_by_group: Mapping[int, int], total: int) -> None:
        """Add a fault if the card points contradict the cards, the awards or the tricks.

        `card_points_by_group` are those that were entered, and `total` is their sum.
        """
        groups = range(len(self.hand_sides.groups))
        min_points = self._min_card_points
        points_not_in_play = self._card_points_not_in_play
        points_in_play = self.ruleset.card_points_in_deck - points_not_in_play
        card_count, is_complete = self._cards_in_tricks, len(card_points_by_group) == len(groups)
        fewest, most = self.ruleset.card_points_in(card_count) if card_count and is_complete else (total, total)
        not_in_play_text = f" less {points_not_in_play} not in play" if points_not_in_play else ""
        if self.has_every_trick and any(card_points_by_group.get(group) for group in groups[1:]):
            why = "The bidding side took every trick, so nobody else has card points."
            self._refuse("card_points", "not_every_trick", why)
        elif any(card_points_by_group.get(group, min_points[group]) < min_points[group] for group in groups):
            why = f"The points taken count {sum(min_points)} for {self.ruleset.game_name}, and a pile here has fewer."
            self._refuse("card_points", "too_few_card_points", why)
        elif (
            is_complete
            and total != points_in_play
            and plays_every_card(self.ruleset, self.seats)
            and self.ruleset.play.follow != "trump_only"
        ):
            why = f"Every card is played, so the piles make {points_in_play}, and here they make {total}."
            self._refuse(
                "card_points", "too_few_card_points" if total < points_in_play else "too_many_card_points", why
            )
        elif not fewest <= total <= most:
            why = f"The {card_count} cards played have {fewest} to {most} card points, and here they make {total}."
            self._refuse("card_points", "too_few_card_points" if total < fewest else "too_many_card_points", why)
        elif sum(card_points_by_group.get(group, min_points[group]) for group in groups) > points_in_play:
            why = (
                f"These card points are more than the {self.ruleset.card_points_in_deck} in the deck{not_in_play_text}."
            )
            self._refuse("card_points", "too_many_card_points", why)

    @property
    def _cards_in_tricks(self) -> int:
        """The number of cards in all tricks of the hand; 0 if it varies or is not known."""
        varies = self.ruleset.play.follow == "trump_only" or self.ruleset.cards.turned_up
        return 0 if varies else len(self.seats.players) * (self.ruleset.cards.played or 0)

    @cached_property
    def _min_card_points(self) -> PointsByGroup:
        """The fewest card points that each group can have: those of the cards whose awards it took."""
        min_points = [0] * len(self.hand_sides.groups)
        for award_id, card_points in self._card_points_by_award.items():
            side = self.taker_by_award.get(award_id)
            group = None if side is None else find_group(self.seats, self.hand_sides, side, "")
            if isinstance(group, int):
                min_points[group] += card_points
        return tuple(min_points)

    @cached_property
    def _card_points_not_in_play(self) -> int:
        """The card points of the cards that nobody took, as was entered."""
        caught_by_replaced = {
            replaced: award_id for award_id, replaced in self.ruleset.replaced_award_by_caught.items()
        }
        return sum(
            card_points
            for award_id, card_points in self._card_points_by_award.items()
            if award_id in self.taker_by_award
            and self.taker_by_award[award_id] is None
            and award_id not in self.ruleset.replaced_award_by_caught
            and self.taker_by_award.get(caught_by_replaced.get(award_id, "")) is None
        )

    @cached_property
    def _card_points_by_award(self) -> Mapping[AwardId, int]:
        """The card points of each card whose award is won by taking the card, keyed by award.

        A card without card points is left out.
        """
        kind_by_award = {award_id: self.ruleset.kinds[award_id] for award_id in self.ruleset.in_play}
        rank_by_award = {
            award_id: award_card_rank(kind)
            for award_id, kind in kind_by_award.items()
            if self.ruleset.is_captured(award_id)
        }
        return {award_id: CARD_POINTS[rank] for award_id, rank in rank_by_award.items() if rank in CARD_POINTS}

    def read_by_awards(self) -> Taken:
        """Return what each group took by the entered awards, and add faults to `faults`.

        If there are any, what is returned has no meaning.
        """
        self._check_in_play()
        replaced_awards = {
            card
            for caught, card in self.ruleset.replaced_award_by_caught.items()
            if self.taker_by_award.get(caught) is not None
        }
        taken_rows = []
        points_by_group = [0] * len(self.hand_sides.groups)
        claimed = 0
        counted_award = self.ruleset.card_points_award if self.entered_card_points or self.has_every_trick else None
        lost_awards = self.ruleset.awards_lost_by_renege if self.reneging_groups else ()
        awards_read_apart = (counted_award, self.ruleset.shared_gift, *lost_awards)
        for award_id, award in self.ruleset.in_play.items():
            side = self.seats.side_of(self.taker_by_award.get(award_id))
            if side is not None and award_id not in awards_read_apart:
                # A fast path for nearly every award.
                groups: Groups = (self.hand_sides.group_of(side),)
            else:
                groups = self._scoring_groups(award_id, is_replaced=award_id in replaced_awards)
            award_points = award.points * (self.hand.times or {}).get(award_id, 1)
            claimed += award_points if groups else 0
            for group in groups:
                taken_rows.append((award_id, group, award_points))
                points_by_group[group] += award_points
        taken = Taken(tuple(points_by_group), tuple(taken_rows), claimed)
        if self.is_new and not self.faults:
            self._check_tricks(taken)
            self._check_same_card_awards(taken)
        return taken

    def _check_in_play(self) -> None:
        """Add a fault for each award not in play, and for each two awards for one card that both have a taker."""
        in_play = self.ruleset.in_play
        for award_id in self.taker_by_award:
            if award_id not in in_play:
                self._refuse(f"taken.{award_id}", "not_in_play", _not_in_play_message(self.ruleset, award_id))
        for caught, replaced in self.ruleset.replaced_award_by_caught.items():
            if self.taker_by_award.get(caught) is not None and self.taker_by_award.get(replaced) is not None:
                names = f"{in_play[replaced].name} and {in_play[caught].name}"
                self._refuse(f"taken.{caught}", "same_card", f"{names} are the same card: only one of them scores.")

    def _check_tricks(self, taken: Taken) -> None:
        """Add a fault if another group has an award that the bidders must have, because they took every trick."""
        if not self.has_every_trick:
            return
        game_award, rules = self.ruleset.card_points_award, self.ruleset
        for award_id, group, _ in taken.awards:
            if group != 0 and needs_trick(rules, award_id):
                self.faults.append(not_every_trick_fault(rules, self.hand_sides, award_id, group))
                return
        has_game = any(award_id == game_award for award_id, *_ in taken.awards)
        is_counted = any(self._min_card_points) or any((self.entered_card_points or {}).values())
        if game_award and not has_game and is_counted and 0 not in self.reneging_groups:
            self._refuse(
                f"taken.{game_award}", "not_every_trick", f"{rules.game_name} goes to the side with every trick."
            )

    def _check_same_card_awards(self, taken: Taken) -> None:
        """Add faults for two awards that one card wins, if they do not have the same taker.

        Where play may have stopped early, an award without a taker is no fault.
        """
        rules, group_by_award = self.ruleset, {}
        for award_id in rules.in_play:
            if (side := self.seats.side_of(self.taker_by_award.get(award_id))) is not None:
                group_by_award[rules.replaced_award_by_caught.get(award_id, award_id)] = self.hand_sides.group_of(side)
        group_by_award |= {award_id: group for award_id, group, _ in taken.awards}
        for first_award, second_award in same_card_awards(rules, self.hand.trump, group_by_award):
            if self.is_cut_short and not {first_award, second_award} <= group_by_award.keys():
                continue
            if group_by_award.get(first_award) != group_by_award.get(second_award):
                names = f"{rules.awards[first_award].name} and {rules.awards[second_award].name}"
                why = f"{names} are the same card here, so one side has both."
                for award_id in (first_award, second_award):
                    self._refuse(f"taken.{award_id}", "same_card", why)

    def _scoring_groups(self, award_id: AwardId, *, is_replaced: bool) -> Groups:
        """Return the groups that score an award, and add faults to `faults`.

        An award that `is_replaced` needs no taker, because another award for the same card scores instead.
        """
        who, path = self.taker_by_award.get(award_id), f"taken.{award_id}"
        taking_group = None if who is None else find_group(self.seats, self.hand_sides, who, path)
        if isinstance(taking_group, Refusal):
            self.faults.append(taking_group)
            return ()
        if who is not None and taking_group in self.reneging_groups:
            if award_id == self.ruleset.game_award:
                why = f"{{0}} reneged and can’t score {self.ruleset.game_name}: give it to the others, or to nobody."
                return self._refuse(path, "forfeited", why, who)
            if award_id in self.ruleset.awards_lost_by_renege:
                return ()
        if award_id == self.ruleset.card_points_award:
            faults_before = len(self.faults)
            game_groups = self._game_groups_by_count(taking_group)
            if self.is_cut_short and who is None:
                del self.faults[faults_before:]
            return game_groups
        if taking_group is None:
            if not (is_replaced or self.is_cut_short):
                self._check_untaken(award_id, path)
            return ()
        return self._gift_groups(path, taking_group) if award_id == self.ruleset.shared_gift else (taking_group,)

    def _check_untaken(self, award_id: AwardId, path: str) -> None:
        """Add a fault if an award without a taker needs one.

        An award that is usually taken needs at least the entry that nobody took it.
        """
        award = self.ruleset.awards[award_id]
        is_surely_taken = award_id in self._awards_surely_taken
        if award_id not in self.taker_by_award:
            if award_id not in self.ruleset.rare_awards:  # nobody's, unless a taker was entered
                self._refuse(path, "not_named", f"Say who took {award.name}, or that nobody did.")
        elif is_surely_taken or not award.unclaimed:
            hint = _DEAL_AGAIN_HINT if is_surely_taken else ""
            self._refuse(path, "must_be_somebodys", f"Someone has to get {award.name}.{hint}")

    @cached_property
    def _awards_surely_taken(self) -> frozenset[AwardId]:
        """The awards that must have a taker only because every trump is played in this hand.

        For a stored hand, there are none.
        """
        is_every_trump_played = self.ruleset.plays_every_trump or plays_every_card(self.ruleset, self.seats)
        return frozenset(self.ruleset.awards_maybe_out_of_play if self.is_new and is_every_trump_played else ())

    def _gift_groups(self, path: str, beggar: int) -> Groups:
        """Return the groups that score the point for begging, where everyone but the dealer scores it.

        Add a fault if the dealer must be known but is not.
        """
        groups = range(len(self.hand_sides.groups))
        if len(groups) == 2:
            return (beggar,)
        if self.dealing_side is None:
            return self._refuse(path, "not_named", "Everyone but the dealer gets the gift: say who dealt.")
        return tuple(group for group in groups if group != self.hand_sides.group_of(self.dealing_side))

    @cached_property
    def dealing_side(self) -> SideId | None:
        """The side that dealt.

        If the dealer is unknown, an award scored before the play may show the side; if none does, it is `None`.
        """
        return dealing_side(self.ruleset, self.seats, self.dealer, self.taker_by_award)

    # The award of the most card points (`002`, "Bidding")

    @property
    def _is_all_counted(self) -> bool:
        """Whether the card points of every group were entered."""
        return len(self.entered_card_points or {}) == len(self.hand_sides.groups)

    @cached_property
    def _card_points_by_group(self) -> Mapping[int, int]:
        """The card points of each group, keyed by group; those that were not entered are worked out if possible."""
        entered_points = self.entered_card_points or {}
        groups = range(len(self.hand_sides.groups))
        if self._is_all_counted or not self.has_every_trick:
            return with_last_pile(self.ruleset, self.seats, self.hand_sides, entered_points)
        # The bidding side took every trick: the others have no card points, and it has at least those of its awards.
        bidders_points = entered_points.get(0, self._min_card_points[0])
        return {**dict.fromkeys(groups, 0), **entered_points, 0: bidders_points} if bidders_points else entered_points

    def _game_groups_by_count(self, taking_group: int | None) -> Groups:
        """Return the groups that score Game, and add faults to `faults`.

        Where the card points do not decide it, they are the groups that were entered.
        """
        is_entered = self._is_game_entered
        entered_groups = () if taking_group is None else (taking_group,)
        game = self.ruleset.game_name
        if is_entered and self.has_every_trick and not self._is_all_counted:
            return entered_groups
        leaders = certain_leaders(self.ruleset, self.hand_sides, self._card_points_by_group)
        # A stored taker beside a partial count scores as it was entered.
        if leaders is None or not (self._is_all_counted or self.is_new or not is_entered):
            return self._game_groups_as_entered(taking_group)
        if not self.reneging_groups.isdisjoint(leaders):
            why = f"Say who scores {game}, or nobody: the highest count gave it up."
            return entered_groups if is_entered else self._refuse(self._game_path, "not_named", why)
        tie_rule, is_tied = self.ruleset.points.game_tie, len(leaders) > 1
        if is_tied and tie_rule == "joker_breaks":
            return self._game_groups_by_joker(taking_group, leaders)
        groups = game_groups_among_leaders(self.ruleset, self.seats, self.hand_sides, leaders, self.dealing_side)
        if groups is None:
            return self._tied_game_taker_without_dealer(taking_group, leaders)
        if not is_entered or entered_groups == groups or (not entered_groups and len(groups) > 1):
            return groups
        if not is_tied and taking_group is None:
            return self._refuse_against_count("not_level", f"Someone has to get {game}: {self._deciding_count_text}.")
        if not is_tied:
            why = f"{{0}} can’t have {game}: {self._deciding_count_text}, and the highest count gets it."
            return self._refuse_against_count("lower_count", why, self._game_taker)
        if tie_rule != "non_dealer":
            why = f"The count is tied at {max(self._card_points_by_group.values())}: {game} can’t go to one side alone."
            return self._refuse_against_count("level", why)
        if not self.is_new and self.seats.side_of(self.dealer) is None:
            return entered_groups if taking_group in leaders else ()
        why = f"The count is tied: {game} goes to whoever did not deal."
        if not groups:
            why = f"The count is tied between two who did not deal: nobody gets {game}."
        return self._refuse_against_count("level", why)

    def _tied_game_taker_without_dealer(self, taking_group: int | None, leaders: Groups) -> Groups:
        """Return the entered taker of a tied Game that the unknown dealer would decide, and add faults to `faults`.

        Only one of the `leaders` in card points can score.
        """
        if not self._is_game_entered:
            return self._refuse(self._game_path, "not_named", "The count is tied: say who did not deal, or nobody.")
        if self.is_new and taking_group is None and len(self.hand_sides.groups) == 2:
            return self._refuse_untaken_tie()
        if self.is_new and taking_group is not None and taking_group not in leaders:
            return self._refuse_against_count("lower_count", "The count is tied, and others have more.")
        return (taking_group,) if taking_group in leaders else ()

    @property
    def _game_path(self) -> str:
        """The path in a hand's entries to the taker of Game, for faults: "taken.game"."""
        return f"taken.{self.ruleset.card_points_award}"

    @property
    def _game_taker(self) -> str:
        """The id of the entered taker of Game; empty if none was entered."""
        return self.taker_by_award.get(self.ruleset.card_points_award or "") or ""

    @property
    def _is_game_entered(self) -> bool:
        """Whether a taker of Game was entered, or that nobody took it."""
        return self.ruleset.card_points_award in self.taker_by_award

    def _refuse_untaken_tie(self) -> tuple[()]:
        """Add the fault of a tied Game that must have a taker but has none, and return no groups."""
        why = f"Someone has to get {self.ruleset.game_name}: with two sides a tied one is somebody’s too."
        return self._refuse(self._game_path, "must_be_somebodys", why)

    def _refuse_against_count(self, code: RefusalCode, why: str, *people: str) -> tuple[()]:
        """Add the same fault to the taker of Game and to the card points, and return no groups."""
        self._refuse(self._game_path, code, why, *people)
        return self._refuse("card_points", code, why, *people)

    @cached_property
    def _joker_groups(self) -> frozenset[int] | None:
        """The groups that took a joker that breaks ties for Game.

        It is `None` if the game has no such joker, or if the taker of one was not entered.
        """
        jokers = self.ruleset.tie_breaking_joker_awards
        if not jokers or any(joker not in self.taker_by_award for joker in jokers):
            return None
        holders = [
            find_group(self.seats, self.hand_sides, who, "") for joker in jokers if (who := self.taker_by_award[joker])
        ]
        return frozenset(group for group in holders if isinstance(group, int))

    def _game_groups_by_joker(self, taking_group: int | None, leaders: Groups) -> Groups:
        """Return the group that scores a tied Game by a joker, and add faults to `faults`.

        If none or several of the `leaders` took a joker, nobody scores. In a stored hand, the entered taker scores.
        """
        is_entered = self._is_game_entered
        joker_groups = self._joker_groups
        game = self.ruleset.game_name
        if taking_group is not None and taking_group not in leaders:
            why = f"{{0}} can’t have {game}: others have more card points."
            return self._refuse_against_count("lower_count", why, self._game_taker)
        if joker_groups is not None and (self.is_new or not is_entered):
            leaders_with_joker = tuple(group for group in leaders if group in joker_groups)
            groups = leaders_with_joker if len(leaders_with_joker) == 1 else ()
            if is_entered and taking_group not in (groups or (None,)):
                why = f"The count is tied: {game} goes to whoever won a joker, and to nobody if each won one."
                return self._refuse_against_count("level", why)
            return groups
        if not is_entered:
            return self._refuse(self._game_path, "not_named", "The count is tied: say who has the joker, or nobody.")
        return () if taking_group is None else (taking_group,)

    def _game_groups_as_entered(self, taking_group: int | None) -> Groups:
        """Return the groups that score Game as entered, where card points do not decide it, and add faults to `faults`.

        If nobody took Game in a game where all tied sides score it, both of two groups do.
        """
        entered_points = self.entered_card_points or {}
        tie_rule = self.ruleset.points.game_tie
        group_count = len(self.hand_sides.groups)
        if not self._is_game_entered:
            path = self._game_path if self.entered_card_points is None else "card_points"
            return self._refuse(path, "not_named", self._undecided_game_message)
        if taking_group is not None:
            uncounted_points = self.ruleset.card_points_in_deck - (sum(entered_points.values()) if self.is_new else 0)
            taker_points = entered_points.get(taking_group, uncounted_points)
            max_other_points = taker_points if tie_rule in ("joker_breaks", "non_dealer") else taker_points - 1
            if any(
                number > max_other_points
                for group, number in entered_points.items()
                if group != taking_group and group not in self.reneging_groups
            ):
                why = f"{self.ruleset.game_name} goes to the most card points, and {taker_points} is not the most."
                return self._refuse_against_count("lower_count", why)
            return (taking_group,)
        if (
            self.is_new
            and group_count == 2
            and not (self.reneging_groups or self.is_cut_short)
            and self._is_tied_game_always_scored
        ):
            return self._refuse_untaken_tie()
        if tie_rule != "all_tied_score" or self.reneging_groups:
            return ()
        if group_count > 2:
            return self._refuse(
                "card_points", "who_tied", f"Everyone tied shares {self.ruleset.game_name}: enter the card points."
            )
        return tuple(range(group_count))

    @property
    def _deciding_count_text(self) -> str:
        """The part of a message on which card points decide Game: "the count is 40 to 36".

        If some were not entered, it names the highest.
        """
        card_points = self._card_points_by_group
        if self._is_all_counted:
            return f"the count is {' to '.join(str(card_points[group]) for group in sorted(card_points))}"
        return f"one pile has {max(card_points.values())} of the {self.ruleset.card_points_in_deck} card points"

    @property
    def _undecided_game_message(self) -> str:
        """The message on what must still be entered to decide who scores Game."""
        if self.entered_card_points and len(self.hand_sides.groups) == 2:
            (pile,) = self.entered_card_points.values() if len(self.entered_card_points) == 1 else (0,)
            deck_points = self.ruleset.card_points_in_deck
            return (
                f"{pile} of {deck_points} decides nothing: enter the other pile, or who took {self.ruleset.game_name}."
            )
        return f"Say who took {self.ruleset.game_name}, or the card points of every side."

    @property
    def _is_tied_game_always_scored(self) -> bool:
        """Whether one of two tied groups always scores Game, because it did not deal or took a joker."""
        tie_rule = self.ruleset.points.game_tie
        return tie_rule == "non_dealer" or (tie_rule == "joker_breaks" and len(self._joker_groups or ()) == 1)

    def read_by_points(self) -> Taken:
        """Return what each group took by the entered points, and add faults to `faults`.

        If there are any, what is returned has no meaning.
        """
        groups, faults_before = self.hand_sides.groups, len(self.faults)
        card_points_by_group = None if faults_before or self.entered_card_points is None else self._card_points_by_group
        points_by_group, faults = sums_by_group(self.seats, self.hand_sides, self.hand.points or {}, "points")
        self.faults += faults
        missing_groups = [i for i in range(len(groups)) if i not in points_by_group]
        if missing_groups and not (self.ruleset.only_bidder_counts and 0 in points_by_group):
            self.faults.append(_missing_sides_fault([groups[i] for i in missing_groups]))
        points = tuple(points_by_group.get(i, 0) for i in range(len(groups)))
        if len(self.faults) > faults_before:
            return Taken(points, (), sum(points))
        game_groups = None
        if not self.reneging_groups:
            game_groups = game_groups_by_count(
                self.ruleset, self.seats, self.hand_sides, card_points_by_group, self.dealing_side
            )
        if game_groups is not None:
            game_groups = tuple(group for group in game_groups if group in points_by_group)
        is_complete = not (missing_groups or self.is_cut_short)
        must_fit_card_points = self.is_new or self._is_all_counted
        try:
            if not (must_fit_card_points or can_be_split(self.ruleset, points, self.budget, is_complete, game_groups)):
                game_groups = None  # points stored beside a partial count score as they were entered
            problem = points_problem(
                self.ruleset, points, self.budget, is_complete=is_complete, game_groups=game_groups
            )
            if problem is None and self.is_new:
                problem = self._split_problem(points, is_complete, game_groups)
        except BudgetExceeded as too_many:
            problem = ("too_many_ways", str(too_many)) if self.is_new else None
        if problem:
            self._refuse("points", *problem)
        return Taken(points, (), sum(points), game_groups)

    def _split_problem(
        self, points: PointsByGroup, is_complete: bool, game_groups: Groups | None
    ) -> tuple[RefusalCode, str] | None:
        """Return why no cards allow the points of the groups, as a code and a message; `None` if cards do.

        With `is_complete`, they are all points of a hand played to its end. `game_groups` are the groups that score
        Game by card points, if these decide it. Raises `BudgetExceeded`.
        """
        rules = self._ruleset_for_this_hand
        if problem := points_problem(rules, points, self.budget, is_complete=is_complete, game_groups=game_groups):
            return problem[0], f"{problem[1]}{_DEAL_AGAIN_HINT if self._awards_surely_taken else ''}"
        barred_by_renege = dict.fromkeys(rules.awards_lost_by_renege, self.reneging_groups)
        lost_award_names = join_words(
            rules.awards[award_id].name for award_id in rules.in_play if award_id in barred_by_renege
        )
        groups_without_trick = range(1, len(points)) if self.has_every_trick else ()
        card_points_by_group = self._card_points_by_group if self.entered_card_points is not None else {}
        checks: tuple[tuple[BarredGroupsByAward, RefusalCode, str], ...] = (
            (
                barred_by_renege,
                "forfeited",
                f"Whoever reneged does not score {lost_award_names}, and these points need that.",
            ),
            (
                {award_id: groups_without_trick for award_id in rules.in_play if needs_trick(rules, award_id)},
                "not_every_trick",
                "With every trick the bidding side has every point that is won in one.",
            ),
            (
                {
                    award_id: [
                        group for group, group_points in card_points_by_group.items() if group_points < card_points
                    ]
                    for award_id, card_points in self._card_points_by_award.items()
                },
                "against_the_count",
                "The card points are too few for the cards that these points need.",
            ),
        )
        for barred_by_award, code, why in checks:
            if any(barred_by_award.values()) and not can_be_split(
                rules, points, self.budget, is_complete, game_groups, barred_by_award
            ):
                return code, why
        return None

    @cached_property
    def _ruleset_for_this_hand(self) -> Ruleset:
        """The rules, with what this hand changes: which awards must have a taker."""
        rules = self.ruleset
        tie_rule = self.ruleset.points.game_tie
        game_award = self.ruleset.card_points_award
        must_game_be_taken = len(self.hand_sides.groups) == 2 and tie_rule in ("non_dealer", "all_tied_score")
        unclaimed_by_award = dict.fromkeys(
            (*self._awards_surely_taken, *([game_award] if game_award and must_game_be_taken else ())), False
        )
        if self.reneging_groups:  # what a side gave up is nobody's
            unclaimed_by_award |= dict.fromkeys(rules.awards_lost_by_renege & rules.in_play.keys(), True)
        awards = {
            award_id: rules.awards[award_id].copy_with(unclaimed=unclaimed)
            for award_id, unclaimed in unclaimed_by_award.items()
        }
        return rules.copy_with(awards={**rules.awards, **awards}) if unclaimed_by_award else rules


_DEAL_AGAIN_HINT = " If you can’t tell who had it, deal again."
"""The end of a message about an award that must have a taker, for a table that cannot name one."""


def _not_in_play_message(ruleset: Ruleset, award_id: str) -> str:
    """Return the message that an award is not in play, or does not exist."""
    if award_id in ruleset.awards:
        return f"{ruleset.awards[award_id].name} is not a point in this game."
    return f"There is no point called {award_id!r}."


def _missing_sides_fault(groups: list[tuple[str, ...]]) -> Refusal:
    """Return the fault of a hand in which some groups have no points entered.

    Each of the `groups` is the ids of its sides.
    """
    numbers = iter(range(sum(map(len, groups))))
    placeholders = " and ".join(NAME_SEPARATOR.join(f"{{{next(numbers)}}}" for _ in group) for group in groups)
    side_ids = tuple(side for group in groups for side in group)
    return Refusal("points", "side_missing", f"Say how many points {placeholders} took.", side_ids)
