"""What a link allows: every page of a match or a book names the role it takes, checked before the page is made.

Watchers see every page that changes nothing, scorers write, and the rest is the owner's.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import Forbidden

from scorekeeper.extensions import db
from scorekeeper.ledger.refusals import NotAllowed
from scorekeeper.ledger.roles import OWNER, allows
from scorekeeper.services import nights
from scorekeeper.web.shared.errors import ErrorText, error_response, resend_fields
from scorekeeper.web.shared.places import load_book, load_head

MATCH_PAGES = "/matches/<code>"
"""How the rule of every page of a match begins."""
NIGHT_PAGES = "/nights/<code>"
"""How that of every page of a tournament night begins."""
BOOK_PAGES = "/books/<code>"
"""How the rule of every page of a book begins."""

WATCHES = ErrorText(
    "This phone is watching",
    "It can’t score, so nothing was saved.",
    "Ask whoever started the match to let it score.",
)
NOT_THE_OWNER = ErrorText(
    "This phone can’t do that",
    "Only an owner’s phone can do this.",
    "Ask whoever started the match.",
)
NOT_THE_BOOKS_OWNER = replace(NOT_THE_OWNER, advice="Ask whoever started the book.")
WATCHES_THE_BOOK = replace(WATCHES, advice="Ask whoever started the book to let this phone score.")

AT_NIGHT = ErrorText(
    "This phone can’t do that",
    "Only the host’s phone can do this.",
    "Ask whoever started the night.",
)
AT_NIGHT_WATCHES = ErrorText(
    "This phone is watching",
    "It can’t write results, so nothing was saved.",
    "Ask whoever started the night to let it.",
)

View = TypeVar("View", bound=Callable[..., Response])
_required: dict[Callable[..., Any], str] = {}


def requires(role: str) -> Callable[[View], View]:
    """Name the role that a link must have at least for a page of a match or a book."""

    def decorate(view: View) -> View:
        _required[view] = role
        return view

    return decorate


def required_role(endpoint: str) -> str:
    """Return the role that a page of a match or a book takes; raises `KeyError` where it names none."""
    return _required[current_app.view_functions[endpoint]]


def init_permissions(app: Flask) -> None:
    """Check the link before every page of a match or a book, and answer where it does not allow what was asked."""
    app.before_request(refuse_without_role)
    app.register_error_handler(NotAllowed, _not_allowed)


def refuse_without_role() -> Response | None:
    """Answer in the page's place where its link does not allow it; what was typed can be sent again."""
    rule = request.url_rule
    if rule is not None and rule.rule.startswith(NIGHT_PAGES):
        return _refuse_at_night(rule.endpoint)
    if rule is not None and rule.rule.startswith(BOOK_PAGES):
        return _refuse_book(rule.endpoint)
    if rule is None or not rule.rule.startswith(MATCH_PAGES):
        return None
    role, code = required_role(rule.endpoint), (request.view_args or {})["code"]
    if allows(load_head(code).link.role, role):
        return None
    # Whoever is given the pencil meanwhile sends it again.
    text = NOT_THE_OWNER if role == OWNER else WATCHES
    return error_response(Forbidden(), text, resend=resend_fields(), match_code=code)


def _refuse_at_night(endpoint: str) -> Response | None:
    role, code = required_role(endpoint), (request.view_args or {})["code"]
    if allows(nights.night_head(db.session, code).link.role, role):
        return None
    return error_response(Forbidden(), AT_NIGHT if role == OWNER else AT_NIGHT_WATCHES)


def _refuse_book(endpoint: str) -> Response | None:
    role, code = required_role(endpoint), (request.view_args or {})["code"]
    if allows(load_book(code).link.role, role):
        return None
    return error_response(Forbidden(), NOT_THE_BOOKS_OWNER if role == OWNER else WATCHES_THE_BOOK)


def _not_allowed(_refused: NotAllowed) -> Response:
    """Answer a page that its link allows, and what it would have written not: an undo of what only an owner does."""
    if request.url_rule and request.url_rule.rule.startswith(NIGHT_PAGES):
        return error_response(Forbidden(), AT_NIGHT)
    if request.url_rule is not None and request.url_rule.rule.startswith(BOOK_PAGES):
        return error_response(Forbidden(), NOT_THE_BOOKS_OWNER)
    code = (request.view_args or {})["code"]
    text = NOT_THE_OWNER if load_head(code).link.may_score else WATCHES
    return error_response(Forbidden(), text, match_code=code)
