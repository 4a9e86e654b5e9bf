"""Find which group took each award in a hand, and refuse hands that no cards allow.

Game goes to the most card points if these were counted, else to the entered taker. A stored hand may be older than a
check of new hands, and scores as it was entered.
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
from scorekeeper.pitch.scoring.point_counts import Barred, can_be_split, points_problem
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
    """Rows of an award, a group that took it, and its points; several rows for a shared award."""
    claimed: int
    """The sum of points that anybody took; a shared award counts once."""
    game_groups: Groups | None = None
    """The groups that score Game by card points, if points were entered instead of awards; else `None`."""

    def taker_of_all(self, ruleset: Ruleset) -> int | None:
        """Return the group that took every award except those scored before play, if one did.

        Of two awards for the same card, one is enough. If only points were entered, the group needs all points of the
        hand.
        """
        if not self.awards:
            points = max(self.points)
            return self.points.index(points) if ruleset.points_per_hand <= points == sum(self.points) else None
        takers: dict[AwardId, set[int]] = {
            award: set() for award in ruleset.in_play if award not in ruleset.given_awards
        }
        for award, group, _ in self.awards:
            if award in takers:
                takers[award].add(group)
        for caught, card in ruleset.replaced_award_by_caught.items():  # the taker of either award has the card
            takers[card] |= takers.pop(caught)
        everybody: set[int] = set().union(*takers.values())
        return everybody.pop() if len(everybody) == 1 and all(takers.values()) else None


@dataclass
class TakenReader:
    """Finds what each group took in one hand, and collects the `faults` of what was entered."""

    ruleset: Ruleset
    seats: Seats
    hand_sides: HandSides
    hand: Hand
    budget: Budget
    dealer: str | None = None
    is_cut_short: bool = False
    """Whether play may have stopped before every card was played, so that an award needs no taker."""
    is_new: bool = False
    """Whether the hand is being entered, and so is checked against the cards."""
    entered_card_points: dict[int, int] | None = None
    """The entered card points by group; `None` where none were entered."""
    faults: list[Refusal] = field(default_factory=list)

    def read(self) -> Taken | None:
        """Return what each group took; add any faults to `faults`, and return `None` if there are some."""
        if self.hand.taken is not None and self.hand.points is not None:
            for path in ("taken", "points"):
                self._refuse(path, "both_ways", "Enter the cards or the points, not both.")
            return None
        self.read_card_points()
        taken = self.read_by_awards() if self.hand.taken is not None else self.read_by_points()
        return None if self.faults else taken

    @cached_property
    def takers(self) -> Mapping[str, str | None]:
        """The entered taker of each award, `None` for nobody; empty where points were entered."""
        return self.hand.taken or {}

    @cached_property
    def reneging_groups(self) -> frozenset[int]:
        """The groups that reneged in this hand, and so score no award that a renege costs."""
        return frozenset(
            self.hand_sides.group_of(side) for side in self.hand.sides_without_game if side in self.seats.ids
        )

    @cached_property
    def has_every_trick(self) -> bool:
        """Whether the bidding side was entered as taking every trick."""
        return bool(self.hand.all_tricks) and self.hand_sides.has_bidders

    def _refuse(self, path: str, code: RefusalCode, why: str, *people: str) -> tuple[()]:
        """Add a fault; return no groups, as those that score the faulty award.

        `people` are the ids of those whose names go into the placeholders of the message `why`.
        """
        self.faults.append(Refusal(path, code, why, people))
        return ()

    def read_card_points(self) -> None:
        """Set `entered_card_points` to the entered sums by group, and add faults for impossible card points."""
        piles, deck = self.hand.card_points, self.ruleset.card_points_in_deck
        if piles is None:
            return
        if self.ruleset.card_points_award is None:
            self._refuse("card_points", "not_counted", f"{self.ruleset.game_name} does not use card points here.")
            return
        self.entered_card_points, faults = sums_by_group(self.seats, self.hand_sides, piles, "card_points")
        self.faults += faults
        total = sum(self.entered_card_points.values())
        if self.faults:
            return
        if total > deck:
            why = f"{total} card points are more than the {deck} in the deck."
            self._refuse("card_points", "too_many_card_points", why)
        elif self.is_new and not self.is_cut_short:
            self._check_piles(self.entered_card_points, total)

    def _check_piles(self, counts: Mapping[int, int], total: int) -> None:
        """Add a fault if the card points contradict the cards, the awards or the tricks.

        `counts` are the entered card points by group, and `total` is their sum.
        """
        groups, lowest, not_in_play = range(len(self.hand_sides.groups)), self._min_piles, self._card_points_not_in_play
        deck = self.ruleset.card_points_in_deck - not_in_play
        not_in_play_text = f" less {not_in_play} not in play" if not_in_play else ""
        if self.has_every_trick and any(counts.get(group) for group in groups[1:]):
            why = "The bidding side took every trick, so nobody else has card points."
            self._refuse("card_points", "not_every_trick", why)
        elif any(counts.get(group, lowest[group]) < lowest[group] for group in groups):
            why = f"The points taken count {sum(lowest)} for {self.ruleset.game_name}, and a pile here has fewer."
            self._refuse("card_points", "too_few_card_points", why)
        elif (
            len(counts) == len(groups)
            and total != deck
            and plays_every_card(self.ruleset, self.seats)
            and self.ruleset.play.follow != "trump_only"
        ):
            why = f"Every card is played, so the piles make {deck}, and here they make {total}."
            self._refuse("card_points", "too_few_card_points" if total < deck else "too_many_card_points", why)
        elif sum(counts.get(group, lowest[group]) for group in groups) > deck:
            why = (
                f"These card points are more than the {self.ruleset.card_points_in_deck} in the deck{not_in_play_text}."
            )
            self._refuse("card_points", "too_many_card_points", why)

    @cached_property
    def _min_piles(self) -> PointsByGroup:
        """The fewest card points that each group can have: those of the cards whose awards it took."""
        counted = [0] * len(self.hand_sides.groups)
        for award_id, worth in self._card_points_by_award.items():
            side = self.takers.get(award_id)
            group = None if side is None else find_group(self.seats, self.hand_sides, side, "")
            if isinstance(group, int):
                counted[group] += worth
        return tuple(counted)

    @cached_property
    def _card_points_not_in_play(self) -> int:
        """The card points of the cards that were entered as taken by nobody."""
        caught = {card: award_id for award_id, card in self.ruleset.replaced_award_by_caught.items()}
        return sum(
            worth
            for award_id, worth in self._card_points_by_award.items()
            if award_id in self.takers
            and self.takers[award_id] is None
            and award_id not in self.ruleset.replaced_award_by_caught
            and self.takers.get(caught.get(award_id, "")) is None
        )

    @cached_property
    def _card_points_by_award(self) -> Mapping[AwardId, int]:
        """By award for capturing one card, what the card counts for Game, if anything."""
        kinds = {award_id: self.ruleset.kinds[award_id] for award_id in self.ruleset.in_play}
        ranks = {
            award_id: award_card_rank(kind) for award_id, kind in kinds.items() if self.ruleset.is_captured(award_id)
        }
        return {award_id: CARD_POINTS[rank] for award_id, rank in ranks.items() if rank in CARD_POINTS}

    def read_by_awards(self) -> Taken:
        """Return what each group took by the entered awards.

        Adds faults, with which the result is meaningless.
        """
        self._check_in_play()
        replaced = {
            card
            for caught, card in self.ruleset.replaced_award_by_caught.items()
            if self.takers.get(caught) is not None
        }
        rows, points, claimed = [], [0] * len(self.hand_sides.groups), 0
        by_count = self.ruleset.card_points_award if self.entered_card_points or self.has_every_trick else None
        lost = self.ruleset.awards_lost_by_renege if self.reneging_groups else ()
        read_apart = (by_count, self.ruleset.shared_gift, *lost)
        for award_id, award in self.ruleset.in_play.items():
            side = self.seats.side_of(self.takers.get(award_id))
            if side is not None and award_id not in read_apart:
                # A fast path for nearly every award.
                groups: Groups = (self.hand_sides.group_of(side),)
            else:
                groups = self._scoring_groups(award_id, is_replaced=award_id in replaced)
            worth = award.points * (self.hand.times or {}).get(award_id, 1)
            claimed += worth if groups else 0
            for group in groups:
                rows.append((award_id, group, worth))
                points[group] += worth
        taken = Taken(tuple(points), tuple(rows), claimed)
        if self.is_new and not self.faults:
            self._check_tricks(taken)
            self._check_same_card_awards(taken)
        return taken

    def _check_in_play(self) -> None:
        """Add a fault for each award not in play, and for two awards for one card that both have a taker."""
        in_play = self.ruleset.in_play
        for award_id in self.takers:
            if award_id not in in_play:
                self._refuse(f"taken.{award_id}", "not_in_play", _not_in_play_message(self.ruleset, award_id))
        for caught, card in self.ruleset.replaced_award_by_caught.items():
            if self.takers.get(caught) is not None and self.takers.get(card) is not None:
                names = f"{in_play[card].name} and {in_play[caught].name}"
                self._refuse(f"taken.{caught}", "same_card", f"{names} are the same card: only one of them scores.")

    def _check_tricks(self, taken: Taken) -> None:
        """Add a fault for an award that the bidders must have, because they took every trick."""
        if not self.has_every_trick:
            return
        game, rules = self.ruleset.card_points_award, self.ruleset
        for award_id, group, _ in taken.awards:
            if group != 0 and needs_trick(rules, award_id):
                self.faults.append(not_every_trick_fault(rules, self.hand_sides, award_id, group))
                return
        has_game = any(award_id == game for award_id, *_ in taken.awards)
        is_counted = any(self._min_piles) or any((self.entered_card_points or {}).values())
        if game and not has_game and is_counted and 0 not in self.reneging_groups:
            self._refuse(f"taken.{game}", "not_every_trick", f"{rules.game_name} goes to the side with every trick.")

    def _check_same_card_awards(self, taken: Taken) -> None:
        """Add faults if one card wins two awards, but they do not have the same taker.

        An award without a taker is no fault if play may have stopped early.
        """
        rules, groups = self.ruleset, {}
        for award_id in rules.in_play:
            if (side := self.seats.side_of(self.takers.get(award_id))) is not None:
                groups[rules.replaced_award_by_caught.get(award_id, award_id)] = self.hand_sides.group_of(side)
        groups |= {award_id: group for award_id, group, _ in taken.awards}
        for one, other in same_card_awards(rules, self.hand.trump, groups):
            if self.is_cut_short and not {one, other} <= groups.keys():
                continue
            if groups.get(one) != groups.get(other):
                names = f"{rules.awards[one].name} and {rules.awards[other].name}"
                why = f"{names} are the same card here, so one side has both."
                for award_id in (one, other):
                    self._refuse(f"taken.{award_id}", "same_card", why)

    def _scoring_groups(self, award_id: AwardId, *, is_replaced: bool) -> Groups:
        """Return the groups that score an award, adding faults.

        One that `is_replaced` needs no taker: another award for the same card scores instead.
        """
        who, path = self.takers.get(award_id), f"taken.{award_id}"
        taker = None if who is None else find_group(self.seats, self.hand_sides, who, path)
        if isinstance(taker, Refusal):
            self.faults.append(taker)
            return ()
        if who is not None and taker in self.reneging_groups:
            if award_id == self.ruleset.game_award:
                return self._refuse(path, "forfeited", f"{{0}} gave up {self.ruleset.game_name} in this hand.", who)
            if award_id in self.ruleset.awards_lost_by_renege:
                return ()
        if award_id == self.ruleset.card_points_award:
            faults_before = len(self.faults)
            groups = self._game_groups_by_count(taker)
            if self.is_cut_short and who is None:
                del self.faults[faults_before:]
            return groups
        if taker is None:
            if not (is_replaced or self.is_cut_short):
                self._check_untaken(award_id, path)
            return ()
        return self._gift_groups(path, taker) if award_id == self.ruleset.shared_gift else (taker,)

    def _check_untaken(self, award_id: AwardId, path: str) -> None:
        """Add a fault if an award without a taker needs one.

        An award that is usually taken needs at least the entry that nobody took it.
        """
        award, is_surely_taken = self.ruleset.awards[award_id], award_id in self._surely_taken
        if award_id not in self.takers:
            if award_id not in self.ruleset.rare_awards:  # nobody's, unless a taker was entered
                self._refuse(path, "not_named", f"Say who took {award.name}, or that nobody did.")
        elif is_surely_taken or not award.unclaimed:
            hint = _DEAL_AGAIN_HINT if is_surely_taken else ""
            self._refuse(path, "must_be_somebodys", f"Someone has to get {award.name}.{hint}")

    @cached_property
    def _surely_taken(self) -> frozenset[AwardId]:
        """The awards that must have a taker only because every trump is played in this hand.

        Empty for a stored hand.
        """
        is_every_trump_played = self.ruleset.plays_every_trump or plays_every_card(self.ruleset, self.seats)
        return frozenset(self.ruleset.awards_maybe_out_of_play if self.is_new and is_every_trump_played else ())

    def _gift_groups(self, path: str, beggar: int) -> Groups:
        """Return the groups that score the point for begging, if all but the dealer score it.

        Adds a fault if the dealer must be known, but is not.
        """
        groups = range(len(self.hand_sides.groups))
        if len(groups) == 2:
            return (beggar,)
        if self.dealing_side is None:
            return self._refuse(path, "not_named", "Everyone but the dealer gets the gift: say who dealt.")
        return tuple(group for group in groups if group != self.hand_sides.group_of(self.dealing_side))

    @cached_property
    def dealing_side(self) -> SideId | None:
        """The side that dealt; `None` where neither the dealer nor an award scored before play shows it."""
        return dealing_side(self.ruleset, self.seats, self.dealer, self.takers)

    # The award of the most card points (`002`, "Bidding")

    @property
    def _is_all_counted(self) -> bool:
        """Whether the card points of every group were entered."""
        return len(self.entered_card_points or {}) == len(self.hand_sides.groups)

    @cached_property
    def _piles(self) -> Mapping[int, int]:
        """The card points by group, with missing ones computed if possible."""
        counts, groups = self.entered_card_points or {}, range(len(self.hand_sides.groups))
        if self._is_all_counted or not self.has_every_trick:
            return with_last_pile(self.ruleset, self.seats, self.hand_sides, counts)
        # The bidding side took every trick: the others have no card points, and it has at least those of its awards.
        pile = counts.get(0, self._min_piles[0])
        return {**dict.fromkeys(groups, 0), **counts, 0: pile} if pile else counts

    def _game_groups_by_count(self, taker: int | None) -> Groups:
        """Return the groups that score Game, by card points or else as entered.

        Adds faults.
        """
        is_entered, entered = self._is_game_entered, () if taker is None else (taker,)
        game = self.ruleset.game_name
        if is_entered and self.has_every_trick and not self._is_all_counted:
            return entered
        leaders = certain_leaders(self.ruleset, self.hand_sides, self._piles)
        # A stored taker beside a partial count scores as it was entered.
        if leaders is None or not (self._is_all_counted or self.is_new or not is_entered):
            return self._game_groups_as_entered(taker)
        if not self.reneging_groups.isdisjoint(leaders):
            why = f"Say who scores {game}, or nobody: the highest count gave it up."
            return entered if is_entered else self._refuse(self._game_path, "not_named", why)
        tie, is_tied = self.ruleset.points.game_tie, len(leaders) > 1
        if is_tied and tie == "joker_breaks":
            return self._game_groups_by_joker(taker, leaders)
        groups = game_groups_among_leaders(self.ruleset, self.seats, self.hand_sides, leaders, self.dealing_side)
        if groups is None:
            return self._tied_game_taker_without_dealer(taker, leaders)
        if not is_entered or entered == groups or (not entered and len(groups) > 1):
            return groups
        if not is_tied and taker is None:
            return self._refuse_against_count("not_level", f"Someone has to get {game}: {self._deciding_count_text}.")
        if not is_tied:
            why = f"{{0}} can’t have {game}: {self._deciding_count_text}, and the highest count gets it."
            return self._refuse_against_count("lower_count", why, self._game_taker)
        if tie != "non_dealer":
            why = f"The count is tied at {max(self._piles.values())}: {game} can’t go to one side alone."
            return self._refuse_against_count("level", why)
        if not self.is_new and self.seats.side_of(self.dealer) is None:
            return entered if taker in leaders else ()
        why = f"The count is tied: {game} goes to whoever did not deal."
        if not groups:
            why = f"The count is tied between two who did not deal: nobody gets {game}."
        return self._refuse_against_count("level", why)

    def _tied_game_taker_without_dealer(self, taker: int | None, leaders: Groups) -> Groups:
        """Return the entered taker of a tied Game, because the dealer who would decide it is unknown.

        Adds faults. Only one of the `leaders` in card points can score.
        """
        if not self._is_game_entered:
            return self._refuse(self._game_path, "not_named", "The count is tied: say who did not deal, or nobody.")
        if self.is_new and taker is None and len(self.hand_sides.groups) == 2:
            return self._refuse_untaken_tie()
        if self.is_new and taker is not None and taker not in leaders:
            return self._refuse_against_count("lower_count", "The count is tied, and others have more.")
        return (taker,) if taker in leaders else ()

    @property
    def _game_path(self) -> str:
        """The path in a hand's entries to the taker of Game, for faults."""
        return f"taken.{self.ruleset.card_points_award}"

    @property
    def _game_taker(self) -> str:
        """The id of the entered taker of Game; empty where none was entered."""
        return self.takers.get(self.ruleset.card_points_award or "") or ""

    @property
    def _is_game_entered(self) -> bool:
        """Whether a taker of Game was entered, or that nobody took it."""
        return self.ruleset.card_points_award in self.takers

    def _refuse_untaken_tie(self) -> tuple[()]:
        """Add the fault of a tied Game without a taker; return no groups."""
        why = f"Someone has to get {self.ruleset.game_name}: with two sides a tied one is somebody’s too."
        return self._refuse(self._game_path, "must_be_somebodys", why)

    def _refuse_against_count(self, code: RefusalCode, why: str, *people: str) -> tuple[()]:
        """Add the same fault to the taker of Game and to the card points; return no groups."""
        self._refuse(self._game_path, code, why, *people)
        return self._refuse("card_points", code, why, *people)

    @cached_property
    def _joker_groups(self) -> frozenset[int] | None:
        """The groups that took a joker that breaks ties for Game.

        `None` if the game has no such joker, or if a taker was not entered.
        """
        jokers = self.ruleset.tie_breaking_joker_awards
        if not jokers or any(joker not in self.takers for joker in jokers):
            return None
        holders = [find_group(self.seats, self.hand_sides, who, "") for joker in jokers if (who := self.takers[joker])]
        return frozenset(group for group in holders if isinstance(group, int))

    def _game_groups_by_joker(self, taker: int | None, leaders: Groups) -> Groups:
        """Return the group that scores a tied Game by a joker, or else as entered; adds faults.

        Nobody scores if none or several of the `leaders` took a joker. In a stored hand, the entered taker scores.
        """
        is_entered, jokers, game = self._is_game_entered, self._joker_groups, self.ruleset.game_name
        if taker is not None and taker not in leaders:
            why = f"{{0}} can’t have {game}: others have more card points."
            return self._refuse_against_count("lower_count", why, self._game_taker)
        if jokers is not None and (self.is_new or not is_entered):
            won = tuple(group for group in leaders if group in jokers)
            groups = won if len(won) == 1 else ()
            if is_entered and taker not in (groups or (None,)):
                why = f"The count is tied: {game} goes to whoever won a joker, and to nobody if each won one."
                return self._refuse_against_count("level", why)
            return groups
        if not is_entered:
            return self._refuse(self._game_path, "not_named", "The count is tied: say who has the joker, or nobody.")
        return () if taker is None else (taker,)

    def _game_groups_as_entered(self, taker: int | None) -> Groups:
        """Return the groups that score Game as entered, because card points do not decide it; adds faults.

        If nobody took Game and all tied groups score it, both of two groups do.
        """
        counts, tie, group_count = (
            self.entered_card_points or {},
            self.ruleset.points.game_tie,
            len(self.hand_sides.groups),
        )
        if not self._is_game_entered:
            path = self._game_path if self.entered_card_points is None else "card_points"
            return self._refuse(path, "not_named", self._undecided_game_message)
        if taker is not None:
            uncounted = self.ruleset.card_points_in_deck - (sum(counts.values()) if self.is_new else 0)
            pile = counts.get(taker, uncounted)
            max_other_pile = pile if tie in ("joker_breaks", "non_dealer") else pile - 1
            if any(
                number > max_other_pile
                for group, number in counts.items()
                if group != taker and group not in self.reneging_groups
            ):
                why = f"{self.ruleset.game_name} goes to the most card points, and {pile} is not the most."
                return self._refuse_against_count("lower_count", why)
            return (taker,)
        if (
            self.is_new
            and group_count == 2
            and not (self.reneging_groups or self.is_cut_short)
            and self._is_tied_game_always_scored
        ):
            return self._refuse_untaken_tie()
        if tie != "all_tied_score" or self.reneging_groups:
            return ()
        if group_count > 2:
            return self._refuse(
                "card_points", "who_tied", f"Everyone tied shares {self.ruleset.game_name}: enter the card points."
            )
        return tuple(range(group_count))

    @property
    def _deciding_count_text(self) -> str:
        """The part of a message about the card points that decide Game: those of all groups, or the highest."""
        piles = self._piles
        if self._is_all_counted:
            return f"the count is {' to '.join(str(piles[group]) for group in sorted(piles))}"
        return f"one pile has {max(piles.values())} of the {self.ruleset.card_points_in_deck} card points"

    @property
    def _undecided_game_message(self) -> str:
        """The message about what must still be entered to decide who scores Game."""
        if self.entered_card_points and len(self.hand_sides.groups) == 2:
            (pile,) = self.entered_card_points.values() if len(self.entered_card_points) == 1 else (0,)
            deck = self.ruleset.card_points_in_deck
            return f"{pile} of {deck} decides nothing: enter the other pile, or who took {self.ruleset.game_name}."
        return f"Say who took {self.ruleset.game_name}, or the card points of every side."

    @property
    def _is_tied_game_always_scored(self) -> bool:
        """Whether one of two tied groups always scores Game, by not dealing or by a joker."""
        tie = self.ruleset.points.game_tie
        return tie == "non_dealer" or (tie == "joker_breaks" and len(self._joker_groups or ()) == 1)

    def read_by_points(self) -> Taken:
        """Return what each group took by the entered points.

        Adds faults, with which the result is meaningless.
        """
        groups, faults_before = self.hand_sides.groups, len(self.faults)
        counts = None if faults_before or self.entered_card_points is None else self._piles
        sums, faults = sums_by_group(self.seats, self.hand_sides, self.hand.points or {}, "points")
        self.faults += faults
        missing = [i for i in range(len(groups)) if i not in sums]
        if missing and not (self.ruleset.only_bidder_counts and 0 in sums):
            self.faults.append(_missing_sides_fault([groups[i] for i in missing]))
        points = tuple(sums.get(i, 0) for i in range(len(groups)))
        if len(self.faults) > faults_before:
            return Taken(points, (), sum(points))
        decided = None
        if not self.reneging_groups:
            decided = game_groups_by_count(self.ruleset, self.seats, self.hand_sides, counts, self.dealing_side)
        if decided is not None:
            decided = tuple(group for group in decided if group in sums)
        is_complete, must_fit_count = not (missing or self.is_cut_short), self.is_new or self._is_all_counted
        try:
            if not (must_fit_count or can_be_split(self.ruleset, points, self.budget, is_complete, decided)):
                decided = None  # points stored beside a partial count score as they were entered
            why_not = points_problem(self.ruleset, points, self.budget, is_complete=is_complete, game_groups=decided)
            if why_not is None and self.is_new:
                why_not = self._split_problem(points, is_complete, decided)
        except BudgetExceeded as too_many:
            why_not = ("too_many_ways", str(too_many)) if self.is_new else None
        if why_not:
            self._refuse("points", *why_not)
        return Taken(points, (), sum(points), decided)

    def _split_problem(
        self, points: PointsByGroup, is_complete: bool, decided: Groups | None
    ) -> tuple[RefusalCode, str] | None:
        """Return why no cards allow the points by group, as a code and a message, or `None`.

        `is_complete`: the points are all those of a hand played to its end. `decided` are the groups that score Game by
        card points. Raises `BudgetExceeded`.
        """
        rules = self._ruleset_for_this_hand
        if why_not := points_problem(rules, points, self.budget, is_complete=is_complete, game_groups=decided):
            return why_not[0], f"{why_not[1]}{_DEAL_AGAIN_HINT if self._surely_taken else ''}"
        lost = dict.fromkeys(rules.awards_lost_by_renege, self.reneging_groups)
        names = join_words(rules.awards[award_id].name for award_id in rules.in_play if award_id in lost)
        others = range(1, len(points)) if self.has_every_trick else ()
        counts = self._piles if self.entered_card_points is not None else {}
        checks: tuple[tuple[Barred, RefusalCode, str], ...] = (
            (lost, "forfeited", f"Whoever reneged does not score {names}, and these points need that."),
            (
                {award_id: others for award_id in rules.in_play if needs_trick(rules, award_id)},
                "not_every_trick",
                "With every trick the bidding side has every point that is won in one.",
            ),
            (
                {
                    award_id: [group for group, number in counts.items() if number < worth]
                    for award_id, worth in self._card_points_by_award.items()
                },
                "against_the_count",
                "The card points are too few for the cards that these points need.",
            ),
        )
        for barred, code, why in checks:
            if any(barred.values()) and not can_be_split(rules, points, self.budget, is_complete, decided, barred):
                return code, why
        return None

    @cached_property
    def _ruleset_for_this_hand(self) -> Ruleset:
        """The rules, changed as to which awards must have a taker in this hand."""
        rules, tie, game = self.ruleset, self.ruleset.points.game_tie, self.ruleset.card_points_award
        is_game_somebodys = len(self.hand_sides.groups) == 2 and tie in ("non_dealer", "all_tied_score")
        unclaimed_by_award = dict.fromkeys(
            (*self._surely_taken, *([game] if game and is_game_somebodys else ())), False
        )
        if self.reneging_groups:  # what a side gave up is nobody's
            unclaimed_by_award |= dict.fromkeys(rules.awards_lost_by_renege & rules.in_play.keys(), True)
        awards = {
            award_id: rules.awards[award_id].copy_with(unclaimed=unclaimed)
            for award_id, unclaimed in unclaimed_by_award.items()
        }
        return rules.copy_with(awards={**rules.awards, **awards}) if unclaimed_by_award else rules


_DEAL_AGAIN_HINT = " If you can’t tell who had it, deal again."
"""The end of a message about an award that must have a taker, for tables that cannot name one."""


def _not_in_play_message(ruleset: Ruleset, award_id: str) -> str:
    """Return the message for an award that is not in play, or does not exist."""
    if award_id in ruleset.awards:
        return f"{ruleset.awards[award_id].name} is not a point in this game."
    return f"There is no point called {award_id!r}."


def _missing_sides_fault(groups: list[tuple[str, ...]]) -> Refusal:
    """Return the fault of a hand in which some groups have no points entered.

    Each group is given as the ids of its sides.
    """
    slots = iter(range(sum(map(len, groups))))
    names = " and ".join(NAME_SEPARATOR.join(f"{{{next(slots)}}}" for _ in group) for group in groups)
    people = tuple(side for group in groups for side in group)
    return Refusal("points", "side_missing", f"Say how many points {names} took.", people)
