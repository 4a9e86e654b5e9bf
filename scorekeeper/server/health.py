"""The health check: whether the database can be read."""

from flask import Blueprint, Response, make_response

from scorekeeper.database.engine import db
from scorekeeper.matches.match_list import can_read

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def show() -> Response:
    """Return 200, or 503 if the database cannot be read."""
    text, status = ("ok", 200) if can_read(db.session) else ("can't read the database", 503)
    response = make_response(f"{text}\n", status)
    response.mimetype = "text/plain"
    response.headers["Cache-Control"] = "no-store"
    return response
