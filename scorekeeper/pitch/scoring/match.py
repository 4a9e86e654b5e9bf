"""Fold hands into a match, one after another.

Undo, a correction and a look at an earlier hand all fold anew.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Literal, NamedTuple

from scorekeeper.pitch.rules.awards import AwardIds
from scorekeeper.pitch.rules.faults import (
    MAX_CARDS_OF_RANK,
    MAX_PENALTY,
    SETTLE_FIRST_MESSAGE,
    Fault,
    FaultsFound,
    HandFault,
    Refusal,
)
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Answers, Ruleset
from scorekeeper.pitch.scoring.auction import contract_of, is_played_without_bid
from scorekeeper.pitch.scoring.award_cards import (
    dealing_side,
    given_award_faults,
    given_award_sides,
    is_pegged_out,
    not_every_trick_fault,
)
from scorekeeper.pitch.scoring.hand import Bid, BySide, Contract, Hand, SideId, SideIds
from scorekeeper.pitch.scoring.hand_score import (
    HandScore,
    Reason,
    ScoreLine,
    award_rules,
    needs_every_trick,
    penalty_lines,
    score_hand,
    score_taken_set,
    with_mistakes,
    with_penalties,
)
from scorekeeper.pitch.scoring.money import Shares, compute_shares, round_to_whole_cents
from scorekeeper.pitch.scoring.outcome import (
    EndQuestion,
    HandEnd,
    Outcome,
    decide_match,
    outcome_by_hands,
    possible_first_peggers,
    thrown_in_outcome,
    turned_card_winner,
)
from scorekeeper.pitch.scoring.search_budget import Budget
from scorekeeper.pitch.scoring.seats import (
    HandSides,
    Seats,
    clockwise_after,
    dealer_after,
    dealer_by_calls,
    divide_sides,
    next_dealer,
    unknown_player_fault,
)
from scorekeeper.pitch.scoring.standing import Standing, best_reached_by_two, comparable_score, is_overtime
from scorekeeper.pitch.scoring.taken import Taken, TakenReader

HandStatus = Literal["bidding", "bid", "scored", "thrown_in", "after_end"]
"""How far a hand is, or why it is not scored.

