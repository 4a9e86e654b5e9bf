"""What happens seldom: a misdeal, another dealer, a bidding that nobody wanted."""

from collections.abc import Mapping

from scorekeeper.engine.hand import TAKE_SET
from scorekeeper.web.contexts.hand import (
    ExtrasView,
)
from scorekeeper.web.contexts.parts import CheckView, Choice
from scorekeeper.web.present.entry import Entry
from scorekeeper.web.present.entry_auction import dealer_question


def extras_view(entry: Entry, faults: Mapping[str, str]) -> ExtrasView:
    """Offer what happens seldom."""
    bidding = entry.ruleset.bidding
    asks_dealer = entry.knows_dealer or not entry.by_auction
    thrown = [Choice(value="misdeal", label="Misdeal")]
    # Calls that are over have told whether all passed.
    may_pass = bidding.auction and (entry.is_bidding or not entry.by_auction)
    if may_pass and bidding.all_pass in ("redeal", None):
        thrown.append(Choice(value="all_passed", label="All passed, deal again"))
    if may_pass and bidding.all_pass == "may_take_set" and entry.before.seats.players:
        thrown.append(Choice(value=TAKE_SET, label=f"All passed: {entry.dealer or 'the dealer'} takes the set"))
    pitched = CheckView(
        field="overtook_pitch",
        label="The dealer took the bid over a led card",
        is_checked=entry.draft.overtook_pitch,
    )
    # The calls themselves tell who led a card and who overtook it.
    asks_pitched = bidding.pitching and not entry.by_auction
    words = ["another dealer"] * asks_dealer + ["a led card overtaken"] * asks_pitched
    return ExtrasView(
        summary=f"Something else: {', '.join(words)}" if words else "",
        questions=(dealer_question(entry, faults),) if asks_dealer else (),
        checks=(pitched,) if asks_pitched else (),
        thrown_in=tuple(thrown),
        is_open="dealer" in faults
        or entry.draft.overtook_pitch
        or bool(entry.draft.dealer and entry.name(entry.draft.dealer) != entry.before.dealer),
    )
