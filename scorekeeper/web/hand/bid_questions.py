"""Questions about the bidding: who bid what, on one board or call by call, and what a game or a bid asks besides."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scorekeeper.engine.auction import all_calls, objection
from scorekeeper.engine.hand import PASS, TAKE_SET, Call
from scorekeeper.graphics.markers import SideView
from scorekeeper.narration.phrases import bid_word
from scorekeeper.rules.faults import Fault
from scorekeeper.web.hand.entry import Bidding, Entry
from scorekeeper.web.hand.form import ALONE
from scorekeeper.web.shared.widgets import Choice, QuestionView, strip_columns

WIDEST_BOARD = 5
"""Bids that still fit beside a name."""
MOST_ON_BOARD = 8
"""People whose rows still leave room for the cards."""
CALLED_RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRow:
    """One person, and the bids to choose from, or the calls that they made."""

    name: str
    side: SideView
    choices: tuple[Choice, ...]
    deals: bool
    is_next: bool = False
    """Whether the next call is theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BidView:
    """Who bid, and how much: a board for up to five bids, else people over bids.

    Where a partner is called, a board of who bid with whom stands over the bids.
    """

    rows: tuple[PersonRow, ...] = ()
    is_pairs: bool = False
    people: tuple[Choice, ...] = ()
    bids: tuple[Choice, ...] = ()
    has_moon: bool = False
    fault: str = ""

    @property
    def people_columns(self) -> str:
        """The classes that lay out the strip of people."""
        return strip_columns(self.people)

    @property
    def bids_columns(self) -> str:
        """The classes that lay out the strip of bids."""
        return strip_columns(self.bids)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuctionView:
    """Who called what, from the dealer's left, and what can be called next."""

    rows: tuple[PersonRow, ...] = ()
    """Empty as long as it is not known who deals."""
    next_caller: str = ""
    calls: tuple[Choice, ...] = ()
    """Everything that can be called in this game; quiet where it cannot be called now."""
    why_no_pass: str = ""
    dealer: QuestionView | None = None
    """Who deals, where nobody knows."""
    outcome: str = ""
    """"Dan bid 3", when the bidding is over."""
    bidding_side: SideView | None = None
    takes_focus: bool = False
    """Whether the last call has just been tapped."""
    fault: str = ""

    @property
    def columns(self) -> str:
        """The classes that lay out the calls."""
        return strip_columns(self.calls)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrumpView:
    """Which suit, which may be left open."""

    chosen: str
    fault: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtrasView:
    """What happens seldom: a misdeal, another dealer, a led card overtaken."""

    dealer: QuestionView | None
    asks_overtook: bool
    is_overtook: bool
    may_redeal: bool
    """Whether all may have passed, and the same dealer deals again."""
    may_take_set: bool
    """Whether all may have passed, and the dealer takes the set."""
    dealer_name: str
    is_open: bool


def bid_view(entry: Entry, faults: Mapping[str, str]) -> BidView | None:
    """Ask who bid, and how much: one tap for both where there are few bids."""
    bids, is_pairs = entry.ruleset.bids, asks_pair(entry)
    if not bids:
        return None
    fault = faults.get("bid") or faults.get("bidder") or (faults.get("partner") if is_pairs else "") or ""
    if len(bids) <= WIDEST_BOARD and len(entry.people) <= MOST_ON_BOARD:
        rows = tuple(_person_row(entry, who, _bids_of(entry, who)) for who in entry.people)
        return BidView(rows=rows, fault=fault)
    return BidView(
        rows=tuple(_person_row(entry, who, _partners_of(entry, who)) for who in entry.people) if is_pairs else (),
        is_pairs=is_pairs,
        people=() if is_pairs else _people_choices(entry, entry.people, entry.form["bidder"]),
        bids=tuple(
            _call_choice(
                bid,
                value=str(bid),
                spoken=bid_word(bid) if isinstance(bid, str) else "",
                is_chosen=entry.form["bid"] == str(bid),
            )
            for bid in bids
        ),
        has_moon="moon" in bids,
        fault=fault,
    )


