"""What a link may write: each fact takes a role, and an undo or a redo takes the right of the fact that it touches."""

from typing import assert_never

from scorekeeper.ledger import facts
from scorekeeper.ledger.agreement import acceptance_fault
from scorekeeper.ledger.facts import Fact
from scorekeeper.ledger.log import MatchLog
from scorekeeper.ledger.roles import OWNER, SCORER, WATCHER, Link, allows
from scorekeeper.ledger.setup import MatchSetup


def least_role(fact: Fact) -> str:
    """Return the role that a link must have at least to write a fact."""
    match fact:
        case facts.AgreementSet() | facts.Renamed() | facts.Deleted() | facts.Undeleted() | facts.RulesChanged():
            return OWNER
        case facts.HandAdded() | facts.HandCorrected() | facts.HandRemoved() | facts.HandReturned():
            return SCORER
        case facts.Stopped() | facts.Resumed() | facts.Marked() | facts.DealerMoved() | facts.SatIn():
            return SCORER
        case facts.Undone() | facts.Redone():
            return SCORER
        case facts.HandAccepted():
            return WATCHER
    assert_never(fact)


def may_write(setup: MatchSetup, log: MatchLog, link: Link, actor: str, fact: Fact) -> bool:
    """Return whether a link may write a fact; `actor` is its phone's signature."""
    if not allows(link.role, least_role(fact)):
        return False
    touched = _touched(log, fact)
    if touched is None:
        return True
    return allows(link.role, least_role(touched)) and _may_touch(setup, log, link, actor, touched)


def _touched(log: MatchLog, fact: Fact) -> Fact | None:
    """Return what an undo undoes, or a redo restores."""
    match fact:
        case facts.Undone(target=target):
            return log.fact(target)
        case facts.Redone(target=target):
            undo = log.fact(target)
            return log.fact(undo.target) if isinstance(undo, facts.Undone) else None
        case _:
            return None


def _may_touch(setup: MatchSetup, log: MatchLog, link: Link, actor: str, touched: Fact) -> bool:
    # Whoever wrote a hand neither restores the other side's acceptance of it, nor undoes that to undo the hand next.
    # An owner may, who can turn acceptance off as well.
    if link.is_owner or not isinstance(touched, facts.HandAccepted):
        return True
    hand = log.hand(touched.uid) or log.gone_hand(touched.uid)
    return hand is not None and acceptance_fault(setup, link, actor, hand) is None


def may_undo(setup: MatchSetup, log: MatchLog, link: Link, actor: str) -> bool:
    """Return whether a link may undo what an undo would undo next."""
    return log.undo_next is not None and may_write(setup, log, link, actor, facts.Undone(target=log.undo_next.seq))


def may_redo(setup: MatchSetup, log: MatchLog, link: Link, actor: str) -> bool:
    """Return whether a link may restore what a redo would restore."""
    return log.redo_target is not None and may_write(setup, log, link, actor, facts.Redone(target=log.redo_target))
