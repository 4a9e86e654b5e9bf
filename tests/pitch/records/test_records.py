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
from tests.common.tables import table

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
        *(
            ({**row.get("with", {}), **dict.fromkeys(row.get("without", ()), ...)}, row["refused"])
            for row in table(__file__, "refused.toml")["record"]
        ),
        ({"hands": [{}] * 1001}, "- hands too_long"),
        ({"title": "x" * 201}, "- title too_long"),
        ({"players": ["\ud800"], "note": "A\x00nn"}, "- players.0 not_text, - note not_text"),
        ({"hands": [{"note": "half a \ud83d"}]}, "1 note not_text"),
        ({"hands": [{"auction": [["A", "pass"]] * 900}]}, "1 auction too_long"),
    ],
)
def test_what_does_not_belong_in_a_record_is_refused_at_its_place_with_all_the_rest(
    more: dict[str, Any], refused: str
) -> None:
    assert ", ".join(refusals(_record(**more))) == refused


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


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[" * 100_000, "it is nested too deeply"),
        ("1" * 5000, "a number in it is too long"),
        ("NaN", "NaN is no JSON"),
        (b"\x1f\x8b\x08", "it is not text"),
    ],
)
def test_what_is_no_json_says_why(text: str | bytes, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{why}$"):
        parse_json(text)


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
