"""Changed rules in sentences: what a house plays otherwise than the book, and what changed in the middle of a match."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from scorekeeper.matches.fold import Match
from scorekeeper.matches.log import MatchLog
from scorekeeper.pitch.rules import phrases
from scorekeeper.pitch.rules.awards import OWN_AWARDS, AwardId, deciding_options, description
from scorekeeper.pitch.rules.moot import moot_options
from scorekeeper.pitch.rules.options import LOW, options
from scorekeeper.pitch.rules.phrases import listed
from scorekeeper.pitch.rules.questions import QUESTIONS, RuleKey
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.match import HandResult, MatchState
from scorekeeper.pitch.text.dates import DateStyle
from scorekeeper.pitch.text.phrases import grouped

_LEFT_OPEN = "The printed rules leave it up to you."
_POINTS_OF_A_MOON = ("moon_made", "moon_set", "double_moon_made", "double_moon_set")
_IMPLIED = ("low", "jokers", "length", "game_rule")
"""Options whose answer may follow from another one and is then worth a sentence."""
_NOTHING = ("off", 0, "target")
"""Answers that say nothing where they follow from another one."""


@dataclass(frozen=True, slots=True)
class AnsweredRule:
    """A rule that a house answered otherwise than the book."""

    name: str
    """The option or the award."""
    title: str
    """"Target"."""
    sentence: str
    """"The match is played to 15."."""
    book: str
    """"The match is played to 21."; empty where the book has no such rule."""


def answered_rules(base: Ruleset, ruleset: Ruleset, answers: Mapping[str, Any]) -> tuple[AnsweredRule, ...]:
    """Return each answer of a house as a rule; `ruleset` is what the answers make of `base`."""
    order = list(dict.fromkeys((*base.awards, *OWN_AWARDS, *options()))).index
    # A point of their own that neither has ever had, and that is answered with no, is no rule.
    names = (it for it in answers if it not in OWN_AWARDS or it in base.awards or it in ruleset.awards)
    return tuple(_answered(base, ruleset, name, answers[name]) for name in sorted(names, key=order))


def _answered(base: Ruleset, ruleset: Ruleset, name: str, answer: object) -> AnsweredRule:
    if RuleKey.of_answer(name, answer).is_worth:
        book = award_sentence(base, name) if name in base.awards else ""
        title = (ruleset if name in ruleset.awards else base).awards[name].name
        return AnsweredRule(name, title, award_sentence(ruleset, name) if name in ruleset.awards else "", book)
    if name in _POINTS_OF_A_MOON and base.answer(name) is None:
        book = ""
    else:
        book = _LEFT_OPEN if name in base.open_options else QUESTIONS[name].rule(base)
    return AnsweredRule(name, QUESTIONS[name].title(base), QUESTIONS[name].rule(ruleset), book)


def implied_rules(base: Ruleset, ruleset: Ruleset, answers: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the rules that changed although nobody answered them: they follow from the answers."""
    awards = (
        award_sentence(ruleset, award_id)
        for award_id in ruleset.award_rows
        if award_id not in answers and ruleset.worth(award_id) != base.worth(award_id)
    )
    others = (
        QUESTIONS[name].rule(ruleset)
        for name in _IMPLIED
        if name not in answers
        and ruleset.answer(name) not in (base.answer(name), *_NOTHING)
        and not _is_moot(name, ruleset)
    )
    return (*awards, *others)


def changed_rules(before: Ruleset, after: Ruleset) -> tuple[str, ...]:
    """Return what is new in the second of two versions of the same rules."""
    own = [it for it in OWN_AWARDS if after.in_play.get(it) != before.in_play.get(it)]
    awards = [it for it in after.alike if after.worth(it) != before.worth(it) and it not in own]
    changed = [it for it in options() if after.answer(it) != before.answer(it) and not (it == LOW and LOW in awards)]
    rules = (QUESTIONS[it].rule(after) for it in changed if not _is_moot(it, after))
    return (*(award_sentence(after, it, before) for it in (*awards, *own)), *rules)


def _is_moot(name: str, ruleset: Ruleset) -> bool:
    """Return whether an option decides nothing beside the others, or how a card is won that nobody scores."""
    if name in moot_options(ruleset):
        return True
    decided = {option for award in ruleset.awards.values() for option in deciding_options(award.won)}
    return name in decided and not any(name in deciding_options(award.won) for award in ruleset.in_play.values())


