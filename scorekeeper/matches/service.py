"""Load, score and cache matches, and append events that their rules allow.

Scores are always computed from the events. The ending that is stored with a match serves to check later versions of the
scoring. A cached match is valid as long as its last event is the same; the link is read for each request.
"""

import hashlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from pydantic import ValidationError
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from scorekeeper import hooks
from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.access.roles import Head, Link
from scorekeeper.database.rows import split_into_chunks
from scorekeeper.eventlog.cache import Cache
from scorekeeper.eventlog.store import StaleStream, UnreadableEvent, Writer, append_event, apply_events, number_event
from scorekeeper.eventlog.stream import OWNER, HandRefused, MatchClosed, NotAllowed, Refused
from scorekeeper.matches import store as matches
from scorekeeper.matches.events import (
    Change,
    DealerMoved,
    Event,
    HandAdded,
    HandCorrected,
    HandEvent,
    MatchStream,
    PlayerSubstituted,
    Redone,
    RulesChanged,
    Stopped,
    StoredEvent,
    Undeleted,
    Undone,
    hand_uid_of,
)
from scorekeeper.matches.fold import Ending, Match, UnscorableMatch, derive_match
from scorekeeper.matches.log import MatchLog, fold
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.pitch.rules.faults import shape_faults
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.search_budget import STEPS_PER_HAND, Budget, BudgetExceeded
from scorekeeper.pitch.text.phrases import resolve_pronouns

_rulesets = Cache[str, Ruleset](200)
"""The rulesets that matches began with, keyed by ruleset digest."""
_match_cache = Cache[tuple[Engine, int], Match](64, max_weight=4000, weigh=lambda match: match.log.added_hand_count)
"""The scored matches, keyed by database and match id: at most 64 with 4,000 hands in all, in some 15 MiB."""


def load_match(session: Session, code: str, head: Head | None = None) -> Match:
    """Return the match that an access link leads to, scored and cached; raises `UnknownCode`.

    Raises `UnscorableMatch`, and `BudgetExceeded` as `derive_stored_match` does. If the caller has read the `head` of
    the link's stream, no second query reads it.
    """
    head = head or MATCH_LINKS.head_in_force(session, code)
    return cached_match(session, head.link, (head.version, head.last_key)) or _reload(session, head.link)


def cached_match(session: Session, link: Link, end: tuple[int, str]) -> Match | None:
    """Return the match of a link from the cache; `None` if it is missing there or out of date.

    `end` is the `seq` and the idempotency key of the last event in the database.
    """
    # Events are only ever appended, and no two forms share a key: with the same last event, a match is the same.
    cached = _match_cache.get(_cache_key(session, link))
    if cached is None or end != cached.log.end:
        return None
    return cached if cached.link == link else replace(cached, link=link)


def _cache_key(session: Session, link: Link) -> tuple[Engine, int]:
    """Return the key of a link's match in the cache: the database and the match's id."""
    return session.get_bind().engine, link.stream_id


def reload_match(session: Session, code: str) -> Match:
    """Score and cache the match that a link leads to, even if it is cached already; raises as `load_match` does."""
    return _reload(session, MATCH_LINKS.head_in_force(session, code).link)


def _reload(session: Session, link: Link) -> Match:
    """Load a link's match from the database, score and cache it, and return it; raises as `derive_and_cache` does."""
    setup, events = load_setup_and_events(session, link)
    return derive_and_cache(session, setup, link, events)


def match_of_link(session: Session, link: Link) -> Match:
    """Return the match of a link, stored or made up, scored and cached; raises `UnscorableMatch`, `BudgetExceeded`."""
    return cached_match(session, link, MATCH_EVENTS.end(session, link.stream_id)) or _reload(session, link)


SESSION_BUDGET_KEY = "budget"
"""The key in `Session.info` of the session's budget for scoring matches; without it there is no limit."""


