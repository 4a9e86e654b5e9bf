"""What the pages with rules to read show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from scorekeeper.printing import layout
from scorekeeper.printing.rule_sheets import SheetView, view_sheet
from scorekeeper.rules.faults import Fault
from scorekeeper.sheets.parts import BidRow, Rule
from scorekeeper.sheets.rule_sheet import ARGUE, HOUSE, RuleSheet
from scorekeeper.web.find_game import Finder


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesIndexPage:
    """Template rules/index.html, which extends find_game/show.html."""

    finder: Finder
    refusal: Literal["", "unreadable", "unplayable"] = ""
    """What is wrong with the share code that was opened."""
    reason: str = ""

    @property
    def description(self) -> str:
        """What the page is, for who looks for such a thing; empty where it shows what somebody shared or asked."""
        if self.refusal or self.finder.is_answered:
            return ""
        return "The rules of the Pitch card games, from Setback to Ten Point: read them, compare them, print them."


@dataclass(frozen=True, slots=True)
class Difference:
    """What a table plays differently, or agreed beside the book, and the rules in which it stands."""

    text: str
    rules: tuple[Rule | BidRow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesPage:
    """Template rules/show.html, and rules/shared.html and rules/match.html, which extend it."""

    sheet: RuleSheet
    ruleset_id: str
    answers: Mapping[str, str] = field(default_factory=dict)
    """The house answers in the address of a variant."""
    share_code: str = ""
    match_code: str = ""
    hand: str = ""
    """The hand of a match whose rules these are, as the address has it; empty for the rules as they are now."""
    hand_number: int = 0
    """What the table calls that hand."""
    table: str = ""
    """The address of the new match that these rules were opened from."""
    conflict: str = ""
    """Why the house answers of the address cannot stand together."""

    @property
    def description(self) -> str:
        """What the page is, for who looks for such a thing; empty where it shows the rules of a match or a house."""
        if self.answers or self.share_code or self.match_code or self.conflict:
            return ""
        return f"The rules of {self.sheet.title}: how to deal, bid, play, score and win. Read or print them."

    @property
    def view(self) -> SheetView:
        """The sheet, as its template shows it."""
        return view_sheet(self.sheet)

    @property
    def contents(self) -> tuple[tuple[str, str], ...]:
        """The sections to jump to: their ids, and their numbers with their titles."""
        listed: list[tuple[str, str]] = [(it.id, f"{it.number} {it.title}") for it in self.sheet.sections]
        if self.sheet.arguments:
            listed.append(("argue", f"{ARGUE} Where tables argue"))
        if not self.sheet.house.is_empty:
            listed.append(("house", f"{HOUSE} House rules"))
        return tuple(listed)

    @property
    def differences(self) -> tuple[Difference, ...]:
        """What this table plays that the book does not say, each with its rules."""
        house = self.sheet.house
        answered = zip((*house.changes, *house.agreed), house.options, strict=True)
        return (
            *(Difference(text, _rules_of(self.sheet, option)) for text, option in answered),
            *(Difference(note) for note in house.notes),
        )

    @property
    def how_to_print(self) -> str:
        """What to install before anything can be printed here; empty where it can."""
        return "" if layout.is_available() else layout.INSTALL_PANGO


def _rules_of(sheet: RuleSheet, option: str) -> tuple[Rule | BidRow, ...]:
    """Return the rules that an option of the house decides: those that the fewest others decide as well."""
    answers = {rule: {*rule.origin.house, *rule.origin.agreed} for rule in sheet.rules}
    decided = [rule for rule in sheet.rules if option in answers[rule]]
    fewest = min((len(answers[rule]) for rule in decided), default=0)
    return tuple(rule for rule in decided if len(answers[rule]) == fewest)


def messages(faults: Sequence[Fault]) -> str:
    """Return what is wrong with rules, without repetitions."""
    return " ".join(dict.fromkeys(fault.message for fault in faults))
