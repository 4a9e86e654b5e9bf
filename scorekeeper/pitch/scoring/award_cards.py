"""What the cards behind awards tell about who took an award, who dealt, and who scores Game.

Some awards are scored before play: those for a card turned up for trump, and the gift to a player who begs.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat

from scorekeeper.pitch.rules.awards import (
    AwardId,
    AwardKind,
    CaughtTrump,
    GamePoint,
    HighestSpade,
    HighestTrump,
    LowestTrump,
    OffTrump,
    OneTrump,
    PlainCard,
    Rank,
    Trump,
    TurnedCard,
)
from scorekeeper.pitch.rules.faults import Refusal
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import BySide, Hand, SideId
from scorekeeper.pitch.scoring.seats import NAME_SEPARATOR, Groups, HandSides, Seats, dealer_after
from scorekeeper.pitch.scoring.standing import has_reached_target


def award_card_rank(kind: AwardKind) -> Rank:
    """Return the rank of the one card that an award of this kind is for; empty for all other kinds."""
    match kind:
        case OneTrump(Trump(rank) | OffTrump(rank)) | PlainCard(rank) | CaughtTrump(Trump(rank)):
            return rank
        case _:
            return ""


def needs_trick(ruleset: Ruleset, award_id: AwardId) -> bool:
    """Return whether only a side that wins a trick can get an award.

    The card of High wins its own trick, unless the order of trumps is reversed.
    """
    wins_own = isinstance(ruleset.kinds[award_id], HighestTrump) and not ruleset.points.reverse
    return wins_own or ruleset.is_captured(award_id)


def not_every_trick_fault(ruleset: Ruleset, hand_sides: HandSides, award_id: AwardId, group: int) -> Refusal:
    """Return the fault of a hand in which bidders have every trick, but `group` has an award that needs one."""
    who = hand_sides.groups[group]
    slots = NAME_SEPARATOR.join(f"{{{i}}}" for i in range(len(who)))
    # A house's name for an award may have braces, which are not slots for names of people.
    award = ruleset.awards[award_id].name.replace("{", "{{").replace("}", "}}")
    why = f"{slots} took {award}, so the bidding side cannot have taken every trick."
    return Refusal("all_tricks", "not_every_trick", why, who)


def same_card_awards(
    ruleset: Ruleset, trump: str | None, taken_awards: Mapping[AwardId, object]
) -> Iterator[tuple[AwardId, AwardId]]:
    """Yield each pair of awards that one card scores, such as High and Jack, so that one side takes both.

    The keys of `taken_awards` are the awards taken in the hand. A pair that they do not prove is left out.
    """
    kinds = {award_id: ruleset.kinds[award_id] for award_id in ruleset.in_play}
    highest, lowest, spade, game = (
        next((award_id for award_id, kind in kinds.items() if isinstance(kind, wanted)), None)
        for wanted in (HighestTrump, LowestTrump, HighestSpade, GamePoint)
    )
    award_by_rank = {
        kind.card.rank: award_id
        for award_id, kind in kinds.items()
        if isinstance(kind, OneTrump) and isinstance(kind.card, Trump)
    }
    off_ranks = {
        kind.card.rank for kind in kinds.values() if isinstance(kind, OneTrump) and isinstance(kind.card, OffTrump)
    }
    ranks = ruleset.cards.deck_ranks
    # Below the first of these ranks, a joker or a card of the other suit may be the highest trump.
    outranking = off_ranks | ({"J"} if ruleset.points.jokers else set())
    high_ranks = ranks[: next((i for i, rank in enumerate(ranks, 1) if rank in outranking), None)]
    if highest and not ruleset.points.reverse:
        if (card := _first_in_play(high_ranks, award_by_rank, taken_awards)) is not None:
            yield highest, card
        is_spade = not outranking or any(award_by_rank.get(rank) in taken_awards for rank in high_ranks)
        if trump == "spades" and spade and is_spade:
            yield highest, spade
    if lowest and not ruleset.points.reverse and ranks[-1] not in off_ranks:
        card = _first_in_play(ranks[::-1], award_by_rank, taken_awards)
        if card is not None and ruleset.is_captured(card) == ruleset.is_captured(lowest):
            yield lowest, card
    if game and ruleset.how_won(game) == "captured" and "10" in award_by_rank:
        yield game, award_by_rank["10"]


def _first_in_play(
    ranks: Sequence[Rank], award_by_rank: Mapping[Rank, AwardId], taken_awards: Mapping[AwardId, object]
) -> AwardId | None:
    """Return the award for the first card of `ranks` that was in play in the hand; `None` where that is not known.

    `award_by_rank` has the awards for single cards.
    """
    for rank in ranks:
        if rank not in award_by_rank:
            return None  # nobody enters whether a card without an award was in play
        if award_by_rank[rank] in taken_awards:
            return award_by_rank[rank]
    return None


Takers = Mapping[AwardId, SideId | None]
"""The entered taker of each award; `None`, an unknown id, or a role such as `BIDDERS` counts as nobody."""


def dealing_side(ruleset: Ruleset, seats: Seats, dealer: str | None, takers: Takers) -> SideId | None:
    """Return the side that dealt; `None` where neither the dealer nor an award scored before play shows it."""
    if (dealing := seats.side_of(dealer)) is not None:
        return dealing
    for award_id, side in given_award_sides(ruleset, seats, takers):
        if award_id in ruleset.turned_awards:
            return side
        if len(seats.ids) == 2:
            return next(other for other in seats.ids if other != side)
    return None


def given_award_faults(
    ruleset: Ruleset,
    seats: Seats,
    dealer: str | None,
    hand: Hand,
    scores: BySide,
    *,
    is_new: bool,
) -> Iterator[Refusal]:
    """Yield a fault for each award scored before play that was entered for a side that cannot have got it.

    `scores` are those before the hand. In a hand that `is_new`, all such awards must agree about which side dealt, and
    with a gift one card was turned up, which is in nobody's hand.
    """
    takers = hand.taken or {}
    dealing = dealing_side(ruleset, seats, dealer, takers) if is_new else seats.side_of(dealer)
    eldest = dealer_after(ruleset, seats, dealer)
    turned = [award_id for award_id in ruleset.turned_awards if takers.get(award_id) is not None]
    if ruleset.points.turned_cards == "last" and len(turned) > 1:
        why = "Only the last card turned up scores, and there are two here."
        yield Refusal(f"taken.{turned[0]}", "once_only", why)
    for award_id, side in given_award_sides(ruleset, seats, takers):
        award, field = ruleset.awards[award_id], f"taken.{award_id}"
        is_gift = award_id not in ruleset.turned_awards
        if dealing is not None and not is_gift and side != dealing:
            why = f"{award.name} goes to whoever dealt, and {{0}} did."
            yield Refusal(field, "not_dealt", why, (dealing,))
        elif is_gift and side == dealing:
            yield Refusal(field, "own_gift", "{0} dealt, and cannot beg.", (side,))
        elif is_gift and is_new and not ruleset.shared_gift and seats.side_of(eldest) not in (None, side):
            yield Refusal(field, "own_gift", "Only {0}, next to the dealer, can beg.", (eldest or side,))
        elif is_gift and is_new and (len(turned) > 1 or hand.times):
            why = "A point is given only over the first card turned up, and there are more here."
            yield Refusal(field, "once_only", why)
        elif is_gift and is_new and (taken := _taken_though_turned(ruleset, takers, turned)):
            why = f"That card was turned up for trump: nobody takes the {ruleset.awards[taken].name}."
            yield Refusal(f"taken.{taken}", "same_card", why)
        elif is_gift:
            to_all = award_id == ruleset.shared_gift and len(seats.ids) > 2
            for receiver in [other for other in seats.ids if other != dealing] if to_all else [side]:
                if has_reached_target(ruleset, scores[receiver] + ruleset.score_sign * award.points):
                    why = "The dealer may not give {0} the point that wins the match."
                    yield Refusal(field, "gift_wins", why, (receiver,))


def _taken_though_turned(ruleset: Ruleset, takers: Takers, turned: Sequence[AwardId]) -> AwardId | None:
    """Return the award that was entered as taken for a trump that was turned up; `None` where there is none."""
    kinds = [ruleset.kinds[award_id] for award_id in turned]
    trumps = [Trump(kind.rank) for kind in kinds if isinstance(kind, TurnedCard)]
    cards = [kind for trump in trumps for kind in (OneTrump(trump), CaughtTrump(trump))]
    return next((other for other in ruleset.in_play if takers.get(other) and ruleset.kinds[other] in cards), None)


def is_pegged_out(ruleset: Ruleset, seats: Seats, hand: Hand, scores: BySide) -> bool:
    """Return whether a side reached the target by pegging during a hand, so that play may have stopped there.

    `scores` are those before the hand.
    """
    if not ruleset.winning.pegged:
        return False
    after = dict(scores)
    took = [(who, ruleset.worth(award)) for award, who in (hand.taken or {}).items() if award in ruleset.in_play]
    for who, points in (*took, *(hand.points or {}).items(), *(hand.penalties_to or {}).items()):
        if (side := seats.side_of(who)) is not None:
            after[side] += ruleset.score_sign * points
    return any(has_reached_target(ruleset, score) for score in after.values())


def given_award_sides(
    ruleset: Ruleset, seats: Seats, takers: Takers, times: Mapping[str, int] | None = None
) -> Iterator[tuple[AwardId, SideId]]:
    """Yield each award scored before play with the side entered for it.

    An award in `times` is yielded as often as it scored, any other once.
    """
    for award_id in ruleset.given_awards:
        if (side := seats.side_of(takers.get(award_id))) is not None:
            yield from repeat((award_id, side), (times or {}).get(award_id, 1))


def plays_every_card(ruleset: Ruleset, seats: Seats) -> bool:
    """Return whether every card of the deck is played in each hand of a match with these seats."""
    table, side_count = ruleset.table, len(seats.ids)
    if seats.players:
        player_counts = {len(seats.players)}
    else:  # where only the sides are known, it must hold for every number of players in that many sides
        player_counts = {players for players, sides in table.partners.items() if sides == side_count}
        if table.fewest <= side_count <= table.most:
            player_counts.add(side_count)
    return bool(player_counts) and all(map(ruleset.plays_every_card, player_counts))


def with_last_pile(
    ruleset: Ruleset, seats: Seats, hand_sides: HandSides, counts: Mapping[int, int]
) -> Mapping[int, int]:
    """Return the card points by group; if only one group's are missing and every card is played, it gets the rest."""
    missing = [group for group in range(len(hand_sides.groups)) if group not in counts]
    if len(missing) != 1 or not counts or ruleset.play.follow == "trump_only" or not plays_every_card(ruleset, seats):
        return counts
    return {**counts, missing[0]: ruleset.card_points_in_deck - sum(counts.values())}


