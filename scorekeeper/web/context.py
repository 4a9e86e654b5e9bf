"""The context of a request: the phone, the form's key and version, and the match, book or night.

The link in the URL leads to the match, book or night. Each of their pages states the role that it requires.
"""

import secrets
from collections.abc import Callable, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar, cast

from flask import Response, after_this_request, current_app, g, request, session

from scorekeeper.access.links import LINK_TABLES, book_links_of_device, device_digest, new_device_code
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
from scorekeeper.pitch.rules.entered_text import idempotency_key_faults
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.scoring.search_budget import Budget
from scorekeeper.web.locale import zone
from scorekeeper.web.respond import redirect_to

# Phones keep these names in their cookies.
_DEVICE_KEY, _ENTRY_MODE_KEY = "device", "way"
MAX_ENTRY_MODES = 12
"""The most variants for which a cookie stores how a phone enters hands: it can have about 4,000 characters."""
FIRST_VISIT_COOKIE = "first"
"""The cookie with the kind and code of the link that a phone opened first."""


_BLUEPRINTS_WITHOUT_COOKIES = (None, "pwa", "health")
"""Blueprints whose responses set no cookie; `None` stands for static files and unknown addresses."""


def device(cookie: MutableMapping[str, object] = session) -> str:
    """Return this phone's code from the session cookie; a phone without one gets a new code."""
    if not isinstance(cookie.get(_DEVICE_KEY), str):
        cookie[_DEVICE_KEY] = new_device_code()
    return str(cookie[_DEVICE_KEY])


def known_device() -> str:
    """Return this phone's code from the session cookie; empty if the cookie has none."""
    return str(session.get(_DEVICE_KEY, ""))


def remember_visit(visited: Match | BookAccess) -> None:
    """Put a match or a book on this phone's list.

    A phone without a session cookie has it there from its next request: a client that stores no cookies adds nothing to
    the database.
    """
    if device_code := known_device():
        record_visit(db.session, device_code, visited)
        return
    device()
    cookie_value = f"{visited.link.kind}-{visited.link.code}"
    is_secure = current_app.config["SESSION_COOKIE_SECURE"]

    @after_this_request
    def set_cookie(response: Response) -> Response:
        response.set_cookie(FIRST_VISIT_COOKIE, cookie_value, secure=is_secure, httponly=True, samesite="Lax")
        return response


def put_first_visit_on_list() -> None:
    """Put what the first-visit cookie names on this phone's list, once the phone has a device code.

    A link that is no longer in force is left out. The cookie is deleted.
    """
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
    """Return this phone's signature for events, with its seat or side in the match, if any."""
    head: Head | None = g.get("match_head")
    return signature(device(), head.link.holder if head else None)


def remember_entry_mode(variant: str, mode: str) -> None:
    """Store in the session cookie the `EntryMode` in which this phone enters hands of a variant.

    The cookie keeps the `MAX_ENTRY_MODES` variants whose mode changed last.
    """
    stored = session.get(_ENTRY_MODE_KEY)
    modes = stored if isinstance(stored, list) else []
    if [variant, mode] not in modes:  # an unchanged cookie is not signed and sent again
        session[_ENTRY_MODE_KEY] = [*(pair for pair in modes if pair[0] != variant), [variant, mode]][-MAX_ENTRY_MODES:]


def remembered_entry_mode(variant: str) -> str:
    """Return the `EntryMode` in which this phone last entered a hand of a variant; empty if unknown."""
    stored = session.get(_ENTRY_MODE_KEY, [])
    # Cookies of earlier versions have one mode for all games.
    return stored if isinstance(stored, str) else dict(stored).get(variant, "")


def begin_budget() -> None:
    """Give this request a new budget of search steps for all its computations of matches and possible hands."""
    db.session.info[service.SESSION_BUDGET_KEY] = Budget()


