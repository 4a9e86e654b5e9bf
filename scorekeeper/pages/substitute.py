"""A player leaves, and another sits in from the next hand on."""

from collections.abc import Mapping, Sequence

from flask import Blueprint, Response, abort, request

from scorekeeper import hooks
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import Refused
from scorekeeper.matches.events import PlayerSubstituted
from scorekeeper.matches.fold import Match
from scorekeeper.matches.load import StaleMatch
from scorekeeper.matches.match_list import names_of_device
from scorekeeper.pages.phones.views import player_choices
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.scoring.seats import name_key
from scorekeeper.web.context import (
    ANOTHER_PHONE_FIRST,
    device,
    for_scorers,
    load_unfinished_match,
    posted_version,
    to_match,
    write_change,
)
from scorekeeper.web.respond import render_page
from scorekeeper.web.widgets import QuestionView, each_once, faults_view

bp = Blueprint("sits_in", __name__, url_prefix="/matches/<code>/sits-in")

WHO_FIELD, NAME_FIELD = "who", "name"


@bp.get("")
@for_scorers
def show(code: str) -> Response:
    """Ask who leaves, and who sits in."""
    return _show(_match_with_seats(code), {})


@bp.post("")
@for_scorers
def submit(code: str) -> Response:
    """Record that somebody sits in from the next hand on."""
    typed = {
        WHO_FIELD: request.form.get(WHO_FIELD, ""),
        NAME_FIELD: " ".join(request.form.get(NAME_FIELD, "").split()),
    }
    change = PlayerSubstituted(names={typed[WHO_FIELD]: typed[NAME_FIELD]})
    try:
        return to_match(write_change(code, change, version=posted_version()))
    except StaleMatch:
        # Another phone saved a hand meanwhile, so the newcomer may play from another hand on.
        return _show(_match_with_seats(code), typed, [ANOTHER_PHONE_FIRST], status=409)
    except Refused as refused:
        return _show(_match_with_seats(code), typed, refused.reasons, status=422)


def _show(match: Match, typed: Mapping[str, str], faults: Sequence[Fault] = (), status: int = 200) -> Response:
    """Ask who leaves, and who sits in; `typed` is what was sent, where it was refused for `faults`."""
    messages = {fault.field: fault.message for fault in faults}
    people = [seat.id for seat in match.setup.seats]
    present = {name_key(match.names[who]) for who in people}
    return render_page(
        "sits_in/show.html",
        status=status,
        match=match,
        player_changes=hooks.first_entry(hooks.player_changes, match),
        leaver=QuestionView(
            field=WHO_FIELD,
            question="Who leaves?",
            choices=player_choices(match, people, typed.get(WHO_FIELD)),
            fault=messages.get(WHO_FIELD, ""),
        ),
        name=typed.get(NAME_FIELD, ""),
        name_fault=messages.get(NAME_FIELD, ""),
        known_names=[name for name in names_of_device(db.session, device()) if name_key(name) not in present],
        faults=faults_view("Not saved yet", each_once((fault.message, fault.field) for fault in faults)),
    )


def _match_with_seats(code: str) -> Match:
    match = load_unfinished_match(code)
    return match if match.setup.seats else abort(404)
