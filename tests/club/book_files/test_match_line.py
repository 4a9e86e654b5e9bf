"""Write how a match began as a line of a book's file, and parse it: no field is left out."""

import json
from dataclasses import fields
from datetime import UTC, datetime

from scorekeeper.club.book_files.file import setup_line
from scorekeeper.club.book_files.lines import read_match_setup
from scorekeeper.matches.setup import MatchSetup, SetupSeat, SetupSide

SETUP = MatchSetup(
    id=0,
    uid="u" * 22,
    created_at=datetime(2026, 11, 20, 21, 14, 3, 123456, tzinfo=UTC),
    variant="partnership-pitch",
    house={"low": "held", "max_bid": None},
    digest="0" * 64,
    seats=(SetupSeat("p1", "Ann ♠"), SetupSeat("p2", "Bea"), SetupSeat("p3", "Cal"), SetupSeat("p4", "Seat 4", True)),
    sides=(SetupSide("s1", "Winners", ("p1", "p3"), 3), SetupSide("s2", None, ("p2", "p4"), evening="e" * 22)),
    start={"scores": {"s1": -3, "s2": 11}, "hands": 4, "sets": {"s1": 1}},
    first_dealer="p2",
    title="Sunday",
    played_on="2026-11-20",
    place="Grandma’s",
    note="é\n2",
    zone="America/Los_Angeles",
)


def test_a_match_line_says_all_about_how_a_match_began() -> None:
    silent = [field.name for field in fields(MatchSetup) if not getattr(SETUP, field.name)]

    assert silent == ["id"]
    assert read_match_setup(json.loads(setup_line(SETUP, 7, "one"))) == (SETUP, "one", 7, [])
