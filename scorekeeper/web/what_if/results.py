"""How a match ends as played and under other rules: the cards over the comparison."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.engine.match import HandResult
from scorekeeper.graphics.markers import SideView
from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.endings import ending_reason
from scorekeeper.narration.payments import owed_words
from scorekeeper.narration.phrases import score_text
from scorekeeper.narration.what_if import NOBODY_YET
from scorekeeper.records.comparison import MatchEnd, PlayedMatch, Span, WhatIf
from scorekeeper.rules.phrases import listed, money
from scorekeeper.web.shared.match_views import side_views

MOST_COLUMNS = 2
"""More sides than these have a row each, and one column as played and one under the other rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLine:
    """A side on a result card."""

    side: SideView
    score: str
    is_open: bool
    """Whether the score is not known yet."""
    is_winner: bool
    money: str
    """"gets $1.50", where the rules pay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultCard:
    """How the match ends on one side of the comparison."""

    heading: str
    lines: tuple[CardLine, ...]
    outcome: str
    """"Us win", "Nobody yet, 40 to 40", "Not known"."""
    detail: str
    """"had the bid", "either way"."""


def played_card(match: Match, shown: WhatIf, played: PlayedMatch) -> ResultCard:
    """Return how the match ended as it was played."""
    ending = shown.as_played
    last = next((row.played for row in shown.rows if row.ends_as_played), None)
    if played.stopped and not ending.winners:
        return result_card(match, "As played", ending, "stopped", "Nobody yet")
    if played.state.question and (asked := played.state.last_scored):
        return result_card(match, "As played", ending, f"depends on {hands_named([asked.number])}")
    return result_card(match, "As played", ending, _reason(ending, last))


def result_card(match: Match, heading: str, ending: MatchEnd, detail: str, outcome: str = "") -> ResultCard:
    """Return one ending with every side of the match."""
    lines = tuple(
        CardLine(
            side=side,
            score=span_text(ending.scores[side_id], mark=""),
            is_open=not ending.scores[side_id].is_known,
            is_winner=side_id in (ending.winners or ()),
            money=_money(ending.money[side_id]) if ending.money else "",
        )
        for side_id, side in side_views(match).items()
        if side_id in ending.scores
    )
    return ResultCard(heading=heading, lines=lines, outcome=outcome or outcome_words(ending), detail=detail)


def outcome_words(ending: MatchEnd) -> str:
    """Return who has won; where nobody has, the scores of two sides as well."""
    has_room = len(ending.scores) == MOST_COLUMNS and not ending.is_either_way
    return NOBODY_YET if ending.is_known and not ending.winners and not has_room else ending.heading


def _reason(ending: MatchEnd, last: HandResult | None) -> str:
    """Return what a card says under who wins."""
    if not ending.is_known:
        return ""
    if ending.is_either_way:
        return "either way"
    if not ending.winners or last is None:
        return ""
    return ending_reason(ending.possible[0].outcome, last)


def other_detail(shown: WhatIf) -> str:
    """Return what the card of the other rules says under who wins."""
    if shown.stop:
        return f"stops at hand {shown.stop.number}"
    if not shown.otherwise.is_known:
        open_hands = list(dict.fromkeys(it.number for it in shown.questions if it.told is None))
        return f"depends on {hands_named(open_hands)}" if open_hands else "depends on what is open"
    last = next((row.otherwise for row in shown.rows if row.ends_otherwise), None)
    return _reason(shown.otherwise, last)


def _money(span: Span) -> str:
    if not span.is_known:
        return f"{_signed_money(span.lowest)} to {_signed_money(span.highest)}"
    return owed_words(span.lowest)


def _signed_money(cents: int) -> str:
    return f"{'−' if cents < 0 else ''}{money(abs(cents))}"


def span_text(span: Span, mark: str = "?") -> str:
    """Return a number, or both ends of one that is not known: "14", "13–15?", "−3 to 1?"."""
    if span.is_known:
        return score_text(span.lowest)
    if span.lowest < 0:
        return f"{score_text(span.lowest)} to {score_text(span.highest)}{mark}"
    return f"{span.lowest}–{span.highest}{mark}"


def hands_named(numbers: Sequence[int]) -> str:
    """Return hands by their numbers: "hands 2 and 5"."""
    return f"hand{'s' if len(numbers) > 1 else ''} {listed(map(str, numbers))}"