def asks_pair(entry: Entry) -> bool:
    """Return whether one tap tells who bid and who was called, and a second one how much."""
    return entry.needs_partner and not entry.by_auction and len(entry.ruleset.bids) > WIDEST_BOARD


def _person_row(entry: Entry, who: str, choices: tuple[Choice, ...], *, is_next: bool = False) -> PersonRow:
    side, deals = entry.side_of(who), who == entry.dealer
    return PersonRow(name=entry.name(who), side=side, choices=choices, deals=deals, is_next=is_next)


def _call_choice(call: Call, *, value: str, spoken: str, is_chosen: bool = False, is_quiet: bool = False) -> Choice:
    icon = {"moon": "moon", "double_moon": "moons"}.get(str(call), "")
    return Choice(value=value, label=call_word(call), icon=icon, spoken=spoken, is_chosen=is_chosen, is_quiet=is_quiet)


def call_word(call: Call) -> str:
    """Return a call as it is said at the table."""
    return "take the set" if call == TAKE_SET else bid_word(call)


def _bids_of(entry: Entry, who: str) -> tuple[Choice, ...]:
    form = entry.form
    return tuple(
        _call_choice(
            bid,
            value=f"{who}:{bid}",
            spoken=f"{entry.name(who)} {bid_word(bid)}",
            is_chosen=(form["bidder"], form["bid"]) == (who, str(bid)),
        )
        for bid in entry.ruleset.bids
    )


def _partners_of(entry: Entry, who: str) -> tuple[Choice, ...]:
    """Offer everybody as the partner of one bidder, who in their own column plays alone."""
    name, mine = entry.name(who), entry.form["partner"] if entry.form["bidder"] == who else ""
    return tuple(
        Choice(value=f"{who}:{ALONE}", label="alone", spoken=f"{name} alone", is_chosen=mine == ALONE)
        if other == who
        else Choice(
            value=f"{who}:{other}",
            label=entry.name(other),
            spoken=f"{name} with {entry.name(other)}",
            side=entry.side_of(other),
            is_chosen=mine == other,
        )
        for other in entry.people
    )


def _people_choices(entry: Entry, people: Iterable[str], chosen: str | None) -> tuple[Choice, ...]:
    return tuple(
        Choice(value=who, label=entry.name(who), is_chosen=who == chosen, side=entry.side_of(who)) for who in people
    )


def auction_view(entry: Entry, faults: Mapping[str, str], *, has_just_called: bool) -> AuctionView:
    """Show the calls so far, and offer the next one."""
    fault = next((text for field, text in faults.items() if field.partition(".")[0] == "auction"), "")
    dealer = None if entry.knows_dealer else dealer_question(entry, faults)
    if entry.bidding is None:
        return AuctionView(dealer=dealer, fault=fault)
    caller, bidder = entry.next_caller, entry.called.bidder
    rows = tuple(
        _person_row(entry, who, _calls_of(entry, entry.bidding, who), is_next=who == caller) for who in entry.people
    )
    if caller is None:
        return AuctionView(
            rows=rows,
            dealer=dealer,
            outcome=_outcome(entry, entry.bidding),
            bidding_side=entry.side_of(bidder) if bidder else None,
            takes_focus=has_just_called,
            fault=fault,
        )
    no_pass = _objection(entry, entry.bidding, PASS)
    return AuctionView(
        rows=rows,
        next_caller=entry.name(caller),
        calls=tuple(
            _call_choice(
                call,
                value=f"{len(entry.bidding.calls)}:{caller}:{call}",
                spoken=f"{entry.name(caller)}: {call_word(call)}",
                is_quiet=_objection(entry, entry.bidding, call) is not None,
            )
            for call in all_calls(entry.ruleset)
        ),
        why_no_pass=no_pass.named(entry.match.names).message if no_pass else "",
        dealer=dealer,
        fault=fault,
    )


def _objection(entry: Entry, bidding: Bidding, call: Call) -> Fault | None:
    """Return why whoever is next may not call that."""
    return objection(entry.ruleset, bidding.auction, bidding.auction.waiting[0], call)


