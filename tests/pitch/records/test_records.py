"""Reading records: their shape, and every fault with its path."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.pitch.records.json_parser import parse_items, parse_json
from scorekeeper.pitch.records.record import RefusedRecord, read_record, record_as_json
from scorekeeper.pitch.records.result import score_record
from tests.common.library import RULEBOOK

LADY = "5 captured Q: Black Lady"
TAKEN = {"high": "Us", "low": "Them", "jack": None, "game": None}
HAND = {"bidder": "Us", "bid": 2, "taken": TAKEN}
SIDES = [{"name": "Us"}, {"name": "Them"}]


def refusals(record: Any) -> list[str]:
    """Give "hand field code" of every fault of the shape."""
    with pytest.raises(RefusedRecord) as refused:
        read_record(record)
    return [f"{fault.hand or '-'} {fault.fault.field} {fault.fault.code}" for fault in refused.value.faults]


def _record(**more: Any) -> dict[str, Any]:
    record = {"format": "pitch-record/1", "variant": "fish-pitch", "hands": [], **more}
    return {key: value for key, value in record.items() if value is not ...}


@pytest.mark.parametrize("data", [None, [], "record", 3])
def test_a_record_is_an_object(data: Any) -> None:
    assert refusals(data) == ["-  not_object"]


@pytest.mark.parametrize(
    ("more", "refused"),
    [
        ({"format": ...}, "- format unknown_format"),
        ({"format": "pitch-record/2", "house_rules": {"name": "Ours"}}, "- house_rules needs_format_3"),
        (
            {"format": "pitch-record/3", "house_rules": {"notes": [1]}},
            "- house_rules.notes.0 not_text, - house_rules.name bad_name",
        ),
        ({"format": "pitch-record/3", "house_rules": {"name": "x" * 61}}, "- house_rules.name too_long"),
        (
            {"format": "pitch-record/3", "house_rules": {"name": "Ours", "options": {}}},
            "- house_rules.options unknown_key",
        ),
        ({"format": "pitch-record/3", "house_rules": ["Ours"]}, "- house_rules not_object"),
        ({"format": "pitch-record/6"}, "- format unknown_format"),
        ({"format": "pitch-record/3", "house": {"own_1": LADY}}, "- house.own_1 needs_format_4"),
        ({"unnamed": ["Seat 1"], "players": ["Seat 1", "Ann"]}, "- unnamed needs_format_5"),
        ({"format": "pitch-record/5", "players": ["Ann"], "unnamed": ["Bea"]}, "- unnamed.0 unknown_player"),
        ({"hands": [{}, {"penalties": {"Us": 2}}]}, "2 penalties needs_format_2"),
        ({"variant": ...}, "- variant missing"),
        ({"hands": ...}, "- hands missing"),
        ({"variant": 7}, "- variant not_text"),
        ({"hands": {}}, "- hands not_list"),
        ({"hands": [{}] * 1001}, "- hands too_long"),
        ({"colour": "red"}, "- colour unknown_key"),
        ({"players": "Ann"}, "- players not_list"),
        ({"players": ["Ann", 3]}, "- players.1 not_text"),
        ({"sides": ["Us"]}, "- sides.0 not_object"),
        ({"sides": [{}]}, "- sides.0.name missing"),
        ({"sides": [{"name": 3}]}, "- sides.0.name not_text"),
        ({"sides": [{"name": "Us", "colour": "red"}]}, "- sides.0.colour unknown_key"),
        ({"sides": [{"name": "Us", "players": [3]}]}, "- sides.0.players.0 not_text"),
        ({"start": []}, "- start not_object"),
        ({"start": {"score": {}}}, "- start.score unknown_key"),
        ({"start": {"scores": {"Us": 1.5}}}, "- start.scores.Us bad_value"),
        ({"start": {"scores": {"Us": 10**9}}}, "- start.scores.Us bad_value"),
        ({"start": {"hands": -1}}, "- start.hands bad_value"),
        ({"start": {"sets": {"Us": -1}}}, "- start.sets.Us bad_value"),
        ({"stopped": "yes"}, "- stopped bad_value"),
        ({"title": "x" * 201}, "- title too_long"),
        ({"played_on": "yesterday"}, "- played_on not_a_date"),
        ({"house": []}, "- house not_object"),
        ({"house": {"target": [21]}}, "- house.target bad_value"),
        ({"hands": ["hand"]}, "1  not_object"),
        ({"hands": [{}, {"bet": 3}]}, "2 bet unknown_key"),
        ({"players": ["\ud800"], "note": "A\x00nn"}, "- players.0 not_text, - note not_text"),
    ],
)
def test_what_does_not_belong_in_a_record_is_refused_at_its_place(more: dict[str, Any], refused: str) -> None:
    assert ", ".join(refusals(_record(**more))) == refused


@pytest.mark.parametrize(
    ("hand", "refused"),
    [
        ({"house": {"own_1": LADY}}, "house.own_1 needs_format_4"),
        ({"bid": True}, "bid no_such_bid"),
        ({"bid": "pass"}, "bid no_such_bid"),
        ({"bid": 2.0}, "bid no_such_bid"),
        ({"trump": "stars"}, "trump bad_value"),
        ({"thrown_in": "bored"}, "thrown_in bad_value"),
        ({"taken": {"high": 3}}, "taken.high bad_value"),
        ({"points": {"Us": "2"}}, "points.Us bad_value"),
        ({"points": {"Us": True}}, "points.Us bad_value"),
        ({"auction": [["A"]]}, "auction.0 not_a_call"),
        ({"auction": [["A", 2], ["B", "knock"]]}, "auction.1 no_such_call"),
        ({"auction": [["A", [2]]]}, "auction.0 no_such_call"),
        ({"house_on": "2026-11-20"}, "house_on no_change"),
        ({"house": {}, "house_on": "soon"}, "house_on not_a_date"),
    ],
)
def test_what_does_not_belong_in_a_hand_is_refused_at_its_place(hand: Any, refused: str) -> None:
    assert refusals(_record(hands=[hand])) == [f"1 {refused}"]


def test_every_fault_is_told_at_once() -> None:
    assert refusals({"colour": "red", "hands": [{"bid": []}]}) == [
        "- colour unknown_key",
        "- format unknown_format",
        "- variant missing",
        "1 bid no_such_bid",
    ]


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ('{"format": "x", "format": "pitch-record/1", "variant": "a", "hands": []}', "- format repeated_key"),
        ('{"format": "pitch-record/1", "variant": "a", "hands": [{"taken": {"low": null, "low": null}}]}',
         "1 taken.low repeated_key"),
        ('{"format": "pitch-record/1", "variant": "a", "hands": [], "house": {"low": 1, "low": 1}}',
         "- house.low repeated_key"),
    ],
)  # fmt: skip
def test_a_key_is_given_once(text: str, refused: str) -> None:
    assert refusals(parse_json(text)) == [refused]


def test_json_nested_without_end_is_no_json() -> None:
    with pytest.raises(ValueError, match="too deeply"):
        parse_json("[" * 100_000)


def test_every_field_of_a_record_is_written_again() -> None:
    record = _record(
        house={"target": 11},
        sides=[{"name": "Us", "players": ["A", "C"]}, {"name": "Them", "players": ["B", "D"]}],
        start={"scores": {"Us": 3}, "hands": 2, "sets": {"Them": 1}},
        hands=[
            {"dealer": "D", "auction": [["A", 2]], "note": "slow"},
            {"partner": None, "called": "the ace", "house": {"target": 15}, "house_on": "2026-11-20"},
            {**HAND, "card_points": {"Us": 1}, "all_tricks": False, "trump": "spades", "overtook_pitch": False},
            {"points": {"Us": 1}, "thrown_in": "misdeal"},
        ],
        stopped=True,
        title="Friday",
        played_on="2026-11-20",
        place="the cabin",
        note="rain",
    )

    assert record_as_json(read_record(record)) == record


def test_the_second_format_is_written_only_where_a_hand_needs_it() -> None:
    hands = [{"thrown_in": "misdeal"}, {"thrown_in": "misdeal", "penalties": {"Us": 2}}]

    second = record_as_json(read_record(_record(format="pitch-record/2", hands=hands)))
    first = record_as_json(read_record(_record(format="pitch-record/2", hands=hands[:1])))

    assert second == _record(format="pitch-record/2", hands=hands)
    assert first == _record(hands=hands[:1])


def test_a_point_of_ones_own_is_written_in_the_fourth_format_and_scores() -> None:
    taken = {**TAKEN, "own_1": "Them"}
    record = _record(
        format="pitch-record/4",
        house={"own_1": LADY},
        sides=SIDES,
        hands=[{**HAND, "taken": taken}, {**HAND, "taken": {**taken, "own_1": None}}],
    )

    assert record_as_json(read_record(record)) == record
    first, second = score_record(record, RULEBOOK)["hands"]
    assert {"side": "Them", "points": 5, "reason": "took", "award": "own_1"} in first["lines"]
    assert first["points"]["Them"] == second["points"]["Them"] + 5


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists), st.integers(0, 3))
def test_a_list_is_read_item_by_item_as_it_is_read_whole(data: Any, indent: int) -> None:
    text = json.dumps(data, indent=indent or None).encode()

    assert list(parse_items(text)) == (parse_json(text) if isinstance(data, list) else [data])


@given(st.text(st.sampled_from('[]{},: \n"1a'), max_size=12))
def test_item_by_item_refuses_what_the_whole_refuses(text: str) -> None:
    def is_json(parse: Callable[[bytes], Any]) -> bool:
        try:
            parse(text.encode())
        except ValueError:
            return False
        return True

    assert is_json(lambda content: list(parse_items(content))) == is_json(parse_json)


def test_money_is_absent_where_nobody_pays() -> None:
    result = score_record(_record(sides=SIDES, hands=[HAND]), RULEBOOK)

    assert "money" not in result
    assert "money" not in result["hands"][0]
