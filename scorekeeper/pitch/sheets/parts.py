"""The parts of a sheet, and the writer of its rules: their words, their origin, and what the house changed."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from typing import Literal

from scorekeeper.pitch.rules import phrases
from scorekeeper.pitch.rules.awards import AwardId
from scorekeeper.pitch.rules.options import moot_options, options
from scorekeeper.pitch.rules.questions import QUESTIONS
from scorekeeper.pitch.rules.schema import OwnSentence, Ruleset
from scorekeeper.pitch.rules.sources import InterpretationNumber, Reference, parse_trace

BLANK = "____"
"""The placeholder in a text for a blank to write on."""
LEFT_OPEN = "up to you"
"""The answer in a rule where the sources have several answers, and the table chooses."""

_SINGLE_AWARD_LEAD, _SCORER_AT_START = re.compile(r"([^,]+) (\d+):"), re.compile(r"the (?:side|player)\b[^,:.]*")
"""Patterns for the lead of a rule about one award, "Low 1:", and for the scorer that its text begins with."""

Mark = Literal["", "interpretation", "house", "open"]
"""What a sheet shows beside a rule: nothing, † for an interpretation, a pencil, or a box, which may have a † too."""
SectionId = Literal["players", "deal", "bid", "trump", "play", "count", "win", "argue", "house"]
"""The sections of a sheet in order; their numbers start at 1 with `players`."""


@dataclass(frozen=True, slots=True)
class RuleOrigin:
    """Where a rule comes from."""

    references: tuple[Reference, ...] = ()
    """The lines of sources and the interpretations that state the rule."""
    house: tuple[str, ...] = ()
    """The options that decide the rule and that the house changed."""
    agreed: tuple[str, ...] = ()
    """The options that decide the rule, that the sources leave open, and that the table answered."""
    open: tuple[str, ...] = ()
    """The options that decide the rule, that the sources leave open, and that nobody has answered yet."""
    is_silent: bool = False
    """Whether no source has anything about the rule, which is a blank for what the table agrees on."""
    is_left_open: bool = False
    """Whether the sources leave the rule's question open, so that its text is always the table's own answer."""

    @property
    def interpretations(self) -> tuple[InterpretationNumber, ...]:
        """The interpretations that the rule is based on; empty where it is the house's or the table's own."""
        if self.house or self.is_left_open:
            return ()
        return tuple(reference for reference in self.references if isinstance(reference, InterpretationNumber))

    @property
    def mark(self) -> Mark:
        """What a sheet shows beside the rule."""
        if self.house:
            return "house"
        if self.open or self.is_silent:
            return "open"
        return "interpretation" if self.interpretations else ""

    @property
    def is_known(self) -> bool:
        """Whether the rule has any origin."""
        return bool(self.references or self.house or self.agreed or self.open or self.is_silent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule, as a sentence or two."""

    id: str
    """The section and a name: "bid.forced". Unlike the number it is the same on every sheet."""
    text: str
    """The sentences after the lead; they may have blanks."""
    lead: str = ""
    """Words in bold before the sentence."""
    origin: RuleOrigin = field(default=RuleOrigin())
    decided_by: tuple[str, ...] = ()
    """The options and awards that the text depends on, most important first."""
    number: str = ""
    """The number on this sheet: "3.2"."""
    also: tuple[str, ...] = ()
    """Further ids for the same rule, of awards that share its sentence."""

    @property
    def mark(self) -> Mark:
        """What a sheet shows beside the rule."""
        return self.origin.mark

    @property
    def is_interpretation(self) -> bool:
        """Whether the rule is in whole or in part an agreed interpretation, marked †."""
        return bool(self.origin.interpretations)

    @property
    def has_blank(self) -> bool:
        """Whether the text has a blank to write on."""
        return BLANK in self.text

    @property
    def sentence(self) -> str:
        """The lead and the text as one sentence: "The side that plays the Deuce scores 1."."""
        single, scorer = _SINGLE_AWARD_LEAD.fullmatch(self.lead), _SCORER_AT_START.match(self.text)
        if not (single and scorer):
            return f"{self.lead} {self.text}".strip()
        name, points = single.groups()
        subject, rest = scorer[0], self.text[scorer.end() :]
        named = subject.replace(" the card", f" the {name}")
        return phrases.capitalize(f"{named} scores {points}{'' if named != subject else f' for {name}'}{rest}")


