"""Naming trump, calling a partner, and what is discarded, drawn and burned before the play."""

from collections.abc import Iterator

from scorekeeper.rules import phrases
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.deal_section import cards_left
from scorekeeper.sheets.parts import Rule, Section
from scorekeeper.sheets.sheet_writer import SheetWriter

_DRAWN = {"none": 0, "discard_two": 0, "up_to_three": 3, "discard_three": 3, "up_to_four": 4, "fill_to_six": 6}
"""The most cards that a player may draw."""


def trump_section(writer: SheetWriter) -> Section:
    """Return what happens between the bidding and the first card."""
    return Section("trump", "Trump and draw", rules=writer.with_own("trump", *_rules(writer)))


def names_trump(ruleset: Ruleset) -> bool:
    """Return whether trump is named before the play, and not made by the first card led."""
    if not ruleset.bidding.auction:
        return False
    play = ruleset.play
    return (
        ruleset.table.called
        or play.draw != "none"
        or play.kitty != "none"
        or play.follow == "trump_only"
        or play.first_lead != "trump"
        or _down_to(ruleset) is not None
    )


def _down_to(ruleset: Ruleset) -> int | None:
    """Return with how many cards everyone plays who was dealt more and draws none; `None` where that is not so."""
    cards = ruleset.cards
    if ruleset.play.draw != "none" or cards.face_down or not (cards.dealt and cards.played):
        return None
    return cards.played if cards.dealt > cards.played else None


def _rules(writer: SheetWriter) -> Iterator[Rule]:
    """Yield the rules in the order in which they are needed: a partner is called last where the kitty comes before."""
    ruleset, kitty = writer.ruleset, writer.ruleset.play.kitty
    if kitty in ("before_trump", "after_trump"):
        yield writer.answer("trump.kitty", "kitty")
    else:
        yield writer.rule("trump.name", _naming(ruleset), "draw", "kitty", "follow", "first_lead")
    if kitty != "after_trump":
        yield from _call(writer)
    if kitty == "after_call":
        yield writer.answer("trump.kitty", "kitty")
    yield from _draw(writer)
    if kitty == "after_trump":
        yield from _call(writer)


def _naming(ruleset: Ruleset) -> str:
    if ruleset.cards.turned_up:
        return "The dealer turns the next card up: its suit is trump."
    if not ruleset.bidding.auction:
        return "The suit of the first card led is trump."
    return "The bidder names trump." if names_trump(ruleset) else "The suit of the bidder’s first card is trump."


def _call(writer: SheetWriter) -> Iterator[Rule]:
    if writer.ruleset.table.called:
        yield writer.answer("trump.call", "call")
        yield writer.answer("trump.alone", "alone")


def _draw(writer: SheetWriter) -> Iterator[Rule]:
    """Yield what is discarded and drawn, and what becomes of the rest and of more than six trumps."""
    ruleset, play = writer.ruleset, writer.ruleset.play
    if play.draw != "none":
        yield writer.answer("trump.draw", "draw", and_then=_limits(ruleset))
    elif writer.differs("draw"):
        yield writer.answer("trump.draw", "draw")
    if play.kitty == "rest_to_bidder":
        yield writer.rule("trump.rest", _rest(ruleset), "kitty", "share_the_wealth")
    else:
        if play.kitty == "none" and writer.differs("kitty"):
            yield writer.answer("trump.kitty", "kitty")
        yield from writer.unusual("trump", "share_the_wealth")
    if down_to := _down_to(ruleset):
        text = f"Everyone discards down to {phrases.number(down_to)} cards."
        yield writer.rule("trump.discard", text, "draw")
    yield from writer.unusual("trump", "burn")


def _limits(ruleset: Ruleset) -> str:
    """Return what holds where the cards do not go around: with some numbers of players none may be left at all."""
    most, left = _DRAWN[ruleset.play.draw], cards_left(ruleset)
    without = [players for players, cards in left.items() if not cards]
    is_short = any(0 < cards < most * players for players, cards in left.items())
    texts = ["If there are too few cards, draw as far as they go."] if is_short else []
    if without and most:
        players = phrases.listed((phrases.number(number) for number in without), "or")
        texts.append(f"With {players} players no cards are left, and nobody draws.")
    return " ".join(texts)


def _rest(ruleset: Ruleset) -> str:
    if ruleset.play.share_the_wealth:
        return "The bidder gets what is left of the deck, and may pass it to the partner without looking at it."
    return "Then the rest of the deck is turned face up, and the bidder may take any trumps in it."
