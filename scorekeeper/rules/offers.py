"""Which house options can be answered otherwise, beside all the others, and if not, why not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorekeeper.rules.options import POINTS_OF_AWARD, Option, options
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.schema import AwardId, Ruleset

LOW = "low"
"""An option, who scores Low, and an award, whether there is a point for it."""
ONE_ANSWER = "House rules have one answer for Low: who scores it, or what it is worth. Take back the one first."

# An answer that calls for another one is offered with any answer there that would do.
_CALLS_FOR: Mapping[tuple[str, Any], Mapping[str, Any]] = {
    ("moon", "stake"): {"moon_made": 10, "moon_set": 10},
    ("moon", "money"): {"moon_cents": 100},
    ("double_moon", True): {"double_moon_made": 20, "double_moon_set": 20},
    ("length", "hands"): {"hands": 12},
}
_NUMBERS = (1, 2, 3, 4, 5, 6, 7, 10, 12, 15, 20, 21, 26, 42, 52, 100)
"""Tried in turn where any number may be an answer."""
_FEW = ("jokers",)
"""Numbers of which all are tried."""
_NEVER_NONE = ("min_bid",)
"""Where none only means that the sources leave it open."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be answered to one option beside the answer in force, or why nothing can."""

    answers: tuple[Any, ...] = ()
    """Every other answer where there are few; where any number may be one, some that would do."""
    reason: str = ""

    @property
    def is_open(self) -> bool:
        """Whether there is anything to choose."""
        return bool(self.answers)


@dataclass(frozen=True, slots=True)
class Offers:
    """What a house can answer, given what it has said so far."""

    options: Mapping[str, Offer]
    awards: Mapping[AwardId, Offer]


def offers(base: Ruleset, said: Mapping[str, Any]) -> Offers:
    """Hold every other answer to every option and award against the checker."""
    present, faults = with_house(base, said)
    trial = _Trial(base, said, present, frozenset(fault.code for fault in faults))
    return Offers(
        {name: trial.of_option(option) for name, option in options().items()},
        {award_id: trial.of_award(award_id) for award_id in base.awards},
    )


@dataclass(frozen=True, slots=True)
class _Trial:
    """A house's answers so far, to be tried with one more."""

    base: Ruleset
    said: Mapping[str, Any]
    present: Ruleset
    known: frozenset[str]
    """What is wrong already: no other answer is to be blamed for that."""

    def of_option(self, option: Option) -> Offer:
        if option.name == LOW and isinstance(self.said.get(LOW), int):
            return Offer(reason=ONE_ANSWER)
        return self._offer(option.name, self._other_answers(option), takes_any=_takes_any(option))

    def of_award(self, award_id: AwardId) -> Offer:
        if award_id == LOW and isinstance(self.said.get(LOW), str):
            return Offer(reason=ONE_ANSWER)
        return self._offer(award_id, self._other_worths(award_id), takes_any=True)

    def _offer(self, name: str, values: Iterator[Any], *, takes_any: bool) -> Offer:
        """Try the values, of numbers only until one will do, and remember why the first would not."""
        answers: list[Any] = []
        reasons: list[str] = []
        for value in values:
            if takes_any and answers and value not in (None, False):
                continue
            if reason := self._against(name, value):
                reasons.append(reason)
            else:
                answers.append(value)
        return Offer(tuple(answers), "" if answers else reasons[0])

    def _against(self, name: str, value: Any) -> str:
        others = {option: answer for option, answer in self.said.items() if option != name}
        called_for = {
            option: answer
            for option, answer in _CALLS_FOR.get((name, value), {}).items()
            if not self.present.answer(option)
        }
        faults = with_house(self.base, {**others, **called_for, name: value})[1]
        return next((fault.message for fault in faults if fault.code not in self.known), "")

    def _other_answers(self, option: Option) -> Iterator[Any]:
        now = self.present.answer(option.name) if option.name != LOW else self.present.points.low
        lowest, highest = option.lowest or 0, option.highest or 0
        if option.is_flag:
            yield not now
        elif option.choices:
            yield from (choice for choice in option.choices if choice != now)
        elif not _takes_any(option):
            yield from (number for number in range(lowest, highest + 1) if number != now)
        else:
            near = (now - 1, now + 1) if isinstance(now, int) else ()
            yield from (number for number in (*near, *_NUMBERS) if number != now and lowest <= number <= highest)
            if option.may_be_none and now is not None and option.name not in _NEVER_NONE:
                yield None

    def _other_worths(self, award_id: AwardId) -> Iterator[Any]:
        now = self.present.worth(award_id)
        usual = self.base.awards[award_id].points
        yield from (points for points in dict.fromkeys((usual, *POINTS_OF_AWARD)) if points != now)
        if now:
            yield False


def _takes_any(option: Option) -> bool:
    return not option.choices and not option.is_flag and option.name not in _FEW


def matrix(rulesets: Mapping[str, Ruleset]) -> Iterator[tuple[str, str, str]]:
    """Say for every option and variant why nothing but the book's answer is offered; empty where something is."""
    for ruleset_id, ruleset in rulesets.items():
        found = offers(ruleset, {})
        for award_id, offer in found.awards.items():
            yield f"the point for {award_id}", ruleset_id, offer.reason
        for name, offer in found.options.items():
            yield name, ruleset_id, offer.reason
