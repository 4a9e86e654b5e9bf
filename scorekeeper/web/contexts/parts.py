"""The pieces that pages share: sides, actions, notices, faults, fields and questions."""

from dataclasses import dataclass

Hidden = tuple[tuple[str, str], ...]
"""Names and values carried along in a form: sequence number, client key, whatever the entry holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideView:
    """Whoever shares a score, told apart by shape, letter, pattern and colour."""

    side_id: str
    name: str
    mark: int
    """1 to 6: circle, square, triangle, cross, hexagon, shield."""
    letter: str
    """The first letter of the name, or the first that differs from another side's, or a number."""
    people: str = ""
    """"Ann & Cal"; empty where the name says it all."""
    is_outlined: bool = False
    """From the seventh side on the shapes begin again, outlined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Something to tap: a link, or a small form of one button when `is_post` is true."""

    label: str
    url: str
    icon: str = ""
    """Name of a symbol in templates/_sprite.html, without its `i-`."""
    is_post: bool = False
    fields: Hidden = ()
    is_icon_only: bool = False
    """The label is then read aloud and not shown."""
    note: str = ""
    """A second, smaller line."""
    new_tab: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BarView:
    """The felt bar at the head of every page but home."""

    title: str
    sub: str = ""
    back_url: str = ""
    back_label: str = "Home"
    tools: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A sentence that the page has to say, with what can be done about it."""

    lead: str
    """Said in bold: "Hand 6 is in."."""
    text: str = ""
    kind: str = "quiet"
    """quiet, made (a tick is drawn), or bad (red frame)."""
    icon: str = ""
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultView:
    """One thing to put right, and where."""

    text: str
    target: str = ""
    """The id of the element to lead to: `row-high`, `q-bid`, `trump`, `name-2`; empty when there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultsView:
    """Why nothing was saved yet."""

    heading: str
    """"Not saved yet: two things to put right"."""
    items: tuple[FaultView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One answer of a question."""

    value: str
    label: str
    is_chosen: bool = False
    is_book: bool = False
    """The book's own answer: it wears the green ribbon."""
    side: SideView | None = None
    """Whose marker and wash the answer wears."""
    icon: str = ""
    spoken: str = ""
    """What is read aloud where the label is a sign."""
    is_quiet: bool = False
    """Not to be chosen just now; it can be tapped, and the foot then says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
    """A sentence with a strip of answers, radios underneath."""

    field: str
    question: str
    choices: tuple[Choice, ...]
    note: str = ""
    fault: str = ""

    @property
    def columns(self) -> str:
        """Name the strip's width class by how many answers it has and how long they are."""
        widest = max((len(choice.label) for choice in self.choices), default=0)
        count = len(self.choices)
        if widest > 22 and count > 1:
            return "c1"
        if count <= 3:
            return f"c{count}"
        return "c4" if widest > 5 or count == 4 else "c5" if count == 5 else "c8"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckView:
    """A box to tick."""

    field: str
    label: str
    is_checked: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextField:
    """A line to type in."""

    field: str
    label: str
    value: str = ""
    placeholder: str = ""
    side: SideView | None = None
    max_length: int = 40
    is_number: bool = False
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThemeSwitch:
    """Light, dark, or as the phone has it: posts `theme` and `next` and comes back."""

    url: str
    next_url: str
    chosen: str
    """light, dark or system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineView:
    """One line of a hand: who, for what, how much."""

    side: SideView | None
    text: str
    """"High, Low, Jack", "Game, 44 to 36"."""
    points: str
    """"Us +3"; empty for a remark."""
    was: str = ""
    """What stood here before a correction, struck."""
    is_bad: bool = False
