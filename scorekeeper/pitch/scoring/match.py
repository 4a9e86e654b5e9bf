"""Fold hands into a match, one after another.

Undo, a correction and a look at an earlier hand all fold the hands again.
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
"""How far a hand is, or why it is not scored. A hand with `after_end` does not count, because the match was over or its
end was in question."""
MatchStatus = Literal["in_progress", "over", "stopped"]


@dataclass(frozen=True, slots=True)
class Start:
    """The scores and counts that a match begins with, as carried over from paper."""

    scores: BySide = field(default_factory=dict)
    hands: int = 0
    """The number of hands scored on paper."""
    sets: BySide = field(default_factory=dict)
    carried: int = 0
    """The points that a tied Game on paper adds to Game in the first hand."""
    reached_by_two: int | None = None
    """The best score that two sides both had after the same hand on paper; `None` if `scores` already show it."""


class HandResult(NamedTuple):
    """One hand of a match, with its score and with each side's score after it."""

    number: int
    """The hand's number for the players, from 1. A hand that is dealt again keeps its number."""
    position: int
    """The position in the list of all hands, from 1, in which each hand that was dealt again has a place of its own."""
    status: HandStatus
    hand: Hand
    ruleset: Ruleset
    """The rules in force in this hand."""
    scores: BySide
    """Each side's score after the hand."""
    deltas: BySide
    """How much each side's score changed in the hand."""
    hand_sides: HandSides
    """The sides in groups that count their points together in this hand."""
    dealer: str | None = None
    next_dealer: str | None = None
    bidder: str | None = None
    """The player who won the bidding, or the side if no player was entered."""
    bid: Bid | None = None
    score: HandScore | None = None
    taken: Taken | None = None
    """What each group took; `None` if nothing was played."""
    overtook_pitch: bool = False
    set_taken_by: str | None = None
    """The dealer, if the dealer went set instead of bidding; otherwise `None`."""
    standing: Standing | None = None
    """How every side stood after the hand; `None` if the hand was not scored and did not end the match."""

    @property
    def bidders(self) -> SideIds:
        """The bidding side, then the side of a called partner; empty if no bid counts."""
        return self.hand_sides.bidders

    @property
    def made(self) -> bool | None:
        """Whether the bid was made; `None` if nobody bid, or if the hand is not scored."""
        return self.score.made if self.score else None

    @property
    def lines(self) -> tuple[ScoreLine, ...]:
        """The score lines of the hand; empty if nothing was scored."""
        return self.score.lines if self.score else ()

    @property
    def points(self) -> BySide:
        """The points that each side took together with its group, keyed by side; empty if nothing was scored."""
        return self.score.points if self.score else {}

    @property
    def bidders_points(self) -> int:
        """The points that all bidders took together; 0 without a bid or a score."""
        return self.points.get(self.bidders[0], 0) if self.bidders else 0

    @property
    def payments(self) -> BySide:
        """The cents that each side gets at once for this hand, keyed by side; negative if it pays. May be empty."""
        return (self.score and self.score.payments) or {}

    @property
    def changes_scores(self) -> bool:
        """Whether the hand was scored, or changed a score although it was thrown in."""
        return self.status == "scored" or any(self.deltas.values())

    @property
    def is_redealt(self) -> bool:
        """Whether the hand is dealt again under the same number.

        As long as the hand is being bid, it is not.
        """
        return self.hand.is_redealt and self.status != "bidding"

    @property
    def ended_unplayed(self) -> bool:
        """Whether the hand ended the match although it was thrown in, as by a forfeit."""
        return self.status == "thrown_in" and self.standing is not None

    @property
    def was_stuck(self) -> bool:
        """Whether the dealer had to bid because all others had passed.

        Without entered calls, it is false.
        """
        must_bid = self.ruleset.bidding.all_pass in ("dealer_forced", "may_take_set")
        calls = [call for _, call in self.hand.auction or ()]
        return must_bid and self.bidder is not None and self.bidder == self.dealer and set(calls[:-1]) == {"pass"}

    @property
    def was_played(self) -> bool:
        """Whether cards were played in a scored hand.

        It is false for a hand that ended before the first card.
        """
        takers, given = self.hand.taken or {}, self.ruleset.given_awards
        was_cut_short = takers and given and not any(who for award, who in takers.items() if award not in given)
        return self.taken is not None and not was_cut_short

    @property
    def may_be_cut_short(self) -> bool:
        """Whether a side reached the target by pegging during the hand, so that play may have stopped there."""
        sides = self.standing.sides if self.standing else ()
        return self.ruleset.winning.pegged and any(side.is_newly_at_target for side in sides)

    @property
    def _omits_game(self) -> bool:
        """Whether the points add up to all awards except Game, in a game that carries a tied Game over.

        It is false if another award may be the missing one.
        """
        rules, game_award = self.ruleset, self.ruleset.card_points_award
        other_awards = [award for award_id, award in rules.in_play.items() if award_id != game_award]
        others_are_certain = not (self.may_be_cut_short or any(award.unclaimed for award in other_awards))
        if rules.points.game_tie != "carried_over" or self.taken is None:
            return False
        return others_are_certain and self.taken.claimed == sum(award.points for award in other_awards)

    @property
    def was_stolen(self) -> bool:
        """Whether the dealer stole another player's bid by matching it.

        Without entered calls, it is false.
        """
        calls = self.hand.auction or ()
        return self.bidder == self.dealer and any(call == self.bid and who != self.bidder for who, call in calls)

    @property
    def lost_double(self) -> bool:
        """Whether the dealer outbid a led card, was set, and so lost double the bid."""
        return any("bid.double_loss_on_overtake" in line.rules for line in self.lines)

    @property
    def awards_out_of_play(self) -> AwardIds:
        """The awards that nobody got because their cards were not dealt or were discarded.

        They are empty if the entries do not show which awards they are.
        """
        ruleset = self.ruleset
        entered_takers = self.hand.taken
        taken = self.taken
        if entered_takers is None or taken is None or ruleset.only_bidder_counts or not self.was_played:
            return ()
        if self.may_be_cut_short:
            return ()
        awards_got = {award for award, *_ in taken.awards}
        awards_got |= {
            replaced for caught, replaced in ruleset.replaced_award_by_caught.items() if caught in awards_got
        }  # it was in play, but caught
        return tuple(
            award_id
            for award_id in ruleset.awards_maybe_out_of_play
            if award_id in entered_takers and entered_takers[award_id] is None and award_id not in awards_got
        )

    @property
    def has_unclaimed_points(self) -> bool:
        """Whether the bidders got only some of the points, and nobody got the others.

        It is false if only the bidders' points are known.
        """
        points_of_others = sum(number for side, number in self.points.items() if side not in self.bidders)
        are_others_known = not self.ruleset.only_bidder_counts or bool(self.hand.taken)
        return are_others_known and not points_of_others and 0 < self.bidders_points < self.ruleset.points_per_hand

    @property
    def has_tied_game(self) -> bool:
        """Whether nobody scored Game because of a tie in card points."""
        game_award = self.ruleset.card_points_award
        taken = self.taken
        entered_takers = self.hand.taken
        if game_award is None or taken is None:
            return False
        if entered_takers is None:
            return taken.game_groups == () or self._omits_game
        is_certain = bool(self.hand.card_points) or (game_award in entered_takers and not self.may_be_cut_short)
        is_certain &= not self.hand.sides_without_game
        return is_certain and self.was_played and all(award != game_award for award, *_ in taken.awards)


