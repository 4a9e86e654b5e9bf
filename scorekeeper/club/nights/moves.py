"""The ladder: winners go up a table, losers stay, and losers at the top table go to the lowest.

Source: the tournament rules of the document `001`. What it leaves open is answered here: an odd number, late arrivals,
and pairs that leave.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

PairT = TypeVar("PairT", bound=Hashable)


def next_table(table: int, *, won: bool, top: int) -> int:
    """Return the number of the table that a pair goes to after its game, among the tables of that round."""
    if won:
        return min(table + 1, top)
    return 1 if table == top else table


def in_order(places: Mapping[PairT, tuple[int, bool]], newcomers: Iterable[PairT]) -> list[PairT]:
    """Return the pairs from the lowest place up, given the table that each goes to, and whether it arrives there.

    Newcomers are placed below them all: the pairs that sat out, and those that came late.
    """
    return [*newcomers, *sorted(places, key=places.__getitem__)]


def fill_tables(
    order: Sequence[PairT], places: Mapping[PairT, tuple[int, bool]], sits_out: PairT | None
) -> list[tuple[PairT, PairT]]:
    """Return the tables that an order of pairs fills from the lowest up; where one is missing, those below move up."""
    seated = [pair for pair in order if pair != sits_out]
    tables = []
    for table, pairs in enumerate(zip(seated[::2], seated[1::2], strict=True), 1):
        first, second = sorted(pairs, key=lambda pair: (pair not in places, places.get(pair) != (table, False)))
        tables.append((first, second))
    return tables


def may_sit_out(
    order: Sequence[PairT],
    places: Mapping[PairT, tuple[int, bool]],
    byes: Mapping[PairT, int],
    per_table: int = 2,
) -> list[PairT]:
    """Return the pairs of which one is drawn to sit out, none where their number fills the tables.

    They are those with the fewest byes; of several tables with such pairs, those at the lowest. A pair that sat out in
    the last round, or has only just come, plays as long as there is any other.
    """
    if len(order) % per_table == 0:
        return []
    candidates = [pair for pair in order if pair in places] or list(order)
    fewest = min(byes.get(pair, 0) for pair in candidates)
    of_these = [pair for pair in candidates if byes.get(pair, 0) == fewest]
    lowest = places.get(of_these[0], (0, False))[0]
    return [pair for pair in of_these if places.get(pair, (0, False))[0] == lowest]
