"""The main question of a hand: who took what, award by award with the count for Game, or as points only."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from scorekeeper.graphics.markers import SideView
from scorekeeper.rules.awards import CARD_POINTS, CARD_POINTS_IN_DECK, RANK_NAMES, CardFace, Rank, face
from scorekeeper.sheets.citations import CitedRule
from scorekeeper.web.hand.entry import Entry
from scorekeeper.web.hand.form import AWARD_FIELD, CARD_FIELD, COUNT_FIELD, MOST_OF_A_RANK, PILE_FIELD
from scorekeeper.web.shared.widgets import QuestionView, labeled_question

MOST_COLUMNS = 3
"""Sides that fit beside an award; more are shown under it."""
FEW_ROWS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardRow:
    """One award, and who took it: a side, nobody, or empty as long as it is open."""

    award_id: str
    name: str
    points: int
    face: CardFace
    taker: str
    fault: str
    cited: tuple[CitedRule, ...]
    """The rule that says who scores it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PileView:
    """The card points of one pile, typed, or tapped card by card."""

    side: SideView
    total: str
    counts: Mapping[Rank, str]
    """How many cards of each rank were tapped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PilesView:
    """The count for Game, which may be left open."""

    cards: ClassVar = tuple((rank, RANK_NAMES[rank], points) for rank, points in CARD_POINTS.items())
    """What is counted: rank, its name, and card points."""
    in_deck: ClassVar[int] = CARD_POINTS_IN_DECK
    most_of_a_rank: ClassVar[int] = MOST_OF_A_RANK
    piles: tuple[PileView, ...]
    is_open: bool
    """Whether anything was counted, or is wrong."""
    fault: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardsView:
    """Who took which award."""

    rows: tuple[AwardRow, ...]
    sides: tuple[SideView, ...]
    piles: PilesView | None

    @property
    def layout(self) -> str:
        """The classes that lay out the grid: a column for each side, and one for nobody where they stand beside it."""
        if len(self.sides) > MOST_COLUMNS:
            return f"wide n{len(self.sides)}"
        return f"g{len(self.sides) + 1}{' few' if len(self.rows) <= FEW_ROWS else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsView:
    """How many points each side took."""

    in_hand: int
    rows: tuple[QuestionView, ...]
    rest_to: tuple[SideView, ...]
    """Who can be given the rest; empty where the points of one side alone are asked for."""


def awards_view(entry: Entry) -> AwardsView:
    """Return the question of who took what, award by award."""
    rows = tuple(
        AwardRow(
            award_id=award_id,
            name=award.name,
            points=award.points,
            face=face(entry.ruleset.kinds[award_id]),
            taker=entry.form[f"{AWARD_FIELD}{award_id}"],
            fault=entry.fault(f"taken.{award_id}"),
            cited=entry.cited_for(award_id),
        )
        for award_id, award in entry.ruleset.in_play.items()
    )
    return AwardsView(rows=rows, sides=entry.columns, piles=_piles_view(entry) if entry.ruleset.counted_award else None)


def _piles_view(entry: Entry) -> PilesView:
    form, fault = entry.form, entry.fault("card_points")
    piles = tuple(
        PileView(
            side=side,
            total=form[f"{PILE_FIELD}{side.side_id}"],
            counts=form.parts(f"{CARD_FIELD}{side.side_id}-"),
        )
        for side in entry.columns
    )
    return PilesView(piles=piles, is_open=bool(fault) or any(pile.total for pile in piles), fault=fault)


def points_view(entry: Entry) -> PointsView:
    """Return the question of how many points each side took."""
    in_hand, fault, rows = entry.ruleset.points_per_hand, entry.fault("points"), []
    answers = {str(n): str(n) for n in range(in_hand + 1)}
    for side in entry.counted_sides:
        field = f"{COUNT_FIELD}{side.side_id}"
        rows.append(labeled_question(field, side.name, answers, entry.form[field], fault=fault))
        fault = ""  # what is wrong with them all is said at the first
    return PointsView(in_hand=in_hand, rows=tuple(rows), rest_to=entry.counted_sides if len(rows) > 1 else ())


def asked_fields(entry: Entry) -> set[str]:
    """Return the fields of the form that this question has on the page."""
    if not entry.is_played:
        return set()
    if entry.form.by_counts:
        return {f"{COUNT_FIELD}{side.side_id}" for side in entry.counted_sides}
    asked = {f"{AWARD_FIELD}{award}" for award in entry.ruleset.in_play}
    if entry.ruleset.counted_award:
        for side in entry.columns:
            asked |= {f"{PILE_FIELD}{side.side_id}", *(f"{CARD_FIELD}{side.side_id}-{rank}" for rank in CARD_POINTS)}
    return asked
