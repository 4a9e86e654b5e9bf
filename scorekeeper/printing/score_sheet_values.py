"""What a result sheet holds, ready to be read."""

from dataclasses import dataclass

from scorekeeper.graphics.chart import ChartView
from scorekeeper.graphics.markers import SideMark

MOST_CARDS = 4
MOST_WIDE = 3
"""Sides, where the lines of a hand still stand beside its bid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalScore:
    """Where a side stands at the end of the sheet."""

    side: SideMark
    score: str
    is_winner: bool = False
    money: str = ""
    """"gets 35 cents"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultCell:
    """What one side scored in a hand, over its running total."""

    points: str
    total: str
    is_set: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultLine:
    """Points with their reason: "High, Jack", "Us +2"."""

    text: str
    points: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultHand:
    """One hand; without a number, one that was taken out."""

    number: str
    bid: str
    suit: str = ""
    outcome: str = ""
    dealer: str = ""
    lines: tuple[ResultLine, ...] = ()
    remarks: tuple[str, ...] = ()
    """What was put right, in words."""
    note: str = ""
    changes: tuple[str, ...] = ()
    """Rules that hold from this hand on."""
    changes_on: str = ""
    """The date of that change."""
    cells: tuple[ResultCell, ...] = ()

    @property
    def is_struck(self) -> bool:
        """Whether it was taken out."""
        return not self.number


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultSheet:
    """A match on paper."""

    title: str
    played: str
    """When and where."""
    rules: str
    """"Partnership Pitch, to 21"."""
    fingerprint: str
    house: tuple[str, ...]
    """What the table agreed beside the book."""
    scores: tuple[FinalScore, ...]
    crown: str
    """"Us win", "Stopped"."""
    why: str
    rule: str
    chart: ChartView | None
    target: str
    """Empty where no score ends the match."""
    hands: tuple[ResultHand, ...]
    note: str

    @property
    def is_wide(self) -> bool:
        """Whether there is room for what a hand scored beside its bid."""
        return len(self.scores) <= MOST_WIDE

    @property
    def cards(self) -> int:
        """How many sides stand beside each other at the head."""
        return min(len(self.scores), 3 if len(self.scores) in (5, 6) else MOST_CARDS)

    @property
    def columns(self) -> int:
        """How many columns follow the number of a hand."""
        return len(self.scores) + (2 if self.is_wide else 1)
