"""The markers that the sides of a match may wear, as the menu offers them."""

from collections.abc import Mapping
from dataclasses import replace

from scorekeeper.services.load import LoadedMatch
from scorekeeper.web.contexts.parts import SideView
from scorekeeper.web.contexts.settings import MarkChoice, MarksView
from scorekeeper.web.present.sides import SHAPES, mark_word, side_views


def marks_view(match: LoadedMatch) -> tuple[MarksView, ...]:
    """Offer every side the six shapes; outlined ones as well where more than six play."""
    views = tuple(side_views(match).values())
    wearers = {_number(view): view for view in views}
    offered = range(1, (SHAPES if max(wearers) <= SHAPES else 2 * SHAPES) + 1)
    return tuple(
        MarksView(side=view, choices=tuple(_choice(view, mark, wearers) for mark in offered)) for view in views
    )


def _number(view: SideView) -> int:
    return view.mark + (SHAPES if view.is_outlined else 0)


def _choice(view: SideView, mark: int, wearers: Mapping[int, SideView]) -> MarkChoice:
    wearer = wearers.get(mark)
    look = wearer or replace(view, mark=(mark - 1) % SHAPES + 1, is_outlined=mark > SHAPES)
    spoken = mark_word(mark)
    if wearer and wearer is not view:
        spoken = f"{spoken}, in exchange with {wearer.name}"
    return MarkChoice(side=look, value=str(mark), spoken=spoken, is_worn=wearer is view)
