"""The match, the book or the night that a link leads to, for every page about one: loaded, and written in."""

from collections import Counter
from collections.abc import Sequence

from flask import g

from scorekeeper.extensions import db
from scorekeeper.ladder.facts import NightChange
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.fact_log import Fact
from scorekeeper.ledger.facts import Change
from scorekeeper.ledger.refusals import MatchClosed
from scorekeeper.ledger.roles import Head
from scorekeeper.services import books, load, nights
from scorekeeper.services.books import BookAccess
from scorekeeper.services.nights import DeletedNight, NightAtHand
from scorekeeper.services.writing import write
from scorekeeper.web.shared.device import shown_version, writer
from scorekeeper.web.shared.respond import wants_fragment


def load_head(code: str) -> Head:
    """Return a link, and the version of its match, read once a request; raises `UnknownCode`."""
    head: Head | None = g.get("head")
    if head is None or head.link.code != code:
        head = load.head_of(db.session, code)
        g.head = head
    return head


def load_match(code: str) -> Match:
    """Return the match that a link leads to; raises `UnknownCode`, for which there is an error page."""
    return load.load_match(db.session, code, load_head(code))


def load_unfinished_match(code: str, *, may_be_stopped: bool = False) -> Match:
    """Return a match in which another hand can be recorded, perhaps once it is resumed; raises `MatchClosed`."""
    match = load_match(code)
    closed = match.closed()
    if closed and not (may_be_stopped and closed == "stopped"):
        raise MatchClosed(closed)
    return match


def write_change(code: str, change: Change, *, version: int | None = None, client_key: str = "") -> Match:
    """Write a change, signed by this phone and once for a form, and return the match as it stands then.

    With the `version` of the match that the form was made from, nothing may have been written since; `client_key` is
    that of the form where none is given. Raises `Refused`, `HandRefused`, `MatchClosed` and `StaleMatch`.
    """
    seq = None if version is None else version + 1
    head = load_head(code)
    return write(db.session, code, change, writer(client_key), seq=seq, head=head)


def load_book(code: str) -> BookAccess:
    """Return the book that a link leads to, read once a request; raises `UnknownCode`."""
    access: BookAccess | None = g.get("book")
    if access is None or access.code != code:
        access = books.load_book(db.session, code)
        g.book = access
    return access


def write_fact(code: str, fact: Fact) -> BookAccess:
    """Write a fact, signed by this phone and once for a form, and return the book as it stands then.

    Raises `Refused`.
    """
    g.book = books.write_book(db.session, code, fact, writer())
    return load_book(code)


def forget_book() -> None:
    """Read the book again in this request: something was written in it."""
    g.pop("book", None)


def load_night(code: str, *, may_be_deleted: bool = False) -> NightAtHand:
    """Return the night that a link leads to; raises `UnknownCode` and `DeletedNight`, for which there are pages."""
    found = nights.load_night(db.session, code)
    if found.night.is_deleted and not may_be_deleted:
        raise DeletedNight(code)
    return found


def is_unchanged(code: str) -> bool:
    """Return whether the open page that polls shows the night as it is."""
    return wants_fragment() and shown_version() == nights.night_head(db.session, code).version


def write_night(code: str, change: NightChange, *, version: int | None = None) -> NightAtHand:
    """Write a change, signed by this phone and once for a form; raises `Refused`, `NotAllowed` and `Stale`."""
    return nights.write_night(db.session, code, change, writer(), version=version)


def book_label(access: BookAccess) -> str:
    """Return what a book is called on this phone."""
    return access.book.name or "Your book"


def book_labels(books: Sequence[BookAccess]) -> list[str]:
    """Return what several books are called, in their order, no two of them the same."""
    labels = [book_label(access) for access in books]
    found, numbers = Counter(labels), Counter[str]()
    unique = []
    for label in labels:
        numbers[label] += 1
        unique.append(label if found[label] == 1 else f"{label} {numbers[label]}")
    return unique