def has_interpretations(rules: Iterable[Rule]) -> bool:
    """Return whether any of these rules is marked as an interpretation."""
    return any(rule.is_interpretation for rule in rules)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number at the head of the sheet, with a caption; an empty value is a blank to write on."""

    value: str
    caption: str
    is_house: bool = False
    """Whether the house changed what the figure says."""


@dataclass(frozen=True, slots=True)
class TrumpFace:
    """One card in the row of trumps."""

    rank: str
    sign: str
    """The suit sign, or the star of a joker."""
    value: str
    """The points that the card scores; empty for none, which is drawn light."""
    is_house: bool
    """Whether the house changed what the card scores."""


@dataclass(frozen=True, slots=True)
class TrumpPicture:
    """The row of trumps in rank order, and what else scores or counts toward Game."""

    cards: tuple[TrumpFace, ...]
    also: tuple[TrumpFace, ...]
    """Awards that are not for a card of the row, such as Game or the last trick; `rank` is the award's name."""
    counts: str
    """The card points: "A 4, K 3, Q 2, J 1, 10 10"; empty where the game has none."""
    counted: str
    """The name of the award for card points, such as Game or "Muck"; empty where the game has none."""
    caught: str
    """What a card scores when another side catches it; empty where that makes no difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BidRow(Rule):
    """A rule that is a row of the table of bids: what a bid needs, wins if made, and costs if set."""

    bid: str
    needs: str
    made: str
    cost: str

    @property
    def has_blank(self) -> bool:
        """Whether the bid itself is still to be agreed."""
        return BLANK in self.bid


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A row of a worked hand: the scores before, what a line adds, or the scores after."""

    label: str
    scores: tuple[str, ...]
    """The scores in the order of the hand's sides."""
    is_total: bool = False
    """Whether these are the scores after the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedHand:
    """An example hand, scored by `pitch.scoring`: who bid, who took what, and the scores."""

    title: str
    """"A made bid", "A failed moon"."""
    story: tuple[str, ...]
    """The events of the hand, as sentences."""
    sides: tuple[str, ...]
    """The names of the sides, in the order of the scores in each row."""
    rows: tuple[ScoreRow, ...]
    result: str
    """The conclusion: "They have more, but we made our bid: we win."."""
    is_set: bool
    """Whether the bid was set, so that the first side's loss is circled."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the rules under it, in order: rules, a table of bids, more rules."""

    id: SectionId
    title: str
    all_rules: tuple[Rule, ...]
    number: int = 0
    is_continued: bool = False
    """Whether this is the rest of a section that began in the other column."""

    @property
    def bids(self) -> tuple[BidRow, ...]:
        """The rows of the table of bids."""
        return tuple(rule for rule in self.all_rules if isinstance(rule, BidRow))

    @property
    def intro(self) -> tuple[Rule, ...]:
        """The rules above the table of bids; empty where the section has no table."""
        return tuple(takewhile(lambda rule: not isinstance(rule, BidRow), self.all_rules)) if self.bids else ()

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules below the table of bids, or all rules where the section has no table."""
        return self.all_rules[len(self.intro) + len(self.bids) :]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArguedQuestion:
    """A question that tables argue about, with this table's answer."""

    question: str
    answer: str
    number: str
    """The number of the rule that answers the question."""
    rule_id: str
    """The id of that rule."""
    mark: Mark


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that the sources leave open, with boxes to check, or a blank."""

    ask: str
    choices: tuple[str, ...] = ()
    """The labels of the boxes; empty where there is a blank instead."""
    is_interpretation: bool = False
    """Whether an interpretation says that the source has these answers."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An optional rule of the source that this table does not play yet, with a box to check."""

    text: str
    origin: RuleOrigin

    @property
    def is_interpretation(self) -> bool:
        """Whether the rule is in whole or in part an agreed interpretation."""
        return bool(self.origin.interpretations)


