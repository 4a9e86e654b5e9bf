"""The host's pages of a tournament night: how it starts, who won at each table, the rounds, and the pairs."""

from flask import Blueprint, Response, abort, request, url_for

from scorekeeper.extensions import db
from scorekeeper.ladder import changes
from scorekeeper.ladder.changes import NightChange
from scorekeeper.ledger.refusals import Refused, refuse_any
from scorekeeper.ledger.roles import OWNER, SCORER, WATCHER
from scorekeeper.ledger.signatures import signature
from scorekeeper.rules.faults import Fault
from scorekeeper.services import nights
from scorekeeper.services.night_matches import match_codes, start_match_at
from scorekeeper.services.nights import NightAtHand, StaleNight
from scorekeeper.web.nights.delete_page import whole_night
from scorekeeper.web.nights.form import (
    NightForm,
    read_night_form,
    read_number,
    read_players,
    read_result,
    read_tables,
    read_winner,
    wrong_tables,
)
from scorekeeper.web.nights.host_page import host_page
from scorekeeper.web.nights.list_page import correct_page, list_page
from scorekeeper.web.nights.new_page import agree_page, new_night_page, night_settings_page
from scorekeeper.web.nights.pairs_page import pairs_page, seating_page
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.form_keys import posted_key, posted_version
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.nights import is_unchanged, load_night, write_night
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.respond import nothing_new, render_page, see_other, wants_fragment

bp = Blueprint("nights", __name__, url_prefix="/nights")

HOST, PAIRS, SEATING = "nights/host.html", "nights/pairs.html", "nights/seating.html"
NEW, SETTINGS, CORRECT = "nights/new.html", "nights/settings.html", "nights/correct.html"
DELETED, AGREE = "nights/deleted.html", "nights/agree.html"


@bp.get("/new")
def new() -> Response:
    """Show the form by which a night starts."""
    return render_page(NEW, new_night_page(NightForm()))


@bp.post("/new")
def new_submit() -> Response:
    """Start a night, once all that its game leaves open is answered, and go on to its pairs."""
    form, pressed = read_night_form(), request.form.get("do", "")
    if pressed == "change":
        return render_page(NEW, new_night_page(form))
    rounds, size = read_number(form.rounds), read_number(form.size)
    try:
        nights.refuse_wrong_night(form.title, rounds, size)
        refuse_any(form.find_size_faults())
    except Refused as refused:
        return render_page(NEW, new_night_page(form, refused.reasons), status=422)
    if form.game and form.left_open:
        faults = list(form.find_answer_faults()) if pressed == "start" else []
        if faults or pressed != "start":
            return render_page(AGREE, agree_page(form, form.game, faults), status=422 if faults else 200)
    code = nights.start_night(
        db.session,
        device(),
        title=form.title,
        rounds=rounds,
        size=size,
        variant=form.variant,
        house=form.game.house if form.game else {},
        client_key=posted_key(),
    )
    return see_other(url_for(".pairs", code=code))


@bp.get("/<code>/")
@requires(WATCHER)
def show(code: str) -> Response:
    """Show the host's page, which polls for what other phones write; whoever only watches sees where to sit."""
    if is_unchanged(code):
        return nothing_new()
    found = load_night(code, may_be_deleted=True)
    if found.night.is_deleted:
        return see_other(url_for(".show", code=code)) if wants_fragment() else render_page(DELETED, whole_night(found))
    if not found.link.may_score:
        return see_other(url_for("night_seats.show", code=code))
    if not found.night.rounds:
        return see_other(url_for(".pairs", code=code))
    return _host(found)


def _host(found: NightAtHand, notice: str = "", status: int = 200) -> Response:
    codes = match_codes(db.session, found, device())
    return render_page(HOST, host_page(found, codes, notice), block=("board", "bottom_bar"), status=status)


def _written(code: str, change: NightChange, *, table: int = 0) -> Response:
    """Write what a form of the host's page asks for, and show that page."""
    try:
        found = write_night(code, change, version=posted_version() or None)
    except StaleNight as stale:
        notice = "Someone else wrote first. Check the tables, then tap again."
        return _host(stale.found, notice, 409) if stale.found.night.rounds else see_other(url_for(".show", code=code))
    except Refused as refused:
        found = load_night(code)
        if found.night.rounds:
            return _host(found, str(refused), 422)
        raise
    if wants_fragment() and found.night.rounds:
        return _host(found)
    return see_other(url_for(".show", code=code, _anchor=f"t{table}" if table else None))


@bp.post("/<code>/rounds/<int:number>/tables/<int:table>")
@requires(SCORER)
def win(code: str, number: int, table: int) -> Response:
    """Write who won at a table, or clear it."""
    return _written(code, changes.winning(number, table, read_winner()), table=table)


@bp.post("/<code>/rounds")
@requires(SCORER)
def start_round(code: str) -> Response:
    """Let everybody move, and start the next round."""
    return _written(code, nights.drawing_round(request.form.get("round", 0, type=int)))


@bp.post("/<code>/rounds/<int:number>/undo")
@requires(OWNER)
def undo_round(code: str, number: int) -> Response:
    """Undo a round whole, with its results."""
    return _written(code, changes.taking_back_round(number))


@bp.post("/<code>/undo")
@requires(SCORER)
def undo(code: str) -> Response:
    """Undo what was written last."""
    return _written(code, changes.undoing())


@bp.post("/<code>/redo")
@requires(SCORER)
def redo(code: str) -> Response:
    """Restore what the last undo undid."""
    return _written(code, changes.redoing())


