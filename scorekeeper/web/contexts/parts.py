"""The pieces that pages share: sides, actions, notices, faults, fields and questions."""

from collections.abc import Sequence
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
    word: str = ""
    """What came of it, after the text, as the pencil marks it: made or set."""
    rest: str = ""
    """What follows the word."""
    kind: str = "quiet"
    """quiet, made (a tick is drawn), set (a ring is drawn round the word), or bad (red frame)."""
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


def strip_columns(choices: Sequence[Choice]) -> str:
    """Name the classes that lay out a strip of answers: as many to a row as fit on a phone, in even rows."""
    if not choices:
        return "c1"
    shown = [choice for choice in choices if not choice.icon]
    widest = max((_width(choice) for choice in shown), default=44.0)
    to_a_row = min(max(int(STRIP_WIDTH / widest), 1), 8)
    rows = -(-len(choices) // to_a_row)
    columns = -(-len(choices) // rows)
    is_short = all(len(choice.label) <= 2 for choice in shown)
    return f"c{columns} short" if is_short else f"c{columns}"


STRIP_WIDTH = 366.0
"""A strip on the narrowest of today's usual phones, in CSS pixels."""


def _width(choice: Choice) -> float:
    # A long answer may take two lines; a word is never broken.
    letters = max(len(choice.label) * 0.6, *(len(word) for word in choice.label.split())) if choice.label else 0
    if len(choice.label) <= 2:
        return 44.0 if choice.side is None else 58.0
    return letters * 8.2 + (44 if choice.side else 24)


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
        """Name the classes that lay out the strip."""
        return strip_columns(self.choices)


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
