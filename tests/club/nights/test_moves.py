"""The ladder itself: who goes where after a round."""

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.club.nights.moves import next_table, next_tables


@st.composite
def rounds(draw: st.DrawFn) -> tuple[list[tuple[int, int]], list[int]]:
    """Return up to 40 tables with numbered pairs, and who won at each."""
    tables = draw(st.integers(1, 40))
    order = draw(st.permutations(range(2 * tables)))
    seated = list(zip(order[::2], order[1::2], strict=True))
    return seated, [pairs[draw(st.integers(0, 1))] for pairs in seated]


def test_winners_go_up_losers_stay_and_losers_at_the_top_go_to_the_lowest() -> None:
    tables = [("Eve", "Opal"), ("Bea", "Mia"), ("Ann", "Gus"), ("Ida", "Kay")]

    after = next_tables(tables, ["Opal", "Mia", "Ann", "Ida"])

    assert after == [("Eve", "Kay"), ("Bea", "Opal"), ("Gus", "Mia"), ("Ida", "Ann")]


def test_at_a_single_table_both_stay() -> None:
    assert next_tables([("Ann", "Bea")], ["Bea"]) == [("Bea", "Ann")]


@given(rounds())
def test_everybody_keeps_a_seat_and_nobody_gets_two(played: tuple[list[tuple[int, int]], list[int]]) -> None:
    tables, winners = played

    after = next_tables(tables, winners)

    assert sorted(pair for pairs in after for pair in pairs) == list(range(2 * len(tables)))


@given(rounds())
def test_each_pair_sits_where_its_own_row_says(played: tuple[list[tuple[int, int]], list[int]]) -> None:
    tables, winners = played
    top = len(tables)

    after = {pair: table for table, pairs in enumerate(next_tables(tables, winners), 1) for pair in pairs}

    for table, pairs in enumerate(tables, 1):
        for pair in pairs:
            assert after[pair] == next_table(table, won=pair == winners[table - 1], top=top)