`after_end`: it does not count, because the match was over or its end was in question.
"""
MatchStatus = Literal["in_progress", "over", "stopped"]


@dataclass(frozen=True, slots=True)
class Start:
    """The scores and counts that a match begins with, as carried over from paper."""

    scores: BySide = field(default_factory=dict)
    hands: int = 0
    """The number of hands scored on paper."""
    sets: BySide = field(default_factory=dict)
    carried: int = 0
    """Points added to Game in the first hand, carried over from a tied Game on paper."""
    reached_by_two: int | None = None
    """The best score that two sides both reached by one hand on paper; `None` if `scores` already show it."""


class HandResult(NamedTuple):
    """One hand of a match, with its score and each side's score after it."""

    number: int
    """The hand's number for the players, from 1; a hand that is dealt again keeps its number."""
    position: int
    """The position in the list of all hands, from 1, counting hands that were dealt again."""
    status: HandStatus
    hand: Hand
    ruleset: Ruleset
    """The rules in force in this hand."""
    scores: BySide
    """Each side's score after the hand."""
    deltas: BySide
    """The change of each side's score by the hand."""
    hand_sides: HandSides
    """The sides in groups that count their points together in this hand."""
    dealer: str | None = None
    next_dealer: str | None = None
    bidder: str | None = None
    """The player who won the bidding, or the side if no player was entered."""
    bid: Bid | None = None
    score: HandScore | None = None
    taken: Taken | None = None
    """What each group took; `None` where nothing was played."""
    overtook_pitch: bool = False
    set_taken_by: str | None = None
    """The dealer, if the dealer went set instead of bidding."""
    standing: Standing | None = None
    """How every side stood after the hand; `None` if it was neither scored nor ended the match."""

    @property
    def bidders(self) -> SideIds:
        """The bidding side, then the side of a called partner; empty if no bid counts."""
        return self.hand_sides.bidders

    @property
    def made(self) -> bool | None:
        """Whether the bid was made; `None` where nobody bid, or where the hand is not scored."""
        return self.score.made if self.score else None

    @property
    def lines(self) -> tuple[ScoreLine, ...]:
        """The score lines of the hand; empty where nothing was scored."""
        return self.score.lines if self.score else ()

    @property
    def points(self) -> BySide:
        """The points that each side took together with its group; empty if nothing was scored."""
        return self.score.points if self.score else {}

    @property
    def bidders_points(self) -> int:
        """The points that all bidders took together; 0 without a bid or a score."""
        return self.points.get(self.bidders[0], 0) if self.bidders else 0

    @property
    def payments(self) -> BySide:
        """The cents that each side gets at once for this hand, negative if it pays; may be empty."""
        return (self.score and self.score.payments) or {}

    @property
    def changes_scores(self) -> bool:
        """Whether the hand was scored, or was thrown in and still changed a score."""
        return self.status == "scored" or any(self.deltas.values())

    @property
    def is_redealt(self) -> bool:
        """Whether the hand is dealt again under the same number; false while it is still being bid."""
        return self.hand.is_redealt and self.status != "bidding"

    @property
    def ended_unplayed(self) -> bool:
        """Whether the hand ended the match although it was thrown in, as by a forfeit."""
        return self.status == "thrown_in" and self.standing is not None

    @property
    def was_stuck(self) -> bool:
        """Whether the dealer was not allowed to pass after all others did, and bid.

        False if no calls were entered.
        """
        has_to = self.ruleset.bidding.all_pass in ("dealer_forced", "may_take_set")
        calls = [call for _, call in self.hand.auction or ()]
        return has_to and self.bidder is not None and self.bidder == self.dealer and set(calls[:-1]) == {"pass"}

    @property
    def was_played(self) -> bool:
        """Whether a scored hand was played; false if it ended before the first card."""
        taken, given = self.hand.taken or {}, self.ruleset.given_awards
        was_cut_short = taken and given and not any(who for award, who in taken.items() if award not in given)
        return self.taken is not None and not was_cut_short

    @property
    def may_be_cut_short(self) -> bool:
        """Whether a side reached the target by pegging during the hand, so that play may have stopped there."""
        sides = self.standing.sides if self.standing else ()
        return self.ruleset.winning.pegged and any(side.is_newly_at_target for side in sides)

    @property
    def _omits_game(self) -> bool:
        """Whether the points add up to all awards except Game, in a game that carries a tied Game over.

        False if another award may be missing.
        """
        rules, game = self.ruleset, self.ruleset.card_points_award
        others = [award for award_id, award in rules.in_play.items() if award_id != game]
        others_are_certain = not (self.may_be_cut_short or any(award.unclaimed for award in others))
        if rules.points.game_tie != "carried_over" or self.taken is None:
            return False
        return others_are_certain and self.taken.claimed == sum(award.points for award in others)

    @property
    def was_stolen(self) -> bool:
        """Whether the dealer stole another player's bid by matching it; false where no calls were entered."""
        calls = self.hand.auction or ()
        return self.bidder == self.dealer and any(call == self.bid and who != self.bidder for who, call in calls)

    @property
    def lost_double(self) -> bool:
        """Whether the dealer outbid a led card, was set, and so lost double the bid."""
        return any("bid.double_loss_on_overtake" in line.rules for line in self.lines)

    @property
    def awards_out_of_play(self) -> AwardIds:
        """The awards that nobody got because their cards were not dealt, or were discarded ("burned").

        Empty if the entries do not show which.
        """
        ruleset, entered, taken = self.ruleset, self.hand.taken, self.taken
        if entered is None or taken is None or ruleset.only_bidder_counts or not self.was_played:
            return ()
        if self.may_be_cut_short:
            return ()
        got = {award for award, *_ in taken.awards}
        got |= {
            card for caught, card in ruleset.replaced_award_by_caught.items() if caught in got
        }  # it was in play, but caught
        return tuple(
            missing
            for missing in ruleset.awards_maybe_out_of_play
            if missing in entered and entered[missing] is None and missing not in got
        )

    @property
    def has_unclaimed_points(self) -> bool:
        """Whether the bidders got only some of the points, and nobody the rest.

        False if only the bidders' points are known.
        """
        others = sum(number for side, number in self.points.items() if side not in self.bidders)
        is_known = not self.ruleset.only_bidder_counts or bool(self.hand.taken)
        return is_known and not others and 0 < self.bidders_points < self.ruleset.points_per_hand

    @property
    def has_tied_game(self) -> bool:
        """Whether nobody scored Game because of a tie in card points."""
        game, taken, entered = self.ruleset.card_points_award, self.taken, self.hand.taken
        if game is None or taken is None:
            return False
        if entered is None:
            return taken.game_groups == () or self._omits_game
        is_known = bool(self.hand.card_points) or (game in entered and not self.may_be_cut_short)
        is_known &= not self.hand.sides_without_game
        return is_known and self.was_played and all(award != game for award, *_ in taken.awards)


