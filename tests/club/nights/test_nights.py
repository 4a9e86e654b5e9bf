"""A night by its events: odd numbers, late arrivals, pairs that leave, corrections, and rounds taken back."""

import pytest

from scorekeeper.club.nights.events import (
    EntrantArrived,
    EntrantLeft,
    EntrantRemoved,
    EntrantRenamed,
    EntrantReturned,
    GameWon,
    NightStarted,
    RoundsAgreed,
    RoundStarted,
    RoundTakenBack,
)
from scorekeeper.eventlog.stream import Refused, undo_event
from tests.club.nights.nights import moved, names_at, night_of, result, seated, seats_of, uid_of, won, written

EIGHT = ("Eve", "Opal", "Bea", "Mia", "Ann", "Gus", "Ida", "Kay")


def test_a_round_waits_for_every_table_and_says_for_which() -> None:
    night = won(seated(*EIGHT), "Opal", "Ann", "Ida")

    with pytest.raises(Refused, match="Still playing at table 2"):
        written(night, RoundStarted(round=2, sits_out=None))


def test_after_the_agreed_rounds_the_winner_at_the_top_is_champion() -> None:
    night = written(seated("Ann", "Bea"), RoundsAgreed(rounds=1))
    assert night.champion_uids == ()

    night = won(night, "Bea")

    assert night.is_over
    assert night.champion_uids == (uid_of(night, "Bea"),)
    with pytest.raises(Refused, match="The night is over"):
        moved(night)


def test_late_arrivals_begin_at_a_new_lowest_table() -> None:
    night = won(seated("Ann", "Bea", "Cal", "Dan"), "Bea", "Dan")

    night = moved(written(night, EntrantArrived(players=("Eve",)), EntrantArrived(players=("Finn",))))

    assert names_at(night) == [("Eve", "Finn"), ("Ann", "Cal"), ("Dan", "Bea")]


def test_one_late_arrival_plays_at_once_and_another_pair_of_table_1_sits_out() -> None:
    night = written(won(seated("Ann", "Bea", "Cal", "Dan"), "Bea", "Dan"), EntrantArrived(players=("Eve",)))

    assert {night.name(uid) for uid in night.bye_candidates} == {"Ann", "Cal"}


def test_the_late_pair_takes_the_place_of_whoever_sat_out() -> None:
    night = written(won(seated("Zoe", "Ann", "Bea", "Cal", "Dan"), "Bea", "Dan"), EntrantArrived(players=("Eve",)))

    night = moved(night)

    assert night.rounds[-1].sitting_out_uids == ()
    assert names_at(night) == [("Zoe", "Eve"), ("Ann", "Cal"), ("Dan", "Bea")]


def test_a_pair_that_leaves_loses_the_game_it_had_not_finished() -> None:
    night = seated(*EIGHT)

    night = written(night, EntrantLeft(pair=uid_of(night, "Mia")))

    game = night.rounds[-1].games[1]
    assert (game.winner, game.is_won_by_default) == (uid_of(night, "Bea"), True)


def test_where_a_pair_has_left_those_below_move_up() -> None:
    night = won(seated("Zoe", *EIGHT), "Opal", "Mia", "Ann", "Ida")
    night = written(night, EntrantLeft(pair=uid_of(night, "Gus")))

    night = moved(night)

    assert names_at(night) == [("Eve", "Zoe"), ("Bea", "Kay"), ("Opal", "Mia"), ("Ida", "Ann")]


def test_a_pair_that_comes_back_begins_at_the_lowest_table() -> None:
    night = seated(*EIGHT)
    night = written(night, EntrantLeft(pair=uid_of(night, "Mia")), EntrantLeft(pair=uid_of(night, "Gus")))
    night = moved(won(night, "Opal", "Ida"))
    night = won(night, *(pairs[0] for pairs in names_at(night)))
    night = written(night, EntrantReturned(pair=uid_of(night, "Mia")), EntrantReturned(pair=uid_of(night, "Gus")))

    assert names_at(moved(night))[0] == ("Mia", "Gus")


