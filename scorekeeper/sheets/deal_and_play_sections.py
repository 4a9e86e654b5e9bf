"""The deal and the play: who deals, naming trump, calling a partner, discarding and drawing, and winning tricks."""

from scorekeeper.rules import phrases
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import Line, Section
from scorekeeper.sheets.sheet_writer import SheetWriter


def deal_section(writer: SheetWriter) -> Section:
    """Return what happens before the first card is led, the bidding apart."""
    lines = (*_deal(writer), *_naming(writer), *_drawing(writer))
    return Section("Deal", lines=lines)


def _deal(writer: SheetWriter) -> tuple[Line, ...]:
    cards = writer.ruleset.cards
    lines = [*writer.answer_unless("next_dealer", "clockwise"), *writer.answer_unless("cut", False)]
    if cards.face_down:
        held = phrases.number((cards.dealt or 0) - cards.face_down)
        lines.append(
            writer.line(f"Look at {held} of the cards; {phrases.number(cards.face_down)} stay face down, unseen.")
        )
    return (*lines, *writer.answer_unless("misdeal", "none"))


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


def _naming(writer: SheetWriter) -> tuple[Line, ...]:
    ruleset = writer.ruleset
    lines = []
    if _names_trump(ruleset) and ruleset.play.kitty not in ("before_trump", "after_trump"):
        lines.append(writer.line("The bidder names trump."))
    if ruleset.play.kitty in ("before_trump", "after_trump"):
        lines.append(writer.answer("kitty"))
    if ruleset.table.called:
        lines += [writer.answer("call"), writer.answer("alone")]
    if ruleset.play.kitty == "after_call":
        lines.append(writer.answer("kitty"))
    return tuple(lines)


def _drawing(writer: SheetWriter) -> tuple[Line, ...]:
    """Return what is discarded and drawn, and what becomes of more than six trumps."""
    ruleset = writer.ruleset
    lines = [*writer.answer_unless("draw", "none")]
    if ruleset.play.kitty in ("none", "rest_to_bidder"):
        lines += writer.answer_unless("kitty", "none")
    lines += writer.answer_unless("share_the_wealth", False)
    cards = ruleset.cards
    goes_down = ruleset.play.draw == "none" and cards.played and cards.dealt and cards.dealt > cards.played
    if goes_down and not cards.face_down:
        lines.append(writer.line(f"All throw away down to {phrases.number(cards.played or 0)} cards."))
    return (*lines, *writer.answer_unless("burn", "none"))


def play_section(writer: SheetWriter) -> Section:
    """Return how the tricks are played."""
    return Section("Play", lines=(*_first_lead(writer), *_tricks(writer)))


def _first_lead(writer: SheetWriter) -> tuple[Line, ...]:
    ruleset = writer.ruleset
    if not ruleset.bidding.auction:
        return (writer.line("The player on the dealer’s left leads; the suit led is trump.", "first_lead"),)
    if ruleset.table.called and ruleset.play.call_lead == "holder":
        return (writer.answer("call_lead"),)
    if not _names_trump(ruleset):
        return (writer.line("The bidder leads, and the suit of that first card is trump.", "first_lead"),)
    if ruleset.play.follow == "trump_only":
        return (writer.line("The bidder leads. Only trumps are played.", "first_lead", "call_lead", "follow"),)
    return (writer.answer("first_lead"),)


def _tricks(writer: SheetWriter) -> tuple[Line, ...]:
    ruleset = writer.ruleset
    trump_only = ruleset.play.follow == "trump_only"
    by_holder = ruleset.table.called and ruleset.play.call_lead == "holder"
    lines = [] if trump_only and ruleset.bidding.auction and not by_holder else [writer.answer("follow")]
    if trump_only:
        lines.append(writer.line("The highest trump wins the trick and leads the next."))
        lines.append(
            writer.line("No trump left: say “out”. If the winner of a trick is out, the player on the left leads.")
        )
    else:
        lines.append(
            writer.line("The highest trump wins the trick, or else the highest of the suit led; its winner leads next.")
        )
    cards = ruleset.cards
    if cards.face_down:
        lines.append(
            writer.line("From the second trick on, play from the hand or turn up a card from those face down.")
        )
    if cards.played and not trump_only:
        lines.append(writer.line(f"{phrases.several(cards.played, 'trick')} in all."))
    return tuple(lines)