class MatchState(NamedTuple):
    """A match after all its hands so far, with everything that the next hand depends on."""

    ruleset: Ruleset
    """The rules in force for the next hand."""
    seats: Seats
    scores: BySide
    """Each side's score after the last hand."""
    sets: BySide
    """How often each side was set in the match, including sets carried over from paper."""
    paid: BySide
    """The cents that each side got for single hands so far, negative if it paid more than it got."""
    set_stakes: BySide
    """The number of sets for which each side pays the winner."""
    hands_scored: int
    """The number of hands scored, including hands carried over from paper."""
    reached_by_two: int | None
    """The best score that two sides both reached by the end of one hand, including hands on paper.

    `None` for one side.
    """
    carried: int
    """Points added to Game in the next hand, carried over from a tied Game."""
    dealer: str | None
    """The player or side that deals the next hand, if known."""
    outcome: Outcome | None
    question: EndQuestion | None = None
    """A question that decides if the last hand ended the match; until it is answered, no later hand counts."""
    results: tuple[HandResult, ...] = ()

    @property
    def next_number(self) -> int:
        """The number of the next hand for the players; a hand dealt again keeps its number."""
        last = self.results[-1] if self.results else None
        return 1 if last is None else last.number + (not last.is_redealt)

    @property
    def open_hand(self) -> HandResult | None:
        """The last hand, if its bidding or who took what is still to be entered."""
        last = self.results[-1] if self.results else None
        return last if last and last.status in ("bidding", "bid") else None

    @property
    def current_number(self) -> int:
        """The number of the open hand, or else of the next one."""
        return self.open_hand.number if self.open_hand else self.next_number

    @property
    def money(self) -> dict[SideId, int] | None:
        """The cents that each side would get if all settled now, negative if it would pay.

        `None` in a game without money.
        """
        if not self.ruleset.is_for_money:
            return None
        return round_to_whole_cents({side: share.owed for side, share in self.shares.items()})

    @property
    def shares(self) -> dict[SideId, Shares]:
        """The exact cents that each side would get if all settled now, by cause; negative if it would pay."""
        return compute_shares(self.ruleset, self.scores, self.paid, self.set_stakes, self.winners)

    @property
    def winners(self) -> SideIds:
        """The sides that have won; empty where none has."""
        return self.outcome.winners if self.outcome else ()

    @property
    def is_overtime(self) -> bool:
        """Whether only a made bid can win now, because two sides were at the target and neither won."""
        return is_overtime(self.ruleset, self.reached_by_two)

    @property
    def goes_on(self) -> bool:
        """Whether another hand would count: nobody has won, and no question about the last hand is unanswered."""
        return self.outcome is None and self.question is None

    @property
    def last_scored(self) -> HandResult | None:
        """The last hand that was scored or ended the match; `None` where there is none."""
        return next((hand for hand in reversed(self.results) if hand.status == "scored" or hand.ended_unplayed), None)

    @property
    def standing(self) -> Standing:
        """How every side stands after the last hand that counts, or before the first.

        While the match goes on, the scores and rules are those for the next hand.
        """
        scored, last = self.last_scored, self.results[-1] if self.results else None
        if scored is None or scored.standing is None:
            return Standing(
                self.ruleset, self.scores, self.scores, reached_by_two=self.reached_by_two, is_end_of_hand=False
            )
        if not self.goes_on or (scored is last and scored.ruleset.winning == self.ruleset.winning):
            return scored.standing
        return replace(
            scored.standing,
            ruleset=self.ruleset,
            before=self.scores,
            scores=self.scores,
            reached_by_two=self.reached_by_two,
            is_end_of_hand=False,
        )


def match_status(state: MatchState, *, stopped: bool) -> MatchStatus:
    """Return whether a match is over, in progress, or was stopped before anybody won."""
    if state.outcome:
        return "over"
    return "stopped" if stopped else "in_progress"


def continuation_key(state: MatchState) -> tuple[object, ...]:
    """Return a key to compare states after the same hand.

    If two keys are equal, later hands score and end alike.
    """
    return (
        tuple(state.scores.items()),
        tuple(state.sets.items()),
        tuple(state.paid.items()),
        tuple(state.set_stakes.items()),
        state.reached_by_two if state.ruleset.winning.tie_rule == "bidder_or_play_on" else None,
        state.carried,
        state.outcome,
        state.question,
    )


class ImpossibleHand(FaultsFound):
    """Raised for a hand that breaks the rules or contradicts the cards.

    `number` is the position of the hand in the match.
    """

    def __init__(self, number: int, faults: Iterable[Fault]) -> None:
        super().__init__(HandFault(number, fault) for fault in faults)


