"""The auction: which calls a player may make, and who won the bidding with which bid.

The rules are from the sources `002` ("Bidding", "Pitching", Five Point Set Back, Moon over Four), `001` ("Bidding") and
`003` ("Bidding"), which are listed in `rulesets/README.md`.
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
    is_pitched: bool = False
    """Whether the highest bid was made by leading a card ("pitching") instead of naming a number."""
    overtook_pitch: bool = False
    """Whether the highest bid was made over another player's led card."""
    took_set: bool = False
    """Whether the dealer, after all others passed, went set instead of bidding."""
    passed_players: frozenset[str] = frozenset()
    top_bidders: frozenset[str] = frozenset()
    """The players who have bid the highest number that the rules allow, or a special bid above it."""
    waiting_players: tuple[str, ...] = ()
    """The players who may still call, in the order of their turns."""

    @property
    def is_over(self) -> bool:
        """Whether no player may call any more."""
        return not self.waiting_players

    @property
    def all_passed(self) -> bool:
        """Whether the bidding ended without a bid, and without a dealer who went set instead."""
        return self.is_over and self.bidder is None and not self.took_set


def bid_rank(ruleset: Ruleset, bid: Bid | None) -> int:
    """Return a number that is greater for a higher bid.

    A number bid is its own rank. Special bids rank above all numbers, and `None` ranks 0.
    """
    return 1000 + ruleset.special_bids.index(bid) if isinstance(bid, str) else bid or 0


def canonical_call(ruleset: Ruleset, call: Call) -> Call:
    """Return the call "moon" for a bid of every point, where such a bid is a moon.

    Any other call is returned unchanged.
    """
    return "moon" if ruleset.top_bid_is_moon and call == ruleset.points_per_hand else call


def open_auction(seats: Seats, dealer: str) -> Auction:
    """Return the auction of a hand before any call.

    The player on the dealer's left calls first.
    """
    return Auction(dealer, waiting_players=clockwise_after(seats.players, dealer))


def take_set_calls(seats: Seats, dealer: str | None) -> Calls:
    """Return the calls of a hand in which all others pass and the dealer goes set instead of bidding.

    If `dealer` is a side, the last player of the side goes set; if `None`, the last of the table.
    """
    *other_players, last_player = clockwise_after(seats.chairs, _dealing_player(seats, dealer, ()))
    return (*((who, PASS) for who in other_players), (last_player, TAKE_SET))


def run_auction(ruleset: Ruleset, seats: Seats, dealer: str, calls: Calls) -> tuple[Auction, Refusal | None]:
    """Return the auction after the calls, and the fault of the first illegal call, if there is one.

    That call and all after it are not applied. After the bidding is over, passes of the players who were still to call
    may be entered or left out.
    """
    auction = open_auction(seats, dealer)
    players_who_may_pass: tuple[str, ...] = ()
    for index, (who, call) in enumerate(calls):
        field = f"auction.{index}"
        if who not in seats.players:
            return auction, unknown_player_fault(field, who)
        if auction.is_over:
            if call == PASS and who in players_who_may_pass:
                players_who_may_pass = players_who_may_pass[players_who_may_pass.index(who) + 1 :]
                continue
            return auction, Refusal(field, "bidding_over", "The bidding is over: {0} has no call left.", (who,))
        if auction.is_pitched and who == dealer:
            auction = replace(auction, waiting_players=(dealer,))
        if who != auction.waiting_players[0]:
            why = "It is {0}’s turn to bid, not {1}’s."
            return auction, Refusal(field, "out_of_turn", why, (auction.waiting_players[0], who))
        call = canonical_call(ruleset, call)
        if objection := call_objection(ruleset, auction, who, call):
            return auction, replace(objection, field=field)
        others_waiting = auction.waiting_players[1:]
        auction = _auction_after(ruleset, seats, auction, who, call)
        if auction.is_over:
            players_who_may_pass = others_waiting
    return auction, None


def possible_calls(ruleset: Ruleset) -> tuple[Call, ...]:
    """Return every call of a game: pass, each bid, and what else its rules allow.

    These are leading a card ("pitch") and going set ("take_set").
    """
    pitch_calls = (PITCH,) if ruleset.bidding.pitching else ()
    calls_for_set = (TAKE_SET,) if ruleset.bidding.all_pass == "may_take_set" else ()
    return (PASS, *ruleset.bids, *pitch_calls, *calls_for_set)


