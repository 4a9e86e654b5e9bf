"""The composer's form: what was answered so far, what was just tapped or typed, and what it comes to."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from scorekeeper.rules.faults import Fault
from scorekeeper.rules.house import HouseRules
from scorekeeper.rules.offers import LOW, ONE_ANSWER
from scorekeeper.rules.options import POINTS_OF_AWARD, Option, options, read_award
from scorekeeper.rules.overlay import with_house
from scorekeeper.rules.questions import value_of, word_of
from scorekeeper.rules.schema import Ruleset

RULE_FIELD, WORTH_FIELD, SAID_FIELD = "rule-", "worth-", "said-"
NAME_FIELD, NOTES_FIELD = "name", "notes"
NEVER_BLANK = ("min_bid",)
"""Numbers that are never none: left blank they are the book's."""


@dataclass(frozen=True)
class RulesDraft:
    """House rules in the making."""

    base: Ruleset
    said: Mapping[str, Any] = field(default_factory=dict)
    """Answers so far, by option or award."""
    unread: Mapping[str, str] = field(default_factory=dict)
    """What was typed and is no answer, by field."""
    name: str = ""
    notes: tuple[str, ...] = ()
    conflict: bool = False
    """Whether Low was answered in both ways at once."""

    @cached_property
    def _stands(self) -> tuple[Ruleset, list[Fault]]:
        return with_house(self.base, self.said)

    @property
    def ruleset(self) -> Ruleset:
        """The rules that follow, sound or not."""
        return self._stands[0]

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """What keeps these answers from standing together, each at its field."""
        found = [Fault(self._field(fault.field), fault.code, fault.message) for fault in self._stands[1]]
        for where, word in self.unread.items():
            found.append(Fault(where, "bad_value", f"{_cut(word)} is no answer here: it is {_allowed(where)}."))
        if self.conflict:
            found.append(Fault(f"{WORTH_FIELD}{LOW}", "one_answer", ONE_ANSWER))
        return tuple(found)

    def _field(self, name: str) -> str:
        is_rule = name in options() and not (name == LOW and not isinstance(self.said.get(LOW), str | None))
        return f"{RULE_FIELD}{name}" if is_rule else f"{WORTH_FIELD}{name}"

    def word(self, where: str) -> str:
        """Give what stands in a field."""
        return self.unread.get(where) or word_in(self.ruleset, where)

    def house(self) -> HouseRules:
        """Give the house rules that this comes to."""
        return HouseRules(self.name, self.base.id, dict(self.said), self.notes)


def word_in(ruleset: Ruleset, where: str) -> str:
    """Give what stands in a field under some rules."""
    if where.startswith(WORTH_FIELD):
        return str(int(ruleset.worth(where.removeprefix(WORTH_FIELD))))
    option = options()[where.removeprefix(RULE_FIELD)]
    value = answer_to(ruleset, option.name)
    return "" if value is None else word_of(value)


def answer_to(ruleset: Ruleset, option: str) -> Any:
    """Give the answer to an option; of `low`, who scores it."""
    return ruleset.points.low if option == LOW else ruleset.answer(option)


def _allowed(where: str) -> str:
    if where.startswith(WORTH_FIELD):
        return f"a number from 0 to {POINTS_OF_AWARD[1]}"
    return options()[where.removeprefix(RULE_FIELD)].allowed


def _cut(word: str) -> str:
    return f"“{word if len(word) <= 20 else word[:19] + '…'}”"


def draft_of(base: Ruleset, house: HouseRules) -> RulesDraft:
    """Begin with rules that there are."""
    return RulesDraft(base, house.options, name=house.name, notes=house.notes)


