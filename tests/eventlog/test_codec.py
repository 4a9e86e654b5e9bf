"""Read back from a row what was written into it; on both databases."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.access.roles import Head
from scorekeeper.database.engine import db
from scorekeeper.database.rows import utc
from scorekeeper.eventlog.store import UnreadableEvent, encode_payload, read_event
from scorekeeper.matches import events
from scorekeeper.matches import store as matches
from scorekeeper.matches.events import Event, HandAdded, Renamed, RulesChanged, StoredEvent
from scorekeeper.matches.setup import MatchSetup, SetupSeat, SetupSide
from scorekeeper.matches.store import MATCH_EVENTS, add_match, setup_values
from tests.common import every_event

EVENT_KINDS: list[Event] = [
    *every_event.EVENT_KINDS,
    Renamed(names={"p1": "Ann", "s1": ""}),
    Renamed(title=""),
    RulesChanged(house={}),
]
NOW = datetime(2026, 11, 20, 21, 14, 3, 123456, tzinfo=UTC)


@pytest.mark.parametrize("event", EVENT_KINDS, ids=lambda data: data.kind)
def test_a_payload_has_every_field_of_an_event(event: Event) -> None:
    assert read_event(event.kind, encode_payload(event), events.EVENT_KINDS) == event


@pytest.mark.parametrize(
    ("kind", "payload", "why"),
    [
        ("hand", {"v": 2, "hand": {}}, "this program knows 1"),
        ("hand", {"hand": {}}, "this program knows 1"),
        ("hand", {"v": 1}, "cannot be read"),
        ("hand", {"v": 1, "hand": {}, "more": 1}, "cannot be read"),
        ("hand", {"v": 1, "hand": []}, "cannot be read"),
        ("dance", {"v": 1}, "cannot be read"),
    ],
)
def test_what_a_later_version_wrote_is_not_guessed_at(kind: str, payload: dict[str, Any], why: str) -> None:
    with pytest.raises(UnreadableEvent, match=why):
        read_event(kind, payload, events.EVENT_KINDS)


@pytest.mark.every_database
def test_events_come_back_as_they_went(app: Flask) -> None:
    events = tuple(
        StoredEvent(seq, f"key-{seq}", NOW, "Bea’s phone", event) for seq, event in enumerate(EVENT_KINDS, 1)
    )
    setup = MatchSetup(
        id=0,
        created_at=NOW,
        uid="u",
        variant="x",
        house={"b": 1, "a": None},
        digest="0" * 64,
        seats=(SetupSeat("p1", "Ann ♠"), SetupSeat("p2", "Seat 2", True)),
        sides=(SetupSide("p1", None, ("p1",)), SetupSide("p2", None, ("p2",))),
        start={"scores": {"p1": 3}},
        first_dealer=None,
        title="",
        played_on=None,
        place=None,
        note=None,
        zone="Europe/Berlin",
    )
    with app.app_context():
        match_id = add_match(db.session, {**setup_values(setup), "ruleset": "{}"}, None)
        link = MATCH_LINKS.add(db.session, match_id, "code", "owner", NOW)
        MATCH_EVENTS.add(db.session, match_id, reversed(events))
        db.session.commit()

        assert MATCH_EVENTS.load(db.session, match_id) == events
        assert MATCH_EVENTS.load_all(db.session, [match_id]) == {match_id: events}
        found = matches.setup_by_id(db.session, match_id)
        assert replace(found, id=0) == setup
        assert list(found.house) == ["b", "a"]
        head = MATCH_LINKS.head(db.session.connection(), "code")
        assert head == Head(link, len(EVENT_KINDS), f"key-{len(EVENT_KINDS)}")
        kept = MATCH_EVENTS.load(db.session, match_id)[0].data
        assert isinstance(kept, HandAdded)
        assert list(kept.hand.taken or {}) == ["jack", "high"]


@given(st.datetimes(), st.integers(-14, 14))
def test_every_moment_is_one_in_utc(moment: datetime, hours: int) -> None:
    zone = timezone(timedelta(hours=hours))

    assert utc(moment) == moment.replace(tzinfo=UTC)
    assert utc(datetime(2026, 11, 20, 12, tzinfo=zone)) == datetime(2026, 11, 20, 12, tzinfo=zone)
    assert utc(datetime(2026, 11, 20, 12, tzinfo=zone)).tzinfo is UTC
