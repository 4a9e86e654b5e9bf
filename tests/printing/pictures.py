"""Pictures of results: few sides and many, money, long names, and names that would like to be something else."""

from typing import Any

from scorekeeper.pitch.records.record import read_record
from scorekeeper.pitch.records.result import play_record
from scorekeeper.printing.result_picture import ResultPicture, result_picture
from tests.printing.matches import RULEBOOK, alone, partners, sheet_of

LONG = "Wilhelmina Featherstoneh"
TAKEN = {"high": "Us", "low": "Us", "jack": "Us", "game": "Them"}
HOSTILE = ("<script>alert(1)</script>", "سارة & يوسف", "ミラー家", "</table><b>Bob")


def picture_of(record: dict[str, Any]) -> ResultPicture:
    """Return the picture of a record."""
    state = play_record(read_record(record), RULEBOOK)
    return result_picture(sheet_of(record), state)


def won(hands: int = 9, **more: Any) -> dict[str, Any]:
    """Return the record of a match that a side won by its last bid."""
    record = partners(hands, house={"target": 21}, start={"scores": {"Us": 18, "Them": 20}}, **more)
    record["hands"] = [
        {
            "bidder": "Ann",
            "bid": 3,
            "trump": "hearts",
            "taken": TAKEN,
        }
    ]
    return record


def named(players: int, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the record of a match of people with such names."""
    return {**alone(players, 12, names), "stopped": True, "played_on": "2026-11-20", "title": names[0]}


MONEY = {**alone(4, 12), "variant": "money-pitch", "house": {}, "stopped": True, "place": "At the cabin"}
PICTURES = {
    "won": picture_of(won()),
    "money": picture_of(MONEY),
    "many-hands": picture_of({**partners(24), "stopped": True}),
    "long": picture_of(named(4, tuple(f"{LONG[:-1]}{n}" for n in range(4)))),
    "hostile": picture_of(named(4, HOSTILE)),
    **{f"sides-{n}": picture_of({**alone(n, 10), "stopped": True}) for n in (3, 5, 8)},
}
