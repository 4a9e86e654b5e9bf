"""Two phones wrote the same hand: both are shown, and one is chosen."""

from dataclasses import dataclass

from scorekeeper.web.contexts.parts import Action, BarView, LineView


@dataclass(frozen=True, slots=True, kw_only=True)
class ClashHand:
    """One of the two."""

    heading: str
    """"Bea wrote", "This phone has"."""
    bid: str
    """"Dan 3 ♠ set"."""
    lines: tuple[LineView, ...]
    result: str
    """"Us 19 → 21, Them 17 → 14"."""
    action: Action
    """The button that makes this one count; it carries what was typed."""
    small: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClashPage:
    """Template match/clash.html, status 409."""

    title: str
    bar: BarView
    heading: str
    """"Bea wrote hand 7 first"."""
    text: str
    """"Both are below. Which one counts?"."""
    hands: tuple[ClashHand, ...]
    settles: str = ""
    """The mark of the entry that is chosen about: it waits on its phone until somebody has chosen."""
    kept_as: str = ""
    """What this phone's hand is called there."""
    ways: tuple[Action, ...] = ()
    """"Add mine as hand 8"."""
