"""The connected phones of a book: inviting them, what each may do, and ending a link."""

from functools import partial

from flask import Blueprint
from sqlalchemy.orm import Session

from scorekeeper.ledger.roles import RANKS
from scorekeeper.services.book_phones import end_book_link, give_book_role, phones_of_book, reopen_book_link
from scorekeeper.services.books import BookAccess
from scorekeeper.services.phones import note_here
from scorekeeper.web.shared.connected_phones import PhonesRoom, PhoneView, phone_view
from scorekeeper.web.shared.device import actor
from scorekeeper.web.shared.places import book_label, load_book

bp = Blueprint("book_phones", __name__, url_prefix="/books/<code>")


def phone_views(session: Session, access: BookAccess) -> list[PhoneView]:
    """Return the phones of a book, those that were removed as well."""
    phones = phones_of_book(session, access)
    owners = sum(phone.is_connected and phone.link.is_owner for phone in phones)
    return [
        phone_view(phone, access.link.id, holder=phone.holder, is_last_owner=owners < 2 and phone.link.is_owner)
        for phone in phones
    ]


PhonesRoom[BookAccess](
    home="books.show",
    load=load_book,
    note=lambda access: note_here(access.code),
    title=book_label,
    phones=phone_views,
    changes={
        **{role: partial(give_book_role, role=role) for role in RANKS},
        "end": lambda session, access, link_id: end_book_link(session, access, link_id, actor()),
        "reopen": reopen_book_link,
    },
).add_to(bp, "/phones")
