"""The connected phones of a match: inviting them, what each may do, ending a link, and who holds this phone."""

from typing import Any

from flask import Blueprint, Response, abort, request, url_for

from scorekeeper.extensions import db
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.refusals import Refused
from scorekeeper.ledger.roles import OWNER, RANKS, WATCHER
from scorekeeper.services import invitations
from scorekeeper.services.phones import end_link, give_role, hold, let_accept, note_seen, phones_of, reopen_link
from scorekeeper.web.match.page import match_title
from scorekeeper.web.phones.page import PhonesPage, SeatClaimPage, phones_page
from scorekeeper.web.phones.seat_claim import posted_seat, seat_question
from scorekeeper.web.shared.device import actor, known_device
from scorekeeper.web.shared.matches import load_match
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.respond import nothing_new, render_page, see_other

bp = Blueprint("phones", __name__, url_prefix="/matches/<code>")

TEMPLATE = "phones/show.html"


@bp.get("/room")
@requires(OWNER)
def show(code: str) -> Response:
    """Show the code that lets a phone in, and who is in; an open page polls for what changed."""
    match = load_match(code)
    note_seen(db.session, known_device(), match.link)
    args = request.args
    page = _page(match, args.get("let", ""), changed=args.get("phone", type=int), change=args.get("done", ""))
    if args.get("v") == page.phones_version:
        return nothing_new()
    return render_page(TEMPLATE, page, block="phones")


def _page(match: Match, role: str = "", **more: Any) -> PhonesPage:
    found = invitations.open_invitations(db.session, match)
    shown = found.get(role) if role else next(iter(found.values()), None)
    return phones_page(match, phones_of(db.session, match), shown, **more)


@bp.post("/room/invite")
@requires(OWNER)
def invite(code: str) -> Response:
    """Invite phones in a role; an invitation that is still good is good for longer."""
    role = request.form.get("role", "")
    if role not in invitations.OFFERED:
        abort(400)
    match = load_match(code)
    try:
        invitations.invite(db.session, match, role)
    except Refused as refused:
        return render_page(TEMPLATE, _page(match, refusal=str(refused)), status=422)
    return see_other(url_for(".show", code=code, let=role))


@bp.post("/room/close")
@requires(OWNER)
def close_invitation(code: str) -> Response:
    """End an invitation."""
    invitations.close(db.session, load_match(code), request.form.get("role", ""))
    return see_other(url_for(".show", code=code))


@bp.post("/room/<int:link_id>")
@requires(OWNER)
def change(code: str, link_id: int) -> Response:
    """Change the role of a phone, end its link or reopen it, or let it accept earlier hands."""
    match, change = load_match(code), request.form.get("do", "")
    try:
        if change in RANKS:
            give_role(db.session, match, link_id, change)
        elif change == "end":
            end_link(db.session, match, link_id, actor())
        elif change == "reopen":
            reopen_link(db.session, match, link_id)
        elif change == "accept":
            let_accept(db.session, match, link_id)
        else:
            abort(400)
    except Refused as refused:
        return render_page(TEMPLATE, _page(match, WATCHER, refusal=str(refused)), status=422)
    if link_id == match.link.id:
        # Its own link may no longer allow this page.
        return see_other(url_for("matches.show", code=code))
    return see_other(url_for(".show", code=code, done=change, phone=link_id))


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
