"""Load a match, and the ruleset that it began with.

A match that was loaded a moment ago is not put together again. Events are only ever added, and the key of one is known
to one form alone: a match whose last event is the same, is the same.
"""

import hashlib
from threading import Lock

from sqlalchemy.orm import Session

from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.log import fold
from scorekeeper.services.refusals import UnknownMatch
from scorekeeper.services.standing import LoadedMatch, UnscorableMatch, record_of, stand
from scorekeeper.store import queries
from scorekeeper.store.facts import Event
from scorekeeper.store.matches import Link, StoredMatch

__all__ = [
    "LoadedMatch",
    "UnscorableMatch",
    "load_match",
    "record_of",
    "ruleset_of",
    "stand",
    "version_of",
]

_MOST_KEPT = 64
_MOST_HANDS_KEPT = 4000
"""In all of them together: some 15 MiB."""
_MOST_RULESETS = 200
_rulesets: dict[str, Ruleset] = {}
_latest: dict[str, LoadedMatch] = {}
_lock = Lock()


def load_match(session: Session, code: str) -> LoadedMatch:
    """Load the match that a link leads to; raises `UnknownMatch`, and `UnscorableMatch` where it cannot be scored."""
    return latest(session, code) or read_match(session, code)


def latest(session: Session, code: str) -> LoadedMatch | None:
    """Give a match as it was loaded last, if nothing was written since; raises `UnknownMatch`."""
    head = queries.head_of(session, code)
    if head is None:
        raise UnknownMatch(code)
    return kept_as_of(code, head)


def kept_as_of(code: str, head: tuple[int, str]) -> LoadedMatch | None:
    """Give a match as it was loaded last, if that was its last event."""
    with _lock:
        kept = _latest.get(code)
    if kept is None or head != (kept.version, kept.log.events[-1].client_key if kept.log.events else ""):
        return None
    return kept


def read_match(session: Session, code: str) -> LoadedMatch:
    """Load a match from what is stored, whatever was loaded before."""
    match, link, events = load_facts(session, code)
    return keep(stand(match, link, fold(events), ruleset_of(session, match)))


def keep(loaded: LoadedMatch) -> LoadedMatch:
    """Remember a match as it stands, as long as others are not asked for more."""
    with _lock:
        _latest.pop(loaded.code, None)
        _latest[loaded.code] = loaded
        hands = sum(kept.log.written for kept in _latest.values())
        while len(_latest) > _MOST_KEPT or (hands > _MOST_HANDS_KEPT and len(_latest) > 1):
            hands -= _latest.pop(next(iter(_latest))).log.written
    return loaded


def version_of(session: Session, code: str) -> int | None:
    """Give a match's version without loading it, or `None` where the link leads nowhere."""
    head = queries.head_of(session, code)
    return head[0] if head else None


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