def open_match(ruleset: Ruleset, seats: Seats, start: Start | None = None, dealer: str | None = None) -> MatchState:
    """Return a match before its first hand, with any scores carried over from paper.

    It may already be over if all its hands were played on paper.
    """
    start = start or Start()
    starting_score = ruleset.winning.count_down_from or 0
    scores = {side: start.scores.get(side, starting_score) for side in seats.ids}
    sets = {side: start.sets.get(side, 0) for side in seats.ids}
    return MatchState(
        ruleset=ruleset,
        seats=seats,
        scores=scores,
        sets=sets,
        paid=dict.fromkeys(seats.ids, 0),
        hands_scored=start.hands,
        set_stakes=sets,
        reached_by_two=best_reached_by_two(ruleset, scores, start.reached_by_two),
        carried=start.carried,
        dealer=dealer,
        outcome=outcome_by_hands(ruleset, scores, start.hands) if ruleset.winning.length == "hands" else None,
    )


def replay(
    state: MatchState, hands: Sequence[Hand], *, is_new: bool = False, budget: Budget | None = None
) -> MatchState:
    """Return a match with hands added in order; raises `ImpossibleHand` at the first impossible one.

    Only the last one may be open. For `is_new` and `budget` see `play`.
    """
    budget = budget or Budget()
    for i, hand in enumerate(hands):
        state = play(state, hand, may_be_open=i == len(hands) - 1, is_new=is_new, budget=budget)
    return state


def play(
    state: MatchState, hand: Hand, *, may_be_open: bool = True, is_new: bool = False, budget: Budget | None = None
) -> MatchState:
    """Return a match with one hand added; raises `ImpossibleHand`.

    If it `may_be_open`, the bid or who took what may be missing. A hand that `is_new` must agree with the cards, within
    the `budget` for checking; a stored one scores as it was entered.
    """
    budget = budget or Budget()
    number = len(state.results) + 1
    if not state.goes_on:
        return _add_after_end(state, hand)
    if hand.house:
        ruleset, faults = change_rules(state.ruleset, hand.house)
        if faults:
            raise ImpossibleHand(number, [fault.inside("house") for fault in faults])
        state = state._replace(ruleset=ruleset)
    ruleset, seats = state.ruleset, state.seats
    dealer, contract = _read_bidding(state, hand, number, is_new=is_new)
    is_redealt = hand.thrown_in is not None or (contract.all_passed and not is_played_without_bid(ruleset, contract))
    if problems := _hand_faults(
        ruleset, seats, hand, contract, is_redealt=is_redealt, may_be_open=may_be_open, is_new=is_new
    ):
        raise ImpossibleHand(number, problems)
    if dealer != state.dealer:
        state = state._replace(dealer=dealer)
    if is_redealt:
        return _add_thrown_in(state, hand)
    if contract.set_taken_by:
        score = score_taken_set(ruleset, seats, contract.set_taken_by)
        return _add_scored(state, hand, contract, divide_sides(ruleset, seats, None, None), score, None, budget)
    hand_sides = divide_sides(
        ruleset, seats, contract.bidder, hand.partner, pools_defenders=hand.has_entry_for_defenders
    )
    if not hand.is_played:
        return _add_unscored(
            state,
            hand,
            "bid" if contract.is_bid else "bidding",
            dealer=dealer,
            bidder=contract.bidder,
            bid=contract.bid,
            hand_sides=hand_sides,
            overtook_pitch=contract.overtook_pitch,
        )
    taken = _read_taken(state, hand, contract, hand_sides, budget, is_new=is_new)
    score = score_hand(
        ruleset,
        seats,
        hand_sides,
        contract,
        taken,
        state.scores,
        with_penalties(state.scores, penalty_lines(ruleset, seats, hand)),
        all_tricks=bool(hand.all_tricks),
    )
    return _add_scored(state, hand, contract, hand_sides, score, taken, budget, is_new=is_new)


def _add_after_end(state: MatchState, hand: Hand) -> MatchState:
    """Return a match with an unchecked hand added that does not count.

    The match is over, or has an open question.
    """
    is_known = hand.dealer is not None and state.seats.side_of(hand.dealer) is not None
    dealer = hand.dealer if is_known else dealer_by_calls(state.seats, hand.auction or ())
    contract, _ = contract_of(state.ruleset, state.seats, dealer, hand)
    return _add_unscored(
        state,
        hand,
        "after_end",
        dealer=hand.dealer,
        bidder=contract.bidder or hand.bidder,
        bid=contract.bid if hand.bid is None else hand.bid,
        set_taken_by=contract.set_taken_by,
    )


def change_rules(ruleset: Ruleset, change: Answers) -> tuple[Ruleset, list[Fault]]:
    """Return the rules after a change during a match, and the faults in the change."""
    changed, faults = with_house(ruleset, change)
    if changed.winning.count_down_from != ruleset.winning.count_down_from:
        why = "A match can’t change which way it counts after its first hand."
        faults.append(Refusal("count_down_from", "too_late", why))
    return changed, faults


