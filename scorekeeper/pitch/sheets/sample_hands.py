"""Sample hands for a rule sheet: made-up hands that show how the rules score."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scorekeeper.pitch.rules.awards import AwardId, AwardIds, Trump, TurnedCard
from scorekeeper.pitch.rules.phrases import join_words
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.award_cards import same_card_awards
from scorekeeper.pitch.scoring.hand import Bid, Hand, SideId
from scorekeeper.pitch.scoring.match import HandResult, ImpossibleHand, MatchState, Start, open_match, replay
from scorekeeper.pitch.scoring.seats import NAME_SEPARATOR, Seats, Side

SAMPLE_PLAYERS = ("Ann", "Bea", "Cal", "Dee", "Eve", "Flo")
USUAL_TARGET = 21
"""The target in most sample hands of a game without an agreed target."""


def usual_target(ruleset: Ruleset) -> int:
    """Return the target to assume if none is agreed, which is `USUAL_TARGET`.

    If a single hand is worth more than that, it is a target that a source offers.
    """
    offered_targets = ruleset.sheet.offers.get("target", ()) if ruleset.points_per_hand > USUAL_TARGET else ()
    return next((target for target in offered_targets if isinstance(target, int)), USUAL_TARGET)


_USUAL_NUMBER_OF_PLAYERS, _MAX_PLAYERS_ALONE = 3, 5
"""How many players sit at a sample table without partners: usually, and at most."""
_SCORE_FRACTIONS = ((2, 5), (3, 7), (1, 4), (1, 3), (1, 7))
"""How far each side is on its way to the target before a sample hand: `(2, 5)` is two fifths."""

Takers = Mapping[AwardId, SideId]
"""The side that takes each award, keyed by award."""


@dataclass(frozen=True, slots=True)
class SampleHand:
    """A scored hand at a sample table: the scores before the hand, who took what, and the match after the hand."""

    table: "SampleTable"
    state: MatchState
    scores_before: Mapping[SideId, int]
    """The scores before the hand, keyed by side; in cents that each side has gained if every hand is paid."""
    taken: Takers

    @property
    def result(self) -> HandResult:
        return self.state.results[-1]

    @property
    def bidders(self) -> tuple[SideId, ...]:
        """The side that bid, then the side of any called partner; empty if nobody bid."""
        return self.result.bidders

    @property
    def defenders(self) -> tuple[SideId, ...]:
        """All sides except the bidders."""
        return tuple(side for side in self.state.seats.ids if side not in self.bidders)

    @property
    def has_pooled_defenders(self) -> bool:
        """Whether several sides defend and count their points together."""
        return bool(self.bidders) and self.state.ruleset.pools_defenders and len(self.defenders) > 1


@dataclass(frozen=True, slots=True)
class SampleTable:
    """The rules and seats for sample hands. Ann always bids; where a partner is called, it is Bea."""

    ruleset: Ruleset
    seats: Seats
    assumed_target: int | None = None
    """The target of `ruleset` if nobody agreed on it and it is only assumed; else `None`."""

    @property
    def bidder(self) -> str:
        """The player who bids."""
        return self.seats.players[0]

    @property
    def bidding_side(self) -> SideId:
        """The side that bids."""
        return self.seats.ids[0]

    @property
    def partner(self) -> str | None:
        """The called partner; `None` in a game without one."""
        return self.seats.players[1] if self.ruleset.table.called else None

    @property
    def other_sides(self) -> tuple[SideId, ...]:
        """The sides that play against the bidder, in the order of the seats."""
        return tuple(side for side in self.seats.ids if side != self.partner)[1:]

    @property
    def opponent(self) -> str:
        """A player of the first side that plays against Ann."""
        return self.seats.side(self.other_sides[0]).seats[0]

    @property
    def scores_before(self) -> Mapping[SideId, int]:
        """The scores before a sample hand, like those in the middle of a match, keyed by side."""
        winning = self.ruleset.winning
        goal = winning.count_down_from or winning.target or usual_target(self.ruleset)
        points_gained = [goal * numerator // denominator for numerator, denominator in _SCORE_FRACTIONS]
        scores = [goal - points for points in points_gained] if winning.count_down_from else points_gained
        return dict(zip(self.seats.ids, scores, strict=False))

    def assign_takers(self, lost_awards: Collection[AwardId], max_takers: int = 2, *, is_made: bool = False) -> Takers:
        """Return who takes each usual award: other sides in turn those in `lost_awards`, Ann's side all others.

        At most `max_takers` other sides take any. Two awards for one card have the same taker: Ann's side if her bid
        `is_made`, else the other side.
        """
        other_takers, usual_awards = self.other_sides[:max_takers], self.ruleset.usual_awards
        losses = {
            award: other_takers[index % len(other_takers)]
            for index, award in enumerate(award for award in usual_awards if award in lost_awards)
        }
        taken = {award: losses.get(award, self.bidding_side) for award in usual_awards}
        for awards_for_card in same_card_awards(self.ruleset, None, taken):
            sides = {taken[award] for award in awards_for_card}
            if len(sides) > 1:
                taken |= dict.fromkeys(
                    awards_for_card, self.bidding_side if is_made else (sides - {self.bidding_side}).pop()
                )
        return taken

    def with_awards_before_play(self, taken: Takers) -> Takers:
        """Return `taken` with the awards that are scored before the play, if the game has any.

        The last side, which deals, scores for a card turned up; Ann's side scores for begging.
        """
        ruleset, kinds, given_awards = self.ruleset, self.ruleset.kinds, self.ruleset.given_awards
        if not given_awards:
            return taken
        scoring_ranks = {card.rank for award in taken if isinstance(card := ruleset.trump_by_award[award], Trump)}
        # A card that is turned up is itself out of play.
        turned_awards = [
            award
            for award in given_awards
            if isinstance(kind := kinds[award], TurnedCard) and kind.rank not in scoring_ranks
        ]
        gifts = [award for award in given_awards if award not in ruleset.turned_awards]
        caught_awards = {card: award for award, card in ruleset.replaced_award_by_caught.items()}
        return {
            **dict.fromkeys(turned_awards[:1], self.other_sides[-1]),
            **dict.fromkeys(gifts, self.bidding_side),
            **{
                caught_awards.get(award, award) if side == self.bidding_side else award: side
                for award, side in taken.items()
            },
        }

    def play(
        self,
        bid: Bid | None,
        taken: Takers,
        before: Mapping[SideId, int] = MappingProxyType({}),
        *,
        first_there: SideId | None = None,
    ) -> SampleHand | None:
        """Return a scored hand in which Ann makes `bid` and the takers are `taken`; `None` if the rules forbid it.

        If `bid` is `None`, nobody bids. The scores in `before` replace those in `scores_before`. In a game that pays
        every hand, `before` has no effect, and another hand may be played first.
        """
        before = {**self.scores_before, **before}
        bidder, partner = (self.bidder, self.partner) if bid is not None else (None, None)
        hand = Hand(
            dealer=None if taken.keys().isdisjoint(self.ruleset.given_awards) else self.seats.players[-1],
            bidder=bidder,
            bid=bid,
            partner=partner,
            taken=taken,
            all_tricks=False,
            first_there=first_there,
        )
        if self.ruleset.pays_by_hand:
            return self._play_after_paid_hand(hand, taken)
        state = self._replay((hand,), before)
        if (
            state
            and self.ruleset.money.settles == "average"
            and (odd_cents := -sum(state.scores.values()) % len(before))
        ):
            last_side = self.seats.ids[-1]  # the average is to be even, so that nobody gets an odd cent
            before = {**before, last_side: before[last_side] + odd_cents}
            state = self._replay((hand,), before)
        return SampleHand(self, state, before, taken) if state else None

    def _play_after_paid_hand(self, hand: Hand, taken: Takers) -> SampleHand | None:
        """Return a scored hand in a game that pays every hand, if possible after another hand that was paid.

        The result is `None` if the rules do not allow the hand.
        """
        bid = sample_bid(self.ruleset)
        swapped_sides = {self.bidding_side: self.other_sides[0], self.other_sides[0]: self.bidding_side}
        other_taken = {
            award: swapped_sides.get(side, side)
            for award, side in self.assign_takers(awards_lost_on_made(self.ruleset, bid)).items()
        }
        paid_hand = Hand(bidder=self.opponent, bid=bid, partner=self.partner, taken=other_taken, all_tricks=False)
        state_before = self._replay((paid_hand,), {})
        if state_before and not state_before.outcome and (state := self._replay((paid_hand, hand), {})):
            return SampleHand(self, state, state_before.cents_for_hands, taken)
        state = self._replay((hand,), {})
        return SampleHand(self, state, dict.fromkeys(state.cents_for_hands, 0), taken) if state else None

    def _replay(self, hands: tuple[Hand, ...], scores: Mapping[SideId, int]) -> MatchState | None:
        """Return a match that starts with `scores` and has these hands.

        The result is `None` if the rules forbid a hand, or if the last hand is not scored.
        """
        try:
            state = replay(open_match(self.ruleset, self.seats, Start(scores)), hands, is_new=True)
        except ImpossibleHand:
            return None
        return state if state.results[-1].status == "scored" else None


def sample_table(ruleset: Ruleset) -> SampleTable:
    """Return a table of the fewest players who can be partners; if none can, of usually three who play alone.

    A number of players who may play either way sits alone, unless the sources leave the sides open.
    """
    table = ruleset.table
    fewest_players_in_teams = min(table.partners, default=0)
    # Where this number may play both ways, `seat_table` seats them alone, unless the sources leave it open.
    if fewest_players_in_teams and (table.open or not table.fewest <= fewest_players_in_teams <= table.most):
        players, side_count = SAMPLE_PLAYERS[:fewest_players_in_teams], table.partners[fewest_players_in_teams]
        teams = [players[i::side_count] for i in range(side_count)]
        sides = tuple(
            Side(join_words(team, "&") if len(team) > 2 else NAME_SEPARATOR.join(team), team) for team in teams
        )
    else:
        players = SAMPLE_PLAYERS[: min(max(_USUAL_NUMBER_OF_PLAYERS, table.fewest), table.most, _MAX_PLAYERS_ALONE)]
        sides = tuple(Side(name, (name,)) for name in players)
    return SampleTable(ruleset, Seats(sides, players))


def sample_bid(ruleset: Ruleset) -> int | None:
    """Return a bid between the lowest and the highest that leaves a point to spare, if possible.

    The result is `None` in a game without bidding.
    """
    if not ruleset.has_bidding:
        return None
    lowest_bid, highest_bid = ruleset.min_bid_number, ruleset.max_bid_number
    return max(lowest_bid, min((lowest_bid + highest_bid) // 2, ruleset.points_per_hand - 2))


def awards_lost_on_made(ruleset: Ruleset, bid: int | None, points_over: int = 1) -> AwardIds:
    """Return the awards that a side loses although it makes `bid`, if possible with `points_over` more than it bid.

    If `bid` is `None`, half of all points stands for it.
    """
    total_points, awards = sum(map(ruleset.worth, ruleset.usual_awards)), awards_in_losing_order(ruleset)
    spare_points = total_points - (bid or total_points // 2)
    return _awards_within(ruleset, awards, spare_points - points_over) or _awards_within(ruleset, awards, spare_points)


def awards_lost_on_set(ruleset: Ruleset, bid: int) -> AwardIds:
    """Return the awards that a side loses when it just misses its bid."""
    taken_awards = _awards_within(ruleset, awards_in_losing_order(ruleset)[::-1], bid - 1)
    return tuple(award for award in ruleset.usual_awards if award not in taken_awards)


def awards_in_losing_order(ruleset: Ruleset) -> list[AwardId]:
    """Return the usual awards in the order in which a bidder loses them: Low, then the others from last to first."""
    in_play = ruleset.in_play
    return sorted(ruleset.usual_awards[::-1], key=lambda award: in_play[award].won != "by_low_rule")


def _awards_within(ruleset: Ruleset, awards: Collection[AwardId], points_left: int) -> AwardIds:
    """Return as many of `awards`, in their order, as are worth at most `points_left` together.

    An award that is worth too much is passed over.
    """
    fitting_awards = []
    for award in awards:
        worth = ruleset.worth(award)
        if worth <= points_left:
            fitting_awards.append(award)
            points_left -= worth
    return tuple(fitting_awards)
