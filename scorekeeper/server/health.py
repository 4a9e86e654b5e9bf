"""The health check at /healthz: whether the database can be read."""

import sqlalchemy as sa
from flask import Blueprint, Response, make_response

from scorekeeper.database.engine import db
from scorekeeper.database.tables import MatchRow

bp = Blueprint("health", __name__)


@bp.get("/healthz")
def show() -> Response:
    """Return the response "ok" with status 200, or with status 503 if the database cannot be read."""
    text, status = "ok", 200
    try:
        db.session.execute(sa.select(MatchRow.__table__.c.id).limit(1)).first()
    except sa.exc.SQLAlchemyError:
        text, status = "can't read the database", 503
    response = make_response(f"{text}\n", status)
    response.mimetype = "text/plain"
    response.headers["Cache-Control"] = "no-store"
    return response
