"""The texts about rules that changed in the middle of a match."""

from dataclasses import dataclass
from datetime import date

from scorekeeper.matches.fold import Match
from scorekeeper.matches.log import MatchLog
from scorekeeper.pitch.rules.phrases import listed
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.match import HandResult, MatchState
from scorekeeper.pitch.text.dates import DateStyle
from scorekeeper.pitch.text.phrases import grouped
from scorekeeper.pitch.text.rule_changes import changed_rules


@dataclass(frozen=True, slots=True)
class RuleChange:
    """The rules that changed with one hand of a match."""

    number: int
    """The number of the first hand that they hold for."""
    place: int
    """The place of that hand in the list, from 1."""
    on: date | None
    """The day; `None` where none was entered."""
    sentences: tuple[str, ...]
    is_on_paper: bool = False
    """Whether it is a rule of the table that no option covers, so that it changes no score."""

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
        changes += (RuleChange(number, place, _day(rule.on), (rule.text,), is_on_paper=True) for rule in on_paper)
        before = ruleset
    return tuple(changes)


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def changes_by_hand(match: Match) -> dict[int, list[RuleChange]]:
    """Return what changed in the rules of a match, by the place of the first hand that it holds for."""
    changes = rule_changes(match.rules, match.state, match.log)
    return grouped((change.place, change) for change in changes)


def agreed_on_paper(match: Match, dates: DateStyle) -> list[str]:
    """Return the rules of a match that no option covers, each with its hand and its day."""
    return [rule.sentence(dates) for rule in rule_changes(match.rules, match.state, match.log) if rule.is_on_paper]


@dataclass(frozen=True, slots=True)
class RulesNotice:
    """The notice of changed rules on the pages of a match."""

    lead: str
    text: str


def rules_notice(match: Match, dates: DateStyle) -> RulesNotice | None:
    """Return the notice of rules that change with the next hand; at the end of a match, of all that changed in it."""
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
    ruleset, place = (hand.ruleset, hand.position) if hand else (match.state.ruleset, len(match.state.results) + 1)
    changes = rule_changes(match.rules, match.state, match.log)
    notes = [change.sentence(dates) for change in changes if change.place <= place]
    return ruleset.changed(notes=[*ruleset.notes, *notes]) if notes else ruleset
