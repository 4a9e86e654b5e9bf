"""Short ways to score a record in a test."""

from typing import Any

from scorekeeper.pitch.records.result import Rulebook, score_record
from tests.common.library import LIBRARY

RULEBOOK = Rulebook(LIBRARY)
US_AND_THEM = [{"name": "Us"}, {"name": "Them"}]


def scored(variant: str, *hands: dict[str, Any], **record: Any) -> dict[str, Any]:
    """Score a record; between Us and Them where it does not say who plays."""
    if not record.keys() & {"players", "sides"}:
        record["sides"] = US_AND_THEM
    players = record.get("players")
    if isinstance(players, str):
        record["players"] = list(players)
    return score_record({"format": "pitch-record/1", "variant": variant, "hands": list(hands), **record}, RULEBOOK)


def faults(variant: str, *hands: dict[str, Any], **record: Any) -> list[tuple[int | None, str, str]]:
    """Give hand, field and code of every fault."""
    result = scored(variant, *hands, **record)
    return [(fault["hand"], fault["field"], fault["code"]) for fault in result.get("faults", [])]


def four(high: str, low: str, jack: str | None, game: str | None) -> dict[str, str | None]:
    """Say who took the basic four."""
    return {"high": high, "low": low, "jack": jack, "game": game}
