"""The parts of a rule sheet, and `SheetWriter`, which writes its rules and marks what the house changed."""

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
"""The blank in a text, for the players to write on."""
LEFT_OPEN = "up to you"
"""The words in place of an answer that the sources leave to the table."""

_SINGLE_AWARD_LEAD, _SCORER_AT_START = re.compile(r"([^,]+) (\d+):"), re.compile(r"the (?:side|player)\b[^,:.]*")
"""Patterns for the lead of a rule on one award, "Low 1:", and for the start of its text: "the side that plays it"."""

Mark = Literal["", "interpretation", "house", "open"]
"""The mark beside a rule: none, † for an interpretation, a pencil for a house rule, a box for an open question."""
SectionId = Literal["players", "deal", "bid", "trump", "play", "count", "win", "argue", "house"]
"""The ids of the sections of a sheet, in order; `players` is section 1."""


@dataclass(frozen=True, slots=True)
class RuleOrigin:
    """What a rule comes from: sources, interpretations, or answers of the house."""

    references: tuple[Reference, ...] = ()
    """The passages in the sources, and the interpretations, that state the rule."""
    changed: tuple[str, ...] = ()
    """The options and awards behind the rule that the house changed from what the published game says."""
    agreed: tuple[str, ...] = ()
    """The options behind the rule that the sources leave open and the house answered."""
    open: tuple[str, ...] = ()
    """The options behind the rule that the sources leave open and nobody has answered yet."""
    is_silent: bool = False
    """Whether the sources say nothing about the rule, so that it has a blank for what the table agrees on."""
    is_left_open: bool = False
    """Whether the sources leave the rule's question open, for the table to answer."""

    @property
    def interpretations(self) -> tuple[InterpretationNumber, ...]:
        """The interpretations behind the rule; empty if the house changed it or the sources leave it open."""
        if self.changed or self.is_left_open:
            return ()
        return tuple(reference for reference in self.references if isinstance(reference, InterpretationNumber))

    @property
    def mark(self) -> Mark:
        """The mark that a sheet shows beside the rule."""
        if self.changed:
            return "house"
        if self.open or self.is_silent:
            return "open"
        return "interpretation" if self.interpretations else ""

    @property
    def is_known(self) -> bool:
        """Whether the origin says anything: a reference, an option of the house, or that the sources are silent."""
        return bool(self.references or self.changed or self.agreed or self.open or self.is_silent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule of a sheet, in a sentence or two."""

    id: str
    """The id, which starts with the section and is the same on every sheet: "bid.forced"."""
    text: str
    """The sentences of the rule after its lead, perhaps with blanks to write on."""
    lead: str = ""
    """The words in bold before the text: "Low 1:"."""
    origin: RuleOrigin = field(default=RuleOrigin())
    decided_by: tuple[str, ...] = ()
    """The options and awards on which the text depends, most important first."""
    number: str = ""
    """The number on its sheet: "3.2"."""
    also: tuple[str, ...] = ()
    """Further ids of a rule on several awards: a rule "count.high" may also be "count.low"."""

    @property
    def mark(self) -> Mark:
        """The mark that a sheet shows beside the rule."""
        return self.origin.mark

    @property
    def is_interpretation(self) -> bool:
        """Whether the rule is, at least in part, our interpretation of the sources, and so is marked †."""
        return bool(self.origin.interpretations)

    @property
    def has_blank(self) -> bool:
        """Whether the text has a blank to write on."""
        return BLANK in self.text

    @property
    def sentence(self) -> str:
        """The lead and the text, as one sentence if they fit: "The side that plays the Deuce scores 1."."""
        award_lead, scorer_start = _SINGLE_AWARD_LEAD.fullmatch(self.lead), _SCORER_AT_START.match(self.text)
        if not (award_lead and scorer_start):
            return f"{self.lead} {self.text}".strip()
        name, points = award_lead.groups()
        subject, rest = scorer_start[0], self.text[scorer_start.end() :]
        named_subject = subject.replace(" the card", f" the {name}")
        return phrases.capitalize(
            f"{named_subject} scores {points}{'' if named_subject != subject else f' for {name}'}{rest}"
        )


def has_interpretations(rules: Iterable[Rule]) -> bool:
    """Return whether any of `rules` is an interpretation of the sources, at least in part."""
    return any(rule.is_interpretation for rule in rules)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure at the head of a sheet: "21", "ends the match". An empty value is shown as a blank."""

    value: str
    caption: str
    is_changed: bool = False
    """Whether the house changed what the figure shows."""


@dataclass(frozen=True, slots=True)
class TrumpFace:
    """A card in the row of trumps on a sheet, or an award beside that row."""

    rank: str
    sign: str
    """The suit sign, or the star of a joker; empty for an award."""
    value: str
    """The points that the card or the award scores; empty for a card without points."""
    is_changed: bool
    """Whether the house changed what the card or the award scores."""


@dataclass(frozen=True, slots=True)
class TrumpPicture:
    """The row of trumps on a sheet, ordered by rank, with what else scores and what counts toward Game."""

    cards: tuple[TrumpFace, ...]
    other_awards: tuple[TrumpFace, ...]
    """The awards that are not for a card of the row, such as Game. Their `rank` is the name of the award."""
    card_points: str
    """The card points of each rank: "A 4, K 3, Q 2, J 1, 10 10"; empty if the game has none."""
    card_points_award: str
    """The name of the award for the most card points; empty if the game has none."""
    caught: str
    """Sentences on cards that score more when taken from the other side; empty if none does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BidRow(Rule):
    """A rule in the form of a row in the table of bids: what a bid needs, wins if made, and costs if set."""

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
    """A row in the score of a worked hand: the scores before the hand, the changes, or the scores after the hand."""

    label: str
    scores: tuple[str, ...]
    """The scores or changes, in the order of `WorkedHand.sides`."""
    is_total: bool = False
    """Whether the row has the scores after the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedHand:
    """An example hand on a rule sheet, scored by the app."""

    title: str
    """The title: "A made bid", "A failed moon"."""
    story: tuple[str, ...]
    """What happens in the hand, in sentences."""
    sides: tuple[str, ...]
    """The names of the sides, in the order of the scores in each row."""
    rows: tuple[ScoreRow, ...]
    result: str
    """The conclusion: "They have more, but we made our bid: we win."."""
    is_set: bool
    """Whether the bid was set. The loss of the first side, which bid, is then circled."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a sheet: a heading and its rules. Those that are a `BidRow` form the table of bids."""

    id: SectionId
    title: str
    all_rules: tuple[Rule, ...]
    number: int = 0
    is_continued: bool = False
    """Whether this is the second part of a section, which began in an earlier column."""

    @property
    def bids(self) -> tuple[BidRow, ...]:
        """The rows of the table of bids; empty where the section has no table."""
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
    """A question that players often argue about, with the answer that the sheet gives."""

    question: str
    answer: str
    number: str
    """The number of the rule that answers the question."""
    rule_id: str
    """The id of the rule that answers the question."""
    mark: Mark


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question left to the table, printed with boxes to check or a blank to write on."""

    question: str
    choices: tuple[str, ...] = ()
    """The labels of the boxes, of which one may be `BLANK`; empty if there is only a blank."""
    is_interpretation: bool = False
    """Whether it is our interpretation of the source that the table chooses between these answers."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An optional rule of the source that the house does not play, printed with a box to check."""

    text: str
    origin: RuleOrigin

    @property
    def is_interpretation(self) -> bool:
        """Whether the rule is, at least in part, our interpretation of the sources, and so is marked †."""
        return bool(self.origin.interpretations)


@dataclass(frozen=True, slots=True)
class HouseFrame:
    """The house rules on a sheet, with questions still to be agreed and optional rules."""

    title: str
    changes: tuple[str, ...]
    """The rules that the house changed, as sentences."""
    agreed: tuple[str, ...] = ()
    """The rules that the sources leave open and the house answered, as sentences."""
    notes: tuple[str, ...] = ()
    """Sentences that the house wrote itself."""
    questions: tuple[OpenQuestion, ...] = ()
    offers: tuple[Offer, ...] = ()
    options: tuple[str, ...] = ()
    """The options and awards behind `changes`, then those behind `agreed`."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show: no house rules, notes, questions or offers."""
        return not (self.changes or self.agreed or self.notes or self.questions or self.offers)

    @property
    def has_interpretations(self) -> bool:
        """Whether a question or an offer is an interpretation."""
        return any(question.is_interpretation for question in self.questions) or any(
            offer.is_interpretation for offer in self.offers
        )


_IMPLIED_BY = {"low": "dirty", "target": "count_down_from", "length": "hands"}
"""The option whose answer decides another, keyed by the decided one, which sheets then neither list nor ask."""


@dataclass(frozen=True)
class SheetWriter:
    """Writes the rules of a ruleset's sheet, and marks where they differ from `base`, its published version."""

    ruleset: Ruleset
    base: Ruleset

    @cached_property
    def words(self) -> Mapping[str, str]:
        """The words for the placeholders in sentences, keyed by placeholder: `{"target": "21"}`."""
        return phrases.placeholders(self.ruleset)

    @cached_property
    def moot_reasons(self) -> Mapping[str, str]:
        """Why an option is moot, keyed by moot option; empty for an option that is reset to its default."""
        return moot_options(self.ruleset)

    @cached_property
    def changed_options(self) -> frozenset[str]:
        """The options that the house answers differently from the published rules, without moot ones."""
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
        """Return whether the house changed any of `options`, which may also be ids of awards."""
        return not (self.changed_options | self.changed_awards).isdisjoint(options)

    def bid_row(self, rule_id: str, *decided_by: str, bid: str, needs: str, made: str, cost: str) -> BidRow:
        """Return a row of the table of bids with the words in `bid`, `needs`, `made` and `cost`.

        `decided_by` are the options that decide them.
        """
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
        """Return what the rule `rule_id` comes from; `decided_by` are the options and awards that decide it."""
        changed_names = [name for name in decided_by if self.has_changed(name)]
        return RuleOrigin(
            references=parse_trace(self.base.sheet.trace[rule_id]) if rule_id in self.base.sheet.trace else (),
            changed=tuple(name for name in changed_names if name not in self.base.open_options),
            agreed=tuple(name for name in changed_names if name in self.base.open_options),
            open=tuple(name for name in decided_by if name in self.ruleset.open_options),
            is_left_open=self._is_left_open(decided_by),
        )

    def _is_left_open(self, decided_by: Iterable[str]) -> bool:
        """Return whether the published rules leave open all options of `decided_by` that apply in them.

        The result is false if none of the options applies.
        """
        open_options = self.base.open_options
        applying_options = [name for name in decided_by if name in open_options or self.base.answer(name) is not None]
        return bool(applying_options) and set(open_options).issuperset(applying_options)

    def rule(self, rule_id: str, text: str, *decided_by: str, lead: str = "", also: tuple[str, ...] = ()) -> Rule:
        """Return a rule with `text`, or with a sentence of the variant's own that replaces `text`.

        The variant's sentence is used unless the house changed an option in `decided_by`, or another answer on which
        the sentence depends. A blank that neither an open option nor a source is behind means that the sources are
        silent.
        """
        sentence = self.base.sheet.sentences.get(rule_id)
        if sentence and sentence.replaces and not self.has_changed(*decided_by) and self._is_in_force(sentence):
            text = sentence.text.format_map(self.words)
        origin = self.origin(rule_id, *decided_by)
        return Rule(
            id=rule_id,
            text=text if lead else phrases.capitalize(text),
            lead=lead,
            origin=replace(origin, is_silent=BLANK in text and not (origin.open or origin.references)),
            decided_by=decided_by,
            also=also,
        )

    @cached_property
    def offers(self) -> Mapping[str, Sequence[object]]:
        """The answers that the sources offer, keyed by option; the published one may be among them.

        Only options that matter and that the house did not decide have any.
        """
        return {
            name: answers
            for name, answers in self.base.sheet.offers.items()
            if not (self.moot_reasons.get(name) or self.has_changed(name) or self.is_implied(name))
        }

    def is_implied(self, option: str) -> bool:
        """Return whether the house's answer to another option decides `option`: `hands` decides `length`."""
        decider = _IMPLIED_BY.get(option)
        return decider is not None and self.has_changed(decider) and self.ruleset.answer(decider) not in (None, False)

    def offered_answer(self, option: str, answer: object) -> object:
        """Return an offered answer in the form of `Ruleset.answer`: for an award, its points instead of `True`."""
        awards = self.ruleset.awards
        return awards[option].points if answer is True and option in awards else answer

    def is_left_to_table(self, option: str) -> bool:
        """Return whether the answer to `option` is among those that the sources offer, unchanged by the house."""
        answers = self.offers.get(option, ())
        return self.ruleset.answer(option) in [self.offered_answer(option, answer) for answer in answers]

    def answer_rule(self, rule_id: str, option: str, *more_options: str, and_then: str = "") -> Rule:
        """Return the rule that the answer to `option` states, followed by the sentences `and_then`.

        `more_options` may decide the rule as well. If the answer is left to the table, the rule asks the question of
        the option instead.
        """
        question = QUESTIONS[option]
        text = question.rule(self.ruleset)
        if self.is_left_to_table(option):
            text = f"{question.question_text(self.ruleset).removesuffix('?')}: {LEFT_OPEN}."
        rule = self.rule(rule_id, f"{text} {and_then}" if and_then else text, option, *more_options)
        if option not in self.base.open_options:
            return rule
        return replace(rule, origin=replace(rule.origin, is_left_open=True))

    def unusual_rules(self, section: SectionId, *names: str) -> Iterator[Rule]:
        """Yield a rule for each option in `names` that has an unusual answer, or one that the house changed.

        A moot option has no rule.
        """
        for name in names:
            if name not in self.moot_reasons and (
                self.ruleset.answer(name) != options()[name].default or self.has_changed(name)
            ):
                yield self.answer_rule(f"{section}.{name}", name)

    def with_added_rules(
        self, section: SectionId, rules: Iterable[Rule], earlier_ids: Collection[str]
    ) -> tuple[Rule, ...]:
        """Return the rules of a section with those that the variant adds in sentences of its own.

        `earlier_ids` are the ids of the rules in the sections before, on which an added rule may depend.
        """
        all_rules = [*rules]
        for rule_id, sentence in self.base.sheet.sentences.items():
            is_needed = (
                sentence.needs in ("", *earlier_ids)
                and set(sentence.unless).isdisjoint(earlier_ids)
                and self._is_in_force(sentence)
            )
            if rule_id.startswith(f"{section}.") and sentence.text and not sentence.replaces and is_needed:
                section_ids = [rule.id for rule in all_rules]
                index = section_ids.index(sentence.before) if sentence.before in section_ids else len(all_rules)
                # An id that another rule of the section has stays with that rule.
                also = tuple(other for other in sentence.also if other not in section_ids)
                all_rules.insert(index, self._added_rule(rule_id, sentence, also))
        return tuple(all_rules)

    def _added_rule(self, rule_id: str, sentence: OwnSentence, also: tuple[str, ...]) -> Rule:
        """Return the rule for a sentence that the variant adds."""
        rule = self.rule(rule_id, sentence.text.format_map(self.words), also=also)
        if rule.has_blank:
            return rule
        references = rule.origin.references or self.origin(sentence.needs).references
        return replace(rule, origin=replace(rule.origin, references=references))

    def _is_in_force(self, sentence: OwnSentence) -> bool:
        """Return whether the ruleset has all answers on which the variant's sentence depends."""
        return all(self.ruleset.answer(name) == answer for name, answer in sentence.holds_while.items())


def money_or_blank(cents: int | None) -> str:
    """Return an amount of money in words, "25 cents", or `BLANK` if `cents` is `None`: not agreed yet."""
    return BLANK if cents is None else phrases.money_text(cents)
