"""The ladder itself: who goes where after a round."""

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.club.nights.moves import next_table

PairT = TypeVar("PairT")


def next_tables(tables: Sequence[tuple[PairT, PairT]], winners: Sequence[PairT]) -> list[tuple[PairT, PairT]]:
    """Return who sits where after a round of a ladder, all at once: who stays first, then who arrives."""
    losers = [second if winner == first else first for (first, second), winner in zip(tables, winners, strict=True)]
    return list(zip([*losers[:-1], winners[-1]], [losers[-1], *winners[:-1]], strict=True))


@st.composite
def rounds(draw: st.DrawFn) -> tuple[list[tuple[int, int]], list[int]]:
    """Return up to 40 tables with numbered pairs, and who won at each."""
    tables = draw(st.integers(1, 40))
    order = draw(st.permutations(range(2 * tables)))
    seated = list(zip(order[::2], order[1::2], strict=True))
    return seated, [pairs[draw(st.integers(0, 1))] for pairs in seated]


@given(rounds())
def test_each_pair_sits_where_its_own_row_says(played: tuple[list[tuple[int, int]], list[int]]) -> None:
    tables, winners = played
    top = len(tables)

    after = {pair: table for table, pairs in enumerate(next_tables(tables, winners), 1) for pair in pairs}

    for table, pairs in enumerate(tables, 1):
        for pair in pairs:
            assert after[pair] == next_table(table, won=pair == winners[table - 1], top=top)