@dataclass(frozen=True, slots=True)
class HouseFrame:
    """The house rules: changes of the published rules, answers to what these leave open, and questions still open."""

    title: str
    changes: tuple[str, ...]
    """The rules that the house changed, as sentences."""
    agreed: tuple[str, ...] = ()
    """The rules that the sources leave open and the table agreed on, as sentences."""
    notes: tuple[str, ...] = ()
    """Sentences that the house wrote itself."""
    questions: tuple[OpenQuestion, ...] = ()
    offers: tuple[Offer, ...] = ()
    options: tuple[str, ...] = ()
    """The options and awards behind `changes`, then those behind `agreed`."""

    @property
    def is_empty(self) -> bool:
        """Whether the frame has no content."""
        return not (self.changes or self.agreed or self.notes or self.questions or self.offers)

    @property
    def has_interpretations(self) -> bool:
        """Whether a question or an offer is marked as an interpretation."""
        return any(question.is_interpretation for question in self.questions) or any(
            offer.is_interpretation for offer in self.offers
        )


_IMPLIED_BY = {"low": "dirty", "target": "count_down_from", "length": "hands"}
"""Options that are decided by the other option once that is answered; then they are neither listed nor left open."""


@dataclass(frozen=True)
class SheetWriter:
    """Writes the rules of a sheet for a ruleset; `base` is its published version."""

    ruleset: Ruleset
    base: Ruleset

    @cached_property
    def words(self) -> Mapping[str, str]:
        """The values of the placeholders in a sentence."""
        return phrases.placeholders(self.ruleset)

    @cached_property
    def moot_reasons(self) -> Mapping[str, str]:
        """The reasons why options decide nothing beside the other answers, by option."""
        return moot_options(self.ruleset)

    @cached_property
    def changed_options(self) -> frozenset[str]:
        """The options that the house answers differently from the published rules, except moot ones."""
        ruleset, base = self.ruleset, self.base
        return frozenset(
            name for name in options() - self.moot_reasons.keys() if ruleset.answer(name) != base.answer(name)
        )

    @cached_property
    def changed_awards(self) -> frozenset[AwardId]:
        """The awards that the house switched on or off, or whose points it changed."""
        awards = {*self.ruleset.in_play, *self.base.in_play}
        return frozenset(award for award in awards if self.ruleset.worth(award) != self.base.worth(award))

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """All options that the house changed, then all awards that it changed."""
        return (*sorted(self.changed_options), *sorted(self.changed_awards))

    def has_changed(self, *options: str) -> bool:
        """Return whether the house changed any of these options or awards."""
        return not (self.changed_options | self.changed_awards).isdisjoint(options)

    def bid_row(self, rule_id: str, *decided_by: str, bid: str, needs: str, made: str, cost: str) -> BidRow:
        """Return a row of the table of bids that the options in `decided_by` decide."""
        return BidRow(
            id=rule_id,
            text=f"{bid}: needs {needs}; made {made}, set {cost}.",
            bid=bid,
            needs=needs,
            made=made,
            cost=cost,
            origin=self.origin(rule_id, *decided_by),
            decided_by=decided_by,
        )

    def origin(self, rule_id: str, *decided_by: str) -> RuleOrigin:
        """Return the origin of a rule that the options and awards in `decided_by` decide."""
        changed = [name for name in decided_by if self.has_changed(name)]
        return RuleOrigin(
            references=parse_trace(self.base.sheet.trace[rule_id]) if rule_id in self.base.sheet.trace else (),
            house=tuple(name for name in changed if name not in self.base.open_options),
            agreed=tuple(name for name in changed if name in self.base.open_options),
            open=tuple(name for name in decided_by if name in self.ruleset.open_options),
            is_left_open=self._is_left_open(decided_by),
        )

    def _is_left_open(self, decided_by: Iterable[str]) -> bool:
        """Return whether the published rules leave all of these options open, not counting answers of "none"."""
        left_open = self.base.open_options
        questions = [name for name in decided_by if name in left_open or self.base.answer(name) is not None]
        return bool(questions) and set(left_open).issuperset(questions)

    def rule(self, rule_id: str, text: str, *decided_by: str, lead: str = "", also: tuple[str, ...] = ()) -> Rule:
        """Return a rule decided by these options; in the variant's own words unless the house changed one."""
        own = self.base.sheet.sentences.get(rule_id)
        if own and own.replaces and not self.has_changed(*decided_by) and self._is_in_force(own):
            text = own.text.format_map(self.words)
        origin = self.origin(rule_id, *decided_by)
        return Rule(
            id=rule_id,
            text=text if lead else phrases.capitalize(text),
            lead=lead,
            origin=origin,
            decided_by=decided_by,
            also=also,
        )

    @cached_property
    def offers(self) -> Mapping[str, Sequence[object]]:
        """The answers that the sources offer, by option, without moot options and those that the house changed."""
        return {
            name: answers
            for name, answers in self.base.sheet.offers.items()
            if not (self.moot_reasons.get(name) or self.has_changed(name) or self.is_implied(name))
        }

    def is_implied(self, option: str) -> bool:
        """Return whether this option is decided by an answer of the house to another option."""
        cause = _IMPLIED_BY.get(option)
        return cause is not None and self.has_changed(cause) and self.ruleset.answer(cause) not in (None, False)

    def offered_answer(self, option: str, answer: object) -> object:
        """Return an offered answer as `Ruleset.answer` has it: the points of an award instead of `True`."""
        awards = self.ruleset.awards
        return awards[option].points if answer is True and option in awards else answer

    def is_left_to_table(self, option: str) -> bool:
        """Return whether the sources have several answers to an option, of which its present one is one."""
        answers = self.offers.get(option, ())
        return self.ruleset.answer(option) in [self.offered_answer(option, answer) for answer in answers]

    def answer_rule(self, rule_id: str, option: str, *more: str, and_then: str = "") -> Rule:
        """Return the rule that states an option's answer in the words of its question; `more` options may decide it."""
        question = QUESTIONS[option]
        text = question.rule(self.ruleset)
        if self.is_left_to_table(option):
            text = f"{question.question_text(self.ruleset).removesuffix('?')}: {LEFT_OPEN}."
        rule = self.rule(rule_id, f"{text} {and_then}" if and_then else text, option, *more)
        if option not in self.base.open_options:
            return rule
        return replace(rule, origin=replace(rule.origin, is_left_open=True))

    def unusual_rules(self, section: SectionId, *names: str) -> Iterator[Rule]:
        """Yield the rules for these options, except for moot options and for defaults that the house did not change."""
        for name in names:
            if name not in self.moot_reasons and (
                self.ruleset.answer(name) != options()[name].default or self.has_changed(name)
            ):
                yield self.answer_rule(f"{section}.{name}", name)

    def with_own_sentences(self, section: SectionId, rules: Iterable[Rule], ids: Collection[str]) -> tuple[Rule, ...]:
        """Return the rules of a section, and among them those that the variant adds in its own words.

        `ids` are the ids of the rules in the sections before.
        """
        ordered = [*rules]
        for rule_id, own in self.base.sheet.sentences.items():
            is_needed = own.needs in ("", *ids) and set(own.unless).isdisjoint(ids) and self._is_in_force(own)
            if rule_id.startswith(f"{section}.") and own.text and not own.replaces and is_needed:
                ordered_ids = [rule.id for rule in ordered]
                index = ordered_ids.index(own.before) if own.before in ordered_ids else len(ordered)
                # An id that another rule of the section has stays with that rule.
                also = tuple(other for other in own.also if other not in ordered_ids)
                ordered.insert(index, self._own_rule(rule_id, own, also))
        return tuple(ordered)

    def _own_rule(self, rule_id: str, own: OwnSentence, also: tuple[str, ...]) -> Rule:
        """Return the rule for an additional sentence of the variant; with a blank, the sources are silent on it."""
        rule = self.rule(rule_id, own.text.format_map(self.words), also=also)
        if rule.has_blank:
            return replace(rule, origin=replace(rule.origin, is_silent=True))
        references = rule.origin.references or self.origin(own.needs).references
        return replace(rule, origin=replace(rule.origin, references=references))

    def _is_in_force(self, own: OwnSentence) -> bool:
        """Return whether the ruleset has all answers that a sentence of the variant depends on."""
        return all(self.ruleset.answer(name) == answer for name, answer in own.holds_while.items())


def money_or_blank(cents: int | None) -> str:
    """Return an amount of money, or a blank to write it on where it is still to be agreed."""
    return BLANK if cents is None else phrases.money_text(cents)
