"""How a fact gets into a match: once, in its place, and only if the match can have been so."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.engine.record import RecordFault
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.bounds import MOST_EVENTS, cut_actor, key_faults
from scorekeeper.services.changes import Change
from scorekeeper.services.load import keep, latest, load_facts, load_match, ruleset_of
from scorekeeper.services.log import MatchLog, fold
from scorekeeper.services.refusals import HandRefused, Refused, StaleMatch, refusal, refuse_any
from scorekeeper.services.standing import LoadedMatch, UnscorableMatch, stand
from scorekeeper.store.facts import (
    Event,
    Fact,
    HandAccepted,
    HandAdded,
    HandCorrected,
    HandRemoved,
    HandReturned,
    Redone,
    Undeleted,
    Undone,
)
from scorekeeper.store.inserts import add_events
from scorekeeper.store.matches import Link, StoredMatch
from scorekeeper.store.names import field_with

_MOST_TRIES = 50
"""How often a fact that may stand anywhere is tried again when others write at the same moment."""


@dataclass(frozen=True, slots=True)
class Preview:
    """How a match stands, and how it would."""

    before: LoadedMatch
    after: LoadedMatch


def write(
    session: Session, code: str, change: Change, *, seq: int | None, client_key: str, actor: str = ""
) -> LoadedMatch:
    """Write a change into a match and commit; give the match as it stands then.

    A `client_key` that has been seen before is answered as it was the first time. `seq` is the place that the fact
    must have, one after the version that its form showed; `None` is for what does not mind what came before it.
    """
    refuse_any(key_faults(client_key))
    for _ in range(_MOST_TRIES):
        present = _present(session, code)
        if present.log.has_key(client_key):
            return present.loaded(session)
        if seq is not None and seq != present.log.version + 1:
            raise StaleMatch(present.log.since(seq - 1), present.loaded(session))
        fact = _signed(_fact(change, present), present.link)
        if fact is None:
            return present.loaded(session)
        event = Event(present.log.version + 1, client_key, datetime.now(UTC), cut_actor(actor), fact)
        after = _after(present, event)
        try:
            add_events(session, present.match.id, [event])
            session.commit()
        except IntegrityError:  # another phone was faster, or the same one twice: look again
            session.rollback()
            continue
        return keep(session, after)
    raise StaleMatch((), load_match(session, code))


def preview(session: Session, code: str, change: Change) -> Preview:
    """Say how a match would stand after a change, and write nothing."""
    present = _present(session, code)
    fact = _fact(change, present)
    if fact is None:
        return Preview(present.loaded(session), present.loaded(session))
    event = Event(present.log.version + 1, "", datetime.now(UTC), "", fact)
    return Preview(present.loaded(session), _after(present, event))


@dataclass(frozen=True, slots=True)
class _Present:
    """A match before something is written into it, which may be what makes it sound again."""

    match: StoredMatch
    link: Link
    log: MatchLog
    ruleset: Ruleset
    known: LoadedMatch | None

    def loaded(self, session: Session) -> LoadedMatch:
        return self.known or keep(session, stand(self.match, self.link, self.log, self.ruleset))


def _present(session: Session, code: str) -> _Present:
    if known := latest(session, code):
        return _Present(known.match, known.link, known.log, ruleset_of(session, known.match), known)
    match, link, events = load_facts(session, code)
    return _Present(match, link, fold(events), ruleset_of(session, match), None)


def _fact(change: Change, present: _Present) -> Fact | None:
    log = present.log
    fact = change(present.match, log)
    if fact is not None and log.is_deleted and not isinstance(fact, Undeleted | Undone | Redone):
        raise refusal("", "deleted", "This match was thrown away. Fetch it back first.")
    if fact is not None and len(log.events) >= MOST_EVENTS:
        raise refusal("", "too_many", f"A match has room for {MOST_EVENTS} entries. Begin a new one.")
    return fact


def _signed(fact: Fact | None, link: Link) -> Fact | None:
    """Write on what is done to a hand whose phone did it."""
    if isinstance(fact, HandAdded | HandCorrected | HandRemoved | HandReturned | HandAccepted) and link.seat:
        return fact.model_copy(update={"by": link.seat})
    return fact


def _after(present: _Present, event: Event) -> LoadedMatch:
    log = fold((*present.log.events, event))
    try:
        return stand(present.match, present.link, log, present.ruleset, present.known)
    except UnscorableMatch as unscorable:
        ids = {name: who for who, name in present.match.names(log.renamed).items()}
        faults = [
            RecordFault(item.hand, Fault(field_with(item.fault.field, ids), item.fault.code, item.fault.message))
            for item in unscorable.faults
        ]
        raise _refused(faults, log, event) from None


def _refused(faults: list[RecordFault], log: MatchLog, event: Event) -> Refused:
    match event.fact:
        case HandAdded():
            uid = event.seq
        case HandCorrected(uid=uid) | HandRemoved(uid=uid) | HandReturned(uid=uid):
            pass
        case _:
            return Refused(faults)
    numbers = {hand.uid: number for number, hand in enumerate(log.hands, 1)}
    return HandRefused(faults, numbers.get(uid))
