"""Permissions: every page of a match or a book names the role that it requires, checked before the page is made.

Watchers see every page that changes nothing, scorers write, and only owners do the rest.
"""

from dataclasses import replace

from flask import Flask, Response, request
from werkzeug.exceptions import Forbidden

from scorekeeper import hooks
from scorekeeper.eventlog.stream import OWNER, NotAllowed, allows
from scorekeeper.hooks import LinkKind
from scorekeeper.web.context import load_book, load_head, required_role
from scorekeeper.web.errors import REMOVED, ErrorText, error_response, resend_fields

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
MATCH = LinkKind(
    pages="/matches/<code>",
    join="join.ask_seat",
    load=lambda code: load_head(code).link,
    not_the_owner=NOT_THE_OWNER,
    watches=WATCHES,
    removed=REMOVED,
)
BOOK = LinkKind(
    pages="/books/<code>",
    join="join.ask_seat",
    load=lambda code: load_book(code).link,
    not_the_owner=replace(NOT_THE_OWNER, advice="Ask whoever started this list."),
    watches=replace(WATCHES, advice="Ask whoever started this list to let this phone score."),
    removed=ErrorText(
        "This phone was removed",
        "This phone’s link to this list of matches no longer works.",
        "To come back, ask for the QR code or PIN of these matches.",
    ),
)


def init_permissions(app: Flask) -> None:
    """Check the role of the link before every page of a match or a book."""
    hooks.link_kinds["match"], hooks.link_kinds["book"] = MATCH, BOOK
    app.before_request(refuse_without_role)
    app.register_error_handler(NotAllowed, _not_allowed)


def refuse_without_role() -> Response | None:
    """Return an error page where the link's role does not allow the page; the posted fields can be sent again."""
    kind = _link_kind()
    if kind is None or request.url_rule is None:
        return None
    role, code = required_role(request.url_rule.endpoint), (request.view_args or {})["code"]
    if allows(kind.load(code).role, role):
        return None
    text = kind.not_the_owner if role == OWNER else kind.watches
    if kind is not MATCH:
        return error_response(Forbidden(), text)
    # A phone that is allowed to score meanwhile can send it again.
    return error_response(Forbidden(), text, resend=resend_fields(), match_code=code)


def _link_kind() -> LinkKind | None:
    """Return the kind of link of the requested page; `None` for a page without one."""
    rule = request.url_rule.rule if request.url_rule else ""
    return next((kind for kind in hooks.link_kinds.values() if rule.startswith(kind.pages)), None)


def _not_allowed(_refused: NotAllowed) -> Response:
    """Return an error page where the link allows the page but not the event: an undo of what only an owner may do."""
    kind, code = _link_kind() or MATCH, (request.view_args or {})["code"]
    if kind is not MATCH:
        return error_response(Forbidden(), kind.not_the_owner)
    return error_response(Forbidden(), NOT_THE_OWNER if kind.load(code).may_score else WATCHES, match_code=code)
