"""A hand as JSON."""

from typing import Any

import pytest

from scorekeeper.pitch.records.json_parser import hand_as_json, hand_faults, read_hand
from scorekeeper.pitch.scoring.hand import Hand

HAND: dict[str, Any] = {
    "bidder": "p1",
    "bid": 3,
    "trump": "hearts",
    "taken": {"high": "s1", "low": "s1", "jack": "s1", "game": "s2"},
}


def test_a_hand_does_not_change_with_what_the_caller_does_to_it_later() -> None:
    values = {**HAND, "taken": dict(HAND["taken"])}
    hand, _ = read_hand(values)

    values["taken"]["high"] = "s2"

    assert hand_as_json(hand) == HAND


@pytest.mark.parametrize("text", ["a\x7fb", "a\u202eb", "a\x00b", "a\ud800b", "a\x9fb"])
def test_no_hand_with_what_cannot_be_shown_is_stored(text: str) -> None:
    for hand in (Hand(note=text), Hand(taken={"high": text}), Hand(taken={text: "s1"}), Hand(bidder=text)):
        assert "unprintable" in {fault.code for fault in hand_faults(hand)}
    for shown in ("Ann’s “é”", "a\\b", 'a"b', "two\nlines"):
        assert not [*hand_faults(Hand(note=shown))]
