"""Moving the deal: who deals the next hand."""

from flask import Blueprint, Response, request

from scorekeeper.ledger import changes
from scorekeeper.ledger.roles import SCORER
from scorekeeper.services.writing import StaleMatch
from scorekeeper.web.deal.page import deal_page
from scorekeeper.web.match.views import to_match
from scorekeeper.web.shared.device import posted_version
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_unfinished_match, write_change
from scorekeeper.web.shared.respond import render_page

bp = Blueprint("deal", __name__, url_prefix="/matches/<code>/deal")


@bp.get("")
@requires(SCORER)
def show(code: str) -> Response:
    """Show everybody who may deal the next hand."""
    return render_page("deal/show.html", deal_page(load_unfinished_match(code)))


@bp.post("")
@requires(SCORER)
def submit(code: str) -> Response:
    """Record that somebody else deals the next hand."""
    load_unfinished_match(code)
    change = changes.moving_dealer(request.form.get("who", ""))
    try:
        return to_match(write_change(code, change, version=posted_version()))
    except StaleMatch as stale:
        # Somebody wrote a hand meanwhile, and it may be another deal that is asked for.
        return render_page("deal/show.html", deal_page(stale.match, is_stale=True), status=409)
