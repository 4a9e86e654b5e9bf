"""The deal: who deals how many cards, what is left over, and who deals next."""

from collections.abc import Iterator

from scorekeeper.rules import phrases
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import BLANK, Rule, Section
from scorekeeper.sheets.sheet_writer import SheetWriter


def deal_section(writer: SheetWriter) -> Section:
    """Return how the cards are dealt."""
    return Section("deal", "Deal", rules=writer.with_own("deal", *_rules(writer)))


def cards_left(ruleset: Ruleset) -> dict[int, int]:
    """Return how many cards are left over after the deal, by the number of players; below 0 they do not go around."""
    cards = ruleset.cards
    deck = 4 * len(cards.deck_ranks) + ruleset.points.jokers
    dealt = {6: cards.dealt_six} if cards.dealt_six else {}
    return {n: deck - n * (dealt.get(n) or cards.dealt) for n in ruleset.table.player_counts} if cards.dealt else {}


def every_card_is_played(ruleset: Ruleset) -> bool:
    """Return whether the whole deck is dealt, and every card of it played."""
    return set(cards_left(ruleset).values()) == {0} and ruleset.cards.played == ruleset.cards.dealt


def _rules(writer: SheetWriter) -> Iterator[Rule]:
    ruleset, cards = writer.ruleset, writer.ruleset.cards
    yield from writer.unusual("deal", "cut")
    by = f", {phrases.number(cards.packets)} at a time" if cards.packets else ""
    number = phrases.number(cards.dealt) if cards.dealt else BLANK
    yield writer.rule("deal.cards", f"The dealer deals {number} cards to each player{by}.")
    if cards.dealt_six:
        yield writer.rule("deal.six", f"With six players it is {phrases.number(cards.dealt_six)} cards each.")
    if cards.face_down:
        held, down = phrases.number((cards.dealt or 0) - cards.face_down), phrases.number(cards.face_down)
        text = f"Take {held} of them in your hand; leave {down} face down in front of you and do not look at them."
        yield writer.rule("deal.face_down", text)
    left = cards_left(ruleset)
    if too_many := [phrases.number(players) for players, number in left.items() if number < 0]:
        text = f"There are too few cards for {phrases.listed(too_many, 'or')} players."
        yield writer.rule("deal.too_few", text, "jokers")
    if left:
        yield writer.rule("deal.left", _left_over(ruleset, left), "draw", "kitty", "jokers")
    yield from writer.unusual("deal", "misdeal")
    yield writer.answer("deal.next", "next_dealer")


def _left_over(ruleset: Ruleset, left: dict[int, int]) -> str:
    numbers = {*left.values()}
    if numbers == {0}:
        return "No cards are left over."
    the_cards = f"The {phrases.number(next(iter(numbers)))} cards" if len(numbers) == 1 else "The cards"
    if ruleset.play.kitty in ("before_trump", "after_trump", "after_call"):
        use = "lie face down as the kitty"
    elif ruleset.play.draw in ("none", "discard_two") and ruleset.play.kitty == "none":
        use = "are not used"
    else:
        use = "lie face down, to draw from"
    return f"{the_cards} left over {use}."
