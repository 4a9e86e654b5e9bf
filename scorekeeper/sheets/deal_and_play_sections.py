"""The deal and the play: who deals, naming trump, calling a partner, discarding and drawing, and winning tricks."""

from collections.abc import Iterator

from scorekeeper.rules import phrases
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import Line, Section
from scorekeeper.sheets.sheet_writer import SheetWriter


def deal_section(writer: SheetWriter) -> Section:
    """Return what happens before the first card is led, the bidding apart."""
    return Section("Deal", lines=(*_deal(writer), *_naming(writer), *_drawing(writer)))


def _deal(writer: SheetWriter) -> Iterator[Line]:
    cards = writer.ruleset.cards
    yield from writer.unusual("next_dealer", "cut")
    if cards.face_down:
        held, down = phrases.number((cards.dealt or 0) - cards.face_down), phrases.number(cards.face_down)
        yield writer.line(f"Look at {held} of the cards; {down} stay face down, unseen.")
    yield from writer.unusual("misdeal")


def _names_trump(ruleset: Ruleset) -> bool:
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
    )


def _naming(writer: SheetWriter) -> Iterator[Line]:
    ruleset, kitty = writer.ruleset, writer.ruleset.play.kitty
    if kitty in ("before_trump", "after_trump"):
        yield writer.answer("kitty")
    elif _names_trump(ruleset):
        yield writer.line("The bidder names trump.")
    if ruleset.table.called:
        yield writer.answer("call")
        yield writer.answer("alone")
    if kitty == "after_call":
        yield writer.answer("kitty")


def _drawing(writer: SheetWriter) -> Iterator[Line]:
    """Yield what is discarded and drawn, and what becomes of more than six trumps."""
    cards, play = writer.ruleset.cards, writer.ruleset.play
    yield from writer.unusual("draw")
    if play.kitty in ("none", "rest_to_bidder"):
        yield from writer.unusual("kitty")
    yield from writer.unusual("share_the_wealth")
    goes_down = play.draw == "none" and not cards.face_down
    if goes_down and cards.played and cards.dealt and cards.dealt > cards.played:
        yield writer.line(f"Everyone discards down to {phrases.number(cards.played)} cards.")
    yield from writer.unusual("burn")


def play_section(writer: SheetWriter) -> Section:
    """Return how the tricks are played."""
    return Section("Play", lines=(_first_lead(writer), *_tricks(writer)))


def _first_lead(writer: SheetWriter) -> Line:
    ruleset = writer.ruleset
    if not ruleset.bidding.auction:
        return writer.line("The player on the dealer’s left leads; the suit led is trump.", "first_lead")
    if _holder_leads(ruleset):
        return writer.answer("call_lead")
    if not _names_trump(ruleset):
        return writer.line("The bidder leads, and the suit of that first card is trump.", "first_lead")
    if ruleset.play.follow == "trump_only":
        return writer.line("The bidder leads. Only trumps are played.", "first_lead", "call_lead", "follow")
    return writer.answer("first_lead")


def _holder_leads(ruleset: Ruleset) -> bool:
    return ruleset.table.called and ruleset.play.call_lead == "holder"


def _tricks(writer: SheetWriter) -> Iterator[Line]:
    ruleset, cards = writer.ruleset, writer.ruleset.cards
    trump_only = ruleset.play.follow == "trump_only"
    if not trump_only or not ruleset.bidding.auction or _holder_leads(ruleset):
        yield writer.answer("follow")
    if trump_only:
        yield writer.line("The highest trump wins the trick and leads the next.")
        yield writer.line("No trump left: say “out”. If the winner of a trick is out, the player on the left leads.")
    else:
        text = "The highest trump wins the trick, or else the highest of the suit led; its winner leads next."
        yield writer.line(text)
    if cards.face_down:
        yield writer.line("From the second trick on, play from the hand or turn up a card from those face down.")
    if cards.played and not trump_only:
        yield writer.line(f"{phrases.several(cards.played, 'trick')} in all.")
