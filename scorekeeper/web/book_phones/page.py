"""What the page of a book's phones shows: the code that lets one in, and who is in."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar
from zlib import crc32

from scorekeeper.ledger.limits import NAME_LENGTH
from scorekeeper.ledger.roles import RANKS, SCORER, BookInvitation
from scorekeeper.services.book_phones import BookPhone
from scorekeeper.services.books import BookAccess
from scorekeeper.services.phones import HERE
from scorekeeper.web.shared.book_labels import book_label

CHANGES = (*RANKS, "end", "reopen")
"""What can be done to a link: give it a role, end it, or let its phone in again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookPhoneView:
    """A phone that was let in to the book."""

    link_id: int
    holder: str
    """Empty where nobody said."""
    role: str
    is_mine: bool
    is_last_owner: bool
    since: datetime
    ended_at: datetime | None
    """`None` while it is in."""
    is_here: bool
    """Whether it looks at a page of the book now."""
    seen_at: datetime | None
    """When it was here last; `None` for one that is here, and for one that has not been here yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookPhonesPage:
    """Template book_phones/show.html. Blocks: phones."""

    code: str
    label: str
    invitation: BookInvitation | None
    """What another phone scans or types."""
    phones: tuple[BookPhoneView, ...]
    """Those that are in before those that are out."""
    phones_version: str
    """Changes with anything that is shown of the phones."""
    changed: BookPhoneView | None
    """The phone whose link was changed just now."""
    change: str
    """What was done to it: its new role, `end` or `reopen`."""
    refusal: str
    """Why nothing was changed."""


def book_phones_page(
    access: BookAccess,
    phones: Sequence[BookPhone],
    invitation: BookInvitation | None,
    *,
    changed: int | None = None,
    change: str = "",
    refusal: str = "",
) -> BookPhonesPage:
    """Return the page, with the invitation for one role; `changed` is the link that was changed just now."""
    owners = sum(phone.is_connected and phone.link.is_owner for phone in phones)
    in_order = sorted(phones, key=lambda phone: not phone.is_connected)
    views = tuple(_phone(access, phone, is_only_owner=owners < 2 and phone.link.is_owner) for phone in in_order)
    return BookPhonesPage(
        code=access.code,
        label=book_label(access),
        invitation=invitation,
        phones=views,
        phones_version=f"{crc32(repr(views).encode()):x}",
        changed=next((view for view in views if view.link_id == changed and change in CHANGES), None),
        change=change,
        refusal=refusal,
    )


def _phone(access: BookAccess, phone: BookPhone, *, is_only_owner: bool) -> BookPhoneView:
    is_mine, seen = phone.link.id == access.link.id, phone.last_seen
    is_here = not is_mine and seen is not None and datetime.now(UTC) - seen < HERE
    return BookPhoneView(
        link_id=phone.link.id,
        holder=phone.holder,
        role=phone.link.role,
        is_mine=is_mine,
        is_last_owner=is_only_owner,
        since=phone.since,
        ended_at=phone.ended_at,
        is_here=is_here,
        seen_at=seen if seen and not is_mine and not is_here else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinBookPage:
    """Template join/book.html."""

    code: str
    """Of the invitation."""
    label: str
    """The book's name; empty where it has none."""
    may_score: bool
    holder: str
    """As it was typed."""
    people: tuple[str, ...]
    fault: str
    name_length: ClassVar = NAME_LENGTH


def join_book_page(
    name: str, invitation: BookInvitation, *, holder: str = "", people: Sequence[str] = (), fault: str = ""
) -> JoinBookPage:
    """Return the page that asks whose phone joins the book called `name`."""
    return JoinBookPage(
        code=invitation.code,
        label=name,
        may_score=invitation.role == SCORER,
        holder=holder,
        people=tuple(people),
        fault=fault,
    )