def call_objection(ruleset: Ruleset, auction: Auction, who: str, call: Call) -> Refusal | None:
    """Return the fault of an illegal call; `None` for a legal one.

    The player's turn is not checked. The fault's field is empty.
    """
    is_last_of_all = who == auction.dealer and auction.bidder is None and auction.waiting_players == (who,)
    if call == PASS:
        return _pass_objection(ruleset, who) if is_last_of_all else None
    if call == TAKE_SET:
        if ruleset.bidding.all_pass != "may_take_set":
            return Refusal("", "no_take_set", "Nobody goes set instead of bidding in this game.")
        why = "Only the dealer may go set, after everyone else passed."
        return None if is_last_of_all else Refusal("", "not_for_you", why)
    if call == PITCH and not ruleset.bidding.pitching:
        return Refusal("", "no_pitching", "Nobody leads a card instead of bidding in this game.")
    if call != PITCH and (unknown_bid := unknown_bid_fault(ruleset, call)):
        return unknown_bid
    if bid_fault := _bid_objection(ruleset, auction, who, call):
        return bid_fault
    is_forced = ruleset.bidding.all_pass == "dealer_forced" and is_last_of_all
    if not is_forced and isinstance(call, int) and call < ruleset.min_bid_number:
        return _below_lowest_bid_fault(ruleset, call)
    if is_forced and bid_rank(ruleset, PITCHED_BID if call == PITCH else call) < ruleset.forced_bid:
        why = f"Everyone else passed: {{0}} must bid at least {ruleset.forced_bid}."
        return Refusal("", "below_forced", why, (who,))
    return None


def _pass_objection(ruleset: Ruleset, who: str) -> Refusal | None:
    """Return the fault of a dealer who passes after all others but must bid; `None` where the dealer may pass."""
    if ruleset.bidding.all_pass == "dealer_forced":
        why = f"Everyone else passed: {{0}} deals and must bid at least {ruleset.forced_bid}."
        return Refusal("", "dealer_must_bid", why, (who,))
    if ruleset.bidding.all_pass == "may_take_set":
        why = "Everyone else passed: {0} deals, and has to bid or go set."
        return Refusal("", "dealer_must_choose", why, (who,))
    return None


def _bid_objection(ruleset: Ruleset, auction: Auction, who: str, call: Call) -> Refusal | None:
    """Return the fault of a bid or led card that may not follow the earlier bids; `None` for one that may."""
    if not auction.is_pitched:
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
    """Return the fault of a bid that this game does not have; `None` for one that it has."""
    if bid in ruleset.bids:
        return None
    if isinstance(bid, str):
        return Refusal("", "no_such_bid", f"{bid.replace('_', ' ').capitalize()} is not a bid in this game.")
    if bid < ruleset.min_bid_number:
        return _below_lowest_bid_fault(ruleset, bid)
    # A bid of every point may be a moon by another name.
    is_above_moon = ruleset.top_bid_is_moon and bid > ruleset.points_per_hand
    highest_number = ruleset.points_per_hand if is_above_moon else ruleset.max_bid_number
    return Refusal("", "too_high", f"{bid} is too high: the highest number is {highest_number}.")


def _below_lowest_bid_fault(ruleset: Ruleset, bid: int) -> Refusal:
    """Return the fault of a bid below the lowest number that the rules allow."""
    return Refusal("", "too_low", f"{bid} is too low: the lowest bid is {ruleset.min_bid_number}.")


