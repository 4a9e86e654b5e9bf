"""The count for Game: a sum for each pile, typed or tapped card by card."""

from collections.abc import Mapping

from scorekeeper.engine.taken import CARD_POINTS_IN_PACK
from scorekeeper.rules.words import CARD_POINTS, RANKS
from scorekeeper.web.contexts.parts import SideView
from scorekeeper.web.contexts.piles import CardCount, CardPointField, CardPointsView
from scorekeeper.web.forms.piles import MOST_OF_A_RANK, PILE_FIELD, SUM_FIELD, card_field
from scorekeeper.web.present.entry import Entry


def card_points_view(entry: Entry, faults: Mapping[str, str]) -> CardPointsView | None:
    """Ask for the card points of each pile, where Game goes by them."""
    if "game" not in entry.ruleset.in_play or entry.ruleset.how_won("game") != "card_points":
        return None
    fault = next((text for field, text in faults.items() if field.startswith("card_points")), "")
    return CardPointsView(
        label="Count for Game",
        fields=tuple(_pile(entry, value, view) for value, view in entry.columns),
        of=f"of {CARD_POINTS_IN_PACK}",
        most=MOST_OF_A_RANK,
        is_open=bool(entry.draft.piles),
        fault=fault,
    )


def _pile(entry: Entry, value: str, view: SideView) -> CardPointField:
    cards = entry.draft.cards
    ranks = sorted(CARD_POINTS, key=list(RANKS).index)
    return CardPointField(
        field=f"{PILE_FIELD}{value}",
        sum_field=f"{SUM_FIELD}{value}",
        spoken=f"Card points of {view.name}",
        value=entry.draft.piles.get(value, ""),
        side=view,
        label=f"{view.name}: tap the cards",
        cards=tuple(
            CardCount(
                field=card_field(value, rank),
                rank=rank,
                worth=CARD_POINTS[rank],
                spoken=f"{view.name}: {RANKS[rank]}s",
                value=str(cards.get(f"{value}-{rank}", "")),
            )
            for rank in ranks
        ),
        is_open=any(key.rpartition("-")[0] == value for key in cards),
    )
