"""The context of a request: the phone, the form's key and version, and the match, book or night.

The access link in the URL leads to the match, book or night; each page of one states the role that it requires.
"""

import secrets
from collections.abc import Callable, MutableMapping, Sequence
from contextlib import suppress
from typing import TypeVar, cast

from flask import Response, after_this_request, current_app, g, request, session

from scorekeeper.access.links import LINK_TABLES, new_device_code
from scorekeeper.access.roles import Head, Kind, UnknownCode, signature
from scorekeeper.book import books
from scorekeeper.book.books import BookAccess
from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import (
    OWNER,
    SCORER,
    WATCHER,
    Event,
    EventLog,
    MatchClosed,
    refuse_any,
)
from scorekeeper.matches import drafts, service
from scorekeeper.matches.drafts import HandDraft
from scorekeeper.matches.events import Change
from scorekeeper.matches.fold import Match
from scorekeeper.matches.match_list import record_visit
from scorekeeper.matches.service import StaleMatch, write_match
from scorekeeper.pitch.rules.entered_text import key_faults
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.scoring.search_budget import Budget
from scorekeeper.web.locale import zone
from scorekeeper.web.respond import redirect_to

# Phones keep these names in their cookies.
_DEVICE_KEY, _ENTRY_MODE_KEY = "device", "way"
MAX_ENTRY_MODES = 12
"""The most games whose entry mode a phone keeps: a cookie holds about 4,000 characters."""
FIRST_VISIT_COOKIE = "first"
"""The cookie with the match or book that a phone opened before it had a session cookie."""


_BLUEPRINTS_WITHOUT_COOKIES = (None, "pwa", "health")
"""Blueprints whose responses are the same for every phone, and set no cookie."""


def device(cookie: MutableMapping[str, object] = session) -> str:
    """Return this phone's code from the session cookie; a new one is made and stored there if the cookie has none."""
    if not isinstance(cookie.get(_DEVICE_KEY), str):
        cookie[_DEVICE_KEY] = new_device_code()
    return str(cookie[_DEVICE_KEY])


def known_device() -> str:
    """Return this phone's code from the session cookie; empty if the cookie has none."""
    return str(session.get(_DEVICE_KEY, ""))


def remember_visit(visited: Match | BookAccess) -> None:
    """Put a match or a book on this phone's list; for a phone without a code, into a cookie until its next request.

    A phone without a session cookie gets the match or book in a cookie, and on its list at the next request: a client
    that keeps no cookies adds nothing to the database.
    """
    if known := known_device():
        record_visit(db.session, known, visited)
        return
    device()
    cookie_value = f"{visited.link.kind}-{visited.link.code}"
    is_secure = current_app.config["SESSION_COOKIE_SECURE"]

    @after_this_request
    def set_cookie(response: Response) -> Response:
        response.set_cookie(FIRST_VISIT_COOKIE, cookie_value, secure=is_secure, httponly=True, samesite="Lax")
        return response


def put_first_visit_on_list() -> None:
    """Put the match or book in the first visit's cookie on this phone's list, once the phone sends its code, too."""
    kind, _, code = request.cookies.get(FIRST_VISIT_COOKIE, "").partition("-")
    if not code or request.blueprint in _BLUEPRINTS_WITHOUT_COOKIES or not known_device():
        return
    with suppress(UnknownCode, KeyError):
        record_visit(db.session, device(), LINK_TABLES[cast(Kind, kind)].head_in_force(db.session, code))

    @after_this_request
    def delete_cookie(response: Response) -> Response:
        response.delete_cookie(FIRST_VISIT_COOKIE)
        return response


def actor() -> str:
    """Return this phone's signature for events: its code, and its holder in the match of this request, if loaded."""
    head: Head | None = g.get("match_head")
    return signature(device(), head.link.holder if head else None)


def remember_entry_mode(game: str, mode: str) -> None:
    """Store in the session cookie how this phone enters hands of a game; the oldest of too many games is dropped."""
    stored = session.get(_ENTRY_MODE_KEY)
    modes = stored if isinstance(stored, list) else []
    if [game, mode] not in modes:  # an unchanged cookie is not signed and sent again
        session[_ENTRY_MODE_KEY] = [*(pair for pair in modes if pair[0] != game), [game, mode]][-MAX_ENTRY_MODES:]


def remembered_entry_mode(game: str) -> str:
    """Return how this phone last entered hands of a game; empty if it entered none."""
    stored = session.get(_ENTRY_MODE_KEY, [])
    # Cookies of earlier versions have one mode for all games.
    return stored if isinstance(stored, str) else dict(stored).get(game, "")


def begin_budget() -> None:
    """Give this request a new budget for all its computations of matches and possible hands."""
    db.session.info[service.SESSION_BUDGET_KEY] = Budget()


def budget() -> Budget:
    """Return the budget of this request for its computations; a new one outside a request."""
    stored: Budget = db.session.info.setdefault(service.SESSION_BUDGET_KEY, Budget())
    return stored


STALE_MATCH_FAULT = Fault("", "stale", "Another phone changed the match first. Check this, then save again.")
"""The fault of a form that is shown again, as the match has changed since the form was rendered."""


def new_form_key() -> str:
    """Return a new idempotency key for a form, so that a form posted twice is applied once."""
    return secrets.token_urlsafe(12)


def posted_key() -> str:
    """Return the idempotency key of the posted form, or a new one; raises `Refused` for an invalid key."""
    key = request.form.get("client_key", "")
    refuse_any(key_faults(key) if key else ())
    return key or new_form_key()


def writer() -> Writer:
    """Return this phone as a writer of events, with the posted key and its time zone; raises `Refused`."""
    return Writer(posted_key(), actor(), zone())


