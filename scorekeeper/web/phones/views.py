"""The connected phones of a match: inviting them, what each may do, ending a link, and who holds this phone."""

from functools import partial

from flask import Blueprint, Response, url_for

from scorekeeper.extensions import db
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.roles import RANKS, WATCHER
from scorekeeper.services.phones import end_link, give_role, hold, let_accept, note_seen, reopen_link
from scorekeeper.web.match.page import match_title
from scorekeeper.web.phones.page import SeatClaimPage, phone_views
from scorekeeper.web.phones.seat_claim import posted_seat, seat_question
from scorekeeper.web.shared.connected_phones import PhonesRoom
from scorekeeper.web.shared.device import actor, known_device
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_match
from scorekeeper.web.shared.respond import render_page, see_other

bp = Blueprint("phones", __name__, url_prefix="/matches/<code>")

PhonesRoom[Match](
    home="matches.show",
    load=load_match,
    note=lambda match: note_seen(db.session, known_device(), match.link),
    title=match_title,
    phones=phone_views,
    changes={
        **{role: partial(give_role, role=role) for role in RANKS},
        "end": lambda session, match, link_id: end_link(session, match, link_id, actor()),
        "reopen": reopen_link,
        "accept": let_accept,
    },
).add_to(bp, "/room")


@bp.get("/whose")
@requires(WATCHER)
def ask_seat(code: str) -> Response:
    """Show the form that asks who holds this phone."""
    match = load_match(code)
    nobody = "Nobody’s" if match.link.may_score else "Only watching"
    question = seat_question(match, match.link.seat, nobody=nobody)
    page = SeatClaimPage(code=code, match_title=match_title(match), question=question)
    return render_page("phones/seat_claim.html", page)


@bp.post("/whose")
@requires(WATCHER)
def claim_seat(code: str) -> Response:
    """Remember who holds this phone."""
    hold(db.session, load_match(code), posted_seat())
    return see_other(url_for("matches.show", code=code))
