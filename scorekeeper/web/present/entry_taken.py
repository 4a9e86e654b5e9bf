"""The main question of the hand entry: who took what, card by card or as counts only."""

from collections.abc import Mapping

from scorekeeper.rules.schema import Award
from scorekeeper.web.contexts.hand import (
    AwardRow,
    CardFace,
    CountsView,
    RestColumn,
    TickCell,
    TicksView,
)
from scorekeeper.web.contexts.parts import Choice, QuestionView
from scorekeeper.web.forms.hand import AWARD_FIELD, COUNT_FIELD, NOBODY
from scorekeeper.web.present.entry import Entry
from scorekeeper.web.present.entry_piles import card_points_view

MOST_COLUMNS = 3


def ticks_view(entry: Entry, faults: Mapping[str, str]) -> TicksView:
    """Ask who took what, card by card."""
    heads = tuple(RestColumn(value=value, label=view.name, side=view) for value, view in entry.columns)
    return TicksView(
        rows=tuple(_award_row(entry, award_id, award, faults) for award_id, award in entry.ruleset.in_play.items()),
        columns=(*heads, RestColumn(value=NOBODY, label="Nobody")),
        is_chips=len(entry.columns) > MOST_COLUMNS,
        card_points=card_points_view(entry, faults),
    )


def _award_row(entry: Entry, award_id: str, award: Award, faults: Mapping[str, str]) -> AwardRow:
    taker = entry.draft.took.get(award_id, "")
    cells = tuple(
        TickCell(value=value, spoken=view.name, side=view, word=view.name, is_chosen=taker == value)
        for value, view in entry.columns
    )
    nobody = TickCell(value=NOBODY, spoken="nobody", word="nobody", is_chosen=taker == NOBODY)
    worth = f"{award.points} points" if award.points > 1 else ""
    return AwardRow(
        award_id=award_id,
        field=f"{AWARD_FIELD}{award_id}",
        label=award.name,
        spoken=f"{award.name}, {worth or '1 point'}",
        cells=(*cells, nobody),
        note=worth,
        card=_face(award),
        fault=faults.get(f"taken.{award_id}", ""),
    )


def _face(award: Award) -> CardFace:
    match award.card:
        case "high joker" | "joker":
            return CardFace(icon="hij")
        case "low joker":
            return CardFace(icon="loj")
        case "spade":
            return CardFace(rank="A", suit="spades")
        case "count" | "trick":
            return CardFace(icon="cards")
        case card if card.startswith("off "):
            return CardFace(rank=card.removeprefix("off "), suit="off")
        case card:
            return CardFace(rank=card, suit="trump")


def counts_view(entry: Entry, faults: Mapping[str, str]) -> CountsView:
    """Ask only for how many points each took."""
    worth = entry.ruleset.on_offer
    fault = next((text for field, text in faults.items() if field.startswith("points")), "")
    columns = entry.columns
    if entry.ruleset.only_bidder_counts and entry.bidding_column:
        columns = (entry.bidding_column,)
    rows = tuple(
        QuestionView(
            field=f"{COUNT_FIELD}{value}",
            question=view.name,
            choices=tuple(
                Choice(value=str(n), label=str(n), is_chosen=entry.draft.counts.get(value) == str(n), side=None)
                for n in range(worth + 1)
            ),
            fault=fault if i == 0 else "",
        )
        for i, (value, view) in enumerate(columns)
    )
    return CountsView(heading="How many points did each take?", rows=rows, note=f"{worth} in a hand")
