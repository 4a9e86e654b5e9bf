"""The connected phones of a book, as `phones` has them."""

from flask import Blueprint

from scorekeeper.ledger.roles import OWNER, SCORER, WATCHER, BookLink
from scorekeeper.services.books import BookAccess
from scorekeeper.services.phones import Phone, note_here
from scorekeeper.web.phones import (
    COMMON_CHANGES,
    COMMON_INVITES,
    COMMON_OFFERS,
    HINT,
    Offer,
    PhonesRoom,
    PhonesWords,
    PhoneView,
    offers_to,
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
    lost="It lost every match that it opened from here, and the code that it joined with is closed too.",
)


def _view(_access: BookAccess, phone: Phone[BookLink], offers: tuple[Offer, ...]) -> PhoneView:
    holder = phone.link.holder
    nameless = "A phone that watches" if phone.link.role == WATCHER else "A phone without a name"
    name = f"{holder}’s phone" if holder else nameless
    return PhoneView(phone=phone, name=name, offers=offers_to(holder, offers))


PhonesRoom[BookAccess](
    words=_WORDS,
    load=load_book,
    note=lambda access: note_here(access.code),
    title=book_label,
    view=_view,
    changes=COMMON_CHANGES,
    offers=COMMON_OFFERS,
).add_to(bp, "/phones")