def _read_bidding(state: MatchState, hand: Hand, number: int, *, is_new: bool) -> tuple[str | None, Contract]:
    """Return the dealer and the contract of a hand; raises `ImpossibleHand`."""
    # In a stored auction the first caller shows who dealt, even where hands before it were deleted or inserted since.
    by_calls = None if is_new else dealer_by_calls(state.seats, hand.auction or ())
    dealer = hand.dealer or by_calls or state.dealer
    if hand.dealer is not None and state.seats.side_of(hand.dealer) is None:
        raise ImpossibleHand(number, [unknown_player_fault("dealer", hand.dealer)])
    contract, faults = contract_of(state.ruleset, state.seats, dealer, hand)
    if faults:
        raise ImpossibleHand(number, faults)
    return contract.dealer or dealer, contract


def _read_taken(
    state: MatchState, hand: Hand, contract: Contract, hand_sides: HandSides, budget: Budget, *, is_new: bool
) -> Taken:
    """Return what each group took in a hand; raises `ImpossibleHand`. For `is_new` see `play`."""
    ruleset, seats, faults = state.ruleset, state.seats, list[Refusal]()
    is_cut_short = is_pegged_out(ruleset, seats, hand, state.scores)
    if ruleset.given_awards and hand.taken:
        faults += given_award_faults(ruleset, seats, state.dealer, hand, state.scores, is_new=is_new)
        given = given_award_sides(ruleset, seats, hand.taken, hand.times)
        is_cut_short |= turned_card_winner(ruleset, state.scores, state.reached_by_two, given) is not None
    rules_with_carried = ruleset.with_carried_points(state.carried)
    reader = TakenReader(rules_with_carried, seats, hand_sides, hand, budget, state.dealer, is_cut_short, is_new)
    taken = reader.read()
    faults += reader.faults
    if taken and not faults and hand.all_tricks and needs_every_trick(ruleset, contract):
        trick_faults = (
            not_every_trick_fault(ruleset, hand_sides, award_id, group)
            for award_id, group, _ in taken.awards
            if group != 0 and ruleset.is_captured(award_id)
        )
        faults += islice(trick_faults, 1)
    if faults or taken is None:
        raise ImpossibleHand(len(state.results) + 1, faults)
    return taken


def _add_unscored(state: MatchState, hand: Hand, status: HandStatus, **result_fields: Any) -> MatchState:
    """Return a match with a hand added that is not scored; `result_fields` sets further fields of its `HandResult`."""
    result = HandResult(
        number=state.next_number,
        position=len(state.results) + 1,
        status=status,
        hand=hand,
        ruleset=state.ruleset,
        scores=state.scores,
        **{
            "deltas": dict.fromkeys(state.scores, 0),
            "hand_sides": divide_sides(state.ruleset, state.seats, None, None),
            **result_fields,
        },
    )
    return state._replace(results=(*state.results, result))


def _add_thrown_in(state: MatchState, hand: Hand) -> MatchState:
    """Return a match with a thrown-in hand added.

    Only mistakes and cards turned up for trump can change a score or end the match.
    """
    dealer = following = state.dealer
    if hand.thrown_in != "misdeal" and state.ruleset.bidding.all_pass == "pass_deal":
        following = dealer_after(state.ruleset, state.seats, dealer)
    ruleset, given = state.ruleset, tuple(given_award_sides(state.ruleset, state.seats, hand.taken or {}, hand.times))
    turned = tuple(
        ScoreLine(side, ruleset.score_sign * ruleset.worth(award), Reason.TOOK, award_rules(award), award)
        for award, side in given
    )
    score = HandScore(turned, dict.fromkeys(state.seats.ids, 0)) if turned else None
    result_fields: dict[str, object] = {}
    if score := with_mistakes(ruleset, state.seats, score, hand, state.scores):
        deltas, scores = score_changes(state, score)
        standing = Standing(ruleset, state.scores, scores, reached_by_two=state.reached_by_two)
        # A penalty cannot end a match, because winning is decided after play.
        outcome = thrown_in_outcome(standing, score, given)
        state = state._replace(scores=scores, paid=_add_by_side(state.paid, score.payments), outcome=outcome)
        result_fields = {"score": score, "deltas": deltas, "standing": standing if outcome else None}
    after = state._replace(dealer=following)
    return _add_unscored(after, hand, "thrown_in", dealer=dealer, next_dealer=following, **result_fields)


def score_changes(state: MatchState, score: HandScore) -> tuple[dict[SideId, int], dict[SideId, int]]:
    """Return the change of each side's score by a hand, and the scores after it."""
    deltas = dict.fromkeys(state.scores, 0)
    for line in score.lines:
        deltas[line.side] += line.points
    return deltas, {side: before + deltas[side] for side, before in state.scores.items()}


