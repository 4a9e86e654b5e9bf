"""The kinds of sheets that can be printed: of a match, of rules, and those that hooks add."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from operator import attrgetter
from secrets import token_hex
from typing import Any

from scorekeeper import hooks
from scorekeeper.pitch.text.phrases import resolve_pronouns
from scorekeeper.printing.fitting import Draft
from scorekeeper.printing.pads import draft_pad
from scorekeeper.printing.pdf import PAGE_IMAGE_WIDTH
from scorekeeper.printing.pocket_cards import draft_pocket_card
from scorekeeper.printing.print_options import ALONE, FOUR, LARGE, ORDINARY, TWO, PrintOptions
from scorekeeper.printing.result_picture import PICTURE_WIDTH_PX, ResultPicture, draft_result_picture
from scorekeeper.printing.rule_sheets import draft_large_print, draft_rule_sheet
from scorekeeper.printing.rules_link import PrintableRules
from scorekeeper.printing.score_sheet import ScoreSheet, draft_score_sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetKind:
    """A kind of sheet that can be printed, such as a score sheet."""

    name: str
    """The name for people: "Rule sheet"."""
    subject_type: type
    """The type of the subject to print: `PrintableRules`, or the data of another sheet."""
    draft: Callable[[Any, PrintOptions], Draft]
    """Returns the draft of a subject; a module-level function, like `title`, so that another process can import it."""
    title: Callable[[Any], str] = attrgetter("title")
    """Returns the title of a subject."""
    has_name_in_title: bool = True
    """Whether the file name includes the kind: "Thursday score sheet"."""
    sizes: Mapping[str, str] = field(default_factory=lambda: {ORDINARY: "Regular print"})
    """The names of the sizes, default first, by `PrintOptions.size`."""
    image_width: int = PAGE_IMAGE_WIDTH
    """The width in pixels of a page as an image."""


def _draft_rules(rules: PrintableRules, options: PrintOptions) -> Draft:
    """Return the draft of a rule sheet, in regular or large print."""
    draft = draft_large_print if options.size == LARGE else draft_rule_sheet
    return draft(rules.sheet, options.paper, rules.link)


_get_rules_title = attrgetter("ruleset.name")
REGULAR_AND_LARGE_SIZES = {ORDINARY: "Regular print", LARGE: "Large print"}

SHEET_KINDS: Mapping[str, SheetKind] = {
    "rules": SheetKind(
        name="Rule sheet",
        subject_type=PrintableRules,
        draft=_draft_rules,
        title=_get_rules_title,
        sizes=REGULAR_AND_LARGE_SIZES,
    ),
    "pocket": SheetKind(
        name="Pocket cards",
        subject_type=PrintableRules,
        draft=draft_pocket_card,
        title=_get_rules_title,
        sizes={FOUR: "Four to a page", ALONE: "One card alone, a quarter of a page"},
    ),
    "pad": SheetKind(
        name="Score pads",
        subject_type=PrintableRules,
        draft=draft_pad,
        title=_get_rules_title,
        sizes={TWO: "Two to a page", FOUR: "Four to a page"},
    ),
    "result": SheetKind(
        name="Score sheet",
        subject_type=ScoreSheet,
        draft=draft_score_sheet,
        sizes=REGULAR_AND_LARGE_SIZES,
    ),
    "picture": SheetKind(
        name="Result",
        subject_type=ResultPicture,
        draft=draft_result_picture,
        title=attrgetter("sheet.title"),
        image_width=PICTURE_WIDTH_PX,
    ),
}
"""The kinds of sheets, by their id in a query; the hook `print_kinds` has more."""


def current_kind_and_size(kind_id: str, size: str) -> tuple[str, str]:
    """Return the kind and the size of sheet that a link means now; in old links large print is a kind."""
    return ("rules", LARGE) if kind_id == "large" else (kind_id, size)


def printable_kinds(subjects: Iterable[object]) -> dict[str, tuple[SheetKind, object]]:
    """Return the kinds of sheet that can be printed of these subjects, by id, each with its subject."""
    kinds = {**SHEET_KINDS, **hooks.print_kinds}.items()
    return {
        kind_id: (kind, subject)
        for subject in subjects
        for kind_id, kind in kinds
        if isinstance(subject, kind.subject_type)
    }


def draft_sheet(kind: SheetKind, subject: object, options: PrintOptions) -> Draft:
    """Return the draft of a sheet about a subject, in grays if the options say so."""
    return replace(kind.draft(subject, options), is_grayscale=options.is_grayscale)


@dataclass(frozen=True, slots=True)
class PrintOrder:
    """An order to print a subject as a kind of sheet, with print options.

    The print process makes the draft, as that takes a tenth of a second for rules.
    """

    kind: SheetKind
    subject: object
    options: PrintOptions

    @property
    def key(self) -> str:
        """The key of the sheet in caches, different in each run of the program."""
        content = self.subject.key if isinstance(self.subject, PrintableRules) else self.subject
        return sha256(repr((_RUN_ID, self.kind.name, content, self.options)).encode()).hexdigest()[:32]

    def draft(self) -> Draft:
        """Return the draft of the ordered sheet."""
        return draft_sheet(self.kind, self.subject, self.options)


_RUN_ID = token_hex(4)
"""A random part of each key, so that no browser's cache mixes up sheets of two versions of the program."""


def sheet_title(kind: SheetKind, subject: object) -> str:
    """Return the title of a sheet for its file name: "Thursday score sheet"."""
    title = resolve_pronouns(kind.title(subject))
    return f"{title} {kind.name.lower()}" if kind.has_name_in_title else title
