"""What goes into a row comes out of it again; on both databases."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.extensions import db
from scorekeeper.store import queries
from scorekeeper.store.codec import utc
from scorekeeper.store.facts import (
    AgreementSet,
    DealerMoved,
    Deleted,
    Event,
    Fact,
    HandAccepted,
    HandAdded,
    HandCorrected,
    HandRemoved,
    HandReturned,
    Marked,
    Redone,
    Renamed,
    Resumed,
    RulesChanged,
    Stopped,
    Undeleted,
    Undone,
    UnreadableEvent,
    read_fact,
    write_payload,
)
from scorekeeper.store.inserts import add_events, add_link, add_match
from scorekeeper.store.matches import Head
from scorekeeper.store.names import UnknownWho, field_with, hand_with

HAND: dict[str, Any] = {
    "partner": None,
    "taken": {"jack": None, "high": "s1"},
    "auction": [["p1", 3], ["p2", "pass"]],
    "note": "é ♠ 👩‍🌾\n2",
}
FACTS: list[Fact] = [
    HandAdded(hand=HAND),
    HandAdded(hand=HAND, before=1),
    HandCorrected(uid=1, hand=HAND),
    HandRemoved(uid=1),
    HandReturned(uid=1),
    HandAdded(hand=HAND, by="p1"),
    HandAccepted(uid=1, version=2, by="s2"),
    AgreementSet(on=False),
    Stopped(),
    Resumed(),
    Renamed(names={"p1": "Ann", "s1": ""}),
    Renamed(title=""),
    Marked(marks={"s1": 2, "s2": 1}),
    Deleted(),
    Undeleted(),
    RulesChanged(house={"low": "held", "max_bid": None}, on="2026-11-20"),
    RulesChanged(house={}),
    DealerMoved(who="p1"),
    Undone(target=1),
    Redone(target=2),
]
NOW = datetime(2026, 11, 20, 21, 14, 3, 123456, tzinfo=UTC)


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.kind)
def test_a_payload_says_all_about_a_fact(fact: Fact) -> None:
    assert read_fact(fact.kind, write_payload(fact)) == fact


def test_nothing_in_a_hand_is_left_out() -> None:
    assert write_payload(HandAdded(hand=HAND)) == {"v": 1, "hand": HAND}


@pytest.mark.parametrize("payload", [{"v": 2, "hand": {}}, {"hand": {}}])
def test_a_payload_of_a_later_version_is_not_guessed_at(payload: dict[str, Any]) -> None:
    with pytest.raises(UnreadableEvent, match="this program knows 1"):
        read_fact("hand", payload)


@pytest.mark.parametrize("payload", [{"v": 1}, {"v": 1, "hand": {}, "more": 1}, {"v": 1, "hand": []}])
def test_a_payload_of_another_shape_is_not_read(payload: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        read_fact("hand", payload)


@pytest.mark.every_database
def test_events_come_back_as_they_went(app: Flask) -> None:
    events = tuple(Event(seq, f"key-{seq}", NOW, "Bea’s phone", fact) for seq, fact in enumerate(FACTS, 1))
    match = {
        "created_at": NOW,
        "client_key": None,
        "variant": "x",
        "house": {"b": 1, "a": None},
        "ruleset": "{}",
        "digest": "0" * 64,
        "seats": [{"id": "p1", "name": "Ann ♠"}],
        "sides": [{"id": "p1", "name": None, "seats": ["p1"]}],
        "start": {"scores": {"p1": 3}},
        "first_dealer": None,
        "title": "",
        "played_on": None,
        "place": None,
        "note": None,
    }
    with app.app_context():
        match_id = add_match(db.session, match)
        add_link(db.session, match_id, "code", "owner", NOW)
        add_events(db.session, match_id, reversed(events))
        db.session.commit()

        assert queries.events_of(db.session, match_id) == events
        assert queries.events_of_all(db.session, [match_id]) == {match_id: events}
        found = queries.match_by_code(db.session, "code")
        assert found is not None
        assert (found[0].created_at, list(found[0].house), found[0].start) == (NOW, ["b", "a"], {"scores": {"p1": 3}})
        head = queries.head_of(db.session, "code")
        assert head == Head(found[1], len(FACTS), f"key-{len(FACTS)}", is_ended=False)
        kept = queries.events_of(db.session, match_id)[0].fact
        assert isinstance(kept, HandAdded)
        assert list(kept.hand) == list(HAND)


@pytest.mark.every_database
def test_the_selects_do_not_write(app: Flask) -> None:
    with app.app_context():
        queries.every_match(db.session)
        queries.matches_of_device(db.session, "x", 10)
        queries.code_by_client_key(db.session, "x")

        assert queries.heads_of(db.session, []) == {}
        assert db.session.execute(sa.text("SELECT count(*) FROM link")).scalar_one() == 0


@given(st.datetimes(), st.integers(-14, 14))
def test_every_moment_is_one_in_utc(moment: datetime, hours: int) -> None:
    there = timezone(timedelta(hours=hours))

    assert utc(moment) == moment.replace(tzinfo=UTC)
    assert utc(datetime(2026, 11, 20, 12, tzinfo=there)) == datetime(2026, 11, 20, 12, tzinfo=there)
    assert utc(datetime(2026, 11, 20, 12, tzinfo=there)).tzinfo is UTC


NAMES = {"p1": "Ann", "p2": "Bo", "s1": "Us", "s2": "Them"}


def test_everybody_in_a_hand_is_translated_and_nothing_else() -> None:
    hand = {
        "dealer": "p1",
        "auction": [["p1", 3], ["p2", "pass"]],
        "bidder": "p2",
        "called": "p1",
        "partner": None,
        "taken": {"high": "s1", "low": "bidders", "jack": None},
        "points": {"s1": 3, "defenders": 1},
        "card_points": {"p1": 40},
        "note": "p1",
    }

    assert hand_with(hand, NAMES) == {
        "dealer": "Ann",
        "auction": [["Ann", 3], ["Bo", "pass"]],
        "bidder": "Bo",
        "called": "p1",
        "partner": None,
        "taken": {"high": "Us", "low": "bidders", "jack": None},
        "points": {"Us": 3, "defenders": 1},
        "card_points": {"Ann": 40},
        "note": "p1",
    }


@pytest.mark.parametrize(
    ("hand", "field"),
    [
        ({"dealer": "p9"}, "dealer"),
        ({"partner": "Ann"}, "partner"),
        ({"taken": {"high": "Us"}}, "taken.high"),
        ({"points": {"s9": 1}}, "points.s9"),
        ({"auction": [["p1", 2], ["p9", 3]]}, "auction.1.0"),
    ],
)
def test_a_stranger_is_found_where_they_are_named(hand: dict[str, Any], field: str) -> None:
    with pytest.raises(UnknownWho) as unknown:
        hand_with(hand, NAMES)

    assert unknown.value.field == field


@pytest.mark.parametrize("hand", [{"taken": 3}, {"auction": "p1"}, {"auction": [3, [], [None]]}, {"points": []}])
def test_what_is_no_hand_is_left_to_others(hand: dict[str, Any]) -> None:
    assert hand_with(hand, NAMES) == hand


def test_paths_of_faults_are_translated() -> None:
    ids = {name: who for who, name in NAMES.items()}

    assert [field_with(field, ids) for field in ("card_points.Us", "points.A.B", "taken.high", "bid", "")] == [
        "card_points.s1",
        "points.A.B",
        "taken.high",
        "bid",
        "",
    ]


def test_names_that_look_like_ids_are_no_trouble() -> None:
    swapped = {"p1": "p2", "p2": "p1"}

    assert hand_with({"bidder": "p1", "points": {"p1": 1, "p2": 2}}, swapped) == {
        "bidder": "p2",
        "points": {"p2": 1, "p1": 2},
    }
