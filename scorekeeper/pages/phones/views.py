"""The pages of the connected phones of a match, book or night: invitations, roles, and the end of access links.

For a match, there is also the form that asks whose phone this is.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar
from zlib import crc32

from flask import Blueprint, Response, abort, request, url_for
from sqlalchemy.orm import Session

from scorekeeper.access import invitations, phones
from scorekeeper.access.phones import Phone, has_own_link, note_presence, only_owner, phones_of
from scorekeeper.access.roles import Linked
from scorekeeper.book.book_matches import book_link_of_removed_phone, book_of_match_on_phone
from scorekeeper.book.books import BookAccess, renew_link
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import ROLE_RANKS, WATCHER, Refused
from scorekeeper.matches import phones as match_phones
from scorekeeper.matches.fold import Match
from scorekeeper.matches.notices import match_title, side_view_of
from scorekeeper.pitch.drawings.markers import SideView
from scorekeeper.web.context import (
    actor,
    book_label,
    device,
    for_owners,
    for_watchers,
    known_device,
    load_book,
    load_match,
)
from scorekeeper.web.respond import no_news_response, redirect_to, render_page
from scorekeeper.web.widgets import Choice, QuestionView

bp = Blueprint("phones", __name__, url_prefix="/matches/<code>")

LinkedT = TypeVar("LinkedT", bound=Linked)
TEMPLATE = "phones/show.html"
SEAT_FIELD = "seat"
NOBODY = "nobody"
"""The form's answer for a phone that is no player's: it only watches, or lies in the middle of the table."""


@dataclass(frozen=True, kw_only=True)
class PhoneView:
    """A phone in the list of connected phones, with its details in the match, book or night."""

    phone: Phone
    name: str
    """The name of the phone in the list: "Ann", "Phone 2"."""
    holder: str = ""
    """The name of the phone's holder, for the labels of its buttons; empty if unknown."""
    side: SideView | None = None
    """The side of the phone's holder, whose marker is shown; `None` if there is none."""
    opens_by_book: bool = False
    """Whether the phone was removed from the match, but can still open it through a book."""
    book_url: str = ""
    """The URL of an extra button that ends or renews the phone's access link to a book; empty without one."""
    is_renewable: bool = False
    """Whether the access link to the book is the viewer's own, which can be renewed but not ended."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PhonesPage(Generic[LinkedT]):
    """The page and forms of the phones connected to a match, book or night.

    The fields say how these three differ. The texts of the page are in phones/_words.html.
    """

    home: str
    """The endpoint of the page to which the back button leads."""
    load: Callable[[str], LinkedT]
    """Returns the match, book or night of an access link, given its code; raises `UnknownCode`."""
    title: Callable[[LinkedT], str]
    """Returns the title of the match, book or night."""
    view: Callable[[LinkedT, Phone, int], PhoneView]
    """Returns the view of a phone, given also the phone's number in the order of joining, from 1."""
    changes: Mapping[str, Callable[[Session, LinkedT, int], str | None]]
    """The functions that change an access link, given its id, by the posted `do`; each may return a renewed code."""

    def add_to(self, bp: Blueprint, path: str) -> None:
        """Register the page on a blueprint at `path`, and its forms below; all are for owners only."""
        bp.add_url_rule(path, "show", for_owners(self.show), methods=["GET"])
        bp.add_url_rule(f"{path}/invite", "invite", for_owners(self.invite), methods=["POST"])
        bp.add_url_rule(f"{path}/close", "close", for_owners(self.close_invitation), methods=["POST"])
        bp.add_url_rule(f"{path}/<int:link_id>", "change", for_owners(self.change), methods=["POST"])

    def show(self, code: str) -> Response:
        """Show all phones and an invitation, or answer a poll of the page.

        The invitation is to the role in the URL, or without a role the first in force. Store that this phone has been
        seen.
        """
        linked = self.load(code)
        note_presence(db.session, known_device(), linked.link)
        return self._show_page(linked, request.args.get("let", ""))

    def invite(self, code: str) -> Response:
        """Open or renew invitations to the posted roles and redirect to the page, or show why this was refused."""
        roles = request.form.get("role", "").split()
        if not roles or not set(roles) <= set(invitations.OFFERED_ROLES):
            abort(400)
        linked = self.load(code)
        try:
            for role in roles:
                invitations.invite(db.session, linked, role)
        except Refused as refused:
            return self._show_page(linked, refusal=str(refused))
        return redirect_to(".show", code=code, let=roles[0])

    def close_invitation(self, code: str) -> Response:
        """End the invitation to the posted role, if there is one in force, and redirect to the page."""
        invitations.close_invitation(db.session, self.load(code), request.form.get("role", ""))
        return redirect_to(".show", code=code)

    def change(self, code: str, link_id: int) -> Response:
        """Change a phone's role or access link as the posted `do` says, and redirect, or show why this was refused.

        A phone that changed its own link goes to `home`, unless it renewed the link.
        """
        linked, do = self.load(code), request.form.get("do", "")
        if do not in self.changes:
            abort(400)
        open_before = invitations.invitations_in_force(db.session, linked)
        try:
            renewed = self.changes[do](db.session, linked, link_id)
        except Refused as refused:
            return self._show_page(linked, refusal=str(refused))
        if renewed:
            code = renewed
        elif link_id == linked.link.id:
            # Its own link may no longer allow this page.
            return redirect_to(self.home, code=code)
        open_now = invitations.invitations_in_force(db.session, linked)
        closed = " ".join(role for role in open_before if role not in open_now)
        return redirect_to(".show", code=code, done=do, phone=link_id, closed=closed or None)

    def _show_page(self, linked: LinkedT, role: str = "", *, refusal: str = "") -> Response:
        """Show the page with the invitation to `role`, if it is in force; 204 for a poll without changes.

        Without a role, the first invitation in force is shown. `refusal` says why a form was refused.
        """
        all_phones = phones_of(db.session, linked)
        with_access_first = sorted(all_phones, key=lambda phone: not phone.has_access)
        views = [self.view(linked, phone, all_phones.index(phone) + 1) for phone in with_access_first]
        owner = only_owner(all_phones)
        version = f"{crc32(repr((owner, views)).encode()):x}"
        if not refusal and request.args.get("v") == version:
            return no_news_response()
        invited = invitations.invitations_in_force(db.session, linked)
        changed, done = request.args.get("phone", type=int), request.args.get("done", "")
        closed = request.args.get("closed", "").split()
        return render_page(
            TEMPLATE,
            block="phones",
            linked=linked,
            home=self.home,
            title=self.title(linked),
            invitation=invited.get(role) if role else next(iter(invited.values()), None),
            phones=views,
            only_owner=owner,
            changed=next((view for view in views if view.phone.link.id == changed and done in self.changes), None),
            done=done,
            closed=[offered for offered in invitations.OFFERED_ROLES if offered in closed and offered not in invited],
            refusal=refusal,
            version=version,
        )


