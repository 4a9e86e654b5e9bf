"""A match as one phone is about to write into it: what its link may write and accept, and what no hand can be."""

from dataclasses import dataclass

from scorekeeper.access.roles import Link
from scorekeeper.access.signatures import is_same_phone
from scorekeeper.eventlog.refusals import HandRefused, refuse_any
from scorekeeper.eventlog.stream import Fact, Redone, Undone
from scorekeeper.matches.log import LoggedHand, MatchLog
from scorekeeper.pitch.records.limits import hand_faults
from scorekeeper.pitch.records.setup import MatchSetup
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.scoring.hand import Hand, people_in
from scorekeeper.pitch.scoring.seats import unknown_player


def accepting_sides(setup: MatchSetup, hand: LoggedHand) -> tuple[str, ...]:
    """Return the sides that may accept a hand as it is now: all but its writer's, or all where that is not known."""
    writer = setup.side_of(hand.latest.by) if hand.latest.by else None
    return tuple(side.id for side in setup.sides if side.id != writer)


def may_accept(setup: MatchSetup, link: Link, actor: str, hand: LoggedHand) -> bool:
    """Return whether a hand waits for this phone."""
    return hand.waits and acceptance_fault(setup, link, actor, hand) is None


def acceptance_fault(setup: MatchSetup, link: Link, actor: str, hand: LoggedHand) -> Fault | None:
    """Return why this phone cannot accept a hand; `actor` tells phones apart that nobody holds."""
    if link.seat is None:
        return Fault("", "no_seat", "This phone has no player. Choose whose it is, then accept hands.")
    is_own = bool(actor) and is_same_phone(actor, hand.latest.actor)
    if is_own or setup.side_of(link.seat) not in accepting_sides(setup, hand):
        return Fault("", "own_hand", "Someone on another side has to accept this on their own phone.")
    # Whoever wrote it may have come in once more, under another name.
    if hand.latest.seq <= link.seat_since:
        return Fault(
            "",
            "joined_later",
            "This was saved before this phone joined under its name. An owner can let it accept earlier hands, "
            "under “Other phones”.",
        )
    return None


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
            raise hand_refusal("This hand was deleted. Restore it first.")
        raise no_such_hand()


def hand_refusal(message: str) -> HandRefused:
    """Return a refusal of a hand for one reason."""
    return HandRefused([Fault("", "refused", message)])


def no_such_hand() -> HandRefused:
    """Return the refusal of what is about a hand that never was."""
    return hand_refusal("There is no such hand in this match.")