def derive_stored_match(
    session: Session, setup: MatchSetup, link: Link, log: MatchLog, *, is_whole_book: bool = False
) -> Match:
    """Return a match scored from its log, within the session's budget; raises `UnscorableMatch`.

    An ended match keeps its stored ending if today's scoring would need cards to decide who won. Raises
    `BudgetExceeded` if the budget is used up; with `is_whole_book`, only long searches count against it.
    """
    session_budget, match_budget = session.info.get(SESSION_BUDGET_KEY, Budget(sys.maxsize)), Budget()
    session_budget.spend(0 if is_whole_book else STEPS_PER_HAND * len(log.hands))
    match = derive_match(setup, link, log, ruleset_of(session, setup), budget=match_budget)
    with suppress(BudgetExceeded):  # the next match is refused
        session_budget.spend(match_budget.steps_beyond(len(log.hands)))
    if match.state.question is None:
        return match
    return match.with_stored_ending(matches.stored_endings(session, [setup.id]).get(setup.id))


def derive_and_cache(session: Session, setup: MatchSetup, link: Link, events: tuple[StoredEvent, ...]) -> Match:
    """Score a match from its events, cache it, and return it; raises `UnscorableMatch` and `BudgetExceeded`."""
    return cache_match(session, derive_stored_match(session, setup, link, fold(events)))


def cache_match(session: Session, match: Match) -> Match:
    """Put a match into the cache in place of any earlier version, and return it."""
    return _match_cache.put(_cache_key(session, match.link), match)


def load_setup_and_events(session: Session, link: Link) -> tuple[MatchSetup, tuple[StoredEvent, ...]]:
    """Load the setup and the events of a link's match from the database, and return them."""
    return matches.setup_by_id(session, link.stream_id), MATCH_EVENTS.load(session, link.stream_id)


def load_logs(
    session: Session, setups: Sequence[MatchSetup], left_out: list[MatchSetup]
) -> Iterator[tuple[MatchSetup, MatchLog]]:
    """Yield each match with its log, except deleted ones; unreadable ones are added to `left_out` instead."""
    for setup_batch in split_into_chunks(setups, _BATCH_SIZE):
        events_by_id = MATCH_EVENTS.load_all(session, [setup.id for setup in setup_batch])
        for setup in setup_batch:
            if setup.id not in events_by_id:
                left_out.append(setup)
            elif not (log := fold(events_by_id[setup.id])).is_deleted:
                yield setup, log


def ruleset_of(session: Session, setup: MatchSetup) -> Ruleset:
    """Return the stored ruleset that a match began with; raises `UnscorableMatch` if it cannot be read."""
    cached = _rulesets.get(setup.digest)
    return cached or _rulesets.put(setup.digest, read_ruleset(matches.ruleset_text(session, setup.id)))


def readable_ruleset_of(session: Session, setup: MatchSetup) -> Ruleset | None:
    """Return the ruleset that a match began with; `None` if it cannot be read."""
    with suppress(UnscorableMatch):
        return ruleset_of(session, setup)
    return None


def read_ruleset(ruleset_json: str) -> Ruleset:
    """Return a ruleset from JSON that `write_ruleset` wrote; raises `UnscorableMatch` if that is not valid."""
    try:
        return Ruleset.model_validate_json(ruleset_json)
    except ValidationError as error:
        raise UnscorableMatch(shape_faults(error)) from None


def write_ruleset(ruleset: Ruleset) -> tuple[str, str]:
    """Return a ruleset as JSON, and the digest of that JSON, which identifies the ruleset."""
    ruleset_json = ruleset.model_dump_json()
    return ruleset_json, hashlib.sha256(ruleset_json.encode()).hexdigest()


_BATCH_SIZE = 50
"""The most matches in one query, so that no transaction takes long."""


@dataclass(frozen=True, slots=True)
class ReplayedMatch:
    """A stored match as this version scores it, with its stored ending to compare."""

    setup: MatchSetup
    link: Link
    """The oldest owner's link in force; without one, a made-up link."""
    match: Match | None
    """`None` if the match can no longer be scored or read."""
    fault: str
    """The reason why `match` is `None`; else empty."""
    stored_ending: Ending | None
    """`None` if none is stored, as for a match in progress."""

    @property
    def has_same_ending(self) -> bool:
        """Whether scoring gives the stored ending; false if the match cannot be scored."""
        return self.match is not None and self.match.ending == self.stored_ending


