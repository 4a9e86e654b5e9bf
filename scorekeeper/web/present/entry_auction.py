"""The bidding call by call: who said what, whose turn it is, and everything that could be said."""

from collections.abc import Mapping

from scorekeeper.engine.auction import calls_played, objection
from scorekeeper.engine.hand import PASS, PITCH, TAKE_SET, Call
from scorekeeper.engine.words import bid_word
from scorekeeper.web.contexts.auction import AuctionView, CallMade, CallRow
from scorekeeper.web.contexts.parts import Choice, QuestionView
from scorekeeper.web.present.bidding import Bidding
from scorekeeper.web.present.entry import Entry

MOONS = {"moon": "moon", "double_moon": "moons"}
_CALL_WORDS = {PASS: "pass", PITCH: "pitch", TAKE_SET: "take the set"}


def call_word(call: Call) -> str:
    """Write a call as it is said."""
    return _CALL_WORDS.get(call, bid_word(call)) if isinstance(call, str) else str(call)


def auction_view(entry: Entry, faults: Mapping[str, str], *, just_said: bool = False) -> AuctionView:
    """Show the calls so far, and offer the next one; fold them to one line when nobody is left to speak."""
    fault = next((text for field, text in faults.items() if field.partition(".")[0] == "auction"), "")
    bidding = entry.bidding
    dealer = dealer_question(entry, faults) if not entry.knows_dealer else None
    if bidding is None:
        return AuctionView(question="The bidding", dealer=dealer, fault=fault)
    speaker = bidding.speaker
    outcome = "" if speaker else outcome_words(bidding)
    bidder = bidding.auction.bidder
    return AuctionView(
        question=f"{speaker} is to speak" if speaker else outcome,
        rows=_rows(entry, bidding),
        calls=_offered(entry, bidding) if speaker else (),
        hint=_why_no_pass(entry, bidding) if speaker else "",
        dealer=dealer,
        folded=outcome if not fault else "",
        folded_side=entry.side_of(bidder) if bidder else None,
        takes_focus=just_said and not speaker,
        fault=fault,
    )


def dealer_question(entry: Entry, faults: Mapping[str, str]) -> QuestionView:
    """Ask who dealt."""
    return QuestionView(
        field="dealer",
        question="Who dealt?",
        choices=tuple(
            Choice(value=entry.id(who), label=who, is_chosen=who == entry.dealer, side=entry.side_of(who))
            for who in entry.before.seats.chairs
        ),
        fault=faults.get("dealer", ""),
    )


def outcome_words(bidding: Bidding) -> str:
    """Say what the calls came to: "Dan bid 3"."""
    auction = bidding.auction
    if auction.took_set:
        return f"{auction.dealer} took the set"
    if auction.bidder is None:
        return "All passed"
    if auction.pitched:
        return f"{auction.bidder} pitched, which counts as {bid_word(auction.bid)}"
    return f"{auction.bidder} bid {bid_word(auction.bid)}"


def _rows(entry: Entry, bidding: Bidding) -> tuple[CallRow, ...]:
    """Give everybody a row, whoever speaks first on top."""
    made: dict[str, list[CallMade]] = {who: [] for who in entry.people}
    for place, (who, call) in enumerate(bidding.calls):
        word = call_word(call)
        made[who].append(
            CallMade(
                value=str(place),
                label=word,
                spoken=f"{who}, {word}: back to this call",
                icon=MOONS.get(str(call), ""),
                is_word=isinstance(call, str),
                is_pass=call == PASS,
            )
        )
    return tuple(
        CallRow(
            name=who,
            side=entry.side_of(who),
            calls=tuple(calls),
            note="deals" if who == entry.dealer else "",
            is_next=who == bidding.speaker,
        )
        for who, calls in made.items()
    )


def _offered(entry: Entry, bidding: Bidding) -> tuple[Choice, ...]:
    """Give everything that is said in this game; what may not be said now is quiet."""
    speaker = bidding.auction.waiting[0]
    return tuple(
        Choice(
            value=f"{len(bidding.calls)}:{entry.id(speaker)}:{call}",
            label=call_word(call),
            icon=MOONS.get(str(call), ""),
            spoken=f"{speaker}: {call_word(call)}",
            is_quiet=objection(entry.ruleset, bidding.auction, speaker, call) is not None,
        )
        for call in calls_played(entry.ruleset)
    )


def _why_no_pass(entry: Entry, bidding: Bidding) -> str:
    """Say why whoever is to speak has to bid, where that is so."""
    why = objection(entry.ruleset, bidding.auction, bidding.auction.waiting[0], PASS)
    return why[1] if why else ""
