"""The views and texts that pages share, such as faults, questions, lines of a hand, and QR codes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

import segno
from markupsafe import Markup

from scorekeeper.pitch.drawings.markers import SideView
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.phrases import count_words, digits
from scorekeeper.pitch.sheets.citations import CitedRules

Value = TypeVar("Value", bound=str)

HiddenFields = tuple[tuple[str, str], ...]
"""Names and values of hidden fields in a form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultView:
    """A fault in words, with the place to fix and the rules behind it."""

    text: str
    target: str = ""
    """The id of the element to fix: `row-high`, `q-bid`; empty without one."""
    where: str = ""
    """Where the fault is in a file: "hand 3, taken.low"."""
    cited: CitedRules = ()
    """The rules that refuse the input, if any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultsView:
    """Why nothing was saved: a heading and the faults."""

    heading: str
    """"Not saved yet: two things to fix"."""
    items: tuple[FaultView, ...]


def faults_view(
    lead: str, items: Iterable[tuple[str, str]], cited: Mapping[str, CitedRules] = MappingProxyType({})
) -> FaultsView | None:
    """Return the faults to show under a heading; `None` without any.

    `items` are sentences, each with the id of the element to fix. `lead` begins the heading, "Not saved yet"; `cited`
    has the rules behind a fault, by its sentence.
    """
    views = tuple(FaultView(text=text, target=target, cited=cited.get(text, ())) for text, target in items)
    return FaultsView(heading=f"{lead}: {number_with_noun(len(views), 'thing')} to fix", items=views) if views else None


def distinct_faults(faults: Iterable[Fault], target_of: Callable[[Fault], str]) -> Iterable[tuple[str, str]]:
    """Return each sentence of faults once, with the id of the element to fix, which `target_of` finds."""
    targets: dict[str, str] = {}
    for fault in faults:
        targets.setdefault(fault.message, target_of(fault))
    return targets.items()


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One of the answers to choose from."""

    value: str
    label: str
    """The text of the answer, or a symbol."""
    is_chosen: bool = False
    is_published: bool = False
    """Whether the published rules have this answer."""
    side: SideView | None = None
    """The side whose marker and color are shown; `None` for an answer that is not a side."""
    icon: str = ""
    """The name of the icon in place of the label; empty without one."""
    spoken: str = ""
    """The text to read aloud in place of the label; empty to read the label."""
    term: str = ""
    """The text for this answer in the summary above Start: "only a made bid wins"."""
    is_disallowed: bool = False
    """Whether this answer is not allowed now; a tap on it makes the save bar show why."""


STRIP_WIDTH_PX = 366.0
"""The width in CSS pixels of a strip of answers on a common phone; narrower phones get fewer columns."""
MAX_STRIP_COLUMNS = 8
MAX_SHORT_QUESTION_LENGTH = 19
"""The most characters of a question that fits on two lines beside its answers."""


def strip_columns(choices: Sequence[Choice], has_other: bool = False) -> str:
    """Return the CSS classes that lay out a strip of answers in even rows, as many to a row as fit on a phone.

    With `has_other`, the strip ends with a field to type another number.
    """
    # CSS cannot do this: a grid repeats columns of a given width, not of the widest answer's, and never divides eleven
    # answers into rows of six and five. So widths are estimated from the number of characters.
    labeled = [choice for choice in choices if not choice.icon]
    widest = max((_estimated_width(choice) for choice in labeled), default=44.0)
    max_columns = min(max(int(STRIP_WIDTH_PX / widest), 1), MAX_STRIP_COLUMNS)
    cell_count = len(choices) + has_other
    row_count = max(-(-cell_count // max_columns), 1)
    column_count = max(-(-cell_count // row_count), 1)
    is_short = bool(choices) and all(len(choice.label) <= 2 for choice in labeled)
    return f"c{column_count} short" if is_short else f"c{column_count}"


def compact_layout(question: "QuestionView") -> str:
    """Return the CSS class that saves lines for a question's answers; empty if none does."""
    count, columns = len(question.choices), strip_columns(question.choices)
    if count == 2 and len(question.question) <= MAX_SHORT_QUESTION_LENGTH:
        return "beside-it"
    if count > 2 and columns == "c2":
        return "in-threes"
    return "in-pairs" if count > 3 and columns == "c1" else ""


def _estimated_width(choice: Choice) -> float:
    """Return the estimated width in CSS pixels of an answer in a strip."""
    if len(choice.label) <= 2:
        return 58.0 if choice.side else 44.0
    # A long answer may take two lines; a word is never broken.
    width_in_letters = max(len(choice.label) * 0.6, *map(len, choice.label.split()))
    return width_in_letters * 8.2 + (44 if choice.side else 24)


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherNumber:
    """A field to type a number that is not among the choices."""

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
    """A remark beside the question; empty without one."""
    fault: str = ""
    moot_with: str = ""
    """The answer to the question “who may win” that makes this question moot; empty without one."""
    other: OtherNumber | None = None
    cited: CitedRules = ()
    """The rules that the question is about, if any."""

    @property
    def value(self) -> str:
        """The value of the chosen answer; empty without one."""
        return next((choice.value for choice in self.choices if choice.is_chosen), "")


def labeled_question(
    field: str,
    question: str,
    labels: Mapping[Value, str],
    chosen: object,
    *,
    note: str = "",
    fault: str = "",
    cited: CitedRules = (),
) -> QuestionView:
    """Return a question with a choice for each value, given the labels by value and the chosen value."""
    choices = tuple(Choice(value=value, label=label, is_chosen=value == chosen) for value, label in labels.items())
    return QuestionView(field=field, question=question, choices=choices, note=note, fault=fault, cited=cited)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineView:
    """One line in the account of a hand, such as a side's awards and points."""

    text: str
    """"High, Low, Jack", "Game, 44 to 36"."""
    side: SideView | None = None
    points: str = ""
    """"Us +3"; empty for a remark."""
    earlier_side: str = ""
    """The name of the side that had the award before a correction; empty without one."""
    is_set: bool = False
    cited: CitedRules = ()
    """The rules behind the line."""
    parts: tuple[tuple[str, CitedRules], ...] = ()
    """The texts of a line on several points, each with its rules; replaces `text` and `cited` unless empty."""


def number_with_noun(number: int, noun: str) -> str:
    """Return a number with its noun, given in the singular; a number up to six is a word.

    >>> [number_with_noun(number, "fault") for number in (1, 2, 13)]
    ['one fault', 'two faults', '13 faults']
    """
    return count_words(number, noun) if number <= 6 else digits(number, noun)


def qr_svg(url: str, title: str = "QR code", *, scale: int = 1, border: int = 3) -> Markup:
    """Return the QR code of a URL as an inline SVG.

    `title` is its accessible name. `scale` is the size of a module in user units, `border` the margin in modules.
    """
    # The lowest error correction keeps modules large; segno raises it as far as the size of the code allows.
    code = segno.make(url, error="l", micro=False, boost_error=True)
    return Markup(code.svg_inline(scale=scale, border=border, light="#fff", dark="#000", omitsize=True, title=title))
