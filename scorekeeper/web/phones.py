"""The connected phones of a match, a book or a night: inviting them, what each may do, and ending a link.

A match also asks who holds a phone of it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar
from zlib import crc32

from flask import Blueprint, Response, abort, request, url_for
from sqlalchemy.orm import Session

from scorekeeper.extensions import db
from scorekeeper.graphics.markers import SideView
from scorekeeper.ledger.agreement import JOINED_LATER, acceptance_fault
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.refusals import Refused
from scorekeeper.ledger.roles import OWNER, RANKS, SCORER, WATCHER, Link
from scorekeeper.services import invitations, phones
from scorekeeper.services.books import BookAccess
from scorekeeper.services.nights import NightAtHand
from scorekeeper.services.phones import Phone, only_owner, phones_of
from scorekeeper.web.match.page import match_title
from scorekeeper.web.shared.device import actor, known_device
from scorekeeper.web.shared.match_views import side_view_of
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_match
from scorekeeper.web.shared.respond import nothing_new, render_page, see_other
from scorekeeper.web.shared.widgets import Choice, QuestionView

bp = Blueprint("phones", __name__, url_prefix="/matches/<code>")

Place = TypeVar("Place", Match, BookAccess, NightAtHand)
TEMPLATE = "phones/show.html"
FIELD = "seat"
NOBODY = "nobody"
"""A phone that is no player's: it only watches, or lies in the middle of the table."""


@dataclass(frozen=True)
class Offer:
    """A button that changes a phone's link."""

    do: str
    """What the form says: a role, `end`, `reopen` or `accept`."""
    label: str
    """With `{}` for whose phone it is, until that is known."""
    icon: str = ""


@dataclass(frozen=True)
class PhonesWords:
    """What the page of the phones says of a match, a book or a night."""

    home: str
    """The endpoint that the page leads back to."""
    back: str
    invites: Mapping[str, str]
    """What the buttons are called that invite a phone, by role."""
    allows: Mapping[str, str]
    """What anyone can do who is invited, by role."""
    hint: str
    does: Mapping[str, str]
    """What a phone does, by role."""
    scope: str = ""
    """What a phone is added to, where that is to be said."""
    lost: str = ""
    """What a phone has lost that was removed just now."""
    is_brief: bool = False
    """Whether nothing is said of when a phone was here, nor of what was done just now."""


@dataclass(frozen=True)
class PhoneView:
    """A phone that was let in, with what only its match, book or night knows of it."""

    phone: Phone[Any]
    name: str
    offers: tuple[Offer, ...]
    """What can be done to its link."""
    side: SideView | None = None


@dataclass(frozen=True, eq=False)
class PhonesRoom(Generic[Place]):
    """The page of connected phones at a blueprint, and its forms."""

    words: PhonesWords
    load: Callable[[str], Place]
    title: Callable[[Place], str]
    view: Callable[[Place, Phone[Any], tuple[Offer, ...]], PhoneView]
    """What the page shows of a phone, given what can be done to its link."""
    changes: Mapping[str, Callable[[Session, Place, int], None]]
    """By what the form says is to be done to the link with a number."""
    offers: Mapping[str, tuple[Offer, ...]]
    """What else a phone can be allowed, by role."""
    remove: str = "Remove {}"
    again: Offer | None = Offer("reopen", "Add {} again", "again")
    """`None` where a phone is added again by giving it its role."""
    note: Callable[[Place], None] = lambda _place: None
    """Notes that the phone that looks is here."""
    close: str = "close_invitation"
    """The endpoint that ends an invitation."""

    def add_to(self, bp: Blueprint, path: str) -> None:
        """Add the page at a path, and the forms below it."""
        bp.add_url_rule(path, "show", requires(OWNER)(self.show), methods=["GET"])
        bp.add_url_rule(f"{path}/invite", "invite", requires(OWNER)(self.invite), methods=["POST"])
        bp.add_url_rule(f"{path}/close", self.close, requires(OWNER)(self.close_invitation), methods=["POST"])
        bp.add_url_rule(f"{path}/<int:link_id>", "change", requires(OWNER)(self.change), methods=["POST"])

    def show(self, code: str) -> Response:
        """Show the code that lets a phone in, and who is in; an open page polls for what changed."""
        place = self.load(code)
        self.note(place)
        return self._page(place, request.args.get("let", ""))

    def invite(self, code: str) -> Response:
        """Invite phones in a role; an invitation that is still good is good for longer."""
        role = request.form.get("role", "")
        if role not in invitations.OFFERED:
            abort(400)
        place = self.load(code)
        try:
            invitations.invite(db.session, place, role)
        except Refused as refused:
            return self._page(place, refusal=str(refused))
        return see_other(url_for(".show", code=code, let=role))

    def close_invitation(self, code: str) -> Response:
        """End an invitation."""
        invitations.close(db.session, self.load(code), request.form.get("role", ""))
        return see_other(url_for(".show", code=code))

    def change(self, code: str, link_id: int) -> Response:
        """Change what a phone may do, end its link, or let it in again."""
        place, do = self.load(code), request.form.get("do", "")
        if do not in self.changes:
            abort(400)
        try:
            self.changes[do](db.session, place, link_id)
        except Refused as refused:
            return self._page(place, refusal=str(refused))
        if link_id == place.link.id:
            # Its own link may no longer allow this page.
            return see_other(url_for(self.words.home, code=code))
        if self.words.is_brief:
            return see_other(url_for(".show", code=code))
        return see_other(url_for(".show", code=code, done=do, phone=link_id))

    def _page(self, place: Place, role: str = "", *, refusal: str = "") -> Response:
        joined = sorted(phones_of(db.session, place), key=lambda phone: phone.ended_at is not None)
        owner = only_owner(joined)
        views = [self.view(place, phone, self._offers(phone, has_to_own=phone == owner)) for phone in joined]
        version = f"{crc32(repr(views).encode()):x}"
        if not refusal and request.args.get("v") == version:
            return nothing_new()
        invited = invitations.open_invitations(db.session, place)
        changed, done = request.args.get("phone", type=int), request.args.get("done", "")
        return render_page(
            TEMPLATE,
            block="phones",
            status=422 if refusal else 200,
            place=place,
            words=self.words,
            title=self.title(place),
            invitation=invited.get(role) if role else next(iter(invited.values()), None),
            phones=views,
            changed=next((it for it in views if it.phone.link.id == changed and done in self.changes), None),
            done=done,
            refusal=refusal,
            poll_url=url_for(".show", code=place.code, v=version),
            invite_url=url_for(".invite", code=place.code),
            close_url=url_for(f".{self.close}", code=place.code),
            change_urls={it.link.id: url_for(".change", code=place.code, link_id=it.link.id) for it in joined},
        )

    def _offers(self, phone: Phone[Any], *, has_to_own: bool) -> tuple[Offer, ...]:
        if phone.ended_at:
            return (self.again or Offer(phone.link.role, "Add again", "again"),)
        if phone.link.is_shared:
            return (Offer("end", "Remove link", "stop"),)
        return () if has_to_own else (*self.offers[phone.link.role], Offer("end", self.remove, "stop"))


