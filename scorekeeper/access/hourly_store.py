"""The counts of the last hour, in the database. Nothing here commits."""

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.database.rows import insert_row, utc
from scorekeeper.database.tables import ImportRunRow

_RUNS = ImportRunRow.__table__


def forget_runs(session: Session, before: datetime, after: datetime) -> None:
    """Delete counts from before a moment, or from after another, which the clock has put into the future."""
    is_old = (_RUNS.c.started_at < before) | (_RUNS.c.started_at > after)
    session.execute(sa.delete(_RUNS).where(is_old))


def runs_of(session: Session, *, device: str = "", network: str = "") -> list[datetime]:
    """Return when a phone, or a network, began its imports, the earliest first."""
    is_theirs = _RUNS.c.device == device if device else _RUNS.c.network == network
    begun = sa.select(_RUNS.c.started_at).where(is_theirs).order_by(_RUNS.c.started_at)
    return [utc(at) for at in session.execute(begun).scalars()]


def hold_count(session: Session, network: str) -> None:
    """Let one transaction at a time count for a network; in SQLite the first one that writes does so anyway."""
    if session.get_bind().dialect.name == "postgresql":
        number = int.from_bytes(bytes.fromhex(network)[:8], signed=True)
        session.execute(sa.select(sa.func.pg_advisory_xact_lock(number)))


def add_count(session: Session, network: str, now: datetime, device: str | None = None) -> int:
    """Insert a count for a network, and for a phone where it is an import; return its id."""
    return insert_row(session, _RUNS, {"device": device, "network": network, "started_at": now, "alive_at": now})


def forget_counts(session: Session, ids: Sequence[int]) -> None:
    """Delete counts by their ids."""
    session.execute(sa.delete(_RUNS).where(_RUNS.c.id.in_(ids)))
