"""A money night: players join and leave between hands, and the page says who owes whom."""

from flask import Blueprint, Response, abort, request, url_for

from scorekeeper.extensions import db
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.refusals import MatchClosed, Refused
from scorekeeper.ledger.roles import SCORER, WATCHER
from scorekeeper.services import money_nights
from scorekeeper.services.load import load_match as load_by_code
from scorekeeper.services.match_list import names_of_device
from scorekeeper.services.phones import remember
from scorekeeper.services.writing import StaleMatch
from scorekeeper.web.match.views import to_match
from scorekeeper.web.money_night.change_page import change_page
from scorekeeper.web.money_night.form import read_form
from scorekeeper.web.money_night.page import money_night_page
from scorekeeper.web.shared.device import ANOTHER_PHONE_FIRST, actor, device, posted_key, posted_version, shown_version
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_match
from scorekeeper.web.shared.respond import nothing_new, render_page, see_other, wants_fragment

bp = Blueprint("money_night", __name__, url_prefix="/matches/<code>/money")

TEMPLATE = "money_night/change.html"


@bp.get("")
@requires(WATCHER)
def show(code: str) -> Response:
    """Show who owes whom; answer a page that polls with nothing while nothing has changed."""
    match = load_match(code)
    if not match.state.ruleset.pays:
        abort(404)
    night = money_nights.night_of(db.session, match.link)
    if wants_fragment() and shown_version() == night.version:
        return nothing_new()
    return render_page("money_night/show.html", money_night_page(night, match), block=("night", "bottom_bar"))


@bp.get("/players")
@requires(SCORER)
def players(code: str) -> Response:
    """Ask who plays now."""
    match = _match_for_money(code)
    if money_nights.has_gone_on(db.session, match):
        return see_other(url_for(".show", code=code))
    return render_page(TEMPLATE, change_page(match, names_of_device(db.session, device())))


@bp.post("/players")
@requires(SCORER)
def change_players(code: str) -> Response:
    """Settle up, and begin the next match with those who play now."""
    match = _match_for_money(code)
    form = read_form(match, request.form)
    try:
        begun = money_nights.change_players(
            db.session,
            match,
            form.players(match),
            version=posted_version(),
            client_key=posted_key(),
            actor=actor(),
        )
    except StaleMatch as stale:
        # Somebody wrote a hand meanwhile, and it may settle otherwise.
        known_names = names_of_device(db.session, device())
        return render_page(TEMPLATE, change_page(stale.match, known_names, form, [ANOTHER_PHONE_FIRST]), status=409)
    except Refused as refused:
        known_names = names_of_device(db.session, device())
        return render_page(TEMPLATE, change_page(match, known_names, form, refused.reasons), status=422)
    return _go_on(begun)


@bp.post("/take-back")
@requires(SCORER)
def take_back(code: str) -> Response:
    """Take back the change of players: the match before goes on."""
    match = load_match(code)
    try:
        earlier = money_nights.take_back(db.session, match, client_key=posted_key(), actor=actor())
    except Refused:
        # A hand was recorded meanwhile: the page no longer offers it.
        return see_other(url_for(".show", code=code))
    return _go_on(earlier)


def _match_for_money(code: str) -> Match:
    match = load_match(code)
    if match.log.is_deleted:
        raise MatchClosed("deleted")
    return match if money_nights.may_change_players(match) else abort(404)


def _go_on(code: str) -> Response:
    """Open another match of the night, which is then on top of this phone's list."""
    match = load_by_code(db.session, code)
    remember(db.session, device(), match)
    return to_match(match)
