"""Load a match, and the ruleset that it began with.

A match that was loaded a moment ago is not put together again. Events are only ever added, and the key of one is known
to one form alone: a match whose last event is the same, is the same. Every phone has a link of its own, which may be
changed or ended at any time: it is read anew each time, and never kept.
"""

import hashlib
from dataclasses import replace
from threading import Lock

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.log import fold
from scorekeeper.services.refusals import LinkEnded, UnknownMatch
from scorekeeper.services.standing import LoadedMatch, UnscorableMatch, record_of, stand
from scorekeeper.store import queries
from scorekeeper.store.facts import Event
from scorekeeper.store.matches import Head, Link, StoredMatch

__all__ = [
    "LoadedMatch",
    "UnscorableMatch",
    "head_of",
    "load_match",
    "record_of",
    "ruleset_of",
    "stand",
]

_MOST_KEPT = 64
_MOST_HANDS_KEPT = 4000
"""In all of them together: some 15 MiB."""
_MOST_RULESETS = 200
_rulesets: dict[str, Ruleset] = {}
_latest: dict[tuple[Engine, int], LoadedMatch] = {}
"""By database and match."""
_lock = Lock()


def load_match(session: Session, code: str) -> LoadedMatch:
    """Load the match that a link leads to; raises `UnknownMatch`, and `UnscorableMatch` where it cannot be scored."""
    return latest(session, code) or read_match(session, code)


def latest(session: Session, code: str) -> LoadedMatch | None:
    """Give a match as it was loaded last, if nothing was written since; raises `UnknownMatch`."""
    head = head_of(session, code)
    return kept_as_of(session, head.link, (head.version, head.key))


def head_of(session: Session, code: str) -> Head:
    """Give a link as it is now, and where its match ends; raises `UnknownMatch`, and `LinkEnded` where it was one."""
    head = queries.head_of(session, code)
    if head is None:
        raise UnknownMatch(code)
    if head.is_ended:
        raise LinkEnded(code)
    return head


def kept_as_of(session: Session, link: Link, end: tuple[int, str]) -> LoadedMatch | None:
    """Give a link's match as it was loaded last, by whatever link, if that was its last event."""
    with _lock:
        kept = _latest.get(_place(session, link))
    if kept is None or end != (kept.version, kept.log.events[-1].client_key if kept.log.events else ""):
        return None
    return kept if kept.link == link else replace(kept, link=link)


def _place(session: Session, link: Link) -> tuple[Engine, int]:
    return session.get_bind().engine, link.match_id


def read_match(session: Session, code: str) -> LoadedMatch:
    """Load a match from what is stored, whatever was loaded before."""
    match, link, events = load_facts(session, code)
    return keep(session, stand(match, link, fold(events), ruleset_of(session, match)))


def keep(session: Session, loaded: LoadedMatch) -> LoadedMatch:
    """Remember a match as it stands, as long as others are not asked for more."""
    with _lock:
        place = _place(session, loaded.link)
        _latest.pop(place, None)
        _latest[place] = loaded
        hands = sum(kept.log.written for kept in _latest.values())
        while len(_latest) > _MOST_KEPT or (hands > _MOST_HANDS_KEPT and len(_latest) > 1):
            hands -= _latest.pop(next(iter(_latest))).log.written
    return loaded


def load_facts(session: Session, code: str) -> tuple[StoredMatch, Link, tuple[Event, ...]]:
    """Load what is stored of a match; raises `UnknownMatch`."""
    found = queries.match_by_code(session, code)
    if found is None:
        raise UnknownMatch(code)
    match, link = found
    return match, link, queries.events_of(session, match.id)


def ruleset_of(session: Session, match: StoredMatch) -> Ruleset:
    """Give the ruleset that a match began with, whatever its file says today."""
    kept = _rulesets.get(match.digest)
    if kept is None:
        if len(_rulesets) >= _MOST_RULESETS:
            _rulesets.clear()
        kept = _rulesets[match.digest] = read_ruleset(queries.ruleset_text(session, match.id))
    return kept


def read_ruleset(text: str) -> Ruleset:
    """Read a ruleset as `write_ruleset` wrote it."""
    return Ruleset.model_validate_json(text)


def write_ruleset(ruleset: Ruleset) -> tuple[str, str]:
    """Write a ruleset whole, with the digest that it is known by."""
    text = ruleset.model_dump_json()
    return text, hashlib.sha256(text.encode()).hexdigest()
