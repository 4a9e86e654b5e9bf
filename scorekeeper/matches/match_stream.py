"""A match as one phone is about to write into it: what its link may write, and what no hand can be."""

from dataclasses import dataclass

from scorekeeper.access.roles import Link
from scorekeeper.eventlog.refusals import HandRefused, refuse_any
from scorekeeper.matches.log import LoggedHand, MatchLog
from scorekeeper.pitch.records.limits import hand_faults
from scorekeeper.pitch.records.setup import MatchSetup
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.scoring.hand import Hand, people_in
from scorekeeper.pitch.scoring.seats import unknown_player


@dataclass(frozen=True, slots=True)
class MatchPlace:
    """How a match began, what was written so far, and the phone that writes: its link and its signature."""

    setup: MatchSetup
    log: MatchLog
    link: Link
    actor: str

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
