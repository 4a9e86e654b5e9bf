"""Error pages, and notices on the open page, for failures and for matches that accept no hand."""

import errno
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from flask import Flask, Response, current_app, make_response, redirect, request
from flask_wtf.csrf import CSRFError
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.exceptions import HTTPException

from scorekeeper import hooks
from scorekeeper.access import phones
from scorekeeper.access.hourly_limits import TooManyAnHour
from scorekeeper.access.roles import LinkEnded, UnknownCode
from scorekeeper.database.engine import database_path, db
from scorekeeper.database.faults import describe_fault, is_unavailable
from scorekeeper.eventlog.store import UnreadableEvent
from scorekeeper.eventlog.stream import MatchClosed, Refused
from scorekeeper.hooks import Entry
from scorekeeper.matches import phones as match_phones
from scorekeeper.matches.fold import Match, UnscorableMatch
from scorekeeper.pitch.compare.sentences import outcome_and_scores
from scorekeeper.pitch.scoring.search_budget import BudgetExceeded
from scorekeeper.pitch.text.endings import question_sentence
from scorekeeper.web.context import END_FIELD, DeletedMatch, known_device, load_match
from scorekeeper.web.respond import add_vary, redirect_to, render_page, retarget_to_trouble, wants_fragment
from scorekeeper.web.widgets import HiddenFields


@dataclass(frozen=True, slots=True)
class ErrorText:
    """The text of an error page."""

    title: str
    problem: str
    advice: str
    """What to do now."""


PHONE_REMOVED_TEXT = ErrorText(
    "This phone was removed",
    "This phone’s link to the match no longer works.",
    "To join again, ask for the match’s QR code or PIN.",
)
TEXTS_BY_STATUS = {
    400: ErrorText(
        "Can’t read that",
        "Part of what this phone sent is missing or can’t be read.",
        "Go back and send it again; nothing in the match has changed.",
    ),
    404: ErrorText(
        "Page not found",
        "No match or page has this address.",
        "Scan the code again, or copy the whole link.",
    ),
    405: ErrorText(
        "Can’t do that here",
        "This address doesn’t work that way.",
        "Go back to the match and use its buttons.",
    ),
    413: ErrorText(
        "File too large",
        "This phone sent more than Scorekeeper can take.",
        "Send a smaller file, or fewer matches at a time; nothing has changed.",
    ),
    421: ErrorText(
        "Wrong address",
        "Scorekeeper has another address.",
        "Ask whoever set it up for the link.",
    ),
    422: ErrorText(
        "Not saved yet",
        "Something in the entry can’t be right.",
        "Go back and fix it; nothing in the match has changed.",
    ),
    500: ErrorText(
        "Something went wrong",
        "Scorekeeper made a mistake, and every saved hand is still there.",
        "Go back and try again.",
    ),
}
"""The texts of error pages whose failure has no text of its own, by HTTP status."""
CANNOT_SAVE_TEXT = ErrorText(
    "Can’t save just now",
    "The computer that keeps score can’t save anything right now.",
    "Go back and send it again in a moment; nothing has changed.",
)
CANNOT_SAVE_BUT_CAN_RESEND_TEXT = replace(
    CANNOT_SAVE_TEXT, advice="Everything you entered is still here: send it again in a moment."
)
UNREADABLE_TEXT = ErrorText(
    "Can’t open this",
    "Scorekeeper can’t read an entry in it.",
    "Update Scorekeeper if it came from a newer one. Nothing in it is lost, and your other matches still open.",
)
TOO_MANY_FIELDS_TEXT = ErrorText(
    "Too many fields",
    "This phone sent more fields than any page of Scorekeeper has.",
    "Go back, reload the page, and enter it again; nothing has changed.",
)
TOO_MANY_POSSIBLE_HANDS_TEXT = ErrorText(
    "Too many ways to tell",
    "Too many hands here were entered by points alone to work them all out at once.",
    "Enter the cards of the hands that ended these matches, then try again.",
)
CANNOT_READ_TEXT = ErrorText(
    "Can’t open this just now",
    "The computer that keeps score can’t read the match right now.",
    "Stay on this page: it tries again by itself.",
)
RETRY_SECONDS = 5
"""Seconds after which a page that could not be read or saved tries again."""
REMOVED_RETRY_SECONDS = 15
"""Seconds after which the page of a removed phone reloads, in case the phone is let in again."""
_UNWRITABLE_DISK_ERRNOS = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}
_LOG_INTERVAL_S = 60.0
"""Seconds until the same problem is logged again; phones retry much more often."""

