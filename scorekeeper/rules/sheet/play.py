"""Leading, following, and winning a trick."""

from scorekeeper.rules import words
from scorekeeper.rules.sheet.before import names_trump
from scorekeeper.rules.sheet.telling import Telling
from scorekeeper.rules.sheet.values import Line, Section


def play(telling: Telling) -> Section:
    """Tell how the tricks are played."""
    return Section("Play", lines=(*_first_lead(telling), *_tricks(telling)))


def _first_lead(telling: Telling) -> tuple[Line, ...]:
    ruleset = telling.ruleset
    if not ruleset.bidding.auction:
        return (telling.line("The player on the dealer’s left leads; the suit led is trump.", "first_lead"),)
    if ruleset.table.called and ruleset.play.call_lead == "holder":
        return (telling.told("call_lead"),)
    if not names_trump(ruleset):
        return (telling.line("The bidder leads, and the suit of that first card is trump.", "first_lead"),)
    if ruleset.play.follow == "trump_only":
        return (telling.line("The bidder leads. Only trumps are played.", "first_lead", "call_lead", "follow"),)
    return (telling.told("first_lead"),)


def _tricks(telling: Telling) -> tuple[Line, ...]:
    ruleset = telling.ruleset
    trump_only = ruleset.play.follow == "trump_only"
    by_holder = ruleset.table.called and ruleset.play.call_lead == "holder"
    lines = [] if trump_only and ruleset.bidding.auction and not by_holder else [telling.told("follow")]
    if trump_only:
        lines.append(telling.line("The highest trump wins the trick and leads the next."))
        lines.append(
            telling.line("No trump left: say “out”. If the winner of a trick is out, the player on the left leads.")
        )
    else:
        lines.append(
            telling.line(
                "The highest trump wins the trick, or else the highest of the suit led; its winner leads next."
            )
        )
    cards = ruleset.cards
    if cards.face_down:
        lines.append(
            telling.line("From the second trick on, play from the hand or turn up a card from those face down.")
        )
    if cards.played and not trump_only:
        lines.append(telling.line(f"{words.several(cards.played, 'trick')} in all."))
    return tuple(lines)
