"""How a sheet states a rule, and marks it where the house differs from the book."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from scorekeeper.rules import phrases
from scorekeeper.rules.awards import AwardId
from scorekeeper.rules.options import options
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.parts import BLANK, Line


@dataclass(frozen=True)
class SheetWriter:
    """Writes the lines of a sheet for a ruleset; `base` is the book's version of it."""

    ruleset: Ruleset
    base: Ruleset

    @cached_property
    def words(self) -> Mapping[str, str]:
        """What the braces in a sentence stand for."""
        return phrases.placeholders(self.ruleset)

    @cached_property
    def changed_options(self) -> frozenset[str]:
        """The options that the house answers differently from the book."""
        return frozenset(name for name in options() if self.ruleset.answer(name) != self.base.answer(name))

    @cached_property
    def changed_awards(self) -> frozenset[AwardId]:
        """The awards that the house switched on or off, or gave other points."""
        awards = {*self.ruleset.in_play, *self.base.in_play}
        return frozenset(award for award in awards if self.ruleset.worth(award) != self.base.worth(award))

    def differs(self, *options: str) -> bool:
        """Return whether the house changed any of these options or awards."""
        return not (self.changed_options | self.changed_awards).isdisjoint(options)

    def line(self, text: str, *options: str, is_optional: bool = False) -> Line:
        """Return a sentence that depends on these options; what the house changed is never optional."""
        is_house = self.differs(*options)
        return Line(phrases.sentence(text), "", is_house, is_optional and not is_house)

    def answer(self, option: str) -> Line:
        """Return the answer to an option, in the words of its question."""
        return self.line(QUESTIONS[option].rule(self.ruleset), option)

    def unusual(self, *names: str) -> Iterator[Line]:
        """Yield the answers to these options, but for a default that the house did not change."""
        for name in names:
            if self.ruleset.answer(name) != options()[name].default or self.differs(name):
                yield self.answer(name)


def money_or_blank(cents: int | None) -> str:
    """Return an amount, or a blank to write it on where it is still to be agreed."""
    return BLANK if cents is None else phrases.money(cents)