def _outbidding_fault(ruleset: Ruleset, auction: Auction, who: str, bid: Bid) -> Refusal | None:
    """Return the fault of a bid that may not follow the highest bid so far; `None` for one that may."""
    highest_rank = bid_rank(ruleset, auction.bid)
    new_rank = bid_rank(ruleset, bid)
    if new_rank < highest_rank or (new_rank == highest_rank and not _may_repeat_bid(ruleset, auction, who)):
        highest_bid = str(auction.bid).replace("_", " ")
        people = (auction.bidder or "",)
        if new_rank == highest_rank and who == auction.dealer:
            return Refusal(
                "", "no_steal", f"{{0}} has bid {highest_bid}, and the dealer can’t steal it by matching it.", people
            )
        return Refusal("", "not_higher", f"{{0}} has bid {highest_bid}: bid higher, or pass.", people)
    if new_rank > highest_rank:
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
        auction_after = replace(auction, passed_players=auction.passed_players | {who})
    elif call == TAKE_SET:
        auction_after = replace(auction, took_set=True)
    else:
        bid = PITCHED_BID if call == PITCH else call
        is_top = bid_rank(ruleset, bid) >= ruleset.max_bid_number
        auction_after = replace(
            auction,
            bidder=who,
            bid=bid,
            is_pitched=call == PITCH,
            overtook_pitch=auction.is_pitched,
            top_bidders=auction.top_bidders | {who} if is_top else auction.top_bidders,
        )
    return replace(auction_after, waiting_players=_waiting_after(ruleset, seats, auction_after, who))


def _waiting_after(ruleset: Ruleset, seats: Seats, auction: Auction, who: str) -> tuple[str, ...]:
    """Return the players who may still call after a call by `who`, in turn; empty once nobody can bid higher.

    `auction` has the call applied, except that its `waiting_players` are those before the call.
    """
    if auction.took_set or (auction.is_pitched and who == auction.dealer):
        return ()
    if ruleset.bidding.rounds == "until_passed":
        if auction.bid is not None and auction.bid == ruleset.bids[-1] and not ruleset.bidding.top_bid_again:
            return ()
        players_in_turn = clockwise_after(seats.players, who)[:-1]
        waiting_players = tuple(
            player for player in players_in_turn if player not in auction.passed_players and player != auction.bidder
        )
    else:
        waiting_players = auction.waiting_players[1:]
    if auction.bidder is None:
        return waiting_players
    can_raise = any(
        not call_objection(ruleset, replace(auction, waiting_players=(player,)), player, call)
        for player in waiting_players
        for call in (*ruleset.bids, PITCH)
    )
    return waiting_players if can_raise else ()


def is_played_without_bid(ruleset: Ruleset, contract: Contract) -> bool:
    """Return whether nobody bid, in a game in which such a hand is played all the same."""
    return ruleset.bidding.all_pass == "unobliged" and not contract.is_bid


def contract_of(ruleset: Ruleset, seats: Seats, dealer: str | None, hand: Hand) -> tuple[Contract, list[Refusal]]:
    """Return how the bidding of a hand ended, and the faults in the entries about the bidding."""
    if not ruleset.has_bidding:
        entered_fields = [name for name in ("auction", "bidder", "bid") if getattr(hand, name) is not None]
        entered_fields += ["overtook_pitch"] if hand.overtook_pitch else []
        return Contract(), [Refusal(name, "no_bidding", "Nobody bids in this game.") for name in entered_fields]
    entered_contract, faults = _entered_contract(ruleset, seats, dealer, hand)
    if hand.auction is None or faults:
        return entered_contract, faults
    return _contract_by_calls(ruleset, seats, dealer, hand, entered_contract)


def _entered_contract(ruleset: Ruleset, seats: Seats, dealer: str | None, hand: Hand) -> tuple[Contract, list[Refusal]]:
    """Return the contract by the entered bidder and bid, and the faults in them.

    Where calls were entered as well, only an unknown bidder or bid is a fault.
    """
    faults = []
    bid = canonical_call(ruleset, hand.bid) if hand.bid is not None else None
    if hand.bidder is not None and seats.side_of(hand.bidder) is None:
        faults.append(unknown_player_fault("bidder", hand.bidder))
    if bid is not None and (unknown_bid := unknown_bid_fault(ruleset, bid)):
        faults.append(replace(unknown_bid, field="bid"))
    if hand.auction is None:
        if hand.bidder is not None and bid is None:
            faults.append(Refusal("bid", "no_bid", "Say what {0} bid.", (hand.bidder,)))
        if hand.bidder is None and bid is not None:
            faults.append(Refusal("bidder", "no_bidder", "Say who won the bidding."))
    is_overtaking, field = bool(hand.overtook_pitch), "overtook_pitch"
    if is_overtaking and hand.auction is None:
        if not ruleset.bidding.pitching:
            faults.append(Refusal(field, "no_pitching", "Nobody leads a card instead of bidding in this game."))
        elif isinstance(bid, int) and bid < PITCHED_BID:
            why = f"A led card counts {PITCHED_BID}: {bid} does not outbid it."
            faults.append(Refusal(field, "not_overtaken", why))
        elif dealer is not None and hand.bidder is not None and seats.side_of(dealer) != seats.side_of(hand.bidder):
            why = "Only the dealer can outbid a led card, and {0} dealt."
            faults.append(Refusal(field, "not_dealer", why, (dealer,)))
    return Contract(hand.bidder, bid, is_overtaking), faults


