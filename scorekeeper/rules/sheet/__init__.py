"""A ruleset told on one page: the same value feeds the web page and the printer."""

from scorekeeper.rules import words
from scorekeeper.rules.digest import fingerprint
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sheet.before import before_the_play
from scorekeeper.rules.sheet.bidding import bidding
from scorekeeper.rules.sheet.glance import glance
from scorekeeper.rules.sheet.house import house
from scorekeeper.rules.sheet.play import play
from scorekeeper.rules.sheet.points import points
from scorekeeper.rules.sheet.scoring import scoring
from scorekeeper.rules.sheet.telling import Telling
from scorekeeper.rules.sheet.trumps import trump_notes, trumps
from scorekeeper.rules.sheet.values import Example, ExampleRow, Line, RuleSheet, Section
from scorekeeper.rules.sheet.winning import winning

__all__ = ["Example", "ExampleRow", "Line", "RuleSheet", "Section", "rule_sheet"]

_ONE_LINE = 50


def rule_sheet(ruleset: Ruleset, base: Ruleset | None = None, example: Example | None = None) -> RuleSheet:
    """Tell a ruleset; what differs from `base` is marked, and the example is one that the engine has scored."""
    telling = Telling(ruleset, base or ruleset)
    sections = (
        bidding(telling),
        before_the_play(telling),
        play(telling),
        points(telling),
        scoring(telling, example),
        Section("Note", lines=tuple(Line(note) for note in ruleset.notes)),
    )
    return RuleSheet(
        title=ruleset.name,
        also=_other_names(ruleset),
        summary=words.sentence(ruleset.summary),
        glance=glance(telling),
        trumps=trumps(telling),
        trump_notes=trump_notes(telling),
        sections=tuple(section for section in sections if not section.is_empty),
        winning=winning(telling),
        house=house(telling),
        fingerprint=fingerprint(ruleset),
    )


def _other_names(ruleset: Ruleset) -> str:
    """Give as many of the other names as one line has room for."""
    names = list(ruleset.also)
    while names and len(", ".join(names)) > _ONE_LINE:
        names.pop()
    return ", ".join(names)
