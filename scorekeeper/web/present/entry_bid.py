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
MOST_ON_BOARD = 6
"""People whose rows still leave room for the cards."""
CALLED_RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")


def bid_view(entry: Entry, faults: Mapping[str, str]) -> BidView | None:
    """Ask who bid, and how much: one tap for both where the ladder is short."""
    ladder = entry.ruleset.ladder
    if not ladder:
        return None
    question = "Who bid, and how much?"
    fault = faults.get("bid") or faults.get("bidder") or ""
    if len(ladder) <= WIDEST_BOARD and len(entry.people) <= MOST_ON_BOARD:
        rows = tuple(_bid_row(entry, who, ladder) for who in entry.people)
        return BidView(question=question, rows=rows, fault=fault)
    people = tuple(
        Choice(value=entry.id(who), label=who, is_chosen=entry.draft.bidder == entry.id(who), side=entry.side_of(who))
        for who in entry.people
    )
    has_moon = "moon" in ladder
    return BidView(
        question=question,
        people=people,
        steps=tuple(_step(entry, bid) for bid in ladder),
        hint="moon" if has_moon else "",
        hint_icon="moon" if has_moon else "",
        fault=fault,
    )


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
        asked += [_called(entry, faults), _partner(entry, faults)]
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
