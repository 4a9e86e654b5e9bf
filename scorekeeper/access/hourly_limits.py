"""Hourly limits for a phone or a network, on imported files, new matches and printed sheets.

Each action is a row in the database, so that all processes count together. The row has a digest of who acted.
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
"""The table of counted actions. It is named after imports, which were counted first.

Its column `network` has a `_counter_key`.
"""


LIMIT_PERIOD = timedelta(hours=1)
"""The period within which actions count for a limit."""
MAX_CLOCK_LEAD = timedelta(minutes=1)
"""The furthest into the future that a row's time may be, since the clocks of processes differ.

Rows with later times are deleted.
"""

LimitedAction = Literal["match", "sheet", "file"]
_WORDS_BY_ACTION: Mapping[LimitedAction, tuple[str, str]] = {
    "match": ("began", "matches"),
    "sheet": ("printed", "sheets"),
    "file": ("sent", "files"),
}
"""The verb and the plural noun for each action, as in "This phone sent 3 files"."""


class TooManyAnHour(Exception):
    """A phone or a network has reached an hourly limit.

    The sender may try again at `retry_at`. `problem` and `advice` are sentences to show.
    """

    def __init__(self, action: LimitedAction, count: int, sender: str, now: datetime, retry_at: datetime) -> None:
        verb, plural = _WORDS_BY_ACTION[action]
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
    """Count an action before it is done. Return the ids of the new rows, with which `delete_counts` takes them back.

    Raises `TooManyAnHour` if `max_count` actions were counted within the hour; does not commit. An `item`, such as a
    sheet that is printed again, counts once an hour. `sender` is "network" or "phone".
    """
    now, sender_key = datetime.now(UTC), _counter_key(action, sender_id)
    if session.get_bind().dialect.name == "postgresql":  # in SQLite the first one that writes is alone anyway
        session.execute(
            sa.select(sa.func.pg_advisory_xact_lock(int.from_bytes(bytes.fromhex(sender_key)[:8], signed=True)))
        )
    # Counts that are older than the hour, or that the clock has put into the future.
    is_outside_period = (_ACTIONS.c.started_at <= now - LIMIT_PERIOD) | (_ACTIONS.c.started_at > now + MAX_CLOCK_LEAD)
    session.execute(sa.delete(_ACTIONS).where(is_outside_period))
    if item and _start_times(session, _counter_key(action, sender_id, item)):
        return []
    start_times = _start_times(session, sender_key)
    if len(start_times) >= max_count:
        raise TooManyAnHour(action, len(start_times), sender, now, start_times[-max_count] + LIMIT_PERIOD)
    counter_keys = [sender_key, *([_counter_key(action, sender_id, item)] if item else [])]
    return [
        insert_row(session, _ACTIONS, {"network": counter_key, "started_at": now, "alive_at": now})
        for counter_key in counter_keys
    ]


def delete_counts(session: Session, row_ids: Sequence[int]) -> None:
    """Delete the rows whose ids `count_action` returned, as when the action failed. Does not commit."""
    session.execute(sa.delete(_ACTIONS).where(_ACTIONS.c.id.in_(row_ids)))


def _start_times(session: Session, counter_key: str) -> list[datetime]:
    """Return when the actions under a counter key began, the earliest first."""
    query = sa.select(_ACTIONS.c.started_at).where(_ACTIONS.c.network == counter_key).order_by(_ACTIONS.c.started_at)
    return [utc(started_at) for started_at in session.execute(query).scalars()]


def _counter_key(*parts: str) -> str:
    """Return the digest under which actions are counted.

    `parts` are the action, the id of the sender and, if it counts once an hour, the item.
    """
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()
