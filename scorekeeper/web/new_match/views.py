"""A new match, in two steps: the game, then the table."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, request, url_for

from scorekeeper.extensions import db
from scorekeeper.ledger.refusals import Refused
from scorekeeper.narration.rule_changes import changed_rules
from scorekeeper.rules.codes import encode, encode_shortened
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.house_rules import derive_house_rules, with_answers, with_house
from scorekeeper.rules.questions import word_of
from scorekeeper.services.book_list import names_in_book
from scorekeeper.services.book_matches import usable_books
from scorekeeper.services.books import BookAccess
from scorekeeper.services.house_rules import house_of_match
from scorekeeper.services.match_list import MOST_NAMES, names_of_device, remember_match
from scorekeeper.services.night_matches import has_title_of_night
from scorekeeper.services.own_book import NO_BOOK
from scorekeeper.services.start_match import start_match
from scorekeeper.web.find_game.form import PLAYERS_FIELD
from scorekeeper.web.find_game.views import show_finder
from scorekeeper.web.match.views import to_match
from scorekeeper.web.match_book.page import FIELD as BOOK_FIELD
from scorekeeper.web.match_book.page import book_question
from scorekeeper.web.new_match.draft import begin_anew, forget_draft, keep_draft, moving_people, read_draft
from scorekeeper.web.new_match.first_dealer import remember_pick, remembered_pick
from scorekeeper.web.new_match.form import ANSWER_PREFIX, NEW_PICK_FIELD, PICKS, TableForm, form_of_match, read_form
from scorekeeper.web.new_match.page import table_page
from scorekeeper.web.new_match.way_in import AGAIN_FIELD, CHANGED_FIELD, CODE_FIELD, WayIn, read_way_in, way_in
from scorekeeper.web.rules.source import TABLE_FIELD
from scorekeeper.web.shared.device import actor, device, new_form_key, posted_key
from scorekeeper.web.shared.library import library, variant_or_404
from scorekeeper.web.shared.places import load_match
from scorekeeper.web.shared.respond import render_page, see_other

bp = Blueprint("new", __name__, url_prefix="/new")


@bp.get("")
def choose() -> Response:
    """Show the games, those first that fit what the address says of the table."""
    if not request.args:
        begin_anew()
    return show_finder("play")


@bp.get("/<ruleset_id>")
def table(ruleset_id: str) -> Response:
    """Show the form of the table, with what was typed before another page was opened, and the answers of a link."""
    way = read_way_in(ruleset_id)
    args = {name: text for name, text in request.args.items() if not name.startswith(ANSWER_PREFIX)}
    fields = {**moving_people(), **args, **read_draft(way)}
    return _show(way, way.under(read_form(way.ruleset, fields)), new_form_key(), book=fields.get(BOOK_FIELD, ""))


@bp.post("/<ruleset_id>")
def start(ruleset_id: str) -> Response:
    """Start the match, or show another number of seats."""
    way, key = read_way_in(ruleset_id), posted_key()
    form = way.under(read_form(way.ruleset, request.form))
    if (leaving := request.form.get("do", "")) in ("change", "read"):
        keep_draft(way, request.args, request.form, moves=leaving == "change")
        return see_other(_rules_page(way, form) if leaving == "read" else _finder(form))
    if (pick := request.form.get(NEW_PICK_FIELD, "")) in PICKS and form.pick:
        remember_pick(pick)
        return _show(way, form.picked(pick), key)
    if leaving != "start":
        return _show(way, form, key)
    if faults := list(form.find_faults()):
        return _show(way, form, key, faults)
    try:
        match = start_match(
            db.session,
            library(),
            variant=ruleset_id,
            client_key=key,
            house=with_answers(way.house, form.house, library())[0].options,
            players=form.players,
            sides=form.sides,
            first_dealer=form.first_dealer,
            title=form.title,
            named=way.named,
            marks=form.marks,
            start=form.start,
            device=device(),
            book=request.form.get(BOOK_FIELD, ""),
            actor=actor(),
        )
    except Refused as refused:
        return _show(way, form, key, refused.reasons)
    remember_match(db.session, device(), match)
    forget_draft()
    return to_match(match)


@bp.get("/again/<code>")
def again(code: str) -> Response:
    """Show a table at which the same people sit down to the rules that a match ended with, or stands at."""
    match = load_match(code)
    base = variant_or_404(match.setup.variant)
    house_rules = house_of_match(match, base)
    args = {AGAIN_FIELD: code}
    if changed_rules(match.rules, match.state.ruleset):
        args[CHANGED_FIELD] = "yes"
    if house_rules is None:
        answers = derive_house_rules(match.state.ruleset, base).options
        args |= {f"{ANSWER_PREFIX}{name}": word_of(answer) for name, answer in answers.items()}
    else:
        args[CODE_FIELD] = encode(house_rules)
    way = way_in(base.id, args.get(CODE_FIELD, ""), args)
    # Two changes of a match may be more than one set of house rules can say.
    lost = changed_rules(with_house(way.ruleset, way.link)[0], match.state.ruleset)
    way = replace(way, left_out=(*way.left_out, *lost))
    if typed := read_draft(way):
        return _show(way, way.under(read_form(way.ruleset, typed)), new_form_key(), book=typed.get(BOOK_FIELD, ""))
    form = form_of_match(match, way.ruleset, remembered_pick())
    if has_title_of_night(db.session, match):
        form = replace(form, title="")
    return _show(way, way.under(form), new_form_key())


def _show(
    way: WayIn, form: TableForm, client_key: str, faults: Sequence[Fault] = (), *, book: str | None = None
) -> Response:
    books = usable_books(db.session, device())
    asked = request.form.get(BOOK_FIELD, "") if book is None else book
    chosen = asked if asked == NO_BOOK or any(asked == access.code for access in books) else ""
    context = table_page(
        form,
        client_key,
        way,
        known_names=_known_names(books),
        book=book_question(books, chosen or books[0].code) if books else None,
        faults=faults,
    )
    return render_page("new_match/table.html", context, status=422 if faults else 200)


def _known_names(books: Sequence[BookAccess]) -> tuple[str, ...]:
    """Return whom to offer where a name is typed: who played on this phone last, then who else is in its book."""
    names = names_of_device(db.session, device())
    if len(names) < MOST_NAMES and books:
        names = (*names, *names_in_book(db.session, books[0].id))
    return tuple(dict.fromkeys(names))[:MOST_NAMES]


def _finder(form: TableForm) -> str:
    """Return the address at which so many look for another game."""
    players: dict[str, Any] = {PLAYERS_FIELD: len(form.names)}
    return url_for(".choose", **players)


def _rules_page(way: WayIn, form: TableForm) -> str:
    """Return the address of the rules as the table has agreed them, from which it finds back."""
    words: dict[str, Any] = {TABLE_FIELD: way.address}
    if way.named:
        agreed, _ = with_answers(way.named, form.house, library())
        return url_for("rules.index", r=encode_shortened(agreed), **words)
    words |= {name: word_of(answer) for name, answer in form.house.items()}
    return url_for("rules.show", ruleset_id=way.ruleset.id, **words)
