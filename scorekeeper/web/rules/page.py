"""What the pages with rules to read show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from scorekeeper.printing import layout
from scorekeeper.rules.faults import Fault
from scorekeeper.sheets.rule_sheet import RuleSheet
from scorekeeper.web.find_game.page import Finder


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


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesPage:
    """Template rules/show.html, and rules/shared.html and rules/match.html, which extend it."""

    sheet: RuleSheet
    ruleset_id: str
    answers: Mapping[str, str] = field(default_factory=dict)
    """The house answers in the address of a variant."""
    share_code: str = ""
    match_code: str = ""
    conflict: str = ""
    """Why the house answers of the address cannot stand together."""

    @property
    def description(self) -> str:
        """What the page is, for who looks for such a thing; empty where it shows the rules of a match or a house."""
        if self.answers or self.share_code or self.match_code or self.conflict:
            return ""
        return f"The rules of {self.sheet.title}: how to deal, bid, play, score and win. Read or print them."

    @property
    def how_to_print(self) -> str:
        """What to install before anything can be printed here; empty where it can."""
        return "" if layout.is_available() else layout.INSTALL_PANGO


def messages(faults: Sequence[Fault]) -> str:
    """Return what is wrong with rules, without repetitions."""
    return " ".join(dict.fromkeys(fault.message for fault in faults))
