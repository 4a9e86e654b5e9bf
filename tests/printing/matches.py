"""Matches to print: of any length, at any table, with any text in them."""

import random
from dataclasses import replace
from typing import Any

from scorekeeper.pitch.records.record import read_record
from scorekeeper.pitch.records.result import Rulebook, play_record
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES
from scorekeeper.printing.score_sheet import ScoreSheet, details_of_record, score_sheet
from tests.common.library import LIBRARY

RULEBOOK = Rulebook(LIBRARY)
ALONE = ("Ann", "Bob", "Cleo", "Dad", "Ed", "Fay", "Gus", "Hal")
SUITS = ("spades", "hearts", "diamonds", "clubs")


def partners(hands: int, **more: Any) -> dict[str, Any]:
    """Return the record of a match of two sides, to a target that nobody reaches by default."""
    chance = random.Random(hands)
    names = ("Ann", "Bea", "Cal", "Dan")
    return {
        "format": "pitch-record/1",
        "variant": "partnership-pitch",
        "house": {"target": 500},
        "sides": [{"name": "Us", "players": ["Ann", "Cal"]}, {"name": "Them", "players": ["Bea", "Dan"]}],
        "title": "Thursday at Oma’s",
        "played_on": "2026-11-20",
        "hands": [
            {
                "bidder": chance.choice(names),
                "bid": chance.choice((2, 3, 4)),
                "trump": chance.choice(SUITS),
                "taken": {award: chance.choice(("Us", "Them")) for award in ("high", "low", "jack", "game")},
            }
            for _ in range(hands)
        ],
        **more,
    }


def ten_points(hands: int) -> dict[str, Any]:
    """Return the record of a match of two sides for ten points a hand, every one named."""
    chance = random.Random(hands)
    awards = LIBRARY["colorado-ten-point"].in_play
    played = [
        {
            "bidder": chance.choice(("Ann", "Bea", "Cal", "Dan")),
            "bid": chance.choice((5, 6, 7, 8)),
            "trump": chance.choice(SUITS),
            "taken": {award: chance.choice(("Us", "Them")) for award in awards},
        }
        for _ in range(hands)
    ]
    return partners(0, variant="colorado-ten-point") | {"hands": [{**played[0], "dealer": "Ann"}, *played[1:]]}


def alone(players: int, hands: int, names: tuple[str, ...] = ALONE) -> dict[str, Any]:
    """Return the record of a match in which everyone plays alone."""
    chance = random.Random(players * 100 + hands)
    table = names[:players]
    awards = LIBRARY["cutthroat-pitch"].in_play
    return {
        "format": "pitch-record/1",
        "variant": "cutthroat-pitch",
        "house": {"target": 500},
        "players": list(table),
        "hands": [
            {
                "bidder": table[n % players],
                "bid": chance.choice((2, 3)),
                "trump": chance.choice(SUITS),
                "taken": {award: chance.choice(table) for award in awards},
            }
            for n in range(hands)
        ],
    }


def sheet_of(record: dict[str, Any], **more: Any) -> ScoreSheet:
    """Return the score sheet of a record, with more details of the match."""
    read = read_record(record)
    state = play_record(read, RULEBOOK)
    return score_sheet(state, IDS_AS_NAMES, replace(details_of_record(read, state), **more), LIBRARY[read.variant])
