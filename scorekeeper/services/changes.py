"""What somebody may want to write into a match, and whether there is anything to write.

A change looks at the match as it stands and gives the fact to write, or `None` where it stands so already. What the
rules say of the fact is the engine's business.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from scorekeeper.engine.record import RecordFault
from scorekeeper.rules.faults import Fault
from scorekeeper.services.bounds import MOST_HANDS, hand_faults, name_faults, title_faults
from scorekeeper.services.log import LoggedHand, MatchLog
from scorekeeper.services.refusals import HandRefused, refusal, refuse_any
from scorekeeper.store.facts import (
    AgreementSet,
    DealerMoved,
    Deleted,
    Fact,
    Hand,
    HandAccepted,
    HandAdded,
    HandCorrected,
    HandRemoved,
    HandReturned,
    Marked,
    Redone,
    Renamed,
    Resumed,
    RulesChanged,
    Stopped,
    Undeleted,
    Undone,
)
from scorekeeper.store.matches import MARKS, StoredMatch

Change = Callable[[StoredMatch, MatchLog], Fact | None]


def adding(hand: Hand, before: int | None = None) -> Change:
    """Write a hand down: as the last one, or before another."""

    def change(_match: StoredMatch, log: MatchLog) -> Fact:
        _refuse_hand(hand)
        if log.is_stopped:
            raise _hand_refusal("stopped", "The table has stopped. Go on with the match first.")
        if log.written >= MOST_HANDS:
            raise _hand_refusal("too_many", f"A match has room for {MOST_HANDS} hands. Begin a new one.")
        if before is not None:
            _standing(log, before)
        return HandAdded(hand=_told(hand), before=before)

    return change


def correcting(uid: int, hand: Hand) -> Change:
    """Put a hand right."""

    def change(_match: StoredMatch, log: MatchLog) -> Fact | None:
        _refuse_hand(hand)
        return None if _standing(log, uid).hand == hand else HandCorrected(uid=uid, hand=_told(hand))

    return change


def removing(uid: int) -> Change:
    """Take a hand out."""

    def change(_match: StoredMatch, log: MatchLog) -> Fact | None:
        return None if log.gone_hand(uid) else HandRemoved(uid=_standing(log, uid).uid)

    return change


def returning(uid: int) -> Change:
    """Put a hand back that was taken out or taken back."""

    def change(_match: StoredMatch, log: MatchLog) -> Fact | None:
        if log.hand(uid):
            return None
        if not log.gone_hand(uid):
            raise _hand_refusal("no_such_hand", "There is no such hand in this match.")
        return HandReturned(uid=uid)

    return change


def accepting(uid: int, version: int, refuse: Callable[[LoggedHand], Fault | None]) -> Change:
    """Say for another side that a hand is so; `version` is the event that made it so, `refuse` says who may not."""

    def change(_match: StoredMatch, log: MatchLog) -> Fact | None:
        hand = log.hand(uid) or log.gone_hand(uid)
        if hand is None:
            raise _hand_refusal("no_such_hand", "There is no such hand in this match.")
        if not hand.waits:
            return None
        if hand.latest.seq != version:
            raise _hand_refusal("changed", "This hand was changed meanwhile. Look at it again.")
        if fault := refuse(hand):
            raise HandRefused([RecordFault(None, fault)])
        return HandAccepted(uid=uid, version=version)

    return change


def agreeing(on: bool) -> Change:
    """Let hands count from here on only when another side has accepted them, or at once."""
    return lambda _match, log: None if log.needs_agreement == on else AgreementSet(on=on)


def undoing(target: int | None = None) -> Change:
    """Take back the last fact; with `target` only if it is that one."""

    def change(_match: StoredMatch, log: MatchLog) -> Fact:
        if log.undo_next is None:
            raise refusal("", "nothing_to_undo", "There is nothing left to take back.")
        if target is not None and target != log.undo_next.seq:
            raise refusal("", "not_the_last", "Something else was written after that.")
        return Undone(target=log.undo_next.seq)

    return change


def redoing() -> Change:
    """Bring back what the last undo took."""

    def change(_match: StoredMatch, log: MatchLog) -> Fact:
        if log.redo_target is None:
            raise refusal("", "nothing_to_redo", "There is nothing to bring back.")
        return Redone(target=log.redo_target)

    return change


def stopping() -> Change:
    """Stop before there is a winner."""
    return lambda _match, log: None if log.is_stopped else Stopped()


def resuming() -> Change:
    """Go on after all."""
    return lambda _match, log: Resumed() if log.is_stopped else None


def deleting() -> Change:
    """Throw the match away."""
    return lambda _match, log: None if log.is_deleted else Deleted()


def undeleting() -> Change:
    """Fetch the match out of the bin."""
    return lambda _match, log: Undeleted() if log.is_deleted else None


def renaming(names: Mapping[str, str], title: str | None = None) -> Change:
    """Give people, sides and the match other names; an empty name calls a side after its players."""

    def change(match: StoredMatch, log: MatchLog) -> Fact | None:
        present = match.names(log.renamed)
        called_after_players = {side.id for side in match.sides if side.seats} - {seat.id for seat in match.seats}
        faults: list[Fault] = []
        for who, name in names.items():
            if who not in present:
                faults.append(Fault(f"names.{who}", "unknown_player", "There is no such seat at this table."))
            elif name or who not in called_after_players:
                faults += name_faults(f"names.{who}", name)
        if title is not None:
            faults += title_faults(title)
        refuse_any(faults)
        nameless = {side.id for side in match.sides if not match.own_name(side, log.renamed)}
        new_names = {who: name for who, name in names.items() if name != present[who] and (name or who not in nameless)}
        old_title = log.title if log.title is not None else match.title
        new_title = None if title == old_title else title
        return Renamed(names=new_names, title=new_title) if new_names or new_title is not None else None

    return change


def marking(side: str, mark: int) -> Change:
    """Let a side wear another marker; a side that wears it already takes the old one in exchange."""

    def change(match: StoredMatch, log: MatchLog) -> Fact | None:
        present = match.marks(log.marks)
        if side not in present:
            raise refusal("mark", "unknown_side", "There is no such side at this table.")
        if not 1 <= mark <= MARKS:
            raise refusal("mark", "unknown_mark", "There is no such sign to choose.")
        if present[side] == mark:
            return None
        other = {who: present[side] for who, worn in present.items() if worn == mark}
        return Marked(marks={side: mark, **other})

    return change


def moving_dealer(who: str) -> Change:
    """Let somebody else deal the next hand."""

    def change(match: StoredMatch, log: MatchLog) -> Fact | None:
        if who not in match.ids:
            raise refusal("dealer", "unknown_player", "There is no such seat at this table.")
        return None if log.next_dealer == who else DealerMoved(who=who)

    return change


def changing_rules(house: Mapping[str, Any], on: str | None = None) -> Change:
    """Let other house options hold from the next hand on."""

    def change(_match: StoredMatch, _log: MatchLog) -> Fact | None:
        return RulesChanged(house=_told(house), on=on) if house else None

    return change


def _told(said: Mapping[str, Any]) -> dict[str, Any]:
    """Copy what was said, as the database will give it back: nobody else's to change."""
    copy: dict[str, Any] = json.loads(json.dumps(said))
    return copy


def _refuse_hand(hand: Hand) -> None:
    faults = list(hand_faults(hand))
    if faults:
        raise HandRefused([RecordFault(None, fault) for fault in faults])


def _standing(log: MatchLog, uid: int) -> LoggedHand:
    hand = log.hand(uid)
    if hand is None and log.gone_hand(uid):
        raise _hand_refusal("gone", "This hand was taken out. Put it back first.")
    if hand is None:
        raise _hand_refusal("no_such_hand", "There is no such hand in this match.")
    return hand


def _hand_refusal(code: str, message: str) -> HandRefused:
    return HandRefused([RecordFault(None, Fault("", code, message))])