def certain_leaders(ruleset: Ruleset, hand_sides: HandSides, counts: Mapping[int, int] | None) -> Groups | None:
    """Return the groups with the most card points; `None` where that depends on card points not counted yet."""
    if not counts:
        return None
    leaders = leading_groups(counts)
    if len(counts) == len(hand_sides.groups):
        return leaders
    uncounted = ruleset.card_points_in_deck - sum(counts.values())
    return leaders if counts[leaders[0]] > uncounted else None


def game_groups_by_count(
    ruleset: Ruleset, seats: Seats, hand_sides: HandSides, counts: Mapping[int, int] | None, dealer: str | None
) -> Groups | None:
    """Return the groups that score Game by card points; empty for nobody, `None` if it is not decided."""
    leaders = certain_leaders(ruleset, hand_sides, counts)
    return None if leaders is None else game_groups_among_leaders(ruleset, seats, hand_sides, leaders, dealer)


def game_groups_among_leaders(
    ruleset: Ruleset, seats: Seats, hand_sides: HandSides, leaders: Groups, dealer: str | None
) -> Groups | None:
    """Return which of the groups with the most card points score Game; empty for none, `None` if it is not decided.

    `leaders` are all the groups with the most card points.
    """
    tie = ruleset.points.game_tie
    if len(leaders) == 1 or tie == "all_tied_score":
        return leaders
    if tie != "non_dealer":
        return None if tie == "joker_breaks" else ()
    if len(leaders) > 2:
        return ()  # at least two of them did not deal, whichever side dealt
    dealing = seats.side_of(dealer)
    if dealing is None:
        return None
    group = hand_sides.group_of(dealing)
    return tuple(leader for leader in leaders if leader != group) if group in leaders else ()


def leading_groups(counts: Mapping[int, int]) -> Groups:
    """Return the groups with the most card points, in ascending order; several where they tie."""
    highest = max(counts.values())
    return tuple(sorted(group for group, number in counts.items() if number == highest))