def test_a_corrected_result_moves_nobody_who_has_played_since() -> None:
    night = moved(won(seated(*EIGHT), "Opal", "Mia", "Ann", "Ida"))
    night = won(night, "Ida")

    corrected = result(night, 1, "Gus")

    assert night.games_to_trade(1, 3) is None
    assert names_at(corrected) == names_at(night)
    assert corrected.rounds[0].games[2].winner == uid_of(night, "Gus")


def test_a_corrected_result_of_a_round_before_that_moves_nobody() -> None:
    night = moved(won(seated(*EIGHT), "Opal", "Mia", "Ann", "Ida"))
    night = moved(won(night, *(pairs[0] for pairs in names_at(night))))

    corrected = result(night, 1, "Gus")

    assert names_at(corrected) == names_at(night)


def test_who_trades_with_a_pair_that_sits_out_sits_out() -> None:
    night = moved(won(seated("Zoe", "Ann", "Bea", "Cal", "Dan"), "Bea", "Dan"))
    assert night.rounds[-1].sitting_out_uids == (uid_of(night, "Ann"),)

    night = result(night, 1, "Ann")

    assert night.rounds[-1].sitting_out_uids == (uid_of(night, "Bea"),)
    assert names_at(night) == [("Cal", "Zoe"), ("Dan", "Ann")]


def test_who_sits_out_is_ranked_by_the_table_of_the_last_game() -> None:
    night = won(seated("Zoe", "Ann", "Bea", "Cal", "Dan"), "Bea", "Dan")

    night = written(night, RoundStarted(round=2, sits_out=uid_of(night, "Cal")))

    tables = [(night.name(standing.uid), standing.table) for standing in night.standings]
    assert tables == [("Bea", 2), ("Dan", 2), ("Cal", 2), ("Zoe", 1), ("Ann", 1)]


def test_a_round_taken_back_leaves_the_one_before_as_it_was() -> None:
    before = won(seated(*EIGHT), "Opal", "Mia", "Ann", "Ida")
    night = won(moved(before), "Kay")

    night = written(night, RoundTakenBack(round=2))

    assert seats_of(night) == seats_of(before)
    assert len(written(night, undo_event).rounds) == 2


def test_somebody_who_does_not_sit_there_cannot_win() -> None:
    night = seated(*EIGHT)

    with pytest.raises(Refused, match="does not play at table 1"):
        written(night, GameWon(round=1, table=1, winner=uid_of(night, "Kay")))


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (["Ann"], "Ann is here already"),
        (["Eve", "ann"], "Ann is here already. If this is somebody else, add a letter"),
        (["Eve", "Jose\u0301"], "José plays already, in José & Ida"),
        (["Joe", "Hal"], "Hal plays already, in Gus & Hal"),
        (["Eve", "Eve"], "Eve is there twice. Give each a different name."),
        (["Eve", "EVE"], "Eve and EVE are the same name. Give each a different name."),
        ([""], "A name has 1 to 24 letters"),
        (["Joe", "Zed", "Kim"], "2 play together tonight. Add the others as another pair."),
    ],
)
def test_a_pair_needs_names_of_its_own(players: list[str], message: str) -> None:
    night, names = night_of("Ann", "Bea", "Gus & Hal", "José & Ida", "Zed"), tuple(players)
    for change in (EntrantArrived(players=names), EntrantRenamed(pair=5, players=names)):
        with pytest.raises(Refused, match=message):
            written(night, change)


def test_a_mistyped_pair_is_removed_before_it_sits_down_and_is_in_no_list() -> None:
    night = written(night_of("Ann", "Bea", "Cla"), EntrantRemoved(pair=3))

    assert list(night.entrants) == [1, 2]
    night = written(night, EntrantArrived(players=("Cal",)), NightStarted(tables=((1, 2),), sits_out=5))
    assert [standing.uid for standing in night.standings] == [1, 2, 5]
    for pair in (1, 5):
        with pytest.raises(Refused, match="sat down already tonight"):
            written(night, EntrantRemoved(pair=pair))
    assert list(written(written(night, EntrantArrived(players=("Eev",))), EntrantRemoved(pair=7)).entrants) == [1, 2, 5]


def test_every_pair_is_seated_once() -> None:
    night = night_of("Ann", "Bea", "Cal")

    with pytest.raises(Refused, match="Each pair sits at one table"):
        written(night, NightStarted(tables=((1, 2),), sits_out=None, by_lot=False))
