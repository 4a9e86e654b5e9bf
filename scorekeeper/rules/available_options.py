"""Which house options can be answered differently, given all other answers, and if not, why not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorekeeper.rules.awards import AwardId
from scorekeeper.rules.options import LOW, NEVER_NONE, ONE_ANSWER, POINTS_OF_AWARD, Option, options
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.rule_keys import RuleKey, rule_keys
from scorekeeper.rules.schema import Ruleset

_NEEDED: Mapping[tuple[str, Any], Mapping[str, Any]] = {
    ("moon", "stake"): {"moon_made": 10, "moon_set": 10},
    ("moon", "money"): {"moon_cents": 100},
    ("double_moon", True): {"double_moon_made": 20, "double_moon_set": 20},
    ("length", "hands"): {"hands": 12},
}
"""Answers that need others beside them, with others that will do."""
_NUMBERS = (1, 2, 3, 4, 5, 6, 7, 10, 12, 15, 20, 21, 26, 42, 52, 100)
"""Tried in turn where the answer may be any number."""


@dataclass(frozen=True, slots=True)
class Availability:
    """How one option can be answered differently, or why it cannot."""

    answers: tuple[Any, ...] = ()
    """Every other possible answer; where the answer may be any number, some possible ones."""
    reason: str = ""

    @property
    def is_open(self) -> bool:
        """Whether another answer is possible."""
        return bool(self.answers)


def available_options(base: Ruleset, house: Mapping[str, Any]) -> dict[RuleKey, Availability]:
    """Try every other answer to every option and award beside the answers of a house."""
    present, faults = with_house(base, house)
    trial = _Trial(base, house, present, frozenset(fault.code for fault in faults))
    return {key: trial.availability(key) for key in rule_keys(base)}


@dataclass(frozen=True, slots=True)
class _Trial:
    """A house's answers, to be tried with one of them replaced."""

    base: Ruleset
    house: Mapping[str, Any]
    present: Ruleset
    known_faults: frozenset[str]
    """Codes of the faults that the house's answers have already: no other answer is blamed for those."""

    def availability(self, key: RuleKey) -> Availability:
        """Try values, numbers only until one is possible; the reason is why the first of them is not."""
        if key.name == LOW and isinstance(self.house.get(LOW), str if key.is_worth else int):
            return Availability(reason=ONE_ANSWER)
        is_number = key.is_worth or QUESTIONS[key.name].is_number
        answers: list[Any] = []
        reasons: list[str] = []
        for value in self._other_worths(key.name) if key.is_worth else self._other_answers(options()[key.name]):
            if is_number and answers and value not in (None, False):
                continue
            if reason := self._fault(key.name, value):
                reasons.append(reason)
            else:
                answers.append(value)
        return Availability(tuple(answers), "" if answers else reasons[0])

    def _fault(self, name: str, value: Any) -> str:
        others = {option: answer for option, answer in self.house.items() if option != name}
        needed = {
            option: answer
            for option, answer in _NEEDED.get((name, value), {}).items()
            if not self.present.answer(option)
        }
        faults = with_house(self.base, {**others, **needed, name: value})[1]
        return next((fault.message for fault in faults if fault.code not in self.known_faults), "")

    def _other_answers(self, option: Option) -> Iterator[Any]:
        now = self.present.answer(option.name)
        lowest, highest = option.lowest or 0, option.highest or 0
        if option.is_flag:
            yield not now
        elif option.choices:
            yield from (choice for choice in option.choices if choice != now)
        elif not QUESTIONS[option.name].is_number:  # so few that each is tried
            yield from (number for number in range(lowest, highest + 1) if number != now)
        else:
            near = (now - 1, now + 1) if isinstance(now, int) else ()
            yield from (number for number in (*near, *_NUMBERS) if number != now and lowest <= number <= highest)
            if option.may_be_none and now is not None and option.name not in NEVER_NONE:
                yield None

    def _other_worths(self, award_id: AwardId) -> Iterator[Any]:
        now = self.present.worth(award_id)
        usual = self.base.awards[award_id].points
        yield from (points for points in dict.fromkeys((usual, *POINTS_OF_AWARD)) if points != now)
        if now:
            yield False
