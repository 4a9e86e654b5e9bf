"""Every kind of sheet that can be printed. A new kind is one more entry of the table that everything else reads."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from secrets import token_hex
from typing import Any

from scorekeeper.club.figures.year_sheet import YearSheet, draft_year_sheet
from scorekeeper.club.nights.night import Night
from scorekeeper.club.nights.sheets import MoneySlip, draft_list, draft_money_slip, draft_slips, draft_tables
from scorekeeper.club.nights.words import night_title
from scorekeeper.pitch.text.phrases import spoken
from scorekeeper.printing.fitting import Draft
from scorekeeper.printing.layout import WIDTH
from scorekeeper.printing.pads import draft_pad
from scorekeeper.printing.pocket_cards import draft_pocket_card
from scorekeeper.printing.print_options import ALONE, FOUR, LARGE, ORDINARY, TWO, PrintOptions
from scorekeeper.printing.result_picture import WIDTH as PICTURE_WIDTH
from scorekeeper.printing.result_picture import ResultPicture, draft_result_picture
from scorekeeper.printing.rule_sheets import draft_large_print, draft_rule_sheet
from scorekeeper.printing.rules_link import Rules
from scorekeeper.printing.score_sheet import ScoreSheet, draft_score_sheet

Subject = Rules | ScoreSheet | YearSheet | ResultPicture | Night | MoneySlip


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of sheet."""

    name: str
    """As a family calls it: "Rule sheet"."""
    of: type
    """What it is made from: `Rules`, or one of the other subjects."""
    draft: Callable[[Any, PrintOptions], Draft]
    sizes: Mapping[str, str] = field(default_factory=lambda: {ORDINARY: "Regular print"})
    """The sizes that it comes in, the usual one first, each with its name; `PrintOptions.size` is one of these."""
    image_width: int = WIDTH
    """Pixels, where a page is drawn as an image."""


_REGULAR_OR_LARGE = {ORDINARY: "Regular print", LARGE: "Large print"}

KINDS: Mapping[str, Kind] = {
    "rules": Kind(
        name="Rule sheet",
        of=Rules,
        draft=lambda rules, options: (draft_large_print if options.size == LARGE else draft_rule_sheet)(
            rules.sheet, options.paper, rules.link
        ),
        sizes=_REGULAR_OR_LARGE,
    ),
    "pocket": Kind(
        name="Pocket cards",
        of=Rules,
        draft=draft_pocket_card,
        sizes={FOUR: "Four to a page", ALONE: "One card alone, a quarter of a page"},
    ),
    "pad": Kind(
        name="Score pads",
        of=Rules,
        draft=draft_pad,
        sizes={TWO: "Two to a page", FOUR: "Four to a page"},
    ),
    "result": Kind(
        name="Score sheet",
        of=ScoreSheet,
        draft=draft_score_sheet,
        sizes=_REGULAR_OR_LARGE,
    ),
    "year": Kind(name="Year", of=YearSheet, draft=draft_year_sheet),
    "picture": Kind(
        name="Result",
        of=ResultPicture,
        draft=draft_result_picture,
        image_width=PICTURE_WIDTH,
    ),
    "tables": Kind(
        name="Tables",
        of=Night,
        draft=draft_tables,
        sizes=_REGULAR_OR_LARGE,
    ),
    "slips": Kind(
        name="Table slips",
        of=Night,
        draft=draft_slips,
        sizes=_REGULAR_OR_LARGE,
    ),
    "list": Kind(
        name="List",
        of=Night,
        draft=draft_list,
        sizes=_REGULAR_OR_LARGE,
    ),
    "money": Kind(
        name="Who owes whom",
        of=MoneySlip,
        draft=draft_money_slip,
        sizes=_REGULAR_OR_LARGE,
    ),
}


def kind_and_size(kind_id: str, size: str) -> tuple[str, str]:
    """Return what a link or a command names: large print of the rules was a kind before it was a size."""
    return ("rules", LARGE) if kind_id == "large" else (kind_id, size)


def kinds_of(subject: Subject) -> dict[str, Kind]:
    """Return the kinds that can be made from something, by id."""
    return {kind_id: kind for kind_id, kind in KINDS.items() if isinstance(subject, kind.of)}


def draft_sheet(kind: Kind, subject: Subject, options: PrintOptions) -> Draft:
    """Return a sheet of this kind, ready to be laid out."""
    return replace(kind.draft(subject, options), is_grayscale=options.is_grayscale)


@dataclass(frozen=True, slots=True)
class Order:
    """A sheet to be printed. It is drafted where it is printed: with rules that alone takes a tenth of a second."""

    kind_name: str
    subject: Subject
    options: PrintOptions

    @property
    def key(self) -> str:
        """What tells it apart from any other that this program prints, until it is started again."""
        inside = self.subject.key if isinstance(self.subject, Rules) else self.subject
        return sha256(repr((_EDITION, self.kind_name, inside, self.options)).encode()).hexdigest()[:32]

    @property
    def kind(self) -> Kind:
        """What kind of sheet it is."""
        return next(kind for kind in KINDS.values() if kind.name == self.kind_name)

    def draft(self) -> Draft:
        """Return the sheet, ready to be laid out."""
        return draft_sheet(self.kind, self.subject, self.options)


_EDITION = token_hex(4)
"""Another program may print the same order in another way: no browser takes the one for the other."""


def title_of(kind: Kind, subject: Subject) -> str:
    """Return what is inside, for the name of a file: "Thursday score sheet"."""
    if isinstance(subject, YearSheet):
        return subject.title
    match subject:
        case Rules(ruleset=ruleset):
            name = ruleset.name
        case Night():
            name = night_title(subject)
        case ResultPicture(sheet=sheet):
            name = sheet.title
        case _:
            name = subject.title
    return f"{spoken(name)} {kind.name.lower()}"
