"""Moving the deal: who deals the next hand."""

from flask import Blueprint, Response, request

from scorekeeper.matches.events import DealerMoved
from scorekeeper.matches.fold import Match
from scorekeeper.matches.load import StaleMatch, preview
from scorekeeper.pitch.text.outlook import deal_words
from scorekeeper.web.context import for_scorers, load_unfinished_match, posted_version, to_match, write_change
from scorekeeper.web.respond import render_page

bp = Blueprint("deal", __name__, url_prefix="/matches/<code>/deal")


@bp.get("")
@for_scorers
def show(code: str) -> Response:
    """Show everybody who may deal the next hand."""
    return _show(load_unfinished_match(code))


@bp.post("")
@for_scorers
def submit(code: str) -> Response:
    """Record that somebody else deals the next hand."""
    change = DealerMoved(who=request.form.get("who", ""))
    try:
        return to_match(write_change(code, change, version=posted_version()))
    except StaleMatch:
        # Another phone saved a hand meanwhile, so the form may be about another deal.
        return _show(load_unfinished_match(code), is_stale=True)


def _show(match: Match, *, is_stale: bool = False) -> Response:
    """Show who may deal, and what follows if they do; `is_stale` where another phone saved first."""
    chairs = match.state.seats.chairs
    return render_page(
        "deal/show.html",
        status=409 if is_stale else 200,
        match=match,
        follows={who: _what_follows(match, who) for who in chairs},
        is_stale=is_stale,
    )


def _what_follows(match: Match, dealer: str) -> str:
    is_moved = dealer != match.state.dealer
    state = preview(match, DealerMoved(who=dealer)).state if is_moved else match.state
    return deal_words(state, dealer, match.names)