@bp.post("/<code>/tables/<int:table>/match")
@requires(SCORER)
def keep_match(code: str, table: int) -> Response:
    """Start a match at a table, whose verdict will be the result, and open it."""
    match = start_match_at(db.session, library(), code, table, client_key=posted_key(), actor=signature(device()))
    return see_other(url_for("matches.show", code=match))


@bp.get("/<code>/list")
@requires(WATCHER)
def results(code: str) -> Response:
    """Show who stands where, and who won so far."""
    return render_page("nights/list.html", list_page(load_night(code)))


@bp.get("/<code>/rounds/<int:number>/tables/<int:table>")
@requires(SCORER)
def correct(code: str, number: int, table: int) -> Response:
    """Show the form that says how a game ended, or corrects it, and what that changes."""
    return render_page(CORRECT, correct_page(load_night(code), number, table) or abort(404))


@bp.post("/<code>/rounds/<int:number>/tables/<int:table>/result")
@requires(SCORER)
def save_result(code: str, number: int, table: int) -> Response:
    """Write who won at a table, and how it ended; for a round that is over, go back to the list."""
    of = load_night(code).night.round(number)
    game = (of.game(table) if of else None) or abort(404)
    result = read_result(game.pairs)
    try:
        found = write_night(code, changes.winning(number, table, result.winner, scores=result.scores()))
    except Refused as refused:
        page = correct_page(load_night(code), number, table, result, refused.reasons) or abort(404)
        return render_page(CORRECT, page, status=422)
    if found.night.current and number < found.night.current.number:
        return see_other(url_for(".results", code=code))
    return see_other(url_for(".show", code=code, _anchor=f"t{table}"))


@bp.get("/<code>/pairs")
@requires(SCORER)
def pairs(code: str) -> Response:
    """Show who plays tonight."""
    return render_page(PAIRS, pairs_page(load_night(code)))


@bp.post("/<code>/pairs")
@requires(SCORER)
def add_pair(code: str) -> Response:
    """Add a pair: before the start, or late."""
    players = read_players()
    try:
        write_night(code, changes.arriving(players))
    except Refused as refused:
        return render_page(PAIRS, pairs_page(load_night(code), players, refused.reasons), status=422)
    return see_other(url_for(".pairs", code=code, _anchor="players-0"))


@bp.post("/<code>/pairs/<int:pair>")
@requires(SCORER)
def change_pair(code: str, pair: int) -> Response:
    """Let a pair leave or come back, or change its names."""
    wanted = {
        "leave": changes.leaving(pair),
        "back": changes.coming_back(pair),
        "rename": changes.renaming_pair(pair, read_players()),
    }
    change = wanted.get(request.form.get("do", "")) or abort(400)
    try:
        write_night(code, change)
    except Refused as refused:
        return render_page(PAIRS, pairs_page(load_night(code), (), _nowhere(refused)), status=422)
    return see_other(url_for(".pairs", code=code))


def _nowhere(refused: Refused) -> list[Fault]:
    """Return what is wrong without the fields of the form in which it is not."""
    return [Fault("", fault.code, fault.message) for fault in refused.reasons]


@bp.get("/<code>/seating")
@requires(OWNER)
def seating(code: str) -> Response:
    """Show the form by which somebody places the pairs by hand."""
    found = load_night(code)
    if found.night.rounds or len(found.night.present) < 2:
        return see_other(url_for(".show", code=code))
    return render_page(SEATING, seating_page(found))


@bp.post("/<code>/start")
@requires(OWNER)
def start(code: str) -> Response:
    """Seat the pairs for round 1: drawn by lot, or as they were placed."""
    if request.form.get("do") != "hand":
        return _written(code, nights.drawing_tables())
    found = load_night(code)
    chosen, tables, sits_out = read_tables(found.night)
    wrong = wrong_tables(found.night, chosen)
    faults: tuple[Fault, ...] = (Fault("", "tables", wrong),) if wrong else ()
    if not faults:
        try:
            write_night(code, changes.starting(tables, sits_out, by_lot=False))
        except Refused as refused:
            faults = refused.reasons
    if faults:
        return render_page(SEATING, seating_page(found, chosen, faults), status=422)
    return see_other(url_for(".show", code=code))


@bp.get("/<code>/settings")
@requires(OWNER)
def settings(code: str) -> Response:
    """Show what can be changed of a night."""
    return render_page(SETTINGS, night_settings_page(load_night(code)))


@bp.post("/<code>/settings")
@requires(OWNER)
def save_settings(code: str) -> Response:
    """Change the name of a night and its number of rounds, or end it, or go on with it."""
    match request.form.get("do", ""):
        case "end":
            return _written(code, changes.ending())
        case "resume":
            return _written(code, changes.resuming())
        case _:
            form = read_night_form()
            try:
                nights.change_settings(
                    db.session,
                    code,
                    title=form.title,
                    rounds=read_number(form.rounds),
                    client_key=posted_key(),
                    actor=signature(device()),
                )
            except Refused as refused:
                page = night_settings_page(load_night(code), (form.title, form.rounds), refused.reasons)
                return render_page(SETTINGS, page, status=422)
            return see_other(url_for(".show", code=code))


@bp.get("/<code>/delete")
@requires(OWNER)
def delete(code: str) -> Response:
    """Show the question before the night is deleted."""
    return render_page("nights/delete.html", whole_night(load_night(code)))


@bp.post("/<code>/delete")
@requires(OWNER)
def delete_submit(code: str) -> Response:
    """Delete the night; it can be restored."""
    write_night(code, changes.deleting())
    return see_other(url_for("home.index", gone_night=code))


@bp.post("/<code>/restore")
@requires(OWNER)
def restore(code: str) -> Response:
    """Restore a night that was deleted."""
    write_night(code, changes.restoring())
    return see_other(url_for(".show", code=code))
