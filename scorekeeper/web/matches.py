"""The match page, and what is done to a match as a whole: undo, stop, go on, delete."""

from flask import Blueprint, Response, request, url_for

from scorekeeper.extensions import db
from scorekeeper.printing import orders
from scorekeeper.services import matches
from scorekeeper.services.load import LoadedMatch, head_of, ruleset_of
from scorekeeper.services.presence import note_here
from scorekeeper.services.refusals import Refused, StaleMatch
from scorekeeper.web.contexts.confirm import ConfirmPage
from scorekeeper.web.contexts.parts import Action, BarView
from scorekeeper.web.keys import actor, key_of, new_key, seen_version, version_of
from scorekeeper.web.present.agreement import waiting_notice
from scorekeeper.web.present.board import match_page, match_title
from scorekeeper.web.present.notices import handed_over, last_change
from scorekeeper.web.present.rule_changes import change_notice
from scorekeeper.web.reached import reach, reach_and_remember
from scorekeeper.web.respond import nothing_new, page, see_other

bp = Blueprint("matches", __name__, url_prefix="/matches/<code>")

TEMPLATE = "match/show.html"


@bp.get("/")
def show(code: str) -> Response:
    """Show where the match stands."""
    match = reach_and_remember(code)
    if match.log.is_deleted:
        return _thrown_away(match)
    if match.state.outcome:
        orders.get_ready()
    return page(TEMPLATE, _page(match, said=request.args.get("said", "")))


@bp.get("/board")
def board(code: str) -> Response:
    """Answer a page that watches: nothing while nothing has changed, else the whole board."""
    # The end of the match and the link alone decide, in one small select; only a change is worth loading a match for.
    head = head_of(db.session, code)
    note_here(code)
    seen, role = seen_version(request), request.args.get("role", head.link.role)
    if (seen, role) == (head.version, head.link.role):
        return nothing_new()
    match = reach(code)
    if match.log.is_deleted:
        return see_other(url_for(".show", code=code))
    context = _page(match, since=seen, role=role)
    return page(TEMPLATE, context, block=("board", "told", "turn", "history", "chart", "foot"))


def _page(match: LoadedMatch, *, said: str = "", since: int | None = None, role: str = "") -> object:
    key, is_news = new_key(), said == str(match.version)
    notices = (
        handed_over(match, role),
        waiting_notice(db.session, match, actor(), key),
        last_change(match, key) if is_news else None,
        change_notice(match, ruleset_of(db.session, match.match)),
    )
    shown = tuple(notice for notice in notices if notice)
    seen = match.version - 1 if is_news else since
    return match_page(match, notices=shown, key=key, since=seen, is_news=is_news)


def to_match(match: LoadedMatch, *, anchor: str | None = None) -> Response:
    """Go back to the match page, which then says what was just written."""
    return see_other(url_for("matches.show", code=match.code, said=match.version, _anchor=anchor))


@bp.post("/undo")
def undo(code: str) -> Response:
    """Take back the last thing that was written."""
    try:
        match = matches.undo(db.session, code, seq=version_of(request) + 1, client_key=key_of(request), actor=actor())
    except (Refused, StaleMatch):
        # Somebody else wrote meanwhile: the page shows what, and offers to take that back instead.
        return see_other(url_for(".show", code=reach(code).code))
    return to_match(match)


@bp.post("/redo")
def redo(code: str) -> Response:
    """Bring back what the last undo took."""
    try:
        match = matches.redo(db.session, code, seq=version_of(request) + 1, client_key=key_of(request), actor=actor())
    except (Refused, StaleMatch):
        return see_other(url_for(".show", code=reach(code).code))
    return to_match(match)


@bp.get("/stop")
def stop(code: str) -> Response:
    """Ask before stopping."""
    match = reach(code)
    return page(
        "match/confirm.html",
        _asking(
            match,
            heading="Stop for tonight?",
            sentences=("The scores stay as they are. You can go on with this match on another day.",),
            go=_post("Stop here", url_for(".stop_submit", code=code), "stop"),
        ),
    )


@bp.post("/stop")
def stop_submit(code: str) -> Response:
    """Stop before there is a winner."""
    reach(code)
    return to_match(matches.stop(db.session, code, client_key=key_of(request), actor=actor()))


@bp.post("/resume")
def resume(code: str) -> Response:
    """Go on with a match that was stopped."""
    reach(code)
    return to_match(matches.resume(db.session, code, client_key=key_of(request), actor=actor()))


@bp.get("/delete")
def delete(code: str) -> Response:
    """Ask before throwing a match away."""
    match = reach(code)
    hands = len(match.log.hands)
    return page(
        "match/confirm.html",
        _asking(
            match,
            heading="Throw this match away?",
            sentences=(
                f"It goes from every phone, with {hands} hand{'' if hands == 1 else 's'}.",
                "You can fetch it back as long as you have this link.",
            ),
            go=_post("Throw it away", url_for(".delete_submit", code=code), "bin"),
            is_grave=True,
        ),
    )


@bp.post("/delete")
def delete_submit(code: str) -> Response:
    """Throw the match away; it can be fetched back."""
    reach(code)
    match = matches.delete(db.session, code, client_key=key_of(request), actor=actor())
    return see_other(url_for("home.index", gone=match.code))


@bp.post("/restore")
def restore(code: str) -> Response:
    """Fetch a match back that was thrown away."""
    reach(code)
    return to_match(matches.undelete(db.session, code, client_key=key_of(request), actor=actor()))


def _thrown_away(match: LoadedMatch) -> Response:
    home = Action(label="Home", url=url_for("home.index"))
    every_hand = Action(label="Every hand", url=url_for("history.show", code=match.code))
    context = ConfirmPage(
        title=match_title(match),
        bar=BarView(title=match_title(match), back_url=url_for("home.index")),
        heading="This match was thrown away",
        sentences=("Everything in it is still here.",),
        go=_post("Fetch it back", url_for(".restore", code=match.code), "again") if match.link.is_owner else home,
        back=home if match.link.is_owner else every_hand,
    )
    return page("match/confirm.html", context)


def _asking(
    match: LoadedMatch, *, heading: str, sentences: tuple[str, ...], go: Action, is_grave: bool = False
) -> ConfirmPage:
    menu = url_for("settings.show", code=match.code)
    return ConfirmPage(
        title=heading,
        bar=BarView(title=match_title(match), back_url=menu, back_label="Menu"),
        heading=heading,
        sentences=sentences,
        go=go,
        back=Action(label="No, go back", url=menu),
        is_grave=is_grave,
    )


def _post(label: str, url: str, icon: str) -> Action:
    return Action(label=label, url=url, icon=icon, is_post=True, fields=(("client_key", new_key()),))
