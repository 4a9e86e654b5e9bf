"""A hand between its form and the store: what is written of it, and a stored hand as it was entered."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scorekeeper.engine.hand import PASS, TAKE_SET
from scorekeeper.services.before import place_of
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.log import LoggedHand
from scorekeeper.web.forms.hand import HandDraft
from scorekeeper.web.present.entry import Entry


def as_entered(match: LoadedMatch, logged: LoggedHand) -> HandDraft:
    """Show a stored hand; of a whole auction also what came of it, for whoever goes on without the calls."""
    draft = HandDraft.from_hand(logged.hand)
    result = match.state.hands[place_of(match, logged.uid)]
    if "auction" not in logged.hand or result.bidder is None:
        return draft
    bid = "" if result.bid is None else str(result.bid)
    return replace(draft, bidder=match.ids[result.bidder], bid=bid)


def told_of(entry: Entry, draft: HandDraft) -> dict[str, Any]:
    """Write the hand as the store keeps it: a dealer only where it is not the one expected."""
    told = draft.hand()
    if not draft.thrown_in:
        told = {**_with_calls(entry, told, draft), **_not_asked(entry)}
    if draft.thrown_in == TAKE_SET:
        told = {"auction": _all_passed(entry)}
    if told.get("dealer") and _goes_without_saying(entry, told):
        del told["dealer"]
    return told


def _goes_without_saying(entry: Entry, told: Mapping[str, Any]) -> bool:
    """Tell whether the dealer is the one expected, or the one that a stored auction tells."""
    dealer = entry.name(told["dealer"])
    if entry.before.dealer == dealer:
        return True
    logged = entry.match.log.hand(entry.uid) if entry.uid is not None else None
    by_calls = dealer == entry.dealer_by_calls and "auction" in told
    return by_calls and logged is not None and "dealer" not in logged.hand


def _with_calls(entry: Entry, told: dict[str, Any], draft: HandDraft) -> dict[str, Any]:
    """Tell the whole auction where there is one that comes to what was entered, even without its calls."""
    if entry.by_auction:
        return told if not entry.ended_unplayed else {key: told[key] for key in ("dealer", "auction") if key in told}
    called = entry.called
    if called.bidder is None or called != replace(entry.contract, overtook_pitch=draft.overtook_pitch):
        return told
    kept = {key: value for key, value in told.items() if key not in ("bidder", "bid", "overtook_pitch")}
    return {**kept, "auction": draft.auction}


def _not_asked(entry: Entry) -> dict[str, Any]:
    """Keep of a hand that is put right what the form does not ask for: remarks, and rules of that hand."""
    logged = entry.match.log.hand(entry.uid) if entry.uid is not None else None
    return {key: logged.hand[key] for key in ("note", "house", "house_on") if key in logged.hand} if logged else {}


def _all_passed(entry: Entry) -> list[list[str]]:
    """Write the calls of a bidding in which the dealer took the set."""
    calls = [[entry.id(who), PASS] for who in entry.people]
    return [*calls[:-1], [calls[-1][0], TAKE_SET]] if calls else []
