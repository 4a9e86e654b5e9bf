"""The composer in words: every question that can be answered otherwise, and what differs so far."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scorekeeper.rules import words
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.offers import LOW, Offer, Offers, offers
from scorekeeper.rules.options import options
from scorekeeper.rules.questions import QUESTIONS, value_of, word_of
from scorekeeper.rules.schema import AwardId
from scorekeeper.web.contexts.composer import ComposerGroup, ComposerItem, NumberView
from scorekeeper.web.contexts.parts import Choice, QuestionView
from scorekeeper.web.forms.composer import (
    NEVER_BLANK,
    RULE_FIELD,
    WORTH_FIELD,
    RulesDraft,
    answer_to,
    bounds_of,
    word_in,
)

GROUPS: Sequence[tuple[str, str, tuple[str, ...]]] = (
    ("points", "Points", ("points",)),
    ("bidding", "Bidding", ("bidding",)),
    ("moon", "The moon", ("moon",)),
    ("winning", "Winning", ("scoring", "winning")),
    ("play", "The deal and play", ("play",)),
    ("money", "Money", ("money",)),
)
"""How a family thinks of its rules: an id, a heading, and the groups of options under it."""
_CENTS_STEP = 5


@dataclass(frozen=True)
class Questions:
    """Every question of one draft."""

    draft: RulesDraft
    settled: frozenset[str] = frozenset()
    """Options that nobody may change any more."""
    faults: tuple[Fault, ...] = ()

    @cached_property
    def now(self) -> Offers:
        """What can be answered beside what has been said."""
        return offers(self.draft.base, self.draft.said)

    @cached_property
    def at_first(self) -> Offers:
        """What the book alone would let a house answer."""
        return self.now if not self.draft.said else offers(self.draft.base, {})

    @cached_property
    def _said_of(self) -> Mapping[str, str]:
        said: dict[str, str] = {}
        for fault in self.faults:
            said.setdefault(fault.field, fault.message)
        return said

    @cached_property
    def groups(self) -> tuple[ComposerGroup, ...]:
        """Give the groups that have anything to ask or to say."""
        groups = (self._group(*group) for group in GROUPS)
        return tuple(group for group in groups if group.items or group.more or group.closed)

    def _group(self, group_id: str, heading: str, parts: tuple[str, ...]) -> ComposerGroup:
        asked = [name for part in parts for name in options() if options()[name].group == part]
        shown, closed = self._sorted(asked)
        items = [ComposerItem(**self._item(name)) for name in shown]
        more: list[ComposerItem] = []
        if group_id == "points":
            usual, seldom, shut = self._awards()
            items, more = [*usual, *items], seldom
            closed |= shut
        return ComposerGroup(
            group_id=group_id,
            heading=heading,
            items=tuple(items),
            more=tuple(more),
            more_label="Other cards that can score" if more else "",
            closed=tuple(f"{words.listed(titles)}: {reason}" for reason, titles in closed.items()),
        )

    def _sorted(self, asked: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
        """Part the options that can be answered from those that the other answers rule out."""
        shown: list[str] = []
        closed: dict[str, list[str]] = {}
        for name in asked:
            offer = self.now.options[name]
            if name in self.settled:
                continue
            if self._is_shown(f"{RULE_FIELD}{name}", offer):
                shown.append(name)
            elif self.at_first.options[name].is_open:
                closed.setdefault(offer.reason, []).append(QUESTIONS[name].title(self.draft.ruleset))
        return shown, closed

    def _is_shown(self, where: str, offer: Offer) -> bool:
        name = where.removeprefix(RULE_FIELD).removeprefix(WORTH_FIELD)
        is_said = name in self.draft.said and name != LOW
        return offer.is_open or is_said or where in self._said_of or where in self.draft.unread

    def _item(self, name: str) -> dict[str, Any]:
        question = QUESTIONS[name]
        return {"number": self._number(name)} if question.is_number else {"strip": self._strip(name)}

    def _strip(self, name: str) -> QuestionView:
        question, ruleset, where = QUESTIONS[name], self.draft.ruleset, f"{RULE_FIELD}{name}"
        now, book = word_in(ruleset, where), word_in(self.draft.base, where)
        open_words = {word_of(value) for value in self.now.options[name].answers} | {now, book} - {""}
        return QuestionView(
            field=where,
            question=question.ask(ruleset),
            choices=tuple(
                Choice(
                    value=word,
                    label=question.label(value_of(word), ruleset),
                    is_chosen=word == now,
                    is_book=word == book,
                )
                for word in question.answers
                if word in open_words and word != "none"
            ),
            fault=self._said_of.get(where, ""),
        )

    def _number(self, name: str) -> NumberView:
        question, ruleset, where = QUESTIONS[name], self.draft.ruleset, f"{RULE_FIELD}{name}"
        lowest, highest = bounds_of(where)
        book = answer_to(self.draft.base, name)
        is_money = question.group == "money"
        none = question.label(None, ruleset) if "none" in question.answers else ""
        blank = f"Blank: {none}." if none and name not in NEVER_BLANK else ""
        return NumberView(
            field=where,
            label=question.title(ruleset),
            value=self.draft.word(where),
            lowest=lowest,
            highest=highest,
            note=" ".join(filter(None, (question.ask(ruleset), "In cents." if is_money else "", blank))),
            placeholder="–" if none else "",
            book="" if name in self.draft.base.open_options else none if book is None else str(book),
            step=_CENTS_STEP if is_money else 1,
            fault=self._said_of.get(where, ""),
        )

    def _awards(self) -> tuple[list[ComposerItem], list[ComposerItem], dict[str, list[str]]]:
        """Part the cards that score, or did in the book, from the many that could."""
        usual: list[ComposerItem] = []
        seldom: list[ComposerItem] = []
        shut: dict[str, list[str]] = {}
        for award_id, offer in self.now.awards.items():
            where = f"{WORTH_FIELD}{award_id}"
            is_usual = self.draft.base.worth(award_id) or self.draft.ruleset.worth(award_id) or where in self._said_of
            if self._is_shown(where, offer):
                (usual if is_usual else seldom).append(ComposerItem(number=self._worth(award_id)))
            elif self.at_first.awards[award_id].is_open:
                shut.setdefault(offer.reason, []).append(self.draft.base.awards[award_id].name)
        return usual, seldom, shut

    def _worth(self, award_id: AwardId) -> NumberView:
        ruleset, where = self.draft.ruleset, f"{WORTH_FIELD}{award_id}"
        award = ruleset.awards[award_id]
        lowest, highest = bounds_of(where)
        book = word_in(self.draft.base, where)
        return NumberView(
            field=where,
            label=award.name,
            value=self.draft.word(where),
            lowest=lowest,
            highest=highest,
            note=words.award_card(award_id, award),
            book=book,
            fault=self._said_of.get(where, ""),
        )

    @property
    def asks(self) -> str:
        """Stand for what is asked and which answers there are, whatever is chosen."""
        return "|".join(self._parts())

    def _parts(self) -> Iterator[str]:
        for group in self.groups:
            yield from group.closed
            for item in (*group.items, *group.more):
                if item.strip:
                    strip = item.strip
                    yield f"{strip.field}{strip.question}{[choice.label for choice in strip.choices]}{strip.fault}"
                elif item.number:
                    number = item.number
                    yield f"{number.field}{number.note}{number.placeholder}{number.fault}"


def values_of(groups: Sequence[ComposerGroup]) -> Iterator[tuple[str, str]]:
    """Give what stands in every field."""
    for group in groups:
        for item in (*group.items, *group.more):
            if item.strip:
                chosen = next((choice.value for choice in item.strip.choices if choice.is_chosen), "")
                yield item.strip.field, chosen
            elif item.number:
                yield item.number.field, item.number.value
