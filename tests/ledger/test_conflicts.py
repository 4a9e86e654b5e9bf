"""Whether what others wrote is about the hand that somebody is entering."""

from datetime import UTC, datetime

import pytest

from scorekeeper.engine.hand import Hand
from scorekeeper.ledger.conflicts import hand_written_first, is_about_hand
from scorekeeper.ledger.facts import Event, Fact, HandAdded, HandCorrected, HandRemoved, HandReturned, Stopped, Undone
from scorekeeper.ledger.fold import fold
from scorekeeper.ledger.log import MatchLog

HAND = Hand(bidder="p1", bid=3)
NEW, BEFORE_FIRST, FIRST = (None, None), (None, 1), (1, None)
"""A new hand, one that goes before the first, and a correction of the first: its uid, and what it goes before."""


def log_of(*facts: Fact) -> MatchLog:
    at = datetime(2026, 11, 20, tzinfo=UTC)
    return fold([Event(seq, f"key-{seq}", at, "phone", fact) for seq, fact in enumerate(facts, 1)])


@pytest.mark.parametrize(
    ("fact", "conflicts"),
    [
        (HandAdded(hand=HAND), [NEW]),
        (HandAdded(hand=HAND, before=1), [BEFORE_FIRST]),
        (HandCorrected(uid=1, hand=HAND), [FIRST]),
        (HandRemoved(uid=1), [BEFORE_FIRST, FIRST]),
        (HandReturned(uid=1), [NEW, BEFORE_FIRST, FIRST]),
        (Undone(target=1), [NEW, BEFORE_FIRST, FIRST]),
        (Stopped(), []),
    ],
)
def test_an_event_is_about_the_hand_that_it_changes_or_whose_place_it_takes(
    fact: Fact, conflicts: list[tuple[int | None, int | None]]
) -> None:
    log = log_of(HandAdded(hand=HAND), fact)

    assert [place for place in (NEW, BEFORE_FIRST, FIRST) if is_about_hand(log.events[1], log, *place)] == conflicts


def test_the_hand_that_took_the_place_of_a_new_one_was_written_first() -> None:
    log = log_of(HandAdded(hand=HAND), HandAdded(hand=HAND))

    assert hand_written_first(log.events, log, *NEW) == 2


def test_a_hand_that_is_deleted_again_was_not_written_first() -> None:
    log = log_of(HandAdded(hand=HAND), HandRemoved(uid=1))

    assert hand_written_first(log.events, log, *NEW) is None