def _add_scored(
    state: MatchState,
    hand: Hand,
    contract: Contract,
    hand_sides: HandSides,
    score: HandScore,
    taken: Taken | None,
    budget: Budget,
    *,
    is_new: bool = False,
) -> MatchState:
    """Return a match with a scored hand added; raises `ImpossibleHand`.

    `score` lacks the mistakes, and `taken` is `None` if nobody played. The hand is impossible if its `first_there`
    cannot have been first at the target.
    """
    ruleset = state.ruleset
    score = with_mistakes(ruleset, state.seats, score, hand, state.scores) or score
    deltas, scores = score_changes(state, score)
    sets, hands_scored = _add_by_side(state.sets, score.sets), state.hands_scored + 1
    standing = Standing(
        ruleset,
        state.scores,
        scores,
        hand_sides.bidders,
        score.made,
        state.seats.side_of(contract.set_taken_by),
        state.reached_by_two,
    )
    dealing = dealing_side(ruleset, state.seats, state.dealer, hand.taken or {})
    first_there = state.seats.side_of(hand.first_there)
    end = HandEnd(
        standing,
        score,
        hand_sides,
        taken,
        sets,
        hands_scored,
        dealing,
        hand.sides_without_game,
        first_there,
        state.carried,
    )
    if first_there:
        _check_first_at_target(end, first_there, len(state.results) + 1, is_new=is_new)
    decided = decide_match(end, budget)
    dealer = next_dealer(ruleset, state.seats, state.dealer, contract.bidder, made=score.made)
    result = HandResult(
        number=state.next_number,
        position=len(state.results) + 1,
        status="scored",
        hand=hand,
        ruleset=ruleset,
        scores=scores,
        deltas=deltas,
        dealer=state.dealer,
        next_dealer=dealer,
        bidder=contract.bidder,
        bid=contract.bid,
        score=score,
        hand_sides=hand_sides,
        taken=taken,
        overtook_pitch=contract.overtook_pitch,
        set_taken_by=contract.set_taken_by,
        standing=standing,
    )
    # Every hand of every match comes through here: written out it takes half the time of `_replace`.
    return MatchState(
        ruleset=ruleset,
        seats=state.seats,
        scores=scores,
        sets=sets,
        paid=_add_by_side(state.paid, score.payments),
        set_stakes=_add_by_side(state.set_stakes, score.set_stakes),
        hands_scored=hands_scored,
        reached_by_two=best_reached_by_two(ruleset, scores, state.reached_by_two),
        carried=points_carried_after(state.carried, result),
        dealer=dealer,
        outcome=decided if isinstance(decided, Outcome) else None,
        question=decided if isinstance(decided, EndQuestion) else None,
        results=(*state.results, result),
    )


def points_carried_after(carried: int, result: HandResult) -> int:
    """Return the points that a scored hand adds to Game in the next; 0 unless a tied Game carries over.

    `carried` are those added in this hand.
    """
    rules = result.ruleset
    if rules.points.game_tie != "carried_over" or result.taken is None:
        return 0
    return carried + rules.worth(rules.card_points_award or "") if result.has_tied_game else 0


def _check_first_at_target(end: HandEnd, side: SideId, number: int, *, is_new: bool) -> None:
    """Raise `ImpossibleHand` if the side entered as first at the target cannot have been first.

    In a stored hand, the side need only have reached the target.
    """
    if not any(standing.side == side and standing.is_newly_at_target for standing in end.standing.sides):
        why = "{0} did not reach the target in this hand."
    elif is_new and side not in (possible_first_peggers(end) or (side,)):
        tricks = f"with the tricks, before {end.ruleset.game_name} was counted"
        why = f"{{0}} did not reach the target first: another side reached it {tricks}."
    else:
        return
    raise ImpossibleHand(number, [Refusal("first_there", "not_first", why, (side,))])


def _add_by_side(so_far: BySide, more: BySide | None) -> BySide:
    """Return the sum of two numbers for each side; `None` adds nothing."""
    if not more:
        return so_far
    return {side: number + more.get(side, 0) for side, number in so_far.items()}


SET_REASONS = frozenset({Reason.WENT_SET, Reason.TOOK_SET, Reason.MOON_LOSES, Reason.MOON_TO_MINUS_FOUR})
"""The reasons of score lines by which a side was set."""


@dataclass(frozen=True, slots=True)
class ScoreHistory:
    """One side's score after each hand of a match, and the hands in which it was set."""

    side: SideId
    scores: tuple[int, ...]
    """The score at the start, then after every hand that was scored or changed a score."""
    sets: tuple[int, ...]
    """The hands in which the side was set, as indexes of `scores`."""


