"""A match's menu, with what can be done with it, and the page of its names and markers."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from flask import Blueprint, Response, abort, make_response, request

from scorekeeper.extensions import db
from scorekeeper.graphics.markers import SHAPES, SideView
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.facts import marking, renaming
from scorekeeper.ledger.limits import NAME_LENGTH, TITLE_LENGTH
from scorekeeper.ledger.refusals import Refused
from scorekeeper.ledger.roles import OWNER, SCORER, WATCHER
from scorekeeper.narration.phrases import marker_name
from scorekeeper.printing import print_service
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.phrases import digits
from scorekeeper.services.book_matches import book_on_phone
from scorekeeper.services.import_export import export_match
from scorekeeper.services.money_nights import may_change_players
from scorekeeper.services.nights import night_on_phone
from scorekeeper.services.phones import phones_of
from scorekeeper.sheets.house_frame import house_frame
from scorekeeper.sheets.parts import SheetWriter
from scorekeeper.web.shared.context import book_label, device, load_match, requires, to_match, write_change
from scorekeeper.web.shared.library import library, standard_rules
from scorekeeper.web.shared.match_views import match_title, rules_words, side_views
from scorekeeper.web.shared.respond import attachment, file_name, render_page
from scorekeeper.web.shared.widgets import each_once, faults_view

TITLE = "title"


@dataclass(frozen=True, slots=True)
class NamesForm:
    """Names by the id of a side or a player, or `TITLE`."""

    typed: Mapping[str, str] = field(default_factory=dict)
    shown: Mapping[str, str] = field(default_factory=dict)
    """What the page showed before."""

    @property
    def changed(self) -> dict[str, str]:
        """What differs from what the page showed: another phone may have changed the rest meanwhile."""
        return {who: name for who, name in self.typed.items() if name != self.shown.get(who)}


def field_name(who: str) -> str:
    """Return the name of the field for a title, a side or a player."""
    return who if who == TITLE else f"name-{who}"


def read_names(form: Mapping[str, str]) -> NamesForm:
    """Return the names that were posted, without needless spaces."""
    names = {name: " ".join(text.split()) for name, text in form.items()}
    return NamesForm(_with_prefix(names, ""), _with_prefix(names, "was-"))


def _with_prefix(names: Mapping[str, str], prefix: str) -> dict[str, str]:
    players = f"{prefix}{field_name('')}"
    found = {name.removeprefix(players): text for name, text in names.items() if name.startswith(players)}
    title = names.get(f"{prefix}{TITLE}")
    return found if title is None else {TITLE: title, **found}


def named_in(fault: Fault) -> str:
    """Return the id of the side or player that a fault is about, or `TITLE`.

    Faults of a match as a whole count sides and players from 0: `players.2`, `sides.0.name`.
    """
    head, _, rest = fault.field.partition(".")
    number = rest.partition(".")[0]
    if number.isdigit() and (head == "players" or rest.endswith(".name")):
        return f"{head[0]}{int(number) + 1}"
    return rest if head == "names" else head


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerChoice:
    """One marker that a side may take."""

    number: int
    label: str
    """"square, in exchange with Them"."""
    side: SideView
    """The side that has it now, or the side itself as it would look."""
    is_current: bool
    """Whether it is the side's own."""


def _rules(match: Match) -> str:
    ruleset = match.state.ruleset
    changes = len(house_frame(SheetWriter(ruleset, standard_rules(ruleset))).changes)
    return ", ".join([rules_words(match.state), *([digits(changes, "change")] if changes else [])])


def _names(match: Match) -> Iterator[tuple[str, str, str]]:
    """Yield what can be named, what it is, and what it is called where nothing is typed."""
    yield TITLE, "Match", match_title(match)
    for side in match.setup.sides:
        if side.id.startswith("s"):
            yield side.id, "Side", match.names_now[side.id]
    for seat in match.setup.seats:
        yield seat.id, "Player", match.names_now[seat.id]


def _chosen_names(match: Match) -> dict[str, str]:
    """Return the title and all names; empty for a side that is called by its players."""
    now = {TITLE: match.title, **match.names_now}
    for side in match.setup.sides:
        if side.seats and side.id not in side.seats and not match.setup.chosen_name(side, match.log.renamed):
            now[side.id] = ""
    return now


