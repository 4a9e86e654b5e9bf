"""The count for Game, as the hand entry shows it."""

from dataclasses import dataclass

from scorekeeper.web.contexts.parts import SideView


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCount:
    """How many cards of one rank lie in a pile; a tap on the rank adds one."""

    field: str
    rank: str
    """"10", "A"."""
    worth: int
    spoken: str
    """"Us: tens"."""
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPointField:
    """One pile counted for Game."""

    field: str
    spoken: str
    value: str = ""
    side: SideView | None = None
    sum_field: str = ""
    """Posts the sum that the page showed, so that one that was typed is told from it."""
    label: str = ""
    """"Us: tap the cards"."""
    cards: tuple[CardCount, ...] = ()
    is_open: bool = False
    """Whether cards were tapped in this pile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPointsView:
    """The count for Game, which may be left open."""

    label: str
    """"Count for Game"."""
    fields: tuple[CardPointField, ...]
    of: str = ""
    """"of 80"."""
    most: int = 4
    """Cards of a rank in the pack."""
    is_open: bool = False
    fault: str = ""
