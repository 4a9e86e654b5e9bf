"""The rules of a table, to read and to print."""

from dataclasses import dataclass

from scorekeeper.rules.sheet import RuleSheet
from scorekeeper.web.contexts.parts import Action, BarView, Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPage:
    """Template rules/show.html."""

    title: str
    bar: BarView
    sheet: RuleSheet
    papers: tuple[Action, ...] = ()
    """The printed sheet, one for each size of paper; empty where nothing can be printed here."""
    ways: tuple[Action, ...] = ()
    """What can be done with rules that came from elsewhere: play by them, keep them."""
    notices: tuple[Notice, ...] = ()
