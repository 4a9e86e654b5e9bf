"""Check what holds for every night: nobody is lost, and nobody has two seats."""

from collections import Counter
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.club.nights.events import (
    EntrantArrived,
    EntrantLeft,
    EntrantReturned,
    GameWon,
    NightChange,
    NightStarted,
    RoundsAgreed,
    RoundStarted,
    RoundTakenBack,
)
from scorekeeper.club.nights.night import MAX_TABLES, Night
from scorekeeper.club.nights.sentences import latest_correction_words, movements_by_side, redo_words, undo_words
from scorekeeper.eventlog.stream import Event, Redone, Refused, Undone, redo_event, undo_event
from tests.club.nights.nights import moved, names_at, new_event, seated, seats_of, won, written

seeds = st.integers(0, 2**32)


def drawn_night(rng: Random, pairs: int) -> Night:
    """Return a night in its first round, its pairs drawn by lot."""
    names = [f"Pair {number}" for number in range(pairs)]
    return written(seated(*rng.sample(names, pairs)), RoundsAgreed(rounds=50))


def random_event(rng: Random, night: Night) -> Event | None:
    """Return what a host writes by something random; `None` where that is refused, or changes nothing."""
    with suppress(Refused):
        return new_event(night, random_change(rng, night))
    return None


def random_change(rng: Random, night: Night) -> NightChange:
    """Return something that a host may do, which may be refused."""
    number = len(night.rounds)
    playing = night.rounds[-1].unfinished_games
    uid = rng.choice(list(night.entrants))
    match rng.choices(range(8), weights=(60, 10, 6, 4, 8, 3, 5, 3))[0]:
        case 0 if playing:
            game = rng.choice(playing)
            scores = rng.choice((None, (rng.randint(-21, 99), rng.randint(-21, 99))))
            return GameWon(round=number, table=game.table, winner=rng.choice(game.sides), scores=scores)
        case 0 | 1:
            may = night.bye_candidates
            return RoundStarted(round=number + 1, sits_out=rng.choice(may) if may else None)
        case 2:
            return EntrantArrived(players=(f"Late {night.version}",))
        case 3:
            return EntrantReturned(pair=uid) if night.entrants[uid].has_left else EntrantLeft(pair=uid)
        case 4:
            earlier = rng.choice(night.rounds)
            game = rng.choice(earlier.games)
            return GameWon(round=earlier.number, table=game.table, winner=rng.choice((*game.sides, None)))
        case 5 if number > 1:
            return RoundTakenBack(round=number)
        case 6 if night.next_to_undo and not isinstance(night.next_to_undo.data, NightStarted):
            return undo_event
        case _:
            return redo_event


def check(night: Night) -> None:
    for played in night.rounds:
        taking_part = Counter((*played.seated_uids, *played.sitting_out_uids))
        assert set(taking_part.values()) == {1}
        assert set(taking_part) <= set(night.entrants)
        assert [game.table for game in played.games] == list(range(1, len(played.games) + 1))
        assert all(game.winner in (None, *game.sides) for game in played.games)
        assert all(game.scores is None or game.winner is not None for game in played.games)
        assert all(night.entrants[pair].has_left or len(played.seated_uids) >= 2 for pair in played.seated_uids)


@given(st.integers(2, 2 * MAX_TABLES), seeds)
def test_sides_and_seats_are_conserved_through_arrivals_departures_and_corrections(pairs: int, seed: int) -> None:
    rng = Random(seed)
    night = drawn_night(rng, pairs)
    for _ in range(60):
        before = night
        if (event := random_event(rng, night)) is None:
            continue
        night = written(night, event)
        check(night)
        assert all(
            words == " ".join(words.split())
            for words in (latest_correction_words(night), undo_words(night), redo_words(night))
        )
        if len(night.rounds) > len(before.rounds) and isinstance(event, RoundStarted):
            current = night.rounds[-1]
            present = (*current.seated_uids, *current.sitting_out_uids)
            assert sorted(present) == sorted(before.present_uids)
            assert len(current.games) == len(before.present_uids) // 2
            assert (not current.sitting_out_uids) == (len(before.present_uids) % 2 == 0)
            for uid, movement in movements_by_side(before).items():
                game = current.game_of(uid)
                assert " to table " not in movement.text or game is None or movement.text.endswith(f" {game.table}")


def next_tables(tables: list[tuple[str, str]], winners: list[str]) -> list[tuple[str, str]]:
    """Return who sits where after a round of a ladder, all at once: who stays first, then who arrives."""
    losers = [second if winner == first else first for (first, second), winner in zip(tables, winners, strict=True)]
    return [*zip([*losers[:-1], winners[-1]], [losers[-1], *winners[:-1]], strict=True)]


@given(st.integers(1, MAX_TABLES), seeds)
def test_an_even_night_without_changes_is_the_ladder_and_nothing_else(tables: int, seed: int) -> None:
    rng = Random(seed)
    night = drawn_night(rng, 2 * tables)
    for _ in range(3):
        before = names_at(night)
        winners = [rng.choice(pairs) for pairs in before]
        night = moved(won(night, *winners))
        assert names_at(night) == next_tables(before, winners)


@given(st.integers(1, 8), seeds)
def test_of_an_odd_number_nobody_sits_out_twice_more_than_another(tables: int, seed: int) -> None:
    rng = Random(seed)
    night = drawn_night(rng, 2 * tables + 1)
    for _ in range(3 * tables):
        [sat_out] = night.rounds[-1].sitting_out_uids
        night = moved(won(night, *(rng.choice(pairs) for pairs in names_at(night))), rng)
        byes = [night.bye_counts.get(uid, 0) for uid in night.present_uids]
        assert max(byes) - min(byes) <= 1
        assert night.rounds[-1].sitting_out_uids != (sat_out,)
        assert sat_out in night.rounds[-1].games[0].sides


@given(st.integers(2, MAX_TABLES), seeds)
def test_a_result_corrected_before_anybody_played_is_as_if_it_had_been_right_at_once(tables: int, seed: int) -> None:
    rng = Random(seed)
    first = drawn_night(rng, 2 * tables)
    right = [rng.choice(pairs) for pairs in names_at(first)]
    table = rng.randrange(tables)
    wrong = list(right)
    (wrong[table],) = {*names_at(first)[table]} - {right[table]}
    uids = {first.name(uid): uid for uid in first.entrants}

    night = moved(won(first, *wrong))
    corrected = written(night, GameWon(round=1, table=table + 1, winner=uids[right[table]]))

    meant = moved(won(first, *right))
    assert [set(pairs) for pairs in names_at(corrected)] == [set(pairs) for pairs in names_at(meant)]


@given(st.integers(2, 9), seeds)
def test_what_is_undone_never_was(pairs: int, seed: int) -> None:
    rng = Random(seed)
    night = drawn_night(rng, pairs)
    for _ in range(30):
        if (event := random_event(rng, night)) is None or isinstance(event, Undone | Redone):
            continue
        after = written(night, event)
        assert seats_of(written(after, undo_event)) == seats_of(night)
        night = after


def test_a_night_has_seats_for_its_largest_number_and_no_more() -> None:
    night = seated(*(f"Pair {number}" for number in range(2 * MAX_TABLES + 1)))

    assert night.rounds[-1].top_table == MAX_TABLES
    with pytest.raises(Refused, match="A night has room for 81 pairs"):
        written(night, EntrantArrived(players=("Late",)))
