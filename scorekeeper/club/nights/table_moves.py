"""Moves on the ladder, and partners drawn for a round.

Source: the tournament rules of the document `001`. What it leaves open is answered here: an odd number, late arrivals,
and entrants that leave.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations

DrawnRound = tuple[Sequence[tuple[int, int]], Sequence[int]]
"""The pairs of partners in a round, and the players who sit out; each player is a uid from 1."""

PLAYERS_PER_TABLE = 4
"""The number of players at a table if partners are drawn."""


def next_table(table: int, *, won: bool, top: int) -> int:
    """Return the table to which a side goes after its game; `top` is the top table.

    Winners go up one table, or stay on top. Losers stay, or go from the top table to table 1.
    """
    if won:
        return min(table + 1, top)
    return 1 if table == top else table


def draw_partners(players: Sequence[int], earlier_rounds: Sequence[DrawnRound]) -> DrawnRound:
    """Return the pairs of partners for the next round, and the players who sit out.

    Repeated partners are avoided first, then byes for players who already had some. The result is deterministic: for a
    random one, shuffle `players` first.

    >>> draw_partners([1, 2, 3, 4], [([(1, 4), (2, 3)], [])])[0]
    [(1, 2), (3, 4)]
    """
    times_paired = count_times_paired(earlier_rounds)
    byes = Counter(player for _, sitting_out in earlier_rounds for player in sitting_out)

    def cost(drawn: DrawnRound) -> tuple[int, int, int]:
        pairs, sitting_out = drawn
        earlier_byes = [byes[player] for player in sitting_out]
        return sum(times_paired[frozenset(pair)] for pair in pairs), sum(earlier_byes), max(earlier_byes, default=0)

    first_round = _first_round_of_same_players(players, earlier_rounds)
    rounds_by_turn = (_fill_tables(pairs, byes) for pairs in _pairs_by_turn(_circle_of_players(players, first_round)))
    pairs, sitting_out = min(rounds_by_turn, key=cost, default=((), players))
    return (pairs if first_round else _swap_repeated_partners(list(pairs), times_paired)), sitting_out


def count_times_paired(earlier_rounds: Sequence[DrawnRound]) -> Counter[frozenset[int]]:
    """Return how often each two players, given as a set, were partners in earlier rounds."""
    return Counter(frozenset(pair) for pairs, _ in earlier_rounds for pair in pairs)


def rarest_partners(
    four: Sequence[int], times_paired: Counter[frozenset[int]]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Split four players into the two pairs who were partners least often.

    On a tie, the first is paired with the third, or else with the fourth.
    """
    a, b, c, d = four
    pairings = ((a, c), (b, d)), ((a, d), (b, c)), ((a, b), (c, d))
    return min(pairings, key=lambda pairing: sum(times_paired[frozenset(pair)] for pair in pairing))


def _first_round_of_same_players(players: Sequence[int], earlier_rounds: Sequence[DrawnRound]) -> DrawnRound | None:
    """Return the round since which exactly these players have taken part; `None` without one."""
    first_round = None
    for pairs, sitting_out in reversed(earlier_rounds):
        if {*sitting_out, *chain.from_iterable(pairs)} != {*players}:
            break
        first_round = pairs, sitting_out
    return first_round


def _circle_of_players(players: Sequence[int], first_round: DrawnRound | None) -> list[int]:
    """Return the players in a circle that turns from round to round; a 0 stands for an empty seat.

    At first, the pairs of `first_round` face each other.
    """
    pairs, sitting_out = first_round or ((), players)
    rest = [*sitting_out, *([0] if len(sitting_out) % 2 else [])]
    if first_round is None:
        return rest
    facing_pairs = [*pairs, *zip(rest[::2], rest[1::2], strict=True)]
    return [*(one for one, _ in facing_pairs), *(other for _, other in reversed(facing_pairs))]


def _pairs_by_turn(circle: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Yield the pairs who face each other in a circle of players, before each turn around the first player."""
    first, others = circle[:1], circle[1:]
    for turn in range(len(others)):
        seats = [*first, *others[turn:], *others[:turn]]
        yield [*zip(seats[: len(seats) // 2], reversed(seats), strict=False)]


def _fill_tables(pairs: Sequence[tuple[int, int]], byes: Counter[int]) -> DrawnRound:
    """Return the pairs that play in a round, and the players who sit out.

    If the number of pairs is odd, the pair with the fewest byes sits out.
    """
    playing = [pair for pair in pairs if all(pair)]
    sitting_out = [player for pair in pairs if not all(pair) for player in pair if player]
    if len(playing) % 2:
        bye = min(
            playing, key=lambda pair: (sum(byes[member] for member in pair), max(byes[member] for member in pair))
        )
        playing.remove(bye)
        sitting_out += bye
    return playing, sitting_out


def _swap_repeated_partners(
    pairs: list[tuple[int, int]], times_paired: Counter[frozenset[int]]
) -> list[tuple[int, int]]:
    """Swap partners between pairs, in place, as long as that makes repeated partners fewer, and return the pairs."""
    is_better = True
    while is_better:
        is_better = False
        for i, j in combinations(range(len(pairs)), 2):
            now = times_paired[frozenset(pairs[i])] + times_paired[frozenset(pairs[j])]
            one, other = rarest_partners((*pairs[i], *pairs[j]), times_paired)
            if times_paired[frozenset(one)] + times_paired[frozenset(other)] < now:
                pairs[i], pairs[j], is_better = one, other, True
    return pairs