class MatchState(NamedTuple):
    """A match after all its hands so far, with everything that the next hand depends on."""

    ruleset: Ruleset
    """The rules in force for the next hand."""
    seats: Seats
    scores: BySide
    """Each side's score after the last hand."""
    sets: BySide
    """How often each side was set in the match, including sets on paper."""
    cents_for_hands: BySide
    """The cents that each side got for single hands so far; negative if it paid more than it got."""
    set_stakes: BySide
    """The number of stakes that each side owes the winner for being set."""
    hands_scored: int
    """The number of hands scored, including hands on paper."""
    reached_by_two: int | None
    """The best score that two sides both had at the end of the same hand, hands on paper included; `None` for a single
    side."""
    carried: int
    """The points that a tied Game adds to Game in the next hand."""
    dealer: str | None
    """The player or side that deals the next hand; `None` if unknown."""
    outcome: Outcome | None
    question: EndQuestion | None = None
    """A question that decides whether the last hand ended the match. Until it is answered, no later hand counts."""
    results: tuple[HandResult, ...] = ()

    @property
    def next_number(self) -> int:
        """The number of the next hand for the players.

        A hand that is dealt again keeps its number.
        """
        last_hand = self.results[-1] if self.results else None
        return 1 if last_hand is None else last_hand.number + (not last_hand.is_redealt)

    @property
    def open_hand(self) -> HandResult | None:
        """The last hand, if its bidding or who took what is still to be entered; otherwise `None`."""
        last_hand = self.results[-1] if self.results else None
        return last_hand if last_hand and last_hand.status in ("bidding", "bid") else None

    @property
    def current_number(self) -> int:
        """The number of the open hand; if there is none, of the next hand."""
        return self.open_hand.number if self.open_hand else self.next_number

    @property
    def money(self) -> dict[SideId, int] | None:
        """The cents that each side would get if all settled now; negative if it would pay.

        It is `None` in a game without money.
        """
        if not self.ruleset.is_for_money:
            return None
        return round_to_whole_cents({side: share.owed_cents for side, share in self.shares.items()})

    @property
    def shares(self) -> dict[SideId, Shares]:
        """The exact cents that each side would get if all settled now, by what they are for.

        They are negative if the side would pay.
        """
        return compute_shares(self.ruleset, self.scores, self.cents_for_hands, self.set_stakes, self.winners)

    @property
    def winners(self) -> SideIds:
        """The sides that have won; empty if none has."""
        return self.outcome.winners if self.outcome else ()

    @property
    def is_overtime(self) -> bool:
        """Whether only a made bid can win now, because two sides were at the target and neither won."""
        return is_overtime(self.ruleset, self.reached_by_two)

    @property
    def goes_on(self) -> bool:
        """Whether another hand would count.

        Nobody has won then, and no question about the last hand is open.
        """
        return self.outcome is None and self.question is None

    @property
    def last_scored(self) -> HandResult | None:
        """The last hand that was scored or ended the match; `None` if there is none."""
        return next((hand for hand in reversed(self.results) if hand.status == "scored" or hand.ended_unplayed), None)

    @property
    def standing(self) -> Standing:
        """How every side stands after the last hand that counts, or before the first hand.

        While the match goes on, the scores and rules are those for the next hand.
        """
        last_scored = self.last_scored
        last_hand = self.results[-1] if self.results else None
        if last_scored is None or last_scored.standing is None:
            return Standing(
                self.ruleset, self.scores, self.scores, reached_by_two=self.reached_by_two, is_end_of_hand=False
            )
        if not self.goes_on or (last_scored is last_hand and last_scored.ruleset.winning == self.ruleset.winning):
            return last_scored.standing
        return replace(
            last_scored.standing,
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
    """Return a key for comparing two states of a match after the same hand.

    If the keys are equal, later hands score and end alike.
    """
    return (
        tuple(state.scores.items()),
        tuple(state.sets.items()),
        tuple(state.cents_for_hands.items()),
        tuple(state.set_stakes.items()),
        state.reached_by_two if state.ruleset.winning.tie_rule == "bidder_or_play_on" else None,
        state.carried,
        state.outcome,
        state.question,
    )


class ImpossibleHand(FaultsFound):
    """Raised for a hand that breaks the rules or contradicts the cards.

    `position` is the position of the hand in the match, from 1.
    """

    def __init__(self, position: int, faults: Iterable[Fault]) -> None:
        super().__init__(HandFault(position, fault) for fault in faults)


def open_match(ruleset: Ruleset, seats: Seats, start: Start | None = None, dealer: str | None = None) -> MatchState:
    """Return a match before its first hand, with any scores that were carried over from paper.

    It may be over already, if all its hands were played on paper.
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
        cents_for_hands=dict.fromkeys(seats.ids, 0),
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

    Only the last hand may be open. Hands that are `is_new` must agree with the cards, as far as the `budget` allows to
    check.
    """
    budget = budget or Budget()
    for i, hand in enumerate(hands):
        state = play(state, hand, may_be_open=i == len(hands) - 1, is_new=is_new, budget=budget)
    return state


def play(
    state: MatchState, hand: Hand, *, may_be_open: bool = True, is_new: bool = False, budget: Budget | None = None
) -> MatchState:
    """Return a match with one hand added; raises `ImpossibleHand`.

    If it `may_be_open`, the bid or who took what may be missing. A hand that `is_new` must agree with the cards, as far
    as the `budget` allows to check. A stored hand scores as it was entered.
    """
    budget = budget or Budget()
    position = len(state.results) + 1
    if not state.goes_on:
        return _add_after_end(state, hand)
    if hand.house:
        ruleset, faults = change_rules(state.ruleset, hand.house)
        if faults:
            raise ImpossibleHand(position, [fault.inside("house") for fault in faults])
        state = state._replace(ruleset=ruleset)
    ruleset, seats = state.ruleset, state.seats
    dealer, contract = _read_bidding(state, hand, position, is_new=is_new)
    is_redealt = hand.thrown_in is not None or (contract.all_passed and not is_played_without_bid(ruleset, contract))
    if hand_faults := _hand_faults(
        ruleset, seats, hand, contract, is_redealt=is_redealt, may_be_open=may_be_open, is_new=is_new
    ):
        raise ImpossibleHand(position, hand_faults)
    if dealer != state.dealer:
        state = state._replace(dealer=dealer)
    if is_redealt:
        return _add_thrown_in(state, hand)
    penalized = with_penalties(state.scores, penalty_lines(ruleset, seats, hand))
    if contract.set_taken_by:
        score = score_taken_set(ruleset, seats, contract.set_taken_by, penalized)
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
        penalized,
        all_tricks=bool(hand.all_tricks),
    )
    return _add_scored(state, hand, contract, hand_sides, score, taken, budget, is_new=is_new)