# ---------- the phones of a match ----------


def _phone_view_in_match(match: Match, phone: Phone, number: int) -> PhoneView:
    """Return the view of a phone of a match; `number` is its number in the order of joining."""
    seat = phone.link.holder
    holder = match.names.get(seat, "")
    nameless = "Main phone" if number == 1 else f"Phone {number}"
    if phone.link.role == WATCHER:
        nameless = "A phone that watches"
    book_link = book_link_of_removed_phone(db.session, match, phone)
    access = book_of_match_on_phone(db.session, device(), match) if book_link else None
    is_mine, url = False, ""
    if book_link and access:
        is_mine = access.link.id == book_link.id
        if access.link.is_owner and (not is_mine or has_own_link(db.session, access, device())):
            url = url_for("book_phones.change", code=access.code, link_id=book_link.id)
    return PhoneView(
        phone=phone,
        name="Shared link" if phone.link.is_shared else holder or nameless,
        holder=holder,
        side=side_view_of(match, seat),
        opens_by_book=book_link is not None,
        book_url=url,
        is_renewable=is_mine,
    )


def end_link_as_viewer(session: Session, linked: Linked, link_id: int) -> None:
    """End a phone's access link as `phones.end_link` does, signed by the viewer's phone; raises `Refused`."""
    phones.end_link(session, linked, link_id, actor())


