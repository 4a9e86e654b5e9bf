"""The hands of a match in rows, for the match page, the TV and the history."""

from collections.abc import Mapping
from dataclasses import dataclass

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.match import HandResult
from scorekeeper.engine.score_history import sides_set
from scorekeeper.graphics.markers import SideView
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.log import LoggedHand
from scorekeeper.narration.hands import bid_words, changes_in_short, hand_lines, outcome_word, paper_words
from scorekeeper.narration.phrases import score_text, signed
from scorekeeper.narration.waiting import uncounted_words
from scorekeeper.rules.awards import AwardId
from scorekeeper.web.shared.side_views import side_views, side_views_in
from scorekeeper.web.shared.widgets import LineView

MOST_COLUMNS = 3
"""More sides than these have no columns in a table: their hands are a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCell:
    """What one side scored in one hand, over its running total."""

    points: str
    total: str
    old_total: str
    """The total before the last change, struck beside the new one."""
    is_set: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRow:
    """One hand."""

    uid: int
    number: int
    bid: str
    """"Dan 2", "Ann smudge", "Cleo 7 with Ann", "Misdeal"."""
    suit: str
    """spades, hearts, diamonds, clubs or nothing."""
    outcome: str
    """"made", "set", "after the end", "not finished" or nothing."""
    waits: str
    """"waits for Them": why it does not count yet."""
    cells: tuple[HandCell, ...]
    """One for each column of a table."""
    bidders: tuple[SideView, ...]
    """The sides that played the bid, for a list."""
    others: str
    """"the others +2 each", for a list."""
    end: str
    """"+8 each", for a list."""
    is_new: bool = False
    """Whether it was written since the page was last seen: its marks are then drawn before the reader's eyes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRow:
    """What a match brought from paper, under its first hand."""

    hands: str
    """"3 hands"; empty where nobody said how many."""
    totals: tuple[str, ...]
    """One for each column of a table."""
    sentence: str
    """"From paper after 3 hands: Us 10, Them 7", for a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsView:
    """Hands, the latest first: a table up to three sides, a list beyond."""

    sides: tuple[SideView, ...]
    rows: tuple[HandRow, ...]
    paper: PaperRow | None
    """Where all hands are there."""

    @property
    def is_table(self) -> bool:
        """Whether every side has a column."""
        return len(self.sides) <= MOST_COLUMNS


def latest_hands(match: Match, at_most: int, since: int | None) -> HandsView:
    """Return the last hands; what was written after the version `since` is new."""
    seen = match.version if since is None else since
    rows = tuple(
        hand_row(match, result, logged, is_new=max(logged.uid, *(it.stamp.seq for it in logged.corrections), 0) > seen)
        for result, logged in zip(match.state.results[-at_most:], match.log.hands[-at_most:], strict=True)
    )
    paper = paper_row(match) if len(match.log.hands) <= at_most else None
    return HandsView(sides=tuple(side_views(match).values()), rows=rows[::-1], paper=paper)


def paper_row(match: Match) -> PaperRow | None:
    """Return what a match brought from paper; `None` where that was nothing."""
    begun = match.begun
    if begun is None:
        return None
    return PaperRow(
        hands=f"{begun.scored} hand{'' if begun.scored == 1 else 's'}" if begun.scored else "",
        totals=tuple(score_text(score) for score in begun.scores.values()),
        sentence=f"{paper_words(begun.scores, begun.scored, match.names_at(0))}.",
    )


def hand_row(
    match: Match,
    result: HandResult,
    logged: LoggedHand,
    *,
    earlier: Mapping[SideId, int] | None = None,
    is_new: bool = False,
) -> HandRow:
    """Return a hand's row; `earlier` are the totals after it before the last change."""
    sides, names = side_views_in(match, result.place), match.names_of(logged)
    is_table = len(sides) <= MOST_COLUMNS
    end, others = ("", "") if is_table else changes_in_short(result, names)
    bidders = result.hand_sides.bidders if result.hand_sides else ()
    return HandRow(
        uid=logged.uid,
        number=result.number,
        bid=bid_words(result, names),
        suit=result.hand.trump or "",
        outcome=outcome_word(result),
        waits=uncounted_words(match, result.place),
        cells=_cells(match, result, earlier or result.scores) if is_table else (),
        bidders=() if is_table else tuple(sides[side] for side in bidders),
        others=others,
        end=end,
        is_new=is_new,
    )


def _cells(match: Match, result: HandResult, earlier: Mapping[SideId, int]) -> tuple[HandCell, ...]:
    was_set = sides_set(result)
    return tuple(
        HandCell(
            points=signed(result.deltas[side]) if result.changes_scores else "",
            total=score_text(total),
            old_total=score_text(earlier[side]) if earlier.get(side, total) != total else "",
            is_set=side in was_set,
        )
        for side, total in result.scores.items()
    )


def line_views(
    sides: Mapping[SideId, SideView], result: HandResult, was: Mapping[AwardId, str] | None = None
) -> tuple[LineView, ...]:
    """Return what a hand scored, line by line; `was` names who had an award before a correction."""
    was = was or {}
    return tuple(
        LineView(
            side=sides[line.sides[0]],
            text=line.text,
            points=f"{' & '.join(sides[side].name for side in line.sides)} {signed(line.points)}",
            was=was.get(line.award or "", ""),
            is_bad=line.is_set,
        )
        for line in hand_lines(result, was)
    )