def compute_missing_endings(session: Session) -> None:
    """Compute and store the endings that a migration or an import has left open, and commit after each batch.

    If it is interrupted, the next call continues. A match that cannot be scored gets no ending.
    """
    last_id = 0
    while match_ids := matches.ids_with_missing_ending(session, last_id, _BATCH_SIZE):
        replayed_matches = (try_to_derive(session, matches.setup_by_id(session, match_id))[0] for match_id in match_ids)
        computed_endings = [(match.id, match.ending) for match in replayed_matches if match]
        # The reading ends before the writing begins: SQLite would refuse it where a phone wrote in between.
        session.rollback()
        for match_id, ending in computed_endings:
            matches.store_missing_ending(session, match_id, ending)
        session.commit()
        last_id = match_ids[-1]


def replay_all(session: Session) -> Iterator[ReplayedMatch]:
    """Score every match, deleted or not, and yield it, oldest first; rolls the session back after each batch.

    For a match whose stored ending is still to be computed, `stored_ending` is the ending as scored now.
    """
    last_id = 0
    while setups := matches.setups_after(session, last_id, _BATCH_SIZE):
        match_ids = [setup.id for setup in setups]
        endings, owner_links = (
            matches.stored_endings(session, match_ids),
            MATCH_LINKS.oldest_owner_links(session, match_ids),
        )
        ids_without_ending = matches.ids_with_missing_ending(session, last_id, _BATCH_SIZE)
        for setup in setups:
            match, fault = try_to_derive(session, setup)
            ending = match.ending if match and setup.id in ids_without_ending else endings.get(setup.id)
            yield ReplayedMatch(setup, owner_links.get(setup.id, _placeholder_link(setup)), match, fault, ending)
        session.rollback()
        last_id = match_ids[-1]


def try_to_derive(session: Session, setup: MatchSetup) -> tuple[Match | None, str]:
    """Load and score a match, and return it; if that fails, return `None` and the reason."""
    try:
        log = fold(MATCH_EVENTS.load(session, setup.id))
        return derive_stored_match(session, setup, _placeholder_link(setup), log), ""
    except UnscorableMatch as unscorable:
        return None, resolve_pronouns(" ".join(item.fault.message for item in unscorable.faults))
    except UnreadableEvent as unreadable:
        return None, str(unreadable)


def _placeholder_link(setup: MatchSetup) -> Link:
    """Return a made-up owner's link to a match, which is not in the database."""
    return Link(0, "", OWNER, setup.id)


class StaleMatch(Exception):
    """Another phone wrote first: `since` has the events after the expected version; `match` is the match with them."""

    def __init__(self, since: tuple[StoredEvent, ...], match: Match) -> None:
        super().__init__("Someone else changed the match first.")
        self.since = since
        self.match = match


def write_match(
    session: Session,
    code: str,
    change: Change,
    writer: Writer,
    *,
    expected_version: int | None,
    end_digest: str = "",
    head: Head | None = None,
) -> Match:
    """Append the events of a change to a match as `append_event` does, commit, and return the match.

    `expected_version` is `None` for a change that fits any version. `end_digest` is empty if it is not known. Raises
    `StaleMatch`, `Refused`, `HandRefused`, `NotAllowed`, `MatchClosed`, and what `load_match` raises.
    """
    unused_heads = iter([head])

    def load() -> _ScoredStream:
        return _load_stream(session, code, writer.actor, next(unused_heads, None))

    try:
        stream = append_event(session, load, change, writer, expected_version=expected_version, end_digest=end_digest)
    except StaleStream as stale:
        since = () if expected_version is None else stale.stream.log.events[expected_version:]
        raise StaleMatch(since, stale.stream.cache_match(session)) from None
    return stream.cache_match(session)


def preview_change(match: Match, change: Change) -> Match:
    """Return a match as it would be after a change; stores nothing.

    Raises `Refused`, `HandRefused`, `NotAllowed` and `MatchClosed`.
    """
    stream = _ScoredStream(match.setup, match.log, match.link, "", match.rules, match)
    steps = apply_events(stream, change(stream) if callable(change) else change, Writer("preview"))
    return (steps[-1].match or match).with_pronouns(match.pronouns)


