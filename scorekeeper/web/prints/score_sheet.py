"""A match as its result sheet tells it: with what was put right, and what was taken out."""

from collections.abc import Iterator
from datetime import datetime

from scorekeeper.engine.match import HandResult
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.log import Correction, LoggedHand
from scorekeeper.narration.differences import earlier_words
from scorekeeper.narration.hands import stored_bid_words
from scorekeeper.narration.phrases import SUIT_SIGNS
from scorekeeper.narration.waiting import uncounted_words
from scorekeeper.printing.score_sheet import MONTHS, Story, tell_result
from scorekeeper.printing.score_sheet_values import ResultHand, ResultSheet
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.memoized import memoized


@memoized
def result_sheet(match: Match) -> ResultSheet:
    """Tell a match for paper."""
    first = (match.log.hands[0].added.at if match.log.hands else match.setup.created_at).astimezone()
    story = Story(
        title=match.title,
        played_on=match.setup.played_on or first.date().isoformat(),
        place=match.setup.place or "",
        note=match.setup.note or "",
        is_stopped=match.log.is_stopped,
        marks=match.marks,
        remarks=dict(_remarks(match, first)),
        waiting=tuple(_waiting(match)),
        taken_out=tuple(_taken_out(match, first)),
    )
    variants, ruleset = library(), match.counted.ruleset
    return tell_result(match.counted, match.names, story, variants[ruleset.id] if ruleset.id in variants else None)


def _waiting(match: Match) -> Iterator[tuple[HandResult, str]]:
    """Say of each hand that does not count yet for whom it waits."""
    for result in match.state.results[match.log.counted :]:
        yield result, f"Does not count yet: {uncounted_words(match, result.number)}."


def _remarks(match: Match, first: datetime) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Say of each hand what was put right in it."""
    for number, logged in enumerate(match.log.hands, 1):
        if logged.corrections:
            yield number, tuple(_put_right(match, item, first) for item in logged.corrections)


def _put_right(match: Match, item: Correction, first: datetime) -> str:
    earlier = earlier_words(item.before, item.after, match.names)
    said = f"Put right {_moment(item.stamp.at, first)}"
    return f"{said}: {earlier}." if earlier else f"{said}."


def _taken_out(match: Match, first: datetime) -> Iterator[tuple[int, ResultHand]]:
    """Give the hands that somebody took out, each with the number of the hand that it stood after."""
    for logged in match.log.gone:
        if not logged.was_undone:
            place = sum(1 for other in match.log.hands if other.uid < logged.uid)
            yield place, _gone(match, logged, first)


def _gone(match: Match, logged: LoggedHand, first: datetime) -> ResultHand:
    stamp = logged.gone or logged.added
    return ResultHand(
        number="",
        bid=stored_bid_words(logged.hand, match.names),
        suit=SUIT_SIGNS.get(logged.hand.trump or "", ""),
        remarks=(f"Taken out {_moment(stamp.at, first)}.",),
    )


def _moment(at: datetime, first: datetime) -> str:
    """Say when something was written: by the clock alone on the day of the match."""
    there = at.astimezone()
    clock = there.strftime("%H:%M")
    return clock if there.date() == first.date() else f"{there.day} {MONTHS[there.month - 1]}, {clock}"
