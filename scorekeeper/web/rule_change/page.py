"""What the pages of a match show of a change of its rules."""

from dataclasses import dataclass

from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.rule_changes import rule_changes
from scorekeeper.rules.phrases import listed


@dataclass(frozen=True, slots=True)
class RulesNotice:
    """What a page says of changed rules."""

    lead: str
    text: str


def change_notice(match: Match) -> RulesNotice | None:
    """Return what changes with the next hand; at the end of a match, what had changed in it."""
    changes = rule_changes(match.rules, match.state, match.log)
    if not changes:
        return None
    if match.state.outcome or match.log.is_stopped:
        hands = listed([f"hand {change.number}" for change in changes])
        text = " ".join(change.sentence for change in changes)
        return RulesNotice(lead=f"The rules changed with {hands}.", text=text)
    last = changes[-1]
    if last.number <= len(match.state.results):
        return None
    return RulesNotice(lead="New from this hand on:", text=" ".join(last.sentences))
