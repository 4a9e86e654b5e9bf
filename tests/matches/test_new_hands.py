"""A phone refuses what a record is refused for, and a match that has such a hand already goes on."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from sqlalchemy.orm import Session

from scorekeeper.eventlog.stream import HandRefused
from scorekeeper.matches.events import HandAdded, StoredEvent
from scorekeeper.matches.fold import Match
from scorekeeper.matches.service import load_match
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.pitch.records.json_parser import read_hand
from scorekeeper.pitch.scoring.hand import Hand
from tests.acceptance.test_public_cases import CASES
from tests.common.match_actions import correct_hand, record_hand
from tests.matches.conftest import Begin

REFUSED = [
    case
    for case in CASES
    if case["id"][:2] in ("H4", "E4") and case["expect"].get("status") == "refused" and case["record"]["hands"]
    if not case["record"].get("house")
]


def begun(begin: Begin, record: dict[str, Any], **more: Any) -> Match:
    sides = [(side["name"], side.get("players", ())) for side in record.get("sides", ())]
    seated = {"players": record.get("players"), "sides": sides or None, "start": record.get("start")}
    return begin(**{"variant": record["variant"], "house": {}, **seated, **more})


def hand_of(match: Match, given: dict[str, Any]) -> Hand:
    """Return a hand of a record with the ids of a match in place of names."""
    ids = {name: who for who, name in match.names.items()} | {"bidders": "bidders", "defenders": "defenders"}

    def by_ids(value: Any) -> Any:
        if isinstance(value, dict):
            return {ids.get(key, key): by_ids(part) for key, part in value.items()}
        return [by_ids(part) for part in value] if isinstance(value, list) else ids.get(value, value)

    hand, faults = read_hand(by_ids(given))
    assert not faults
    return hand


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: str(case["id"]))
def test_a_phone_refuses_what_a_record_is_refused_for(session: Session, begin: Begin, case: dict[str, Any]) -> None:
    match = begun(begin, case["record"])

    with pytest.raises(HandRefused) as refused:
        record_hand(session, match.code, hand_of(match, case["record"]["hands"][0]), seq=1, idempotency_key="one")

    wanted = case["expect"].get("fault_field")
    assert wanted is None or wanted in [fault.field for fault in refused.value.own]


def test_a_match_with_a_hand_that_would_be_refused_today_opens_and_goes_on(session: Session, begin: Begin) -> None:
    """A pile of 45 for us and Game for them: once that could be saved."""
    fewer = Hand(
        bidder="s2",
        bid=3,
        taken={"high": "s2", "jack": "s2", "low": "s1", "game": "s2"},
        card_points={"s1": 45},
    )
    match = begin(played_on=date(2026, 1, 2))
    with pytest.raises(HandRefused):
        record_hand(session, match.code, fewer, seq=1, idempotency_key="new")

    kept = store_as_before(session, match, fewer)

    assert kept.state.scores == {"s1": 1, "s2": 3}
    after = record_hand(
        session, match.code, Hand(bidder="s1", bid=2, points={"s1": 2, "s2": 2}), seq=2, idempotency_key="two"
    )
    assert after.state.scores == {"s1": 3, "s2": 5}
    right = correct_hand(
        session,
        match.code,
        1,
        Hand(bidder="s2", bid=3, taken={"high": "s2", "jack": "s2", "low": "s1"}, card_points={"s1": 45}),
        seq=3,
        idempotency_key="three",
    )
    assert right.state.scores == {"s1": 4, "s2": -1}


def store_as_before(session: Session, match: Match, hand: Hand) -> Match:
    """Write a hand as an earlier version did, which did not look at its cards."""
    MATCH_EVENTS.add(
        session, match.id, [StoredEvent(1, "before", datetime(2026, 1, 2, tzinfo=UTC), "", HandAdded(hand=hand))]
    )
    session.commit()
    return load_match(session, match.code)