def from_form(base: Ruleset, form: Mapping[str, str]) -> RulesDraft:
    """Read what was posted: what differs from what the page showed was just answered."""
    shown = RulesDraft(base, _said(base, form))
    draft = replace(shown, name=_line(form.get(NAME_FIELD, "")), notes=_notes(form.get(NOTES_FIELD, "")))
    posted = {where: word.strip() for where, word in form.items() if _is_field(base, where)}
    posted |= _stepped(form.get("step", ""), posted)
    changed = {where: word for where, word in posted.items() if word != word_in(shown.ruleset, where)}
    both = {f"{RULE_FIELD}{LOW}", f"{WORTH_FIELD}{LOW}"} <= set(changed)
    for where, word in changed.items():
        if not (both and where == f"{WORTH_FIELD}{LOW}"):
            draft = _answered(draft, where, word)
    undone = form.get("undo", "")
    said = {name: value for name, value in draft.said.items() if name != undone}
    return replace(draft, said=_without_idle(base, said), conflict=both)


def _is_field(base: Ruleset, where: str) -> bool:
    if where.startswith(WORTH_FIELD):
        return where.removeprefix(WORTH_FIELD) in base.awards
    return where.startswith(RULE_FIELD) and where.removeprefix(RULE_FIELD) in options()


def _said(base: Ruleset, form: Mapping[str, str]) -> dict[str, Any]:
    """Read what the page carried along; whoever tampered with it gets the book's answer."""
    said: dict[str, Any] = {}
    for where, word in form.items():
        name = where.removeprefix(SAID_FIELD)
        if where.startswith(SAID_FIELD) and (name in options() or name in base.awards):
            value = _value(base, name, word)
            if _is_readable(base, name, value):
                said[name] = value
    return said


def _value(base: Ruleset, name: str, word: str) -> Any:
    value = value_of(word)
    if name in base.awards and not (name in options() and word in options()[name].choices):
        return False if value in (0, "no") else value
    return value


def _is_readable(base: Ruleset, name: str, value: Any) -> bool:
    return all(fault.code not in ("bad_value", "unknown_option") for fault in with_house(base, {name: value})[1])


def _answered(draft: RulesDraft, where: str, word: str) -> RulesDraft:
    """Take one answer in, or keep it as it was typed."""
    name = where.removeprefix(WORTH_FIELD).removeprefix(RULE_FIELD)
    said = {other: value for other, value in draft.said.items() if other != name}
    if not word and (where.startswith(WORTH_FIELD) or not _may_be_blank(options()[name])):
        return replace(draft, said=said)
    try:
        value = _read_worth(word) if where.startswith(WORTH_FIELD) else options()[name].read(value_of(word or "none"))
    except ValueError:
        return replace(draft, unread={**draft.unread, where: word})
    return replace(draft, said={**said, name: value})


def _may_be_blank(option: Option) -> bool:
    return option.may_be_none and option.name not in NEVER_BLANK


def _read_worth(word: str) -> bool | int:
    return False if word == "0" else read_award(value_of(word))


def _without_idle(base: Ruleset, said: Mapping[str, Any]) -> dict[str, Any]:
    """Drop answers that the book, or the other answers, give as well."""
    kept = dict(said)
    for name in said:
        rest = {other: value for other, value in kept.items() if other != name}
        if with_house(base, rest)[0] == with_house(base, kept)[0]:
            kept = rest
    return kept


def _stepped(step: str, posted: Mapping[str, str]) -> dict[str, str]:
    """Move one number up or down: what the buttons beside it do where there are no scripts."""
    where, _, by = step.rpartition(":")
    if where not in posted or not by.lstrip("-").isdigit() or len(by) > 4:
        return {}
    now = value_of(posted[where])
    lowest, highest = bounds_of(where)
    wanted = (now if isinstance(now, int) else 0) + int(by)
    return {where: str(min(max(wanted, lowest), highest))}


def bounds_of(where: str) -> tuple[int, int]:
    """Give the smallest and the largest number that a field takes."""
    if where.startswith(WORTH_FIELD):
        return 0, POINTS_OF_AWARD[1]
    option = options()[where.removeprefix(RULE_FIELD)]
    return option.lowest or 0, option.highest or 0


def _line(text: str) -> str:
    return " ".join(text.split())


def _notes(text: str) -> tuple[str, ...]:
    return tuple(line for line in map(_line, text.splitlines()) if line)
