"""A match as one phone is about to write into it: what its link may write, and what no hand can be."""

from dataclasses import dataclass

from scorekeeper.engine.hand import Hand, people_in
from scorekeeper.engine.hand_faults import HandFault
from scorekeeper.engine.seats import unknown_player
from scorekeeper.ledger.fact_log import Fact, Redone, Undone
from scorekeeper.ledger.limits import hand_faults
from scorekeeper.ledger.log import LoggedHand, MatchLog
from scorekeeper.ledger.refusals import HandRefused, refuse_any
from scorekeeper.ledger.roles import Link
from scorekeeper.ledger.setup import MatchSetup
from scorekeeper.rules.faults import Fault


@dataclass(frozen=True, slots=True)
class MatchPlace:
    """How a match began, what was written so far, and the phone that writes: its link and its signature."""

    setup: MatchSetup
    log: MatchLog
    link: Link
    actor: str

    def may_write(self, fact: Fact) -> bool:
        """Return whether the phone may write a fact, and undo or restore what that undoes or restores."""
        if not self.log.may_write(self.link.role, fact):
            return False
        touched = self.log.touched(fact)
        return touched is fact or touched.may_be_undone(self)

    def may_undo(self) -> bool:
        """Return whether the phone may undo what an undo would undo next."""
        return self.log.undo_next is not None and self.may_write(Undone(target=self.log.undo_next.seq))

    def may_redo(self) -> bool:
        """Return whether the phone may restore what a redo would restore."""
        return self.log.redo_target is not None and self.may_write(Redone(target=self.log.redo_target))

    def refuse_hand(self, hand: Hand) -> None:
        """Refuse a hand that cannot be stored, or in which somebody plays who is not at the table."""
        refuse_any(hand_faults(hand), HandRefused)
        strangers = (unknown_player(path, who) for path, who in people_in(hand) if who not in self.setup.ids)
        refuse_any(strangers, HandRefused)

    def hand_in_force(self, uid: int) -> LoggedHand:
        """Return a hand in force; raises `HandRefused` where it is gone, or never was."""
        if hand := self.log.hand(uid):
            return hand
        if self.log.gone_hand(uid):
            raise hand_refusal("gone", "This hand was deleted. Restore it first.")
        raise no_such_hand()


def hand_refusal(code: str, message: str) -> HandRefused:
    """Return a refusal of a hand for one reason."""
    return HandRefused([HandFault(None, Fault("", code, message))])


def no_such_hand() -> HandRefused:
    """Return the refusal of what is about a hand that never was."""
    return hand_refusal("no_such_hand", "There is no such hand in this match.")
