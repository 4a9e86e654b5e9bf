"""What a house can answer: an option, or how many points an award scores."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorekeeper.rules.house_rules import minimal_options
from scorekeeper.rules.options import LOW, NEVER_NONE, POINTS_OF_AWARD, options, read_award
from scorekeeper.rules.questions import value_of, word_of
from scorekeeper.rules.schema import Ruleset


@dataclass(frozen=True, slots=True)
class RuleKey:
    """An option, or an award that scores some points; Low is both."""

    name: str
    is_worth: bool = False

    @classmethod
    def of_answer(cls, name: str, answer: object) -> "RuleKey":
        """Return what an answer is about; Low is the option where it is one of its words, or nobody answered."""
        is_low_worth = name == LOW and answer is not None and answer not in options()[LOW].choices
        return cls(name, is_worth=name not in options() or is_low_worth)

    @property
    def limits(self) -> tuple[int, int]:
        """The smallest and the largest number that may be answered."""
        if self.is_worth:
            return 0, POINTS_OF_AWARD[1]
        option = options()[self.name]
        return option.lowest or 0, option.highest or 0

    @property
    def allowed(self) -> str:
        """What may be answered, in words."""
        return "a number from {} to {}".format(*self.limits) if self.is_worth else options()[self.name].allowed

    @property
    def may_be_none(self) -> bool:
        """Whether none is an answer."""
        return not self.is_worth and options()[self.name].may_be_none and self.name not in NEVER_NONE

    def answer_in(self, ruleset: Ruleset) -> Any:
        """Return the answer in force; points where it is about them, `False` for none."""
        return ruleset.worth(self.name) if self.is_worth else ruleset.answer(self.name)

    def word_in(self, ruleset: Ruleset) -> str:
        """Return the answer in force as a form has it; empty for none."""
        answer = self.answer_in(ruleset)
        if self.is_worth:
            return str(int(answer))
        return "" if answer is None else word_of(answer)

    def read(self, word: str) -> Any:
        """Return the answer that a form has as a word; raises `ValueError`."""
        if self.is_worth:
            return False if word == "0" else read_award(value_of(word))
        return options()[self.name].read(value_of(word))


def rule_keys(ruleset: Ruleset) -> Iterator[RuleKey]:
    """Return everything that a house can answer."""
    yield from map(RuleKey, options())
    yield from (RuleKey(award_id, is_worth=True) for award_id in ruleset.awards)


def answers_after(base: Ruleset, earlier: Mapping[str, Any], wanted: Ruleset) -> dict[str, Any]:
    """Return answers that, laid over earlier ones, turn one ruleset into the other."""
    again = {name: RuleKey.of_answer(name, answer).answer_in(wanted) for name, answer in earlier.items()}
    return {**again, **minimal_options(base, wanted)}
