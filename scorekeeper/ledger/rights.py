"""What a link may write in a match: what its role allows, and of another side's acceptance what concerns that side."""

from scorekeeper.ledger.agreement import acceptance_fault
from scorekeeper.ledger.fact_log import Fact, Redone, Undone
from scorekeeper.ledger.facts import HandAccepted
from scorekeeper.ledger.log import MatchLog
from scorekeeper.ledger.roles import Link
from scorekeeper.ledger.setup import MatchSetup


def may_write(setup: MatchSetup, log: MatchLog, link: Link, actor: str, fact: Fact) -> bool:
    """Return whether a link may write a fact; `actor` is its phone's signature."""
    if not log.may_write(link.role, fact):
        return False
    touched = log.touched(fact)
    # Whoever wrote a hand neither restores the other side's acceptance of it, nor undoes that to undo the hand next.
    # An owner may, who can turn acceptance off as well.
    if touched is fact or link.is_owner or not isinstance(touched, HandAccepted):
        return True
    hand = log.hand(touched.uid) or log.gone_hand(touched.uid)
    return hand is not None and acceptance_fault(setup, link, actor, hand) is None


def may_undo(setup: MatchSetup, log: MatchLog, link: Link, actor: str) -> bool:
    """Return whether a link may undo what an undo would undo next."""
    return log.undo_next is not None and may_write(setup, log, link, actor, Undone(target=log.undo_next.seq))


def may_redo(setup: MatchSetup, log: MatchLog, link: Link, actor: str) -> bool:
    """Return whether a link may restore what a redo would restore."""
    return log.redo_target is not None and may_write(setup, log, link, actor, Redone(target=log.redo_target))
