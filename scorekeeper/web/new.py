"""A new match, in two steps: the rules, then the table."""

from dataclasses import dataclass, replace

from flask import Blueprint, Response, abort, request, url_for

from scorekeeper.extensions import db
from scorekeeper.rules.code import BadCode, decode, encode
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.house import HouseRules, resolve
from scorekeeper.rules.questions import word_of
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.beginnings import start_match
from scorekeeper.services.devices import names_of_device, remember_match
from scorekeeper.services.house_rules import house_of_match, houses_of_device
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.refusals import Refused
from scorekeeper.web.contexts.new_match import NewMatchPage
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
from scorekeeper.web.present.choose import Asked, choose_page
from scorekeeper.web.present.new_match import name_faults, table_page, unanswered
from scorekeeper.web.reached import reach
from scorekeeper.web.respond import page
from scorekeeper.web.rulesets import library

bp = Blueprint("new", __name__, url_prefix="/new")

TEMPLATE = "match/new.html"


@bp.get("")
def choose() -> Response:
    """Ask which rules."""
    houses = houses_of_device(db.session, device())
    context = choose_page(library(), library(), asked(), houses, chosen=request.args.get("chosen", ""))
    return page("match/choose.html", context)


def asked() -> Asked:
    """Read what a game was asked for by."""
    args = request.args
    return Asked(
        name=args.get("q", "")[:60],
        players=args.get("players", type=int),
        points=args.get("points", type=int),
    )


@bp.get("/<ruleset_id>")
def table(ruleset_id: str) -> Response:
    """Ask who sits where, and what the table agrees."""
    rules = _rules(ruleset_id)
    draft = fresh(rules.ruleset, request.args.get("seats", type=int))
    return _table(table_page(rules.ruleset, draft, client_key=new_key(), code=rules.code))


@bp.post("/<ruleset_id>")
def start(ruleset_id: str) -> Response:
    """Begin the match, or come back with another number of chairs."""
    rules, key = _rules(ruleset_id), key_of(request)
    ruleset = rules.ruleset
    draft = from_form(ruleset, request.form)
    if request.form.get("do") != "start":
        return _table(table_page(ruleset, draft, client_key=key, code=rules.code))
    faults = [*name_faults(ruleset, draft), *unanswered(ruleset, draft)]
    if faults:
        return _table(table_page(ruleset, draft, client_key=key, faults=faults, code=rules.code), status=422)
    players, sides = players_and_sides(ruleset, draft)
    try:
        match = start_match(
            db.session,
            library(),
            variant=ruleset.id,
            client_key=key,
            house={**(rules.named.options if rules.named else {}), **house_of(ruleset, draft)},
            players=players,
            sides=sides,
            first_dealer=first_dealer(ruleset, draft),
            title=draft.title,
            named=rules.named,
            marks=draft.marks,
        )
    except Refused as refused:
        said: list[Fault] = [item.fault for item in refused.faults]
        return _table(table_page(ruleset, draft, client_key=key, faults=said, code=rules.code), status=422)
    remember_match(db.session, device(), match)
    return to_match(match)


@bp.get("/again/<code>")
def again(code: str) -> Response:
    """Ask for one tap more: the same people, the same rules, and whose deal it is."""
    match = reach(code)
    base = _variant(match.match.variant)
    named = house_of_match(match, base)
    if named is None:
        context = table_page(base, _same_table(match, base), client_key=new_key())
    else:
        ruleset = _resolved(named)
        # What the table agreed is in its rules already.
        draft = replace(_same_table(match, ruleset), house={})
        context = table_page(ruleset, draft, client_key=new_key(), code=encode(named))
        context = replace(context, action=url_for(".start", ruleset_id=base.id))
    return _table(context)


def _table(context: NewMatchPage, *, status: int = 200) -> Response:
    """Show the table, with the people that this phone knows to choose from."""
    known = names_of_device(db.session, device())
    return page(TEMPLATE, replace(context, known_names=known), status=status)


@dataclass(frozen=True, slots=True)
class _Rules:
    """The rules that a table sits down to: a variant, or a house's own."""

    ruleset: Ruleset
    named: HouseRules | None = None
    code: str = ""


def _rules(ruleset_id: str) -> _Rules:
    """Give a variant, or the house rules that the page carries along as a code."""
    base = _variant(ruleset_id)
    code = request.form.get("r", "") or request.args.get("r", "")
    if not code:
        return _Rules(base)
    try:
        named = decode(code)
    except BadCode:
        abort(404)
    if named.variant != ruleset_id:
        abort(404)
    return _Rules(_resolved(named), named, code)


def _resolved(named: HouseRules) -> Ruleset:
    ruleset, _ = resolve(named, library())
    return ruleset or abort(404)


def _variant(ruleset_id: str) -> Ruleset:
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
        marks=tuple(match.match.marks(match.log.marks).values()),
    )
