"""The final result of each match as it was when the match ended, and whether the match still has that result.

The score is never stored, so a mistake in a later version of the scoring would change old matches unnoticed. The
result of a match is stored when it ends, and compared with the result of its hands today.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy.orm import Session

from scorekeeper.access.roles import Link
from scorekeeper.eventlog.codec import UnreadableEvent
from scorekeeper.eventlog.roles import OWNER
from scorekeeper.matches import store as matches
from scorekeeper.matches.fold import Ending, Match, UnscorableMatch
from scorekeeper.matches.load import derived
from scorekeeper.matches.log import fold
from scorekeeper.matches.setup import MatchSetup
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.pitch.text.phrases import spoken

_PAGE = 50
"""Matches in one query: no transaction stays open for long, and one match is in memory at a time."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """A match as it scores today, and how it had ended."""

    setup: MatchSetup
    link: Link
    """Its owner's."""
    match: Match | None
    """`None` where it cannot be scored any more, or not be read."""
    fault: str
    """Why."""
    then: Ending | None

    @property
    def scores_the_same(self) -> bool:
        """Return whether it is as it was when it ended; one in progress only has to be scored at all."""
        return self.match is not None and self.match.ending == self.then


def keep_ending(session: Session, before: Match | None, after: Match) -> None:
    """Store how a match ended where an event has just ended, corrected or resumed it; does not commit.

    Where the event does not change the ending, the stored one stays: it is what the table saw then.
    """
    if before is None or before.ending != after.ending:
        matches.set_ending(session, after.id, after.ending)


def look_up_open_endings(session: Session) -> None:
    """Store how the matches ended whose ending a migration or an import left open, and commit.

    It may be stopped at any time and goes on with what is left. A match that cannot be scored stays open.
    """
    last = 0
    while found := matches.open_endings(session, last, _PAGE):
        replayed = (_replayed(session, matches.setup_by_id(session, match_id))[0] for match_id in found)
        looked_up = [(match.id, match.ending) for match in replayed if match]
        # The reading ends before the writing begins: SQLite would refuse it where a phone wrote in between.
        session.rollback()
        for match_id, ending in looked_up:
            matches.close_ending(session, match_id, ending)
        session.commit()
        last = found[-1]


def replay_all(session: Session) -> Iterator[Replayed]:
    """Yield every match, the oldest first, deleted or not, as it scores today."""
    last = 0
    while setups := matches.setups_after(session, last, _PAGE):
        ids = [setup.id for setup in setups]
        then, owners = matches.endings_of(session, ids), matches.owners_of(session, ids)
        for setup in setups:
            match, fault = _replayed(session, setup)
            yield Replayed(setup, owners.get(setup.id, _no_link(setup)), match, fault, then.get(setup.id))
        session.rollback()
        last = ids[-1]


def _replayed(session: Session, setup: MatchSetup) -> tuple[Match | None, str]:
    try:
        log = fold(MATCH_EVENTS.of(session, setup.id))
        return derived(session, setup, _no_link(setup), log), ""
    except UnscorableMatch as unscorable:
        return None, spoken(" ".join(item.fault.message for item in unscorable.faults))
    except UnreadableEvent as unreadable:
        return None, str(unreadable)


def _no_link(setup: MatchSetup) -> Link:
    return Link(0, "", OWNER, setup.id)
