"""From the deal to the first lead: who deals, naming trump, calling a partner, throwing away and drawing."""

from scorekeeper.rules import words
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sheet.telling import Telling
from scorekeeper.rules.sheet.values import Line, Section


def before_the_play(telling: Telling) -> Section:
    """Tell what happens before the first card is led."""
    lines = (*_deal(telling), *_naming(telling), *_drawing(telling))
    return Section("Deal", lines=lines)


def _deal(telling: Telling) -> tuple[Line, ...]:
    cards = telling.ruleset.cards
    lines = [*telling.told_if("next_dealer", "clockwise"), *telling.told_if("cut", False)]
    if cards.face_down:
        held = words.number((cards.dealt or 0) - cards.face_down)
        lines.append(
            telling.line(f"Look at {held} of the cards; {words.number(cards.face_down)} stay face down, unseen.")
        )
    return (*lines, *telling.told_if("misdeal", "none"))


def names_trump(ruleset: Ruleset) -> bool:
    """Tell whether trump is named before the play, rather than made by the first card led."""
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


def _naming(telling: Telling) -> tuple[Line, ...]:
    ruleset = telling.ruleset
    lines = []
    if names_trump(ruleset) and ruleset.play.kitty not in ("before_trump", "after_trump"):
        lines.append(telling.line("The bidder names trump."))
    if ruleset.play.kitty in ("before_trump", "after_trump"):
        lines.append(telling.told("kitty"))
    if ruleset.table.called:
        lines += [telling.told("call"), telling.told("alone")]
    if ruleset.play.kitty == "after_call":
        lines.append(telling.told("kitty"))
    return tuple(lines)


def _drawing(telling: Telling) -> tuple[Line, ...]:
    """Tell what is thrown away and drawn, and what becomes of cards over six."""
    ruleset = telling.ruleset
    lines = [*telling.told_if("draw", "none")]
    if ruleset.play.kitty in ("none", "rest_to_bidder"):
        lines += telling.told_if("kitty", "none")
    lines += telling.told_if("share_the_wealth", False)
    cards = ruleset.cards
    goes_down = ruleset.play.draw == "none" and cards.played and cards.dealt and cards.dealt > cards.played
    if goes_down and not cards.face_down:
        lines.append(telling.line(f"All throw away down to {words.number(cards.played or 0)} cards."))
    return (*lines, *telling.told_if("burn", "none"))
