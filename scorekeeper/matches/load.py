"""A match loaded from the store, and the ruleset that it began with.

A match that was loaded a moment ago is not derived again. Events are only ever appended, and an idempotency key is
known to one form alone: a match whose last event is the same is the same. Every phone has a link of its own, which may
be changed or ended at any time: it is read each time, and never cached.
"""

import hashlib
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from pydantic import ValidationError
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.access.roles import Head, Link, UnknownCode
from scorekeeper.eventlog.cache import Cache
from scorekeeper.matches import store as matches
from scorekeeper.matches.events import StoredEvent
from scorekeeper.matches.fold import Match, UnscorableMatch, derive_match
from scorekeeper.matches.log import MatchLog, fold
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.pitch.rules.faults import shape_faults
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.budget import A_HAND, Budget, BudgetExceeded

_rulesets = Cache[str, Ruleset](200)
"""By their digest."""
_cache = Cache[tuple[Engine, int], Match](64, most_weight=4000, weigh=lambda match: match.log.written)
"""By database and match; its limit of hands, in all matches together, takes some 15 MiB."""


def load_match(session: Session, code: str, head: Head | None = None) -> Match:
    """Return the match that a link leads to; raises `UnknownCode`, and `UnscorableMatch` where it cannot be scored.

    `head` is what `head_of` returned for this link a moment ago, which saves reading it again.
    """
    return cached_match(session, code, head) or read_match(session, code)


def cached_match(session: Session, code: str, head: Head | None = None) -> Match | None:
    """Return a match as it was loaded last, if nothing was written since; raises `UnknownCode`."""
    head = head or head_of(session, code)
    return cached_as_of(session, head.link, (head.version, head.key))


def head_of(session: Session, code: str) -> Head:
    """Return a link as it is now, and where its match ends; raises `UnknownCode`, and `LinkEnded` where it was one."""
    return MATCH_LINKS.head_in_force(session, code)


def head_reader(engine: Engine) -> Callable[[str], Head | None]:
    """Return what reads a link as it is now, ended or not, and where its match ends; `None` where there never was one.

    It raises `SQLAlchemyError` where the database does not answer.
    """
    read, fault = matches.head_reader(engine), engine.dialect.loaded_dbapi.Error

    def head_now(code: str) -> Head | None:
        with suppress(fault):
            return read(code)
        # This finds out what is wrong, for all the other connections as well.
        with engine.connect() as connection:
            return MATCH_LINKS.head(connection, code)

    return head_now


def cached_as_of(session: Session, link: Link, end: tuple[int, str]) -> Match | None:
    """Return a link's match from the cache, loaded by any link, if its last event is still `end`."""
    cached = _cache.get(_place(session, link))
    if cached is None or end != cached.log.end:
        return None
    return cached if cached.link == link else replace(cached, link=link)


def _place(session: Session, link: Link) -> tuple[Engine, int]:
    return session.get_bind().engine, link.stream_id


def read_match(session: Session, code: str) -> Match:
    """Derive a match from the database, without the cache."""
    setup, link, events = load_events(session, code)
    return derive_and_cache(session, setup, link, events)


def match_of_id(session: Session, link: Link) -> Match:
    """Return the match of a link, which need not be stored."""
    cached = cached_as_of(session, link, MATCH_EVENTS.end(session, link.stream_id))
    if cached:
        return cached
    setup = matches.setup_by_id(session, link.stream_id)
    return derived(session, setup, link, fold(MATCH_EVENTS.of(session, setup.id)))


BUDGET = "budget"
"""The key in a session's `info` of the budget that it has left for scoring matches; without it there is no limit."""


def derived(session: Session, setup: MatchSetup, link: Link, log: MatchLog, *, is_whole_book: bool = False) -> Match:
    """Return a match as it stands, derived from its stored events; raises `UnscorableMatch`.

    A match that had ended before its points raised a question keeps that ending. Raises `BudgetExceeded` where the
    budget of the session is spent already. Each match has a budget of its own beside that: its result does not depend
    on the matches that were scored before it. A whole book may have any number of hands.
    """
    shared, own = session.info.get(BUDGET, Budget(sys.maxsize)), Budget()
    shared.spend(0 if is_whole_book else A_HAND * len(log.hands))
    match = derive_match(setup, link, log, ruleset_of(session, setup), budget=own)
    with suppress(BudgetExceeded):  # the next match is refused
        shared.spend(own.beyond(len(log.hands)))
    if match.state.question is None:
        return match
    return match.ended_as(matches.endings_of(session, [setup.id]).get(setup.id))


def derive_and_cache(session: Session, setup: MatchSetup, link: Link, events: tuple[StoredEvent, ...]) -> Match:
    """Derive a match and cache it; raises `UnscorableMatch`."""
    return cache(session, derived(session, setup, link, fold(events)))


def cache(session: Session, match: Match) -> Match:
    """Cache a match as it stands, until too many others are loaded."""
    return _cache.put(_place(session, match.link), match)


def load_events(session: Session, code: str) -> tuple[MatchSetup, Link, tuple[StoredEvent, ...]]:
    """Return the setup, the link and the events of a match; raises `UnknownCode`."""
    found = matches.match_by_code(session, code)
    if found is None:
        raise UnknownCode(code)
    setup, link = found
    return setup, link, MATCH_EVENTS.of(session, setup.id)


def ruleset_of(session: Session, setup: MatchSetup) -> Ruleset:
    """Return the ruleset that a match began with, though its file may have changed; raises `UnscorableMatch`."""
    cached = _rulesets.get(setup.digest)
    return cached or _rulesets.put(setup.digest, read_ruleset(matches.ruleset_text(session, setup.id)))


def readable_ruleset_of(session: Session, setup: MatchSetup) -> Ruleset | None:
    """Return the ruleset that a match began with; `None` where it cannot be read."""
    with suppress(UnscorableMatch):
        return ruleset_of(session, setup)
    return None


def read_ruleset(text: str) -> Ruleset:
    """Read a ruleset as `write_ruleset` wrote it; raises `UnscorableMatch` where another program wrote it."""
    try:
        return Ruleset.model_validate_json(text)
    except ValidationError as error:
        raise UnscorableMatch(shape_faults(error)) from None


def write_ruleset(ruleset: Ruleset) -> tuple[str, str]:
    """Return a whole ruleset as JSON, and the digest that identifies it."""
    text = ruleset.model_dump_json()
    return text, hashlib.sha256(text.encode()).hexdigest()
