"""Nights for tests: facts with their places, and nights written by chance as the services would write them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random

from scorekeeper.club.nights.events import GameWon, NightChange, NightStarted, PairArrived, RoundStarted
from scorekeeper.club.nights.night import Night
from scorekeeper.eventlog.stream import Event, Fact

LONG_AGO = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)
ROUNDS = 6


def event_of(seq: int, fact: Fact) -> Event:
    return Event(seq, f"key-{seq}", LONG_AGO + timedelta(minutes=seq), "phone", fact)


def come_to(*facts: Fact, rounds: int = ROUNDS) -> Night:
    return Night.fold([event_of(seq, fact) for seq, fact in enumerate(facts, 1)], "Pitch night", rounds)


def new_fact(night: Night, change: NightChange) -> Fact | None:
    """Return the one fact that a change writes; `None` where it is so already."""
    fact = change if isinstance(change, Fact) else change(night)
    assert isinstance(fact, Fact)
    return fact if fact.is_new(night) else None


def written(night: Night, *done: NightChange) -> Night:
    """Return the night after these changes; each must have something to write."""
    for change in done:
        fact = new_fact(night, change)
        assert fact is not None
        events = (*night.events, event_of(night.version + 1, fact))
        night = Night.fold(events, "Pitch night", ROUNDS)
    return night


def night_of(*pairs: str) -> Night:
    """Return a night before its start with these pairs, which have the uids 1, 2, …"""
    return written(come_to(), *(PairArrived(players=tuple(pair.split(" & "))) for pair in pairs))


def seated(*pairs: str) -> Night:
    """Return a night in its first round, the pairs from the lowest table up; of an odd number the first sits out."""
    night = night_of(*pairs)
    order = list(night.present)
    sits_out = order.pop(0) if len(order) % 2 else None
    tables = tuple(zip(order[::2], order[1::2], strict=True))
    return written(night, NightStarted(tables=tables, sits_out=sits_out, by_lot=False))


def won(night: Night, *names: str) -> Night:
    """Return the night after these pairs won in the current round."""
    for name in names:
        uid = uid_of(night, name)
        current = night.current
        assert current is not None
        game = current.game_of(uid)
        assert game is not None
        night = written(night, GameWon(round=current.number, table=game.table, winner=uid))
    return night


def moved(night: Night, rng: Random | None = None) -> Night:
    """Return the night after the next round has started."""
    may = night.may_sit_out
    sits_out = (rng.choice(may) if rng else may[0]) if may else None
    return written(night, RoundStarted(round=len(night.rounds) + 1, sits_out=sits_out))


def uid_of(night: Night, name: str) -> int:
    return next(uid for uid in night.pairs if night.name(uid) == name)


def names_at(night: Night) -> list[tuple[str, str]]:
    """Return who sits where in the current round, the lowest table first."""
    assert night.current is not None
    return [(night.name(game.pairs[0]), night.name(game.pairs[1])) for game in night.current.games]


def seats_of(night: Night) -> Sequence[object]:
    """Return every round with its games, for comparing nights that were written in other ways."""
    return [(it.number, it.out, [(game.pairs, game.winner) for game in it.games]) for it in night.rounds]
