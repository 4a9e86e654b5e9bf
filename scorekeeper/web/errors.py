"""What is said when something fails: a page in the house's look, or a notice on the page that is open."""

from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from flask import Flask, Response, make_response, request, url_for
from flask_wtf.csrf import CSRFError
from werkzeug.exceptions import Gone, HTTPException, NotFound, UnprocessableEntity

from scorekeeper.extensions import db
from scorekeeper.services.links import name_of_ender
from scorekeeper.services.refusals import LinkEnded, Refused, UnknownMatch
from scorekeeper.web.contexts.errors import ErrorPage
from scorekeeper.web.contexts.parts import Action
from scorekeeper.web.respond import instead_of, page, see_other, wants_fragment

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
        "Not with this phone",
        "This phone may not do that.",
        "Ask whoever began the match.",
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
    410: Words(
        "This link has ended",
        "This phone’s link to the match was ended.",
        "To come in again, ask for the code of the match.",
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
    app.register_error_handler(UnknownMatch, _show_unknown)


def _show(failure: HTTPException) -> Response:
    if failure.code is None or failure.response is not None:
        return make_response(failure.get_response())
    words = WORDS.get(failure.code) or WORDS[400 if failure.code < 500 else 500]
    return told(failure, words)


def _show_stale(failure: CSRFError) -> Response:
    return told(failure, STALE, again=sent_again())


def _show_refused(refused: Refused) -> Response:
    """Say what a service said where the page has no place of its own for it."""
    return told(UnprocessableEntity(), replace(WORDS[422], sentence=str(refused)))


def _show_unknown(unknown: UnknownMatch) -> Response:
    """Say that a link leads nowhere, or that it did until somebody ended it."""
    if not isinstance(unknown, LinkEnded):
        return told(NotFound(), WORDS[404])
    if request.method == "GET" and wants_fragment():
        # What is on the page that asks is no longer this phone's to see: the whole of it goes.
        return see_other(url_for("matches.show", code=str(unknown)))
    ender = name_of_ender(db.session, str(unknown))
    words = replace(WORDS[410], sentence=f"{ender} ended this phone’s link to the match.") if ender else WORDS[410]
    # What was being written is not lost: should the link be opened again, it can be sent again.
    return told(Gone(), words, again=sent_again() if request.method == "POST" else None, mend=words.mend)


def told(
    failure: HTTPException, words: Words, *, again: Action | None = None, back: Action | None = None, mend: str = KEPT
) -> Response:
    """Answer with a failure in these words."""
    status = failure.code or 500
    context = ErrorPage(
        status=status,
        title=words.title,
        sentence=words.sentence,
        mend=mend if again else words.mend,
        home_url=f"{request.script_root}/",
        again=again,
        back=back,
    )
    response = instead_of("#trouble", page(TEMPLATE, context, block="trouble", status=status))
    for name in ("Allow", "Retry-After"):
        if value := failure.get_response().headers.get(name):
            response.headers[name] = value
    # What failed once may work the next time.
    response.headers["Cache-Control"] = "no-store"
    return response


def sent_again() -> Action | None:
    """Offer what was sent once more, if a page of ours sent it, else another site could; a page that stays has it."""
    if not _comes_from_here() or request.files or wants_fragment():
        return None
    fields = tuple((name, value) for name, value in request.form.items(multi=True) if name != "csrf_token")
    return Action(label="Send it again", url=request.full_path.rstrip("?"), is_post=True, fields=fields)


def _comes_from_here() -> bool:
    # Browsers send the origin with every form, and no other site can make them send a false one.
    origin = urlsplit(request.headers.get("Origin", ""))
    return bool(origin.netloc) and (origin.scheme, origin.netloc) == (request.scheme, request.host)