def _contract_by_calls(
    ruleset: Ruleset, seats: Seats, dealer: str | None, hand: Hand, entered_contract: Contract
) -> tuple[Contract, list[Refusal]]:
    """Return the contract by the entered calls, and the faults in the calls or in entries that contradict them.

    Where calls cannot be applied, the contract is `entered_contract`, the one by the bidder and bid. Where they stop
    before the bidding is over, the contract has no bid.
    """
    calls = hand.auction or ()
    if calls and not seats.players and calls[-1][0] in seats.ids and calls == take_set_calls(seats, calls[-1][0]):
        # Where sides have no players, only one auction is allowed: all passed, and the side that dealt goes set.
        seats = replace(seats, players=seats.ids)
    if not seats.players:
        return entered_contract, [
            Refusal("auction", "no_players", "An auction needs the players: say who sits at the table.")
        ]
    dealing_player = _dealing_player(seats, dealer, calls)
    if dealer is not None and seats.side_of(dealing_player) != seats.side_of(dealer):
        people_in_fault = calls[0][0], dealing_player, dealer
        return entered_contract, [
            Refusal("dealer", "side_dealer", "{0} bid first, so {1} dealt, who is not on {2}.", people_in_fault)
        ]
    auction, fault = run_auction(ruleset, seats, dealing_player, calls)
    if fault:
        return entered_contract, [fault]
    if not auction.is_over:
        why = "The bidding is not over: {0} has to bid or pass."
        must_be_over = (
            hand.is_played or hand.thrown_in == "all_passed" or hand.bidder is not None or hand.bid is not None
        )
        return Contract(dealer=dealing_player), [
            Refusal("auction", "unfinished", why, auction.waiting_players[:1])
        ] if must_be_over else []
    set_taken_by = dealing_player if auction.took_set else None
    called_contract = Contract(
        auction.bidder, auction.bid, auction.overtook_pitch, auction.all_passed, set_taken_by, dealing_player
    )
    return called_contract, list(_contradicted_entries(seats, hand, entered_contract, called_contract))


def _dealing_player(seats: Seats, dealer: str | None, calls: Calls) -> str:
    """Return the player who dealt: `dealer`, if that is a player, or by the first call.

    If neither shows a player, return the last of the side or of the table. Raises `KeyError` for an unknown `dealer`.
    """
    if dealer in seats.chairs and dealer is not None:
        return dealer
    members = seats.side(dealer).seats if dealer is not None else seats.chairs
    return dealer_by_calls(seats, calls) or members[-1]


def _contradicted_entries(
    seats: Seats, hand: Hand, entered_contract: Contract, called_contract: Contract
) -> Iterator[Refusal]:
    """Yield a fault for each entry about the bidding that differs from `called_contract`, the one by the calls."""
    if entered_contract.bidder is not None and entered_contract.bidder not in (
        called_contract.bidder,
        seats.side_of(called_contract.bidder or ""),
    ):
        yield Refusal("bidder", "disagrees", "The calls make another player the bidder.")
    if entered_contract.bid is not None and entered_contract.bid != called_contract.bid:
        yield Refusal("bid", "disagrees", "The calls end with another bid.")
    if hand.overtook_pitch is not None and hand.overtook_pitch != called_contract.overtook_pitch:
        yield Refusal("overtook_pitch", "disagrees", "The calls don’t match what is said about the led card.")
    if hand.thrown_in == "all_passed" and not called_contract.all_passed:
        yield Refusal("thrown_in", "disagrees", "The calls do not end with everybody passing.")
