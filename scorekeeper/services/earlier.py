"""Where a match stood before the last change to a hand that was already there."""

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
    try:
        return stand(match.match, match.link, fold(events[:-1]), ruleset_of(session, match.match))
    except UnscorableMatch:
        return None
