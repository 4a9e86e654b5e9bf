"""Hourly limits for a phone or a network, on imported files, new matches and printed sheets.

Each action is a row in the database, with a digest of who did it, so that all processes count together.
"""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.database.rows import insert_row, utc
from scorekeeper.database.tables import ImportRunRow

_ACTIONS = ImportRunRow.__table__
"""The table is named after imports, the first actions that were counted; its `network` is a `_counter_key`."""


LIMIT_PERIOD = timedelta(hours=1)
"""The period within which actions are counted."""
MAX_CLOCK_LEAD = timedelta(minutes=1)
"""How far ahead the clock of another process may be; counts from further ahead are deleted."""

LimitedAction = Literal["match", "sheet", "file"]
_VERB_AND_PLURAL: Mapping[LimitedAction, tuple[str, str]] = {
    "match": ("began", "matches"),
    "sheet": ("printed", "sheets"),
    "file": ("sent", "files"),
}
"""The past verb and the plural noun of each action, for sentences."""


class TooManyAnHour(Exception):
    """A phone or a network has reached an hourly limit.

    The sender may try again at `retry_at`; `problem` and `advice` are sentences to show.
    """

    def __init__(self, action: LimitedAction, count: int, sender: str, now: datetime, retry_at: datetime) -> None:
        verb, plural = _VERB_AND_PLURAL[action]
        self.problem = (
            f"This {sender} {verb} {count} {plural if count > 1 else action} within an hour, which is the most."
        )
        minutes = max(1, -(-(retry_at - now) // timedelta(minutes=1)))
        self.advice = f"Try again in {f'{minutes} minutes' if minutes > 1 else 'a minute'}."
        self.retry_at = retry_at
        super().__init__(f"{self.problem} {self.advice}")


def count_action(
    session: Session, action: LimitedAction, sender_id: str, max_count: int, item: str = "", *, sender: str = "network"
) -> list[int]:
    """Count an action before it is done, and return the ids of the new rows for `delete_counts`.

    Raises `TooManyAnHour` at the limit; does not commit. An `item`, such as a sheet that may be printed again, counts
    only once an hour. `sender` is "network" or "phone".
    """
    now, key = datetime.now(UTC), _counter_key(action, sender_id)
    if session.get_bind().dialect.name == "postgresql":  # in SQLite the first one that writes is alone anyway
        session.execute(sa.select(sa.func.pg_advisory_xact_lock(int.from_bytes(bytes.fromhex(key)[:8], signed=True))))
    # Counts that are older than the hour, or that the clock has put into the future.
    is_outside_period = (_ACTIONS.c.started_at <= now - LIMIT_PERIOD) | (_ACTIONS.c.started_at > now + MAX_CLOCK_LEAD)
    session.execute(sa.delete(_ACTIONS).where(is_outside_period))
    if item and _start_times(session, _counter_key(action, sender_id, item)):
        return []
    started = _start_times(session, key)
    if len(started) >= max_count:
        raise TooManyAnHour(action, len(started), sender, now, started[-max_count] + LIMIT_PERIOD)
    keys = [key, *([_counter_key(action, sender_id, item)] if item else [])]
    return [insert_row(session, _ACTIONS, {"network": key, "started_at": now, "alive_at": now}) for key in keys]


def delete_counts(session: Session, row_ids: Sequence[int]) -> None:
    """Delete the rows with these ids, which `count_action` returned. Does not commit."""
    session.execute(sa.delete(_ACTIONS).where(_ACTIONS.c.id.in_(row_ids)))


def _start_times(session: Session, key: str) -> list[datetime]:
    """Return when the actions that are counted under a key began, the earliest first."""
    query = sa.select(_ACTIONS.c.started_at).where(_ACTIONS.c.network == key).order_by(_ACTIONS.c.started_at)
    return [utc(at) for at in session.execute(query).scalars()]


def _counter_key(*words: str) -> str:
    """Return the digest that identifies an action, its sender and, if given, its item."""
    return hashlib.sha256(" ".join(words).encode()).hexdigest()
