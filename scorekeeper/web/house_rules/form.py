"""The editor's form: the answers so far, what was just tapped or typed, and the rules that follow."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from scorekeeper.rules.faults import Fault
from scorekeeper.rules.house_rules import HouseRules, differences, with_house
from scorekeeper.rules.options import LOW, ONE_ANSWER, options
from scorekeeper.rules.questions import RuleKey, rule_keys, value_of
from scorekeeper.rules.schema import Ruleset

OPTION_PREFIX, WORTH_PREFIX, ANSWER_PREFIX = "rule-", "worth-", "said-"
NAME_FIELD, NOTES_FIELD = "name", "notes"
STEP_FIELD, UNDO_FIELD = "step", "undo"
DIGEST_FIELD = "asks"
"""Which questions the phone shows, in a few letters."""
_LONGEST_WORD = 20
_LOW_OPTION, _LOW_WORTH = RuleKey(LOW), RuleKey(LOW, is_worth=True)


def field_name(key: RuleKey) -> str:
    """Return the name of the field in which a rule is answered."""
    return f"{WORTH_PREFIX if key.is_worth else OPTION_PREFIX}{key.name}"


@dataclass(frozen=True)
class RulesForm:
    """House rules as they are being edited."""

    base: Ruleset
    answers: Mapping[str, Any] = field(default_factory=dict)
    """Answers so far, by option or award."""
    unreadable: Mapping[RuleKey, str] = field(default_factory=dict)
    """What was typed and is no answer."""
    name: str = ""
    notes: tuple[str, ...] = ()
    has_two_answers_for_low: bool = False
    is_to_save: bool = False
    """Whether it was sent to be saved, rather than to see what follows."""

    @cached_property
    def _checked(self) -> tuple[Ruleset, list[Fault]]:
        return with_house(self.base, self.answers)

    @property
    def ruleset(self) -> Ruleset:
        """The rules that follow, sound or not."""
        return self._checked[0]

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """What keeps these answers from standing together, each at its field."""
        found = [
            replace(fault, field=field_name(RuleKey.of_answer(fault.field, self.answers.get(fault.field))))
            for fault in self._checked[1]
        ]
        for key, word in self.unreadable.items():
            shown = word if len(word) <= _LONGEST_WORD else f"{word[: _LONGEST_WORD - 1]}…"
            message = f"“{shown}” is not an answer here. Enter {key.allowed}."
            found.append(Fault(field_name(key), "bad_value", message))
        if self.has_two_answers_for_low:
            found.append(Fault(field_name(_LOW_WORTH), "one_answer", ONE_ANSWER))
        return tuple(found)

    def word_in(self, key: RuleKey) -> str:
        """Return what a field holds: what was typed, or the answer in force."""
        return self.unreadable.get(key) or key.word_in(self.ruleset)

    @property
    def house_rules(self) -> HouseRules:
        """What is to be saved."""
        return HouseRules(self.name, self.base.id, dict(self.answers), self.notes)


def merged(mine: RulesForm, opened: RulesForm, theirs: RulesForm) -> RulesForm:
    """Return `theirs` with what was changed in `mine` since it was `opened`: the rest is as others have saved it."""
    answers = {**theirs.answers, **differences(opened.ruleset, mine.ruleset)}
    notes = mine.notes
    if theirs.notes != opened.notes:
        kept = [note for note in theirs.notes if note in mine.notes or note not in opened.notes]
        notes = (*kept, *(note for note in mine.notes if note not in (*opened.notes, *kept)))
    return replace(
        mine,
        base=theirs.base,
        answers=_needed_answers(theirs.base, answers),
        name=theirs.name if mine.name == opened.name else mine.name,
        notes=notes,
    )


def read_form(base: Ruleset, posted: Mapping[str, str]) -> RulesForm:
    """Return the form that was posted: a field that differs from what the page showed was just answered."""
    shown = RulesForm(base, _earlier_answers(base, posted))
    typed = {key: word for key, word in _typed(base, posted).items() if word != key.word_in(shown.ruleset)}
    has_two_answers_for_low = typed.keys() >= {_LOW_OPTION, _LOW_WORTH}
    if has_two_answers_for_low:
        del typed[_LOW_WORTH]
    answers, unreadable = dict(shown.answers), {}
    for key, word in typed.items():
        if not word and not key.may_be_none:
            answers.pop(key.name, None)
            continue
        try:
            answer = key.read(word or "none")
        except ValueError:
            unreadable[key] = word
        else:
            answers.pop(key.name, None)  # the last answer stands last
            answers[key.name] = answer
    answers.pop(posted.get(UNDO_FIELD, ""), None)
    return RulesForm(
        base,
        _needed_answers(base, answers),
        unreadable,
        name=_one_line(posted.get(NAME_FIELD, "")),
        notes=tuple(filter(None, map(_one_line, posted.get(NOTES_FIELD, "").splitlines()))),
        has_two_answers_for_low=has_two_answers_for_low,
        is_to_save=posted.get("do") == "save",
    )


def _earlier_answers(base: Ruleset, posted: Mapping[str, str]) -> dict[str, Any]:
    """Read the hidden fields; one that cannot be read leaves the book's answer."""
    answers: dict[str, Any] = {}
    hidden = {name.removeprefix(ANSWER_PREFIX): name for name in posted if name.startswith(ANSWER_PREFIX)}
    for rule, name in hidden.items():
        if rule in options() or rule in base.awards:
            with suppress(ValueError):
                answers[rule] = RuleKey.of_answer(rule, posted[name]).read(posted[name])
    return answers


def _typed(base: Ruleset, posted: Mapping[str, str]) -> dict[RuleKey, str]:
    """Read the fields, one of them moved by the button beside it, which posts where there are no scripts."""
    keys = {field_name(key): key for key in rule_keys(base)}
    typed = {keys[name]: word.strip() for name, word in posted.items() if name in keys}
    name, _, step = posted.get(STEP_FIELD, "").rpartition(":")
    key = keys.get(name)
    if key in typed and re.fullmatch(r"-?[0-9]{1,3}", step):
        number, (lowest, highest) = value_of(typed[key]), key.limits
        wanted = (number if isinstance(number, int) else 0) + int(step)
        typed[key] = str(min(max(wanted, lowest), highest))
    return typed


def _needed_answers(base: Ruleset, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Drop the answers that the book, or the other answers, give as well."""
    needed = dict(answers)
    for name in answers:
        rest = {other: answer for other, answer in needed.items() if other != name}
        if with_house(base, rest)[0] == with_house(base, needed)[0]:
            needed = rest
    return needed


def _one_line(text: str) -> str:
    return " ".join(text.split())
