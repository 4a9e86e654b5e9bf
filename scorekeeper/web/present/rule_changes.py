"""Changes of the rules in mid-match: from which hand on, since when, and what is new."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from scorekeeper.engine.words import listed
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.load import LoadedMatch
from scorekeeper.web.contexts.parts import Notice
from scorekeeper.web.present.differences import changes_told


@dataclass(frozen=True, slots=True)
class RuleChange:
    """What holds from one hand on."""

    number: int
    """The first hand that it holds for, from 1."""
    on: str
    """"20 Nov 2026"; empty where nobody wrote the day down."""
    sentences: tuple[str, ...]

    @property
    def told(self) -> str:
        """Tell it in a line: "From hand 5 on, 20 Nov 2026: The match is played to 15."."""
        day = f", {self.on}" if self.on else ""
        return f"From hand {self.number} on{day}: {' '.join(self.sentences)}"


def rule_changes(match: LoadedMatch, first: Ruleset) -> tuple[RuleChange, ...]:
    """Give every change that is in force, the one that waits for the next hand last; `first` is how it began."""
    return tuple(change for change in _changes(match, first) if change.sentences)


def told_rules(match: LoadedMatch, first: Ruleset) -> Ruleset:
    """Give the rules in force in a match, for a sheet: the day of every change since it began is among their notes."""
    ruleset = match.state.ruleset
    changes = [change.told for change in rule_changes(match, first)]
    return ruleset.changed(notes=[*ruleset.notes, *changes]) if changes else ruleset


def _changes(match: LoadedMatch, first: Ruleset) -> Iterator[RuleChange]:
    before = first
    for result in match.state.hands:
        if result.ruleset is not before and result.ruleset != before:
            yield _change(result.number, result.hand.house_on, before, result.ruleset)
            before = result.ruleset
    if match.state.ruleset is not before and match.state.ruleset != before:
        yield _change(len(match.state.hands) + 1, match.log.next_house_on, before, match.state.ruleset)


def _change(number: int, on: str | None, before: Ruleset, after: Ruleset) -> RuleChange:
    return RuleChange(number, day_told(on), changes_told(before, after))


def day_told(iso: str | None) -> str:
    """Write a day as people do: "20 Nov 2026"."""
    if not iso:
        return ""
    day = date.fromisoformat(iso)
    return f"{day.day} {day.strftime('%b %Y')}"


def change_notice(match: LoadedMatch, first: Ruleset) -> Notice | None:
    """Say on the match page what changes with the next hand, and at the end of a match what had changed in it."""
    changes = rule_changes(match, first)
    if not changes:
        return None
    if match.state.outcome or match.log.is_stopped:
        hands = listed([f"hand {change.number}" for change in changes])
        return Notice(
            lead=f"The rules changed with {hands}.", text=" ".join(change.told for change in changes), icon="book"
        )
    last = changes[-1]
    if last.number <= len(match.state.hands):
        return None
    return Notice(lead="New from this hand on:", text=" ".join(last.sentences), icon="book")
