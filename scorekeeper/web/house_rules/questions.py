"""The questions of the editor: every rule that can be answered otherwise, and why the others cannot."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scorekeeper.engine.outlook import tie_rule_decides
from scorekeeper.rules import phrases
from scorekeeper.rules.awards import description
from scorekeeper.rules.options import LOW, options
from scorekeeper.rules.questions import QUESTIONS, Availability, RuleKey, available_options, value_of, word_of
from scorekeeper.web.house_rules.form import RulesForm, field_name
from scorekeeper.web.shared.widgets import Choice, QuestionView

_GROUPS: Sequence[tuple[str, str, tuple[str, ...]]] = (
    ("points", "Points", ("points",)),
    ("bidding", "Bidding", ("bidding",)),
    ("moon", "The moon", ("moon",)),
    ("winning", "Winning", ("scoring", "winning")),
    ("play", "The deal and play", ("play",)),
    ("money", "Money", ("money",)),
)
"""An id, a heading, and the groups of options under it."""
_WITH_AWARDS = "points"
_CENTS_STEP = 5
_NO_TIE = "Only one side can go out on a hand, so nobody ties with it."


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberView:
    """A number to type, or to step up and down to."""

    field: str
    label: str
    value: str
    lowest: int
    highest: int
    note: str
    """What it hangs on, or the question."""
    placeholder: str
    """A dash where it may stay empty."""
    book: str
    """The book's number or word; empty where the book leaves it open."""
    step: int
    fault: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionGroup:
    """Questions that a family thinks of together."""

    group_id: str
    heading: str
    items: tuple[QuestionView | NumberView, ...]
    seldom: tuple[NumberView, ...]
    """Cards that could score, and do not."""
    closed: tuple[str, ...]
    """What the other answers rule out, and why: "Dirty: …"."""


def question_groups(
    form: RulesForm, messages: Mapping[str, str], *, fixed: Sequence[str] = ()
) -> tuple[QuestionGroup, ...]:
    """Return the groups that have anything to ask or to explain.

    `messages` say by field what is wrong; `fixed` are options that cannot be changed any more.
    """
    questions = _Questions(form, messages)
    groups = []
    for group_id, heading, parts in _GROUPS:
        names = [name for part in parts for name, option in options().items() if option.group == part]
        keys = [RuleKey(name) for name in names if name not in fixed]
        if group_id == _WITH_AWARDS:
            keys += [RuleKey(award_id, is_worth=True) for award_id in form.base.awards]
        groups.append(questions.group(group_id, heading, keys))
    return tuple(group for group in groups if group.items or group.seldom or group.closed)


@dataclass(frozen=True)
class _Questions:
    form: RulesForm
    messages: Mapping[str, str]

    @cached_property
    def _available(self) -> dict[RuleKey, Availability]:
        return available_options(self.form.base, self.form.answers)

    @cached_property
    def _available_in_base(self) -> dict[RuleKey, Availability]:
        return available_options(self.form.base, {}) if self.form.answers else self._available

    def group(self, group_id: str, heading: str, keys: Iterable[RuleKey]) -> QuestionGroup:
        """Return a group: rules to ask for, those seldom asked for, and those that the other answers rule out."""
        base, ruleset = self.form.base, self.form.ruleset
        scoring: list[NumberView] = []
        seldom: list[NumberView] = []
        asked: list[QuestionView | NumberView] = []
        closed: dict[str, list[str]] = {}
        for key in keys:
            availability, is_wrong = self._available[key], field_name(key) in self.messages
            is_answered = key in self.form.unreadable or (key.name in self.form.answers and key.name != LOW)
            if key.name == "tie_rule" and not is_answered and not tie_rule_decides(ruleset):
                if tie_rule_decides(base):
                    closed.setdefault(_NO_TIE, []).append(QUESTIONS[key.name].title(ruleset))
            elif not (availability.is_open or is_answered or is_wrong):
                if self._available_in_base[key].is_open:
                    title = base.awards[key.name].name if key.is_worth else QUESTIONS[key.name].title(ruleset)
                    closed.setdefault(availability.reason, []).append(title)
            elif key.is_worth:
                is_usual = base.worth(key.name) or ruleset.worth(key.name) or is_wrong
                (scoring if is_usual else seldom).append(self._number(key))
            else:
                asked.append(self._number(key) if QUESTIONS[key.name].is_number else self._strip(key))
        return QuestionGroup(
            group_id=group_id,
            heading=heading,
            items=(*scoring, *asked),
            seldom=tuple(seldom),
            closed=tuple(f"{phrases.listed(titles)}: {reason}" for reason, titles in closed.items()),
        )

    def _strip(self, key: RuleKey) -> QuestionView:
        question, ruleset = QUESTIONS[key.name], self.form.ruleset
        now, book = key.word_in(ruleset), key.word_in(self.form.base)
        possible = {now, book, *map(word_of, self._available[key].answers)} - {"", "none"}
        return QuestionView(
            field=field_name(key),
            question=question.ask(ruleset),
            choices=tuple(
                Choice(
                    value=word,
                    label=question.label(value_of(word), ruleset),
                    is_chosen=word == now,
                    is_book=word == book,
                )
                for word in question.answers
                if word in possible
            ),
            fault=self.messages.get(field_name(key), ""),
        )

    def _number(self, key: RuleKey) -> NumberView:
        base, ruleset = self.form.base, self.form.ruleset
        none, book, step = "", key.word_in(base), 1
        if key.is_worth:
            award = ruleset.awards[key.name]
            label, note = award.name, description(ruleset.kinds[key.name], ruleset.how_won(key.name))
        else:
            question = QUESTIONS[key.name]
            label, note = question.title(ruleset), question.ask(ruleset)
            if "none" in question.answers:
                none = question.label(None, ruleset)
            if question.is_money:
                note, step = f"{note} In cents.", _CENTS_STEP
            if key.may_be_none:
                note = f"{note} Blank: {none}."
            book = "" if key.name in base.open_options else book or none
        lowest, highest = key.limits
        return NumberView(
            field=field_name(key),
            label=label,
            value=self.form.word_in(key),
            lowest=lowest,
            highest=highest,
            note=note,
            placeholder="–" if none else "",
            book=book,
            step=step,
            fault=self.messages.get(field_name(key), ""),
        )


def digest(groups: Iterable[QuestionGroup]) -> str:
    """Return a few letters for what is asked and which answers there are, whatever is chosen."""
    parts: list[str] = []
    for group in groups:
        parts += group.closed
        for item in (*group.items, *group.seldom):
            if isinstance(item, QuestionView):
                parts.append(f"{item.field}{item.question}{[choice.label for choice in item.choices]}{item.fault}")
            else:
                parts.append(f"{item.field}{item.note}{item.placeholder}{item.fault}")
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:16]


def field_values(groups: Iterable[QuestionGroup]) -> Iterator[tuple[str, str]]:
    """Return what stands in every field, by its name."""
    for group in groups:
        for item in (*group.items, *group.seldom):
            if isinstance(item, QuestionView):
                yield item.field, next((choice.value for choice in item.choices if choice.is_chosen), "")
            else:
                yield item.field, item.value
