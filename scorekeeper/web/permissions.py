"""What a link allows: every page of a match or a book names the role it takes, checked before the page is made.

Watchers see every page that changes nothing, scorers write, and the rest is the owner's.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from flask import Flask, Response, request
from werkzeug.exceptions import Forbidden

from scorekeeper.access.roles import AnyLink
from scorekeeper.club.nights import service as nights
from scorekeeper.database.engine import db
from scorekeeper.eventlog.refusals import NotAllowed
from scorekeeper.eventlog.roles import OWNER, allows
from scorekeeper.web.context import load_book, load_head, required_role
from scorekeeper.web.errors import ErrorText, error_response, resend_fields

MATCH_PAGES = "/matches/<code>"
"""How the rule of every page of a match begins."""

WATCHES = ErrorText(
    "This phone is watching",
    "This phone can watch but not score, so nothing was saved.",
    "Ask whoever started the match to let it score.",
)
NOT_THE_OWNER = ErrorText(
    "This phone can’t do that",
    "Only an owner’s phone can do this.",
    "Ask whoever started the match.",
)
NOT_THE_BOOKS_OWNER = replace(NOT_THE_OWNER, advice="Ask whoever started this list.")
WATCHES_THE_BOOK = replace(WATCHES, advice="Ask whoever started this list to let this phone score.")

AT_NIGHT = ErrorText(
    "This phone can’t do that",
    "Only the host’s phone can do this.",
    "Ask whoever started the night.",
)
AT_NIGHT_WATCHES = ErrorText(
    "This phone is watching",
    "This phone can’t write results, so nothing was saved.",
    "Ask whoever started the night to let it.",
)


def init_permissions(app: Flask) -> None:
    """Check the link before every page of a match or a book, and answer where it does not allow what was asked."""
    app.before_request(refuse_without_role)
    app.register_error_handler(NotAllowed, _not_allowed)


_PLACES: Mapping[str, tuple[Callable[[str], AnyLink], ErrorText, ErrorText]] = {
    MATCH_PAGES: (lambda code: load_head(code).link, NOT_THE_OWNER, WATCHES),
    "/nights/<code>": (lambda code: nights.night_head(db.session, code).link, AT_NIGHT, AT_NIGHT_WATCHES),
    "/books/<code>": (lambda code: load_book(code).link, NOT_THE_BOOKS_OWNER, WATCHES_THE_BOOK),
}
"""How the rule of every page of a match, a night or a book begins: its link, and what is said where only an owner may
do something, or only who may score."""


def refuse_without_role() -> Response | None:
    """Answer in the page's place where its link does not allow it; what was typed can be sent again."""
    pages = _pages()
    if pages is None or request.url_rule is None:
        return None
    load_link, not_the_owner, watches = _PLACES[pages]
    role, code = required_role(request.url_rule.endpoint), (request.view_args or {})["code"]
    if allows(load_link(code).role, role):
        return None
    text = not_the_owner if role == OWNER else watches
    if pages != MATCH_PAGES:
        return error_response(Forbidden(), text)
    # Whoever is given the pencil meanwhile sends it again.
    return error_response(Forbidden(), text, resend=resend_fields(), match_code=code)


def _pages() -> str | None:
    """Return how the rule of the page that is asked for begins, where it is of a match, a night or a book."""
    rule = request.url_rule.rule if request.url_rule else ""
    return next((pages for pages in _PLACES if rule.startswith(pages)), None)


def _not_allowed(_refused: NotAllowed) -> Response:
    """Answer a page that its link allows, and what it would have written not: an undo of what only an owner does."""
    pages, code = _pages() or MATCH_PAGES, (request.view_args or {})["code"]
    load_link, not_the_owner, watches = _PLACES[pages]
    if pages != MATCH_PAGES:
        return error_response(Forbidden(), not_the_owner)
    return error_response(Forbidden(), not_the_owner if load_link(code).may_score else watches, match_code=code)
