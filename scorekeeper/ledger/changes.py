"""What somebody may want to write into a match, and whether there is anything to write.

A change looks at the match as it stands and returns the fact to write, or `None` where it stands so already. What the
rules say of the fact is the engine's business.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from scorekeeper.engine.hand import Hand, people_in
from scorekeeper.engine.hand_faults import HandFault
from scorekeeper.engine.seats import unknown_player
from scorekeeper.ledger import facts
from scorekeeper.ledger.agreement import acceptance_fault
from scorekeeper.ledger.facts import Fact
from scorekeeper.ledger.limits import MOST_HANDS, hand_faults, name_faults, remark_faults
from scorekeeper.ledger.log import LoggedHand, MatchLog
from scorekeeper.ledger.refusals import HandRefused, MatchClosed, refusal, refuse_any
from scorekeeper.ledger.roles import Link
from scorekeeper.ledger.setup import MARKS, MatchSetup
from scorekeeper.rules.faults import Fault

Change = Callable[[MatchSetup, MatchLog, Link], Fact | None]
"""What to write, given how the match began, what was written so far, and the link of the phone that writes."""


def adding(hand: Hand, before: int | None = None) -> Change:
    """Add a hand: as the last one, or before another."""

    def change(setup: MatchSetup, log: MatchLog, _link: Link) -> Fact:
        _refuse_hand(setup, hand)
        if log.is_stopped:
            raise MatchClosed("stopped")
        if log.written >= MOST_HANDS:
            raise _hand_refusal("too_many", f"A match has room for {MOST_HANDS} hands. Start a new one.")
        if before is not None:
            _in_force(log, before)
        return facts.HandAdded(hand=hand, before=before)

    return change


def correcting(uid: int, hand: Hand) -> Change:
    """Correct a hand."""

    def change(setup: MatchSetup, log: MatchLog, _link: Link) -> Fact | None:
        _refuse_hand(setup, hand)
        return None if _in_force(log, uid).hand == hand else facts.HandCorrected(uid=uid, hand=hand)

    return change


def removing(uid: int) -> Change:
    """Delete a hand."""

    def change(_setup: MatchSetup, log: MatchLog, _link: Link) -> Fact | None:
        return None if log.gone_hand(uid) else facts.HandRemoved(uid=_in_force(log, uid).uid)

    return change


def returning(uid: int) -> Change:
    """Restore a hand that was deleted or undone."""

    def change(_setup: MatchSetup, log: MatchLog, _link: Link) -> Fact | None:
        if log.hand(uid):
            return None
        if not log.gone_hand(uid):
            raise _no_such_hand()
        return facts.HandReturned(uid=uid)

    return change


def accepting(uid: int, version: int, actor: str) -> Change:
    """Accept a hand for another side; `version` is the event that made it so, `actor` signs for the phone."""

    def change(setup: MatchSetup, log: MatchLog, link: Link) -> Fact | None:
        hand = log.hand(uid) or log.gone_hand(uid)
        if hand is None:
            raise _no_such_hand()
        if not hand.waits:
            return None
        if hand.latest.seq != version:
            raise _hand_refusal("changed", "This hand has changed since. Check it again.")
        if fault := acceptance_fault(setup, link, actor, hand):
            raise HandRefused([HandFault(None, fault)])
        return facts.HandAccepted(uid=uid, version=version)

    return change


def agreeing(on: bool) -> Change:
    """Turn acceptance by another side on or off."""
    return lambda _setup, log, _link: None if log.needs_agreement == on else facts.AgreementSet(on=on)


def undoing(target: int | None = None) -> Change:
    """Undo the last fact; with `target` only if it is that one."""

    def change(_setup: MatchSetup, log: MatchLog, _link: Link) -> Fact:
        if log.undo_next is None:
            raise refusal("", "nothing_to_undo", "There is nothing to undo.")
        if target is not None and target != log.undo_next.seq:
            raise refusal("", "not_the_last", "Something else changed after that. Check the match again.")
        return facts.Undone(target=log.undo_next.seq)

    return change


def redoing() -> Change:
    """Redo what the last undo undid."""

    def change(_setup: MatchSetup, log: MatchLog, _link: Link) -> Fact:
        if log.redo_target is None:
            raise refusal("", "nothing_to_redo", "There is nothing to redo.")
        return facts.Redone(target=log.redo_target)

    return change


def stopping() -> Change:
    """Stop before there is a winner."""
    return lambda _setup, log, _link: None if log.is_stopped else facts.Stopped()


def resuming() -> Change:
    """Resume a match that was stopped."""
    return lambda _setup, log, _link: facts.Resumed() if log.is_stopped else None


def deleting() -> Change:
    """Delete the match."""
    return lambda _setup, log, _link: None if log.is_deleted else facts.Deleted()


def undeleting() -> Change:
    """Restore the match."""
    return lambda _setup, log, _link: facts.Undeleted() if log.is_deleted else None


def renaming(names: Mapping[str, str], title: str | None = None) -> Change:
    """Rename people, sides and the match; an empty name names a side after its players."""

    def change(setup: MatchSetup, log: MatchLog, _link: Link) -> Fact | None:
        present = setup.names(log.renamed)
        named_after_players = {side.id for side in setup.sides if side.seats} - {seat.id for seat in setup.seats}
        faults: list[Fault] = []
        for who, name in names.items():
            if who not in present:
                faults.append(Fault(f"names.{who}", "unknown_player", "There is no such seat at this table."))
            elif name or who not in named_after_players:
                faults += name_faults(f"names.{who}", name)
        refuse_any([*faults, *remark_faults(title)])
        nameless = {side.id for side in setup.sides if not setup.own_name(side, log.renamed)}
        new_names = {who: name for who, name in names.items() if name != present[who] and (name or who not in nameless)}
        renamed = {**log.renamed, **new_names}
        # Before somebody sat in others were at the table, who keep their names.
        for sittings in range(len(log.sittings), -1, -1):
            refuse_any(setup.seating_faults(log.renamed_at(sittings, renamed)))
        old_title = log.title if log.title is not None else setup.title
        new_title = None if title == old_title else title
        return facts.Renamed(names=new_names, title=new_title) if new_names or new_title is not None else None

    return change


def marking(side: str, mark: int) -> Change:
    """Change a side's marker; a side that has it already takes the old one in exchange."""

    def change(setup: MatchSetup, log: MatchLog, _link: Link) -> Fact | None:
        present = setup.marks(log.marks)
        if side not in present:
            raise refusal("mark", "unknown_side", "There is no such side at this table.")
        if not 1 <= mark <= MARKS:
            raise refusal("mark", "unknown_mark", "There is no such marker to choose.")
        if present[side] == mark:
            return None
        other = {who: present[side] for who, theirs in present.items() if theirs == mark}
        return facts.Marked(marks={side: mark, **other})

    return change