COMMON_CHANGES: Mapping[str, Callable[[Session, Any, int], str | None]] = {
    **{role: partial(phones.give_role, role=role) for role in ROLE_RANKS},
    "end": end_link_as_viewer,
    "reopen": phones.reopen_link,
}
"""The functions that change an access link, given its id, on every page of phones, by the posted `do`."""
PhonesPage[Match](
    home="matches.show",
    load=lambda code: load_match(code).with_pronouns("sides"),
    title=match_title,
    view=_phone_view_in_match,
    changes=COMMON_CHANGES,
).add_to(bp, "/room")


# ---------- who holds a phone ----------


@bp.get("/whose")
@for_watchers
def ask_seat(code: str) -> Response:
    """Show the form that asks whose phone this is."""
    match = load_match(code).with_pronouns("sides")
    nobody = "Nobody’s" if match.link.may_score else "Only watching"
    question = seat_question(match, match.link.holder, nobody=nobody)
    return render_page("phones/seat_claim.html", match=match, question=question)


@bp.post("/whose")
@for_watchers
def claim_seat(code: str) -> Response:
    """Store the posted player or side as this phone's holder, if any, and redirect to the match."""
    match_phones.set_holder(db.session, load_match(code), posted_seat())
    return redirect_to("matches.show", code=code)


def seat_question(match: Match, seat: str, *, nobody: str) -> QuestionView:
    """Return the question whose phone this is, with the players or sides as answers.

    `seat` is the current holder's id, empty without one. `nobody` is the label of the answer for no holder.
    """
    # If only the sides are known, a phone belongs to a side.
    seats = tuple(setup_seat.id for setup_seat in match.setup.seats) or tuple(side.id for side in match.setup.sides)
    none = Choice(value=NOBODY, label=nobody, is_chosen=not seat)
    return QuestionView(
        field=SEAT_FIELD, question="Whose phone is this?", choices=(*player_choices(match, seats, seat), none)
    )


def player_choices(match: Match, ids: Iterable[str], chosen: str) -> tuple[Choice, ...]:
    """Return these players or sides as answers to choose from; `chosen` is the id of the current one."""
    return tuple(
        Choice(value=seat, label=match.names[seat], side=side_view_of(match, seat), is_chosen=seat == chosen)
        for seat in ids
    )


def posted_seat() -> str | None:
    """Return the id of the posted player or side; empty if none was posted, `None` for nobody's phone."""
    seat = request.form.get(SEAT_FIELD, "")
    return None if seat == NOBODY else seat


# ---------- the phones of a book ----------


book_bp = Blueprint("book_phones", __name__, url_prefix="/books/<code>")


def _phone_view_in_book(access: BookAccess, phone: Phone, _number: int) -> PhoneView:
    holder = phone.link.holder
    nameless = "A phone that watches" if phone.link.role == WATCHER else "A phone without a name"
    is_own = phone.link.id == access.link.id and has_own_link(db.session, access, device())
    return PhoneView(
        phone=phone,
        name=f"{holder}’s phone" if holder else nameless,
        holder=holder,
        book_url=url_for(".change", code=access.code, link_id=phone.link.id) if is_own else "",
        is_renewable=is_own,
    )


PhonesPage[BookAccess](
    home="books.show",
    load=load_book,
    title=book_label,
    view=_phone_view_in_book,
    changes={
        **COMMON_CHANGES,
        "renew": lambda session, access, link_id: renew_link(session, access, link_id, device()),
    },
).add_to(book_bp, "/phones")
