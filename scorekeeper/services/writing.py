"""How a fact gets into a match: once, even if its form is sent twice, in its place, and only if it can have been so."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.engine.hand_faults import HandFault
from scorekeeper.ledger.changes import Change
from scorekeeper.ledger.derive_match import Match, UnscorableMatch, derive_match
from scorekeeper.ledger.facts import (
    DealerMoved,
    Event,
    Fact,
    HandAdded,
    HandCorrected,
    HandFact,
    HandRemoved,
    HandReturned,
    Redone,
    RulesChanged,
    SatIn,
    Stopped,
    Undeleted,
    Undone,
)
from scorekeeper.ledger.fold import fold, fold_on
from scorekeeper.ledger.limits import MOST_EVENTS, cut_actor, key_faults
from scorekeeper.ledger.log import MatchLog
from scorekeeper.ledger.refusals import HandRefused, MatchClosed, NotAllowed, Refused, refusal, refuse_any
from scorekeeper.ledger.rights import may_write
from scorekeeper.ledger.roles import Head, Link
from scorekeeper.ledger.setup import MatchSetup
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.endings import keep_ending
from scorekeeper.services.load import cache, cached_match, derive_and_cache, load_facts, load_match, ruleset_of
from scorekeeper.services.night_matches import follow_verdict
from scorekeeper.store.matches import add_events

_MOST_TRIES = 50
"""How often a fact that may stand anywhere is tried again when others write at the same moment."""


class StaleMatch(Exception):
    """Somebody else wrote first: `since` is what, and `match` is how it stands now."""

    def __init__(self, since: tuple[Event, ...], match: Match) -> None:
        super().__init__("Someone else changed the match first.")
        self.since = since
        self.match = match


def write(
    session: Session,
    code: str,
    change: Change,
    *,
    seq: int | None,
    client_key: str,
    actor: str = "",
    head: Head | None = None,
) -> Match:
    """Write a change into a match and commit; return the match as it stands then.

    A `client_key` that has been seen before is answered as it was the first time. `seq` is the place that the fact
    must have, one after the version that its form showed; `None` is for what does not mind what came before it.
    `head` is what `head_of` returned for this link a moment ago, which saves reading it again.
    Raises `Refused`, `HandRefused`, `NotAllowed`, `MatchClosed` and `StaleMatch`.
    """
    refuse_any(key_faults(client_key))
    for _ in range(_MOST_TRIES):
        present = _present(session, code, head)
        if present.log.has_key(client_key):
            return present.derived(session)
        if seq is not None and seq != present.log.version + 1:
            raise StaleMatch(present.log.since(seq - 1), present.derived(session))
        event = present.next_event(change, client_key, actor)
        if event is None:
            return present.derived(session)
        after = present.after(event)
        try:
            add_events(session, present.setup.id, [event])
            keep_ending(session, present.match, after)
            follow_verdict(session, present.match, after)
            session.commit()
        except IntegrityError:  # another phone was faster, or the same one twice: look again
            session.rollback()
            head = None
            continue
        return cache(session, after)
    raise StaleMatch((), load_match(session, code))


def preview(match: Match, change: Change) -> Match:
    """Return the match as it would stand after a change, and write nothing.

    Raises `Refused`, `HandRefused` and `MatchClosed`.
    """
    present = _Present(match.setup, match.link, match.log, match.rules, match)
    event = present.next_event(change, "", "")
    return present.after(event) if event else match


@dataclass(frozen=True, slots=True)
class _Present:
    """A match before something is written into it, which may be what makes it sound again."""

    setup: MatchSetup
    link: Link
    log: MatchLog
    rules: Ruleset
    match: Match | None

    def derived(self, session: Session) -> Match:
        return self.match or cache(session, derive_match(self.setup, self.link, self.log, self.rules))

    def next_event(self, change: Change, client_key: str, actor: str) -> Event | None:
        """Return what a change writes; `None` where it is so already."""
        fact = change(self.setup, self.log, self.link)
        if fact is None:
            return None
        if not may_write(self.setup, self.log, self.link, actor, fact):
            raise NotAllowed
        if self.log.is_deleted and not isinstance(fact, Undeleted | Undone | Redone):
            raise MatchClosed("deleted")
        if self.match and _comes_too_late(self.match, fact):
            raise MatchClosed("over" if self.match.is_over else "asks")
        if len(self.log.events) >= MOST_EVENTS:
            raise refusal("", "too_many", f"A match has room for {MOST_EVENTS} entries. Start a new one.")
        return Event(self.log.version + 1, client_key, datetime.now(UTC), cut_actor(actor), _signed(fact, self.link))

    def after(self, event: Event) -> Match:
        log = fold_on(self.log, event)
        try:
            return derive_match(self.setup, self.link, log, self.rules, self.match)
        except UnscorableMatch as unscorable:
            raise _refused(unscorable.faults, log, event) from None


def _present(session: Session, code: str, head: Head | None) -> _Present:
    if match := cached_match(session, code, head):
        return _Present(match.setup, match.link, match.log, match.rules, match)
    setup, link, events = load_facts(session, code)
    try:
        match = derive_and_cache(session, setup, link, events)
    except UnscorableMatch:
        return _Present(setup, link, fold(events), ruleset_of(session, setup), None)
    return _Present(setup, link, match.log, match.rules, match)


def _comes_too_late(match: Match, fact: Fact) -> bool:
    """Return whether a fact is about a hand that does not count; a forgotten one before the end is a correction."""
    match fact:
        case HandAdded(before=before):
            return match.closed(before) in ("over", "asks")
        case RulesChanged() | DealerMoved() | SatIn():
            return not match.state.goes_on
        case Stopped():
            # One that is won but for hands that wait may still be left for tonight.
            return match.status == "over"
        case _:
            return False


def _signed(fact: Fact, link: Link) -> Fact:
    """Sign what is done to a hand with whoever holds the phone."""
    return replace(fact, by=link.seat) if isinstance(fact, HandFact) and link.seat else fact


def _refused(faults: tuple[HandFault, ...], log: MatchLog, event: Event) -> Refused:
    match event.fact:
        case HandAdded():
            uid = event.seq
        case HandCorrected(uid=uid) | HandRemoved(uid=uid) | HandReturned(uid=uid):
            pass
        case _:
            return Refused(faults)
    return HandRefused(faults, log.hand_place(uid))
