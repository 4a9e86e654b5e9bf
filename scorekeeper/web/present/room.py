"""The page of the phones: letting one in, and who is in."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit
from zlib import crc32

from flask import url_for

from scorekeeper.services.invitations import Invitation
from scorekeeper.services.links import Phone
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.roles import OWNER, SCORER, WATCHER
from scorekeeper.web.contexts.parts import Action, BarView, Notice, SideView
from scorekeeper.web.contexts.room import InvitationView, PhoneView, RoleView, RoomPage
from scorekeeper.web.links import shown_url
from scorekeeper.web.present.board import match_title
from scorekeeper.web.present.hands import when
from scorekeeper.web.present.scanned import picture_of
from scorekeeper.web.present.sides import side_views

WAYS = {WATCHER: "To look on", SCORER: "To score as well"}
DOES = {OWNER: "owns the match", SCORER: "has the pencil", WATCHER: "looks on"}
HERE = timedelta(seconds=10)
"""A page that is seen asks every two seconds."""
END, REOPEN = "end", "reopen"
"""What can be done with a link beside giving it a role."""


def room_page(
    match: LoadedMatch,
    phones: Sequence[Phone],
    invitations: Mapping[str, Invitation],
    *,
    shown: str,
    notices: tuple[Notice, ...] = (),
) -> RoomPage:
    """Fill the page; `shown` is the role whose code is on it."""
    code = match.code
    invitation = invitations.get(shown)
    views = phone_views(match, phones)
    return RoomPage(
        title="Other phones",
        bar=BarView(
            title="Other phones",
            sub=match_title(match),
            back_url=url_for("matches.show", code=code),
            back_label="The score",
        ),
        invite_url=url_for("room.invite", code=code),
        hidden=(),
        roles=tuple(
            RoleView(role=role, label=label, is_shown=invitation is not None and role == shown)
            for role, label in WAYS.items()
        ),
        invitation=_invitation(match, invitation) if invitation else None,
        phones=views,
        phones_url=url_for("room.show", code=code, v=mark_of(views)),
        notices=notices,
    )


def mark_of(views: tuple[PhoneView, ...]) -> str:
    """Give a mark that changes with anything that is shown of the phones."""
    return f"{crc32(repr(views).encode()):x}"


def _invitation(match: LoadedMatch, invitation: Invitation) -> InvitationView:
    url = shown_url("join.whose", code=invitation.code)
    until = when(invitation.expires_at, datetime.now(UTC))
    does = "can write hands as well" if invitation.role == SCORER else "sees the score, and writes nothing"
    typed_at = urlsplit(shown_url("join.ask"))
    return InvitationView(
        qr=picture_of(url, scale=5),
        pin=tuple(invitation.pin or ""),
        spoken=f"PIN: {', '.join(invitation.pin or '')}",
        typed_at=f"{typed_at.netloc}{typed_at.path}",
        url=url,
        note=f"Whoever scans this {does}. It holds until {until}.",
        end=Action(
            label="End this code",
            url=url_for("room.close", code=match.code),
            icon="stop",
            is_post=True,
            fields=(("role", invitation.role),),
        ),
    )


def phone_views(match: LoadedMatch, phones: Sequence[Phone]) -> tuple[PhoneView, ...]:
    """Show every phone: those that are in before those that are out."""
    now = datetime.now(UTC)
    owners = sum(phone.is_in and phone.link.is_owner for phone in phones)
    in_order = sorted(phones, key=lambda phone: not phone.is_in)
    return tuple(_phone(match, phone, now, is_last_owner=owners < 2) for phone in in_order)


def _phone(match: LoadedMatch, phone: Phone, now: datetime, *, is_last_owner: bool) -> PhoneView:
    is_mine = phone.link.id == match.link.id
    return PhoneView(
        name=holder_name(match, phone),
        small=_small(phone, now, is_mine=is_mine),
        side=_side(match, phone),
        actions=_actions(match, phone, is_mine=is_mine, is_last_owner=is_last_owner),
        is_out=not phone.is_in,
    )


def holder_name(match: LoadedMatch, phone: Phone) -> str:
    """Name a phone by whoever holds it."""
    if name := match.names.get(phone.link.seat or ""):
        return name
    return "A phone that looks on" if phone.link.role == WATCHER else "The phone in the middle"


def _side(match: LoadedMatch, phone: Phone) -> SideView | None:
    views = side_views(match)
    name = match.names.get(phone.link.seat or "", "")
    return views.get(name) or views.get(match.state.seats.side_of(name) or "") if name else None


def _small(phone: Phone, now: datetime, *, is_mine: bool) -> str:
    if phone.ended_at:
        return f"out since {when(phone.ended_at, now)}"
    if is_mine:
        seen = "this phone"
    elif phone.last_seen and now - phone.last_seen < HERE:
        seen = "here now"
    else:
        seen = f"here at {when(phone.last_seen, now)}" if phone.last_seen else "not here yet"
    return f"{DOES[phone.link.role]}, in since {when(phone.since, now)}, {seen}"


def _actions(match: LoadedMatch, phone: Phone, *, is_mine: bool, is_last_owner: bool) -> tuple[Action, ...]:
    def action(label: str, do: str, icon: str = "") -> Action:
        url = url_for("room.change", code=match.code, link_id=phone.link.id)
        return Action(label=label, url=url, icon=icon, is_post=True, fields=(("do", do),))

    name = match.names.get(phone.link.seat or "", "")
    it, its = name or "it", f"{name}’s" if name else "its"
    if not phone.is_in:
        return (action(f"Let {it} in again", REOPEN, "again"),)
    end = action(f"End {its} link", END, "stop")
    whose = (Action(label="Whose phone is this?", url=url_for("room.whose", code=match.code)),) if is_mine else ()
    if phone.link.is_owner and is_last_owner:
        return whose
    pencil = {
        OWNER: (action(f"Leave {it} only the pencil", SCORER, "pencil"),),
        SCORER: (action(f"Take {its} pencil back", WATCHER, "undo"), action(f"Make {it} owner as well", OWNER)),
        WATCHER: (action(f"Give {it} the pencil", SCORER, "pencil"),),
    }
    return (*whose, *pencil[phone.link.role], end)


__all__ = ["END", "REOPEN", "holder_name", "mark_of", "phone_views", "room_page"]
