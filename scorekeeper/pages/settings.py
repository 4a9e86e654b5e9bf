"""The settings of this phone, with backing up and restoring."""

from flask import Blueprint, Response

from scorekeeper.web.respond import render_page

bp = Blueprint("settings", __name__)


@bp.get("/settings")
def show() -> Response:
    """Show what is set on this phone, and where its matches are backed up."""
    return render_page("settings/show.html")
