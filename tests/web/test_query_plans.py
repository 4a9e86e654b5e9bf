"""No page, form or poll scans a whole table: its cost does not grow with the database."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.database.tables import metadata
from scorekeeper.matches.service import compute_missing_endings
from tests.common.calling import took
from tests.common.guests import let_in
from tests.common.phone import Phone
from tests.pages.conftest import Begin

SHORT = ("import_run", "alembic_version")
"""Tables that have only the rows of an hour, or one row."""
ANY_ROW = "LIMIT"
"""With it and without a condition, a statement reads one row at once, as the health check does."""
Statements = dict[str, Any]


@pytest.fixture
def statements(app: Flask) -> Iterator[Statements]:
    """Collect the statements sent to the database, each with its parameters."""
    found: Statements = {}

    def collect(_: Any, __: Any, statement: str, parameters: Any, ___: Any, many: bool) -> None:
        if statement.split()[0] in ("SELECT", "UPDATE", "DELETE"):
            found.setdefault(statement, parameters[0] if many else parameters)

    with app.app_context():
        engine = db.engine
    sa.event.listen(engine, "before_cursor_execute", collect)
    yield found
    sa.event.remove(engine, "before_cursor_execute", collect)


def scans_of_sqlite(connection: sa.Connection, statement: str, parameters: Any) -> list[str]:
    rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
    plan = [row.detail.replace('"', "") for row in rows]
    return [line for line in plan if line.startswith("SCAN ") and line.split()[1] in metadata.tables]


def scans_of_postgresql(connection: sa.Connection, statement: str, parameters: Any) -> list[str]:
    found = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", parameters).scalar_one()
    plan = json.loads(found) if isinstance(found, str) else found
    return list(_scans(plan[0]["Plan"]))


def _scans(node: dict[str, Any], *, is_joined: bool = False) -> Iterator[str]:
    """Yield what reads a table, or an index, from one end to the other.

    Of two tables of few rows that are joined, either may be read first, by what the database last counted in them:
    only a table without an index for it is noticed there.
    """
    kind = node["Node Type"]
    is_whole = kind in ("Index Scan", "Index Only Scan") and "Index Cond" not in node and not is_joined
    if kind == "Seq Scan" or is_whole:
        yield f"{kind} on {node['Relation Name']}"
    is_joined = is_joined or "Join Type" in node
    for part in node.get("Plans", ()):
        yield from _scans(part, is_joined=is_joined)


def full_scans(app: Flask, statements: Statements) -> list[str]:
    """Return the statements that scan a whole table, each with its scans."""
    found = []
    with app.app_context(), db.engine.connect() as connection:
        is_sqlite = connection.dialect.name == "sqlite"
        if not is_sqlite:
            # PostgreSQL plans by the last row counts of a table: TRUNCATE resets them, so that old rows do not matter.
            connection.exec_driver_sql(f"TRUNCATE {', '.join(metadata.tables)} CASCADE")
            connection.exec_driver_sql("SET enable_seqscan = off")
        scans_of: Callable[..., list[str]] = scans_of_sqlite if is_sqlite else scans_of_postgresql
        for statement, parameters in list(statements.items()):
            scans = [scan for scan in scans_of(connection, statement, parameters) if not scan.endswith(SHORT)]
            is_any = ANY_ROW in statement and "WHERE" not in statement
            if scans and not is_any:
                found.append(f"{scans}: {statement}")
        connection.rollback()
        connection.detach()
    return found


@pytest.mark.every_database
def test_no_page_looks_through_a_table(app: Flask, statements: Statements, begin: Begin, other_phone: Phone) -> None:
    match = begin()
    for number in range(3):
        entry = match.open("hands/new").form("/hands/new")
        fields = {**entry.fields, "call": "p4:3", "trump": "spades", **took("s2", low="s1"), "do": "save"}
        match.phone.post(entry.action, fields)
        match.open(f"board?v={number}", part=True)
    let_in(match, other_phone)
    for path in ("", "history", "menu", "rules", "room", "tv", "what-if", "export.json", "result.pdf?paper=none"):
        match.open(path)
    for path in ("/", "/new", "/new/partnership-pitch", "/join", "/transfer", "/house", "/print", "/healthz"):
        match.phone.open(path)
    join = other_phone.open("/join")
    other_phone.post("/join", {**join.form("/join").fields, "pin": "ABCDEF"})
    match.phone.post(f"{match.path}undo", match.open().form("/undo").fields)
    with app.app_context():
        compute_missing_endings(db.session)

    assert len(statements) > 20
    assert full_scans(app, statements) == []
