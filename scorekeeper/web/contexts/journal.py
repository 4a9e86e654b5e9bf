"""Everything that was written in a match: who, what, when, before and after."""

from dataclasses import dataclass

from scorekeeper.web.contexts.parts import Action, BarView


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalLine:
    """One thing that was written."""

    line_id: str
    """The end of the element's id: the line is `change-<line_id>`."""
    who: str
    """"Bea", "This phone"."""
    what: str
    """"put hand 4 right"."""
    when: str
    details: tuple[str, ...] = ()
    """"bid 3 → 4", "Us 20 → 19"."""
    is_struck: bool = False
    """It was taken back."""
    action: Action | None = None
    """The way to have it so after all, where that is no longer one redo away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalPage:
    """Template match/journal.html."""

    title: str
    bar: BarView
    lines: tuple[JournalLine, ...]
    """The latest first."""
    main: Action
    older: Action | None = None
