"""Light, dark, or as the phone is set: a choice kept in a cookie."""

from flask import Blueprint, Flask, Response, current_app, request

from scorekeeper.web.shared.respond import see_other
from scorekeeper.web.shared.urls import is_local_path

COOKIE = "theme"
FIXED = ("light", "dark")

bp = Blueprint("theme", __name__)


def init_theme(app: Flask) -> None:
    """Add `theme()` to templates, and the route that changes it."""
    app.jinja_env.globals["theme"] = theme
    app.register_blueprint(bp)


def theme() -> str:
    """Return what was chosen on this phone: light, dark or system."""
    chosen = request.cookies.get(COOKIE, "")
    return chosen if chosen in FIXED else "system"


@bp.post("/theme")
def choose() -> Response:
    """Remember the choice, and go back to the page that it was made on."""
    back = request.form.get("next", "")
    response = see_other(back if is_local_path(back) else "/")
    if (chosen := request.form.get("theme", "")) in FIXED:
        response.set_cookie(
            COOKIE,
            chosen,
            max_age=current_app.permanent_session_lifetime,
            secure=current_app.config["SESSION_COOKIE_SECURE"],
            httponly=True,
            samesite="Lax",
        )
    else:
        response.delete_cookie(COOKIE)
    return response