def _calls_of(entry: Entry, bidding: Bidding, who: str) -> tuple[Choice, ...]:
    """Return one person's calls; a tap on one goes back to it."""
    return tuple(
        _call_choice(call, value=str(place), spoken=f"{entry.name(who)}, {call_word(call)}: back to this call")
        for place, (caller, call) in enumerate(bidding.calls)
        if caller == who
    )


def _outcome(entry: Entry, bidding: Bidding) -> str:
    """Return what the calls came to: "Dan bid 3"."""
    auction = bidding.auction
    if auction.took_set:
        return f"{entry.name(auction.dealer)} took the set"
    if auction.bidder is None:
        return "All passed"
    bid = "pitched, which counts as" if auction.pitched else "bid"
    return f"{entry.name(auction.bidder)} {bid} {bid_word(auction.bid)}"


def dealer_question(entry: Entry, faults: Mapping[str, str]) -> QuestionView:
    """Ask who dealt."""
    choices = _people_choices(entry, entry.chairs, entry.dealer)
    return QuestionView(field="dealer", question="Who dealt?", choices=choices, fault=faults.get("dealer", ""))


def questions(entry: Entry, faults: Mapping[str, str]) -> tuple[QuestionView, ...]:
    """Ask what else this game, or this bid, needs."""
    asked = []
    if entry.needs_partner:
        asked.append(_called_question(entry, faults))
        if not asks_pair(entry):
            asked.append(_partner_question(entry, faults))
    if entry.needs_tricks:
        asked.append(_tricks_question(entry, faults))
    return tuple(asked)


def _called_question(entry: Entry, faults: Mapping[str, str]) -> QuestionView:
    ranks = [rank for rank in CALLED_RANKS if rank in entry.ruleset.cards.ranks.split()]
    return QuestionView(
        field="called",
        question="Which card was called?",
        note="or skip it",
        choices=tuple(Choice(value=rank, label=rank, is_chosen=entry.form["called"] == rank) for rank in ranks),
        fault=faults.get("called", ""),
    )


def _partner_question(entry: Entry, faults: Mapping[str, str]) -> QuestionView:
    partner = entry.form["partner"]
    others = [who for who in entry.people if who != entry.form["bidder"]]
    alone = Choice(value=ALONE, label="nobody: alone", is_chosen=partner == ALONE)
    return QuestionView(
        field="partner",
        question="Who held it?",
        choices=(*_people_choices(entry, others, partner), alone),
        fault=faults.get("partner", ""),
    )


def _tricks_question(entry: Entry, faults: Mapping[str, str]) -> QuestionView:
    bidders = entry.bidding_side.name if entry.bidding_side else "the bidders"
    answer = entry.form["all_tricks"]
    return QuestionView(
        field="all_tricks",
        question=f"Did {bidders} take every trick?",
        choices=(
            Choice(value="yes", label="yes, every one", is_chosen=answer == "yes"),
            Choice(value="no", label="no", is_chosen=answer == "no"),
        ),
        fault=faults.get("all_tricks", ""),
    )


def extras_view(entry: Entry, faults: Mapping[str, str]) -> ExtrasView:
    """Ask what happens seldom; the calls themselves tell of all passing, and of a led card that was overtaken."""
    bidding, form = entry.ruleset.bidding, entry.form
    may_pass = bidding.auction and (entry.is_bidding or not entry.by_auction)
    is_overtook = form["overtook_pitch"] == "yes"
    is_other_dealer = bool(form["dealer"]) and form["dealer"] != entry.before.dealer
    return ExtrasView(
        dealer=dealer_question(entry, faults) if entry.knows_dealer or not entry.by_auction else None,
        asks_overtook=bidding.pitching and not entry.by_auction,
        is_overtook=is_overtook,
        may_redeal=may_pass and bidding.all_pass in ("redeal", None),
        may_take_set=may_pass and bidding.all_pass == "may_take_set" and bool(entry.before.seats.players),
        dealer_name=entry.name(entry.dealer) if entry.dealer else "the dealer",
        is_open="dealer" in faults or is_overtook or is_other_dealer,
    )
