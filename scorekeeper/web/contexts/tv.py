"""The match on a big screen: to be read from across the room, and never touched."""

from dataclasses import dataclass

from markupsafe import Markup

from scorekeeper.web.contexts.drawing import RaceView
from scorekeeper.web.contexts.match import HistoryView, ScoreView, TurnView, VerdictView


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinView:
    """How somebody in the room follows on a phone."""

    says: str
    """"Follow on your phone"."""
    pin: str
    """The letters to type."""
    typed_at: str
    """Where they are typed: "192.168.1.20:8000/join"."""
    qr: Markup
    """An inline SVG in black on white, without style attributes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TvPage:
    """Template match/tv.html. Blocks: head, board, told."""

    title: str
    rules: str
    """"Partnership Pitch, to 21"."""
    match_url: str
    board_url: str
    """The watched block, with the version that it shows."""
    scores: tuple[ScoreView, ...]
    history: HistoryView
    """The last hands, as many as there is room for."""
    last: str = ""
    """Who has the bid of a hand that is being played: "Dan has it for 3 ♠"."""
    race: RaceView | None = None
    turn: TurnView | None = None
    verdict: VerdictView | None = None
    join: JoinView | None = None
    told: str = ""

    @property
    def is_rows(self) -> bool:
        """Say whether so many stand on the screen that their cards take two rows."""
        return len(self.scores) > ONE_ROW

    @property
    def layout(self) -> str:
        """Name the class that lays out the cards: one row, or two."""
        number = len(self.scores)
        columns = number if number <= ONE_ROW else -(-number // 2)
        return f"t{columns}" + (" two-rows" if self.is_rows else "")


ONE_ROW = 3
"""More cards than these stand in two rows."""
