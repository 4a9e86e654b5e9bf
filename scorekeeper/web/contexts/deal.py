"""Somebody else deals: each with what that changes."""

from dataclasses import dataclass

from scorekeeper.web.contexts.parts import Action, BarView, SideView


@dataclass(frozen=True, slots=True, kw_only=True)
class DealChoice:
    """One person who might deal."""

    action: Action
    """The button, with what follows as its note: "Dan speaks first"."""
    side: SideView
    is_dealer: bool = False
    """Whether it is that person's deal as it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealPage:
    """Template match/deal.html."""

    title: str
    bar: BarView
    heading: str
    """"Who deals hand 9?"."""
    choices: tuple[DealChoice, ...]
