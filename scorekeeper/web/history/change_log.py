"""What the change log shows: everything that was written in a match, by whom and when."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from scorekeeper.ledger import facts
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.facts import Event
from scorekeeper.ledger.fold import fold
from scorekeeper.narration.change_log import LoggedEvent, writer_words
from scorekeeper.narration.differences import score_changes
from scorekeeper.narration.rule_changes import changed_rules
from scorekeeper.web.match.page import match_title
from scorekeeper.web.shared.phrases import short_time

MOST_EVENTS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLine:
    """One event."""

    seq: int
    who: str
    """"Bea", "This phone"."""
    action: str
    """"put hand 4 right"."""
    when: str
    details: tuple[str, ...]
    """"bid 3 → 4", "Us 20 → 19"."""
    is_undone: bool
    may_correct_again: bool
    """Whether a correction that was undone can be made again: a redo no longer brings it back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLogPage:
    """Template history/change_log.html."""

    code: str
    version: int
    match_title: str
    lines: tuple[ChangeLine, ...]
    """The latest first."""
    older: int | None
    """The event before which there is more."""


def change_log_page(match: Match, *, actor: str, before: int | None) -> ChangeLogPage:
    """Return what was written before an event, or last, as the phone that signs as `actor` sees it."""
    events = match.log.events
    end = len(events) if before is None else min(max(before - 1, 0), len(events))
    start = max(end - MOST_EVENTS, 0)
    return ChangeLogPage(
        code=match.code,
        version=match.version,
        match_title=match_title(match),
        lines=tuple(_lines(match, start, end, actor))[::-1],
        older=events[start].seq if start else None,
    )


def _lines(match: Match, start: int, end: int, actor: str) -> Iterator[ChangeLine]:
    before = fold(match.log.events[:start])
    for place in range(start, end):
        event, after = match.log.events[place], fold(match.log.events[: place + 1])
        logged = LoggedEvent(match, event, before, after)
        yield ChangeLine(
            seq=event.seq,
            who=writer_words(event.actor, actor, match.names),
            action=logged.action(),
            when=short_time(event.at, datetime.now(UTC)),
            details=tuple(detail for detail in _details(match, logged, place) if detail),
            is_undone=event.seq in match.log.taken_back,
            may_correct_again=_may_correct_again(match, event),
        )
        before = after


def _details(match: Match, logged: LoggedEvent, place: int) -> Iterator[str]:
    yield from logged.details({award_id: award.name for award_id, award in match.state.ruleset.awards.items()})
    fact = logged.event.fact
    if isinstance(fact, facts.Stopped | facts.Resumed | facts.Renamed | facts.Marked | facts.Deleted | facts.Undeleted):
        return
    if isinstance(fact, facts.HandAdded) and fact.before is None:
        return
    before, after = match.as_of(place), match.as_of(place + 1)
    if before is None or after is None:
        return
    if isinstance(fact, facts.RulesChanged):
        yield " ".join(changed_rules(before.state.ruleset, after.state.ruleset))
        return
    scores = score_changes(before.counted, after.counted, after.names)
    if not scores and isinstance(fact, facts.DealerMoved) and before.state.dealer:
        yield f"it was {before.names[before.state.dealer]}’s deal"
    yield scores


def _may_correct_again(match: Match, event: Event) -> bool:
    fact = event.fact
    if event.seq not in match.log.taken_back or not isinstance(fact, facts.HandCorrected) or not match.link.may_score:
        return False
    logged = match.log.hand(fact.uid)
    return logged is not None and logged.hand != fact.hand