def offers_to(holder: str, offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """Return what can be done to the link of a phone, with whose phone it is."""
    return tuple(replace(offer, label=offer.label.format(holder or "it")) for offer in offers)


# ---------- the phones of a match ----------

COMMON_OFFERS = {
    OWNER: (Offer(SCORER, "Let {} score only", "pencil"),),
    SCORER: (Offer(WATCHER, "Let {} only watch", "undo"), Offer(OWNER, "Make {} co-owner")),
    WATCHER: (Offer(SCORER, "Let {} score", "pencil"),),
}
COMMON_INVITES = {WATCHER: "Watch", SCORER: "Watch and score"}
_ACCEPT = Offer("accept", "Let {} accept earlier hands", "scale")
HINT = "A QR code to scan and a PIN to type."
_WORDS = PhonesWords(
    home="matches.show",
    back="Score",
    invites=COMMON_INVITES,
    allows={WATCHER: "can watch, but not score", SCORER: "can watch and score"},
    hint=HINT,
    does={OWNER: "owns the match", SCORER: "can score", WATCHER: "watches"},
    lost="The code that it joined with is closed too.",
)


def _view(match: Match, phone: Phone[Link], offers: tuple[Offer, ...]) -> PhoneView:
    seat = phone.link.seat or ""
    holder = match.names.get(seat, "")
    nameless = "A phone that watches" if phone.link.role == WATCHER else "Main phone"
    if _joined_later(match, phone):
        offers = (_ACCEPT, *offers)
    return PhoneView(
        phone=phone,
        name="Shared link" if phone.link.is_shared else holder or nameless,
        offers=offers_to(holder, offers),
        side=side_view_of(match, seat),
    )


def _joined_later(match: Match, phone: Phone[Link]) -> bool:
    """Return whether hands wait that a phone can accept only if an owner lets it."""
    if phone.ended_at or phone.link.is_shared:
        return False
    faults = [acceptance_fault(match.setup, phone.link, "", hand) for hand in match.log.waiting]
    return any(fault is not None and fault.code == JOINED_LATER for fault in faults)


def end_link(session: Session, place: Match | BookAccess | NightAtHand, link_id: int) -> None:
    """End a phone's link, signed by the phone that asks."""
    phones.end_link(session, place, link_id, actor())


COMMON_CHANGES: Mapping[str, Callable[[Session, Any, int], None]] = {
    **{role: partial(phones.give_role, role=role) for role in RANKS},
    "end": end_link,
    "reopen": phones.reopen_link,
}
PhonesRoom[Match](
    words=_WORDS,
    load=load_match,
    note=lambda match: phones.note_seen(db.session, known_device(), match.link),
    title=match_title,
    view=_view,
    changes={**COMMON_CHANGES, "accept": phones.let_accept},
    offers=COMMON_OFFERS,
).add_to(bp, "/room")


# ---------- who holds a phone ----------


@bp.get("/whose")
@requires(WATCHER)
def ask_seat(code: str) -> Response:
    """Show the form that asks who holds this phone."""
    match = load_match(code)
    nobody = "Nobody’s" if match.link.may_score else "Only watching"
    question = seat_question(match, match.link.seat, nobody=nobody)
    return render_page("phones/seat_claim.html", match=match, title=match_title(match), question=question)


@bp.post("/whose")
@requires(WATCHER)
def claim_seat(code: str) -> Response:
    """Remember who holds this phone."""
    phones.hold(db.session, load_match(code), posted_seat())
    return see_other(url_for("matches.show", code=code))


def seat_question(match: Match, seat: str | None, *, nobody: str) -> QuestionView:
    """Return the question of who holds this phone, now the `seat`; `nobody` is the label of the other answer."""
    # Where nobody said who sits where, a phone is a side's.
    seats = tuple(it.id for it in match.setup.seats) or tuple(side.id for side in match.setup.sides)
    people = (
        Choice(value=who, label=match.names[who], side=side_view_of(match, who), is_chosen=who == seat) for who in seats
    )
    return QuestionView(
        field=FIELD,
        question="Whose phone is this?",
        choices=(*people, Choice(value=NOBODY, label=nobody, is_chosen=seat is None)),
    )


def posted_seat() -> str | None:
    """Return who holds the phone by the form that was posted; `None` where no player does."""
    seat = request.form.get(FIELD, "")
    return None if seat == NOBODY else seat
