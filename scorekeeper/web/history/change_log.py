"""What the change log shows: everything that was written in a match, by whom and when."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.facts import Event, HandCorrected
from scorekeeper.ledger.fold import fold
from scorekeeper.narration.change_log import LoggedEvent, writer_words
from scorekeeper.web.match.page import match_title

MOST_EVENTS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLine:
    """One event."""

    seq: int
    who: str
    """"Bea", "This phone"."""
    action: str
    """"put hand 4 right"."""
    at: datetime
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
            who=writer_words(event.actor, actor, match.names_when(event.seq)),
            action=logged.action(),
            at=event.at,
            details=tuple(filter(None, logged.details())),
            is_undone=event.seq in match.log.taken_back,
            may_correct_again=_may_correct_again(match, event),
        )
        before = after


def _may_correct_again(match: Match, event: Event) -> bool:
    fact = event.fact
    if event.seq not in match.log.taken_back or not isinstance(fact, HandCorrected) or not match.link.may_score:
        return False
    logged = match.log.hand(fact.uid)
    return logged is not None and logged.hand != fact.hand
