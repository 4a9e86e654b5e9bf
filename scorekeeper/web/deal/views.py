"""Moving the deal: who deals the next hand."""

from flask import Blueprint, Response, abort, request, url_for

from scorekeeper.extensions import db
from scorekeeper.ledger import changes
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.roles import SCORER
from scorekeeper.services.writing import StaleMatch, write
from scorekeeper.web.deal.page import deal_page
from scorekeeper.web.match.views import to_match
from scorekeeper.web.shared.device import actor
from scorekeeper.web.shared.form_keys import posted_key, posted_version
from scorekeeper.web.shared.load_match import load_match
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.respond import render_page, see_other

bp = Blueprint("deal", __name__, url_prefix="/matches/<code>/deal")


@bp.get("")
@requires(SCORER)
def show(code: str) -> Response:
    """Ask who deals the next hand."""
    return render_page("deal/show.html", deal_page(_unfinished_match(code)))


@bp.post("")
@requires(SCORER)
def submit(code: str) -> Response:
    """Let somebody else deal the next hand."""
    _unfinished_match(code)
    who, version, key = request.form.get("who", ""), posted_version(), posted_key()
    try:
        match = write(db.session, code, changes.moving_dealer(who), seq=version + 1, client_key=key, actor=actor())
    except StaleMatch:
        # Somebody wrote a hand meanwhile, and it may be another deal that is asked for.
        return see_other(url_for(".show", code=code))
    return to_match(match)


def _unfinished_match(code: str) -> Match:
    match = load_match(code)
    if match.state.outcome or match.log.is_stopped or match.log.is_deleted:
        abort(404)
    return match
