"""What was just changed, in words: after a correction everybody in the room has to know what it means for them."""

from scorekeeper.ladder import facts
from scorekeeper.ladder.facts import NightEvent
from scorekeeper.ladder.fold import fold
from scorekeeper.ladder.night import Night, Pair
from scorekeeper.ladder.words import moving_words
from scorekeeper.ledger.facts import Redone, Undone


def latest_words(night: Night) -> str:
    """Return what the last fact means where it corrects what was there; empty where it only goes on."""
    if not night.events:
        return ""
    event = night.events[-1]
    match event.fact:
        case facts.GameWon(round=number, winner=winner) if winner is not None and number < len(night.rounds):
            return _correction_words(night, event.fact)
        case facts.RoundTakenBack(round=number):
            return f"Round {number} was undone, with its results. {_back_words(night, number - 1)}"
        case Undone(target=target):
            return _again_words("Undone", night, _event(night, target))
        case Redone(target=target):
            undo = _event(night, target)
            restored = undo.fact.target if isinstance(undo.fact, Undone) else target
            return _again_words("Restored", night, _event(night, restored))
    return ""


def undo_words(night: Night) -> str:
    """Return what an undo would undo: "Ann & Cal won at table 3"; empty where there is nothing."""
    return fact_words(night, night.undo_next) if night.undo_next else ""


def redo_words(night: Night) -> str:
    """Return what a redo would restore; empty where there is nothing."""
    if night.redo_target is None:
        return ""
    undo = _event(night, night.redo_target)
    return fact_words(night, _event(night, undo.fact.target)) if isinstance(undo.fact, Undone) else ""


def fact_words(night: Night, event: NightEvent) -> str:
    """Return what was written, as part of a sentence."""
    match event.fact:
        case facts.PairArrived(players=players):
            return f"{Pair(event.seq, players).name} came"
        case facts.PairRenamed(players=players):
            return f"a pair is called {Pair(event.seq, players).name}"
        case facts.PairLeft(pair=pair):
            return f"{_name(night, pair)} left"
        case facts.PairBack(pair=pair):
            return f"{_name(night, pair)} came back"
        case facts.NightStarted():
            return "round 1 started"
        case facts.GameWon(round=number, table=table, winner=None):
            return f"no result at table {table} in round {number}"
        case facts.GameWon(round=number, table=table, winner=winner):
            return f"{_name(night, winner or 0)} won at table {table} in round {number}"
        case facts.MatchKept(table=table):
            return f"a match is kept at table {table}"
        case facts.RoundStarted(round=number):
            return f"round {number} started"
        case facts.RoundTakenBack(round=number):
            return f"round {number} was undone"
        case facts.RoundsAgreed(rounds=rounds):
            return f"the night has {rounds} round{'' if rounds == 1 else 's'}"
        case facts.NightRenamed():
            return "the night has another name"
        case facts.NightEnded():
            return "the night ended early"
        case facts.NightResumed():
            return "the night goes on"
    return "the last change"


def _correction_words(night: Night, fact: facts.GameWon) -> str:
    before = fold(night.events[:-1], night.title, night.agreed)
    of, was = night.round(fact.round), before.round(fact.round)
    game, old = (it.game(fact.table) if it else None for it in (of, was))
    if game is None or old is None or game.winner is None:
        return ""
    what = f"Corrected: {_name(night, game.winner)} won at table {fact.table} in round {fact.round}."
    if old.winner == game.winner:
        return what
    moves = moving_words(before, fact.round, fact.table)
    return f"{what} {moves}." if moves else f"{what} Nobody moves."


def _again_words(done: str, night: Night, event: NightEvent) -> str:
    match event.fact:
        case facts.NightStarted() | facts.RoundStarted() | facts.RoundTakenBack():
            moves = True
        case facts.GameWon(round=number):
            moves = number < len(night.rounds)
        case _:
            moves = False
    return f"{done}: {fact_words(night, event)}.{' Look again where you sit.' if moves and night.rounds else ''}"


def _back_words(night: Night, number: int) -> str:
    return f"Sit where you sat in round {number}." if number else "Nobody is seated yet."


def _event(night: Night, seq: int) -> NightEvent:
    return next(event for event in night.events if event.seq == seq)


def _name(night: Night, pair: int) -> str:
    return night.name(pair) if pair in night.pairs else "a pair"
