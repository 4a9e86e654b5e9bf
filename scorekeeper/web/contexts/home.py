"""The home page: this device's matches, and what else is in the drawer."""

from dataclasses import dataclass

from scorekeeper.web.contexts.parts import Action, Notice, SideView, ThemeSwitch


@dataclass(frozen=True, slots=True, kw_only=True)
class CardScore:
    """One side's score on the card of the match at hand."""

    side: SideView
    score: str
    is_negative: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchCard:
    """The match this phone had open last, while it is still being played."""

    url: str
    title: str
    where: str
    """"hand 9"."""
    scores: tuple[CardScore, ...]
    go_on: str = "Back to the table"


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeLine:
    """One line of a list: another match, people to play with again, something in the drawer."""

    url: str
    label: str
    small: str = ""
    end: str = ""
    sign: str = ""
    """A number in a little card: how many play."""
    icon: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HomePage:
    """Template home/index.html. Blocks: matches."""

    title: str
    new_url: str
    join: Action
    """To a match on another phone, by its PIN."""
    drawer: tuple[HomeLine, ...]
    current: MatchCard | None = None
    again: tuple[HomeLine, ...] = ()
    others: tuple[HomeLine, ...] = ()
    """Matches still being played, and those that are over."""
    lost: str = ""
    """How to find a match that this phone no longer lists."""
    theme: ThemeSwitch | None = None
    notices: tuple[Notice, ...] = ()
