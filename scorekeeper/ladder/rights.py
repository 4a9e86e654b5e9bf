"""What a link to a night may write: each fact takes a role, and an undo or a redo that of the fact that it touches."""

from typing import assert_never

from scorekeeper.ladder import facts
from scorekeeper.ladder.facts import NightFact
from scorekeeper.ladder.night import Night
from scorekeeper.ledger.facts import Redone, Undone
from scorekeeper.ledger.roles import OWNER, SCORER, allows


def least_role(fact: NightFact) -> str:
    """Return the role that a link must have at least to write a fact."""
    match fact:
        case facts.NightRenamed() | facts.RoundsAgreed() | facts.NightEnded() | facts.NightResumed():
            return OWNER
        case facts.NightStarted() | facts.RoundTakenBack() | facts.NightDeleted() | facts.NightRestored():
            return OWNER
        case facts.PairArrived() | facts.PairRenamed() | facts.PairLeft() | facts.PairBack():
            return SCORER
        case facts.GameWon() | facts.MatchKept() | facts.RoundStarted() | Undone() | Redone():
            return SCORER
    assert_never(fact)


def may_write(night: Night, role: str, fact: NightFact) -> bool:
    """Return whether a role may write a fact."""
    touched = _touched(night, fact)
    return allows(role, least_role(fact)) and (touched is None or allows(role, least_role(touched)))


def may_undo(night: Night, role: str) -> bool:
    """Return whether a role may undo what an undo would undo next."""
    return night.undo_next is not None and may_write(night, role, Undone(target=night.undo_next.seq))


def may_redo(night: Night, role: str) -> bool:
    """Return whether a role may restore what a redo would restore."""
    return night.redo_target is not None and may_write(night, role, Redone(target=night.redo_target))


def _touched(night: Night, fact: NightFact) -> NightFact | None:
    written = {event.seq: event.fact for event in night.events}
    if isinstance(fact, Redone):
        undo = written.get(fact.target)
        return written.get(undo.target) if isinstance(undo, Undone) else None
    return written.get(fact.target) if isinstance(fact, Undone) else None