def _add_after_end(state: MatchState, hand: Hand) -> MatchState:
    """Return a match with a hand added that does not count and is not checked.

    The match is over, or its end is in question.
    """
    is_known_dealer = hand.dealer is not None and state.seats.side_of(hand.dealer) is not None
    dealer = hand.dealer if is_known_dealer else dealer_by_calls(state.seats, hand.auction or ())
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


def change_rules(ruleset: Ruleset, changed_answers: Answers) -> tuple[Ruleset, list[Fault]]:
    """Return the rules after a change during a match, and the faults in the change."""
    changed_ruleset, faults = with_house(ruleset, changed_answers)
    if changed_ruleset.winning.count_down_from != ruleset.winning.count_down_from:
        why = "A match can’t change which way it counts after its first hand."
        faults.append(Refusal("count_down_from", "too_late", why))
    return changed_ruleset, faults


def _read_bidding(state: MatchState, hand: Hand, position: int, *, is_new: bool) -> tuple[str | None, Contract]:
    """Return the dealer and the contract of a hand; raises `ImpossibleHand`.

    `position` is that of the hand in the match.
    """
    # In a stored auction the first caller shows who dealt, even where hands before it were deleted or inserted since.
    dealer_by_first_call = None if is_new else dealer_by_calls(state.seats, hand.auction or ())
    dealer = hand.dealer or dealer_by_first_call or state.dealer
    if hand.dealer is not None and state.seats.side_of(hand.dealer) is None:
        raise ImpossibleHand(position, [unknown_player_fault("dealer", hand.dealer)])
    contract, faults = contract_of(state.ruleset, state.seats, dealer, hand)
    if faults:
        raise ImpossibleHand(position, faults)
    return contract.dealer or dealer, contract


