"""Build nights for tests: events with their versions, and nights as the services would write them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from random import Random
from typing import Any

from sqlalchemy.orm import Session

from scorekeeper.club.nights.events import EntrantArrived, GameWon, NightChange, NightStarted, RoundStarted
from scorekeeper.club.nights.night import Night
from scorekeeper.club.nights.service import NightAccess, add_entrants, write_night
from scorekeeper.eventlog.stream import Event, StoredEvent
from tests.common.match_actions import by
from tests.common.nights import store_night

LONG_AGO = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
ROUNDS = 6


def new_night(session: Session, *pairs: Sequence[str], **agreed: Any) -> str:
    """Start a stored night with these pairs, and return the host's code."""
    code = store_night(session, key=by().idempotency_key, **agreed)
    add_entrants(session, code, pairs, by())
    return code


def write(session: Session, code: str, *changes: NightChange) -> NightAccess:
    """Write changes into a stored night, and return the night as it stands then."""
    for change in changes:
        found = write_night(session, code, change, by())
    return found


def event_of(seq: int, event: Event) -> StoredEvent:
    return StoredEvent(seq, f"key-{seq}", LONG_AGO + timedelta(minutes=seq), "phone", event)


def fold_night(*events: Event, rounds: int = ROUNDS) -> Night:
    return Night.fold(map(event_of, count(1), events), title="Pitch night", agreed_round_count=rounds)


def new_event(night: Night, change: NightChange) -> Event | None:
    """Return the one event that a change writes; `None` where it changes nothing."""
    event = change if isinstance(change, Event) else change(night)
    assert isinstance(event, Event)
    return event if event.changes_anything(night) else None


def written(night: Night, *done: NightChange) -> Night:
    """Return the night after these changes; each must have something to write."""
    for change in done:
        event = new_event(night, change)
        assert event is not None
        events = (*night.events, event_of(night.version + 1, event))
        night = Night.fold(events, title="Pitch night", agreed_round_count=ROUNDS)
    return night


def night_of(*pairs: str) -> Night:
    """Return a night before its start with these pairs, which have the uids 1, 2, …"""
    return written(fold_night(), *(EntrantArrived(players=tuple(pair.split(" & "))) for pair in pairs))


def seated(*pairs: str) -> Night:
    """Return a night in its first round, the pairs from the lowest table up; of an odd number the first sits out."""
    night = night_of(*pairs)
    order = list(night.present_uids)
    sits_out = order.pop(0) if len(order) % 2 else None
    tables = tuple(zip(order[::2], order[1::2], strict=True))
    return written(night, NightStarted(tables=tables, sits_out=sits_out, by_lot=False))


def result(night: Night, number: int, name: str, scores: tuple[int, int] | None = None) -> Night:
    """Return the night after the result of a pair's game, which it won, was entered or corrected."""
    uid = uid_of(night, name)
    game = night.rounds[number - 1].game_of(uid)
    assert game is not None
    return written(night, GameWon(round=number, table=game.table, winner=uid, scores=scores))


def won(night: Night, *names: str) -> Night:
    """Return the night after these pairs won in the current round."""
    for name in names:
        night = result(night, len(night.rounds), name)
    return night


def moved(night: Night, rng: Random | None = None) -> Night:
    """Return the night after the next round has started."""
    may = night.bye_candidates
    sits_out = (rng.choice(may) if rng else may[0]) if may else None
    return written(night, RoundStarted(round=len(night.rounds) + 1, sits_out=sits_out))


def uid_of(night: Night, name: str) -> int:
    return next(uid for uid in night.entrants if night.name(uid) == name)


def names_at(night: Night) -> list[tuple[str, str]]:
    """Return who sits where in the current round, the lowest table first."""
    return [(night.name(game.sides[0]), night.name(game.sides[1])) for game in night.rounds[-1].games]


def seats_of(night: Night) -> Sequence[object]:
    """Return every round with its games, to compare nights that were written by different events."""
    return [
        (played.number, played.sitting_out_uids, [(game.sides, game.winner) for game in played.games])
        for played in night.rounds
    ]
