"""The score sheet of a match: with its corrections, the hands that do not count yet, and those that were deleted."""

from collections.abc import Iterator
from datetime import datetime

from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.log import Correction
from scorekeeper.narration.change_log import earlier_words
from scorekeeper.narration.dates import DateStyle
from scorekeeper.narration.hands import stored_bid_words
from scorekeeper.narration.notices import uncounted_words
from scorekeeper.narration.phrases import SUIT_SIGNS, Names
from scorekeeper.printing.score_sheet import HandRow, MatchDetails, ScoreSheet, score_sheet
from scorekeeper.rules.schema import Ruleset
from scorekeeper.web.match.hands import paper_row
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.match_views import memoized


@memoized
def match_score_sheet(match: Match, dates: DateStyle) -> ScoreSheet:
    """Return the score sheet of a match, with its dates in that style."""
    first = (match.log.hands[0].added.at if match.log.hands else match.setup.created_at).astimezone()
    paper = paper_row(match)
    details = MatchDetails(
        title=match.title,
        played_on=match.setup.played_on or first.date().isoformat(),
        dates=dates,
        place=match.setup.place or "",
        note=match.setup.note or "",
        is_stopped=match.log.is_stopped,
        paper=paper.sentence if paper else "",
        marks=match.marks,
        corrections={
            result.place: tuple(
                _correction(item, first, match.names_of(logged), result.ruleset, dates) for item in logged.corrections
            )
            for logged, result in zip(match.log.hands, match.state.results, strict=True)
            if logged.corrections
        },
        uncounted=tuple(
            (result, f"Does not count yet: {uncounted_words(match, result.place)}.")
            for result in match.state.results[match.log.counted :]
        ),
        deleted=tuple(_deleted(match, first, dates)),
        names={place: match.names_of(logged) for place, logged in enumerate(match.log.hands, 1)},
        newcomers={place: match.newcomers(place) for place in range(1, len(match.log.hands) + 1)},
    )
    variants, ruleset = library(), match.counted.ruleset
    base = variants[ruleset.id] if ruleset.id in variants else None
    return score_sheet(match.counted, match.names, details, base)


def _correction(item: Correction, first: datetime, names: Names, ruleset: Ruleset, dates: DateStyle) -> str:
    earlier = earlier_words(item.before, item.after, names, ruleset)
    corrected = f"Corrected {_time(item.stamp.at, first, dates)}"
    return f"{corrected}: {earlier}." if earlier else f"{corrected}."


def _deleted(match: Match, first: datetime, dates: DateStyle) -> Iterator[tuple[int, HandRow]]:
    """Yield each hand that was deleted, and not undone, with the place of the hand that it stood after."""
    for logged in match.log.gone:
        if not logged.was_undone:
            stamp = logged.gone or logged.added
            row = HandRow(
                number="",
                bid=stored_bid_words(logged.hand, match.names_of(logged)),
                suit=SUIT_SIGNS.get(logged.hand.trump or "", ""),
                corrections=(f"Deleted {_time(stamp.at, first, dates)}.",),
            )
            yield sum(other.uid < logged.uid for other in match.log.hands), row


def _time(at: datetime, first: datetime, dates: DateStyle) -> str:
    """Return when something was written: the time alone on the day of the match."""
    local = at.astimezone()
    clock = dates.time(local)
    return clock if local.date() == first.date() else f"{dates.day(local)}, {clock}"
