"""What was tapped and is not asked as the hand is entered now: it goes along, and is there again on the way back."""

from collections.abc import Iterator

from scorekeeper.web.contexts.hand import HandPage
from scorekeeper.web.contexts.parts import Hidden
from scorekeeper.web.forms.calls import CALLS_FIELD, calls_text
from scorekeeper.web.forms.hand import AWARD_FIELD, COUNT_FIELD, COUNTS
from scorekeeper.web.forms.piles import CARD_FIELD, PILE_FIELD
from scorekeeper.web.present.entry import Entry
from scorekeeper.web.present.entry_bid import asks_pair

_ALWAYS_SAID = frozenset({"by", "taking", "thrown_in", CALLS_FIELD, "bidder", "bid", "overtook_pitch"})
_TAKEN = (AWARD_FIELD, COUNT_FIELD, PILE_FIELD, CARD_FIELD)
_AFTER_THE_BIDDING = frozenset({"trump", "partner", "called", "all_tricks"})


def carried(entry: Entry, page: HandPage) -> Hidden:
    """Give what a page has to carry beside what it asks."""
    return (("by", entry.draft.by), *_calls(entry), *_bid(entry), *_others(entry, set(_asked(page))))


def _calls(entry: Entry) -> Iterator[tuple[str, str]]:
    if entry.by_auction or entry.draft.calls:
        yield CALLS_FIELD, calls_text(entry.standing_calls)
    if entry.by_auction and entry.by_counts:
        yield "taking", COUNTS


def _bid(entry: Entry) -> Iterator[tuple[str, str]]:
    """Carry who bid what where the calls tell it, for whoever goes on to enter it without them."""
    draft, called = entry.draft, entry.called
    if asks_pair(entry) and not (draft.bidder and draft.partner):
        # Half of a pair is on no square of the board.
        yield from ((name, value) for name, value in draft.fields() if name in ("bidder", "partner"))
    if not entry.by_auction:
        return
    bidder, bid, overtook = draft.bidder, draft.bid, draft.overtook_pitch
    if called.bidder is not None:
        bidder, bid, overtook = entry.id(called.bidder), str(called.bid), called.overtook_pitch
    if bidder:
        yield "bidder", bidder
    if bid:
        yield "bid", bid
    if overtook:
        yield "overtook_pitch", "yes"


def _others(entry: Entry, asked: set[str]) -> Iterator[tuple[str, str]]:
    waits = entry.is_bidding or entry.ended_unplayed
    for name, value in entry.draft.fields():
        if name in _ALWAYS_SAID or name in asked:
            continue
        if name.startswith(_TAKEN) or (waits and name in _AFTER_THE_BIDDING):
            yield name, value


def _asked(page: HandPage) -> Iterator[str]:
    """Name what a page asks for."""
    if page.trump:
        yield page.trump.field
    yield from (question.field for question in page.questions)
    if page.ticks:
        yield from (row.field for row in page.ticks.rows)
        if page.ticks.card_points:
            for pile in page.ticks.card_points.fields:
                yield pile.field
                yield from (card.field for card in pile.cards)
    if page.counts:
        yield from (row.field for row in page.counts.rows)
    if page.extras:
        yield from (question.field for question in page.extras.questions)
