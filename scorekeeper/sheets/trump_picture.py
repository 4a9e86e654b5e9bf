"""The trumps in their order, drawn as cards, with all that scores and all that counts toward Game."""

from collections.abc import Iterator, Sequence

from scorekeeper.rules.awards import AwardId, Game, card_of
from scorekeeper.rules.cards import CARD_POINTS, JOKERS, Joker, OffTrump, Trump, TrumpCard
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import TrumpFace, TrumpPicture
from scorekeeper.sheets.sheet_writer import SheetWriter

TRUMP, OTHER = "♠", "♣"
"""The suit that is trump in the example, and the other of its color."""
HIGH_STAR, LOW_STAR = "★", "☆"


def trump_picture(writer: SheetWriter) -> TrumpPicture:
    """Return the trumps from the highest to the lowest, and what else scores."""
    ruleset = writer.ruleset
    order = tuple(_high_to_low(ruleset))
    if ruleset.points.reverse:
        order = order[::-1]
    also = tuple(
        TrumpFace(award.name, "", str(award.points), award_id in writer.changed_awards)
        for award_id, award in ruleset.in_play.items()
        if _shown_card(ruleset, award_id) is None
    )
    counts = ", ".join(f"{rank} {points}" for rank, points in CARD_POINTS.items() if rank in ruleset.cards.deck_ranks)
    return TrumpPicture(
        cards=tuple(_face(writer, card) for card in order),
        also=also,
        counts=counts if ruleset.counted_award else "",
    )


def _high_to_low(ruleset: Ruleset) -> Iterator[TrumpCard]:
    """Yield the trumps as they rank without `reverse`: off cards just below their counterparts."""
    cards = {_shown_card(ruleset, award_id) for award_id in ruleset.in_play}
    for rank in ruleset.cards.deck_ranks:
        yield Trump(rank)
        if OffTrump(rank) in cards:
            yield OffTrump(rank)
        if rank == "J" and not ruleset.has_lowest_jokers:
            yield from JOKERS[ruleset.points.jokers]
    if ruleset.has_lowest_jokers:
        yield from JOKERS[ruleset.points.jokers]


def _shown_card(ruleset: Ruleset, award_id: AwardId) -> TrumpCard | None:
    """Return the trump that shows what an award is worth."""
    kind = ruleset.kinds[award_id]
    if isinstance(kind, Game) and ruleset.points.game_rule == "ten_of_trumps":
        return Trump("10")
    return card_of(kind)


def _face(writer: SheetWriter, card: TrumpCard) -> TrumpFace:
    ruleset, base = writer.ruleset, writer.base
    awards = [award_id for award_id in ruleset.in_play if _shown_card(ruleset, award_id) == card]
    in_book = [award_id for award_id in base.in_play if card_of(base.kinds[award_id]) == card]
    rank, sign = _rank_and_sign(card)
    is_house = not writer.changed_awards.isdisjoint((*awards, *in_book))
    return TrumpFace(rank, sign, _worth(ruleset, awards), is_house)


def _worth(ruleset: Ruleset, awards: Sequence[AwardId]) -> str:
    """Return what a card is worth: both where it scores something else when it is caught ("1, 3")."""
    instead = {award_id: ruleset.in_place_of[award_id] for award_id in awards if award_id in ruleset.in_place_of}
    worth = sum(ruleset.worth(award_id) for award_id in awards if award_id not in instead)
    each = [worth, *(worth - ruleset.worth(card) + ruleset.worth(award_id) for award_id, card in instead.items())]
    return ", ".join(dict.fromkeys(map(str, each))) if any(each) else ""


def _rank_and_sign(card: TrumpCard) -> tuple[str, str]:
    match card:
        case Trump(rank):
            return rank, TRUMP
        case OffTrump(rank):
            return rank, OTHER
        case Joker.HIGH:
            return "Hi", HIGH_STAR
        case Joker.LOW:
            return "Lo", LOW_STAR
        case Joker.ONLY:
            return "Jo", HIGH_STAR
