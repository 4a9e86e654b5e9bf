"""Moves on the ladder, and partners drawn for a round.

Source: the tournament rules of the document `001`. It leaves open what happens with an odd number, with late arrivals
and with entrants that leave; this module decides that.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations

DrawnRound = tuple[Sequence[tuple[int, int]], Sequence[int]]
"""The pairs of partners in a round, and the players who sit out, as uids from 1: `([(1, 4), (2, 3)], [5])`."""

PLAYERS_PER_TABLE = 4
"""The number of players at a table if partners are drawn."""


def next_table(table: int, *, won: bool, top_table: int) -> int:
    """Return the table to which a side goes after its game at `table`.

    Winners go up one table; at the top table, they stay. Losers stay; from the top table, they go to table 1.
    """
    if won:
        return min(table + 1, top_table)
    return 1 if table == top_table else table


def draw_partners(players: Sequence[int], earlier_rounds: Sequence[DrawnRound]) -> DrawnRound:
    """Return the pairs of partners for the next round, and the players who sit out.

    Repeated partners are avoided first, then byes for players who already had some. For a random result, shuffle
    `players` first.

    >>> draw_partners([1, 2, 3, 4], [([(1, 4), (2, 3)], [])])[0]
    [(1, 2), (3, 4)]
    """
    times_paired = count_times_paired(earlier_rounds)
    bye_counts = Counter(player for _, players_out in earlier_rounds for player in players_out)

    def cost(drawn_round: DrawnRound) -> tuple[int, int, int]:
        pairs, players_out = drawn_round
        earlier_byes = [bye_counts[player] for player in players_out]
        return sum(times_paired[frozenset(pair)] for pair in pairs), sum(earlier_byes), max(earlier_byes, default=0)

    first_round = _first_round_of_same_players(players, earlier_rounds)
    possible_rounds = (
        _fill_tables(pairs, bye_counts) for pairs in _pairs_of_each_turn(_circle_of_players(players, first_round))
    )
    pairs, players_out = min(possible_rounds, key=cost, default=((), players))
    return (pairs if first_round else _swap_repeated_partners(list(pairs), times_paired)), players_out


def count_times_paired(earlier_rounds: Sequence[DrawnRound]) -> Counter[frozenset[int]]:
    """Return how often each two players were partners in earlier rounds, keyed by the set of the two."""
    return Counter(frozenset(pair) for pairs, _ in earlier_rounds for pair in pairs)


def rarest_partners(
    four_players: Sequence[int], times_paired: Counter[frozenset[int]]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Split four players into the two pairs of partners that are the least repeated.

    Of several equal ways, one that pairs the first player with the third is preferred, then one with the fourth.
    """
    a, b, c, d = four_players
    pairings = ((a, c), (b, d)), ((a, d), (b, c)), ((a, b), (c, d))
    return min(pairings, key=lambda pairing: sum(times_paired[frozenset(pair)] for pair in pairing))


def _first_round_of_same_players(players: Sequence[int], earlier_rounds: Sequence[DrawnRound]) -> DrawnRound | None:
    """Return the first round since which exactly these players have taken part in each round.

    `None` if others took part in the last round, or if there was none.
    """
    first_round = None
    for pairs, players_out in reversed(earlier_rounds):
        if {*players_out, *chain.from_iterable(pairs)} != {*players}:
            break
        first_round = pairs, players_out
    return first_round


def _circle_of_players(players: Sequence[int], first_round: DrawnRound | None) -> list[int]:
    """Return the players in the order of a circle, in which the pairs of `first_round` face each other.

    A 0 stands for an empty seat: it makes the number of seats even.
    """
    pairs, players_out = first_round or ((), players)
    unpaired = [*players_out, *([0] if len(players_out) % 2 else [])]
    if first_round is None:
        return unpaired
    facing_pairs = [*pairs, *zip(unpaired[::2], unpaired[1::2], strict=True)]
    return [*(one for one, _ in facing_pairs), *(other for _, other in reversed(facing_pairs))]


def _pairs_of_each_turn(circle: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Yield the pairs of players who face each other in a circle, once for each turn of the others around the first."""
    first, others = circle[:1], circle[1:]
    for turn in range(len(others)):
        seats = [*first, *others[turn:], *others[:turn]]
        yield [*zip(seats[: len(seats) // 2], reversed(seats), strict=False)]


def _fill_tables(pairs: Sequence[tuple[int, int]], bye_counts: Counter[int]) -> DrawnRound:
    """Return the pairs that play in a round, and the players who sit out.

    A player who faces an empty seat, 0, sits out. If an odd number of pairs is left, the pair with the fewest byes sits
    out.
    """
    playing_pairs = [pair for pair in pairs if all(pair)]
    players_out = [player for pair in pairs if not all(pair) for player in pair if player]
    if len(playing_pairs) % 2:
        bye_pair = min(
            playing_pairs,
            key=lambda pair: (sum(bye_counts[player] for player in pair), max(bye_counts[player] for player in pair)),
        )
        playing_pairs.remove(bye_pair)
        players_out += bye_pair
    return playing_pairs, players_out


def _swap_repeated_partners(
    pairs: list[tuple[int, int]], times_paired: Counter[frozenset[int]]
) -> list[tuple[int, int]]:
    """Swap partners between pairs as long as that makes repeated partners fewer; change and return the list `pairs`."""
    is_better = True
    while is_better:
        is_better = False
        for i, j in combinations(range(len(pairs)), 2):
            repeat_count = times_paired[frozenset(pairs[i])] + times_paired[frozenset(pairs[j])]
            one_pair, other_pair = rarest_partners((*pairs[i], *pairs[j]), times_paired)
            if times_paired[frozenset(one_pair)] + times_paired[frozenset(other_pair)] < repeat_count:
                pairs[i], pairs[j], is_better = one_pair, other_pair, True
    return pairs
