"""The connected phones of a match or a book: what their pages show, and the forms that both have."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar
from zlib import crc32

from flask import Blueprint, Response, abort, request, url_for
from sqlalchemy.orm import Session

from scorekeeper.extensions import db
from scorekeeper.graphics.markers import SideView
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.refusals import Refused
from scorekeeper.ledger.roles import OWNER, RANKS
from scorekeeper.services import invitations
from scorekeeper.services.books import BookAccess
from scorekeeper.services.invitations import AnyInvitation
from scorekeeper.services.phones import AnyPhone
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.respond import nothing_new, render_page, see_other

_TEMPLATE = "phones/show.html"

Place = TypeVar("Place", Match, BookAccess)

CHANGES = (*RANKS, "end", "reopen", "accept")
"""What can be done to a link: give it a role, end it, let its phone in again, or let it accept earlier hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneView:
    """A phone that was let in."""

    link_id: int
    holder: str
    """Empty where it is no player's."""
    role: str
    is_mine: bool
    is_last_owner: bool
    since: datetime
    ended_at: datetime | None
    """`None` while it is in."""
    is_here: bool
    """Whether it looks at a page of this match or book now."""
    seen_at: datetime | None
    """When it was here last; `None` for one that is here, and for one that has not been here yet."""
    is_by_book: bool = False
    """Whether it came by the book that the match is in."""
    is_shared: bool = False
    """Whether it is a link that was sent to others."""
    visitors: int = 0
    """How many phones opened that."""
    side: SideView | None = None
    joined_later: bool = False
    """Whether hands wait that it can accept only if an owner lets it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhonesPage:
    """Template phones/show.html. Blocks: phones."""

    code: str
    is_book: bool
    """Whether the phones are those of a book, and not of a match."""
    title: str
    """What the match or the book is called."""
    invitation: AnyInvitation | None
    """What another phone scans or types."""
    phones: tuple[PhoneView, ...]
    """Those that are in before those that are out."""
    phones_version: str
    """Changes with anything that is shown of the phones."""
    changed: PhoneView | None
    """The phone whose link was changed just now."""
    change: str
    """What was done to it: its new role, `end`, `reopen` or `accept`."""
    refusal: str
    """Why nothing was changed."""


def phone_view(phone: AnyPhone, mine: int, *, is_last_owner: bool, **more: Any) -> PhoneView:
    """Return what is shown of a phone; `mine` is the link of the phone that looks."""
    is_mine = phone.link.id == mine
    is_here = phone.is_here and not is_mine
    return PhoneView(
        link_id=phone.link.id,
        role=phone.link.role,
        is_mine=is_mine,
        is_last_owner=is_last_owner,
        since=phone.since,
        ended_at=phone.ended_at,
        is_here=is_here,
        seen_at=None if is_mine or is_here else phone.last_seen,
        **more,
    )


@dataclass(frozen=True, eq=False)
class PhonesRoom(Generic[Place]):
    """The page of connected phones at a blueprint, and its forms."""

    home: str
    """The endpoint of the match or the book."""
    load: Callable[[str], Place]
    note: Callable[[Place], None]
    """Notes that the phone that looks is here."""
    title: Callable[[Place], str]
    phones: Callable[[Session, Place], Sequence[PhoneView]]
    changes: Mapping[str, Callable[[Session, Place, int], None]]
    """By what the form says is to be done to the link with a number."""

    def add_to(self, bp: Blueprint, path: str) -> None:
        """Add the page at a path, and the forms below it."""
        bp.add_url_rule(path, "show", requires(OWNER)(self.show), methods=["GET"])
        bp.add_url_rule(f"{path}/invite", "invite", requires(OWNER)(self.invite), methods=["POST"])
        bp.add_url_rule(f"{path}/close", "close_invitation", requires(OWNER)(self.close_invitation), methods=["POST"])
        bp.add_url_rule(f"{path}/<int:link_id>", "change", requires(OWNER)(self.change), methods=["POST"])

    def show(self, code: str) -> Response:
        """Show the code that lets a phone in, and who is in; an open page polls for what changed."""
        place, args = self.load(code), request.args
        self.note(place)
        page = self._page(place, args.get("let", ""), args.get("phone", type=int), args.get("done", ""))
        if args.get("v") == page.phones_version:
            return nothing_new()
        return render_page(_TEMPLATE, page, block="phones")

    def invite(self, code: str) -> Response:
        """Invite phones in a role; an invitation that is still good is good for longer."""
        role = request.form.get("role", "")
        if role not in invitations.OFFERED:
            abort(400)
        place = self.load(code)
        try:
            invitations.invite(db.session, place, role)
        except Refused as refused:
            return self._refuse(place, refused)
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
            return self._refuse(place, refused)
        if link_id == place.link.id:
            # Its own link may no longer allow this page.
            return see_other(url_for(self.home, code=code))
        return see_other(url_for(".show", code=code, done=do, phone=link_id))

    def _refuse(self, place: Place, refused: Refused) -> Response:
        return render_page(_TEMPLATE, self._page(place, refusal=str(refused)), status=422)

    def _page(
        self, place: Place, role: str = "", changed: int | None = None, change: str = "", *, refusal: str = ""
    ) -> PhonesPage:
        invited = invitations.open_invitations(db.session, place)
        phones = tuple(sorted(self.phones(db.session, place), key=lambda phone: phone.ended_at is not None))
        return PhonesPage(
            code=place.code,
            is_book=isinstance(place, BookAccess),
            title=self.title(place),
            invitation=invited.get(role) if role else next(iter(invited.values()), None),
            phones=phones,
            phones_version=f"{crc32(repr(phones).encode()):x}",
            changed=next((phone for phone in phones if phone.link_id == changed and change in CHANGES), None),
            change=change,
            refusal=refusal,
        )
