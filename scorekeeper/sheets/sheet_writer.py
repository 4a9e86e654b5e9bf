"""How a sheet states a rule: in whose words, where it comes from, and whether the house changed it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from scorekeeper.rules import phrases
from scorekeeper.rules.awards import AwardId
from scorekeeper.rules.options import options
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.schema import OwnSentence, Ruleset
from scorekeeper.rules.trace import parse_trace
from scorekeeper.sheets.parts import BLANK, Origin, Rule, SectionId


@dataclass(frozen=True)
class SheetWriter:
    """Writes the rules of a sheet for a ruleset; `base` is the book's version of it."""

    ruleset: Ruleset
    base: Ruleset

    @cached_property
    def words(self) -> Mapping[str, str]:
        """What the braces in a sentence stand for."""
        return phrases.placeholders(self.ruleset)

    @cached_property
    def changed_options(self) -> frozenset[str]:
        """The options that the house answers differently from the book."""
        return frozenset(name for name in options() if self.ruleset.answer(name) != self.base.answer(name))

    @cached_property
    def changed_awards(self) -> frozenset[AwardId]:
        """The awards that the house switched on or off, or gave other points."""
        awards = {*self.ruleset.in_play, *self.base.in_play}
        return frozenset(award for award in awards if self.ruleset.worth(award) != self.base.worth(award))

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """Everything that the house changed: options, then awards."""
        return (*sorted(self.changed_options), *sorted(self.changed_awards))

    def differs(self, *options: str) -> bool:
        """Return whether the house changed any of these options or awards."""
        return not (self.changed_options | self.changed_awards).isdisjoint(options)

    def origin(self, rule_id: str, *decided_by: str) -> Origin:
        """Return where a rule comes from that depends on these options and awards."""
        changed = [name for name in decided_by if self.differs(name)]
        return Origin(
            references=parse_trace(self.base.sheet.trace[rule_id]) if rule_id in self.base.sheet.trace else (),
            house=tuple(name for name in changed if name not in self.base.open_options),
            agreed=tuple(name for name in changed if name in self.base.open_options),
            open=tuple(name for name in decided_by if name in self.ruleset.open_options),
        )

    def rule(self, rule_id: str, text: str, *decided_by: str, lead: str = "", also: tuple[str, ...] = ()) -> Rule:
        """Return a rule that depends on these options; the variant's own words for it hold until then."""
        own = self.base.sheet.sentences.get(rule_id)
        if own and own.replaces and not self.differs(*decided_by) and self._holds(own):
            text = own.text.format_map(self.words)
        origin = self.origin(rule_id, *decided_by)
        return Rule(
            id=rule_id,
            text=text if lead else phrases.sentence(text),
            lead=lead,
            origin=origin,
            decided_by=decided_by,
            also=also,
        )

    def answer(self, rule_id: str, option: str, *more: str, and_then: str = "") -> Rule:
        """Return the answer to an option, in the words of its question; it may depend on more options."""
        text = QUESTIONS[option].rule(self.ruleset)
        return self.rule(rule_id, f"{text} {and_then}" if and_then else text, option, *more)

    def unusual(self, section: SectionId, *names: str) -> Iterator[Rule]:
        """Yield the answers to these options, but for a default that the house did not change."""
        for name in names:
            if self.ruleset.answer(name) != options()[name].default or self.differs(name):
                yield self.answer(f"{section}.{name}", name)

    def with_own(self, section: SectionId, *rules: Rule) -> tuple[Rule, ...]:
        """Return the rules of a section with those that only this variant has, each where it is needed."""
        ordered = [*rules]
        for rule_id, own in self.base.sheet.sentences.items():
            if rule_id.startswith(f"{section}.") and own.text and not own.replaces and self._holds(own):
                ids = [rule.id for rule in ordered]
                place = ids.index(own.before) if own.before in ids else len(ids)
                ordered.insert(place, self.rule(rule_id, own.text.format_map(self.words)))
        return tuple(ordered)

    def _holds(self, own: OwnSentence) -> bool:
        return all(self.ruleset.answer(name) == answer for name, answer in own.holds_while.items())


def money_or_blank(cents: int | None) -> str:
    """Return an amount, or a blank to write it on where it is still to be agreed."""
    return BLANK if cents is None else phrases.money(cents)
