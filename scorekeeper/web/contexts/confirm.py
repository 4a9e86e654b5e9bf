"""What changes if you do this: said before it is done."""

from dataclasses import dataclass

from scorekeeper.web.contexts.parts import Action, BarView, Notice, SideView


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeView:
    """One thing that changes: the old struck, the new beside it."""

    label: str
    old: str = ""
    new: str = ""
    side: SideView | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmPage:
    """Template match/confirm.html, for taking out, deleting, stopping and correcting."""

    title: str
    bar: BarView
    heading: str
    sentences: tuple[str, ...]
    go: Action
    back: Action
    changes: tuple[ChangeView, ...] = ()
    changes_heading: str = "What changes"
    is_grave: bool = False
    """Somebody else wins, or something goes: the heading wears the red frame."""
    notices: tuple[Notice, ...] = ()
