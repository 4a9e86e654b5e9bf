"""The words of a correction, an undo and a deletion."""

import pytest

from scorekeeper.club.nights.events import (
    EntrantArrived,
    EntrantLeft,
    EntrantRenamed,
    GameWon,
    MatchKept,
    NightChange,
    NightDeleted,
    NightEnded,
    NightRenamed,
    NightRestored,
    RoundsAgreed,
    RoundTakenBack,
)
from scorekeeper.club.nights.night import NightPlanned
from scorekeeper.club.nights.sentences import (
    correction_words,
    fee_and_prize_lines,
    latest_correction_words,
    next_round_note,
    redo_words,
    score_words,
    sitting_out_notes,
    undo_words,
)
from scorekeeper.eventlog.stream import redo_event, undo_event
from tests.club.nights.nights import moved, night_of, result, seated, seats_of, won, written

FOUR = ("Ann", "Bea", "Cal", "Dan")


def test_what_only_goes_on_is_not_announced() -> None:
    night = won(seated(*FOUR), "Bea", "Dan")

    assert latest_correction_words(night) == ""
    assert latest_correction_words(moved(night)) == ""
    assert undo_words(night) == "Dan won at table 2 in round 1"


def test_what_a_night_costs_and_what_can_be_won_is_said_with_its_label() -> None:
    assert fee_and_prize_lines(night_of(*FOUR)) == []
    agreed = written(night_of(*FOUR), NightPlanned(fee="$5", prizes="The jar"))
    assert fee_and_prize_lines(agreed) == ["Entry fee: $5", "Prizes: The jar"]


def test_a_correction_says_who_sits_out() -> None:
    night = moved(won(seated("Zoe", *FOUR), "Bea", "Dan"))

    night = result(night, 1, "Ann")

    assert latest_correction_words(night).endswith("Ann goes to table 2 and Bea sits out.")


def test_a_correction_moves_nobody_where_the_two_meet_again() -> None:
    left = (EntrantLeft(pair=uid) for uid in (4, 6))

    night = moved(written(won(seated(*FOUR, "Eve", "Finn"), "Ann", "Cal", "Eve"), *left))

    assert correction_words(night, 1, 1) == "Nobody moves: the two meet again in this round. Only the list changes."


def test_a_score_alone_moves_nobody() -> None:
    night = moved(won(seated(*FOUR), "Bea", "Dan"))
    before = seats_of(night)

    night = result(night, 1, "Bea", (-4, 21))

    assert seats_of(night) == before
    assert night.rounds
    assert score_words(night.rounds[0].games[0]) == "21 to −4"
    assert latest_correction_words(night) == "Corrected: Bea won at table 1 in round 1."


def test_a_winner_that_is_tapped_again_takes_the_score_along() -> None:
    night = seated(*FOUR)
    night = result(night, 1, "Bea", (4, 21))

    night = written(night, GameWon(round=1, table=1, winner=None))

    assert night.rounds[0].games[0].scores is None
    assert undo_words(night) == "no result at table 1 in round 1"


def test_an_undo_and_a_redo_say_what_they_touch() -> None:
    night = moved(won(seated(*FOUR), "Bea", "Dan"))

    undone = written(night, undo_event)
    assert latest_correction_words(undone) == "Undone: round 2 started. Look again where you sit."
    assert redo_words(undone) == "round 2 started"

    assert (
        latest_correction_words(written(undone, redo_event)) == "Restored: round 2 started. Look again where you sit."
    )


def test_a_round_that_was_undone_says_where_to_sit() -> None:
    night = moved(won(seated(*FOUR), "Bea", "Dan"))
    night = written(night, RoundTakenBack(round=2))
    assert latest_correction_words(night) == "Round 2 was undone, with its results. Sit where you sat in round 1."

    night = written(night, RoundTakenBack(round=1))
    assert latest_correction_words(night) == "Round 1 was undone, with its results. Nobody is seated yet."


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (EntrantArrived(players=("Eve",)), "Eve came"),
        (EntrantRenamed(pair=1, players=("Anna",)), "a pair is called Anna"),
        (EntrantLeft(pair=1), "Ann left"),
        (RoundsAgreed(rounds=9), "the night has 9 rounds"),
        (NightRenamed(title="Friday"), "the night has another name"),
        (MatchKept(round=1, table=2, match=7), "a match is kept at table 2"),
        (NightEnded(), "the night ended early"),
    ],
)
def test_every_change_can_be_named(change: NightChange, words: str) -> None:
    assert undo_words(written(seated(*FOUR), change)) == words


def test_an_odd_number_is_told_before_the_round_in_which_one_sits_out() -> None:
    night = written(seated(*FOUR), EntrantArrived(players=("Eve",)))

    assert next_round_note(night) == "5 pairs: one sits out each round, drawn from the lowest table up."


def test_nobody_comes_back_after_the_last_round() -> None:
    night = seated("Zoe", *FOUR)
    assert sitting_out_notes(night) == {1: "out this round, back at table 1"}

    assert sitting_out_notes(written(night, RoundsAgreed(rounds=1))) == {1: "out this round"}
    assert sitting_out_notes(written(night, EntrantLeft(pair=1))) == {1: "left"}


def test_no_undo_deletes_a_night_that_was_restored() -> None:
    night = seated(*FOUR)
    deleted = written(night, NightDeleted())
    assert deleted.is_deleted
    assert not NightDeleted().changes_anything(deleted)

    restored = written(deleted, NightRestored())

    assert not restored.is_deleted
    assert restored.next_to_undo == night.next_to_undo
    assert not written(restored, undo_event).is_deleted
    assert not NightRestored().changes_anything(night_of(*FOUR))