def moving_dealer(who: str) -> Change:
    """Change who deals the next hand."""

    def change(setup: MatchSetup, log: MatchLog, _link: Link) -> Fact | None:
        if who not in setup.ids:
            raise refusal("dealer", "unknown_player", "There is no such seat at this table.")
        return None if log.next_dealer == who else facts.DealerMoved(who=who)

    return change


def sitting_in(who: str, name: str) -> Change:
    """Change who sits in a seat, from the next hand on."""

    def change(setup: MatchSetup, log: MatchLog, _link: Link) -> Fact | None:
        present, first = setup.names(log.renamed), setup.names(log.renamed_at(0))
        if who not in {seat.id for seat in setup.seats}:
            raise refusal("who", "unknown_player", "Choose who leaves.")
        if present[who] == name:
            return None
        refuse_any(name_faults("name", name))
        # A side that is named after its players keeps its first name in records.
        sides = {names[side.id] for side in setup.sides if side.seats != (side.id,) for names in (present, first)}
        if name in sides or name in present.values():
            raise refusal("name", "repeated_name", f"{name} is at this table already. Choose another name.")
        refuse_any(replace(fault, field="name") for fault in setup.seating_faults({**log.renamed, who: name}))
        return facts.SatIn(names={who: name})

    return change


def changing_rules(house: Mapping[str, Any], on: str | None = None) -> Change:
    """Change house options from the next hand on; `on` is the day."""
    return lambda _setup, _log, _link: facts.RulesChanged(house=dict(house), on=on) if house else None


def _refuse_hand(setup: MatchSetup, hand: Hand) -> None:
    refuse_any(hand_faults(hand), HandRefused)
    refuse_any((unknown_player(path, who) for path, who in people_in(hand) if who not in setup.ids), HandRefused)


def _in_force(log: MatchLog, uid: int) -> LoggedHand:
    if hand := log.hand(uid):
        return hand
    if log.gone_hand(uid):
        raise _hand_refusal("gone", "This hand was deleted. Restore it first.")
    raise _no_such_hand()


def _no_such_hand() -> HandRefused:
    return _hand_refusal("no_such_hand", "There is no such hand in this match.")


def _hand_refusal(code: str, message: str) -> HandRefused:
    return HandRefused([HandFault(None, Fault("", code, message))])