def score_histories(state: MatchState) -> tuple[ScoreHistory, ...]:
    """Return each side's scores over a match, and the hands in which it was set.

    Of several hands with the same number, only the last that changed a score is included.
    """
    hands = {hand.number: hand for hand in state.results if hand.changes_scores}.values()
    went_set = [sides_set_in(hand) for hand in hands]
    starting_scores = {
        side: score - sum(hand.deltas[side] for hand in state.results) for side, score in state.scores.items()
    }
    return tuple(
        ScoreHistory(
            side,
            (starting_scores[side], *(hand.scores[side] for hand in hands)),
            tuple(index for index, sides in enumerate(went_set, 1) if side in sides),
        )
        for side in state.seats.ids
    )


def sides_set_in(hand: HandResult) -> frozenset[SideId]:
    """Return the sides that were set in a hand, except on a bid that is only paid in money."""
    return frozenset(line.side for line in hand.lines if line.reason in SET_REASONS)


def first_loser_clockwise(state: MatchState) -> str | None:
    """Return the losing player, or side, who sits first clockwise from the last dealer.

    Of several losers, only those with the worst score count. `None` if nobody has lost.
    """
    if state.outcome is None:
        return None
    lost = state.outcome.losers or tuple(side for side in state.seats.ids if side not in state.winners)
    comparable = {side: comparable_score(state.ruleset, state.scores[side]) for side in lost}
    chairs = state.seats.chairs
    last = next((result.dealer for result in reversed(state.results) if result.dealer in chairs), None)
    losing = [side for side in lost if comparable[side] == min(comparable.values())]
    return next((who for who in clockwise_after(chairs, last) if state.seats.side_of(who) in losing), None)


def _mistake_faults(ruleset: Ruleset, seats: Seats, hand: Hand) -> Iterator[Refusal]:
    """Yield every fault in the entered penalties, points given and forfeits."""
    for name, what in (("penalties", "The penalty of {0}"), ("penalties_to", "What is given to {0}"), ("forfeits", "")):
        for side, number in (getattr(hand, name) or {}).items():
            if side not in seats.ids:
                why = "Give a penalty to a side: there is no side {0}."
                yield Refusal(f"{name}.{side}", "unknown_side", why, (side,))
            elif what and not 1 <= number <= MAX_PENALTY:
                why = f"{what} must be a whole number from 1 to {MAX_PENALTY}. Type nothing for none."
                yield Refusal(f"{name}.{side}", "bad_value", why, (side,))
    for side in hand.sides_without_game if ruleset.game_award not in ruleset.in_play else ():
        yield Refusal(
            f"forfeits.{side}", "not_in_play", f"Nobody scores {ruleset.game_name} here, so nobody can give it up."
        )
    lost = [side for side, what in (hand.forfeits or {}).items() if what == "match"]
    if lost and not set(seats.ids) - set(lost):
        yield Refusal(f"forfeits.{lost[0]}", "all_lost", "Someone has to win: not every side can lose the match.")


def _times_scored_faults(ruleset: Ruleset, hand: Hand) -> Iterator[Refusal]:
    """Yield the faults in `hand.times`, such as a bad count or an award without a taker."""
    for award, times in (hand.times or {}).items():
        if ruleset.points.turned_cards != "each" or award not in ruleset.turned_awards:
            yield Refusal(f"times.{award}", "once_only", "This scores only once in this game.")
        elif not 1 <= times <= MAX_CARDS_OF_RANK:
            yield Refusal(f"times.{award}", "bad_value", f"A deck has four of a rank: enter 1 to {MAX_CARDS_OF_RANK}.")
        elif (hand.taken or {}).get(award) is None:
            yield Refusal(f"times.{award}", "not_named", f"Say who turned up the {ruleset.awards[award].name}.")


def _hand_faults(
    ruleset: Ruleset,
    seats: Seats,
    hand: Hand,
    contract: Contract,
    *,
    is_redealt: bool,
    may_be_open: bool,
    is_new: bool,
) -> list[Refusal]:
    """Return the faults of a hand, except those in its bidding and in who took what.

    For `may_be_open` see `play`, and for `is_new` see `_redeal_faults`.
    """
    problems = [unknown_player_fault(f"sits_in.{who}", who) for who in hand.sits_in or () if who not in seats.players]
    if hand.sits_in and ruleset.is_for_money:
        problems.append(Refusal("sits_in", "settle_first", SETTLE_FIRST_MESSAGE))
    problems += _times_scored_faults(ruleset, hand)
    if hand.has_mistakes:
        problems += _mistake_faults(ruleset, seats, hand)
    if hand.first_there is not None and seats.side_of(hand.first_there) is None:
        problems.append(unknown_player_fault("first_there", hand.first_there))
    elif hand.first_there is not None and not ruleset.winning.pegged:
        why = "Points are counted at the end of the hand here: nobody pegs first."
        problems.append(Refusal("first_there", "not_pegged", why))
    if is_redealt:
        return [*problems, *_redeal_faults(ruleset, hand, is_new=is_new)]
    if contract.set_taken_by:
        return [*problems, *_entered_play_faults(hand, "The dealer went set instead of bidding, so nobody played.")]
    return [
        *problems,
        *_partner_faults(ruleset, seats, hand, contract),
        *_missing_entry_faults(ruleset, hand, contract, may_be_open),
    ]


