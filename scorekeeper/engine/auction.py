"""The bidding: who may call what now, and what a run of calls comes to.

Rules of `002` ("Bidding", "Pitching", Five Point Set Back, Moon over Four), `001` ("Bidding") and `003` ("Bidding").
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from scorekeeper.engine.hand import PASS, PITCH, PITCHED_BID, TAKE_SET, Bid, Call
from scorekeeper.engine.seats import Seats
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.schema import Ruleset


@dataclass(frozen=True, slots=True)
class Auction:
    """Where the bidding stands after some calls."""

    dealer: str
    bidder: str | None = None
    bid: Bid | None = None
    pitched: bool = False
    """Whether the standing bid is a led card."""
    overtook_pitch: bool = False
    took_set: bool = False
    passed: frozenset[str] = frozenset()
    top_bid_by: frozenset[str] = frozenset()
    """Who has bid the highest number, or above it."""
    waiting: tuple[str, ...] = field(default=())
    """Who is still to speak, the next one first."""

    @property
    def is_over(self) -> bool:
        """Whether nobody is left to speak."""
        return not self.waiting

    @property
    def all_passed(self) -> bool:
        """Whether the bidding ended without a bid."""
        return self.is_over and self.bidder is None and not self.took_set


def rank(ruleset: Ruleset, bid: Bid | None) -> int:
    """Order bids: numbers by themselves, specials above them, 0 for none."""
    if bid is None:
        return 0
    if isinstance(bid, int):
        return bid
    return 1000 + ruleset.specials.index(bid)


def same_bid(ruleset: Ruleset, call: Call) -> Call:
    """Give a bid its one name: all the points are a moon where the two are one bid (`002`, Pawnee)."""
    return "moon" if ruleset.moon_tops_out and call == ruleset.on_offer else call


def open_auction(ruleset: Ruleset, seats: Seats, dealer: str) -> Auction:
    """Begin the bidding at the dealer's left."""
    at = seats.players.index(dealer)
    return Auction(dealer, waiting=(*seats.players[at + 1 :], *seats.players[: at + 1]))


def run_auction(
    ruleset: Ruleset, seats: Seats, dealer: str, calls: Sequence[tuple[str, Call]]
) -> tuple[Auction, list[Fault]]:
    """Fold the calls; stops at the first that is not allowed and says why."""
    auction = open_auction(ruleset, seats, dealer)
    idle: tuple[str, ...] = ()
    for i, (who, call) in enumerate(calls):
        where = f"auction.{i}"
        if who not in seats.players:
            return auction, [Fault(where, "unknown_player", f"Nobody called {who} sits at this table.")]
        if auction.is_over:
            if call == PASS and who in idle:
                idle = idle[idle.index(who) + 1 :]
                continue
            return auction, [Fault(where, "bidding_over", f"The bidding is over: {who} has nothing more to say.")]
        if auction.pitched and who == dealer:
            auction = replace(auction, waiting=(dealer,))
        if who != auction.waiting[0]:
            return auction, [Fault(where, "out_of_turn", f"It is {auction.waiting[0]}’s turn to speak, not {who}’s.")]
        call = same_bid(ruleset, call)
        why_not = objection(ruleset, auction, who, call)
        if why_not:
            return auction, [Fault(where, *why_not)]
        before = auction.waiting[1:]
        auction = _after(ruleset, seats, auction, who, call)
        if auction.is_over:
            idle = before
    return auction, []


def calls_played(ruleset: Ruleset) -> tuple[Call, ...]:
    """Give everything that can be said in a bidding of this game."""
    if not ruleset.bidding.auction:
        return ()
    led = (PITCH,) if ruleset.bidding.pitching else ()
    set_taken = (TAKE_SET,) if ruleset.bidding.all_pass == "may_take_set" else ()
    return (PASS, *ruleset.ladder, *led, *set_taken)


def legal_calls(ruleset: Ruleset, auction: Auction) -> tuple[Call, ...]:
    """Give everything that whoever speaks next may say."""
    if auction.is_over:
        return ()
    speaker = auction.waiting[0]
    return tuple(call for call in calls_played(ruleset) if not objection(ruleset, auction, speaker, call))


def objection(ruleset: Ruleset, auction: Auction, who: str, call: Call) -> tuple[str, str] | None:
    """Say why a player may not call that now, as a code and a sentence, or `None` where it is allowed."""
    last_of_all = who == auction.dealer and auction.bidder is None and auction.waiting == (who,)
    if call == PASS:
        return _against_passing(ruleset, who) if last_of_all else None
    if call == TAKE_SET:
        if ruleset.bidding.all_pass != "may_take_set":
            return "no_take_set", "Taking the set instead of bidding is not played here."
        return None if last_of_all else ("not_for_you", "Only the dealer may take the set, when all the others passed.")
    if call == PITCH and not ruleset.bidding.pitching:
        return "no_pitching", "Leading a card instead of bidding is not played here."
    if call != PITCH:
        for found in bid_objections(ruleset, call):
            return found
    for found in _against_bidding(ruleset, auction, who, call):
        return found
    forced = ruleset.bidding.all_pass == "dealer_forced" and last_of_all
    if forced and rank(ruleset, PITCHED_BID if call == PITCH else call) < ruleset.forced_bid:
        return "below_forced", f"All the others passed: {who} must bid at least {ruleset.forced_bid}."
    return None


