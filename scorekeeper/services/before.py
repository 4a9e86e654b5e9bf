"""Where a match stood before one of its hands."""

from sqlalchemy.orm import Session

from scorekeeper.engine.matches import MatchState, Start, open_match, replay
from scorekeeper.services.load import LoadedMatch, ruleset_of


def place_of(match: LoadedMatch, uid: int | None) -> int:
    """Give a hand's place among those that stand, from 0; the end for one that is not there."""
    uids = [hand.uid for hand in match.log.hands]
    return uids.index(uid) if uid in uids else len(uids)


def state_before(session: Session, match: LoadedMatch, place: int) -> MatchState:
    """Say where a match stood before the hand at a place, counted from 0."""
    record = match.record
    if place >= len(record.hands):
        return match.state
    start = Start(record.start_scores or {}, record.start_hands or 0, record.start_sets or {})
    first = match.names[match.match.first_dealer] if match.match.first_dealer else None
    opened = open_match(ruleset_of(session, match.match), match.state.seats, start, first)
    return replay(opened, record.hands[:place])
