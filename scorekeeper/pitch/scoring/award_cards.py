"""Which card an award is for in a hand, and what that implies about who took it."""

from collections.abc import Iterator, Mapping, Sequence

from scorekeeper.pitch.rules.awards import (
    AwardId,
    AwardKind,
    Caught,
    GamePoint,
    HighestSpade,
    HighestTrump,
    LowestTrump,
    OffTrump,
    OneCard,
    PlainCard,
    Rank,
    Trump,
)
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand_faults import Refusal
from scorekeeper.pitch.scoring.seats import NAMES_JOINED, HandSides


def rank_of(kind: AwardKind) -> Rank:
    """Return the rank of the one card that an award is for; empty where that is not one."""
    match kind:
        case OneCard(Trump(rank) | OffTrump(rank)) | PlainCard(rank) | Caught(Trump(rank)):
            return rank
        case _:
            return ""


def goes_with_trick(ruleset: Ruleset, award_id: AwardId) -> bool:
    """Return whether an award goes with a trick: what is captured, and the highest trump, which wins its own."""
    wins_own = isinstance(ruleset.kinds[award_id], HighestTrump) and not ruleset.points.reverse
    return wins_own or ruleset.is_captured(award_id)


def not_every_trick(ruleset: Ruleset, hand_sides: HandSides, award_id: AwardId, group: int) -> Refusal:
    """Return the fault that a group has an award that goes with the trick, where the bidding side took every trick."""
    who = hand_sides.groups[group]
    slots = NAMES_JOINED.join(f"{{{i}}}" for i in range(len(who)))
    # A house may have braces in its name for a point, and they are no places for people.
    award = ruleset.awards[award_id].name.replace("{", "{{").replace("}", "}}")
    why = f"{slots} took {award}, so the bidding side cannot have taken every trick."
    return Refusal("all_tricks", "not_every_trick", why, who)


def same_cards(
    ruleset: Ruleset, trump: str | None, groups: Mapping[AwardId, object]
) -> Iterator[tuple[AwardId, AwardId]]:
    """Yield each two awards that one card scores in a hand, given the groups of those that somebody took."""
    kinds = {award_id: ruleset.kinds[award_id] for award_id in ruleset.in_play}
    highest = next((award_id for award_id, kind in kinds.items() if isinstance(kind, HighestTrump)), None)
    lowest = next((award_id for award_id, kind in kinds.items() if isinstance(kind, LowestTrump)), None)
    single = {
        kind.card.rank: award_id
        for award_id, kind in kinds.items()
        if isinstance(kind, OneCard) and isinstance(kind.card, Trump)
    }
    ranks = ruleset.cards.deck_ranks
    if highest and not ruleset.points.reverse:
        if (card := _first_in_play(ranks, single, groups)) is not None:
            yield highest, card
        spades = (award_id for award_id, kind in kinds.items() if isinstance(kind, HighestSpade))
        if trump == "spades" and (spade := next(spades, None)):
            yield highest, spade
    if lowest and not ruleset.points.reverse and f"off {ranks[-1]}" not in _off_ranks(kinds):
        card = _first_in_play(ranks[::-1], single, groups)
        if card is not None and ruleset.is_captured(card) == ruleset.is_captured(lowest):
            yield lowest, card
    by_ten = next((award_id for award_id, kind in kinds.items() if isinstance(kind, GamePoint)), None)
    if by_ten and ruleset.how_won(by_ten) == "captured" and "10" in single:
        yield by_ten, single["10"]


def _off_ranks(kinds: Mapping[AwardId, AwardKind]) -> frozenset[str]:
    return frozenset(
        f"off {kind.card.rank}"
        for kind in kinds.values()
        if isinstance(kind, OneCard) and isinstance(kind.card, OffTrump)
    )


def _first_in_play(
    ranks: Sequence[Rank], single: Mapping[Rank, AwardId], groups: Mapping[AwardId, object]
) -> AwardId | None:
    """Return the award for the first of some ranks that is in play; `None` where another card may come before it."""
    for rank in ranks:
        if rank not in single:
            return None
        if single[rank] in groups:
            return single[rank]
    return None
