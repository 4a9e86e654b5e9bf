"""The connected phones of a book, as `phones` has them."""

from flask import Blueprint

from scorekeeper.ledger.roles import OWNER, SCORER, WATCHER, BookLink
from scorekeeper.services.books import BookAccess
from scorekeeper.services.phones import Phone, note_here
from scorekeeper.web.phones import (
    AGAIN,
    COMMON_CHANGES,
    COMMON_INVITES,
    COMMON_OFFERS,
    HINT,
    PhonesRoom,
    PhonesWords,
    PhoneView,
)
from scorekeeper.web.shared.places import book_label, load_book

bp = Blueprint("book_phones", __name__, url_prefix="/books/<code>")

_WORDS = PhonesWords(
    home="books.show",
    back="All matches",
    scope="to all matches",
    invites=COMMON_INVITES,
    allows={WATCHER: "can watch all matches here, but not score", SCORER: "can watch and score all matches here"},
    hint=HINT,
    does={OWNER: "owns every match here", SCORER: "can score", WATCHER: "watches"},
    offers=COMMON_OFFERS,
    again=AGAIN,
    lost="It lost every match that it opened from here, and the code that it joined with is closed too.",
)


def _view(_access: BookAccess, phone: Phone[BookLink]) -> PhoneView:
    holder = phone.link.holder
    nameless = "A phone that watches" if phone.link.role == WATCHER else "A phone without a name"
    return PhoneView(phone=phone, name=f"{holder}’s phone" if holder else nameless, holder=holder or "it")


PhonesRoom[BookAccess](
    words=_WORDS,
    load=load_book,
    note=lambda access: note_here(access.code),
    title=book_label,
    view=_view,
    changes=COMMON_CHANGES,
).add_to(bp, "/phones")
