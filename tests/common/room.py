"""Phones that come into a match under a name."""

from datetime import UTC, datetime

from flask import Flask

from scorekeeper.access.links import MATCH_LINKS
from scorekeeper.database.engine import db
from scorekeeper.database.tables import LinkRow


def let_in(app: Flask, path: str, seat: str | None, role: str = "scorer") -> str:
    """Make a link for a phone to the match at a path, and return the path of that link."""
    code = f"{path.split('/')[2][:12]}-{seat}-{role}"
    with app.app_context():
        match_id = MATCH_LINKS.head_in_force(db.session, path.split("/")[2]).link.stream_id
        now = datetime.now(UTC)
        db.session.add(LinkRow(code=code, match_id=match_id, role=role, created_at=now, seat=seat))
        db.session.commit()
    return f"/matches/{code}/"
