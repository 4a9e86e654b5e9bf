"""The lists of a device's matches and of all matches, and the wins of each side this evening."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import chain

from sqlalchemy.orm import Session

from scorekeeper.access.links import LINK_TABLES, MATCH_LINKS, device_digest
from scorekeeper.access.phones import store_if_possible
from scorekeeper.access.roles import Link, Linked
from scorekeeper.eventlog.stream import WATCHER, allows
from scorekeeper.matches import store as matches
from scorekeeper.matches.deleted_names import is_deleted_name
from scorekeeper.matches.events import StoredEvent
from scorekeeper.matches.fold import Match, UnscorableMatch
from scorekeeper.matches.log import MatchLog, Occasion, fold, occasion_of, to_zone
from scorekeeper.matches.service import cached_match, derive_and_cache, load_logs, readable_ruleset_of
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.search_budget import BudgetExceeded
from scorekeeper.pitch.scoring.seats import person_keys, unique_names

_MIN_EVENING_PAUSE = timedelta(hours=6)
"""An evening ends with a pause in play of this length or longer."""
_MAX_EVENING_LENGTH = timedelta(days=1)
"""The most time since a match began for the match to belong to this evening."""
_MAX_COUNTED_SIDES = 6
"""The most sides of a match for which the wins of an evening are counted."""
VISIT_INTERVAL = timedelta(minutes=10)
"""The least time between two stored visits by a device, so that pages seldom write to the database."""
MAX_LISTED_MATCHES = 40
"""The most matches on a device's list."""
MAX_SUGGESTED_NAMES = 24
"""The most names that the field for a player's name suggests."""
LeftOut = MatchSetup | str
"""What a downloaded file lacks because it cannot be read: a match, or the name of something else."""
HIGHEST_ID = 2**31 - 1
"""The highest id that a row of the database can have."""


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match in a list, with its log, its scores, and the access link that opens it.

    `match` is `None` if the match cannot be read or scored. If an event cannot be read, `log` is empty.
    """

    setup: MatchSetup
    link: Link
    log: MatchLog
    match: Match | None
    is_left_out: bool = False
    """Whether `match` is `None` because scoring the matches before it in the list took too long."""

    @property
    def title(self) -> str:
        """The title of the match; empty where none was entered."""
        return self.occasion.title

    @property
    def occasion(self) -> Occasion:
        """The title, day, venue and note of the match, with all changes."""
        return occasion_of(self.setup, self.log)

    @property
    def written_at(self) -> datetime:
        """The time of the last event of the match; without events, the time at which the match began."""
        return self.log.events[-1].at if self.log.events else self.setup.created_at


def record_visit(session: Session, device: str, linked: Linked) -> None:
    """Store that a device has opened a match or a book now, and commit.

    Nothing is stored within `VISIT_INTERVAL` after the last visit by the same link, or if the database cannot be
    written to. If an earlier link of the device allows more, the device's list keeps that link.
    """
    hashed_device, now = device_digest(device), datetime.now(UTC)
    table, link = LINK_TABLES[linked.link.kind], linked.link
    visit = table.last_visit(session, hashed_device, link.stream_id)
    # A phone keeps its role when it opens a match by somebody else's link.
    if visit and not visit.link.ended_at and not allows(link.role, visit.link.role):
        link = visit.link
    if visit and visit.link.id == link.id:
        at = visit.at
        # Where the clock went back since, the latest visit needs no new record.
        is_recent = now - at < VISIT_INTERVAL if now >= at else table.time_of_latest_visit(session, hashed_device) == at
        if is_recent:
            return
    with store_if_possible(session):
        table.note_visit(session, hashed_device, link, now)


def matches_of_device(session: Session, device: str, *, at_most: int = MAX_LISTED_MATCHES) -> list[ListedMatch]:
    """Return the `at_most` matches that a device opened last, last opened first, without the deleted ones."""
    linked_setups = matches.linked_setups_of_device(session, device_digest(device), at_most)
    return [listed for listed in list_matches(session, linked_setups) if not listed.log.is_deleted]


def logs_of_device(
    session: Session, device: str, at_most: int, left_out: list[MatchSetup]
) -> Iterator[tuple[MatchSetup, MatchLog]]:
    """Yield the `at_most` matches that a device opened last, with their logs, last opened first.

    Deleted matches are left out. Unreadable ones are added to `left_out` instead.
    """
    linked_setups = matches.linked_setups_of_device(session, device_digest(device), at_most)
    return load_logs(session, [setup for setup, _ in linked_setups], left_out)


def setups_by_game(session: Session, device: str) -> dict[tuple[str, str], list[MatchSetup]]:
    """Return the setups of a device's latest matches, keyed by variant and by name of the rules, last opened first.

    Deleted matches are included. Those with an unreadable ruleset are left out.
    """
    setups: dict[tuple[str, str], list[MatchSetup]] = {}
    for setup, _ in matches.linked_setups_of_device(session, device_digest(device), MAX_LISTED_MATCHES):
        if ruleset := readable_ruleset_of(session, setup):
            setups.setdefault((setup.variant, ruleset.name), []).append(setup)
    return setups


def names_of_device(session: Session, device: str) -> tuple[str, ...]:
    """Return the names of players in a device's matches, for a form to suggest, last opened match first.

    Seats without an entered name, and names that a book deleted, are left out.
    """
    listed = matches_of_device(session, device)
    people = (
        item.match.names[seat.id]
        for item in listed
        if item.match
        for seat in item.setup.seats
        if not item.setup.is_nameless(seat.id, item.log.renamed)
        and not is_deleted_name(item.match.names[seat.id], item.log.typed.get(seat.id) or seat.name)
    )
    return unique_names(people)[:MAX_SUGGESTED_NAMES]


def latest_matches(session: Session, at_most: int, before: int = HIGHEST_ID) -> tuple[list[ListedMatch], int | None]:
    """Return the latest `at_most` matches with ids below `before`, newest first, and the `before` of the next page.

    On the last page, that is `None`. Each match has its owner's link; those without an owner are left out.
    """
    setups = matches.setups_before(session, before, at_most + 1)
    shown_setups = setups[:at_most]
    owner_links = MATCH_LINKS.oldest_owner_links(session, [setup.id for setup in shown_setups])
    linked_setups = [(setup, owner_links[setup.id]) for setup in shown_setups if setup.id in owner_links]
    return list_matches(session, linked_setups), shown_setups[-1].id if len(setups) > at_most else None


def count_wins_of_evening(session: Session, match: Match) -> tuple[tuple[SideId, int], ...]:
    """Return how often each side has won this evening, including this match: `(("s1", 2), ("s2", 1))`.

    Only matches in the same book with the same people on the same sides count. Empty if there is no other such match,
    if the evening is over, or if scoring takes too long.
    """
    now = datetime.now(UTC)
    if is_evening_over(match) or not 2 <= len(match.setup.sides) <= _MAX_COUNTED_SIDES:
        return ()
    setups = matches.other_finished_setups(session, match.id, now - _MAX_EVENING_LENGTH)
    sides_by_people = _sides_by_people(match)
    if not setups:
        return ()
    listed = list_unlinked(session, setups)
    if any(item.is_left_out for item in listed):
        return ()
    other_matches = [
        item.match
        for item in listed
        if item.match and not item.log.is_deleted and _began_on_its_day(item.match)
        if _sides_by_people(item.match).keys() == sides_by_people.keys()
    ]
    evening_began = now
    for time_of_play in sorted(chain.from_iterable(map(_times_of_play, (match, *other_matches))), reverse=True):
        if evening_began - time_of_play >= _MIN_EVENING_PAUSE:
            break
        evening_began = time_of_play
    others_tonight = [other for other in other_matches if _times_of_play(other)[-1] >= evening_began]
    wins = dict.fromkeys(sides_by_people.values(), 0)
    for other in (*others_tonight, match):
        for people, side in _sides_by_people(other).items():
            wins[sides_by_people[people]] += side in other.state.winners
    return tuple(wins.items()) if others_tonight else ()


def is_evening_over(match: Match) -> bool:
    """Return whether the evening of a match is over: nobody has played it for hours, or it is from another day."""
    is_long_past = datetime.now(UTC) - _times_of_play(match)[-1] >= _MIN_EVENING_PAUSE
    return is_long_past or not _began_on_its_day(match)


def _times_of_play(match: Match) -> list[datetime]:
    """Return the times at which a match began and at which each hand was added, in order."""
    return sorted([match.setup.created_at, *(hand.added.at for hand in match.log.hands)])


def _began_on_its_day(match: Match) -> bool:
    """Return whether a match was entered within a day of the day on which it was played."""
    day_begun = to_zone(match.setup.created_at, match.setup.zone).date()
    return abs(date.fromisoformat(match.occasion.day) - day_begun) <= timedelta(days=1)


def _sides_by_people(match: Match) -> dict[frozenset[str], SideId]:
    """Return the side ids, keyed by the set of person keys of their players.

    A nameless player has a key by seat, which holds for one evening.
    """
    setup, names = match.setup, match.names_now
    keys = person_keys([[names[who] for who in setup.ids]])
    side_ids: dict[frozenset[str], SideId] = {}
    for side in setup.sides:
        keys_of_side = (
            f"{setup.evening}/{who}" if setup.is_nameless(who, match.log.renamed) else keys[names[who]]
            for who in side.seats or (side.id,)
        )
        side_ids[frozenset(keys_of_side)] = side.id
    return side_ids


def list_unlinked(session: Session, left_out: Sequence[LeftOut]) -> list[ListedMatch]:
    """Return a `ListedMatch` for each match in `left_out`, in order, with a made-up watcher's link."""
    return list_matches(
        session, [(item, Link(0, "", WATCHER, item.id)) for item in left_out if isinstance(item, MatchSetup)]
    )


