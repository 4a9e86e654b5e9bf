"""A match as its result sheet tells it: with what was put right, and what was taken out."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from scorekeeper.engine.matches import HandResult
from scorekeeper.engine.words import bid_word
from scorekeeper.printing.result_values import ResultHand, ResultSheet
from scorekeeper.printing.results import MONTHS, SUIT_SIGNS, Story, tell_result
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.log import Correction, LoggedHand
from scorekeeper.web.present.agreement import row_words
from scorekeeper.web.present.once import once
from scorekeeper.web.rulesets import library


@once
def result_sheet(match: LoadedMatch) -> ResultSheet:
    """Tell a match for paper."""
    first = (match.log.hands[0].added.at if match.log.hands else match.match.created_at).astimezone()
    story = Story(
        title=match.title,
        played_on=match.match.played_on or first.date().isoformat(),
        place=match.match.place or "",
        note=match.match.note or "",
        is_stopped=match.log.is_stopped,
        marks=match.marks,
        remarks=dict(_remarks(match, first)),
        waiting=tuple(_waiting(match)),
        taken_out=tuple(_taken_out(match, first)),
    )
    variants, ruleset = library(), match.counted.ruleset
    return tell_result(match.counted, story, variants[ruleset.id] if ruleset.id in variants else None)


def _waiting(match: LoadedMatch) -> Iterator[tuple[HandResult, str]]:
    """Say of each hand that does not count yet for whom it waits."""
    for place, result in enumerate(match.state.hands[match.log.counted :], match.log.counted):
        said = row_words(match, place)
        yield result, f"Does not count yet: {said}."


def _remarks(match: LoadedMatch, first: datetime) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Say of each hand what was put right in it."""
    for number, logged in enumerate(match.log.hands, 1):
        if logged.corrections:
            yield number, tuple(_put_right(match, item, first) for item in logged.corrections)


def _put_right(match: LoadedMatch, item: Correction, first: datetime) -> str:
    was = [words for words in _differences(match.names, item.before, item.after) if words]
    said = f"Put right {_moment(item.stamp.at, first)}"
    return f"{said}: {', '.join(was)}." if was else f"{said}."


def _differences(names: Mapping[str, str], before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """Say what stood there before, where it is something else now."""
    if before.get("bidder") != after.get("bidder") and before.get("bidder"):
        yield f"the bidder was {names.get(before['bidder'], before['bidder'])}"
    if before.get("bid") != after.get("bid") and before.get("bid") is not None:
        yield f"the bid was {bid_word(before['bid'])}"
    if before.get("trump") != after.get("trump") and before.get("trump"):
        yield f"trump was {before['trump']}"
    taken, now = before.get("taken") or {}, after.get("taken") or {}
    for award, who in taken.items():
        if award in now and now[award] != who:
            yield f"{award.replace('_', ' ')} was {names.get(who, who) if who else 'nobody'}’s"


def _taken_out(match: LoadedMatch, first: datetime) -> Iterator[tuple[int, ResultHand]]:
    """Give the hands that somebody took out, each with the number of the hand that it stood after."""
    for logged in match.log.gone:
        if not logged.was_undone:
            place = sum(1 for other in match.log.hands if other.uid < logged.uid)
            yield place, _gone(match, logged, first)


def _gone(match: LoadedMatch, logged: LoggedHand, first: datetime) -> ResultHand:
    stamp = logged.gone or logged.added
    bidder = match.names.get(str(logged.hand.get("bidder", "")), "")
    bid = bid_word(logged.hand["bid"]) if logged.hand.get("bid") is not None else ""
    return ResultHand(
        number="",
        bid=f"{bidder} {bid}".strip() or "A hand",
        suit=SUIT_SIGNS.get(str(logged.hand.get("trump", "")), ""),
        remarks=(f"Taken out {_moment(stamp.at, first)}.",),
    )


def _moment(at: datetime, first: datetime) -> str:
    """Say when something was written: by the clock alone on the day of the match."""
    there = at.astimezone()
    clock = there.strftime("%H:%M")
    return clock if there.date() == first.date() else f"{there.day} {MONTHS[there.month - 1]}, {clock}"