def posted_version() -> int:
    """Return the version of the match or book from which the posted form was rendered; 0 without one."""
    return request.form.get("version", 0, type=int)


MARK_FIELD = "end"
"""The form field with the mark of the last event that the page showed."""


def posted_mark() -> str:
    """Return the mark that identifies the last event in the version of the posted form; empty without one."""
    return request.form.get(MARK_FIELD, "")


def is_form_ahead_of_log(log: EventLog) -> bool:
    """Return whether the posted form knows events that the log lacks, as a backup was restored since."""
    version = posted_version()
    return version > log.version or posted_mark() not in ("", log.mark_at(version))


def polled_draft_count() -> int:
    """Return how many drafts of the next hand the polling page knows, from the query; 0 without a number."""
    return request.args.get("d", 0, type=int)


def polled_version() -> int | None:
    """Return the version of the match on the polling page, from the query; `None` without a number."""
    return request.args.get("v", type=int)


# ---------- the match, the book or the night that a link leads to ----------


ViewFunction = TypeVar("ViewFunction", bound=Callable[..., Response])
_required_roles: dict[Callable[..., object], str] = {}


def _requires(role: str) -> Callable[[ViewFunction], ViewFunction]:
    """Return the decorator that states the role required for a page."""

    def decorate(view: ViewFunction) -> ViewFunction:
        _required_roles[view] = role
        return view

    return decorate


for_watchers, for_scorers, for_owners = map(_requires, (WATCHER, SCORER, OWNER))
"""Decorators that state the lowest role that may open a page of a match, a night or a book."""


def required_role(endpoint: str) -> str:
    """Return the lowest role that may open the page of an endpoint; raises `KeyError` where none is stated."""
    return _required_roles[current_app.view_functions[endpoint]]


def load_head(code: str, kind: Kind = "match") -> Head:
    """Return the link with this code and the version of its stream, read once per request; raises `UnknownCode`."""
    head: Head | None = g.get(f"{kind}_head")
    if head is None or head.link.code != code:
        head = LINK_TABLES[kind].head_in_force(db.session, code)
        setattr(g, f"{kind}_head", head)
    return head


class DeletedMatch(Exception):
    """A phone that may only watch opened a page of a deleted match; `code` is the code of its link."""

    def __init__(self, code: str) -> None:
        super().__init__("This match was deleted.")
        self.code = code


def load_match(code: str, *, may_be_deleted: bool = False) -> Match:
    """Return the match of a link, with pronouns as this phone sees it.

    Raises `UnknownCode`, and `DeletedMatch` for a watcher of a deleted match unless it `may_be_deleted`; both have
    error pages.
    """
    match = with_own_pronouns(service.load_match(db.session, code, load_head(code)))
    if match.log.is_deleted and not (match.link.may_score or may_be_deleted):
        raise DeletedMatch(code)
    return match


def with_own_pronouns(match: Match) -> Match:
    """Return a match with pronouns for unnamed sides as this phone sees it.

    An owner's phone without a seat counts as one of the first side.
    """
    link = match.link
    is_at_first = link.holder == match.setup.sides[0].id if link.holder else link.is_owner
    return match.with_pronouns("we" if is_at_first else "sides")


def current_draft(match: Match) -> HandDraft | None:
    """Return the draft of the next hand in a match that this request has loaded; `None` without one."""
    return drafts.draft_of(db.session, match) if load_head(match.code).draft_count else None


def load_unfinished_match(code: str, *, may_be_stopped: bool = False) -> Match:
    """Return a match that accepts another hand, or with `may_be_stopped` would once resumed; raises `MatchClosed`."""
    match = load_match(code)
    closed = match.closed_reason()
    if closed and not (may_be_stopped and closed == "stopped"):
        raise MatchClosed(closed)
    return match


def write_change(code: str, change: Change, *, version: int | None = None) -> Match:
    """Append a change to a match, once for each posted form, and return the resulting match.

    With `version`, raises `StaleMatch` if events were appended since. Also raises `Refused`, `HandRefused` and
    `MatchClosed`.
    """
    mark = posted_mark() if version == posted_version() else ""
    head = load_head(code)
    try:
        return with_own_pronouns(
            write_match(db.session, code, change, writer(), expected_version=version, mark=mark, head=head)
        )
    except StaleMatch as stale:
        raise StaleMatch(stale.since, with_own_pronouns(stale.match)) from None


def redirect_to_match(match: Match) -> Response:
    """Redirect to the match page; the query has the number of the event that the posted form appended, for a notice."""
    seq = match.log.seq_of(request.form.get("client_key", ""))
    return redirect_to("matches.show", code=match.code, said=match.version if seq is None else seq)


def load_book(code: str) -> BookAccess:
    """Return the book of a link, as it was when this request first loaded it; raises `UnknownCode`."""
    return books.load_book(db.session, code, load_head(code, "book"))


def write_book_event(code: str, event: Event) -> BookAccess:
    """Append an event to a book, once for each posted form, and return the book with it; raises `Refused`."""
    drop_loaded_book()
    return books.write_book(db.session, code, event, writer())


def drop_loaded_book() -> None:
    """Make this request read the book again when it next needs it, as after a write."""
    g.pop("book_head", None)


def book_label(access: BookAccess) -> str:
    """Return what this phone calls a book: its name, "Your matches", or that another phone owns it."""
    if not access.is_chosen:
        return f"{access.book.name} (another phone’s)" if access.book.name else "another phone’s matches"
    return access.book.name or "Your matches"


def book_labels(books: Sequence[BookAccess]) -> list[str]:
    """Return what this phone calls several books, in their order; equal labels get a number."""
    labels = [book_label(access) for access in books]
    return [
        label if labels.count(label) == 1 else f"{label} {labels[:number].count(label)}"
        for number, label in enumerate(labels, 1)
    ]
