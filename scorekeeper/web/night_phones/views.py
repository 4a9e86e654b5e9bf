"""The phones of a night: inviting them, and what each may do."""

from flask import Blueprint, Response, abort, request, url_for

from scorekeeper.extensions import db
from scorekeeper.ledger.refusals import Refused
from scorekeeper.ledger.roles import OWNER, RANKS, WATCHER
from scorekeeper.services import night_phones
from scorekeeper.services.nights import NightAtHand
from scorekeeper.web.night_phones.page import night_phones_page
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_night
from scorekeeper.web.shared.respond import render_page, see_other

bp = Blueprint("night_phones", __name__, url_prefix="/nights/<code>/phones")


@bp.get("")
@requires(OWNER)
def show(code: str) -> Response:
    """Show the code that lets a phone in, and who is in."""
    return _render(load_night(code), request.args.get("let", ""))


def _render(found: NightAtHand, role: str, refusal: str = "") -> Response:
    roles = [role] if role in night_phones.OFFERED else list(night_phones.OFFERED)
    invited = (night_phones.open_invitation(db.session, found.setup.id, it) for it in roles)
    shown = next((it for it in invited if it), None)
    page = night_phones_page(found, night_phones.phones_of(db.session, found), shown, refusal)
    return render_page("night_phones/show.html", page, status=422 if refusal else 200)


@bp.post("/invite")
@requires(OWNER)
def invite(code: str) -> Response:
    """Invite phones in a role; an invitation that is still good is good for longer."""
    role = request.form.get("role", "")
    if role not in night_phones.OFFERED:
        abort(400)
    found = load_night(code)
    try:
        night_phones.invite(db.session, found, role)
    except Refused as refused:
        return _render(found, role, str(refused))
    return see_other(url_for(".show", code=code, let=role))


@bp.post("/wall")
@requires(OWNER)
def put_on_wall(code: str) -> Response:
    """Let phones join by what stands on the wall, and show it."""
    night_phones.invite(db.session, load_night(code), WATCHER)
    return see_other(url_for("night_seats.wall", code=code))


@bp.post("/close")
@requires(OWNER)
def close(code: str) -> Response:
    """End an invitation."""
    night_phones.close(db.session, load_night(code), request.form.get("role", ""))
    return see_other(url_for(".show", code=code))


@bp.post("/<int:link_id>")
@requires(OWNER)
def change(code: str, link_id: int) -> Response:
    """Change what a phone may do, or remove it."""
    found, do = load_night(code), request.form.get("do", "")
    if do not in (*RANKS, "end"):
        abort(400)
    try:
        night_phones.change_phone(db.session, found, link_id, None if do == "end" else do)
    except Refused as refused:
        return _render(found, "", str(refused))
    if link_id == found.link.id:
        return see_other(url_for("nights.show", code=code))
    return see_other(url_for(".show", code=code))