def _read_taken(
    state: MatchState, hand: Hand, contract: Contract, hand_sides: HandSides, budget: Budget, *, is_new: bool
) -> Taken:
    """Return what each group took in a hand; raises `ImpossibleHand`.

    A hand that `is_new` must agree with the cards, as far as the `budget` allows to check.
    """
    ruleset, seats, faults = state.ruleset, state.seats, list[Refusal]()
    is_cut_short = is_pegged_out(ruleset, seats, hand, state.scores)
    if ruleset.given_awards and hand.taken:
        faults += given_award_faults(ruleset, seats, state.dealer, hand, state.scores, is_new=is_new)
        given_sides = given_award_sides(ruleset, seats, hand.taken, hand.times)
        is_cut_short |= turned_card_winner(ruleset, state.scores, state.reached_by_two, given_sides) is not None
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
    """Return a match with a hand added that is not scored.

    `result_fields` are further fields of the hand's `HandResult`.
    """
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
    """Return a match with a hand added that was thrown in.

    Only mistakes and cards turned up for trump can change a score or end the match.
    """
    dealer = dealer_of_next_hand = state.dealer
    if hand.thrown_in != "misdeal" and state.ruleset.bidding.all_pass == "pass_deal":
        dealer_of_next_hand = dealer_after(state.ruleset, state.seats, dealer)
    ruleset = state.ruleset
    given_sides = tuple(given_award_sides(state.ruleset, state.seats, hand.taken or {}, hand.times))
    turned_card_lines = tuple(
        ScoreLine(side, ruleset.score_sign * ruleset.worth(award), Reason.TOOK, award_rules(award), award)
        for award, side in given_sides
    )
    score = HandScore(turned_card_lines, dict.fromkeys(state.seats.ids, 0)) if turned_card_lines else None
    result_fields: dict[str, object] = {}
    if score := with_mistakes(ruleset, state.seats, score, hand, state.scores):
        deltas, scores = score_changes(state, score)
        standing = Standing(ruleset, state.scores, scores, reached_by_two=state.reached_by_two)
        # A penalty cannot end a match, because winning is decided after play.
        outcome = thrown_in_outcome(standing, score, given_sides)
        state = state._replace(
            scores=scores, cents_for_hands=_add_by_side(state.cents_for_hands, score.payments), outcome=outcome
        )
        result_fields = {"score": score, "deltas": deltas, "standing": standing if outcome else None}
    state_after = state._replace(dealer=dealer_of_next_hand)
    return _add_unscored(
        state_after, hand, "thrown_in", dealer=dealer, next_dealer=dealer_of_next_hand, **result_fields
    )


