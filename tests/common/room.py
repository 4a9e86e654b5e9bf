"""Phones that come into a match under a name."""

from datetime import UTC, datetime

from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.database.tables import LinkRow
from scorekeeper.matches import store as matches


def let_in(app: Flask, path: str, seat: str | None, role: str = "scorer") -> str:
    """Make a link for a phone to the match at a path, and return the path of that link."""
    code = f"{path.split('/')[2][:12]}-{seat}-{role}"
    with app.app_context():
        found = matches.match_by_code(db.session, path.split("/")[2])
        assert found
        now = datetime.now(UTC)
        db.session.add(LinkRow(code=code, match_id=found[0].id, role=role, created_at=now, seat=seat))
        db.session.commit()
    return f"/matches/{code}/"
