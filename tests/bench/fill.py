"""A database filled with matches that are copies of one, by the database itself: a hundred thousand in a minute."""

from typing import Any

import sqlalchemy as sa

from scorekeeper.store.tables import metadata

GROWN = "grown-"
"""What the codes of their links begin with, before their number."""
FIRST_ID = 1_000_000
_AT_ONCE = 5000
_DEVICES = 20_000
_NETWORKS = 2_000
_NUMBERS = "WITH RECURSIVE n(i) AS (SELECT CAST(:first AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < :last)"
_JSON = {"sqlite": "'{}'", "postgresql": "CAST('{}' AS JSON)"}


def fill(engine: sa.Engine, model: int, first: int, matches: int) -> None:
    """Insert matches like the one with this id, numbered from the first: with links, events, visits and invitations."""
    for begin in range(first, first + matches, _AT_ONCE):
        numbers = {"first": begin, "last": min(begin + _AT_ONCE, first + matches) - 1}
        with engine.begin() as connection:
            for statement in _statements(connection.dialect.name):
                needed = numbers if ":model" not in statement else {**numbers, "model": model}
                connection.execute(sa.text(statement), needed)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        # PostgreSQL would else tidy up by itself, and while it is being measured.
        connection.exec_driver_sql("VACUUM ANALYZE" if engine.dialect.name == "postgresql" else "ANALYZE")


def _statements(kind: str) -> list[str]:
    objects = _JSON[kind]
    arrays = objects.replace("{}", "[]")
    day = "'2025-06-01 20:00:00+00'" if kind == "postgresql" else "'2025-06-01 20:00:00.000000'"
    day = f"CAST({day} AS TIMESTAMP WITH TIME ZONE)" if kind == "postgresql" else day
    match_id, code = f"{FIRST_ID} + i", f"'{GROWN}' || i"
    device = f"'device-' || (i % {_DEVICES})"
    return [
        _copies("match", {"id": match_id, "uid": code, "client_key": "NULL"}, "id = :model"),
        _copies("event", {"match_id": match_id}, "match_id = :model", without=("id",)),
        _made("link", {"code": code, "match_id": match_id, "role": "'owner'", "created_at": day}),
        _made("ending", {"match_id": match_id, "status": "'stopped'", "winners": arrays, "scores": objects}),
        _made(
            "invitation",
            {
                **{"code": code, "match_id": match_id, "role": "'watcher'"},
                **{"created_at": day, "expires_at": day, "ended_at": day},
            },
        ),
        _made("wrong_pin", {"network": f"'10.0.0.' || (i % {_NETWORKS})", "seq": "i", "at": day}),
        _made(
            "device_match",
            {"device": device, "match_id": match_id, "link_id": "link.id", "last_seen": day},
            "JOIN link ON link.code = 'grown-' || i",
        ),
    ]


def _copies(table: str, changed: dict[str, str], which: str, without: tuple[str, ...] = ()) -> str:
    names = [name for name in metadata.tables[table].c.keys() if name not in without]
    columns = ", ".join(f'"{name}"' for name in names)
    values = ", ".join(changed.get(name, f'"{name}"') for name in names)
    return f'INSERT INTO "{table}" ({columns}) {_NUMBERS} SELECT {values} FROM n CROSS JOIN "{table}" WHERE {which}'


def _made(table: str, values: dict[str, Any], joined: str = "") -> str:
    columns = ", ".join(f'"{name}"' for name in values)
    return f'INSERT INTO "{table}" ({columns}) {_NUMBERS} SELECT {", ".join(values.values())} FROM n {joined}'
