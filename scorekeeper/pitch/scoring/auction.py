"""The auction: which calls a player may make, and who won the bidding with which bid.

The rules are from `002` ("Bidding", "Pitching", Five Point Set Back, Moon over Four), `001` ("Bidding") and `003`
("Bidding"), the sources listed in `rulesets/README.md`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorekeeper.pitch.rules.faults import Refusal
from scorekeeper.pitch.rules.groups.declare import PITCHED_BID
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.hand import PASS, PITCH, TAKE_SET, Bid, Call, Calls, Contract, Hand
from scorekeeper.pitch.scoring.seats import Seats, clockwise_after, dealer_by_calls, unknown_player_fault


@dataclass(frozen=True, slots=True)
class Auction:
    """The state of one hand's auction after the calls so far."""

    dealer: str
    bidder: str | None = None
    bid: Bid | None = None
    pitched: bool = False
    """Whether the highest bid was made by leading a card ("pitching") instead of naming a number."""
    overtook_pitch: bool = False
    """Whether the highest bid was made over another player's led card."""
    took_set: bool = False
    """Whether the dealer, after all others passed, accepted being set instead of bidding."""
    passed: frozenset[str] = frozenset()
    top_bidders: frozenset[str] = frozenset()
    """The players who have bid the highest number that the rules allow, or a special bid above it."""
    waiting: tuple[str, ...] = ()
    """The players who may still call, in the order of their turns."""

    @property
    def is_over(self) -> bool:
        """Whether no player may call any more."""
        return not self.waiting

    @property
    def all_passed(self) -> bool:
        """Whether the bidding ended without a bid, and the dealer did not go set instead."""
        return self.is_over and self.bidder is None and not self.took_set


def bid_rank(ruleset: Ruleset, bid: Bid | None) -> int:
    """Return the rank of a bid: a number is its own rank, special bids rank above all numbers, and `None` ranks 0."""
    return 1000 + ruleset.special_bids.index(bid) if isinstance(bid, str) else bid or 0


def canonical_call(ruleset: Ruleset, call: Call) -> Call:
    """Return "moon" for a bid of every point where it is a moon, and any other call unchanged."""
    return "moon" if ruleset.top_bid_is_moon and call == ruleset.points_per_hand else call


def open_auction(seats: Seats, dealer: str) -> Auction:
    """Return the auction of a hand before any call; the player on the dealer's left calls first."""
    return Auction(dealer, waiting=clockwise_after(seats.players, dealer))


def take_set_calls(seats: Seats, dealer: str | None) -> Calls:
    """Return the calls of a hand in which all others pass and the dealer goes set instead of bidding.

    If `dealer` is a side or `None`, the last player of the side or of the table goes set.
    """
    *others, last = clockwise_after(seats.chairs, _dealing_player(seats, dealer, ()))
    return (*((who, PASS) for who in others), (last, TAKE_SET))


def run_auction(ruleset: Ruleset, seats: Seats, dealer: str, calls: Calls) -> tuple[Auction, Refusal | None]:
    """Return the auction after the calls, and the fault of the first illegal one, if there is one.

    An illegal call and all after it are not applied. Passes that change nothing may be entered or left out.
    """
    auction = open_auction(seats, dealer)
    may_still_pass: tuple[str, ...] = ()
    for i, (who, call) in enumerate(calls):
        field = f"auction.{i}"
        if who not in seats.players:
            return auction, unknown_player_fault(field, who)
        if auction.is_over:
            if call == PASS and who in may_still_pass:
                may_still_pass = may_still_pass[may_still_pass.index(who) + 1 :]
                continue
            return auction, Refusal(field, "bidding_over", "The bidding is over: {0} has no call left.", (who,))
        if auction.pitched and who == dealer:
            auction = replace(auction, waiting=(dealer,))
        if who != auction.waiting[0]:
            why = "It is {0}’s turn to bid, not {1}’s."
            return auction, Refusal(field, "out_of_turn", why, (auction.waiting[0], who))
        call = canonical_call(ruleset, call)
        if why_not := call_objection(ruleset, auction, who, call):
            return auction, replace(why_not, field=field)
        others_waiting = auction.waiting[1:]
        auction = _auction_after(ruleset, seats, auction, who, call)
        if auction.is_over:
            may_still_pass = others_waiting
    return auction, None


def possible_calls(ruleset: Ruleset) -> tuple[Call, ...]:
    """Return every call of a game: pass, each bid and, where the rules allow it, leading a card or going set."""
    pitch = (PITCH,) if ruleset.bidding.pitching else ()
    take_set = (TAKE_SET,) if ruleset.bidding.all_pass == "may_take_set" else ()
    return (PASS, *ruleset.bids, *pitch, *take_set)


