"""What a phone shows where a match does not go on: who won, or that it is stopped or deleted, and what can be done."""

from collections.abc import Iterator

from flask import Flask, Response, request
from werkzeug.exceptions import Conflict

from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.refusals import MatchClosed
from scorekeeper.narration.endings import question_sentence
from scorekeeper.narration.readings import ending_words
from scorekeeper.web.shared.errors import ErrorText, error_response, resend_form
from scorekeeper.web.shared.matches import load_match
from scorekeeper.web.shared.widgets import ClosedView

_OWN_FIELDS = ("version", "client_key", "do")
"""What a form sends of itself, and nobody typed."""
_LEAD = {"deleted": "This match was deleted.", "asks": "This match waits for the cards."}
_ADVICE = {
    "over": "If a score is wrong, correct its hand.",
    "stopped": "Resume it first.",
    "deleted": "Restore it first.",
    "asks": "Enter its cards first.",
}


def init_closed(app: Flask) -> None:
    """Answer what a match no longer takes with a page of its own."""
    app.register_error_handler(MatchClosed, _closed)


def closed_view(match: Match, reason: str) -> ClosedView:
    """Return what is said of a match that does not go on."""
    text = _ADVICE[reason]
    if reason == "over":
        waits = " once every hand is accepted" if match.status != "over" else ""
        text = f"{ending_words(match.state, match.names)}{waits}. {text}"
    elif reason == "asks":
        last = match.state.last_scored
        text = f"{question_sentence(match.state)} Correct hand {last.number if last else 0} and enter the cards."
    elif reason == "deleted" and not match.link.is_owner:
        text = "Ask whoever started it to restore it."
    return ClosedView(
        code=match.code,
        lead=_LEAD.get(reason, f"This match is {reason}."),
        text=text,
        actions=tuple(_actions(match, reason)),
    )


def _actions(match: Match, reason: str) -> Iterator[str]:
    if reason in ("over", "asks"):
        if match.link.may_score:
            yield "correct"
        if match.status == "over":
            yield "again"
    elif reason == "deleted":
        if match.link.is_owner:
            yield "restore"
    elif match.state.ruleset.pays:
        # A match for money that is settled up may have gone on in the next: the money night knows.
        yield "money"
    elif match.link.may_score:
        yield "resume"


def _closed(closed: MatchClosed) -> Response:
    match = load_match((request.view_args or {})["code"])
    view = closed_view(match, closed.reason)
    form = resend_form() if request.method == "POST" else None
    if form and all(name in _OWN_FIELDS for name, _ in form.fields):
        form = None
    kept = " What you entered is still here: send it again if the match goes on." if form else ""
    text = ErrorText(view.lead.removesuffix("."), view.lead, f"{view.text}{kept}")
    return error_response(Conflict(), text, resend=form, match_code=match.code, closed=view)
