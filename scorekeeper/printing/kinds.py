"""Every kind of sheet there is to print. A new kind is one more entry: pages, files and the command read this table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scorekeeper.printing.fitting import Draft
from scorekeeper.printing.pads import pad_draft
from scorekeeper.printing.pocket_cards import card_draft
from scorekeeper.printing.print_options import ALONE, FOUR, LARGE, ORDINARY, TWO, Wish
from scorekeeper.printing.rule_sheets import large_draft, sheet_draft
from scorekeeper.printing.rules_link import Opening, opening_of
from scorekeeper.printing.score_sheet_pages import MOST_PAGES, result_draft
from scorekeeper.printing.score_sheet_values import ResultSheet
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.rule_sheet import rule_sheet


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules to print, the book's own that they are told against, and the page that reads their code."""

    ruleset: Ruleset
    base: Ruleset
    url: str = ""


Subject = Rules | ResultSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of sheet."""

    name: str
    """As a family calls it: "Rule sheet"."""
    about: str
    of: type
    """What it is made from: `Rules`, or a `ResultSheet`."""
    draft: Callable[[Any, Wish], Draft]
    sizes: Mapping[str, str] = field(default_factory=lambda: {ORDINARY: "Ordinary print"})
    """The sizes that it comes in, the usual one first, each with its name; `Wish.size` is one of these."""
    pages: int = 1
    """How many pages it promises to keep to, for the rules of the book."""


def _rule_sheet(rules: Rules, wish: Wish) -> Draft:
    return sheet_draft(rule_sheet(rules.ruleset, rules.base), wish.paper, _opening(rules))


def _large(rules: Rules, wish: Wish) -> Draft:
    return large_draft(rule_sheet(rules.ruleset, rules.base), wish.paper, _opening(rules))


def _pocket(rules: Rules, wish: Wish) -> Draft:
    return card_draft(rules.ruleset, rules.base, wish.paper, _opening(rules), is_alone=wish.size == ALONE)


def _pad(rules: Rules, wish: Wish) -> Draft:
    number = 4 if wish.size == FOUR else 2
    return pad_draft(rules.ruleset, rules.base, wish.paper, _opening(rules), number=number)


def _opening(rules: Rules) -> Opening:
    return opening_of(rules.ruleset, rules.base, rules.url)


KINDS: Mapping[str, Kind] = {
    "rules": Kind(name="Rule sheet", about="One page, to read across the table", of=Rules, draft=_rule_sheet),
    "large": Kind(name="Rules in large print", about="Two pages", of=Rules, draft=_large, pages=2),
    "pocket": Kind(
        name="Pocket cards",
        about="The essentials, to cut out and fold",
        of=Rules,
        draft=_pocket,
        sizes={FOUR: "Four to a page", ALONE: "One card alone, a quarter of a page"},
    ),
    "pad": Kind(
        name="Score pads",
        about="Blank, to fill in by hand",
        of=Rules,
        draft=_pad,
        sizes={TWO: "Two to a page", FOUR: "Four to a page"},
    ),
    "result": Kind(
        name="Score sheet",
        about="Every hand, the chart, who won and why",
        of=ResultSheet,
        draft=result_draft,
        sizes={ORDINARY: "Ordinary print", LARGE: "Large print"},
        pages=MOST_PAGES,
    ),
}


def kinds_of(subject: Subject) -> dict[str, Kind]:
    """Give the kinds that can be made from something."""
    return {kind_id: kind for kind_id, kind in KINDS.items() if isinstance(subject, kind.of)}


def title_of(kind: Kind, subject: Subject) -> str:
    """Say what is inside, for the name of a file: "Thursday score sheet"."""
    name = subject.ruleset.name if isinstance(subject, Rules) else subject.title
    return f"{name} {kind.name.lower()}"
