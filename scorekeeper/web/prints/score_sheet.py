"""The score sheet of a match: with its corrections, the hands that do not count yet, and those that were deleted."""

from collections.abc import Iterator
from datetime import datetime

from scorekeeper.engine.match import HandResult
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.log import Correction, LoggedHand
from scorekeeper.narration.differences import earlier_words
from scorekeeper.narration.hands import stored_bid_words
from scorekeeper.narration.phrases import SUIT_SIGNS
from scorekeeper.narration.waiting import uncounted_words
from scorekeeper.printing.score_sheet import MONTHS, HandRow, MatchDetails, ScoreSheet, score_sheet
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.memoized import memoized


@memoized
def match_score_sheet(match: Match) -> ScoreSheet:
    """Return the score sheet of a match."""
    first = (match.log.hands[0].added.at if match.log.hands else match.setup.created_at).astimezone()
    details = MatchDetails(
        title=match.title,
        played_on=match.setup.played_on or first.date().isoformat(),
        place=match.setup.place or "",
        note=match.setup.note or "",
        is_stopped=match.log.is_stopped,
        marks=match.marks,
        corrections=dict(_corrections(match, first)),
        uncounted=tuple(_uncounted(match)),
        deleted=tuple(_deleted(match, first)),
    )
    variants, ruleset = library(), match.counted.ruleset
    base = variants[ruleset.id] if ruleset.id in variants else None
    return score_sheet(match.counted, match.names, details, base)


def _uncounted(match: Match) -> Iterator[tuple[HandResult, str]]:
    """Return each hand that does not count yet with what it waits for."""
    for result in match.state.results[match.log.counted :]:
        yield result, f"Does not count yet: {uncounted_words(match, result.number)}."


def _corrections(match: Match, first: datetime) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Return the number of each corrected hand with its corrections in words."""
    for number, logged in enumerate(match.log.hands, 1):
        if logged.corrections:
            yield number, tuple(_correction(match, item, first) for item in logged.corrections)


def _correction(match: Match, item: Correction, first: datetime) -> str:
    earlier = earlier_words(item.before, item.after, match.names)
    corrected = f"Put right {_time(item.stamp.at, first)}"
    return f"{corrected}: {earlier}." if earlier else f"{corrected}."


def _deleted(match: Match, first: datetime) -> Iterator[tuple[int, HandRow]]:
    """Return each hand that was deleted, and not undone, with the number of the hand that it stood after."""
    for logged in match.log.gone:
        if not logged.was_undone:
            place = sum(1 for other in match.log.hands if other.uid < logged.uid)
            yield place, _deleted_row(match, logged, first)


def _deleted_row(match: Match, logged: LoggedHand, first: datetime) -> HandRow:
    stamp = logged.gone or logged.added
    return HandRow(
        number="",
        bid=stored_bid_words(logged.hand, match.names),
        suit=SUIT_SIGNS.get(logged.hand.trump or "", ""),
        corrections=(f"Taken out {_time(stamp.at, first)}.",),
    )


def _time(at: datetime, first: datetime) -> str:
    """Return when something was written: the time alone on the day of the match."""
    local = at.astimezone()
    clock = local.strftime("%H:%M")
    return clock if local.date() == first.date() else f"{local.day} {MONTHS[local.month - 1]}, {clock}"