FORM_EXPIRED_TEXT = ErrorText(
    "This page expired",
    "This page was open too long, so nothing was saved.",
    "Go back, reload the page, and enter it again; nothing in the match has changed.",
)
FORM_EXPIRED_BUT_CAN_RESEND_TEXT = replace(
    FORM_EXPIRED_TEXT, advice="Everything you entered is still here: send it again."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedView:
    """The notice about a match that accepts no hand, with what to do next."""

    lead: str
    """"This match is over."."""
    text: str
    """"Ann & Cal win, 21 to 18. If a score is wrong, correct its hand."."""
    actions: tuple[str, ...]
    """Any of `correct` (a hand), `again` (a new match), `resume` and `restore`; none if there is a continuation."""
    continuation: Entry | None = None
    """The link to where the match has gone on, such as its money night."""


def init_errors(app: Flask) -> None:
    """Register the functions of this module that respond to failures, most of them with an error page."""
    handlers: dict[type[Exception], Callable[[Any], Response]] = {
        CSRFError: _show_expired_form,
        HTTPException: _show_http_error,
        Refused: _show_refusal,
        TooManyAnHour: _show_hourly_limit,
        UnknownCode: lambda _unknown: error_response(404, TEXTS_BY_STATUS[404]),
        LinkEnded: _show_removed_phone,
        DeletedMatch: _redirect_to_deleted_match,
        UnscorableMatch: _show_unscorable_match,
        UnreadableEvent: lambda _unreadable: error_response(422, UNREADABLE_TEXT),
        BudgetExceeded: lambda _too_many: error_response(422, TOO_MANY_POSSIBLE_HANDS_TEXT),
        MatchClosed: _show_closed_match,
        SQLAlchemyError: _show_unavailable,
        OSError: _show_unavailable,
    }
    for error, handler in handlers.items():
        app.register_error_handler(error, handler)


def _show_http_error(error: HTTPException) -> Response:
    """Show an error page with the error's HTTP status and headers."""
    status = error.code or 500
    response = error_response(status, TEXTS_BY_STATUS.get(status) or TEXTS_BY_STATUS[400 if status < 500 else 500])
    response.headers.update(error.get_headers())
    return response


def _show_expired_form(_error: CSRFError) -> Response:
    """Show that a form expired, if possible on a page that can send its fields again."""
    resend = fields_to_resend()
    return error_response(400, FORM_EXPIRED_TEXT if resend is None else FORM_EXPIRED_BUT_CAN_RESEND_TEXT, resend=resend)


def _show_refusal(refused: Refused) -> Response:
    """Show why a form was refused, where its view has not handled the refusal."""
    return error_response(422, replace(TEXTS_BY_STATUS[422], problem=str(refused)))


def _show_hourly_limit(too_many: TooManyAnHour) -> Response:
    """Show how long to wait at an hourly limit, if possible on a page that can send the fields again."""
    resend = fields_to_resend()
    resend_sentence = " Everything you entered is still here: send it again then." if resend else ""
    text = ErrorText("Wait a while", too_many.problem, f"{too_many.advice}{resend_sentence}")
    return error_response(429, text, resend=resend, retry_after=too_many.retry_at)


def _show_removed_phone(ended: LinkEnded) -> Response:
    """Redirect to the phone's other link to the same match, book or night, or show that this one ended.

    Without fields to send again, the error page reloads at intervals, in case the phone is let in again.
    """
    if replacement := phones.replacement_link(db.session, known_device(), ended.link):
        url = request.script_root + request.full_path.rstrip("?")
        return add_vary(make_response(redirect(url.replace(ended.link.code, replacement.code, 1), code=307)))
    if ended.link.kind != "match":
        return error_response(410, hooks.link_kinds[ended.link.kind].removed, retry_seconds=REMOVED_RETRY_SECONDS)
    if request.method == "GET" and wants_fragment():
        # This phone may no longer see what the open page shows: the whole page is replaced.
        return redirect_to("matches.show", code=ended.link.code)
    ender = match_phones.name_of_ender(db.session, ended.link)
    text = (
        replace(PHONE_REMOVED_TEXT, problem=f"{ender} removed this phone from the match.")
        if ender
        else PHONE_REMOVED_TEXT
    )
    # The posted fields are not lost: should the link be restored, they can be sent again.
    resend = fields_to_resend()
    return error_response(410, text, resend=resend, retry_seconds=0 if resend else REMOVED_RETRY_SECONDS)


def _show_unscorable_match(unscorable: UnscorableMatch) -> Response:
    """Show the first reason why a stored match cannot be scored."""
    first_fault = unscorable.faults[0]
    where = f"Scorekeeper can’t read the rules of this match ({first_fault.fault.field})"
    if first_fault.hand:
        where = f"The rules of this match can’t score hand {first_fault.hand}"
    return error_response(422, replace(UNREADABLE_TEXT, problem=f"{where}: {first_fault.fault.message}"))


def _redirect_to_deleted_match(deleted: DeletedMatch) -> Response:
    """Redirect to the match page, which shows that the match was deleted."""
    return redirect_to("matches.show", code=deleted.code)


def _show_unavailable(error: SQLAlchemyError | OSError) -> Response:
    """Show that nothing can be saved or read now, if possible on a page that tries again.

    Raises the error again if the database is available and the disk can be written to.
    """
    if not (is_unavailable(error) or getattr(error, "errno", None) in _UNWRITABLE_DISK_ERRNOS):
        raise error
    with suppress(SQLAlchemyError):
        db.session.rollback()
    _log_at_intervals(describe_fault(error, database_path(current_app)))
    unavailable = partial(error_response, 503, retry_after=RETRY_SECONDS)
    if request.method == "GET":
        return unavailable(CANNOT_READ_TEXT, retry_seconds=RETRY_SECONDS)
    if (resend := fields_to_resend()) is None:
        return unavailable(CANNOT_SAVE_TEXT)
    return unavailable(CANNOT_SAVE_BUT_CAN_RESEND_TEXT, resend=resend, retry_seconds=RETRY_SECONDS)


def _log_at_intervals(problem: str) -> None:
    """Log a problem, unless it was logged less than `_LOG_INTERVAL_S` ago."""
    extensions, now = current_app.extensions, time.monotonic()
    logged = {text: at for text, at in extensions.get("scorekeeper-logged", {}).items() if now - at < _LOG_INTERVAL_S}
    if problem not in logged:
        extensions["scorekeeper-logged"] = {**logged, problem: now}
        current_app.logger.error("Not saved or not read: %s", problem)


def error_response(
    status: int,
    text: ErrorText,
    *,
    resend: HiddenFields | None = None,
    match_code: str = "",
    retry_seconds: int = 0,
    retry_after: int | datetime | None = None,
    closed: ClosedView | None = None,
) -> Response:
    """Return an error page with an HTTP status, or a notice for the open page if htmx requested a part of it.

    After `retry_seconds`, unless 0, the page sends the fields `resend` again, or reloads. `retry_after`, in seconds or
    a time, is the header for other programs. `match_code` leads back to a match.
    """
    response = render_page(
        "shared/error.html",
        block="trouble",
        status=status,
        text=text,
        resend=resend,
        match_code=match_code,
        retry_seconds=retry_seconds,
        closed=closed,
    )
    retarget_to_trouble(response)
    response.retry_after = retry_after
    # A failed request may succeed the next time.
    response.headers["Cache-Control"] = "no-store"
    return response


def fields_to_resend() -> HiddenFields | None:
    """Return the posted fields except the CSRF token; `None` if a page cannot send them again.

    A page cannot send again files, forms of other sites, or what htmx posted for a part of a page.
    """
    # Browsers send the origin with every form, and other sites cannot forge it.
    is_same_site = f"{request.headers.get('Origin')}/" == request.host_url
    if request.method != "POST" or not is_same_site or request.files or wants_fragment():
        return None
    return tuple((name, value) for name, value in request.form.items(multi=True) if name != "csrf_token")


_GENERATED_FIELDS = ("version", END_FIELD, "client_key", "do")
"""Fields that the program fills in: posted alone, they are not worth sending again."""
_CLOSED_LEADS = {
    "deleted": "This match was deleted.",
    "asks": "This match waits for the cards.",
    "gone_on": "The night has gone on in another match.",
}
"""The first sentence about a match that accepts no hand, by reason; for other reasons "This match is over."."""
_CLOSED_ADVICE = {
    "over": "If a score is wrong, correct its hand.",
    "stopped": "Resume it first.",
    "deleted": "Restore it first.",
    "asks": "Correct hand {} and enter the cards.",
    "gone_on": "Go on there.",
}
"""The advice in the notice about a match that accepts no hand, by the reason."""


def closed_view(match: Match, reason: str) -> ClosedView:
    """Return the notice about a match that accepts no hand, with the actions that its link allows.

    If it has gone on in another match, such as the next of its money night, the notice leads there instead. `reason` is
    that of `MatchClosed`.
    """
    if reason in ("stopped", "deleted") and hooks.has_gone_on(db.session, match):
        reason = "gone_on"
    text = _CLOSED_ADVICE[reason]
    if reason == "over":
        text = f"{outcome_and_scores(match.state, match.names)}. {text}"
    elif reason == "asks":
        last = match.state.last_scored
        text = f"{question_sentence(match.state)} {text.format(last.number if last else 0)}"
    elif reason == "deleted" and not match.link.is_owner:
        text = "Ask whoever started it to restore it."
    return ClosedView(
        lead=_CLOSED_LEADS.get(reason, f"This match is {reason}."),
        text=text,
        actions=tuple(_closed_actions(match, reason)),
        continuation=hooks.first_entry(hooks.continuation_entries, match) if reason == "gone_on" else None,
    )


def _closed_actions(match: Match, reason: str) -> Iterator[str]:
    """Yield the actions that a link allows in a match that accepts no hand for this reason."""
    if reason in ("over", "asks"):
        if match.link.may_score:
            yield "correct"
        if match.status == "over":
            yield "again"
    elif reason == "deleted":
        if match.link.is_owner:
            yield "restore"
    elif reason == "stopped" and match.link.may_score:
        yield "resume"


def _show_closed_match(closed: MatchClosed) -> Response:
    """Show why a match accepts no hand, if possible on a page that can send the entered fields again.

    A watcher of a deleted match is redirected to the match page.
    """
    try:
        match = load_match((request.view_args or {})["code"])
    except DeletedMatch as deleted:
        return _redirect_to_deleted_match(deleted)
    view = closed_view(match, closed.reason)
    resend = fields_to_resend()
    if all(name in _GENERATED_FIELDS for name, _ in resend or ()):
        resend = None
    resend_sentence = " What you entered is still here: send it again if the match goes on." if resend else ""
    text = ErrorText(view.lead.removesuffix("."), view.lead, f"{view.text}{resend_sentence}")
    return error_response(409, text, resend=resend, match_code=match.code, closed=view)
