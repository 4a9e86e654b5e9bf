"""The connected phones of a book, as `phones` has them."""

from flask import Blueprint, url_for
from sqlalchemy.orm import Session

from scorekeeper.access.phones import Phone, has_own_link, note_here
from scorekeeper.access.roles import BookLink
from scorekeeper.book.books import BookAccess, renew_link
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import WATCHER
from scorekeeper.pages.phones.views import COMMON_CHANGES, PhonesRoom, PhoneView
from scorekeeper.web.context import book_label, device, load_book

bp = Blueprint("book_phones", __name__, url_prefix="/books/<code>")


def _view(access: BookAccess, phone: Phone[BookLink], _number: int) -> PhoneView:
    holder = phone.link.holder
    nameless = "A phone that watches" if phone.link.role == WATCHER else "A phone without a name"
    is_own = phone.link.id == access.link.id and has_own_link(db.session, access, device())
    return PhoneView(
        phone=phone,
        name=f"{holder}’s phone" if holder else nameless,
        holder=holder,
        book_url=url_for(".change", code=access.code, link_id=phone.link.id) if is_own else "",
        is_passed_on=is_own,
    )


def _renew(session: Session, access: BookAccess, link_id: int) -> str:
    return renew_link(session, access, link_id, device())


PhonesRoom[BookAccess](
    home="books.show",
    load=load_book,
    note=lambda access: note_here(access.code),
    title=book_label,
    view=_view,
    changes={**COMMON_CHANGES, "renew": _renew},
).add_to(bp, "/phones")
