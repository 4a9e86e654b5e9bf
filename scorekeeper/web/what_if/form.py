"""What an address says: the other rules, and what was told of hands that they ask more of."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from werkzeug.datastructures import MultiDict

from scorekeeper.narration.what_if import without_award
from scorekeeper.records.comparison import QuestionKey, Told
from scorekeeper.rules.codes import BadCode, decode
from scorekeeper.rules.house_rules import MOST_OPTIONS, resolve, with_house
from scorekeeper.rules.library import Library
from scorekeeper.rules.phrases import digits
from scorekeeper.rules.questions import QUESTIONS, RuleKey, value_of, word_of
from scorekeeper.rules.schema import Ruleset
from scorekeeper.web.shared.widgets import HiddenFields

VARIANT_FIELD, CODE_FIELD, TOLD_PREFIX = "variant", "r", "told-"
NOBODY, OPEN, NONE = "nobody", "", "none"
"""What stands for nobody, for what is left open, and for a number that was left empty."""
MOST_TOLD = 400
_LONGEST_WORD, _LONGEST_ANSWER = 40, 120
_TOLD = re.compile(r"told-([0-9]{1,4})-([a-z_]{1,40}(?::as_played)?)")
_TOO_MANY = "There are more answers in this address than can be read."


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfForm:
    """What an address asks."""

    variant: str = ""
    code: str = ""
    """A share code."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """House answers, by option or award."""
    told: Told = field(default_factory=dict)
    is_too_long: bool = False

    @property
    def asks(self) -> bool:
        """Whether it names any other rules."""
        return bool(self.variant or self.code or self.answers or self.is_too_long)

    @property
    def rules_fields(self) -> HiddenFields:
        """The other rules, as an address has them."""
        named = ((VARIANT_FIELD, self.variant), (CODE_FIELD, self.code))
        return (*((name, value) for name, value in named if value), *self.answers.items())

    @property
    def query(self) -> dict[str, str]:
        """All of it, as an address has it."""
        return dict(self.rules_fields) | {told_field(key): told_word(who) for key, who in self.told.items()}


@dataclass(frozen=True, slots=True)
class OtherRules:
    """The rules that an address names."""

    ruleset: Ruleset | None
    """`None` where there are none."""
    label: str = ""
    """"Without the Off Jack", "Target: 52", "With 3 changes", "Auction Pitch"."""
    short: str = "other rules"
    """The same over a column."""
    problem: str = ""
    """Why there are none."""


def told_field(key: QuestionKey) -> str:
    """Return the name of the field in which a question is answered."""
    place, what = key
    return f"{TOLD_PREFIX}{place}-{what}"


def told_word(who: Iterable[str]) -> str:
    """Return an answer as its field has it."""
    return ".".join(who) or NOBODY


def read_form(query: MultiDict[str, str]) -> WhatIfForm:
    """Return what an address asks; what it names beside rules and hands is left out."""
    answers = {name: word[:_LONGEST_WORD] or NONE for name, word in query.items() if name in QUESTIONS}
    told: dict[QuestionKey, tuple[str, ...]] = {}
    for name, word in query.items():
        if (found := _TOLD.fullmatch(name)) and word != OPEN and len(word) <= _LONGEST_ANSWER:
            told[int(found[1]), found[2]] = () if word == NOBODY else tuple(word.split("."))
    is_too_long = len(answers) > MOST_OPTIONS or len(told) > MOST_TOLD
    return WhatIfForm(
        variant=query.get(VARIANT_FIELD, "")[:_LONGEST_WORD],
        code=query.get(CODE_FIELD, "").strip(),
        answers={} if is_too_long else answers,
        told={} if is_too_long else told,
        is_too_long=is_too_long,
    )


def other_rules(form: WhatIfForm, own: Ruleset, variants: Library) -> OtherRules:
    """Return the rules that an address names: house answers over the match's `own`, or over other rules."""
    if form.is_too_long:
        return OtherRules(None, problem=_TOO_MANY)
    base, name = own, ""
    if form.code:
        try:
            house = decode(form.code)
        except BadCode as bad:
            return OtherRules(None, problem=str(bad))
        resolved, faults = resolve(house, variants)
        if resolved is None:
            return OtherRules(None, problem=" ".join(dict.fromkeys(fault.message for fault in faults)))
        base, name = resolved, house.name
    elif form.variant:
        if form.variant not in variants:
            return OtherRules(None, problem="There is no game of that name.")
        base = variants[form.variant]
        name = base.name
    ruleset, faults = with_house(base, {option: _value(option, word) for option, word in form.answers.items()})
    if faults:
        return OtherRules(None, problem=" ".join(dict.fromkeys(fault.message for fault in faults)))
    if name and form.answers:
        name = f"{name}, {digits(len(form.answers), 'change')}"
    if name or len(form.answers) != 1:
        return OtherRules(ruleset, name or f"With {digits(len(form.answers), 'change')}")
    ((option, _),) = form.answers.items()
    return _one_answer(option, own, ruleset, form.answers[option])


def _one_answer(option: str, own: Ruleset, other: Ruleset, word: str) -> OtherRules:
    key = RuleKey.of_answer(option, _value(option, word))
    question = QUESTIONS[option]
    if not key.is_worth:
        return OtherRules(other, f"{question.title(other)}: {question.label(other.answer(option), other)}")
    points = other.worth(option)
    if not points:
        return OtherRules(other, without_award(own, option), "without")
    return OtherRules(other, f"{own.awards[option].name}: {digits(int(points), 'point')}")


def _value(option: str, word: str) -> object:
    """Return the answer that a word stands for; an award of 0 points is one that nobody scores."""
    value = value_of(word)
    return "no" if value == 0 and RuleKey.of_answer(option, value).is_worth else value


def rules_query(house: Mapping[str, object]) -> dict[str, str]:
    """Return house answers as an address has them."""
    return {option: word_of(answer) for option, answer in house.items()}