def _field_of(fault: Fault) -> str:
    who = named_in(fault)
    return field_name(who) if who else ""


def _markers(match: Match) -> list[tuple[SideView, list[MarkerChoice]]]:
    """Return every side with the six shapes, and outlined ones as well where more than six sides play."""
    sides = tuple(side_views(match).values())
    owners = {_number(side): side for side in sides}
    offered = range(1, (SHAPES if max(owners) <= SHAPES else 2 * SHAPES) + 1)
    return [(side, [_choice(side, number, owners) for number in offered]) for side in sides]


def _number(side: SideView) -> int:
    return side.mark + (SHAPES if side.is_outlined else 0)


def _choice(side: SideView, number: int, owners: Mapping[int, SideView]) -> MarkerChoice:
    owner = owners.get(number)
    exchange = f", swapping with {owner.name}" if owner and owner is not side else ""
    return MarkerChoice(
        number=number,
        label=f"{marker_name(number)}{exchange}",
        side=owner or replace(side, mark=(number - 1) % SHAPES + 1, is_outlined=number > SHAPES),
        is_current=owner is side,
    )


bp = Blueprint("menu", __name__, url_prefix="/matches/<code>")


@bp.get("/menu")
@requires(WATCHER)
def show(code: str) -> Response:
    """Show the menu, from which people also print."""
    print_service.start()
    match = load_match(code)
    link, is_on = match.link, not match.closed()
    phones = phones_of(db.session, match) if link.is_owner else ()
    book = book_on_phone(db.session, device(), match) if link.is_owner else None
    return render_page(
        "menu/show.html",
        match=match,
        hands=match.state.next_number - 1,
        is_on=is_on,
        rules=_rules(match),
        players=", ".join(view.people or view.name for view in side_views(match).values()),
        phones=sum(phone.is_connected for phone in phones),
        holder=match.names.get(link.seat or "", ""),
        may_sit_in=is_on and link.may_score and bool(match.setup.seats) and not match.state.ruleset.pays,
        may_join_or_leave=link.may_score and may_change_players(match) and match.status == "in_progress",
        book=book_label(book) if book else "",
        night_code=night_on_phone(db.session, device(), match.id),
    )


@bp.get("/names")
@requires(SCORER)
def names(code: str) -> Response:
    """Show the names, and the markers of the sides."""
    return _names_page(load_match(code))


def _names_page(
    match: Match, form: NamesForm | None = None, faults: Sequence[Fault] = (), *, status: int = 200
) -> Response:
    """Answer with the names; `form` is what was typed, where it was refused for `faults`."""
    return render_page(
        "menu/names.html",
        match=match,
        names=tuple(_names(match)),
        form=form or NamesForm(),
        now=_chosen_names(match),
        messages={named_in(fault): fault.message for fault in faults},
        sides=side_views(match),
        name_length=NAME_LENGTH,
        title_length=TITLE_LENGTH,
        markers=_markers(match),
        faults=faults_view("Not saved yet", each_once((fault.message, _field_of(fault)) for fault in faults)),
        status=status,
    )


@bp.post("/names")
@requires(OWNER)
def rename(code: str) -> Response:
    """Change names, all or none."""
    form = read_names(request.form)
    names = form.changed
    title = names.pop(TITLE, None)
    try:
        return to_match(write_change(code, renaming(names, title)))
    except Refused as refused:
        return _names_page(load_match(code), form, refused.reasons, status=422)


@bp.post("/marks")
@requires(SCORER)
def choose_marker(code: str) -> Response:
    """Change the marker of a side; the side that had it takes the old one."""
    side, marker = request.form.get("side", ""), request.form.get("mark", 0, type=int)
    try:
        return to_match(write_change(code, marking(side, marker)))
    except Refused:
        abort(400)


@bp.get("/record.json")
@requires(WATCHER)
def download(code: str) -> Response:
    """Send the match as a record, to keep or to import elsewhere."""
    match = load_match(code)
    record = export_match(db.session, library(), code)
    response = make_response(json.dumps(record, ensure_ascii=False, indent=2) + "\n")
    response.mimetype = "application/json"
    return attachment(response, file_name(match_title(match), "json"))
