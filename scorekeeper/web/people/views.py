"""The people of a book: everybody, one of them, two pairs, a year, and who is who."""

from datetime import UTC, date, datetime
from typing import Any, Literal

from flask import Blueprint, Response, abort, request, url_for

from scorekeeper.extensions import db
from scorekeeper.ledger.refusals import Refused
from scorekeeper.ledger.roles import OWNER, WATCHER
from scorekeeper.services import people as service
from scorekeeper.services.book_matches import NotInBook, open_match
from scorekeeper.services.people import BookPeople
from scorekeeper.web.people.names_page import has_played, name_page, names_page
from scorekeeper.web.people.page import people_page
from scorekeeper.web.people.pairs_page import head_to_head_page, meetings_page, read_team
from scorekeeper.web.people.person_page import person_page
from scorekeeper.web.people.year_page import year_page
from scorekeeper.web.shared.device import actor, device, posted_key
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import forget_book, load_book
from scorekeeper.web.shared.reader import date_style
from scorekeeper.web.shared.respond import render_page, see_other

bp = Blueprint("people", __name__, url_prefix="/books/<code>")


def _people(code: str) -> BookPeople:
    return service.people_of(db.session, load_book(code))


def _today() -> date:
    return datetime.now(UTC).astimezone().date()


@bp.get("/people")
@requires(WATCHER)
def everybody(code: str) -> Response:
    """Show who plays, and how often each has won."""
    return render_page("people/list.html", people_page(_people(code), _today().year))


@bp.get("/people/<person>")
@requires(WATCHER)
def one(code: str, person: str) -> Response:
    """Show what one person has played; a name that was joined leads to whom it was joined to."""
    people = _people(code)
    root = people.book.people.root(person)
    if root not in people.names:
        abort(404)
    if root != person:
        return see_other(url_for(".one", code=code, person=root))
    return render_page("people/person.html", person_page(people, person, date_style()))


@bp.get("/pairs")
@requires(WATCHER)
def pairs(code: str) -> Response:
    """Show what two sides came to; with one of them, or none, which have met."""
    people, one, other = _people(code), read_team(request.args.get("a", "")), read_team(request.args.get("b", ""))
    if not set(one) | set(other) <= set(people.names):
        abort(404)
    if one and other:
        page = head_to_head_page(people, one, other, date_style()) or abort(404)
        return render_page("people/pairs.html", page)
    return render_page("people/meetings.html", meetings_page(people, one))


@bp.get("/pairs/again/<uid>")
@requires(WATCHER)
def again(code: str, uid: str) -> Response:
    """Begin a match with the people and the rules of another one."""
    try:
        return see_other(url_for("new.again", code=open_match(db.session, load_book(code), device(), uid)))
    except NotInBook:
        abort(404)


@bp.get("/years/<int:year>")
@requires(WATCHER)
def one_year(code: str, year: int) -> Response:
    """Show a year at the table."""
    page = year_page(_people(code), year, _today(), date_style()) or abort(404)
    return render_page("people/year.html", page)


@bp.get("/names")
@requires(OWNER)
def names(code: str) -> Response:
    """Show who is who."""
    return render_page("people/names.html", names_page(_people(code), request.args.get("done", "")))


@bp.get("/names/<person>")
@requires(OWNER)
def name(code: str, person: str) -> Response:
    """Show one name, and what can be done about it."""
    people = _people(code)
    if not has_played(people, person):
        abort(404)
    page = name_page(people, person, date_style(), done=request.args.get("done", ""))
    return render_page("people/name.html", page)


@bp.post("/names/<person>")
@requires(OWNER)
def change(code: str, person: str) -> Response:
    """Rename somebody, join the name to another, take it apart, delete or restore it."""
    if not has_played(_people(code), person):
        abort(404)
    form, signed = request.form, {"client_key": posted_key(), "actor": actor()}
    do, typed = form.get("do", ""), " ".join(form.get("name", "").split())
    is_from_now = form.get("since") == "now"
    shown, session = person, db.session
    try:
        match do:
            case "rename":
                since = _today().isoformat() if is_from_now else None
                service.rename_person(session, code, person, typed, since, **signed)
            case "join":
                service.join_people(session, code, person, form.get("into", ""), **signed)
                shown = form.get("into", "")
            case "part":
                service.part_person(session, code, form.get("joined", ""), **signed)
            case "delete":
                service.delete_name(session, code, person, **signed)
            case "restore":
                service.restore_name(session, code, person, **signed)
            case "other":
                service.assign_other(session, code, person, form.get("match", ""), **signed)
            case _:
                abort(400)
    except Refused as refused:
        said: dict[str, Any] = {"refusal": str(refused)}
        if do == "rename":
            said = {"typed": typed, "is_from_now": is_from_now, "fault": str(refused)}
        page = name_page(_people(code), person, date_style(), **said)
        return render_page("people/name.html", page, status=422)
    forget_book()
    if has_played(_people(code), shown):
        return see_other(url_for(".name", code=code, person=shown, done=do))
    return see_other(url_for(".names", code=code, done=do))


@bp.post("/names/undo")
@requires(OWNER)
def undo(code: str) -> Response:
    """Undo what was said of people last."""
    return _undo(code, "undo")


@bp.post("/names/redo")
@requires(OWNER)
def redo(code: str) -> Response:
    """Redo what was undone last."""
    return _undo(code, "redo")


def _undo(code: str, how: Literal["undo", "redo"]) -> Response:
    target = request.form.get("target", 0, type=int)
    service.undo_names(db.session, code, target, how, client_key=posted_key(), actor=actor())
    forget_book()
    return see_other(url_for(".names", code=code, done=how))