def _against_passing(ruleset: Ruleset, who: str) -> tuple[str, str] | None:
    """Say why a dealer whom nobody relieved may not pass."""
    if ruleset.bidding.all_pass == "dealer_forced":
        return "dealer_must_bid", f"All the others passed: {who} deals and must bid at least {ruleset.forced_bid}."
    if ruleset.bidding.all_pass == "may_take_set":
        return "dealer_must_choose", f"All the others passed: {who} deals, and bids or takes the set."
    return None


def _against_bidding(ruleset: Ruleset, auction: Auction, who: str, call: Call) -> Iterator[tuple[str, str]]:
    """Say why a bid of this game's cannot follow what was bid before."""
    is_dealer = who == auction.dealer
    if auction.pitched and not is_dealer:
        yield "after_pitch", f"{auction.bidder} has led a card: only the dealer may still speak."
    elif auction.pitched and isinstance(call, int):
        yield "after_pitch", "A led card is overtaken only by leading one, or by a higher bid than a number."
    elif auction.pitched and call == PITCH:
        return  # leading over a led card is the pitch's own rule, whatever holds for equal numbers (`002`, Pitching)
    else:
        yield from _too_low(ruleset, auction, who, PITCHED_BID if call == PITCH else call)


def bid_objections(ruleset: Ruleset, bid: Bid) -> Iterator[tuple[str, str]]:
    """Say why a bid is none of this game's, whoever makes it."""
    ladder = ruleset.ladder
    if bid in ladder:
        return
    if isinstance(bid, str):
        yield "no_such_bid", f"{bid.replace('_', ' ').capitalize()} cannot be bid here."
    elif bid < ruleset.bottom_number:
        yield "too_low", f"{bid} is too low: the lowest bid is {ruleset.bottom_number}."
    else:
        yield "too_high", f"{bid} is too high: the highest number is {ruleset.top_number}."


def _too_low(ruleset: Ruleset, auction: Auction, who: str, value: Bid) -> Iterator[tuple[str, str]]:
    standing, asked = rank(ruleset, auction.bid), rank(ruleset, value)
    equal = asked == standing
    if equal and _may_steal(ruleset, auction, who):
        return
    if asked <= standing:
        said = str(auction.bid).replace("_", " ")
        if equal and who == auction.dealer:
            yield "no_steal", f"{auction.bidder} has bid {said}, and the dealer may not take it at the same."
        else:
            yield "not_higher", f"{auction.bidder} has bid {said}: bid higher, or pass."
    elif value == "double_moon" and auction.bid != "moon":
        yield "no_moon_yet", "A double moon goes only over a moon."
    elif value == "moon" and ruleset.moon.moon_after == "top_bid_by_another" and not (auction.top_bid_by - {who}):
        yield "moon_too_soon", f"A moon goes only over another player’s {ruleset.top_number}."


def _may_steal(ruleset: Ruleset, auction: Auction, who: str) -> bool:
    steal = ruleset.bidding.dealer_steal
    if who != auction.dealer or auction.bidder in (who, None):
        return False
    return steal == "yes" or (steal == "not_smudge" and isinstance(auction.bid, int))


def _after(ruleset: Ruleset, seats: Seats, auction: Auction, who: str, call: Call) -> Auction:
    """Give the state after an allowed call."""
    if call == PASS:
        said = replace(auction, passed=auction.passed | {who})
    elif call == TAKE_SET:
        said = replace(auction, took_set=True)
    else:
        bid = PITCHED_BID if call == PITCH else call
        topped = rank(ruleset, bid) >= ruleset.top_number
        said = replace(
            auction,
            bidder=who,
            bid=bid,
            pitched=call == PITCH,
            overtook_pitch=auction.pitched,
            top_bid_by=auction.top_bid_by | {who} if topped else auction.top_bid_by,
        )
    return replace(said, waiting=_still_to_speak(ruleset, seats, said, who))


def _still_to_speak(ruleset: Ruleset, seats: Seats, auction: Auction, who: str) -> tuple[str, ...]:
    if auction.took_set or (auction.pitched and who == auction.dealer):
        return ()
    if ruleset.bidding.rounds == "until_passed":
        if auction.bid is not None and auction.bid == ruleset.ladder[-1]:
            return ()
        at = seats.players.index(who)
        order = (*seats.players[at + 1 :], *seats.players[:at])
        waiting = tuple(p for p in order if p not in auction.passed and p != auction.bidder)
    else:
        waiting = auction.waiting[1:]
    if auction.bidder is None:
        return waiting
    can_raise = any(_can_raise(ruleset, replace(auction, waiting=(p,)), p) for p in waiting)
    return waiting if can_raise else ()


def _can_raise(ruleset: Ruleset, auction: Auction, who: str) -> bool:
    return any(not objection(ruleset, auction, who, call) for call in (*ruleset.ladder, PITCH))
