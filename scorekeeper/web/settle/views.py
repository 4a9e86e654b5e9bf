"""Who won: the page on which one hand is typed in, and its ruling."""

from dataclasses import replace

from flask import Blueprint, Response, abort, request, url_for
from werkzeug.exceptions import UnprocessableEntity

from scorekeeper.extensions import db
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.roles import WATCHER
from scorekeeper.services.match_list import matches_of_device
from scorekeeper.web.find_game import BLOCKS, part_or, read_finder
from scorekeeper.web.settle.form import (
    ASKS_FIELD,
    REST_FIELD,
    RULING,
    SHAPE_FIELD,
    SHOW_FIELD,
    WAY_FIELD,
    BadAddress,
    SettleForm,
    empty_settle_form,
    read_form,
    says_rules,
)
from scorekeeper.web.settle.hand import entry_of, settle
from scorekeeper.web.settle.of_match import form_of_hand, rules_in_match
from scorekeeper.web.settle.page import question_fingerprint, settle_page
from scorekeeper.web.settle.rules_page import MOST_USED, used_rules
from scorekeeper.web.settle.ruling_page import ruling_page
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.errors import ErrorText, error_response
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_match
from scorekeeper.web.shared.respond import render_page, replace_address, see_other

bp = Blueprint("settle", __name__)

_UNREADABLE = ErrorText(
    "Can’t read this link",
    "Part of this link is missing or can’t be read.",
    "Ask for the link again, or type in the hand yourself under “Who won?”.",
)


_NOT_SETTLED = ErrorText(
    "Can’t settle this hand",
    "There is nothing to settle in this hand, or its rules fit into no link.",
    "Open “Who won?” on the home page, and type it in.",
)


@bp.get("/settle")
def show() -> Response:
    """Show the hand of the address, with what comes of it; without rules those that this phone used last."""
    if not says_rules(request.args):
        return _start()
    try:
        form = read_form(request.args, library(), len(request.query_string))
    except BadAddress as bad:
        return _refused(bad)
    if request.args.get(SHAPE_FIELD, form.shape) != form.shape or request.args.get(WAY_FIELD):
        return see_other(address(form))
    if rest_to := request.args.get(REST_FIELD):
        return see_other(address(replace(form, hand=entry_of(form).with_rest(rest_to).form)))
    has_faults = any((*form.name_faults(), *form.number_faults()))
    settled = settle(form if not has_faults else _sound(form))
    is_whole = ASKS_FIELD not in request.args or bool(request.args.get(SHOW_FIELD))
    if request.args.get(SHOW_FIELD) == RULING and settled.ruling and not has_faults:
        return render_page("settle/ruling.html", ruling_page(form, settled, settled.ruling))
    page = settle_page(form, settled, is_asked=request.args.get(SHOW_FIELD) == RULING)
    has_same_questions = request.args.get(ASKS_FIELD) == question_fingerprint(form, settled.entry)
    blocks = (
        ["live", "note", "bottom_bar"]
        if has_same_questions
        else ["live", "bottom_bar", "hand_form", "before", "seldom"]
    )
    is_wrong = has_faults or bool(settled.faults)
    response = render_page("settle/show.html", page, block=blocks, status=422 if is_wrong and is_whole else 200)
    return replace_address(response, address(form))


@bp.get("/settle/share")
def share() -> Response:
    """Show the ruling as a text with its link, to be sent."""
    try:
        form = read_form(request.args, library(), len(request.query_string))
    except BadAddress as bad:
        return _refused(bad)
    settled = settle(form) if not any((*form.name_faults(), *form.number_faults())) else None
    if settled is None or settled.ruling is None:
        return see_other(address(form))
    return render_page("settle/share.html", ruling_page(form, settled, settled.ruling))


@bp.get("/settle/rules")
def choose() -> Response:
    """Show the games to settle a hand by, those last used first."""
    used = used_rules(_matches())
    return render_page(part_or("settle/rules.html"), block=BLOCKS, finder=read_finder("settle"), used=used)


@bp.get("/matches/<code>/hands/<int:uid>/settle")
@requires(WATCHER)
def of_match(code: str, uid: int) -> Response:
    """Lead to the address that settles a hand of a match, filled in."""
    result = load_match(code).result(uid)
    if result is None:
        abort(404)
    form = form_of_hand(load_match(code), result)
    return see_other(address(form)) if form else error_response(UnprocessableEntity(), _NOT_SETTLED, match_code=code)


def _start() -> Response:
    if request.args:
        return _refused(BadAddress("This link does not say which rules it is about."))
    for match in _matches():
        if rules := rules_in_match(match.state.ruleset):
            return see_other(address(empty_settle_form(rules)))
    return see_other(url_for(".choose"))


def _matches() -> list[Match]:
    listed = matches_of_device(db.session, device(), at_most=MOST_USED)
    return [item.match for item in listed if item.match]


def address(form: SettleForm) -> str:
    """Return the address of a hand."""
    return url_for("settle.show", **form.address_fields())


def _sound(form: SettleForm) -> SettleForm:
    """Return the form without the numbers before the hand, where something is wrong with one of them."""
    blank = ("",) * len(form.side_ids)
    return replace(form, scores=blank, sets=blank, hands="")


def _refused(bad: BadAddress) -> Response:
    return error_response(UnprocessableEntity(), replace(_UNREADABLE, problem=str(bad)))
