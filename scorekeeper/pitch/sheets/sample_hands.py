"""Sample hands for a rule sheet: who sits at the table, who bids, and who takes what."""

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
"""The target of most sample hands if none is agreed."""


def usual_target(ruleset: Ruleset) -> int:
    """Return the target to assume if none is agreed.

    It is `USUAL_TARGET`, or one that a source offers if a single hand is worth more.
    """
    offered = ruleset.sheet.offers.get("target", ()) if ruleset.points_per_hand > USUAL_TARGET else ()
    return next((target for target in offered if isinstance(target, int)), USUAL_TARGET)


_USUAL_NUMBER_OF_PLAYERS, _MAX_PLAYERS_ALONE = 3, 5
"""The usual and the greatest number of players at a sample table without partners."""
_SCORE_FRACTIONS = ((2, 5), (3, 7), (1, 4), (1, 3), (1, 7))
"""How far each side is on its way to the target before a sample hand, as fractions."""

Takers = Mapping[AwardId, SideId]
"""The side that takes each award."""


@dataclass(frozen=True, slots=True)
class SampleHand:
    """A scored hand at a sample table: what each side had before it, who took what, and the match after it."""

    table: "SampleTable"
    state: MatchState
    before: Mapping[SideId, int]
    """The scores before the hand, or the cents that each side has got if every hand is paid."""
    taken: Takers

    @property
    def result(self) -> HandResult:
        return self.state.results[-1]

    @property
    def bidders(self) -> tuple[SideId, ...]:
        """The side that bid, then the side of a called partner; empty if nobody bid."""
        return self.result.bidders

    @property
    def defenders(self) -> tuple[SideId, ...]:
        """Every side but the bidders."""
        return tuple(side for side in self.state.seats.ids if side not in self.bidders)

    @property
    def has_pooled_defenders(self) -> bool:
        """Whether several sides defend, and count their points together."""
        return bool(self.bidders) and self.state.ruleset.pools_defenders and len(self.defenders) > 1