def call_objection(ruleset: Ruleset, auction: Auction, who: str, call: Call) -> Refusal | None:
    """Return the fault of an illegal call; `None` for a legal one.

    It is not checked whose turn it is, and the fault names no field.
    """
    last_of_all = who == auction.dealer and auction.bidder is None and auction.waiting == (who,)
    if call == PASS:
        return _pass_objection(ruleset, who) if last_of_all else None
    if call == TAKE_SET:
        if ruleset.bidding.all_pass != "may_take_set":
            return Refusal("", "no_take_set", "Nobody goes set instead of bidding in this game.")
        why = "Only the dealer may go set, after everyone else passed."
        return None if last_of_all else Refusal("", "not_for_you", why)
    if call == PITCH and not ruleset.bidding.pitching:
        return Refusal("", "no_pitching", "Nobody leads a card instead of bidding in this game.")
    if call != PITCH and (unknown := unknown_bid_fault(ruleset, call)):
        return unknown
    if bid_fault := _bid_objection(ruleset, auction, who, call):
        return bid_fault
    forced = ruleset.bidding.all_pass == "dealer_forced" and last_of_all
    if not forced and isinstance(call, int) and call < ruleset.min_bid_number:
        return _below_lowest_bid_fault(ruleset, call)
    if forced and bid_rank(ruleset, PITCHED_BID if call == PITCH else call) < ruleset.forced_bid:
        why = f"Everyone else passed: {{0}} must bid at least {ruleset.forced_bid}."
        return Refusal("", "below_forced", why, (who,))
    return None


def _pass_objection(ruleset: Ruleset, who: str) -> Refusal | None:
    """Return the fault of a dealer who may not pass after all others; `None` for one who may."""
    if ruleset.bidding.all_pass == "dealer_forced":
        why = f"Everyone else passed: {{0}} deals and must bid at least {ruleset.forced_bid}."
        return Refusal("", "dealer_must_bid", why, (who,))
    if ruleset.bidding.all_pass == "may_take_set":
        why = "Everyone else passed: {0} deals, and has to bid or go set."
        return Refusal("", "dealer_must_choose", why, (who,))
    return None


def _bid_objection(ruleset: Ruleset, auction: Auction, who: str, call: Call) -> Refusal | None:
    """Return the fault of a bid or led card that may not follow the bids before it; `None` for one that may."""
    if not auction.pitched:
        return _outbidding_fault(ruleset, auction, who, PITCHED_BID if call == PITCH else call)
    if who != auction.dealer:
        why = "{0} has led a card: only the dealer may still bid."
        return Refusal("", "after_pitch", why, (auction.bidder or "",))
    if isinstance(call, int) and call <= PITCHED_BID:
        why = f"A led card is a bid of {PITCHED_BID}: to outbid it, lead a card or bid higher."
        return Refusal("", "after_pitch", why)
    # Leading over a led card is the pitch's own rule, whatever holds for equal numbers (`002`, Pitching).
    return None if call == PITCH else _outbidding_fault(ruleset, auction, who, call)


def unknown_bid_fault(ruleset: Ruleset, bid: Bid) -> Refusal | None:
    """Return the fault of a bid that does not exist in this game; `None` for one that does."""
    if bid in ruleset.bids:
        return None
    if isinstance(bid, str):
        return Refusal("", "no_such_bid", f"{bid.replace('_', ' ').capitalize()} is not a bid in this game.")
    if bid < ruleset.min_bid_number:
        return _below_lowest_bid_fault(ruleset, bid)
    # A bid of every point may be a moon by another name.
    is_above_moon = ruleset.top_bid_is_moon and bid > ruleset.points_per_hand
    highest = ruleset.points_per_hand if is_above_moon else ruleset.max_bid_number
    return Refusal("", "too_high", f"{bid} is too high: the highest number is {highest}.")


def _below_lowest_bid_fault(ruleset: Ruleset, bid: int) -> Refusal:
    """Return the fault of a bid below the lowest number that the rules allow."""
    return Refusal("", "too_low", f"{bid} is too low: the lowest bid is {ruleset.min_bid_number}.")


