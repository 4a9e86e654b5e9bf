"""The connected phones of a book: inviting them, what each may do, and ending a link."""

from typing import Any

from flask import Blueprint, Response, abort, request, url_for

from scorekeeper.extensions import db
from scorekeeper.ledger.refusals import Refused
from scorekeeper.ledger.roles import OWNER, RANKS
from scorekeeper.services import invitations
from scorekeeper.services.book_phones import end_book_link, give_book_role, phones_of_book, reopen_book_link
from scorekeeper.services.books import BookAccess
from scorekeeper.services.phones import note_here
from scorekeeper.web.book_phones.page import BookPhonesPage, book_phones_page
from scorekeeper.web.shared.books import load_book
from scorekeeper.web.shared.device import actor
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.respond import nothing_new, render_page, see_other

bp = Blueprint("book_phones", __name__, url_prefix="/books/<code>/phones")

TEMPLATE = "book_phones/show.html"


@bp.get("")
@requires(OWNER)
def show(code: str) -> Response:
    """Show the code that lets a phone in, and who is in; an open page polls for what changed."""
    note_here(code)
    args = request.args
    page = _page(load_book(code), args.get("let", ""), changed=args.get("phone", type=int), change=args.get("done", ""))
    if args.get("v") == page.phones_version:
        return nothing_new()
    return render_page(TEMPLATE, page, block="phones")


def _page(access: BookAccess, role: str = "", **more: Any) -> BookPhonesPage:
    found = invitations.open_invitations(db.session, access)
    shown = found.get(role) if role else next(iter(found.values()), None)
    return book_phones_page(access, phones_of_book(db.session, access), shown, **more)


@bp.post("/invite")
@requires(OWNER)
def invite(code: str) -> Response:
    """Invite phones in a role; an invitation that is still good is good for longer."""
    role = request.form.get("role", "")
    if role not in invitations.OFFERED:
        abort(400)
    access = load_book(code)
    try:
        invitations.invite(db.session, access, role)
    except Refused as refused:
        return render_page(TEMPLATE, _page(access, refusal=str(refused)), status=422)
    return see_other(url_for(".show", code=code, let=role))


@bp.post("/close")
@requires(OWNER)
def close_invitation(code: str) -> Response:
    """End an invitation."""
    invitations.close(db.session, load_book(code), request.form.get("role", ""))
    return see_other(url_for(".show", code=code))


@bp.post("/<int:link_id>")
@requires(OWNER)
def change(code: str, link_id: int) -> Response:
    """Change the role of a phone, end its link with those that came by it, or reopen it."""
    access, change = load_book(code), request.form.get("do", "")
    try:
        if change in RANKS:
            give_book_role(db.session, access, link_id, change)
        elif change == "end":
            end_book_link(db.session, access, link_id, actor())
        elif change == "reopen":
            reopen_book_link(db.session, access, link_id)
        else:
            abort(400)
    except Refused as refused:
        return render_page(TEMPLATE, _page(access, refusal=str(refused)), status=422)
    if link_id == access.link.id:
        # Its own link may no longer allow this page.
        return see_other(url_for("books.show", code=code))
    return see_other(url_for(".show", code=code, done=change, phone=link_id))
