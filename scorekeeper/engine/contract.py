"""Who won the bidding of a hand, and with what: from the calls, or as it was told."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.engine.auction import bid_objections, run_auction, same_bid
from scorekeeper.engine.hand import PITCHED_BID, Bid, Call, HandRecord
from scorekeeper.engine.seats import Seats
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


def contract_of(ruleset: Ruleset, seats: Seats, dealer: str | None, hand: HandRecord) -> tuple[Contract, list[Fault]]:
    """Find what the bidding of a hand came to, with everything in it that cannot be."""
    if not ruleset.bidding.auction:
        said = [
            ("auction", hand.auction),
            ("bidder", hand.bidder),
            ("bid", hand.bid),
            ("overtook_pitch", hand.overtook_pitch or None),
        ]
        return Contract(), [
            Fault(field, "no_bidding", "Nobody bids in this game.") for field, value in said if value is not None
        ]
    told, faults = _told(ruleset, seats, dealer, hand)
    if hand.auction is None or faults:
        return told, faults
    return _called(ruleset, seats, dealer, hand, told)


def _told(ruleset: Ruleset, seats: Seats, dealer: str | None, hand: HandRecord) -> tuple[Contract, list[Fault]]:
    """Read bidder and bid as they were told."""
    faults = []
    bid = same_bid(ruleset, hand.bid) if hand.bid is not None else None
    if hand.bidder is not None and seats.side_of(hand.bidder) is None:
        faults.append(Fault("bidder", "unknown_player", f"Nobody called {hand.bidder} sits at this table."))
    if bid is not None and bid not in ruleset.ladder:
        faults += [Fault("bid", *why) for why in bid_objections(ruleset, bid)][:1]
    if hand.auction is None:
        if hand.bidder is not None and bid is None:
            faults.append(Fault("bid", "no_bid", f"Say what {hand.bidder} bid."))
        if hand.bidder is None and bid is not None:
            faults.append(Fault("bidder", "no_bidder", "Say who won the bidding."))
    overtook = bool(hand.overtook_pitch)
    if overtook and hand.auction is None:
        faults += _overtaking_faults(ruleset, seats, dealer, hand, bid)
    return Contract(hand.bidder, bid, overtook), faults


def _overtaking_faults(
    ruleset: Ruleset, seats: Seats, dealer: str | None, hand: HandRecord, bid: Bid | None
) -> list[Fault]:
    if not ruleset.bidding.pitching:
        return [Fault("overtook_pitch", "no_pitching", "Leading a card instead of bidding is not played here.")]
    if isinstance(bid, int) and bid != PITCHED_BID:
        return [
            Fault("overtook_pitch", "not_overtaken", f"A led card counts {PITCHED_BID}: {bid} does not overtake it.")
        ]
    if dealer is not None and hand.bidder is not None and seats.side_of(dealer) != seats.side_of(hand.bidder):
        return [Fault("overtook_pitch", "not_dealer", f"Only the dealer overtakes a led card, and {dealer} dealt.")]
    return []


def _called(
    ruleset: Ruleset, seats: Seats, dealer: str | None, hand: HandRecord, told: Contract
) -> tuple[Contract, list[Fault]]:
    """Read the calls, and hold them against what was told beside them."""
    calls = hand.auction or ()
    if not seats.players:
        return told, [Fault("auction", "no_players", "An auction needs the players: say who sits at the table.")]
    player, faults = _dealing_player(seats, dealer, calls)
    if faults:
        return told, faults
    auction, faults = run_auction(ruleset, seats, player, calls)
    if faults:
        return told, faults
    if not auction.is_over:
        unfinished = Fault("auction", "unfinished", f"The bidding is not over: {auction.waiting[0]} is to speak.")
        says_more = hand.is_played or hand.thrown_in == "all_passed" or hand.bidder is not None or hand.bid is not None
        return Contract(dealer=player), [unfinished] if says_more else []
    said = Contract(
        auction.bidder,
        auction.bid,
        auction.overtook_pitch,
        auction.all_passed,
        player if auction.took_set else None,
        player,
    )
    return said, _disagreements(seats, hand, told, said)


def _dealing_player(seats: Seats, dealer: str | None, calls: Sequence[tuple[str, Call]]) -> tuple[str, list[Fault]]:
    """Find the player who dealt: as it is known, or on the right of who spoke first."""
    if dealer in seats.players and dealer is not None:
        return dealer, []
    members = seats.side(dealer).players if dealer is not None else seats.players
    if not calls or calls[0][0] not in seats.players:
        return members[-1], []
    first = calls[0][0]
    player = seats.right_of(first) or members[-1]
    if player in members:
        return player, []
    return player, [Fault("dealer", "side_dealer", f"{first} spoke first, so {player} dealt, who is not of {dealer}.")]


def _disagreements(seats: Seats, hand: HandRecord, told: Contract, said: Contract) -> list[Fault]:
    faults = []
    if told.bidder is not None and told.bidder not in (said.bidder, seats.side_of(said.bidder or "")):
        faults.append(Fault("bidder", "disagrees", "The calls make another player the bidder."))
    if told.bid is not None and told.bid != said.bid:
        faults.append(Fault("bid", "disagrees", "The calls end with another bid."))
    if hand.overtook_pitch is not None and hand.overtook_pitch != said.overtook_pitch:
        faults.append(Fault("overtook_pitch", "disagrees", "The calls say otherwise about the led card."))
    if hand.thrown_in == "all_passed" and not said.all_passed:
        faults.append(Fault("thrown_in", "disagrees", "The calls do not end with everybody passing."))
    return faults
