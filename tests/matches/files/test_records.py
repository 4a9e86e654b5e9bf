"""Matches out as records, and in again."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, event, given, settings
from sqlalchemy.orm import Session

from scorekeeper.eventlog.stream import Refused
from scorekeeper.matches.events import DealerMoved, Event, HandAdded, PlayerSubstituted, RulesChanged, Stopped
from scorekeeper.matches.files.import_export import (
    COMMAND_LIMITS,
    ImportLimits,
    RecordsRefused,
    export_all_matches,
    export_match,
    import_file,
    read_records,
)
from scorekeeper.matches.fold import Match
from scorekeeper.pitch.records.result import score_record
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.library import Library
from tests.common.hands import HAND, SET, THEIRS
from tests.common.importing import import_records
from tests.common.large_rules import RULES, TARGET
from tests.common.library import LIBRARY, RULEBOOK
from tests.common.match_actions import (
    change_rules,
    correct_hand,
    delete,
    move_dealer,
    record_hand,
    record_hands,
    remove_hand,
    rename,
    sit_in,
    start_match,
    stop,
    write_event,
)
from tests.common.pace import counted_calls
from tests.fuzz.costly import record as by_points
from tests.matches.conftest import Begin
from tests.pitch.scoring.strategies import records
from tests.scenarios.scene import told_record

RECORD = told_record(
    "partnership-pitch",
    ["Us bid 3 | Us high jack game | Them low"],
    start={"Us": 18, "Them": 24},
    played_on="1987-12-24",
) | {"place": "the cabin", "note": "snow"}


def everything(session: Session) -> list[int]:
    return [
        session.execute(sa.text(f'SELECT count(*) FROM "{table}"')).scalar_one() for table in ("match", "link", "event")
    ]


def result(record: object) -> dict[str, Any]:
    return score_record(json.loads(json.dumps(record)), RULEBOOK)


@pytest.mark.every_database
def test_an_export_is_the_match_in_present_names(begin: Begin, session: Session) -> None:
    match = begin(first_dealer="Ann", title="Friday")
    record_hands(session, match.code, HAND, THEIRS, THEIRS)
    correct_hand(session, match.code, 1, SET)
    remove_hand(session, match.code, 2)
    rename(session, match.code, {"p1": "Anna"})
    move_dealer(session, match.code, "p3")
    stop(session, match.code)

    record = export_match(session, LIBRARY, match.code)

    assert record == {
        "format": "pitch-record/1",
        "variant": "partnership-pitch",
        "house": {"target": 300},
        "players": ["Anna", "Bo", "Cal", "Di"],
        "hands": [
            {
                "dealer": "Anna",
                "bidder": "Anna",
                "bid": 3,
                "trump": "hearts",
                "taken": {"high": "Anna & Cal", "low": "Bo & Di", "jack": "Bo & Di", "game": "Bo & Di"},
            },
            {
                "bidder": "Bo",
                "bid": 2,
                "taken": {"high": "Bo & Di", "low": "Bo & Di", "jack": None, "game": "Anna & Cal"},
            },
            {"dealer": "Cal"},
        ],
        "stopped": True,
        "title": "Friday",
        "played_on": match.setup.played_on,
    }
    assert result(record)["scores"] == {"Anna & Cal": -2, "Bo & Di": 5}


@pytest.mark.every_database
def test_an_import_scores_as_its_record_does_and_gives_it_back(session: Session) -> None:
    (match,) = import_records(session, LIBRARY, [RECORD])

    assert match.state.scores == {"s1": 21, "s2": 25}
    assert match.status == "over"
    assert export_match(session, LIBRARY, match.code) == RECORD


@pytest.mark.every_database
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(record=records())
def test_an_import_scores_the_same_as_its_export(session: Session, record: dict[str, Any]) -> None:
    (match,) = import_records(session, LIBRARY, [record])

    exported = export_match(session, LIBRARY, match.code)

    event(f"{len(record['hands'])} hands")
    assert result(exported) == result(record)
    (again,) = import_records(session, LIBRARY, [json.loads(json.dumps(exported))])
    assert again.state == match.state
    assert export_match(session, LIBRARY, again.code) == exported


DAY = "2026-11-20"
EVA = PlayerSubstituted(names={"p3": "Eva"})


@pytest.mark.parametrize(
    ("events", "settings"),
    [
        ([RulesChanged(house={"jack": 2}, on=DAY), HandAdded(hand=HAND)], {"house": {"jack": 2}, "house_on": DAY}),
        (
            [
                HandAdded(hand=replace(HAND, taken=None)),
                DealerMoved(who="p3"),
                RulesChanged(house={"target": 11}, on=DAY),
            ],
            {"dealer": "Cal", "house": {"target": 11}, "house_on": DAY},
        ),
        ([EVA], {"sits_in": {"Cal": "Eva"}}),
        (
            [EVA, DealerMoved(who="p3"), RulesChanged(house={"target": 11}, on=DAY), Stopped()],
            {"dealer": "Eva", "house": {"target": 11}, "house_on": DAY, "sits_in": {"Cal": "Eva"}},
        ),
    ],
    ids=["rules that changed", "what waits after an unfinished hand", "who sits in", "what waits when it stops"],
)
def test_what_was_said_after_a_hand_comes_back(
    session: Session, match: Match, events: list[Event], settings: dict[str, Any]
) -> None:
    for change in [HandAdded(hand=HAND), *events]:
        played = write_event(session, match.code, change)

    written = export_match(session, LIBRARY, match.code)
    (here,) = import_records(session, LIBRARY, [written])

    assert written["hands"][-1].items() >= settings.items()
    assert (here.state, here.names) == (played.state, played.names)
    assert export_match(session, LIBRARY, here.code) == written


def test_whoever_came_and_left_before_a_hand_is_in_no_record(session: Session, match: Match) -> None:
    sit_in(session, match.code, "p3", "Eva")
    sit_in(session, match.code, "p3", "Cal")
    record_hand(session, match.code, HAND)

    written = export_match(session, LIBRARY, match.code)

    assert written["format"] == "pitch-record/1"
    assert "sits_in" not in written["hands"][0]


@pytest.mark.parametrize("newcomer", ["x" * 25, " Eva", "Ann & Cal"])
def test_a_newcomer_whom_no_match_can_have_is_refused(session: Session, newcomer: str) -> None:
    record = {"format": "pitch-record/2", "variant": "partnership-pitch", "players": ["Ann", "Bo", "Cal", "Di"]}

    with pytest.raises(RecordsRefused) as refused:
        import_records(session, LIBRARY, [{**record, "hands": [{"sits_in": {"Cal": newcomer}}]}])

    assert [item.fault.field for _, item in refused.value.faults] == ["sits_in.Cal"]


def test_a_download_of_two_with_one_name_is_not_imported_and_says_which(begin: Begin, session: Session) -> None:
    written = export_match(session, LIBRARY, begin().code)

    with pytest.raises(RecordsRefused, match=r"^record 1, players\.3: Cal and cal are the same name\. Give each"):
        import_records(session, LIBRARY, [{**written, "players": ["Ann", "Bo", "Cal", "cal"]}])


def test_no_rule_is_played_for_money_while_somebody_waits_to_sit_in(session: Session, match: Match) -> None:
    sit_in(session, match.code, "p3", "Eva")

    with pytest.raises(Refused, match="played for money"):
        change_rules(session, match.code, {"set_stake_cents": 10})


def test_a_match_under_last_years_rules_is_exported_with_them(session: Session) -> None:
    dearer, _ = with_house(LIBRARY["partnership-pitch"], {"high": 5, "target": 50})
    match = start_match(session, Library({dearer.id: dearer}), variant=dearer.id, players=["A", "B", "C", "D"])
    played = record_hand(session, match.code, HAND)

    record = export_match(session, LIBRARY, match.code)

    assert record["house"] == {"high": 5, "target": 50}
    assert list(result(record)["scores"].values()) == list(played.state.scores.values())


def test_an_export_of_all_leaves_out_what_was_thrown_away(begin: Begin, session: Session) -> None:
    matches = [begin(title=f"number {number}") for number in range(3)]
    delete(session, matches[1].code)

    assert [record["title"] for record in export_all_matches(session, LIBRARY, [])] == ["number 0", "number 2"]


@pytest.mark.every_database
@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ("a word", ""),
        ({}, "format"),
        ({**RECORD, "sides": [{"name": "Us"}, {"name": "x" * 25}], "start": {}, "hands": []}, "sides.1.name"),
        ({**RECORD, "note": "x" * 501}, "note"),
        ({**RECORD, "place": "x" * 61}, "place"),
        ({**RECORD, "title": "x" * 61}, "title"),
        ({**RECORD, "hands": [{**RECORD["hands"][0], "note": "x" * 501}]}, "note"),
    ],
)
def test_a_bad_record_is_refused_with_all_of_its_file_and_changes_nothing(
    session: Session, bad: Any, field: str
) -> None:
    with pytest.raises(RecordsRefused) as refused:
        import_records(session, LIBRARY, [RECORD, bad])

    assert (2, field) in [(number, item.fault.field) for number, item in refused.value.faults]
    assert everything(session) == [0, 0, 0]


def test_every_fault_of_every_record_is_told(session: Session) -> None:
    unfinished = {**RECORD, "start": {}, "hands": [{"bidder": "Us", "bid": 9}, {"bidder": "Us", "bid": "a lot"}]}

    with pytest.raises(RecordsRefused) as refused:
        import_records(session, LIBRARY, [{**RECORD, "start": {}, "hands": [{"bidder": "Us", "bid": 9}]}, unfinished])

    assert [(number, item.hand) for number, item in refused.value.faults] == [(1, 1), (2, 2)]
    assert "record 1, hand 1, bid: " in str(refused.value)


@pytest.mark.every_database
def test_an_upload_that_comes_twice_is_taken_in_once(session: Session) -> None:
    first, again = (import_records(session, LIBRARY, [RECORD, RECORD], idempotency_key="upload") for _ in range(2))

    assert [match.code for match in again] == [match.code for match in first]
    assert everything(session) == [2, 2, 2]


HAND_OF_RECORD = RECORD["hands"][0]


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([], "There is no match in this file."),
        ([RECORD] * 3, "This file has 3 matches; 2 fit. Split it into smaller files, with one match on each line."),
        ([{**RECORD, "hands": [HAND_OF_RECORD] * 4}, RECORD], "This file has 5 hands; 4 fit. Split it"),
    ],
)
def test_a_file_has_so_many_matches_and_hands(session: Session, records: list[Any], message: str) -> None:
    with pytest.raises(RecordsRefused, match=f"^{re.escape(message)}"):
        import_records(session, LIBRARY, records, limits=ImportLimits(max_matches=2, max_hands=4))

    assert everything(session) == [0, 0, 0]


def test_a_file_has_so_many_bytes(session: Session) -> None:
    limits = replace(COMMAND_LIMITS, max_bytes=1024**2)

    with pytest.raises(RecordsRefused, match=r"^This file is larger than 1 MB\. Split it"):
        import_file(session, LIBRARY, json.dumps([RECORD] * 10_000).encode(), limits=limits)


ONE = json.dumps(RECORD)


@pytest.mark.parametrize(
    ("text", "number"),
    [(ONE, 1), (json.dumps(RECORD, indent=2), 1), (f"[{ONE},{ONE}]", 2), (f"{ONE}\n\n{ONE}\r\n", 2), ("[]", 0)],
)
def test_a_file_is_a_record_a_list_of_them_or_one_a_line(text: str, number: int) -> None:
    assert list(read_records(text.encode())) == [RECORD] * number


NO_JSON = {
    "empty": (b"", 1),
    "a picture": (b"\x89PNG\r\n\x1a\n", 1),
    "words": (b"Ann 21\nBea 18\n", 1),
    "more behind it": (ONE.encode() + b"}", 1),
    "broken": (b"{", 1),
    "broken line": (ONE.encode() + b"\n{\n", 2),
    "no text": (b"\xff\xfe\x00", 1),
    "no number": (b'{"a": NaN}', 1),
    "too deep": (b"[" * 100_000, 1),
    "too many digits": (b"1" * 5000, 1),
    "broken item": (b"[{}, {]", 2),
    "no end": (b"[{} ", 2),
    "more after it": (b"[{}] {}", 2),
}


@pytest.mark.parametrize(("text", "number"), NO_JSON.values(), ids=NO_JSON)
def test_a_file_that_is_no_json_says_where(text: bytes, number: int) -> None:
    with pytest.raises(RecordsRefused) as refused:
        list(read_records(text))

    assert [(where, item.fault.code) for where, item in refused.value.faults] == [(number, "not_json")]
    assert not re.search(r"codec|0x|Expecting|Extra data|char \d|sys", str(refused.value))


def test_a_file_of_matches_that_take_long_to_settle_costs_no_more_than_a_few_of_them(session: Session) -> None:
    costly = by_points(RULES[2], 1, TARGET - 2)
    with counted_calls() as one:
        import_records(session, LIBRARY, [costly])
    before = everything(session)

    with counted_calls() as many, pytest.raises(RecordsRefused, match="by points alone to check"):
        import_records(session, LIBRARY, [costly] * 12)

    assert many.calls < 4 * one.calls
    assert everything(session) == before
