"""Who won the bidding of a hand, and with what: from the calls, or as the table said."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorekeeper.engine.auction import run_auction, same_bid, take_set_calls, unknown_bid
from scorekeeper.engine.deal import dealer_by_calls
from scorekeeper.engine.hand import PITCHED_BID, Bid, Calls, Hand
from scorekeeper.engine.seats import Seats, unknown_player
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.schema import Ruleset


@dataclass(frozen=True, slots=True)
class Contract:
    """What the bidding came to."""

    bidder: str | None = None
    bid: Bid | None = None
    overtook_pitch: bool = False
    all_passed: bool = False
    set_taken_by: str | None = None
    """The dealer who took the set instead of bidding."""
    dealer: str | None = None
    """The player who dealt, where the calls tell."""

    @property
    def is_bid(self) -> bool:
        """Whether somebody has to make a bid."""
        return self.bidder is not None and self.bid is not None


def is_unbound(ruleset: Ruleset, contract: Contract) -> bool:
    """Return whether a hand without a bid is played all the same, and everybody scores what they take."""
    return ruleset.bidding.all_pass == "unobliged" and not contract.is_bid


def contract_of(ruleset: Ruleset, seats: Seats, dealer: str | None, hand: Hand) -> tuple[Contract, list[Fault]]:
    """Return what the bidding of a hand came to, with everything in it that cannot be."""
    if not ruleset.bidding.auction:
        names = [name for name in ("auction", "bidder", "bid") if getattr(hand, name) is not None]
        names += ["overtook_pitch"] if hand.overtook_pitch else []
        return Contract(), [Fault(name, "no_bidding", "Nobody bids in this game.") for name in names]
    stated, faults = _stated(ruleset, seats, dealer, hand)
    if hand.auction is None or faults:
        return stated, faults
    return _called(ruleset, seats, dealer, hand, stated)


def _stated(ruleset: Ruleset, seats: Seats, dealer: str | None, hand: Hand) -> tuple[Contract, list[Fault]]:
    """Read bidder and bid as they were entered."""
    faults = []
    bid = same_bid(ruleset, hand.bid) if hand.bid is not None else None
    if hand.bidder is not None and seats.side_of(hand.bidder) is None:
        faults.append(unknown_player("bidder", hand.bidder))
    if bid is not None and (unknown := unknown_bid(ruleset, bid)):
        faults.append(replace(unknown, field="bid"))
    if hand.auction is None:
        if hand.bidder is not None and bid is None:
            faults.append(Fault("bid", "no_bid", "Say what {0} bid.", (hand.bidder,)))
        if hand.bidder is None and bid is not None:
            faults.append(Fault("bidder", "no_bidder", "Say who won the bidding."))
    overtook = bool(hand.overtook_pitch)
    if overtook and hand.auction is None:
        faults += _overtaking_faults(ruleset, seats, dealer, hand, bid)
    return Contract(hand.bidder, bid, overtook), faults


def _overtaking_faults(
    ruleset: Ruleset, seats: Seats, dealer: str | None, hand: Hand, bid: Bid | None
) -> Iterator[Fault]:
    if not ruleset.bidding.pitching:
        yield Fault("overtook_pitch", "no_pitching", "Nobody leads a card instead of bidding in this game.")
    elif isinstance(bid, int) and bid != PITCHED_BID:
        why = f"A led card counts {PITCHED_BID}: {bid} does not outbid it."
        yield Fault("overtook_pitch", "not_overtaken", why)
    elif dealer is not None and hand.bidder is not None and seats.side_of(dealer) != seats.side_of(hand.bidder):
        yield Fault("overtook_pitch", "not_dealer", "Only the dealer can outbid a led card, and {0} dealt.", (dealer,))


def _called(
    ruleset: Ruleset, seats: Seats, dealer: str | None, hand: Hand, stated: Contract
) -> tuple[Contract, list[Fault]]:
    """Read the calls, and compare them with what was entered beside them."""
    calls = hand.auction or ()
    if calls and not seats.players and calls == take_set_calls(seats, calls[-1][0]):
        # Sides without players can tell one auction: all passed, and the side that dealt goes set.
        seats = replace(seats, players=seats.ids)
    if not seats.players:
        return stated, [Fault("auction", "no_players", "An auction needs the players: say who sits at the table.")]
    player, faults = _dealing_player(seats, dealer, calls)
    if faults:
        return stated, faults
    auction, faults = run_auction(ruleset, seats, player, calls)
    if faults:
        return stated, faults
    if not auction.is_over:
        why = "The bidding is not over: {0} has to bid or pass."
        says_more = hand.is_played or hand.thrown_in == "all_passed" or hand.bidder is not None or hand.bid is not None
        return Contract(dealer=player), [Fault("auction", "unfinished", why, auction.waiting[:1])] if says_more else []
    taker = player if auction.took_set else None
    called = Contract(auction.bidder, auction.bid, auction.overtook_pitch, auction.all_passed, taker, player)
    return called, list(_disagreements(seats, hand, stated, called))


def _dealing_player(seats: Seats, dealer: str | None, calls: Calls) -> tuple[str, list[Fault]]:
    """Find the player who dealt: as it is known, or on the right of whoever called first."""
    if dealer in seats.players and dealer is not None:
        return dealer, []
    members = seats.side(dealer).seats if dealer is not None else seats.players
    player = dealer_by_calls(seats, calls) or members[-1]
    if player in members:
        return player, []
    people = calls[0][0], player, dealer or ""
    return player, [Fault("dealer", "side_dealer", "{0} bid first, so {1} dealt, who is not on {2}.", people)]


def _disagreements(seats: Seats, hand: Hand, stated: Contract, called: Contract) -> Iterator[Fault]:
    if stated.bidder is not None and stated.bidder not in (called.bidder, seats.side_of(called.bidder or "")):
        yield Fault("bidder", "disagrees", "The calls make another player the bidder.")
    if stated.bid is not None and stated.bid != called.bid:
        yield Fault("bid", "disagrees", "The calls end with another bid.")
    if hand.overtook_pitch is not None and hand.overtook_pitch != called.overtook_pitch:
        yield Fault("overtook_pitch", "disagrees", "The calls don’t match what is said about the led card.")
    if hand.thrown_in == "all_passed" and not called.all_passed:
        yield Fault("thrown_in", "disagrees", "The calls do not end with everybody passing.")
