"""A player leaves, and another sits in from the next hand on."""

from collections.abc import Mapping, Sequence

from flask import Blueprint, Response, abort, request

from scorekeeper.extensions import db
from scorekeeper.ledger import changes
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.refusals import Refused
from scorekeeper.ledger.roles import SCORER
from scorekeeper.rules.faults import Fault
from scorekeeper.services.match_list import names_of_device
from scorekeeper.services.writing import StaleMatch
from scorekeeper.web.match.views import to_match
from scorekeeper.web.shared.device import ANOTHER_PHONE_FIRST, device, posted_version
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_unfinished_match, write_change
from scorekeeper.web.shared.respond import render_page
from scorekeeper.web.sits_in.page import NAME_FIELD, WHO_FIELD, sits_in_page

bp = Blueprint("sits_in", __name__, url_prefix="/matches/<code>/sits-in")

TEMPLATE = "sits_in/show.html"


@bp.get("")
@requires(SCORER)
def show(code: str) -> Response:
    """Ask who leaves, and who sits in."""
    return render_page(TEMPLATE, sits_in_page(_match_with_seats(code), names_of_device(db.session, device())))


@bp.post("")
@requires(SCORER)
def submit(code: str) -> Response:
    """Record that somebody sits in from the next hand on."""
    match = _match_with_seats(code)
    typed = {
        WHO_FIELD: request.form.get(WHO_FIELD, ""),
        NAME_FIELD: " ".join(request.form.get(NAME_FIELD, "").split()),
    }
    change = changes.sitting_in(typed[WHO_FIELD], typed[NAME_FIELD])
    try:
        return to_match(write_change(code, change, version=posted_version()))
    except StaleMatch as stale:
        # Somebody wrote a hand meanwhile, and it may be another hand from which the newcomer plays.
        return _refused(stale.match, typed, [ANOTHER_PHONE_FIRST], status=409)
    except Refused as refused:
        return _refused(match, typed, refused.reasons)


def _refused(match: Match, typed: Mapping[str, str], faults: Sequence[Fault], status: int = 422) -> Response:
    page = sits_in_page(match, names_of_device(db.session, device()), typed, faults)
    return render_page(TEMPLATE, page, status=status)


def _match_with_seats(code: str) -> Match:
    match = load_unfinished_match(code)
    return match if match.setup.seats else abort(404)
