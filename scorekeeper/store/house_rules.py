"""House rules as they are stored: each change inserts a version, and the last one holds. Nothing here commits."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session
from sqlmodel import col

from scorekeeper.ledger.house_versions import HouseVersion, StoredHouse
from scorekeeper.rules.house_rules import HouseRules
from scorekeeper.store.codec import utc
from scorekeeper.store.tables import DeviceHouseRow, HouseRulesetRow, HouseVersionRow

_HOUSE, _VERSION = sa.insert(HouseRulesetRow.__table__), sa.insert(HouseVersionRow.__table__)
_DEVICE = DeviceHouseRow.__table__

_COLUMNS: tuple[Any, ...] = (
    col(HouseRulesetRow.code),
    *(column for column in HouseVersionRow.__table__.c if column.name != "id"),
)
_ALL = (
    sa.select(*_COLUMNS)
    .join(HouseVersionRow, col(HouseVersionRow.house_id) == col(HouseRulesetRow.id))
    .order_by(col(HouseRulesetRow.id), col(HouseVersionRow.seq))
)
_PAGE = (
    sa.select(col(HouseRulesetRow.id), col(HouseRulesetRow.code))
    .where(col(HouseRulesetRow.id) < sa.bindparam("before"))
    .order_by(col(HouseRulesetRow.id).desc())
    .limit(sa.bindparam("at_most", type_=sa.Integer))
    .subquery()
)
_VERSIONS = HouseVersionRow.__table__.alias("later")
_LAST_SEQ = sa.select(sa.func.max(_VERSIONS.c.seq)).where(_VERSIONS.c.house_id == _PAGE.c.id).scalar_subquery()
_LATEST = (
    sa.select(_PAGE.c.code, *_COLUMNS[1:])
    .join_from(
        _PAGE,
        HouseVersionRow,
        sa.and_(col(HouseVersionRow.house_id) == _PAGE.c.id, col(HouseVersionRow.seq) == _LAST_SEQ),
    )
    .order_by(_PAGE.c.id.desc())
)
_BY_CODE = _ALL.where(col(HouseRulesetRow.code) == sa.bindparam("code"))
_OF_DEVICE = (
    sa.select(*_COLUMNS)
    .select_from(DeviceHouseRow)
    .join(HouseRulesetRow, col(HouseRulesetRow.id) == col(DeviceHouseRow.house_id))
    .join(HouseVersionRow, col(HouseVersionRow.house_id) == col(HouseRulesetRow.id))
    .where(col(DeviceHouseRow.device) == sa.bindparam("device"))
    .order_by(col(DeviceHouseRow.last_seen).desc(), col(HouseRulesetRow.id).desc(), col(HouseVersionRow.seq))
)
_BY_CLIENT_KEY = sa.select(col(HouseRulesetRow.code)).where(
    col(HouseRulesetRow.client_key) == sa.bindparam("client_key")
)
_IS_IT = sa.and_(
    col(DeviceHouseRow.device) == sa.bindparam("the_device"), col(DeviceHouseRow.house_id) == sa.bindparam("the_house")
)


def house_by_code(session: Session, code: str) -> StoredHouse | None:
    """Return the house rules that have a code."""
    return next(iter(_houses(session.execute(_BY_CODE, {"code": code}))), None)


def latest_houses(session: Session, before: int, at_most: int) -> list[StoredHouse]:
    """Return the house rules with the next lower ids, the latest first, each with its last version alone."""
    return _houses(session.execute(_LATEST, {"before": before, "at_most": at_most}))


def houses_of_device(session: Session, device: str) -> list[StoredHouse]:
    """Return the house rules that a device has saved or opened, the last one first."""
    return _houses(session.execute(_OF_DEVICE, {"device": device}))


def code_by_client_key(session: Session, client_key: str) -> str | None:
    """Return the code of the house rules that a form has saved already."""
    return session.execute(_BY_CLIENT_KEY, {"client_key": client_key}).scalar()


def _houses(rows: Iterable[sa.Row[Any]]) -> list[StoredHouse]:
    found: dict[int, tuple[str, list[HouseVersion]]] = {}
    for row in rows:
        found.setdefault(row.house_id, (row.code, []))[1].append(_version(row))
    return [StoredHouse(house_id, code, tuple(versions)) for house_id, (code, versions) in found.items()]


def _version(row: sa.Row[Any]) -> HouseVersion:
    rules = HouseRules(row.name, row.variant, row.options, tuple(row.notes))
    return HouseVersion(row.seq, row.client_key, utc(row.at), row.actor, rules, bool(row.retired))


def add_house(session: Session, code: str, client_key: str, created_at: datetime) -> int:
    """Insert house rules without a version and return their id."""
    result: Any = session.execute(_HOUSE, {"code": code, "client_key": client_key, "created_at": created_at})
    return int(result.inserted_primary_key[0])


def add_version(session: Session, house_id: int, version: HouseVersion) -> None:
    """Insert a version."""
    rules = version.rules
    values = {
        "house_id": house_id,
        "seq": version.seq,
        "client_key": version.client_key,
        "at": version.at,
        "actor": version.actor,
        "name": rules.name,
        "variant": rules.variant,
        "options": dict(rules.options),
        "notes": list(rules.notes),
        "retired": version.is_retired,
    }
    session.execute(_VERSION, values)


def note_house(session: Session, device: str, house_id: int, now: datetime) -> None:
    """Record that a device has opened house rules: they come first in its list."""
    key = {"the_device": device, "the_house": house_id}
    updated = session.execute(sa.update(_DEVICE).where(_IS_IT).values(last_seen=now), key)
    if updated.rowcount == 0:  # type: ignore[attr-defined]
        session.execute(sa.insert(_DEVICE), {"device": device, "house_id": house_id, "last_seen": now})
