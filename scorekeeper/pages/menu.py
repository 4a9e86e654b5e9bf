"""The menu of a match, and the forms for its names and markers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from flask import Blueprint, Response, abort, request, session

from scorekeeper import hooks
from scorekeeper.access.phones import phones_of
from scorekeeper.book.book_matches import book_of_match_on_phone
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import Refused
from scorekeeper.matches.events import marker_change, rename_change
from scorekeeper.matches.files.import_export import export_match, record_as_text
from scorekeeper.matches.fold import Match
from scorekeeper.matches.log import REMARK_FIELDS
from scorekeeper.matches.notices import match_title, rules_words, side_views
from scorekeeper.matches.phones import share_match
from scorekeeper.pages.new_match.form import NOTE_FIELD
from scorekeeper.pitch.drawings.markers import NUMBER_OF_SHAPES, SideView
from scorekeeper.pitch.rules.entered_text import normalize_line_breaks, normalize_spaces
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.phrases import digits
from scorekeeper.pitch.sheets.house_frame import house_frame
from scorekeeper.pitch.sheets.parts import SheetWriter
from scorekeeper.pitch.text.phrases import marker_name
from scorekeeper.printing import print_service
from scorekeeper.web.context import (
    book_label,
    device,
    for_owners,
    for_scorers,
    for_watchers,
    load_match,
    redirect_to_match,
    write_change,
)
from scorekeeper.web.library import library, standard_rules
from scorekeeper.web.respond import file_name, make_download, redirect_to, render_page
from scorekeeper.web.widgets import distinct_faults, faults_view

TITLE_FIELD, NAME_PREFIX = "title", "name-"
"""The form field of the match's title, and the prefix of a field for a name, before the id of a side or player."""


def _read_names(prefix: str = "") -> dict[str, str]:
    """Return what was typed in the posted form: names by the id of a side or player, remarks by their field.

    `prefix` stands before the names of all form fields.
    """
    texts = {name.removeprefix(prefix): text for name, text in request.form.items() if name.startswith(prefix)}
    return {
        name.removeprefix(NAME_PREFIX): normalize_line_breaks(text) if name == NOTE_FIELD else normalize_spaces(text)
        for name, text in texts.items()
        if name in REMARK_FIELDS or name.startswith(NAME_PREFIX)
    }


def named_id_of_fault(fault: Fault) -> str:
    """Return the id of the side or player that a fault is about, or else the first word of its field.

    In a record, an index stands for the id: `players.2` is the player `p3`, `sides.0.name` the side `s1`.
    """
    head, _, rest = fault.field.partition(".")
    number = rest.partition(".")[0]
    if number.isdigit() and (head == "players" or rest.endswith(".name")):
        return f"{head[0]}{int(number) + 1}"
    return rest if head == "names" else head


def _rules_summary(match: Match) -> str:
    """Return a match's rules and its number of house rules, in words: "Partnership Pitch, to 21, 2 changes"."""
    ruleset = match.state.ruleset
    changes = len(house_frame(SheetWriter(ruleset, standard_rules(ruleset))).changes)
    return ", ".join([rules_words(match.state), *([digits(changes, "change")] if changes else [])])


def _name_fields(match: Match) -> Iterator[tuple[str, str, str]]:
    """Yield what can be named in a match: its id or field, its kind ("Side") and its present name."""
    yield TITLE_FIELD, "Match", match_title(match)
    for side in match.setup.sides:
        if side.id.startswith("s"):
            yield side.id, "Side", match.names_now[side.id]
    for seat in match.setup.seats:
        yield seat.id, "Player", match.names_now[seat.id]


def _chosen_names(match: Match) -> dict[str, str]:
    """Return the names and remarks that people typed, by id or field; empty if never typed.

    A day that was never typed is the day on which the match began.
    """
    names = {**match.occasion.remarks, **match.names_now}
    setup, renamed = match.setup, match.log.renamed
    for side in setup.sides:
        if side.seats and side.id not in side.seats and not setup.chosen_name(side, renamed):
            names[side.id] = ""
    return names | {named_id: "" for named_id in setup.ids if setup.is_nameless(named_id, renamed)}


def _field_of_fault(fault: Fault) -> str:
    """Return the form field in which to correct a fault; empty if there is none."""
    who = named_id_of_fault(fault)
    return who if who in ("", *REMARK_FIELDS) else f"{NAME_PREFIX}{who}"


def _marker_choices(side: SideView, sides_by_marker: Mapping[int, SideView]) -> Iterator[tuple[int, str, SideView]]:
    """Yield each marker to choose from: its number, its label, and a side drawn with it."""
    # With more than six sides there are outlined markers, too.
    for number in range(1, NUMBER_OF_SHAPES * (1 if max(sides_by_marker) <= NUMBER_OF_SHAPES else 2) + 1):
        name = marker_name(number)
        look = sides_by_marker.get(number) or replace(
            side, shape=(number - 1) % NUMBER_OF_SHAPES + 1, is_outlined=number > NUMBER_OF_SHAPES
        )
        yield number, name if look.side_id == side.side_id else f"{name}, swapping with {look.name}", look


bp = Blueprint("menu", __name__, url_prefix="/matches/<code>")


