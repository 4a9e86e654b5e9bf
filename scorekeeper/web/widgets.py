"""The parts that pages share: sides, faults, questions, and the lines of a hand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

import segno
from markupsafe import Markup

from scorekeeper.pitch.drawings.markers import SideView
from scorekeeper.pitch.sheets.citations import Cited

Value = TypeVar("Value", bound=str)

HiddenFields = tuple[tuple[str, str], ...]
"""Names and values of hidden fields in a form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultView:
    """One thing to fix, and where."""

    text: str
    target: str = ""
    """The id of the element where it is fixed: `row-high`, `q-bid`; empty where there is none."""
    where: str = ""
    """The place of the fault in a file: "hand 3, taken.low"."""
    cited: Cited = ()
    """The rule by which it is refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultsView:
    """Why nothing was saved."""

    heading: str
    """"Not saved yet: two things to fix"."""
    items: tuple[FaultView, ...]


def faults_view(
    lead: str, items: Iterable[tuple[str, str]], cited: Mapping[str, Cited] = MappingProxyType({})
) -> FaultsView | None:
    """Return the faults to correct, each sentence with its target; `None` without any.

    `lead` is what was not done: "Not saved yet"; `cited` has the rules that refuse it, by sentence.
    """
    views = tuple(FaultView(text=text, target=target, cited=cited.get(text, ())) for text, target in items)
    return FaultsView(heading=f"{lead}: {counted(len(views), 'thing')} to fix", items=views) if views else None


def each_once(items: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """Return each sentence once, with its first target: one fault may be in two places."""
    first: dict[str, str] = {}
    for text, target in items:
        first.setdefault(text, target)
    return first.items()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One answer of a question."""

    value: str
    label: str
    is_chosen: bool = False
    is_published: bool = False
    """Whether it is the answer of the published rules."""
    side: SideView | None = None
    """The side whose marker and color the answer has."""
    icon: str = ""
    spoken: str = ""
    """The text that is read aloud where the label is a symbol."""
    term: str = ""
    """The text in the line above Start where it is chosen: "only a made bid wins"."""
    is_quiet: bool = False
    """Whether it cannot be chosen now; it can be tapped, and the save bar then shows why."""


STRIP_WIDTH = 366.0
"""The width of a strip on a common phone, in CSS pixels; on a narrower one the stylesheet takes fewer columns."""
MAX_COLUMNS = 8
SHORT_QUESTION = 20
"""Letters that fit on two lines beside the answers."""


def strip_columns(choices: Sequence[Choice], has_other: bool = False) -> str:
    """Return the CSS classes that lay out a strip of answers: as many to a row as fit on a phone, in even rows.

    Where it `has_other`, its last square is for typing another number.

    A stylesheet cannot decide this: a grid repeats columns only of a given width, not of the widest answer's, and never
    divides eleven answers into rows of six and five. So the width of an answer is estimated from its letters.
    """
    labeled = [choice for choice in choices if not choice.icon]
    widest = max((_width(choice) for choice in labeled), default=44.0)
    to_a_row = min(max(int(STRIP_WIDTH / widest), 1), MAX_COLUMNS)
    squares = len(choices) + has_other
    rows = max(-(-squares // to_a_row), 1)
    columns = max(-(-squares // rows), 1)
    is_short = bool(choices) and all(len(choice.label) <= 2 for choice in labeled)
    return f"c{columns} short" if is_short else f"c{columns}"


def few_lines(question: "QuestionView") -> str:
    """Return the CSS class that sets a question in fewer lines: beside its answers, or with answers of two lines."""
    count, columns = len(question.choices), strip_columns(question.choices)
    if count == 2 and len(question.question) < SHORT_QUESTION:
        return "beside-it"
    if count > 2 and columns == "c2":
        return "in-threes"
    return "in-pairs" if count > 3 and columns == "c1" else ""


def _width(choice: Choice) -> float:
    if len(choice.label) <= 2:
        return 58.0 if choice.side else 44.0
    # A long answer may take two lines; a word is never broken.
    letters = max(len(choice.label) * 0.6, *map(len, choice.label.split()))
    return letters * 8.2 + (44 if choice.side else 24)


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherNumber:
    """A field for a number that is not among the answers to choose from."""

    field: str
    label: str
    """"Another number, 1 to 999"."""
    value: str
    max_length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
    """A question with a strip of answers to choose from."""

    field: str
    question: str
    choices: tuple[Choice, ...]
    note: str = ""
    fault: str = ""
    moot_with: str = ""
    """The answer to another question that leaves nothing to answer here; the stylesheet then hides this one."""
    other: OtherNumber | None = None
    cited: Cited = ()
    """The rule that the question rests on."""


def labeled_question(
    field: str,
    question: str,
    labels: Mapping[Value, str],
    chosen: object,
    *,
    note: str = "",
    fault: str = "",
    cited: Cited = (),
) -> QuestionView:
    """Return a question whose answers are their values with labels."""
    choices = tuple(Choice(value=value, label=label, is_chosen=value == chosen) for value, label in labels.items())
    return QuestionView(field=field, question=question, choices=choices, note=note, fault=fault, cited=cited)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineView:
    """One line of a hand: the side, the awards and the points."""

    text: str
    """"High, Low, Jack", "Game, 44 to 36"."""
    side: SideView | None = None
    points: str = ""
    """"Us +3"; empty for a remark."""
    was: str = ""
    """The side that had this before a correction."""
    is_bad: bool = False
    cited: Cited = ()
    """The rules that it rests on."""
    parts: tuple[tuple[str, Cited], ...] = ()
    """Each point of the text with the rule that it leads to, in place of those that it rests on."""


_SMALL = ("no", "one", "two", "three", "four", "five", "six")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, small numbers in words.

    >>> [counted(number, "fault") for number in (1, 2, 13)]
    ['one fault', 'two faults', '13 faults']
    """
    word = _SMALL[number] if number < len(_SMALL) else str(number)
    return f"{word} {noun}{'' if number == 1 else 's'}"


def qr_svg(url: str, title: str | None = None, *, scale: int = 1, border: int = 3) -> Markup:
    """Return the QR code of an address as an inline SVG; `title` names it where no text beside it does.

    `scale` is the side of a square in the drawing's own units, `border` its margin in squares.
    """
    # The lowest correction keeps the squares of a long address large; it is raised as far as that costs nothing.
    code = segno.make(url, error="l", micro=False, boost_error=True)
    return Markup(code.svg_inline(scale=scale, border=border, light="#fff", dark="#000", omitsize=True, title=title))
