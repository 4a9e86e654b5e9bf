"""The ladder: winners go up a table, losers stay, and losers at the top table go to the lowest.

Source: the tournament rules of the document `001`. What it leaves open is answered here: an odd number, late arrivals,
and pairs that leave. Where partners are drawn each round, nobody partners twice before all have.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

P = TypeVar("P", bound=Hashable)
Drawn = tuple[Sequence[tuple[P, P]], Sequence[P]]
"""The partners of a round, and who sits out."""

PER_TABLE = 4


def next_table(table: int, *, won: bool, top: int) -> int:
    """Return the number of the table that a pair goes to after its game, among the tables of that round."""
    if won:
        return min(table + 1, top)
    return 1 if table == top else table


def fill_tables(
    order: Sequence[P], destinations: Mapping[P, tuple[int, bool]], sits_out: P | None
) -> list[tuple[P, P]]:
    """Return the two pairs at each table, the lowest first, taken from an order without the pair that sits out.

    At a table, a pair that stays there comes first, and a newcomer last.
    """
    seated = [pair for pair in order if pair != sits_out]
    tables = []
    for table, pairs in enumerate(zip(seated[::2], seated[1::2], strict=True), 1):
        first, second = sorted(
            pairs, key=lambda pair: (pair not in destinations, destinations.get(pair) != (table, False))
        )
        tables.append((first, second))
    return tables


def may_sit_out(
    order: Sequence[P],
    destinations: Mapping[P, tuple[int, bool]],
    byes: Mapping[P, int],
    per_table: int,
) -> list[P]:
    """Return the pairs among which the bye of the next round is drawn; none where all pairs fill the tables.

    They are the pairs with the fewest byes, and of these only those at the lowest table. A pair that has just arrived
    or sat out the last round is not among them as long as there is another.
    """
    if len(order) % per_table == 0:
        return []
    candidates = [pair for pair in order if pair in destinations] or list(order)
    fewest = min(byes.get(pair, 0) for pair in candidates)
    of_these = [pair for pair in candidates if byes.get(pair, 0) == fewest]
    lowest = destinations.get(of_these[0], (0, False))[0]
    return [pair for pair in of_these if destinations.get(pair, (0, False))[0] == lowest]


def draw_partners(players: Sequence[P], before: Sequence[Drawn[P]]) -> Drawn[P]:
    """Return the partners of the next round, and who sits out so that four sit at each table.

    >>> draw_partners(["Ann", "Bea", "Cal", "Dan"], [([("Ann", "Dan"), ("Bea", "Cal")], [])])[0]
    [('Ann', 'Bea'), ('Cal', 'Dan')]
    """
    times_paired, byes = times_together(before), Counter(player for _, out in before for player in out)
    circle = _circle(players, before)
    drawn = min(
        (_seated(pairs, byes) for pairs in _turns(circle)), key=lambda seating: _cost(seating, times_paired, byes)
    )
    return (_parted(list(drawn[0]), times_paired), drawn[1]) if not _same(players, before) else drawn


def times_together(before: Sequence[Drawn[P]]) -> Counter[frozenset[P]]:
    """Return how often each two were partners."""
    return Counter(frozenset(pair) for pairs, _ in before for pair in pairs)


def cross(four: Sequence[P], times_paired: Counter[frozenset[P]]) -> tuple[tuple[P, P], tuple[P, P]]:
    """Return the partners of four at a table: who were partners least; on a tie, the first with the third."""
    a, b, c, d = four
    pairings = ((a, c), (b, d)), ((a, d), (b, c)), ((a, b), (c, d))
    return min(pairings, key=lambda pairing: sum(times_paired[frozenset(pair)] for pair in pairing))


def _same(players: Sequence[P], before: Sequence[Drawn[P]]) -> list[Drawn[P]]:
    """Return the latest rounds in a row in which exactly these players were there."""
    rounds: list[Drawn[P]] = []
    for pairs, out in reversed(before):
        if {*out, *(player for pair in pairs for player in pair)} != {*players}:
            break
        rounds.insert(0, (pairs, out))
    return rounds


def _circle(players: Sequence[P], before: Sequence[Drawn[P]]) -> list[P | None]:
    """Return the circle that the first of these rounds was drawn from, or a new one, with an empty seat if odd."""
    if not (rounds := _same(players, before)):
        return [*players, None] if len(players) % 2 else [*players]
    pairs, out = rounds[0]
    rest: list[P | None] = [*out, *([None] if len(out) % 2 else [])]
    across = [*pairs, *zip(rest[::2], rest[1::2], strict=True)]
    return [*(one for one, _ in across), *(other for _, other in reversed(across))]


def _turns(circle: Sequence[P | None]) -> Iterator[list[tuple[P | None, P | None]]]:
    """Yield the pairs facing each other, each time that all but the first have moved on by a seat."""
    first, others = circle[0], list(circle[1:])
    for turn in range(len(others)):
        seats = [first, *others[turn:], *others[:turn]]
        yield [(seats[index], seats[-1 - index]) for index in range(len(seats) // 2)]


def _seated(pairs: Sequence[tuple[P | None, P | None]], byes: Counter[P]) -> Drawn[P]:
    """Return the pairs and who sits out: who faces nobody and, of an odd number of pairs, the one with fewest byes."""
    play = [(one, other) for one, other in pairs if one is not None and other is not None]
    out = [player for pair in pairs if None in pair for player in pair if player is not None]
    if len(play) % 2:
        sit = min(play, key=lambda pair: (sum(byes[member] for member in pair), max(byes[member] for member in pair)))
        play.remove(sit)
        out += sit
    return play, out


def _cost(drawn: Drawn[P], times_paired: Counter[frozenset[P]], byes: Counter[P]) -> tuple[int, int, int]:
    pairs, out = drawn
    sat_out = [byes[player] for player in out]
    return sum(times_paired[frozenset(pair)] for pair in pairs), sum(sat_out), max(sat_out, default=0)


def _parted(pairs: list[tuple[P, P]], times_paired: Counter[frozenset[P]]) -> list[tuple[P, P]]:
    """Return the pairs after swapping partners between two pairs, as long as fewer then were partners before."""
    is_better = True
    while is_better:
        is_better = False
        for i, j in combinations(range(len(pairs)), 2):
            now = times_paired[frozenset(pairs[i])] + times_paired[frozenset(pairs[j])]
            if now:
                four = (*pairs[i], *pairs[j])
                one, other = cross(four, times_paired)
                if times_paired[frozenset(one)] + times_paired[frozenset(other)] < now:
                    pairs[i], pairs[j], is_better = one, other, True
    return pairs
