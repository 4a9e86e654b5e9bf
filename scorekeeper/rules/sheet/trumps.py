"""The trumps in their order, drawn as cards, with what each is worth."""

from collections.abc import Iterator

from scorekeeper.rules import words
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sheet.telling import Telling
from scorekeeper.rules.sheet.values import Line, TrumpCard

TRUMP, OTHER = "♠", "♣"
"""The example's suit and the other of its colour."""
HIGH_STAR, LOW_STAR = "★", "☆"


def trumps(telling: Telling) -> tuple[TrumpCard, ...]:
    """Give the trumps from the highest to the lowest."""
    ruleset = telling.ruleset
    order = tuple(_upright(ruleset))
    if ruleset.points.reverse:
        order = order[::-1]
    return tuple(_card(telling, card) for card in order)


def _upright(ruleset: Ruleset) -> Iterator[str]:
    """Order the cards as awards name them, an off card just below its real counterpart, jokers below the jacks."""
    off = {award.card for award in ruleset.in_play.values() if award.card.startswith("off ")}
    for rank in ruleset.cards.ranks.split():
        yield rank
        if f"off {rank}" in off:
            yield f"off {rank}"
        if rank == "J":
            yield from {0: (), 1: ("joker",), 2: ("high joker", "low joker")}[ruleset.points.jokers]


def _card(telling: Telling, card: str) -> TrumpCard:
    ruleset = telling.ruleset
    on_it = [award_id for award_id, award in ruleset.in_play.items() if _hangs_on(ruleset, award_id, card)]
    worth = sum(ruleset.in_play[award_id].points for award_id in on_it)
    gone = [award_id for award_id, award in telling.base.in_play.items() if award.card == card]
    rank, sign, spoken = _face(card)
    return TrumpCard(
        rank, sign, spoken, str(worth) if worth else "", not telling.changed_awards.isdisjoint([*on_it, *gone])
    )


def _hangs_on(ruleset: Ruleset, award_id: str, card: str) -> bool:
    if award_id == "game" and ruleset.points.game_rule == "ten_of_trumps":
        return card == "10"
    return ruleset.in_play[award_id].card == card


def _face(card: str) -> tuple[str, str, str]:
    """Give the card's rank, its sign, and its name for who listens."""
    match card.split():
        case ["off", rank]:
            return rank, OTHER, f"{words.RANKS[rank]} of clubs"
        case ["high", "joker"]:
            return "Hi", HIGH_STAR, "high joker"
        case ["low", "joker"]:
            return "Lo", LOW_STAR, "low joker"
        case ["joker"]:
            return "Jo", HIGH_STAR, "joker"
        case _:
            return card, TRUMP, f"{words.RANKS[card]} of spades"


def trump_notes(telling: Telling) -> tuple[Line, ...]:
    """Say what the row shows, and what in it is no ordinary trump."""
    ruleset = telling.ruleset
    notes = [telling.line("Here spades are trump; dark cards score.", is_spare=True)]
    off = [award for award in ruleset.in_play.values() if award.card.startswith("off ")]
    if off:
        named = words.listed(f"{award.card.removeprefix('off ')}{OTHER} is the {award.name}" for award in off)
        notes.append(telling.line(f"{named}: a trump of the other suit of that colour."))
    if {"high", "low"} & set(ruleset.in_play):
        wandering = [ruleset.awards[a].name for a in ("high", "low") if a in ruleset.in_play]
        which = words.listed(wandering)
        told = f"{which}: the {_extremes(wandering)} trump in play, whichever card that is."
        notes.append(telling.line(told, is_spare=True))
    notes.extend(telling.told_if("reverse", False))
    if ruleset.points.jokers == 2:
        notes.extend(telling.told_if("joker_order", *(("marked",) if "high_joker" not in ruleset.in_play else ())))
    return tuple(notes)


def _extremes(names: list[str]) -> str:
    return words.listed(["highest", "lowest"] if len(names) == 2 else [{"High": "highest"}.get(names[0], "lowest")])