def budget() -> Budget:
    """Return this request's budget of search steps for its computations; a new one if none was begun."""
    stored: Budget = db.session.info.setdefault(service.SESSION_BUDGET_KEY, Budget())
    return stored


STALE_MATCH_FAULT = Fault("", "stale", "Another phone changed the match first. Check this, then save again.")
"""The fault of a form that is shown again because the match has changed since."""


def new_form_key() -> str:
    """Return a new idempotency key for a form, so that a form posted twice is applied once."""
    return secrets.token_urlsafe(12)


def posted_key() -> str:
    """Return the idempotency key of the posted form, or a new one; raises `Refused` for a bad key."""
    key = request.form.get("client_key", "")
    refuse_any(idempotency_key_faults(key) if key else ())
    return key or new_form_key()


def writer() -> Writer:
    """Return the writer of an event: the posted form's key, this phone's signature and time zone.

    A form without a key gets a new one. Raises `Refused` for a bad key.
    """
    return Writer(posted_key(), actor(), zone())


def posted_version() -> int:
    """Return the version of the match or book from which the posted form was rendered; 0 without one."""
    return request.form.get("version", 0, type=int)


END_FIELD = "end"
"""The form field that identifies the last event in the match when the form was rendered."""


def posted_end_digest() -> str:
    """Return the digest that identifies the last event when the posted form was rendered; empty without one."""
    return request.form.get(END_FIELD, "")


def is_form_ahead_of_log(log: EventLog) -> bool:
    """Return whether the posted form was rendered with events that the log lacks, as after restoring a backup."""
    version = posted_version()
    return version > log.version or posted_end_digest() not in ("", log.end_digest_at(version))


def polled_draft_count() -> int:
    """Return the `Head.draft_count` with which a polling page was rendered, from its query; 0 without a number."""
    return request.args.get("d", 0, type=int)


def polled_version() -> int | None:
    """Return the version of the match that a polling page shows, from its query; `None` without a number."""
    return request.args.get("v", type=int)


# ---------- the match, the book or the night that a link leads to ----------


ViewFunction = TypeVar("ViewFunction", bound=Callable[..., Response])
_required_roles: dict[Callable[..., object], str] = {}


def _requires(role: str) -> Callable[[ViewFunction], ViewFunction]:
    """Return a decorator that registers the role required for a page."""

    def decorate(view: ViewFunction) -> ViewFunction:
        _required_roles[view] = role
        return view

    return decorate


for_watchers, for_scorers, for_owners = map(_requires, (WATCHER, SCORER, OWNER))
"""Decorators of view functions, for the lowest role that may open the page."""


def required_role(endpoint: str) -> str:
    """Return the lowest role that may open the page of an endpoint; raises `KeyError` if it states none."""
    return _required_roles[current_app.view_functions[endpoint]]


def load_head(code: str, kind: Kind = "match") -> Head:
    """Return the link with this code, its stream's version and last event's key, and the draft count.

    Reads them once per request. Raises `UnknownCode`, and `LinkEnded` for a link that was ended.
    """
    head: Head | None = g.get(f"{kind}_head")
    if head is None or head.link.code != code:
        head = LINK_TABLES[kind].head_in_force(db.session, code)
        setattr(g, f"{kind}_head", head)
    return head


class DeletedMatch(Exception):
    """A watcher opened a page of a deleted match; `code` is the code of the link."""

    def __init__(self, code: str) -> None:
        super().__init__("This match was deleted.")
        self.code = code


def load_match(code: str, *, may_be_deleted: bool = False) -> Match:
    """Return the match of a link, with names for two unnamed sides.

    Raises `UnknownCode`, `LinkEnded`, `UnreadableEvent`, `UnscorableMatch` or `BudgetExceeded`. For a watcher of a
    deleted match, raises `DeletedMatch` unless it `may_be_deleted`.
    """
    match = name_unnamed_sides(service.load_match(db.session, code, load_head(code)))
    if match.log.is_deleted and not (match.link.may_score or may_be_deleted):
        raise DeletedMatch(code)
    return match


