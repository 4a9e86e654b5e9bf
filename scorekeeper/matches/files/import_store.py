"""Imports: which one is running, and the matches that none has finished.

A match that is being imported has no link until its whole file is stored, so no page and no list shows it before.
Nothing here commits.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session
from sqlmodel import col

from scorekeeper.database.rows import insert_row
from scorekeeper.database.tables import DeviceMatchRow, ImportRunRow, LinkRow, MatchRow
from scorekeeper.eventlog.roles import OWNER

KEY_AND_NUMBER = "/"
"""Between the key of an import and the number of a match in its file."""

_RUNS, _MATCHES = ImportRunRow.__table__, MatchRow.__table__


def add_run(session: Session, device: str | None, network: str | None, now: datetime) -> int:
    """Insert the run that is running and return its id; the database refuses a second one."""
    values = {"device": device, "network": network, "started_at": now, "alive_at": now, "running": True}
    return insert_row(session, _RUNS, values)


def keep_alive(session: Session, run_id: int, now: datetime) -> bool:
    """Note that a run goes on; return whether it is still the one that runs."""
    is_it = sa.and_(_RUNS.c.id == run_id, _RUNS.c.running)
    changed: Any = session.execute(sa.update(_RUNS).where(is_it).values(alive_at=now))
    return bool(changed.rowcount)


def running_devices(session: Session) -> list[str | None]:
    """Return whose import runs: nobody's in particular is that of a command, and none where none runs."""
    return list(session.execute(sa.select(_RUNS.c.device).where(_RUNS.c.running)).scalars())


def end_run(session: Session, run_id: int | None = None) -> None:
    """End a run, or whichever still says that it runs."""
    is_it = _RUNS.c.running if run_id is None else _RUNS.c.id == run_id
    session.execute(sa.update(_RUNS).where(is_it).values(running=None))


def delete_unfinished(session: Session, at_most: int) -> int:
    """Delete some of the matches that no import has finished, and return how many; none where an import runs."""
    has_link = sa.exists().where(col(LinkRow.match_id) == _MATCHES.c.id)
    unfinished = sa.select(_MATCHES.c.id).where(_MATCHES.c.client_key.contains(KEY_AND_NUMBER), ~has_link)
    ids = list(session.execute(unfinished.order_by(_MATCHES.c.id).limit(at_most)).scalars())
    if ids:
        session.execute(sa.delete(_MATCHES).where(_MATCHES.c.id.in_(ids)))
    return len(ids)


def add_links(session: Session, codes: Mapping[int, str], now: datetime, book_link_id: int | None = None) -> None:
    """Insert the first link of each match, an owner's, which may come from a link to a book."""
    common = {"role": OWNER, "created_at": now, "book_link_id": book_link_id}
    if rows := [{"match_id": match_id, "code": code, **common} for match_id, code in codes.items()]:
        session.execute(sa.insert(LinkRow.__table__), rows)


def list_matches(session: Session, device: str, match_ids: Iterable[int], now: datetime) -> None:
    """Put matches that have one link each on a device's list."""
    listed = sa.select(
        sa.literal(device), col(LinkRow.match_id), col(LinkRow.id), sa.literal(now, type_=sa.DateTime(timezone=True))
    )
    listed = listed.where(col(LinkRow.match_id).in_(list(match_ids)))
    columns = ["device", "match_id", "link_id", "last_seen"]
    session.execute(sa.insert(DeviceMatchRow.__table__).from_select(columns, listed))