@bp.get("/menu")
@for_watchers
def show(code: str) -> Response:
    """Show the menu of a match, and start the print process, as the menu leads to printing."""
    print_service.start()
    match = load_match(code)
    link, may_go_on = match.link, not match.closed_reason()
    phones = [phone for phone in phones_of(db.session, match) if phone.has_access] if link.is_owner else []
    book = book_of_match_on_phone(db.session, device(), match) if link.is_owner else None
    return render_page(
        "menu/show.html",
        match=match,
        hands=match.state.next_number - 1,
        may_go_on=may_go_on,
        rules=_rules_summary(match),
        players=", ".join(view.people or view.name for view in side_views(match).values()),
        other_phones=sum(phone.link.id != link.id and not phone.link.is_shared for phone in phones),
        may_substitute=may_go_on
        and link.may_score
        and bool(match.setup.seats)
        and not match.state.ruleset.is_for_money,
        may_stop_or_resume=link.may_score
        and not (match.state.outcome or match.log.is_deleted)
        and not (match.log.is_stopped and hooks.has_gone_on(db.session, match)),
        book=book_label(book) if book else "",
        entries=[entry for entries in hooks.match_menu_entries for entry in entries(match)],
    )


@bp.get("/names")
@for_scorers
def names(code: str) -> Response:
    """Show the forms for the names in a match and for the markers of its sides."""
    return _show_names(load_match(code), {}, {})


def _show_names(
    match: Match, typed: Mapping[str, str], shown: Mapping[str, str], faults: Sequence[Fault] = ()
) -> Response:
    """Show the forms with the `typed` names, refused for these `faults`; `shown` are the names before typing."""
    sides = side_views(match)
    sides_by_marker = {side.shape + (NUMBER_OF_SHAPES if side.is_outlined else 0): side for side in sides.values()}
    return render_page(
        "menu/names.html",
        match=match,
        names=tuple(_name_fields(match)),
        typed=typed,
        shown=shown,
        now=_chosen_names(match),
        messages={named_id_of_fault(fault): fault.message for fault in faults},
        sides=sides,
        markers={side.side_id: tuple(_marker_choices(side, sides_by_marker)) for side in sides.values()},
        faults=faults_view("Not saved yet", distinct_faults(faults, _field_of_fault)),
    )


@bp.post("/names")
@for_owners
def rename(code: str) -> Response:
    """Save the names and remarks that were edited and redirect to the match, or show why none was saved."""
    typed, shown = _read_names(), _read_names("was-")
    # A name that was not edited is left out: another phone may have changed it meanwhile.
    names = {who: name for who, name in typed.items() if name != shown.get(who)}
    remarks = {name: names.pop(name) for name in REMARK_FIELDS if name in names}
    try:
        return redirect_to_match(write_change(code, rename_change(names, **remarks)))
    except Refused as refused:
        return _show_names(load_match(code), typed, shown, refused.reasons)


_ASKED_WHO_KEY = "asked_who"
"""The session's key for the last match whose form for names this phone has saved or skipped."""
_THEN_SHARE = "share"
"""The value of `then` that leads to the shared link; any other leads to the phones."""


@bp.get("/who")
@for_owners
def who(code: str) -> Response:
    """Show the form for names, before other phones see a match without names.

    If nothing is left to ask, redirect to the page that `then` in the URL names.
    """
    match, then = load_match(code), request.args.get("then", "")
    if not match.pronouns or session.get(_ASKED_WHO_KEY) == match.id:
        return _redirect_to_next(code, then)
    return _show_who(match, then, {})


@bp.post("/who")
@for_owners
def who_submit(code: str) -> Response:
    """Save the typed names unless skipped, and redirect to the posted page, or show why none was saved.

    If that page shares the match, a shared link is added unless there is one.
    """
    match, then, typed = load_match(code), request.form.get("then", ""), _read_names()
    if request.form.get("do") != "skip":
        try:
            match = write_change(code, rename_change({who: name for who, name in typed.items() if name}))
        except Refused as refused:
            return _show_who(match, then, typed, refused.reasons)
    session[_ASKED_WHO_KEY] = match.id
    if then == _THEN_SHARE:
        share_match(db.session, match)
    return _redirect_to_next(code, then)


def _show_who(match: Match, then: str, typed: Mapping[str, str], faults: Sequence[Fault] = ()) -> Response:
    """Show the form for names, filled in as typed; `then` is the page that follows."""
    return render_page(
        "menu/who.html",
        match=match,
        then=then,
        typed=typed,
        sides=side_views(match),
        messages={named_id_of_fault(fault): fault.message for fault in faults},
        faults=faults_view("Not saved yet", distinct_faults(faults, _field_of_fault)),
    )


def _redirect_to_next(code: str, then: str) -> Response:
    """Redirect to the page that shares the match if `then` says so, else to the connected phones."""
    return redirect_to("share.show" if then == _THEN_SHARE else "phones.show", code=code)


@bp.post("/marks")
@for_scorers
def choose_marker(code: str) -> Response:
    """Give the posted side a marker, and redirect to the match; 400 if refused.

    A side that has the marker gets the posted side's marker in exchange.
    """
    side, marker = request.form.get("side", ""), request.form.get("mark", 0, type=int)
    try:
        return redirect_to_match(write_change(code, marker_change(side, marker)))
    except Refused:
        abort(400)


@bp.get("/record.json")
@for_watchers
def download(code: str) -> Response:
    """Send the match as a JSON record to download, to keep or to import elsewhere."""
    match = load_match(code)
    record = export_match(db.session, library(), code)
    response = Response(record_as_text(record), mimetype="application/json")
    return make_download(response, file_name(match_title(match.with_pronouns("")), "json"))
