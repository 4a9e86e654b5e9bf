"""The rules being told, and the book that they are held against."""

from dataclasses import dataclass
from functools import cached_property

from scorekeeper.rules import words
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.schema import Award, AwardId, Ruleset
from scorekeeper.rules.sheet.values import Line


@dataclass(frozen=True)
class Telling:
    """A ruleset on its way to the sheet; `base` is the book's own version of it."""

    ruleset: Ruleset
    base: Ruleset

    @cached_property
    def changed(self) -> frozenset[str]:
        """The options that the house answers otherwise than the book."""
        names = {
            name for name, question in QUESTIONS.items() if question.answer(self.ruleset) != question.answer(self.base)
        }
        return frozenset(names | self.changed_awards)

    @cached_property
    def changed_awards(self) -> frozenset[AwardId]:
        """The awards that the house switched on or off, or gave another worth."""
        mine, theirs = self.ruleset.in_play, self.base.in_play
        return frozenset(name for name in {*mine, *theirs} if _worth(mine.get(name)) != _worth(theirs.get(name)))

    def differs(self, *options: str) -> bool:
        """Tell whether the house changed any of these."""
        return not self.changed.isdisjoint(options)

    def line(self, text: str, *options: str, lead: str = "", is_spare: bool = False) -> Line:
        """Write a sentence that hangs on these options; what the house changed is never spare."""
        is_house = self.differs(*options)
        return Line(words.sentence(text) if not lead else text, lead, is_house, is_spare and not is_house)

    def told(self, option: str) -> Line:
        """Tell an option's answer in the words of its question."""
        question = QUESTIONS[option]
        return self.line(question.sentence(question.answer(self.ruleset), self.ruleset), option)

    def told_if(self, option: str, *usual: object) -> tuple[Line, ...]:
        """Tell an option's answer unless it goes without saying; always where the house changed it."""
        answer = QUESTIONS[option].answer(self.ruleset)
        return (self.told(option),) if answer not in usual or option in self.changed else ()

    @property
    def is_open(self) -> frozenset[str]:
        """The options that are still to be agreed."""
        return frozenset(self.ruleset.open_options)


def _worth(award: Award | None) -> int:
    return award.points if award else 0
