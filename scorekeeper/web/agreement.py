"""Accepting a hand for another side, and the setting that asks for it."""

from flask import Blueprint, Response, request, url_for

from scorekeeper.engine.words import verb
from scorekeeper.extensions import db
from scorekeeper.services import matches
from scorekeeper.services.agreement import sides_with_phones
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.refusals import Refused
from scorekeeper.web.contexts.confirm import ConfirmPage
from scorekeeper.web.contexts.parts import Action, BarView, Notice
from scorekeeper.web.keys import actor, key_of, new_key
from scorekeeper.web.matches import to_match
from scorekeeper.web.present.board import match_title
from scorekeeper.web.reached import reach
from scorekeeper.web.respond import page

bp = Blueprint("agreement", __name__, url_prefix="/matches/<code>/agreement")

FEWEST_SIDES = 2


@bp.post("/<int:uid>")
def accept(code: str, uid: int) -> Response:
    """Accept a hand as it was shown."""
    match = reach(code)
    made = request.form.get("made", 0, type=int)
    try:
        match = matches.accept_hand(db.session, code, uid, made, client_key=key_of(request), actor=actor())
    except Refused as refused:
        back = url_for("matches.show", code=code)
        context = ConfirmPage(
            title="Not accepted",
            bar=BarView(title=match_title(match), back_url=back, back_label="The score"),
            heading="Not accepted",
            sentences=tuple(item.fault.message for item in refused.faults),
            go=Action(label="The score", url=back),
            back=Action(label="Every hand", url=url_for("history.show", code=code)),
            is_grave=True,
        )
        return page("match/confirm.html", context, status=422)
    return to_match(match)


@bp.get("")
def show(code: str) -> Response:
    """Ask before hands have to be accepted, or need not be any longer."""
    match = reach(code)
    context = _turning_off(match) if match.log.needs_agreement else _turning_on(match)
    return page("match/confirm.html", context)


@bp.post("")
def submit(code: str) -> Response:
    """Let hands count only when another side has accepted them, or at once again."""
    reach(code)
    on = request.form.get("on") == "yes"
    return to_match(matches.set_agreement(db.session, code, on, client_key=key_of(request), actor=actor()))


def _turning_on(match: LoadedMatch) -> ConfirmPage:
    return _asking(
        match,
        heading="Let the other side accept each hand?",
        sentences=(
            "From then on a hand counts when somebody of another side has accepted it on their own phone. "
            "Until then it shows as waiting.",
            "Corrections are accepted anew. The hands so far count as they are.",
        ),
        label="Turn it on",
        on=True,
        notices=_who_is_missing(match),
    )


def _turning_off(match: LoadedMatch) -> ConfirmPage:
    waiting = len(match.log.waiting)
    return _asking(
        match,
        heading="Let hands count at once again?",
        sentences=(
            "What waits counts from then on as it is written." if waiting else "Nothing waits.",
            "The next hands count as soon as they are saved.",
        ),
        label="Turn it off",
        on=False,
        notices=_who_is_missing(match),
    )


def _who_is_missing(match: LoadedMatch) -> tuple[Notice, ...]:
    """Say so where too few phones are in for anybody to accept anything."""
    sides = sides_with_phones(db.session, match.match)
    if len(sides) >= FEWEST_SIDES:
        return ()
    let_in = Action(label="Let them in", url=url_for("room.show", code=match.code), icon="share")
    name = match.names.get(next(iter(sides), ""), "")
    has = verb(match.state.seats, [name], "have", "has") if name else ""
    return (
        Notice(
            lead=f"Only {name} {has} a phone in this match."
            if name
            else "No other phone is in this match under a name.",
            text="It takes phones of two sides, each opened under a player’s name.",
            icon="warn",
            actions=(let_in,),
        ),
    )


def _asking(
    match: LoadedMatch, *, heading: str, sentences: tuple[str, ...], label: str, on: bool, notices: tuple[Notice, ...]
) -> ConfirmPage:
    menu = url_for("settings.show", code=match.code)
    fields = (("on", "yes" if on else "no"), ("client_key", new_key()))
    return ConfirmPage(
        title=heading,
        bar=BarView(title=match_title(match), back_url=menu, back_label="Menu"),
        heading=heading,
        sentences=sentences,
        go=Action(label=label, url=url_for(".submit", code=match.code), icon="scale", is_post=True, fields=fields),
        back=Action(label="Leave it", url=menu),
        notices=notices,
    )
