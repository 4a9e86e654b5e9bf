"""The book that a link leads to, for every page that is about one: loaded, and written in."""

from flask import g

from scorekeeper.book.facts import BookFact
from scorekeeper.extensions import db
from scorekeeper.services import books
from scorekeeper.services.books import BookAccess
from scorekeeper.web.shared.device import actor
from scorekeeper.web.shared.form_keys import posted_key


def load_book(code: str) -> BookAccess:
    """Return the book that a link leads to, read once a request; raises `UnknownBook`."""
    access: BookAccess | None = g.get("book")
    if access is None or access.code != code:
        access = books.load_book(db.session, code)
        g.book = access
    return access


def write_fact(code: str, fact: BookFact) -> BookAccess:
    """Write a fact, signed by this phone and once for a form, and return the book as it stands then.

    Raises `Refused`.
    """
    g.book = books.write_book(db.session, code, fact, client_key=posted_key(), actor=actor())
    return load_book(code)


def forget_book() -> None:
    """Read the book again in this request: something was written in it."""
    g.pop("book", None)
