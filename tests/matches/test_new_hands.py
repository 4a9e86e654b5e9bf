"""A phone refuses what a record is refused for, and a match that has such a hand already goes on."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from sqlalchemy.orm import Session

from scorekeeper.eventlog.stream import HandRefused
from scorekeeper.matches.events import HandAdded, StoredEvent
from scorekeeper.matches.service import load_match
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.pitch.scoring.hand import Hand
from tests.common.match_actions import correct_hand, record_hand
from tests.matches.conftest import Begin

TAKEN = {"high": "s2", "jack": "s2", "low": "s1"}
MORE = Hand(bidder="s2", bid=3, taken=TAKEN, card_points={"s1": 45})
FEWER = replace(MORE, taken={**TAKEN, "game": "s2"})
"""A pile of 45 for us and Game for them: once that could be saved."""


def test_a_match_with_a_hand_that_would_be_refused_today_opens_and_goes_on(session: Session, begin: Begin) -> None:
    match = begin(played_on=date(2026, 1, 2))
    with pytest.raises(HandRefused):
        record_hand(session, match.code, FEWER)
    stored = StoredEvent(1, "before", datetime(2026, 1, 2, tzinfo=UTC), "", HandAdded(hand=FEWER))
    MATCH_EVENTS.add(session, match.id, [stored])
    session.commit()

    kept = load_match(session, match.code)
    after = record_hand(session, match.code, Hand(bidder="s1", bid=2, points={"s1": 2, "s2": 2}))
    right = correct_hand(session, match.code, 1, MORE)

    scores = [match.state.scores for match in (kept, after, right)]
    assert scores == [{"s1": 1, "s2": 3}, {"s1": 3, "s2": 5}, {"s1": 4, "s2": -1}]