@dataclass(frozen=True, slots=True)
class _ScoredStream(MatchStream):
    """The stream of a match with the match as scored, which is scored again with each event.

    Events are refused that the rules or the phone's role do not allow, or for which the match is closed.
    """

    rules: Ruleset
    """The rules that the match began with."""
    match: Match | None
    """`None` if the stored events cannot be scored, which the next event may repair."""

    def cache_match(self, session: Session) -> Match:
        """Cache the match, after scoring it if necessary, and return it."""
        return cache_match(session, self.match or derive_match(self.setup, self.link, self.log, self.rules))

    def is_changed_by(self, event: Event) -> bool:
        if not event.changes_anything(self):
            return False
        if not self.log.may_write(self.link.role, event):
            raise NotAllowed
        if self.log.is_deleted and not isinstance(event, Undeleted | Undone | Redone):
            raise MatchClosed("deleted")
        if self.match and _is_too_late(self.match, event):
            raise MatchClosed("over" if self.match.state.outcome else "asks")
        return True

    def with_event(self, event: StoredEvent) -> "_ScoredStream":
        if isinstance(event.data, HandEvent) and self.link.holder:  # signed by the player who holds the phone
            event = replace(event, data=replace(event.data, by=self.link.holder))
        log, uid = fold((*self.log.events, event)), hand_uid_of(event)
        position = log.hand_position(uid)
        try:
            match = derive_match(self.setup, self.link, log, self.rules, self.match)
            if isinstance(event.data, HandAdded | HandCorrected) and position:
                match.check_hand(position)
        except UnscorableMatch as unscorable:
            if uid is None:
                raise Refused(unscorable.faults) from None
            raise HandRefused(unscorable.faults, position) from None
        return replace(self, log=log, match=match)

    def store(self, session: Session, before: "_ScoredStream") -> None:
        assert self.match is not None
        _store_event(session, before.match, self.match)

    def as_of(self, version: int) -> "_ScoredStream":
        # A version that cannot be scored cannot be shown, but the present one may have been repaired since.
        match = self.match and self.match.as_of(version)
        return replace(self, log=match.log, match=match) if match else self


def append_to_match(session: Session, match: Match, event: Event, writer: Writer) -> Match:
    """Append an event to a match and return the match, without checking the role or what the event changes.

    Commits and caches nothing. Raises `Refused` if the match is full, `UnscorableMatch`, `MatchClosed` from a hook, and
    `IntegrityError` if another phone was faster.
    """
    log = fold((*match.log.events, number_event(match.log, event, writer)))
    after = derive_match(match.setup, match.link, log, match.rules, match)
    _store_event(session, match, after)
    return after


def _store_event(session: Session, before: Match | None, after: Match) -> None:
    """Insert the last event of a match, store the ending if it changed, and run the hooks; commits nothing.

    The hooks run only if the match was not in progress before the event, or is not in progress after it.
    """
    MATCH_EVENTS.add(session, after.id, after.log.events[-1:])
    # Where the event does not change the ending, the stored one stays: it is what the table saw then.
    if before is None or before.ending != after.ending:
        matches.set_ending(session, after.id, after.ending)
    if before is None or not (_is_in_progress(before) and _is_in_progress(after)):
        for hook in hooks.on_end_or_reopen:
            hook(session, before, after)


def _is_in_progress(match: Match) -> bool:
    """Return whether a match has neither ended nor been deleted; one that waits for cards has not ended."""
    return match.status == "in_progress" and not match.log.is_deleted


def _load_stream(session: Session, code: str, actor: str, head: Head | None) -> _ScoredStream:
    """Return the stream of the match that a link leads to; its `match` is `None` if it cannot be scored."""
    head = head or MATCH_LINKS.head_in_force(session, code)
    try:
        match = load_match(session, code, head)
    except UnscorableMatch:
        setup, events = load_setup_and_events(session, head.link)
        return _ScoredStream(setup, fold(events), head.link, actor, ruleset_of(session, setup), None)
    return _ScoredStream(match.setup, match.log, match.link, actor, match.rules, match)


def _is_too_late(match: Match, event: Event) -> bool:
    """Return whether an event is refused because the match is over, or waits for cards that decide who won.

    A forgotten hand can still be inserted.
    """
    match event:
        case HandAdded(before=before):
            return match.closed_reason(before) in ("over", "asks")
        case RulesChanged() | DealerMoved() | PlayerSubstituted():
            return not match.state.goes_on
        case Stopped():
            return match.status == "over"
        case _:
            return False
