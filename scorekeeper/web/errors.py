"""What is said when something fails: a page in the house's look, or a notice on the page that is open."""

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from flask import Flask, Response, make_response, request
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import HTTPException, UnprocessableEntity

from scorekeeper.services.refusals import Refused
from scorekeeper.web.contexts.errors import ErrorPage
from scorekeeper.web.contexts.parts import Action
from scorekeeper.web.respond import instead_of, page

TEMPLATE = "errors/error.html"


@dataclass(frozen=True, slots=True)
class Words:
    """How one kind of failure is put at the table."""

    title: str
    sentence: str
    mend: str


WORDS = {
    400: Words(
        "That did not come through",
        "Part of what this phone sent is missing, or cannot be read.",
        "Go back and send it once more. Nothing of the match has changed.",
    ),
    403: Words(
        "Not with this link",
        "This link does not let you do that.",
        "Ask whoever keeps the score for another link.",
    ),
    404: Words(
        "Nothing lies here",
        "No match and no page has this address.",
        "Scan the code again, or copy the link whole: every letter counts.",
    ),
    405: Words(
        "Not that way round",
        "This address takes an entry, or shows a page, but not in this way.",
        "Go back to the match and use its buttons.",
    ),
    409: Words(
        "Someone was quicker",
        "Another phone wrote in this match first.",
        "Go back to the match, look at what changed, and go on from there.",
    ),
    413: Words(
        "More than fits on the sheet",
        "What this phone sent is larger than the score sheet takes.",
        "Send a smaller file, or fewer matches at a time. Nothing has changed.",
    ),
    422: Words(
        "Not saved yet",
        "Something in the entry cannot be so.",
        "Go back and put it right. Nothing of the match has changed.",
    ),
    429: Words(
        "One moment",
        "That was tried too often in a short while.",
        "Wait a minute, then try again.",
    ),
    500: Words(
        "The pencil broke",
        "That was our doing, not yours. Every hand that was saved is still there.",
        "Go back and try once more.",
    ),
}

STALE = Words(
    "This page lay open too long",
    "The phone and the score sheet lost touch with each other, so nothing was saved.",
    "Go back, open the page afresh and enter it again. Nothing of the match has changed.",
)
KEPT = "Everything you entered is still here: send it again."


def init_errors(app: Flask) -> None:
    """Answer every failure with a page of our own."""
    app.register_error_handler(CSRFError, _show_stale)
    app.register_error_handler(HTTPException, _show)
    app.register_error_handler(Refused, _show_refused)


def _show(failure: HTTPException) -> Response:
    if failure.code is None or failure.response is not None:
        return make_response(failure.get_response())
    words = WORDS.get(failure.code) or WORDS[400 if failure.code < 500 else 500]
    return _answer(failure, words)


def _show_stale(failure: CSRFError) -> Response:
    return _answer(failure, STALE, again=_sent_again())


def _show_refused(refused: Refused) -> Response:
    """Say what a service said where the page has no place of its own for it."""
    return _answer(UnprocessableEntity(), replace(WORDS[422], sentence=str(refused)))


def _answer(failure: HTTPException, words: Words, again: Action | None = None) -> Response:
    status = failure.code or 500
    context = ErrorPage(
        status=status,
        title=words.title,
        sentence=words.sentence,
        mend=KEPT if again else words.mend,
        home_url=f"{request.script_root}/",
        again=again,
    )
    response = instead_of("#trouble", page(TEMPLATE, context, block="trouble", status=status))
    for name in ("Allow", "Retry-After"):
        if value := failure.get_response().headers.get(name):
            response.headers[name] = value
    # What failed once may work the next time.
    response.headers["Cache-Control"] = "no-store"
    return response


def _sent_again() -> Action | None:
    """Offer a form that came without its token once more, if a page of ours sent it; else another site could."""
    if not _comes_from_here() or request.files:
        return None
    fields = tuple((name, value) for name, value in request.form.items(multi=True) if name != "csrf_token")
    return Action(label="Send it again", url=request.full_path.rstrip("?"), is_post=True, fields=fields)


def _comes_from_here() -> bool:
    # Browsers send the origin with every form, and no other site can make them send a false one.
    origin = urlsplit(request.headers.get("Origin", ""))
    return bool(origin.netloc) and (origin.scheme, origin.netloc) == (request.scheme, request.host)
