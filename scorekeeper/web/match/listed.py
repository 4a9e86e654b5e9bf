"""A match in a list: what it is called, and how it stands."""

from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.payments import standing_text
from scorekeeper.narration.phrases import named, opponents
from scorekeeper.rules.phrases import listed
from scorekeeper.services.match_list import ListedMatch
from scorekeeper.web.match.page import match_title


def listed_title(item: ListedMatch) -> str:
    """Return a match's title, or who plays it, whether or not its rules still score it."""
    if item.match:
        return match_title(item.match)
    return item.title or opponents(item.setup.seating.ids, item.setup.shown_names(item.log.renamed))


def how_it_stands(item: ListedMatch) -> str:
    """Return a match's scores and stage: "Ann & Cal 21, Bea & Dan 17; hand 6"."""
    match = item.match
    if match is None:
        return "Scorekeeper can’t read its rules"
    return f"{standing_text(match.counted, match.names, best_first=True)}; {_stage(match)}"


def _stage(match: Match) -> str:
    if match.counted.outcome:
        return f"{listed(named(match.counted.outcome.winners, match.names))} won"
    return match.status if match.status in ("over", "stopped") else f"hand {match.state.next_number}"
