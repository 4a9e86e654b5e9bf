"""Find out whether other phones wrote about the hand that somebody is entering."""

from datetime import UTC, datetime

import pytest

from scorekeeper.matches.events import (
    Event,
    HandAdded,
    HandCorrected,
    HandRemoved,
    HandRestored,
    Redone,
    Stopped,
    StoredEvent,
    Undone,
)
from scorekeeper.matches.hand_conflicts import KnownEvents, conflict_of_correction, conflict_of_new_hand
from scorekeeper.matches.log import MatchLog, fold
from scorekeeper.pitch.scoring.hand import Hand

HAND = Hand(bidder="p1", bid=3)
ADDED = HandAdded(hand=HAND)
NEW, BEFORE_FIRST, CORRECTION = "a new hand", "one before the first", "a correction of the first"
MINE, THEIRS = "my-phone", "p2:their-phone"


def log_of(*events: Event, mine: tuple[int, ...] = ()) -> MatchLog:
    at = datetime(2026, 11, 20, tzinfo=UTC)
    return fold(
        [
            StoredEvent(seq, f"key-{seq}", at, MINE if seq in mine else THEIRS, event)
            for seq, event in enumerate(events, 1)
        ]
    )


def conflicts(log: MatchLog, version: int, *, replaces: str = "") -> dict[str, int]:
    """Return the hand that each entry, begun on a page of that version, conflicts with."""
    basis = KnownEvents(version=version, actor=MINE, replaces=frozenset(replaces.split()))
    found = {
        NEW: conflict_of_new_hand(log, basis, None, 1),
        BEFORE_FIRST: conflict_of_new_hand(log, basis, 1, 1),
        CORRECTION: conflict_of_correction(log, basis, 1),
    }
    return {name: conflict.hand.uid for name, conflict in found.items() if conflict}


@pytest.mark.parametrize(
    ("event", "about"),
    [
        (ADDED, {NEW: 2}),
        (HandAdded(hand=HAND, before=1), {BEFORE_FIRST: 2}),
        (HandCorrected(uid=1, hand=HAND), {CORRECTION: 1}),
        (HandRemoved(uid=1), {NEW: 1, BEFORE_FIRST: 1, CORRECTION: 1}),
        (Undone(target=1), {NEW: 1, BEFORE_FIRST: 1, CORRECTION: 1}),
        (Stopped(), {}),
    ],
)
def test_an_event_is_about_the_hand_that_it_changes_or_whose_place_it_takes(
    event: Event, about: dict[str, int]
) -> None:
    assert conflicts(log_of(ADDED, event), 1) == about


@pytest.mark.parametrize("back", [HandRestored(uid=1), Redone(target=2)])
def test_a_hand_that_came_back_stands_in_the_place_of_a_new_one(back: Event) -> None:
    log = log_of(ADDED, Undone(target=1), back)

    assert conflicts(log, 2)[NEW] == 1


def test_what_this_phone_wrote_is_no_conflict_whatever_its_page_shows() -> None:
    log = log_of(ADDED, HandCorrected(uid=1, hand=HAND), ADDED, mine=(1, 2, 3))

    assert conflicts(log, 0) == {}


def test_an_entry_does_not_know_of_the_one_that_it_replaces() -> None:
    assert conflicts(log_of(ADDED, mine=(1,)), 0, replaces="key-1")[NEW] == 1


def test_a_correction_that_another_phone_changed_again_is_in_question() -> None:
    log = log_of(ADDED, HandCorrected(uid=1, hand=HAND), HandCorrected(uid=1, hand=HAND), mine=(2,))

    assert conflicts(log, 1) == {CORRECTION: 1}


@pytest.mark.parametrize(
    ("log", "version", "position", "met"),
    [
        *((log_of(ADDED, ADDED), 0, position, met) for position, met in ((1, 1), (2, 2), (3, None))),
        (log_of(*[ADDED] * 4, HandRemoved(uid=1), mine=(1, 2, 3)), 3, 4, 4),
        (log_of(ADDED, ADDED, HandRemoved(uid=1), mine=(3,)), 0, 2, 2),
    ],
    ids=["the first", "the second", "none", "though an older one was deleted", "behind one that its own phone deleted"],
)
def test_each_new_hand_meets_the_one_at_its_position(
    log: MatchLog, version: int, position: int, met: int | None
) -> None:
    conflict = conflict_of_new_hand(log, KnownEvents(version=version, actor=MINE), None, position)

    assert (conflict.hand.uid if conflict else None) == met


def test_a_new_hand_meets_none_that_was_put_between_earlier_ones() -> None:
    log = log_of(ADDED, ADDED, HandAdded(hand=HAND, before=2), mine=())

    assert NEW not in conflicts(log, 2)
