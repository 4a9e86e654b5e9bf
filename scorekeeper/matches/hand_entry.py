"""A hand as it is stored: what was entered, without what follows from the match anyway."""

from dataclasses import replace
from typing import Any

from scorekeeper.pitch.scoring.auction import Auction, Contract, is_unbound, run_auction
from scorekeeper.pitch.scoring.hand import Calls, Hand
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.pitch.scoring.seats import dealer_by_calls


def presumed_dealer(before: MatchState, calls: Calls, entered: str | None = None) -> str | None:
    """Return the dealer of a hand: as entered, else by the first call, else the one whose turn it is."""
    return entered or dealer_by_calls(before.seats, calls) or before.dealer


def unplayed(entered: Hand, **said: Any) -> Hand:
    """Return a hand that nobody played, with the penalties and forfeits that were entered."""
    return Hand(penalties=entered.penalties, penalties_to=entered.penalties_to, forfeits=entered.forfeits, **said)


def hand_to_store(before: MatchState, entered: Hand, *, calls: Calls = (), corrects: Hand | None = None) -> Hand:
    """Return a hand as it is stored, where the match stands as it did `before` it.

    A dealer is stored only where another was expected, or where the hand that is corrected has this one. `calls` were
    entered before the entry went on without them: they are stored where they lead to the same contract. Of a hand that
    is corrected, fields that no form has are kept.
    """
    hand = entered if entered.thrown_in else _with_calls(before, entered, calls)
    if corrects:
        hand = replace(hand, house=corrects.house, house_on=corrects.house_on, note=corrects.note)
        if corrects.dealer and corrects.dealer == (hand.dealer or before.dealer):
            return replace(hand, dealer=corrects.dealer)
    return replace(hand, dealer=None) if _is_expected_dealer(before, hand, corrects) else hand


def _is_expected_dealer(before: MatchState, hand: Hand, corrects: Hand | None) -> bool:
    """Return whether the dealer is the one expected, and the first caller does not show another.

    A stored auction determines the dealer, whichever was expected: of one that is corrected, no dealer is stored.
    """
    by_calls = dealer_by_calls(before.seats, hand.auction or ())
    if hand.dealer in (None, by_calls) and corrects is not None and corrects.dealer is None:
        return True
    return hand.dealer == before.dealer and by_calls in (None, hand.dealer)


def _with_calls(before: MatchState, hand: Hand, calls: Calls) -> Hand:
    auction = _run(before, hand, calls if hand.auction is None else hand.auction)
    if auction is None or not auction.is_over:
        return hand
    if hand.auction is not None:
        if auction.bidder or (auction.all_passed and is_unbound(before.ruleset, Contract())):
            return hand
        # All passed, or the dealer took the set: nothing was played.
        return unplayed(hand, dealer=hand.dealer, auction=hand.auction)
    called = Contract(auction.bidder, auction.bid, auction.overtook_pitch)
    if auction.bidder is None or called != Contract(hand.bidder, hand.bid, bool(hand.overtook_pitch)):
        return hand
    return replace(hand, auction=calls, bidder=None, bid=None, overtook_pitch=None)


def _run(before: MatchState, hand: Hand, calls: Calls) -> Auction | None:
    """Return the auction as far as its calls are allowed; `None` without bidding, or where the dealer is not known."""
    dealer = presumed_dealer(before, calls, hand.dealer)
    if not before.ruleset.bidding.auction or dealer not in before.seats.players or dealer is None:
        return None
    return run_auction(before.ruleset, before.seats, dealer, calls)[0]
