"""A new match: which rules, then who sits where and what the table agrees."""

from dataclasses import dataclass

from scorekeeper.web.contexts.parts import (
    Action,
    BarView,
    Choice,
    FaultsView,
    Hidden,
    Notice,
    QuestionView,
    SideView,
    TextField,
    strip_columns,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesLine:
    """One ruleset to choose."""

    url: str
    name: str
    small: str
    """"partners, 4 points a hand, to 21"."""
    is_chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesGroup:
    """Rulesets that belong together: partners, each alone…"""

    heading: str
    lines: tuple[RulesLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FindView:
    """Finding a game by the name that a family knows, by how many play, by the points in a hand."""

    url: str
    name: str = ""
    players: tuple[Choice, ...] = ()
    points: tuple[Choice, ...] = ()
    carried: Hidden = ()
    is_open: bool = False
    """Whether something was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseRulesPage:
    """Template match/choose.html: the first step."""

    title: str
    bar: BarView
    groups: tuple[RulesGroup, ...]
    find: FindView | None = None
    nothing: str = ""
    """Said where no game fits."""
    ours: Action | None = None
    """To the house's own rules."""
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One chair: a name to type and a D to tap. Its input's id is the field's name."""

    field: str
    value: str
    label: str
    """"Name, seat 1"."""
    dealer_value: str
    """What `dealer_field` posts when this seat deals first."""
    dealer_spoken: str
    """"Cal deals first"."""
    placeholder: str = ""
    side: SideView | None = None
    place: str = ""
    """n, e, s or w round a table of four; empty in a list."""
    is_dealer: bool = False
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMatchPage:
    """Template match/new.html: the second step. Blocks: faults, table."""

    title: str
    bar: BarView
    action: str
    hidden: Hidden
    rules_name: str
    rules_small: str
    change: Action
    seats: tuple[SeatView, ...]
    start_label: str
    """"Start: Ann deals", or "Start" as long as nobody deals."""
    is_table: bool = False
    """Four seats drawn round a table; otherwise a list in playing order."""
    dealer_field: str = "dealer"
    start_pattern: str = "Start: {} deals"
    """How the start button reads once a name is typed or a D is tapped."""
    seat_counts: tuple[Choice, ...] = ()
    """Buttons that post `seats` and come back with so many chairs, what is typed kept."""
    seating: str = ""
    """"Partners sit opposite: Ann & Cal, Bea & Dan."."""
    side_names: tuple[TextField, ...] = ()
    questions: tuple[QuestionView, ...] = ()
    """The disputed rules that apply, each with its ribboned answer; the target among them."""
    known_names: tuple[str, ...] = ()
    """Whom this phone's matches know, offered where a name is typed."""
    match_title: TextField | None = None
    sheet: Action | None = None
    """The rule sheet, to read before the start."""
    faults: FaultsView | None = None
    notices: tuple[Notice, ...] = ()

    @property
    def seat_columns(self) -> str:
        """Name the classes that lay out the strip of how many play."""
        return strip_columns(self.seat_counts)