def _outbidding_fault(ruleset: Ruleset, auction: Auction, who: str, bid: Bid) -> Refusal | None:
    """Return the fault of a bid that may not follow the highest one; `None` for one that may."""
    highest, wanted = bid_rank(ruleset, auction.bid), bid_rank(ruleset, bid)
    if wanted < highest or (wanted == highest and not _may_repeat_bid(ruleset, auction, who)):
        highest_bid, bidder = str(auction.bid).replace("_", " "), (auction.bidder or "",)
        if wanted == highest and who == auction.dealer:
            return Refusal(
                "", "no_steal", f"{{0}} has bid {highest_bid}, and the dealer can’t steal it by matching it.", bidder
            )
        return Refusal("", "not_higher", f"{{0}} has bid {highest_bid}: bid higher, or pass.", bidder)
    if wanted > highest:
        if bid == "double_moon" and auction.bid != "moon":
            return Refusal("", "no_moon_yet", "A double moon can only outbid a moon.")
        if bid == "moon" and ruleset.moon.moon_after == "top_bid_by_another" and not (auction.top_bidders - {who}):
            return Refusal("", "moon_too_soon", f"A moon can only outbid another player’s {ruleset.max_bid_number}.")
    return None


def _may_repeat_bid(ruleset: Ruleset, auction: Auction, who: str) -> bool:
    """Return whether a player may bid the same as the highest bid so far."""
    if ruleset.bidding.top_bid_again and auction.bid == ruleset.bids[-1]:
        return True
    return who == auction.dealer and _may_steal(ruleset, auction.bid)


def _may_steal(ruleset: Ruleset, bid: Bid | None) -> bool:
    """Return whether the rules let the dealer steal a bid by matching it."""
    match ruleset.bidding.dealer_steal:
        case "yes":
            return True
        case "not_smudge":
            return isinstance(bid, int)
        case "top_only":
            return bid == ruleset.max_bid_number
        case "below_top":
            return isinstance(bid, int) and bid < ruleset.max_bid_number
        case _:
            return False


def _auction_after(ruleset: Ruleset, seats: Seats, auction: Auction, who: str, call: Call) -> Auction:
    """Return the auction after a legal call by a player."""
    if call == PASS:
        after = replace(auction, passed=auction.passed | {who})
    elif call == TAKE_SET:
        after = replace(auction, took_set=True)
    else:
        bid = PITCHED_BID if call == PITCH else call
        is_top = bid_rank(ruleset, bid) >= ruleset.max_bid_number
        after = replace(
            auction,
            bidder=who,
            bid=bid,
            pitched=call == PITCH,
            overtook_pitch=auction.pitched,
            top_bidders=auction.top_bidders | {who} if is_top else auction.top_bidders,
        )
    return replace(after, waiting=_waiting_after(ruleset, seats, after, who))


def _waiting_after(ruleset: Ruleset, seats: Seats, auction: Auction, who: str) -> tuple[str, ...]:
    """Return the players who may still call after a call by `who`, in turn; empty once nobody may bid any more.

    `auction` is the auction after the call, with the `waiting` from before it.
    """
    if auction.took_set or (auction.pitched and who == auction.dealer):
        return ()
    if ruleset.bidding.rounds == "until_passed":
        if auction.bid is not None and auction.bid == ruleset.bids[-1] and not ruleset.bidding.top_bid_again:
            return ()
        order = clockwise_after(seats.players, who)[:-1]
        waiting = tuple(player for player in order if player not in auction.passed and player != auction.bidder)
    else:
        waiting = auction.waiting[1:]
    if auction.bidder is None:
        return waiting
    can_raise = any(
        not call_objection(ruleset, replace(auction, waiting=(player,)), player, call)
        for player in waiting
        for call in (*ruleset.bids, PITCH)
    )
    return waiting if can_raise else ()


def is_played_without_bid(ruleset: Ruleset, contract: Contract) -> bool:
    """Return whether nobody bid, and the rules let the hand be played all the same."""
    return ruleset.bidding.all_pass == "unobliged" and not contract.is_bid


def contract_of(ruleset: Ruleset, seats: Seats, dealer: str | None, hand: Hand) -> tuple[Contract, list[Refusal]]:
    """Return the contract that the bidding of a hand made, and the faults in the entries about the bidding."""
    if not ruleset.has_bidding:
        names = [name for name in ("auction", "bidder", "bid") if getattr(hand, name) is not None]
        names += ["overtook_pitch"] if hand.overtook_pitch else []
        return Contract(), [Refusal(name, "no_bidding", "Nobody bids in this game.") for name in names]
    entered, faults = _entered_contract(ruleset, seats, dealer, hand)
    if hand.auction is None or faults:
        return entered, faults
    return _contract_by_calls(ruleset, seats, dealer, hand, entered)


