"""Moving the deal: who deals the next hand, and what that changes."""

from flask import Blueprint, Response, abort, request, url_for

from scorekeeper.engine.outlook import outlook
from scorekeeper.extensions import db
from scorekeeper.services import changes, matches
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.refusals import StaleMatch
from scorekeeper.services.writing import preview
from scorekeeper.web.contexts.deal import DealChoice, DealPage
from scorekeeper.web.contexts.parts import Action, BarView
from scorekeeper.web.keys import actor, key_of, new_key, version_of
from scorekeeper.web.matches import to_match
from scorekeeper.web.present.board import match_title
from scorekeeper.web.present.sides import side_views
from scorekeeper.web.reached import reach
from scorekeeper.web.respond import page, see_other

bp = Blueprint("deal", __name__, url_prefix="/matches/<code>/deal")


@bp.get("")
def show(code: str) -> Response:
    """Ask who deals the next hand, and say for each what follows."""
    return page("match/deal.html", _page(_open(code)))


@bp.post("")
def submit(code: str) -> Response:
    """Let somebody else deal the next hand."""
    _open(code)
    who = request.form.get("who", "")
    try:
        match = matches.move_dealer(
            db.session, code, who, seq=version_of(request) + 1, client_key=key_of(request), actor=actor()
        )
    except StaleMatch:
        # Somebody wrote a hand meanwhile, and it may be another deal that is asked for.
        return see_other(url_for(".show", code=code))
    return to_match(match)


def _open(code: str) -> LoadedMatch:
    """Give a match that goes on."""
    match = reach(code)
    if match.state.outcome or match.log.is_stopped or match.log.is_deleted:
        abort(404)
    return match


def _page(match: LoadedMatch) -> DealPage:
    number, key = len(match.state.hands) + 1, new_key()
    return DealPage(
        title="Who deals?",
        bar=BarView(
            title=match_title(match),
            sub=f"Hand {number}",
            back_url=url_for("matches.show", code=match.code),
            back_label="The score",
        ),
        heading=f"Who deals hand {number}?",
        choices=tuple(_choice(match, name, key) for name in match.state.seats.chairs),
    )


def _choice(match: LoadedMatch, name: str, key: str) -> DealChoice:
    side = side_views(match)[match.state.seats.side_of(name) or name]
    is_dealer = name == match.state.dealer
    if is_dealer:
        back_url = url_for("matches.show", code=match.code)
        back = Action(label=f"{name}, as it stands", note=_what_follows(match, name), url=back_url)
        return DealChoice(action=back, side=side, is_dealer=True)
    who = match.ids[name]
    moved = preview(db.session, match.code, changes.moving_dealer(who)).after
    fields = (("version", str(match.version)), ("client_key", key), ("who", who))
    url = url_for(".submit", code=match.code)
    return DealChoice(
        action=Action(label=name, note=_what_follows(moved, name), url=url, is_post=True, fields=fields), side=side
    )


def _what_follows(match: LoadedMatch, name: str) -> str:
    """Say who speaks first where somebody deals, and who deals after that."""
    ahead, seats = outlook(match.state), match.state.seats
    first = f"{ahead.speaks_first} speaks first" if ahead.speaks_first else ""
    moves_on = match.state.ruleset.play.next_dealer != "racehorse"
    after = seats.left_of(name) if moves_on else None
    if first and after == ahead.speaks_first:
        return f"{first}, and deals next"
    then = f"{after} deals next" if after else ""
    return ", ".join(part for part in (first, then) if part)
