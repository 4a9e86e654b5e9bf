"""The first questions of the hand entry: who bid, which trump, and what else this game or this bid needs."""

from collections.abc import Mapping, Sequence

from scorekeeper.engine.hand import Bid
from scorekeeper.engine.words import bid_word
from scorekeeper.web.contexts.hand import (
    BidCell,
    BidRow,
    BidView,
    TrumpView,
)
from scorekeeper.web.contexts.parts import Choice, QuestionView
from scorekeeper.web.forms.hand import ALONE
from scorekeeper.web.present.entry import Entry
from scorekeeper.web.present.entry_auction import MOONS

WIDEST_BOARD = 5
"""Steps of a ladder that still fit beside a name."""
MOST_ON_BOARD = 8
"""People whose rows still leave room for the cards."""
CALLED_RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")


def bid_view(entry: Entry, faults: Mapping[str, str]) -> BidView | None:
    """Ask who bid, and how much: one tap for both where the ladder is short."""
    ladder = entry.ruleset.ladder
    if not ladder:
        return None
    question = "Who bid, and how much?"
    fault = faults.get("bid") or faults.get("bidder") or ""
    if asks_pair(entry):
        fault = fault or faults.get("partner", "")
    if len(ladder) <= WIDEST_BOARD and len(entry.people) <= MOST_ON_BOARD:
        rows = tuple(_bid_row(entry, who, ladder) for who in entry.people)
        return BidView(question=question, rows=rows, fault=fault)
    pairs = tuple(_pair_row(entry, who) for who in entry.people) if asks_pair(entry) else ()
    people = (
        ()
        if pairs
        else tuple(
            Choice(
                value=entry.id(who), label=who, is_chosen=entry.draft.bidder == entry.id(who), side=entry.side_of(who)
            )
            for who in entry.people
        )
    )
    has_moon = "moon" in ladder
    return BidView(
        question="Who bid, with whom, and how much?" if pairs else question,
        field="pair" if pairs else "call",
        rows=pairs,
        people=people,
        steps=tuple(_step(entry, bid) for bid in ladder),
        hint="moon" if has_moon else "",
        hint_icon="moon" if has_moon else "",
        fault=fault,
    )


def asks_pair(entry: Entry) -> bool:
    """Whether one tap says who bid and who was called: where a second one says how much."""
    has_board = len(entry.ruleset.ladder) <= WIDEST_BOARD
    return entry.needs_partner and not entry.by_auction and not has_board


def _pair_row(entry: Entry, who: str) -> BidRow:
    """Offer everybody as the partner of one bidder; on the crossing with their own name they play alone."""
    mine = entry.draft.partner if entry.draft.bidder == entry.id(who) else ""
    cells = []
    for other in entry.people:
        partner = ALONE if other == who else entry.id(other)
        cells.append(
            BidCell(
                value=f"{entry.id(who)}:{partner}",
                label="alone" if other == who else other,
                spoken=f"{who} alone" if other == who else f"{who} with {other}",
                is_word=True,
                side=None if other == who else entry.side_of(other),
                is_chosen=mine == partner,
            )
        )
    return BidRow(name=who, side=entry.side_of(who), cells=tuple(cells), note="deals" if who == entry.dealer else "")


def _bid_row(entry: Entry, who: str, ladder: Sequence[Bid]) -> BidRow:
    cells = tuple(
        BidCell(
            value=f"{entry.id(who)}:{bid}",
            label=bid_word(bid),
            spoken=f"{who} {bid_word(bid)}",
            is_word=isinstance(bid, str),
            icon=MOONS.get(str(bid), ""),
            is_chosen=entry.draft.bidder == entry.id(who) and entry.draft.bid == str(bid),
        )
        for bid in ladder
    )
    return BidRow(name=who, side=entry.side_of(who), cells=cells, note="deals" if who == entry.dealer else "")


def _step(entry: Entry, bid: Bid) -> Choice:
    return Choice(
        value=str(bid),
        label=bid_word(bid),
        is_chosen=entry.draft.bid == str(bid),
        icon=MOONS.get(str(bid), ""),
        spoken=bid_word(bid) if isinstance(bid, str) else "",
    )


def trump_view(entry: Entry, faults: Mapping[str, str]) -> TrumpView:
    """Ask for the suit, which may stay open."""
    return TrumpView(chosen=entry.draft.trump, fault=faults.get("trump", ""))


def questions(entry: Entry, faults: Mapping[str, str]) -> tuple[QuestionView, ...]:
    """Ask what else this game, or this bid, needs."""
    asked = []
    if entry.needs_partner:
        asked.append(_called(entry, faults))
        if not asks_pair(entry):
            asked.append(_partner(entry, faults))
    if entry.needs_tricks:
        asked.append(_tricks(entry, faults))
    return tuple(asked)


def _called(entry: Entry, faults: Mapping[str, str]) -> QuestionView:
    ranks = [rank for rank in CALLED_RANKS if rank in entry.ruleset.cards.ranks.split()]
    return QuestionView(
        field="called",
        question="Which card was called?",
        note="or skip it",
        choices=tuple(Choice(value=rank, label=rank, is_chosen=entry.draft.called == rank) for rank in ranks),
        fault=faults.get("called", ""),
    )


def _partner(entry: Entry, faults: Mapping[str, str]) -> QuestionView:
    others = [who for who in entry.people if entry.id(who) != entry.draft.bidder]
    choices = [
        Choice(value=entry.id(who), label=who, is_chosen=entry.draft.partner == entry.id(who), side=entry.side_of(who))
        for who in others
    ]
    alone = Choice(value=ALONE, label="nobody: alone", is_chosen=entry.draft.partner == ALONE)
    return QuestionView(
        field="partner", question="Who held it?", choices=(*choices, alone), fault=faults.get("partner", "")
    )


def _tricks(entry: Entry, faults: Mapping[str, str]) -> QuestionView:
    who = entry.bidding_column[1].name if entry.bidding_column else "the bidders"
    return QuestionView(
        field="all_tricks",
        question=f"Did {who} take every trick?",
        choices=(
            Choice(value="yes", label="yes, every one", is_chosen=entry.draft.all_tricks == "yes"),
            Choice(value="no", label="no", is_chosen=entry.draft.all_tricks == "no"),
        ),
        fault=faults.get("all_tricks", ""),
    )
