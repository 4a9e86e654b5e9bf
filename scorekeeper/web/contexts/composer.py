"""House rules as they are being made: what differs from the book, and every question that can be answered otherwise."""

from dataclasses import dataclass

from scorekeeper.web.contexts.parts import Action, BarView, FaultsView, Hidden, Notice, QuestionView, TextField


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceView:
    """One thing that differs: the new rule, the old one, and the way back."""

    text: str
    """"The match is played to 15."."""
    was: str = ""
    """"The match is played to 21."; empty where it follows from another change."""
    option: str = ""
    """What `undo` posts; empty where it follows from another change and goes back with that."""
    undo_label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberView:
    """A number to type, or to step up and down to."""

    field: str
    label: str
    value: str
    lowest: int
    highest: int
    note: str = ""
    """What it hangs on, or what stands there as long as nobody says otherwise."""
    placeholder: str = ""
    """A dash where it may stay empty."""
    book: str = ""
    """The book's number or word, beside the ribbon; empty where the book leaves it open."""
    step: int = 1
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComposerItem:
    """One question: a strip of answers, or a number."""

    strip: QuestionView | None = None
    number: NumberView | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComposerGroup:
    """Questions that a family thinks of together."""

    group_id: str
    heading: str
    items: tuple[ComposerItem, ...]
    more: tuple[ComposerItem, ...] = ()
    """Seldom asked for: folded."""
    more_label: str = ""
    closed: tuple[str, ...] = ()
    """What the other answers rule out, and why: "Dirty: …"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComposerFoot:
    """The one button: it saves, or says what is to be put right and leads there."""

    label: str
    value: str
    """What `do` posts."""
    target: str = ""
    """The element to lead to."""

    @property
    def is_ready(self) -> bool:
        """Whether it saves."""
        return not self.target


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesField:
    """Lines to write in."""

    field: str
    label: str
    value: str
    note: str = ""
    max_length: int = 2200
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComposerPage:
    """Template rules/compose.html. Blocks: faults, diff, questions, foot."""

    title: str
    bar: BarView
    action: str
    hidden: Hidden
    carried: Hidden
    """What has been answered so far; it changes with the differences."""
    diff_heading: str
    differences: tuple[DifferenceView, ...]
    groups: tuple[ComposerGroup, ...]
    foot: ComposerFoot
    no_difference: str = ""
    legend: str = "as the book has it"
    """What the ribbon stands for."""
    name: TextField | None = None
    """Where the rules are kept under a name; a change in mid-match has none."""
    notes: NotesField | None = None
    ways: tuple[Action, ...] = ()
    """Copy, retire, share."""
    faults: FaultsView | None = None
    notices: tuple[Notice, ...] = ()
