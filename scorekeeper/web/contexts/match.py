"""The match page: who stands where, whose deal it is, what happened, and how it ended."""

from dataclasses import dataclass

from scorekeeper.printing.chart import ChartView
from scorekeeper.web.contexts.drawing import RaceView
from scorekeeper.web.contexts.parts import Action, BarView, LineView, Notice, SideView


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreView:
    """A side's card on the felt."""

    side: SideView
    score: str
    line: str
    """"needs", "did not bid", "in the hole"; what follows in bold is `strong`."""
    strong: str = ""
    is_negative: bool = False
    is_winner: bool = False
    waiting: str = ""
    """"19 if accepted": where it would stand with the hands that wait for another side."""
    is_dealer: bool = False
    """Rows show the dealer's disc in the second line; cards leave it to the turn below."""

    @property
    def width(self) -> str:
        """Name the class that makes room for long numbers."""
        return "n4" if len(self.score) > 3 else "n3" if len(self.score) > 2 else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnView:
    """Who deals, who speaks first, and whether anyone can go out."""

    deals: str
    """"Ann deals hand 9."."""
    speaks: str = ""
    out: str = ""
    move_url: str = ""
    """Where somebody else is said to deal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCell:
    """What one side scored in one hand, over its running total."""

    points: str
    total: str = ""
    old_total: str = ""
    """The total before a correction, struck beside the new one."""
    is_set: bool = False
    is_negative: bool = False
    """The running total is below zero."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRow:
    """One hand in the list, and, on the history page, what it opens to."""

    hand_id: str
    """The end of the element's id: the row is `hand-<hand_id>`."""
    number: str
    """Empty for a hand that was taken out."""
    url: str = ""
    bid: str = ""
    """"Dan 2", "Ann smudge", "Cleo 7 with Ann", "Thrown in"."""
    suit: str = ""
    """spades, hearts, diamonds, clubs or nothing."""
    outcome: str = ""
    """The word: made, set, or what else the table says."""
    outcome_kind: str = ""
    """made, set, or empty."""
    cells: tuple[HandCell, ...] = ()
    """One for each column of a table layout."""
    marks: tuple[SideView, ...] = ()
    """List layout: who played the bid."""
    small: str = ""
    """List layout: "the others +2 each"; table layout: a remark under the bid."""
    waits: str = ""
    """"waits for Them": why it does not count yet."""
    end: str = ""
    """List layout: "+8 each"."""
    is_end_set: bool = False
    lines: tuple[LineView, ...] = ()
    remarks: tuple[str, ...] = ()
    """Who and when: "Bea put this right, 21:14"."""
    actions: tuple[Action, ...] = ()
    is_open: bool = False
    is_struck: bool = False
    is_new: bool = False
    """Written since the page was last looked at: its marks are drawn before one's eyes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryView:
    """The hands, the latest first: a table up to three sides, a list beyond."""

    sides: tuple[SideView, ...]
    rows: tuple[HandRow, ...]
    is_table: bool = True
    more: Action | None = None
    """"all twelve", where the page shows only the latest."""
    empty: str = "No hand yet."

    @property
    def columns(self) -> str:
        """Name the class that lays out the columns."""
        return f"k{len(self.sides)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictView:
    """How the match ended, or who leads where it was stopped."""

    crown: str
    """"Us win", "Stopped"."""
    eyebrow: str
    """"21 to 25, and this is why"."""
    why: str
    rule: str = ""
    rule_link: Action | None = None
    hand_heading: str = ""
    """"Hand 12"; its lines follow."""
    hand_bid: str = ""
    """"Cal 3 ♥ made"."""
    lines: tuple[LineView, ...] = ()
    actions: tuple[Action, ...] = ()
    """Score sheet, other rules…"""
    is_won: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPage:
    """Template match/show.html. Blocks: board, told, turn, history, chart, foot."""

    title: str
    bar: BarView
    board_url: str
    """The watched block, with the version it shows: `/matches/<code>/board?v=9`."""
    scores: tuple[ScoreView, ...]
    history: HistoryView
    main: Action | None
    """The one button at the bottom edge: Record hand, Play again, Go on; none on a phone that looks on."""
    looks_on: str = ""
    """What stands in its place there."""
    is_rows: bool = False
    """Four or more alone lie as rows instead of cards."""
    race: RaceView | None = None
    turn: TurnView | None = None
    chart: ChartView | None = None
    """From the second hand on."""
    chart_note: str = ""
    """Why the chart ends before the last hand."""
    verdict: VerdictView | None = None
    undo: Action | None = None
    redo: Action | None = None
    """As long as there is something that an undo took back last."""
    notices: tuple[Notice, ...] = ()
    told: str = ""
    """The last change in a sentence, heard once when it comes."""
    is_news: bool = False
    """Whether this phone has just written it, and hears it as the page opens."""
    menu: tuple[Action, ...] = ()
    """Links below the hands: rule sheet, score sheet, menu."""
