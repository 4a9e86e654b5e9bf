"""A worked example for the rule sheet: a bid that is made and then set, scored by the engine itself."""

from collections.abc import Iterator, Mapping

from scorekeeper.engine.hand import BIDDERS, DEFENDERS, Hand
from scorekeeper.narration.phrases import signed
from scorekeeper.records.record import Record, RefusedRecord
from scorekeeper.records.result import play_under
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import Example, ExampleRow

PEOPLE = ("Ann", "Bea", "Cal", "Dee", "Eve", "Flo")
SIDES = ("Us", "Them", "Others")
_MOST_COLUMNS = 5
_FEW_BIDS = 4


def worked_example(ruleset: Ruleset) -> Example | None:
    """Return an example; `None` where nobody bids, or where a bid is paid for and not scored."""
    if not ruleset.bidding.auction or ruleset.money.settles == "hand":
        return None
    names = _names(ruleset)
    partner = names[1] if ruleset.table.called else None
    bid = _bid(ruleset)
    rows = []
    for taken in (range(bid, ruleset.points_per_hand + 1), range(bid - 1, -1, -1)):
        row = next(_rows(ruleset, names, partner, bid, taken), None)
        if row is None:
            return None
        rows.append(row)
    return Example(_bid_words(ruleset, names, partner, bid), names, tuple(rows))


def _names(ruleset: Ruleset) -> tuple[str, ...]:
    table = ruleset.table
    if table.partners:
        return SIDES[: min(table.partners.values())]
    return PEOPLE[: min(max(3, table.fewest), table.most, _MOST_COLUMNS)]


def _bid(ruleset: Ruleset) -> int:
    """Return a low bid that can be missed, and made with a point over; a middle one where the lowest bid is open."""
    bottom, top = ruleset.bottom_number, ruleset.top_number
    if ruleset.bidding.min_bid is None:
        return (bottom + top) // 2
    return bottom if bottom > 1 and top - bottom <= _FEW_BIDS else min(bottom + 1, top)


def _bid_words(ruleset: Ruleset, names: tuple[str, ...], partner: str | None, bid: int) -> str:
    if ruleset.table.partners:
        return f"{names[0]} bid {bid} and take"
    return (
        f"{names[0]} bids {bid}, {partner} is the partner; they take" if partner else f"{names[0]} bids {bid} and takes"
    )


def _rows(
    ruleset: Ruleset, names: tuple[str, ...], partner: str | None, bid: int, taken: range
) -> Iterator[ExampleRow]:
    """Yield what the bidding side may have taken, scored: first one point above or below its bid."""
    for number in sorted(taken, key=lambda points: (abs(points - bid) != 1, abs(points - bid))):
        for points in _shares(ruleset, names, partner, number):
            hand = Hand(bidder=names[0], bid=bid, partner=partner, points=points)
            try:
                played = play_under(_record(ruleset, names, hand), ruleset).results[0]
            except RefusedRecord:
                continue
            deltas = tuple(signed(played.deltas[name]) for name in names)
            points_taken = f"{number} point{'' if number == 1 else 's'}"
            yield ExampleRow(points_taken, bool(played.score and played.score.made), deltas)


def _shares(ruleset: Ruleset, names: tuple[str, ...], partner: str | None, number: int) -> Iterator[Mapping[str, int]]:
    """Yield ways to share a hand's points: so many to the bidding side, and the rest among the others."""
    rest = ruleset.points_per_hand - number
    others = names[2:] if partner else names[1:]
    if ruleset.pools_defenders:
        yield {BIDDERS: number, DEFENDERS: rest}
        return
    splits = [(rest - 1, 1), *((first, rest - first) for first in range(rest, -1, -1))] if rest > 1 else [(rest, 0)]
    for first, second in splits if len(others) > 1 else [(rest, 0)]:
        yield {BIDDERS: number, **dict.fromkeys(others, 0), **dict(zip(others, (first, second), strict=False))}


def _record(ruleset: Ruleset, names: tuple[str, ...], hand: Hand) -> Record:
    if ruleset.table.partners:
        return Record(variant=ruleset.id, house={}, sides=tuple((name, ()) for name in names), hands=(hand,))
    return Record(variant=ruleset.id, house={}, players=names, hands=(hand,))
