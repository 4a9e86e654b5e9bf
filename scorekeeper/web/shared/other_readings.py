"""What other tables would make of a hand, on the page of a ruling and under the verdict of a match."""

from collections.abc import Mapping
from dataclasses import dataclass

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.readings import OtherReading, Ruling
from scorekeeper.graphics.markers import SideView
from scorekeeper.narration.phrases import Names
from scorekeeper.narration.readings import (
    agreement_sentence,
    came_out_words,
    condition_words,
    same_in_all_sentence,
    winner_words,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingRow:
    """Another reading, and what comes of the hand by it."""

    condition: str
    came_out: str
    who: str
    side: SideView | None
    """Who wins, where that is one side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingsView:
    """The other readings of a hand, those that change the winner first."""

    rows: tuple[ReadingRow, ...]
    same_in_all: str
    """That nothing changes in any of them; empty where something does."""
    agreement: str
    """Whether the table had agreed."""


def readings_view(ruling: Ruling, names: Names, sides: Mapping[SideId, SideView]) -> ReadingsView:
    """Return the other readings of a hand, with sides as the page names and marks them."""
    return ReadingsView(
        rows=tuple(_row(ruling, it, names, sides) for it in ruling.others),
        same_in_all=same_in_all_sentence(ruling) if ruling.is_same_in_all else "",
        agreement=agreement_sentence(ruling),
    )


def _row(ruling: Ruling, reading: OtherReading, names: Names, sides: Mapping[SideId, SideView]) -> ReadingRow:
    winners = reading.winners or ()
    return ReadingRow(
        condition=condition_words(reading),
        came_out=came_out_words(ruling, reading, names).removesuffix("."),
        who=winner_words(ruling, reading, names),
        side=sides[winners[0]] if len(winners) == 1 else None,
    )