def name_unnamed_sides(match: Match) -> Match:
    """Return the match with names for two unnamed sides: We and They, or Side 1 and Side 2.

    We and They are for a phone of the first side, or an owner's phone of no side.
    """
    link = match.link
    is_at_first = link.holder == match.setup.sides[0].id if link.holder else link.is_owner
    return match.with_pronouns("we" if is_at_first else "sides")


def current_draft(match: Match) -> HandDraft | None:
    """Return the current draft of a match's next hand; `None` without one."""
    return drafts.draft_of(db.session, match) if load_head(match.code).draft_count else None


def load_unfinished_match(code: str, *, may_be_stopped: bool = False) -> Match:
    """Return a link's match if it accepts a hand or, with `may_be_stopped`, if it is stopped.

    Raises `MatchClosed` for any other match, and what `load_match` raises.
    """
    match = load_match(code)
    closed_reason = match.closed_reason()
    if closed_reason and not (may_be_stopped and closed_reason == "stopped"):
        raise MatchClosed(closed_reason)
    return match


def write_change(code: str, change: Change, *, version: int | None = None) -> Match:
    """Append the events of a change to a match, once for each posted form, and return the new match.

    Raises exceptions such as `Refused`, `HandRefused`, `NotAllowed` and `MatchClosed`. With `version`, raises
    `StaleMatch` if the match is not as it was when the form was rendered.
    """
    end_digest = posted_end_digest() if version == posted_version() else ""
    head = load_head(code)
    try:
        return name_unnamed_sides(
            write_match(db.session, code, change, writer(), expected_version=version, end_digest=end_digest, head=head)
        )
    except StaleMatch as stale:
        raise StaleMatch(stale.since, name_unnamed_sides(stale.match)) from None


def redirect_to_match(match: Match) -> Response:
    """Redirect to the match page, with a notice about the event of the posted form, or else the last event."""
    seq = match.log.seq_by_key(request.form.get("client_key", ""))
    return redirect_to("matches.show", code=match.code, said=match.version if seq is None else seq)


def load_book(code: str) -> BookAccess:
    """Return the book of a link, marked as chosen if this phone chose it for its matches.

    A request gets the same version each time, until `drop_loaded_book`. Raises `UnknownCode`, `LinkEnded` and
    `UnreadableEvent`.
    """
    access = books.load_book(db.session, code, load_head(code, "book"))
    if "chosen_book_ids" not in g:
        own_links = book_links_of_device(db.session, device_digest(known_device()))
        g.chosen_book_ids = {link.stream_id for link, is_chosen in own_links.items() if is_chosen}
    return replace(access, is_chosen=access.id in g.chosen_book_ids)


def write_book_event(code: str, event: Event) -> None:
    """Append an event to a book, once for each posted form.

    The next `load_book` reads the latest version. Raises `Refused`, `NotAllowed`, and what `load_book` raises.
    """
    drop_loaded_book()
    books.write_book(db.session, code, event, writer())


def drop_loaded_book() -> None:
    """Drop the book's version that this request loaded, so that the next `load_book` reads the latest one."""
    g.pop("book_head", None)


def book_label(access: BookAccess) -> str:
    """Return the label of a book on this phone: its name, or "Your matches".

    A book that this phone did not choose is labeled as another phone’s.
    """
    if not access.is_chosen:
        return f"{access.book.name} (another phone’s)" if access.book.name else "another phone’s matches"
    return access.book.name or "Your matches"


def book_labels(books: Sequence[BookAccess]) -> list[str]:
    """Return the labels of several books on this phone, in their order; equal ones are numbered from 1."""
    labels = [book_label(access) for access in books]
    return [
        label if labels.count(label) == 1 else f"{label} {labels[:position].count(label)}"
        for position, label in enumerate(labels, 1)
    ]