def _redeal_faults(ruleset: Ruleset, hand: Hand, *, is_new: bool) -> Iterator[Refusal]:
    """Yield the faults of a hand that is dealt again, such as an entered bid.

    Only cards turned up that score may have takers. In a new misdeal none may.
    """
    if hand.thrown_in == "all_passed" and ruleset.bidding.all_pass == "unobliged":
        yield Refusal("thrown_in", "played_unbound", "When everyone passes, nobody is bound, and the hand is played.")
    elif hand.thrown_in == "all_passed" and hand.auction is None:
        if not ruleset.has_bidding:
            yield Refusal("thrown_in", "no_bidding", "Nobody bids in this game, so nobody passes.")
        elif ruleset.bidding.all_pass == "dealer_forced":
            yield Refusal("thrown_in", "dealer_must_bid", "When everyone else passes, the dealer has to bid.")
        elif ruleset.bidding.all_pass == "may_take_set":
            yield Refusal(
                "thrown_in", "dealer_must_choose", "When everyone else passes, the dealer has to bid or go set."
            )
    for name in ("bidder", "bid", "partner", "called"):
        if getattr(hand, name) is not None:
            yield Refusal(name, "thrown_in", "A redealt hand has no bidder, no bid and no partner.")
    if hand.thrown_in == "ran_out" and not ruleset.cards.turned_up:
        yield Refusal("thrown_in", "bad_value", "The deck runs out only where cards are turned up for trump.")
    # A stored misdeal with cards turned up is older than the distinction between a misdeal and a deck that ran out.
    is_scored = hand.thrown_in == "ran_out" or (hand.thrown_in == "misdeal" and not is_new)
    turned = ruleset.turned_awards if ruleset.points.turned_cards == "each" and is_scored else ()
    is_turned = bool(turned) and all(award in turned for award in hand.taken or {})
    yield from _entered_play_faults(replace(hand, taken=None) if is_turned else hand, "Nobody played a redealt hand.")


def _entered_play_faults(hand: Hand, why: str) -> Iterator[Refusal]:
    """Yield a fault, with the message `why`, for each entry about play in a hand that nobody played."""
    for name in ("taken", "points", "card_points"):
        if getattr(hand, name) is not None:
            yield Refusal(name, "not_played", why)


def _partner_faults(ruleset: Ruleset, seats: Seats, hand: Hand, contract: Contract) -> Iterator[Refusal]:
    """Yield the faults in the entries of a called partner and card, such as a missing one."""
    if not ruleset.table.called:
        if hand.partner is not None or hand.alone:
            yield Refusal("partner", "nobody_called", "Nobody calls a partner in this game.")
        if hand.called is not None:
            yield Refusal("called", "nobody_called", "No card is called in this game.")
        return
    if hand.partner is not None:
        who = (hand.partner,)
        if hand.partner not in seats.players:
            yield unknown_player_fault("partner", hand.partner)
        elif hand.partner == contract.bidder:
            yield Refusal("partner", "own_partner", "{0} bid, and can’t be the partner too: choose alone.", who)
    elif hand.is_played and not hand.alone and not is_played_without_bid(ruleset, contract):
        yield Refusal("partner", "no_partner", "Say who held the called card, or that the bidder played alone.")


def _missing_entry_faults(ruleset: Ruleset, hand: Hand, contract: Contract, may_be_open: bool) -> Iterator[Refusal]:
    """Yield a fault for each missing entry, such as the bidder; for `may_be_open` see `play`."""
    if not hand.is_played:
        if hand.card_points is not None:
            yield Refusal(
                "card_points", "not_played", f"There is a count for {ruleset.game_name}, but nobody took anything yet."
            )
        if not may_be_open:
            yield Refusal("taken", "unfinished", "Only the last hand may be unfinished: say who took what.")
        return
    if ruleset.has_bidding and not contract.is_bid and not is_played_without_bid(ruleset, contract):
        yield Refusal("bidder", "no_bidder", "Say who won the bidding, and with what.")
    if needs_every_trick(ruleset, contract) and hand.all_tricks is None:
        yield Refusal(
            "all_tricks", "tricks_not_said", "This bid needs every trick: say whether the bidding side took them."
        )