def award_sentence(ruleset: Ruleset, award_id: AwardId, before: Ruleset | None = None) -> str:
    """Return what an award is worth: "Low scores 1."; of one that the house made for itself also its card.

    One that the rules lack is called what it was called `before`.
    """
    named = ruleset if before is None or award_id in ruleset.awards else before
    name, points = phrases.award_name(named, award_id), ruleset.worth(award_id)
    if points and award_id in OWN_AWARDS:
        name += f", {description(ruleset.kinds[award_id])},"
    return phrases.sentence(f"{name} scores {points}.") if points else f"Nobody scores {name}."


@dataclass(frozen=True, slots=True)
class RuleChange:
    """The rules that changed with one hand of a match."""

    number: int
    """What the table calls the first hand that they hold for."""
    place: int
    """The place of that hand in the list, from 1."""
    on: date | None
    """The day; `None` where nobody wrote it down."""
    sentences: tuple[str, ...]
    is_on_paper: bool = False
    """Whether the table agreed on it where no option says it, so that no score follows from it."""

    @property
    def words(self) -> str:
        """What changed, without when."""
        return " ".join((*self.sentences, "(on paper only)") if self.is_on_paper else self.sentences)

    def sentence(self, dates: DateStyle) -> str:
        """Return all of it in a line: "From hand 5 on, Nov 20, 2026: The match is played to 15."."""
        day = f", {dates.full_day(self.on)}" if self.on else ""
        return f"From hand {self.number} on{day}: {self.words}"


def rule_changes(first: Ruleset, state: MatchState, log: MatchLog) -> tuple[RuleChange, ...]:
    """Return every change that is in force in a match that began with `first`; one for the next hand is the last."""
    changes, before = [], first
    hands = [(hand.number, hand.hand.house_on, hand.ruleset) for hand in state.results]
    hands.append((state.next_number, log.pending.house_on, state.ruleset))
    agreed = [*(hand.pending.on_paper for hand in log.hands), log.pending.on_paper]
    for place, ((number, day, ruleset), on_paper) in enumerate(zip(hands, agreed, strict=True), 1):
        if ruleset is not before and (sentences := changed_rules(before, ruleset)):
            changes.append(RuleChange(number, place, _day(day), sentences))
        changes += (RuleChange(number, place, _day(it.on), (it.text,), is_on_paper=True) for it in on_paper)
        before = ruleset
    return tuple(changes)


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def changes_by_hand(match: Match) -> dict[int, list[RuleChange]]:
    """Return what changed in the rules of a match, by the place of the first hand that it holds for."""
    changes = rule_changes(match.rules, match.state, match.log)
    return grouped((change.place, change) for change in changes)


def agreed_on_paper(match: Match, dates: DateStyle) -> list[str]:
    """Return what the table agreed in a match that no option says, each with its hand and its day."""
    return [it.sentence(dates) for it in rule_changes(match.rules, match.state, match.log) if it.is_on_paper]


@dataclass(frozen=True, slots=True)
class RulesNotice:
    """What the pages of a match say of its changed rules."""

    lead: str
    text: str


def rules_notice(match: Match, dates: DateStyle) -> RulesNotice | None:
    """Return what changes with the next hand; at the end of a match, what had changed in it."""
    changes = rule_changes(match.rules, match.state, match.log)
    if not changes:
        return None
    if match.state.outcome or match.log.is_stopped:
        hands = listed([f"hand {number}" for number in dict.fromkeys(change.number for change in changes)])
        return RulesNotice(f"The rules changed with {hands}.", " ".join(change.sentence(dates) for change in changes))
    ahead = [change.words for change in changes if change.place > len(match.state.results)]
    return RulesNotice("New from this hand on:", " ".join(ahead)) if ahead else None


def rules_with_changes(match: Match, dates: DateStyle, hand: HandResult | None) -> Ruleset:
    """Return the rules in force in a match, for a sheet: every change since it began is among their notes.

    Of a `hand`, those in force in it, with the changes up to it.
    """
    ruleset, place = (hand.ruleset, hand.place) if hand else (match.state.ruleset, len(match.state.results) + 1)
    changes = rule_changes(match.rules, match.state, match.log)
    notes = [change.sentence(dates) for change in changes if change.place <= place]
    return ruleset.changed(notes=[*ruleset.notes, *notes]) if notes else ruleset
