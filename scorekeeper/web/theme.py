"""Light, dark, or as the phone has it: a choice kept in a cookie."""

from flask import Blueprint, Flask, Response, current_app, request

from scorekeeper.web.links import is_own_path
from scorekeeper.web.respond import see_other

COOKIE = "theme"
FIXED = ("light", "dark")

bp = Blueprint("theme", __name__)


def init_theme(app: Flask) -> None:
    """Give templates `theme()`."""
    app.jinja_env.globals["theme"] = theme


def theme() -> str:
    """Say what was chosen on this device: light, dark or system."""
    chosen = request.cookies.get(COOKIE, "")
    return chosen if chosen in FIXED else "system"


@bp.post("/theme")
def choose_theme() -> Response:
    """Keep the choice and go back to the page it was made on."""
    back = request.form.get("next", "")
    response = see_other(back if is_own_path(back) else "/")
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