def score_changes(state: MatchState, score: HandScore) -> tuple[dict[SideId, int], dict[SideId, int]]:
    """Return how much a hand changes each side's score, and the scores after it."""
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
    """Return a match with a scored hand added.

    `score` does not have the hand's mistakes yet, and `taken` is `None` if nobody played. Raises `ImpossibleHand` if
    the side in `first_there` cannot have been first at the target.
    """
    ruleset = state.ruleset
    score = with_mistakes(ruleset, state.seats, score, hand, state.scores) or score
    deltas, scores = score_changes(state, score)
    sets = _add_by_side(state.sets, score.sets)
    hands_scored = state.hands_scored + 1
    standing = Standing(
        ruleset,
        state.scores,
        scores,
        hand_sides.bidders,
        score.made,
        state.seats.side_of(contract.set_taken_by),
        state.reached_by_two,
    )
    side_that_dealt = dealing_side(ruleset, state.seats, state.dealer, hand.taken or {})
    first_there = state.seats.side_of(hand.first_there)
    end = HandEnd(
        standing,
        score,
        hand_sides,
        taken,
        sets,
        hands_scored,
        side_that_dealt,
        hand.sides_without_game,
        first_there,
        state.carried,
    )
    if first_there:
        _check_first_at_target(end, first_there, len(state.results) + 1, is_new=is_new)
    decision = decide_match(end, budget)
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
        cents_for_hands=_add_by_side(state.cents_for_hands, score.payments),
        set_stakes=_add_by_side(state.set_stakes, score.set_stakes),
        hands_scored=hands_scored,
        reached_by_two=best_reached_by_two(ruleset, scores, state.reached_by_two),
        carried=points_carried_after(state.carried, result),
        dealer=dealer,
        outcome=decision if isinstance(decision, Outcome) else None,
        question=decision if isinstance(decision, EndQuestion) else None,
        results=(*state.results, result),
    )


