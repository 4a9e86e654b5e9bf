"""What cannot be in a hand as a whole: parts that exclude each other, and parts that are missing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scorekeeper.engine.auction import Contract, is_unbound
from scorekeeper.engine.hand import Hand
from scorekeeper.engine.scoring import needs_tricks
from scorekeeper.engine.seats import Seats, unknown_player
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.schema import Ruleset

HIGHEST_PENALTY = 100
SETTLE_FIRST = "This game is played for money. Settle up, and begin a new match with whoever sits in."


@dataclass(frozen=True, slots=True)
class HandFault:
    """A fault in a match or a record: in which hand, counted from 1, or in none."""

    hand: int | None
    fault: Fault


class Faulty(Exception):
    """A match or a record cannot be, or cannot be read; `faults` says everything that is wrong."""

    def __init__(self, faults: Iterable[HandFault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(item.fault.message for item in self.faults))


def hand_problems(ruleset: Ruleset, seats: Seats, hand: Hand, contract: Contract, *, is_last: bool) -> list[Fault]:
    """Return what is wrong with a hand, apart from its bidding and from who took what."""
    problems = _problems(ruleset, seats, hand, contract, is_last)
    if hand.sits_in or hand.penalties:
        return [*_newcomers(ruleset, seats, hand), *_penalties(seats, hand), *problems]
    return problems


def _newcomers(ruleset: Ruleset, seats: Seats, hand: Hand) -> Iterator[Fault]:
    for who in hand.sits_in or {}:
        if who not in seats.players:
            yield unknown_player(f"sits_in.{who}", who)
    if hand.sits_in and ruleset.pays:
        yield Fault("sits_in", "settle_first", SETTLE_FIRST)


def _penalties(seats: Seats, hand: Hand) -> Iterator[Fault]:
    for side, points in (hand.penalties or {}).items():
        if side not in seats.ids:
            yield Fault(f"penalties.{side}", "unknown_side", "Give a penalty to a side: there is no side {0}.", (side,))
        elif not 1 <= points <= HIGHEST_PENALTY:
            why = f"The penalty of {{0}} must be a whole number from 1 to {HIGHEST_PENALTY}. Type nothing for none."
            yield Fault(f"penalties.{side}", "bad_value", why, (side,))


def _problems(ruleset: Ruleset, seats: Seats, hand: Hand, contract: Contract, is_last: bool) -> list[Fault]:
    if hand.thrown_in or (contract.all_passed and not is_unbound(ruleset, contract)):
        return list(_thrown_in(ruleset, hand))
    if contract.set_taken_by:
        return list(_nothing_played(hand, "The dealer went set instead of bidding, so nobody played."))
    return [*_partner(ruleset, seats, hand, contract), *_played(ruleset, hand, contract, is_last)]


def _thrown_in(ruleset: Ruleset, hand: Hand) -> Iterator[Fault]:
    if hand.thrown_in == "all_passed" and ruleset.bidding.all_pass == "unobliged":
        yield Fault("thrown_in", "played_unbound", "When everyone passes, nobody is bound, and the hand is played.")
    elif hand.thrown_in == "all_passed" and hand.auction is None:
        if not ruleset.bidding.auction:
            yield Fault("thrown_in", "no_bidding", "Nobody bids in this game, so nobody passes.")
        elif ruleset.bidding.all_pass == "dealer_forced":
            yield Fault("thrown_in", "dealer_must_bid", "When everyone else passes, the dealer has to bid.")
        elif ruleset.bidding.all_pass == "may_take_set":
            yield Fault(
                "thrown_in", "dealer_must_choose", "When everyone else passes, the dealer has to bid or go set."
            )
    for field in ("bidder", "bid", "partner", "called"):
        if getattr(hand, field) is not None:
            yield Fault(field, "thrown_in", "A redealt hand has no bidder, no bid and no partner.")
    yield from _nothing_played(hand, "Nobody played a redealt hand.")


def _nothing_played(hand: Hand, why: str) -> Iterator[Fault]:
    for field in ("taken", "points", "card_points"):
        if getattr(hand, field) is not None:
            yield Fault(field, "not_played", why)


def _partner(ruleset: Ruleset, seats: Seats, hand: Hand, contract: Contract) -> Iterator[Fault]:
    if not ruleset.table.called:
        if hand.partner is not None or hand.alone:
            yield Fault("partner", "nobody_called", "Nobody calls a partner in this game.")
        if hand.called is not None:
            yield Fault("called", "nobody_called", "No card is called in this game.")
        return
    if hand.partner is not None:
        who = (hand.partner,)
        if hand.partner not in seats.players:
            yield unknown_player("partner", hand.partner)
        elif hand.partner == contract.bidder:
            yield Fault("partner", "own_partner", "{0} bid, and can’t be the partner too: choose alone.", who)
    elif hand.is_played and not hand.alone and not is_unbound(ruleset, contract):
        yield Fault("partner", "no_partner", "Say who held the called card, or that the bidder played alone.")


def _played(ruleset: Ruleset, hand: Hand, contract: Contract, is_last: bool) -> Iterator[Fault]:
    if not hand.is_played:
        if hand.card_points is not None:
            yield Fault("card_points", "not_played", "There is a count for Game, but nobody took anything yet.")
        if not is_last:
            yield Fault("taken", "unfinished", "Only the last hand may be unfinished: say who took what.")
        return
    if ruleset.bidding.auction and not contract.is_bid and not is_unbound(ruleset, contract):
        yield Fault("bidder", "no_bidder", "Say who won the bidding, and with what.")
    if needs_tricks(ruleset, contract) and hand.all_tricks is None:
        yield Fault(
            "all_tricks", "tricks_not_said", "This bid needs every trick: say whether the bidding side took them."
        )
