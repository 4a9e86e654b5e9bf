"""A new match, in two steps: the rules, then the table."""

from dataclasses import replace

from flask import Blueprint, Response, abort, request

from scorekeeper.extensions import db
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.questions import word_of
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.beginnings import start_match
from scorekeeper.services.devices import remember_match
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.refusals import Refused
from scorekeeper.web.forms.new_match import (
    ALONE,
    PARTNERS,
    TableDraft,
    first_dealer,
    fresh,
    from_form,
    house_of,
    players_and_sides,
)
from scorekeeper.web.keys import device, key_of, new_key
from scorekeeper.web.matches import to_match
from scorekeeper.web.present.new_match import choose_page, name_faults, table_page, unanswered
from scorekeeper.web.reached import reach
from scorekeeper.web.respond import page
from scorekeeper.web.rulesets import library

bp = Blueprint("new", __name__, url_prefix="/new")

TEMPLATE = "match/new.html"


@bp.get("")
def choose() -> Response:
    """Ask which rules."""
    return page("match/choose.html", choose_page(library(), chosen=request.args.get("chosen", "")))


@bp.get("/<ruleset_id>")
def table(ruleset_id: str) -> Response:
    """Ask who sits where, and what the table agrees."""
    ruleset = _ruleset(ruleset_id)
    return page(
        TEMPLATE, table_page(ruleset, fresh(ruleset, request.args.get("seats", type=int)), client_key=new_key())
    )


@bp.post("/<ruleset_id>")
def start(ruleset_id: str) -> Response:
    """Begin the match, or come back with another number of chairs."""
    ruleset, key = _ruleset(ruleset_id), key_of(request)
    draft = from_form(ruleset, request.form)
    if request.form.get("do") != "start":
        return page(TEMPLATE, table_page(ruleset, draft, client_key=key))
    faults = [*name_faults(ruleset, draft), *unanswered(ruleset, draft)]
    if faults:
        return page(TEMPLATE, table_page(ruleset, draft, client_key=key, faults=faults), status=422)
    players, sides = players_and_sides(ruleset, draft)
    try:
        match = start_match(
            db.session,
            library(),
            variant=ruleset.id,
            client_key=key,
            house=house_of(ruleset, draft),
            players=players,
            sides=sides,
            first_dealer=first_dealer(ruleset, draft),
            title=draft.title,
        )
    except Refused as refused:
        said: list[Fault] = [item.fault for item in refused.faults]
        return page(TEMPLATE, table_page(ruleset, draft, client_key=key, faults=said), status=422)
    remember_match(db.session, device(), match)
    return to_match(match)


@bp.get("/again/<code>")
def again(code: str) -> Response:
    """Ask for one tap more: the same people, the same rules, and whose deal it is."""
    match = reach(code)
    ruleset = _ruleset(match.match.variant)
    return page(TEMPLATE, table_page(ruleset, _same_table(match, ruleset), client_key=new_key()))


def _ruleset(ruleset_id: str) -> Ruleset:
    if ruleset_id not in library():
        abort(404)
    return library()[ruleset_id]


def _same_table(match: LoadedMatch, ruleset: Ruleset) -> TableDraft:
    """Seat everybody as they sat, with what they agreed; the deal goes on where it stopped."""
    seats = match.state.seats
    players = seats.players or ("",) * next(iter(ruleset.table.partners), len(seats.sides))
    names = match.match.names(match.log.renamed)
    side_names = tuple(
        names[side.id] if match.match.own_name(side, match.log.renamed) else "" for side in match.match.sides
    )
    chairs = seats.chairs
    dealer = chairs.index(match.state.dealer) if match.state.dealer in chairs else 0
    is_alone = all(side.players == (side.name,) for side in seats.sides)
    draft = fresh(ruleset, len(players))
    return replace(
        draft,
        names=players,
        side_names=side_names if len(side_names) == len(draft.side_names) else draft.side_names,
        dealer=dealer,
        seating=ALONE if is_alone else PARTNERS,
        house={name: word_of(value) for name, value in match.match.house.items()},
        title=match.title,
    )