def list_matches(session: Session, linked_setups: Sequence[tuple[MatchSetup, Link]]) -> list[ListedMatch]:
    """Return a `ListedMatch` for each match, in order, after scoring and caching those that were not cached."""
    ends_by_id = MATCH_EVENTS.ends(session, [setup.id for setup, _ in linked_setups])
    cached_matches = {setup.id: cached_match(session, link, ends_by_id[setup.id]) for setup, link in linked_setups}
    events_by_id = MATCH_EVENTS.load_all(
        session, [match_id for match_id, match in cached_matches.items() if match is None]
    )
    return [
        ListedMatch(match.setup, link, match.log, match)
        if (match := cached_matches[setup.id])
        else _derive_listed(session, setup, link, events_by_id.get(setup.id))
        for setup, link in linked_setups
    ]


def _derive_listed(
    session: Session, setup: MatchSetup, link: Link, events: tuple[StoredEvent, ...] | None
) -> ListedMatch:
    """Score a match, cache it, and return it for a list; its `match` is `None` if scoring fails.

    If `events` is `None`, because they cannot be read, the match is listed with an empty log.
    """
    if events is None:
        return ListedMatch(setup, link, fold(()), None)
    try:
        match = derive_and_cache(session, setup, link, events)
        return ListedMatch(setup, link, match.log, match)
    except (UnscorableMatch, BudgetExceeded) as fault:
        return ListedMatch(setup, link, fold(events), None, isinstance(fault, BudgetExceeded))