def points_carried_after(carried_points: int, result: HandResult) -> int:
    """Return the points that a scored hand adds to Game in the next one; 0 unless a tied Game carries over.

    `carried_points` are those that were added in this hand.
    """
    rules = result.ruleset
    if rules.points.game_tie != "carried_over" or result.taken is None:
        return 0
    return carried_points + rules.worth(rules.card_points_award or "") if result.has_tied_game else 0


def _check_first_at_target(end: HandEnd, side: SideId, position: int, *, is_new: bool) -> None:
    """Raise `ImpossibleHand` if the side entered as first at the target cannot have been first.

    In a stored hand, it is enough that the side reached the target.
    """
    if not any(side_standing.side == side and side_standing.is_newly_at_target for side_standing in end.standing.sides):
        why = "{0} did not reach the target in this hand."
    elif is_new and side not in (possible_first_peggers(end) or (side,)):
        how = f"with the tricks, before {end.ruleset.game_name} was counted"
        why = f"{{0}} did not reach the target first: another side reached it {how}."
    else:
        return
    raise ImpossibleHand(position, [Refusal("first_there", "not_first", why, (side,))])


def _add_by_side(numbers: BySide, added_numbers: BySide | None) -> BySide:
    """Return the sum of two numbers for each side; `None` adds nothing."""
    if not added_numbers:
        return numbers
    return {side: number + added_numbers.get(side, 0) for side, number in numbers.items()}


SET_REASONS = frozenset({Reason.WENT_SET, Reason.TOOK_SET, Reason.MOON_LOSES, Reason.MOON_TO_MINUS_FOUR})
"""The reasons of score lines by which a side was set."""


@dataclass(frozen=True, slots=True)
class ScoreHistory:
    """One side's score after each hand of a match, and the hands in which it was set."""

    side: SideId
    scores: tuple[int, ...]
    """The score at the start, and then after every hand that was scored or changed a score."""
    sets: tuple[int, ...]
    """The hands in which the side was set, as indexes of `scores`."""


def score_histories(state: MatchState) -> tuple[ScoreHistory, ...]:
    """Return each side's scores over a match, and the hands in which it was set.

    Of several hands with the same number, only the last that changed a score is there.
    """
    scoring_hands = {hand.number: hand for hand in state.results if hand.changes_scores}.values()
    sides_set_by_hand = [sides_set_in(hand) for hand in scoring_hands]
    starting_scores = {
        side: score - sum(hand.deltas[side] for hand in state.results) for side, score in state.scores.items()
    }
    return tuple(
        ScoreHistory(
            side,
            (starting_scores[side], *(hand.scores[side] for hand in scoring_hands)),
            tuple(index for index, sides in enumerate(sides_set_by_hand, 1) if side in sides),
        )
        for side in state.seats.ids
    )


def sides_set_in(hand: HandResult) -> frozenset[SideId]:
    """Return the sides that were set in a hand, apart from a bid that is only paid in money."""
    return frozenset(line.side for line in hand.lines if line.reason in SET_REASONS)


def first_loser_clockwise(state: MatchState) -> str | None:
    """Return the losing player, or side, who sits first clockwise from the last dealer.

    Of several losers, only those with the worst score count. If nobody has lost, return `None`.
    """
    if state.outcome is None:
        return None
    losers = state.outcome.losers or tuple(side for side in state.seats.ids if side not in state.winners)
    comparable_scores = {side: comparable_score(state.ruleset, state.scores[side]) for side in losers}
    chairs = state.seats.chairs
    last_dealer = next((result.dealer for result in reversed(state.results) if result.dealer in chairs), None)
    worst_losers = [side for side in losers if comparable_scores[side] == min(comparable_scores.values())]
    return next((who for who in clockwise_after(chairs, last_dealer) if state.seats.side_of(who) in worst_losers), None)


