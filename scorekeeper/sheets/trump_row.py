"""The trumps in their order, drawn as cards, with what each is worth."""

from collections.abc import Iterator

from scorekeeper.rules import phrases
from scorekeeper.rules.awards import AwardId, Game, HighestTrump, LowestTrump, card_of
from scorekeeper.rules.cards import JOKERS, Joker, OffTrump, Trump, TrumpCard
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import Line, TrumpFace
from scorekeeper.sheets.sheet_writer import SheetWriter

TRUMP, OTHER = "♠", "♣"
"""The suit that is trump in the example, and the other of its color."""
HIGH_STAR, LOW_STAR = "★", "☆"


def trump_row(writer: SheetWriter) -> tuple[TrumpFace, ...]:
    """Return the trumps from the highest to the lowest."""
    order = tuple(_high_to_low(writer.ruleset))
    if writer.ruleset.points.reverse:
        order = order[::-1]
    return tuple(_face(writer, card) for card in order)


def _high_to_low(ruleset: Ruleset) -> Iterator[TrumpCard]:
    """Yield the trumps as they rank without `reverse`: off cards just below their counterparts, jokers below jacks."""
    cards = {_shown_card(ruleset, award_id) for award_id in ruleset.in_play}
    for rank in ruleset.cards.deck_ranks:
        yield Trump(rank)
        if OffTrump(rank) in cards:
            yield OffTrump(rank)
        if rank == "J":
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
    worth = sum(ruleset.worth(award_id) for award_id in awards)
    rank, sign = _rank_and_sign(card)
    is_house = not writer.changed_awards.isdisjoint((*awards, *in_book))
    return TrumpFace(rank, sign, str(worth) if worth else "", is_house)


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


def trump_notes(writer: SheetWriter) -> Iterator[Line]:
    """Yield what the row shows, and which of its cards are no ordinary trumps."""
    ruleset = writer.ruleset
    awards = [(award.name, ruleset.kinds[award_id]) for award_id, award in ruleset.in_play.items()]
    cards = [(name, card_of(kind)) for name, kind in awards]
    yield writer.line("Here spades are trump; dark cards score.", is_optional=True)
    off = [f"{card.rank}{OTHER} is the {name}" for name, card in cards if isinstance(card, OffTrump)]
    if off:
        yield writer.line(f"{phrases.listed(off)}: a trump of the other suit of that color.")
    extremes = [(name, kind) for name, kind in awards if isinstance(kind, HighestTrump | LowestTrump)]
    if extremes:
        names = phrases.listed(name for name, _ in extremes)
        which = phrases.listed("highest" if isinstance(kind, HighestTrump) else "lowest" for _, kind in extremes)
        yield writer.line(f"{names}: the {which} trump in play, whichever card that is.", is_optional=True)
    yield from writer.unusual("reverse")
    if any(card == Joker.HIGH for _, card in cards):
        yield writer.answer("joker_order")
    elif ruleset.points.jokers == 2:
        yield from writer.unusual("joker_order")
