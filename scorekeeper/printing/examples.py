"""A worked example for the rule sheet: a bid that is made and one that is set, scored by the engine itself."""

from collections.abc import Iterator, Mapping

from scorekeeper.engine.hand import BIDDERS, DEFENDERS, HandRecord
from scorekeeper.engine.record import Record, RefusedRecord
from scorekeeper.engine.result import play_under
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sheet import Example, ExampleRow

PEOPLE = ("Ann", "Bea", "Cal", "Dee", "Eve", "Flo")
SIDES = ("Us", "Them", "Others")
MINUS = "−"
_MOST_COLUMNS = 5
_FEW_BIDS = 4


def worked_example(ruleset: Ruleset) -> Example | None:
    """Work out an example; `None` where nobody bids, or where a bid is paid for and not scored."""
    if not ruleset.bidding.auction or ruleset.money.settles == "hand":
        return None
    names = _names(ruleset)
    partner = names[1] if ruleset.table.called else None
    bid = _bid(ruleset)
    rows = []
    for taken in (range(bid, ruleset.on_offer + 1), range(bid - 1, -1, -1)):
        row = next(_rows(ruleset, names, partner, bid, taken), None)
        if row is None:
            return None
        rows.append(row)
    return Example(_head(ruleset, names, partner, bid), names, tuple(rows))


def _names(ruleset: Ruleset) -> tuple[str, ...]:
    table = ruleset.table
    if table.partners:
        return SIDES[: min(table.partners.values())]
    return PEOPLE[: min(max(3, table.fewest), table.most, _MOST_COLUMNS)]


def _bid(ruleset: Ruleset) -> int:
    """Choose a bid that can be both overdone and missed: a low one, or where that is open one half way up."""
    bottom, top = ruleset.bottom_number, ruleset.top_number
    if ruleset.bidding.min_bid is None:
        return (bottom + top) // 2
    return bottom if bottom > 1 and top - bottom <= _FEW_BIDS else min(bottom + 1, top)


def _head(ruleset: Ruleset, names: tuple[str, ...], partner: str | None, bid: int) -> str:
    if ruleset.table.partners:
        return f"{names[0]} bid {bid} and take"
    return (
        f"{names[0]} bids {bid}, {partner} is the partner; they take" if partner else f"{names[0]} bids {bid} and takes"
    )


def _rows(
    ruleset: Ruleset, names: tuple[str, ...], partner: str | None, bid: int, taken: range
) -> Iterator[ExampleRow]:
    """Try what the bidding side may have taken, one above or below its bid first, until the engine agrees."""
    for number in sorted(taken, key=lambda points: (abs(points - bid) != 1, abs(points - bid))):
        for points in _shares(ruleset, names, partner, number):
            hand = HandRecord(bidder=names[0], bid=bid, partner=partner, points=points)
            try:
                played = play_under(_record(ruleset, names, hand), ruleset).hands[0]
            except RefusedRecord:
                continue
            deltas = tuple(_signed(played.deltas[name]) for name in names)
            told = f"{number} point{'' if number == 1 else 's'}"
            yield ExampleRow(told, bool(played.score and played.score.made), deltas)


def _shares(ruleset: Ruleset, names: tuple[str, ...], partner: str | None, number: int) -> Iterator[Mapping[str, int]]:
    """Share a hand's points: the bidding side's, and the rest among the others."""
    rest = ruleset.on_offer - number
    others = names[2:] if partner else names[1:]
    if ruleset.two_camps:
        yield {BIDDERS: number, DEFENDERS: rest}
        return
    splits = [(rest - 1, 1), *((first, rest - first) for first in range(rest, -1, -1))] if rest > 1 else [(rest, 0)]
    for first, second in splits if len(others) > 1 else [(rest, 0)]:
        yield {BIDDERS: number, **dict.fromkeys(others, 0), **dict(zip(others, (first, second), strict=False))}


def _record(ruleset: Ruleset, names: tuple[str, ...], hand: HandRecord) -> Record:
    if ruleset.table.partners:
        return Record(variant=ruleset.id, house={}, sides=tuple((name, ()) for name in names), hands=(hand,))
    return Record(variant=ruleset.id, house={}, players=names, hands=(hand,))


def _signed(points: int) -> str:
    if points == 0:
        return "0"
    return f"+{points}" if points > 0 else f"{MINUS}{-points}"
