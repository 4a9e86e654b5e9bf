"""House rules as they are stored: each change inserts a version, and the last one holds. Nothing here commits."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.database.rows import insert_row, utc
from scorekeeper.database.tables import DeviceHouseRow, HouseRulesetRow, HouseVersionRow
from scorekeeper.matches.house_rules.versions import HouseVersion, StoredHouse
from scorekeeper.pitch.rules.house_rules import HouseRules

_HOUSES, _VERSIONS, _VISITS = (row.__table__ for row in (HouseRulesetRow, HouseVersionRow, DeviceHouseRow))
_SELECT: Any = sa.select(_HOUSES.c.code, *(column for column in _VERSIONS.c if column.name != "id")).join(
    _VERSIONS, _VERSIONS.c.house_id == _HOUSES.c.id
)


def house_by_code(session: Session, code: str) -> StoredHouse | None:
    """Return the house rules that have a code."""
    found = _SELECT.where(_HOUSES.c.code == code).order_by(_VERSIONS.c.seq)
    return next(iter(_houses(session.execute(found))), None)


def latest_houses(session: Session, before: int, at_most: int) -> list[StoredHouse]:
    """Return the house rules with the next lower ids, the latest first, each with its last version alone."""
    # The page first, so that a large table is not scanned for the last version of each.
    page = sa.select(_HOUSES.c.id).where(_HOUSES.c.id < before).order_by(_HOUSES.c.id.desc()).limit(at_most).subquery()
    later = _VERSIONS.alias("later")
    last = sa.select(sa.func.max(later.c.seq)).where(later.c.house_id == page.c.id).scalar_subquery()
    found = _SELECT.join(page, page.c.id == _HOUSES.c.id).where(_VERSIONS.c.seq == last)
    return _houses(session.execute(found.order_by(_HOUSES.c.id.desc())))


def houses_of_device(session: Session, device: str) -> list[StoredHouse]:
    """Return the house rules that a device has saved, the last one first."""
    found = _SELECT.join(_VISITS, _VISITS.c.house_id == _HOUSES.c.id).where(_VISITS.c.device == device)
    in_order = _VISITS.c.last_seen.desc(), _HOUSES.c.id.desc(), _VERSIONS.c.seq
    return _houses(session.execute(found.order_by(*in_order)))


def code_by_idempotency_key(session: Session, idempotency_key: str) -> str | None:
    """Return the code of the house rules that a form has saved already."""
    return session.execute(sa.select(_HOUSES.c.code).where(_HOUSES.c.client_key == idempotency_key)).scalar()


def _houses(rows: Iterable[sa.Row[Any]]) -> list[StoredHouse]:
    found: dict[int, tuple[str, list[HouseVersion]]] = {}
    for row in rows:
        found.setdefault(row.house_id, (row.code, []))[1].append(_version(row))
    return [StoredHouse(house_id, code, tuple(versions)) for house_id, (code, versions) in found.items()]


def _version(row: sa.Row[Any]) -> HouseVersion:
    rules = HouseRules(row.name, row.variant, row.options, tuple(row.notes))
    return HouseVersion(row.seq, row.client_key, utc(row.at), row.actor, rules, bool(row.retired))


def add_house(session: Session, code: str, idempotency_key: str, created_at: datetime) -> int:
    """Insert house rules without a version and return their id."""
    return insert_row(session, _HOUSES, {"code": code, "client_key": idempotency_key, "created_at": created_at})


def add_version(session: Session, house_id: int, version: HouseVersion) -> None:
    """Insert a version."""
    rules = version.rules
    values = {
        "house_id": house_id,
        "seq": version.seq,
        "client_key": version.idempotency_key,
        "at": version.at,
        "actor": version.actor,
        "name": rules.name,
        "variant": rules.variant,
        "options": dict(rules.options),
        "notes": list(rules.notes),
        "retired": version.is_retired,
    }
    session.execute(sa.insert(_VERSIONS), values)


def note_house(session: Session, device: str, house_id: int, now: datetime) -> None:
    """Record that a device has opened house rules, which are then first in its list."""
    is_it = _VISITS.c.device == device, _VISITS.c.house_id == house_id
    updated: Any = session.execute(sa.update(_VISITS).where(*is_it).values(last_seen=now))
    if updated.rowcount == 0:
        session.execute(sa.insert(_VISITS), {"device": device, "house_id": house_id, "last_seen": now})
