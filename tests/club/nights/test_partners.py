"""Partners who are drawn each round: nobody partners twice before all have, and who sits out takes turns."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scorekeeper.club.nights.events import (
    EntrantArrived,
    EntrantLeft,
    GameWon,
    PartnersDrawn,
    RoundsAgreed,
    RoundTakenBack,
)
from scorekeeper.club.nights.night import BY_POINTS, BY_WINS, PROGRESSIVE, SINGLES, Night, NightPlanned
from scorekeeper.club.nights.sentences import champion_words, leaver_words, movements_by_side, next_round_note
from scorekeeper.club.nights.service import draw_lots_for_first_round, draw_lots_for_round
from scorekeeper.club.nights.table_moves import count_times_paired, draw_partners, next_table
from scorekeeper.eventlog.stream import Refused
from tests.club.nights.nights import fold_night, written

seeds = st.integers(0, 2**32)


def rounds_of(players: Sequence[int], number: int, seed: int) -> list[tuple[list[tuple[int, int]], list[int]]]:
    """Return so many rounds, drawn one after the other."""
    rng = Random(seed)
    before: list[tuple[list[tuple[int, int]], list[int]]] = []
    for _ in range(number):
        pairs, out = draw_partners(rng.sample(players, len(players)), before)
        pairs = rng.sample(list(pairs), len(pairs))
        before.append((pairs, list(out)))
    return before


@given(st.integers(4, 60), seeds)
def test_nobody_partners_twice_before_all_have(players: int, seed: int) -> None:
    whole = players - 1 + players % 2
    rounds = rounds_of(range(1, players + 1), min(whole, 15), seed)

    assert max(count_times_paired(rounds).values()) == 1
    for pairs, out in rounds:
        assert len(out) == players % 4
        assert sorted([*out, *(player for pair in pairs for player in pair)]) == list(range(1, players + 1))
    byes = Counter(player for _, out in rounds for player in out)
    assert max(byes.values(), default=0) - min(byes[player] for player in range(1, players + 1)) <= 2


@given(st.sampled_from((4, 8, 12, 16)), seeds)
def test_after_all_rounds_each_had_every_other_one_and_it_begins_again(players: int, seed: int) -> None:
    had = count_times_paired(rounds_of(range(1, players + 1), 2 * (players - 1), seed))

    assert len(had) == players * (players - 1) // 2
    assert set(had.values()) == {2}


@given(st.integers(8, 30), seeds)
def test_after_somebody_came_or_went_few_meet_again(players: int, seed: int) -> None:
    before = rounds_of(range(1, players + 1), 3, seed)
    rng = Random(seed)

    for present in (range(2, players + 1), range(1, players + 2)):
        pairs, out = draw_partners(rng.sample(present, len(present)), before)
        assert sorted([*out, *(player for pair in pairs for player in pair)]) == [*present]
        assert all(count_times_paired(before)[frozenset(pair)] == 0 for pair in pairs)


def night_of_players(mode: str, ranking: str, players: int) -> Night:
    night = written(fold_night(), NightPlanned(mode=mode, ranking=ranking))
    return written(
        night, *(EntrantArrived(players=(f"P{number}",)) for number in range(players)), RoundsAgreed(rounds=3)
    )


def played(night: Night, rng: Random) -> Night:
    """Return the night after every table of the round has a result with a score."""
    for game in night.rounds[-1].games:
        scores = (11, rng.randint(0, 10)) if rng.random() < 0.5 else (rng.randint(0, 10), 11)
        winner = game.sides[0] if scores[0] == 11 else game.sides[1]
        night = written(night, GameWon(round=night.rounds[-1].number, table=game.table, winner=winner, scores=scores))
    return night


# Here the player with the most points has won no game.
@example(10, 72, BY_POINTS)
@given(st.integers(4, 21), seeds, st.sampled_from((BY_WINS, BY_POINTS)))
def test_a_night_of_singles_counts_for_everybody_alone(players: int, seed: int, ranking: str) -> None:
    rng = Random(seed)
    night = played(written(night_of_players(SINGLES, ranking, players), draw_lots_for_first_round), rng)
    for number in (2, 3):
        night = played(written(night, partial(draw_lots_for_round, number)), rng)

    tables = players // 4
    standings = night.standings
    assert sum(standing.games_won for standing in standings) == 2 * 3 * tables
    assert sum(standing.games_played for standing in standings) == 4 * 3 * tables
    counts = [
        (standing.games_won, standing.points) if ranking == BY_WINS else (standing.points, standing.games_won)
        for standing in standings
    ]
    assert counts == sorted(counts, reverse=True)
    assert [standing.rank for standing in standings] == [counts.index(count) + 1 for count in counts]
    assert night.champion_uids == tuple(standing.uid for standing in standings if standing.rank == 1)
    words = champion_words(night)
    assert words.endswith("the night" if len(night.champion_uids) == 1 else "tie for first")
    assert next_round_note(night) == ""


@given(st.integers(8, 21), seeds)
def test_in_progressive_winners_go_up_losers_stay_and_partners_part(players: int, seed: int) -> None:
    night = played(written(night_of_players(PROGRESSIVE, BY_WINS, players), draw_lots_for_first_round), Random(seed))
    night = written(night, partial(draw_lots_for_round, 2))
    before, after = night.rounds

    assert len(after.games) == len(before.games) == players // 4
    if players % 4 == 0:
        for game in before.games:
            for pair in game.sides:
                to = next_table(game.table, won=game.winner == pair, top_table=before.top_table)
                assert [found and found.table for found in map(after.game_of, night.partners_by_pair[pair])] == [to, to]
    had = count_times_paired(night.drawn_rounds[:1])
    assert all(had[frozenset(pair)] == 0 for pair in night.drawn_rounds[1][0])


def test_whoever_leaves_loses_the_game_with_the_partner_and_a_round_is_taken_back() -> None:
    night = written(night_of_players(PROGRESSIVE, BY_WINS, 8), draw_lots_for_first_round)
    game = night.rounds[-1].games[0]
    leaver, partner = night.partners_by_pair[game.sides[0]]

    night = written(night, EntrantLeft(pair=leaver))

    game = night.rounds[0].games[0]
    assert leaver_words(night, game) == night.name(leaver)
    assert movements_by_side(night)[game.sides[0]].text == "stay"
    assert movements_by_side(written(night, EntrantLeft(pair=partner)))[game.sides[0]].text == "left"
    assert game.winner == game.sides[1]
    assert next(standing for standing in night.standings if standing.uid == partner).games_played == 1
    assert written(night, RoundTakenBack(round=1)).rounds == []


@pytest.mark.parametrize(
    ("mode", "players", "leave", "note"),
    [
        (SINGLES, 8, 2, "The next round has 1 table. 6 players: 2 sit out each round."),
        (PROGRESSIVE, 8, 3, ": those below move up to fill in. 5 players: one sits out each round, drawn from the"),
        (SINGLES, 4, 1, "Too few are here for another round: add others, or end the night."),
        (SINGLES, 8, -4, "The next round has 3 tables."),
        (
            PROGRESSIVE,
            8,
            -8,
            "4 tables: new ones are at the low end, and the others’ numbers go up by 2.",
        ),
    ],
)
def test_before_the_next_round_it_is_announced_how_many_sit_out_and_play(
    mode: str, players: int, leave: int, note: str
) -> None:
    night = written(night_of_players(mode, BY_WINS, players), draw_lots_for_first_round)
    night = written(night, *(EntrantLeft(pair=uid) for uid in night.present_uids[: max(leave, 0)]))
    night = written(night, *(EntrantArrived(players=(f"N{number}",)) for number in range(-leave)))

    assert note in next_round_note(night)


def test_a_draw_that_does_not_fit_is_refused() -> None:
    night = night_of_players(SINGLES, BY_WINS, 4)
    first, second, third, _ = night.present_uids

    for event, message in (
        (PartnersDrawn(round=1, partners=(((first, second), (third, third)),)), "Who plays has changed"),
        (PartnersDrawn(round=2, partners=()), "Start round 1 first"),
        (NightPlanned(mode=PROGRESSIVE), "before anybody is added"),
        (NightPlanned(mode=SINGLES), "choose wins or points"),
        (NightPlanned(mode=SINGLES, ranking=BY_WINS, minutes=999), "up to 240 minutes"),
    ):
        with pytest.raises(Refused, match=message):
            written(night, event)
    with pytest.raises(Refused, match="Four players are the fewest"):
        written(night_of_players(SINGLES, BY_WINS, 0), draw_lots_for_first_round)
    started = written(night, draw_lots_for_first_round)
    with pytest.raises(Refused, match="before the start"):
        written(started, NightPlanned(mode=SINGLES, ranking=BY_POINTS))
    assert written(started, NightPlanned(mode=SINGLES, ranking=BY_WINS, fee="$5")).plan.fee == "$5"
