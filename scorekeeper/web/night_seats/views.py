"""Where a pair sits now, the wall, and how a phone joins a night."""

from flask import Blueprint, Response, request, url_for

from scorekeeper.extensions import db
from scorekeeper.ladder.roles import NightLink
from scorekeeper.ledger.roles import SCORER, WATCHER
from scorekeeper.services import night_phones
from scorekeeper.services.invitations import NoInvitation
from scorekeeper.services.nights import NightAtHand, night_head, night_of_link
from scorekeeper.web.join.page import PinPage
from scorekeeper.web.night_seats.seat_page import seat_page, which_pair_page
from scorekeeper.web.night_seats.wall_page import wall_page
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import is_unchanged, load_night
from scorekeeper.web.shared.respond import nothing_new, render_page, see_other

bp = Blueprint("night_seats", __name__)


@bp.get("/nights/<code>/seat")
@requires(WATCHER)
def show(code: str) -> Response:
    """Show where the pair of this phone sits; an open page polls for what changed."""
    if is_unchanged(code):
        return nothing_new()
    return render_page("night_seats/seat.html", seat_page(load_night(code)), block=("head", "board"))


@bp.get("/nights/<code>/pair")
@requires(WATCHER)
def ask(code: str) -> Response:
    """Show the form that asks which pair holds this phone."""
    found = load_night(code)
    page = which_pair_page(
        found, url_for(".choose", code=code), url_for(".show", code=code), may_open_wall=found.link.may_score
    )
    return render_page("night_seats/which_pair.html", page)


@bp.post("/nights/<code>/pair")
@requires(WATCHER)
def choose(code: str) -> Response:
    """Remember which pair holds this phone."""
    found = load_night(code)
    night_phones.hold(db.session, found, _posted_pair())
    return _after(found.code)


@bp.get("/nights/<code>/wall")
@requires(WATCHER)
def wall(code: str) -> Response:
    """Show the tables for the whole room; an open page polls for what changed."""
    night_id = night_head(db.session, code).link.night_id
    invitation = night_phones.open_invitation(db.session, night_id, WATCHER)
    if is_unchanged(code) and request.args.get("let", type=int) == (invitation.id if invitation else 0):
        return nothing_new()
    page = wall_page(load_night(code), invitation)
    return render_page("night_seats/wall.html", page, block=("head", "board", "announcement"))


@bp.get("/join/night/<code>")
def ask_pair(code: str) -> Response:
    """Show the form that asks a phone that joins which pair holds it."""
    invitation = night_phones.night_invitation_of_code(db.session, code)
    found = _seen_from_outside(invitation.night_id)
    page = which_pair_page(
        found,
        url_for(".enter", code=code),
        url_for("home.index"),
        may_open_wall=True,
        invites_scorer=invitation.role == SCORER,
    )
    return render_page("night_seats/which_pair.html", page)


@bp.post("/join/night/<code>")
def enter(code: str) -> Response:
    """Make a link for the phone, and show where its pair sits; for a TV, the wall."""
    invitation = night_phones.night_invitation_of_code(db.session, code)
    found, pair = _seen_from_outside(invitation.night_id), _posted_pair()
    link = night_phones.join_night(db.session, invitation, device(), pair if pair in found.night.pairs else None)
    return _after(link.code)


def _after(code: str) -> Response:
    return see_other(url_for(".wall" if request.form.get("to") == "wall" else ".show", code=code))


def _seen_from_outside(night_id: int) -> NightAtHand:
    found = night_of_link(db.session, NightLink(0, "", WATCHER, night_id))
    if found.night.is_deleted:
        raise NoInvitation
    return found


def _posted_pair() -> int | None:
    return request.form.get("pair", type=int)


@bp.errorhandler(NoInvitation)
def expired(_none: NoInvitation) -> Response:
    """Show the form for a PIN in place of an invitation that has ended."""
    return render_page("join/pin.html", PinPage(fault="expired"), status=410)
