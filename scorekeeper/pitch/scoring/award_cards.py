"""What the cards behind awards show: who took an award, who dealt, and who scores Game.

Some awards are scored before the play: those for a card turned up for trump, and the gift to a player who begs.
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
    """Return the rank of the one card that an award of this kind is for: "J".

    It is empty for an award that is for no single card.
    """
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
    """Return the fault of a hand in which the bidders have every trick, but `group` has an award that needs one."""
    side_ids = hand_sides.groups[group]
    placeholders = NAME_SEPARATOR.join(f"{{{i}}}" for i in range(len(side_ids)))
    # A house's name for an award may have braces, which are not slots for names of people.
    award_name = ruleset.awards[award_id].name.replace("{", "{{").replace("}", "}}")
    why = f"{placeholders} took {award_name}, so the bidding side cannot have taken every trick."
    return Refusal("all_tricks", "not_every_trick", why, side_ids)


def same_card_awards(
    ruleset: Ruleset, trump: str | None, taken_awards: Mapping[AwardId, object]
) -> Iterator[tuple[AwardId, AwardId]]:
    """Yield each pair of awards that one card scores, so that one side takes both: `("high", "jack")`.

    The keys of `taken_awards` are the awards taken in the hand. A pair is yielded only if they prove that it is one
    card.
    """
    kind_by_award = {award_id: ruleset.kinds[award_id] for award_id in ruleset.in_play}
    high_award, low_award, spade_award, game_award = (
        next((award_id for award_id, kind in kind_by_award.items() if isinstance(kind, kind_class)), None)
        for kind_class in (HighestTrump, LowestTrump, HighestSpade, GamePoint)
    )
    award_by_rank = {
        kind.card.rank: award_id
        for award_id, kind in kind_by_award.items()
        if isinstance(kind, OneTrump) and isinstance(kind.card, Trump)
    }
    off_ranks = {
        kind.card.rank
        for kind in kind_by_award.values()
        if isinstance(kind, OneTrump) and isinstance(kind.card, OffTrump)
    }
    deck_ranks = ruleset.cards.deck_ranks
    # Below the first of these ranks, a joker or a card of the other suit may be the highest trump.
    outranking_ranks = off_ranks | ({"J"} if ruleset.points.jokers else set())
    high_ranks = deck_ranks[: next((i for i, rank in enumerate(deck_ranks, 1) if rank in outranking_ranks), None)]
    if high_award and not ruleset.points.reverse:
        if (other_award := _first_in_play(high_ranks, award_by_rank, taken_awards)) is not None:
            yield high_award, other_award
        is_same_spade = not outranking_ranks or any(award_by_rank.get(rank) in taken_awards for rank in high_ranks)
        if trump == "spades" and spade_award and is_same_spade:
            yield high_award, spade_award
    if low_award and not ruleset.points.reverse and deck_ranks[-1] not in off_ranks:
        other_award = _first_in_play(deck_ranks[::-1], award_by_rank, taken_awards)
        if other_award is not None and ruleset.is_captured(other_award) == ruleset.is_captured(low_award):
            yield low_award, other_award
    if game_award and ruleset.how_won(game_award) == "captured" and "10" in award_by_rank:
        yield game_award, award_by_rank["10"]


def _first_in_play(
    ranks: Sequence[Rank], award_by_rank: Mapping[Rank, AwardId], taken_awards: Mapping[AwardId, object]
) -> AwardId | None:
    """Return the award for the first card of `ranks` that was in play in the hand; `None` where that is unknown.

    `award_by_rank` are the awards for single trumps, keyed by their rank.
    """
    for rank in ranks:
        if rank not in award_by_rank:
            return None  # nobody enters whether a card without an award was in play
        if award_by_rank[rank] in taken_awards:
            return award_by_rank[rank]
    return None


TakerByAward = Mapping[AwardId, SideId | None]
"""The entered taker of each award, keyed by award. `None`, an unknown id, or a word such as `BIDDERS` counts as
nobody."""


def dealing_side(ruleset: Ruleset, seats: Seats, dealer: str | None, taker_by_award: TakerByAward) -> SideId | None:
    """Return the side that dealt.

    If the dealer is unknown, an award scored before the play may show the side; if none does, return `None`.
    """
    if (side_of_dealer := seats.side_of(dealer)) is not None:
        return side_of_dealer
    for award_id, side in given_award_sides(ruleset, seats, taker_by_award):
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
    scores_before: BySide,
    *,
    is_new: bool,
) -> Iterator[Refusal]:
    """Yield a fault for each award scored before the play that was entered for a side that cannot have got it.

    In a hand that `is_new`, all such awards must agree about which side dealt. Beside a gift, one card was turned up,
    and nobody can have taken that card.
    """
    taker_by_award = hand.taken or {}
    side_that_dealt = dealing_side(ruleset, seats, dealer, taker_by_award) if is_new else seats.side_of(dealer)
    eldest = dealer_after(ruleset, seats, dealer)
    turned_awards = [award_id for award_id in ruleset.turned_awards if taker_by_award.get(award_id) is not None]
    if ruleset.points.turned_cards == "last" and len(turned_awards) > 1:
        why = "Only the last card turned up scores, and there are two here."
        yield Refusal(f"taken.{turned_awards[0]}", "once_only", why)
    for award_id, side in given_award_sides(ruleset, seats, taker_by_award):
        award, field = ruleset.awards[award_id], f"taken.{award_id}"
        is_gift = award_id not in ruleset.turned_awards
        if side_that_dealt is not None and not is_gift and side != side_that_dealt:
            why = f"{award.name} goes to whoever dealt, and {{0}} did."
            yield Refusal(field, "not_dealt", why, (side_that_dealt,))
        elif is_gift and side == side_that_dealt:
            yield Refusal(field, "own_gift", "{0} dealt, and cannot beg.", (side,))
        elif is_gift and is_new and not ruleset.shared_gift and seats.side_of(eldest) not in (None, side):
            yield Refusal(field, "own_gift", "Only {0}, next to the dealer, can beg.", (eldest or side,))
        elif is_gift and is_new and (len(turned_awards) > 1 or hand.times):
            why = "A point is given only over the first card turned up, and there are more here."
            yield Refusal(field, "once_only", why)
        elif is_gift and is_new and (taken_award := _taken_though_turned(ruleset, taker_by_award, turned_awards)):
            why = f"That card was turned up for trump: nobody takes the {ruleset.awards[taken_award].name}."
            yield Refusal(f"taken.{taken_award}", "same_card", why)
        elif is_gift:
            is_for_all = award_id == ruleset.shared_gift and len(seats.ids) > 2
            for receiver in [other for other in seats.ids if other != side_that_dealt] if is_for_all else [side]:
                if has_reached_target(ruleset, scores_before[receiver] + ruleset.score_sign * award.points):
                    why = "The dealer may not give {0} the point that wins the match."
                    yield Refusal(field, "gift_wins", why, (receiver,))


def _taken_though_turned(
    ruleset: Ruleset, taker_by_award: TakerByAward, turned_awards: Sequence[AwardId]
) -> AwardId | None:
    """Return the award that was entered as taken although its card was turned up for trump; `None` if none was."""
    turned_kinds = [ruleset.kinds[award_id] for award_id in turned_awards]
    turned_trumps = [Trump(kind.rank) for kind in turned_kinds if isinstance(kind, TurnedCard)]
    kinds_of_same_cards = [kind for trump in turned_trumps for kind in (OneTrump(trump), CaughtTrump(trump))]
    return next(
        (
            other_award
            for other_award in ruleset.in_play
            if taker_by_award.get(other_award) and ruleset.kinds[other_award] in kinds_of_same_cards
        ),
        None,
    )


def is_pegged_out(ruleset: Ruleset, seats: Seats, hand: Hand, scores_before: BySide) -> bool:
    """Return whether a side reached the target by pegging during a hand, so that play may have stopped there."""
    if not ruleset.winning.pegged:
        return False
    scores_after = dict(scores_before)
    points_taken = [
        (who, ruleset.worth(award)) for award, who in (hand.taken or {}).items() if award in ruleset.in_play
    ]
    for who, points in (*points_taken, *(hand.points or {}).items(), *(hand.penalties_to or {}).items()):
        if (side := seats.side_of(who)) is not None:
            scores_after[side] += ruleset.score_sign * points
    return any(has_reached_target(ruleset, score) for score in scores_after.values())


def given_award_sides(
    ruleset: Ruleset, seats: Seats, taker_by_award: TakerByAward, times_by_award: Mapping[str, int] | None = None
) -> Iterator[tuple[AwardId, SideId]]:
    """Yield each award scored before the play, with the side entered for it.

    An award in `times_by_award` is yielded as often as it scored, any other award once.
    """
    for award_id in ruleset.given_awards:
        if (side := seats.side_of(taker_by_award.get(award_id))) is not None:
            yield from repeat((award_id, side), (times_by_award or {}).get(award_id, 1))


def plays_every_card(ruleset: Ruleset, seats: Seats) -> bool:
    """Return whether every card of the deck is played in each hand of a match with these seats."""
    table, side_count = ruleset.table, len(seats.ids)
    if seats.players:
        player_counts = {len(seats.players)}
    else:  # where only the sides are known, it must hold for every number of players in that many sides
        player_counts = {player_count for player_count, sides in table.partners.items() if sides == side_count}
        if table.fewest <= side_count <= table.most:
            player_counts.add(side_count)
    return bool(player_counts) and all(map(ruleset.plays_every_card, player_counts))


def with_last_pile(
    ruleset: Ruleset, seats: Seats, hand_sides: HandSides, card_points_by_group: Mapping[int, int]
) -> Mapping[int, int]:
    """Return the card points of each group, keyed by group, with those of the last group worked out.

    If only one group's are missing and every card is played, that group has the rest of the deck's.
    """
    missing_groups = [group for group in range(len(hand_sides.groups)) if group not in card_points_by_group]
    if (
        len(missing_groups) != 1
        or not card_points_by_group
        or ruleset.play.follow == "trump_only"
        or not plays_every_card(ruleset, seats)
    ):
        return card_points_by_group
    return {**card_points_by_group, missing_groups[0]: ruleset.card_points_in_deck - sum(card_points_by_group.values())}


def certain_leaders(
    ruleset: Ruleset, hand_sides: HandSides, card_points_by_group: Mapping[int, int] | None
) -> Groups | None:
    """Return the groups with the most card points.

    Return `None` if card points that were not entered may change who has the most.
    """
    if not card_points_by_group:
        return None
    leaders = leading_groups(card_points_by_group)
    if len(card_points_by_group) == len(hand_sides.groups):
        return leaders
    uncounted_points = ruleset.card_points_in_deck - sum(card_points_by_group.values())
    return leaders if card_points_by_group[leaders[0]] > uncounted_points else None


def game_groups_by_count(
    ruleset: Ruleset,
    seats: Seats,
    hand_sides: HandSides,
    card_points_by_group: Mapping[int, int] | None,
    dealer: str | None,
) -> Groups | None:
    """Return the groups that score Game by card points; empty if nobody does.

    Return `None` if the entered card points do not decide it.
    """
    leaders = certain_leaders(ruleset, hand_sides, card_points_by_group)
    return None if leaders is None else game_groups_among_leaders(ruleset, seats, hand_sides, leaders, dealer)


def game_groups_among_leaders(
    ruleset: Ruleset, seats: Seats, hand_sides: HandSides, leaders: Groups, dealer: str | None
) -> Groups | None:
    """Return which of the groups tied for the most card points score Game; empty if nobody does.

    `leaders` are all groups with the most card points, one or several. Return `None` if they do not decide who scores
    it.
    """
    tie_rule = ruleset.points.game_tie
    if len(leaders) == 1 or tie_rule == "all_tied_score":
        return leaders
    if tie_rule != "non_dealer":
        return None if tie_rule == "joker_breaks" else ()
    if len(leaders) > 2:
        return ()  # at least two of them did not deal, whichever side dealt
    side_that_dealt = seats.side_of(dealer)
    if side_that_dealt is None:
        return None
    dealing_group = hand_sides.group_of(side_that_dealt)
    return tuple(leader for leader in leaders if leader != dealing_group) if dealing_group in leaders else ()


def leading_groups(card_points_by_group: Mapping[int, int]) -> Groups:
    """Return the groups with the most card points, in ascending order; several if they tie."""
    most_points = max(card_points_by_group.values())
    return tuple(sorted(group for group, card_points in card_points_by_group.items() if card_points == most_points))