def _entered_contract(ruleset: Ruleset, seats: Seats, dealer: str | None, hand: Hand) -> tuple[Contract, list[Refusal]]:
    """Return the contract by the entries other than calls, such as the bidder and the bid, and their faults.

    Where calls were entered, only an unknown bidder or bid is a fault.
    """
    faults = []
    bid = canonical_call(ruleset, hand.bid) if hand.bid is not None else None
    if hand.bidder is not None and seats.side_of(hand.bidder) is None:
        faults.append(unknown_player_fault("bidder", hand.bidder))
    if bid is not None and (unknown := unknown_bid_fault(ruleset, bid)):
        faults.append(replace(unknown, field="bid"))
    if hand.auction is None:
        if hand.bidder is not None and bid is None:
            faults.append(Refusal("bid", "no_bid", "Say what {0} bid.", (hand.bidder,)))
        if hand.bidder is None and bid is not None:
            faults.append(Refusal("bidder", "no_bidder", "Say who won the bidding."))
    overtook, field = bool(hand.overtook_pitch), "overtook_pitch"
    if overtook and hand.auction is None:
        if not ruleset.bidding.pitching:
            faults.append(Refusal(field, "no_pitching", "Nobody leads a card instead of bidding in this game."))
        elif isinstance(bid, int) and bid < PITCHED_BID:
            why = f"A led card counts {PITCHED_BID}: {bid} does not outbid it."
            faults.append(Refusal(field, "not_overtaken", why))
        elif dealer is not None and hand.bidder is not None and seats.side_of(dealer) != seats.side_of(hand.bidder):
            why = "Only the dealer can outbid a led card, and {0} dealt."
            faults.append(Refusal(field, "not_dealer", why, (dealer,)))
    return Contract(hand.bidder, bid, overtook), faults


def _contract_by_calls(
    ruleset: Ruleset, seats: Seats, dealer: str | None, hand: Hand, entered: Contract
) -> tuple[Contract, list[Refusal]]:
    """Return the contract by the entered calls, and the faults in the calls or in entries that contradict them.

    Where calls cannot be applied, the contract is `entered`, the one by the other entries. Where they stop before the
    bidding is over, it has no bid.
    """
    calls = hand.auction or ()
    if calls and not seats.players and calls[-1][0] in seats.ids and calls == take_set_calls(seats, calls[-1][0]):
        # Where sides have no players, only one auction is allowed: all passed, and the side that dealt goes set.
        seats = replace(seats, players=seats.ids)
    if not seats.players:
        return entered, [Refusal("auction", "no_players", "An auction needs the players: say who sits at the table.")]
    player = _dealing_player(seats, dealer, calls)
    if dealer is not None and seats.side_of(player) != seats.side_of(dealer):
        people = calls[0][0], player, dealer
        return entered, [Refusal("dealer", "side_dealer", "{0} bid first, so {1} dealt, who is not on {2}.", people)]
    auction, fault = run_auction(ruleset, seats, player, calls)
    if fault:
        return entered, [fault]
    if not auction.is_over:
        why = "The bidding is not over: {0} has to bid or pass."
        must_be_over = (
            hand.is_played or hand.thrown_in == "all_passed" or hand.bidder is not None or hand.bid is not None
        )
        return Contract(dealer=player), [
            Refusal("auction", "unfinished", why, auction.waiting[:1])
        ] if must_be_over else []
    set_taken_by = player if auction.took_set else None
    called = Contract(auction.bidder, auction.bid, auction.overtook_pitch, auction.all_passed, set_taken_by, player)
    return called, list(_contradicted_entries(seats, hand, entered, called))


def _dealing_player(seats: Seats, dealer: str | None, calls: Calls) -> str:
    """Return the player who dealt: `dealer`, if a player, or by the first call.

    If neither shows one, it is the last of the side or of the table. Raises `KeyError` for an unknown `dealer`.
    """
    if dealer in seats.chairs and dealer is not None:
        return dealer
    members = seats.side(dealer).seats if dealer is not None else seats.chairs
    return dealer_by_calls(seats, calls) or members[-1]


def _contradicted_entries(seats: Seats, hand: Hand, entered: Contract, called: Contract) -> Iterator[Refusal]:
    """Yield a fault for each entry about the bidding that differs from `called`, the contract by the calls."""
    if entered.bidder is not None and entered.bidder not in (called.bidder, seats.side_of(called.bidder or "")):
        yield Refusal("bidder", "disagrees", "The calls make another player the bidder.")
    if entered.bid is not None and entered.bid != called.bid:
        yield Refusal("bid", "disagrees", "The calls end with another bid.")
    if hand.overtook_pitch is not None and hand.overtook_pitch != called.overtook_pitch:
        yield Refusal("overtook_pitch", "disagrees", "The calls don’t match what is said about the led card.")
    if hand.thrown_in == "all_passed" and not called.all_passed:
        yield Refusal("thrown_in", "disagrees", "The calls do not end with everybody passing.")