@dataclass(frozen=True, slots=True)
class SampleTable:
    """The rules and seats for sample hands; Ann bids, and Bea is any called partner."""

    ruleset: Ruleset
    seats: Seats
    assumed_target: int | None = None
    """The target of `ruleset` if that was only assumed; `None` otherwise."""

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
        """The sides that play against the bidder."""
        return tuple(side for side in self.seats.ids if side != self.partner)[1:]

    @property
    def opponent(self) -> str:
        """A player who plays against Ann."""
        return self.seats.side(self.other_sides[0]).seats[0]

    @property
    def scores_before(self) -> Mapping[SideId, int]:
        """The scores before a sample hand, as in the middle of a match."""
        winning = self.ruleset.winning
        goal = winning.count_down_from or winning.target or usual_target(self.ruleset)
        points_gained = [goal * numerator // denominator for numerator, denominator in _SCORE_FRACTIONS]
        scores = [goal - points for points in points_gained] if winning.count_down_from else points_gained
        return dict(zip(self.seats.ids, scores, strict=False))

    def assign_takers(self, lost: Collection[AwardId], max_takers: int = 2, *, is_made: bool = False) -> Takers:
        """Return who takes each usual award: the other sides in turn for those in `lost`, else Ann's side.

        `max_takers` is the most other sides that take any. Of two awards for one card, one side takes both: Ann's if
        her bid `is_made`, or else the other.
        """
        others, usual = self.other_sides[:max_takers], self.ruleset.usual_awards
        in_turn = {award: others[i % len(others)] for i, award in enumerate(award for award in usual if award in lost)}
        taken = {award: in_turn.get(award, self.bidding_side) for award in usual}
        for pair in same_card_awards(self.ruleset, None, taken):
            sides = {taken[award] for award in pair}
            if len(sides) > 1:
                taken |= dict.fromkeys(pair, self.bidding_side if is_made else (sides - {self.bidding_side}).pop())
        return taken

    def with_awards_before_play(self, taken: Takers) -> Takers:
        """Return `taken` with awards from before the play, if the game has any.

        The last side, which deals, gets one for a card turned up, and Ann for begging.
        """
        ruleset, kinds, given = self.ruleset, self.ruleset.kinds, self.ruleset.given_awards
        if not given:
            return taken
        scoring_ranks = {card.rank for award in taken if isinstance(card := ruleset.trump_by_award[award], Trump)}
        # A card that is turned up is itself out of play.
        turned = [
            award for award in given if isinstance(kind := kinds[award], TurnedCard) and kind.rank not in scoring_ranks
        ]
        gifts = [award for award in given if award not in ruleset.turned_awards]
        caught = {card: award for award, card in ruleset.replaced_award_by_caught.items()}
        return {
            **dict.fromkeys(turned[:1], self.other_sides[-1]),
            **dict.fromkeys(gifts, self.bidding_side),
            **{caught.get(award, award) if side == self.bidding_side else award: side for award, side in taken.items()},
        }

    def play(
        self,
        bid: Bid | None,
        taken: Takers,
        before: Mapping[SideId, int] = MappingProxyType({}),
        *,
        first_there: SideId | None = None,
    ) -> SampleHand | None:
        """Return a scored hand with these takers, in which Ann bids; `None` if the rules do not allow it.

        Without a `bid` nobody bids, and `before` replaces some of `scores_before`. If every hand is paid, another hand
        may come first and `before` has no effect.
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
            and (remainder := -sum(state.scores.values()) % len(before))
        ):
            last = self.seats.ids[-1]  # the average is to be even, so that nobody gets an odd cent
            before = {**before, last: before[last] + remainder}
            state = self._replay((hand,), before)
        return SampleHand(self, state, before, taken) if state else None

    def _play_after_paid_hand(self, hand: Hand, taken: Takers) -> SampleHand | None:
        """Return a scored hand, after another one that was paid if possible.

        `None` if the rules do not allow it.
        """
        bid = sample_bid(self.ruleset)
        swap = {self.bidding_side: self.other_sides[0], self.other_sides[0]: self.bidding_side}
        other_taken = {
            award: swap.get(side, side)
            for award, side in self.assign_takers(awards_lost_on_made(self.ruleset, bid)).items()
        }
        paid_hand = Hand(bidder=self.opponent, bid=bid, partner=self.partner, taken=other_taken, all_tricks=False)
        earlier = self._replay((paid_hand,), {})
        if earlier and not earlier.outcome and (state := self._replay((paid_hand, hand), {})):
            return SampleHand(self, state, earlier.cents_for_hands, taken)
        state = self._replay((hand,), {})
        return SampleHand(self, state, dict.fromkeys(state.cents_for_hands, 0), taken) if state else None

    def _replay(self, hands: tuple[Hand, ...], scores: Mapping[SideId, int]) -> MatchState | None:
        """Return a match with these hands, from these scores.

        `None` if a hand is not allowed, or if the last is not scored.
        """
        try:
            state = replay(open_match(self.ruleset, self.seats, Start(scores)), hands, is_new=True)
        except ImpossibleHand:
            return None
        return state if state.results[-1].status == "scored" else None


def sample_table(ruleset: Ruleset) -> SampleTable:
    """Return a table of the fewest players who can be partners, or else of usually three players alone.

    Players who may play both ways are alone, unless they pick the sides.
    """
    table = ruleset.table
    fewest_partners = min(table.partners, default=0)
    # Where this number may play both ways, `seat_table` seats them alone, unless the sources leave it open.
    if fewest_partners and (table.open or not table.fewest <= fewest_partners <= table.most):
        players, number_of_sides = SAMPLE_PLAYERS[:fewest_partners], table.partners[fewest_partners]
        teams = [players[i::number_of_sides] for i in range(number_of_sides)]
        sides = tuple(
            Side(join_words(team, "&") if len(team) > 2 else NAME_SEPARATOR.join(team), team) for team in teams
        )
    else:
        players = SAMPLE_PLAYERS[: min(max(_USUAL_NUMBER_OF_PLAYERS, table.fewest), table.most, _MAX_PLAYERS_ALONE)]
        sides = tuple(Side(name, (name,)) for name in players)
    return SampleTable(ruleset, Seats(sides, players))


def sample_bid(ruleset: Ruleset) -> int | None:
    """Return a bid of middle height, if possible with a point to spare when made.

    `None` in a game without bidding.
    """
    if not ruleset.has_bidding:
        return None
    bottom, top = ruleset.min_bid_number, ruleset.max_bid_number
    return max(bottom, min((bottom + top) // 2, ruleset.points_per_hand - 2))


def awards_lost_on_made(ruleset: Ruleset, bid: int | None, over: int = 1) -> AwardIds:
    """Return the awards that a side loses while making its bid, if possible with `over` points to spare.

    Without a `bid`, half the points stand for one.
    """
    total, awards = sum(map(ruleset.worth, ruleset.usual_awards)), awards_in_losing_order(ruleset)
    spare = total - (bid or total // 2)
    return _awards_within(ruleset, awards, spare - over) or _awards_within(ruleset, awards, spare)


def awards_lost_on_set(ruleset: Ruleset, bid: int) -> AwardIds:
    """Return the awards that a side loses when it only just misses its bid."""
    taken = _awards_within(ruleset, awards_in_losing_order(ruleset)[::-1], bid - 1)
    return tuple(award for award in ruleset.usual_awards if award not in taken)


def awards_in_losing_order(ruleset: Ruleset) -> list[AwardId]:
    """Return the usual awards, in the order that sample hands lose them: Low, then the others from last to first."""
    in_play = ruleset.in_play
    return sorted(ruleset.usual_awards[::-1], key=lambda award: in_play[award].won != "by_low_rule")


def _awards_within(ruleset: Ruleset, awards: Collection[AwardId], limit: int) -> AwardIds:
    """Return the awards, tried in order, that fit within a total worth of `limit`."""
    found = []
    for award in awards:
        worth = ruleset.worth(award)
        if worth <= limit:
            found.append(award)
            limit -= worth
    return tuple(found)
