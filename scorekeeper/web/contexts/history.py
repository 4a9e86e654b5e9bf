"""Every hand of a match, each with its lines and what can be done to it."""

from dataclasses import dataclass

from scorekeeper.web.contexts.match import HistoryView
from scorekeeper.web.contexts.parts import Action, BarView, Notice


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPage:
    """Template match/history.html. Blocks: notices, hands."""

    title: str
    bar: BarView
    history: HistoryView
    main: Action
    """"Back to the score"."""
    notices: tuple[Notice, ...] = ()
