"""The connected phones of a book, as `phones` has them."""

from flask import Blueprint

from scorekeeper.ledger.roles import WATCHER, BookLink
from scorekeeper.services.books import BookAccess
from scorekeeper.services.phones import Phone, note_here
from scorekeeper.web.phones import COMMON_CHANGES, PhonesRoom, PhoneView
from scorekeeper.web.shared.context import book_label, load_book

bp = Blueprint("book_phones", __name__, url_prefix="/books/<code>")


def _view(_access: BookAccess, phone: Phone[BookLink], _number: int) -> PhoneView:
    holder = phone.link.holder
    nameless = "A phone that watches" if phone.link.role == WATCHER else "A phone without a name"
    return PhoneView(phone=phone, name=f"{holder}’s phone" if holder else nameless, holder=holder)


PhonesRoom[BookAccess](
    home="books.show",
    load=load_book,
    note=lambda access: note_here(access.code),
    title=book_label,
    view=_view,
    changes=COMMON_CHANGES,
).add_to(bp, "/phones")
