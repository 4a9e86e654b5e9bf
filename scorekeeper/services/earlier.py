"""Where a match stood before something that was written in it."""

from sqlalchemy.orm import Session

from scorekeeper.services.load import ruleset_of
from scorekeeper.services.log import fold
from scorekeeper.services.standing import LoadedMatch, UnscorableMatch, stand
from scorekeeper.store.facts import HandAdded, HandCorrected, HandRemoved, HandReturned


def before_last_change(session: Session, match: LoadedMatch) -> LoadedMatch | None:
    """Give the match as it was before its last event; `None` where that only added to the end, or named somebody."""
    events = match.log.events
    if not events:
        return None
    fact = events[-1].fact
    if not isinstance(fact, HandCorrected | HandRemoved | HandReturned) and not (
        isinstance(fact, HandAdded) and fact.before is not None
    ):
        return None
    return as_of(session, match, len(events) - 1)


def as_of(session: Session, match: LoadedMatch, number: int) -> LoadedMatch | None:
    """Give a match as it was after that many events; `None` where the rules do not score it so."""
    try:
        return stand(match.match, match.link, fold(match.log.events[:number]), ruleset_of(session, match.match))
    except UnscorableMatch:
        return None