def _mistake_faults(ruleset: Ruleset, seats: Seats, hand: Hand) -> Iterator[Refusal]:
    """Yield the faults in the entered penalties, points given and forfeits."""
    for name, subject in (
        ("penalties", "The penalty of {0}"),
        ("penalties_to", "What is given to {0}"),
        ("forfeits", ""),
    ):
        for side, entry in (getattr(hand, name) or {}).items():
            if side not in seats.ids:
                why = "Give a penalty to a side: there is no side {0}."
                yield Refusal(f"{name}.{side}", "unknown_side", why, (side,))
            elif subject and not 1 <= entry <= MAX_PENALTY:
                why = f"{subject} must be a whole number from 1 to {MAX_PENALTY}. Type nothing for none."
                yield Refusal(f"{name}.{side}", "bad_value", why, (side,))
    for side in hand.sides_without_game if ruleset.game_award not in ruleset.in_play else ():
        yield Refusal(
            f"forfeits.{side}", "not_in_play", f"Nobody scores {ruleset.game_name} here, so nobody can give it up."
        )
    match_losers = [side for side, forfeit in (hand.forfeits or {}).items() if forfeit == "match"]
    if match_losers and not set(seats.ids) - set(match_losers):
        yield Refusal(
            f"forfeits.{match_losers[0]}", "all_lost", "Someone has to win: not every side can lose the match."
        )


def _times_scored_faults(ruleset: Ruleset, hand: Hand) -> Iterator[Refusal]:
    """Yield the faults in `hand.times`, such as a wrong number or an award without a taker."""
    for award, count in (hand.times or {}).items():
        if ruleset.points.turned_cards != "each" or award not in ruleset.turned_awards:
            yield Refusal(f"times.{award}", "once_only", "This scores only once in this game.")
        elif not 1 <= count <= MAX_CARDS_OF_RANK:
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
    """Return the faults of a hand, apart from those in its bidding and in who took what.

    If it `may_be_open`, who took what may be missing. `is_new` is whether the hand is being entered now.
    """
    faults = [unknown_player_fault(f"sits_in.{who}", who) for who in hand.sits_in or () if who not in seats.players]
    if hand.sits_in and ruleset.is_for_money:
        faults.append(Refusal("sits_in", "settle_first", SETTLE_FIRST_MESSAGE))
    faults += _times_scored_faults(ruleset, hand)
    if hand.has_mistakes:
        faults += _mistake_faults(ruleset, seats, hand)
    if hand.first_there is not None and seats.side_of(hand.first_there) is None:
        faults.append(unknown_player_fault("first_there", hand.first_there))
    elif hand.first_there is not None and not ruleset.winning.pegged:
        why = "Points are counted at the end of the hand here: nobody pegs first."
        faults.append(Refusal("first_there", "not_pegged", why))
    if is_redealt:
        return [*faults, *_redeal_faults(ruleset, hand, is_new=is_new)]
    if contract.set_taken_by:
        return [*faults, *_entered_play_faults(hand, "The dealer went set instead of bidding, so nobody played.")]
    return [
        *faults,
        *_partner_faults(ruleset, seats, hand, contract),
        *_missing_entry_faults(ruleset, hand, contract, may_be_open),
    ]


def _redeal_faults(ruleset: Ruleset, hand: Hand, *, is_new: bool) -> Iterator[Refusal]:
    """Yield the faults of a hand that is dealt again, such as an entered bid.

    Only awards for cards turned up may have takers. In a misdeal that `is_new`, no award may.
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
    scoring_awards = ruleset.turned_awards if ruleset.points.turned_cards == "each" and is_scored else ()
    has_only_turned_awards = bool(scoring_awards) and all(award in scoring_awards for award in hand.taken or {})
    yield from _entered_play_faults(
        replace(hand, taken=None) if has_only_turned_awards else hand, "Nobody played a redealt hand."
    )


def _entered_play_faults(hand: Hand, why: str) -> Iterator[Refusal]:
    """Yield a fault for each entry about the play of a hand that nobody played.

    `why` is the message of the faults.
    """
    for name in ("taken", "points", "card_points"):
        if getattr(hand, name) is not None:
            yield Refusal(name, "not_played", why)


def _partner_faults(ruleset: Ruleset, seats: Seats, hand: Hand, contract: Contract) -> Iterator[Refusal]:
    """Yield the faults in the entries of a called partner and card, such as a missing partner."""
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
    """Yield a fault for each missing entry, such as the bidder.

    If the hand `may_be_open`, who took what may be missing.
    """
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
