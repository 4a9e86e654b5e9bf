"""A match's menu: names, phones, what can be taken away or thrown away."""

import json

from flask import Blueprint, Response, make_response, request, url_for

from scorekeeper.extensions import db
from scorekeeper.printing import orders
from scorekeeper.rules.faults import Fault
from scorekeeper.services import matches
from scorekeeper.services.bounds import NAME_LENGTH, TITLE_LENGTH
from scorekeeper.services.load import LoadedMatch
from scorekeeper.services.records import export_match
from scorekeeper.services.refusals import Refused
from scorekeeper.services.roles import SCORER, allows
from scorekeeper.web.contexts.parts import (
    Action,
    BarView,
    FaultsView,
    FaultView,
    TextField,
    ThemeSwitch,
)
from scorekeeper.web.contexts.settings import SettingsPage
from scorekeeper.web.file_names import attachment, file_name
from scorekeeper.web.keys import actor, key_of, new_key
from scorekeeper.web.matches import to_match
from scorekeeper.web.present.board import match_title
from scorekeeper.web.present.marks import marks_view
from scorekeeper.web.present.sides import side_views
from scorekeeper.web.present.wording import counted
from scorekeeper.web.reached import reach
from scorekeeper.web.respond import page
from scorekeeper.web.rulesets import library
from scorekeeper.web.theme import theme

bp = Blueprint("settings", __name__, url_prefix="/matches/<code>")

_PREFIX, _WAS = "name-", "was-"


@bp.get("/menu")
def show(code: str) -> Response:
    """Show the menu, from which one also prints."""
    orders.get_ready()
    return page("match/settings.html", _page(reach(code), {}))


@bp.post("/menu")
def names(code: str) -> Response:
    """Take new names, all or none."""
    match = reach(code)
    typed = {key: " ".join(value.split()) for key, value in request.form.items()}
    wanted = _changed(typed)
    title = wanted.pop("title", None)
    try:
        changed = matches.rename(db.session, code, wanted, title=title, client_key=key_of(request), actor=actor())
    except Refused as refused:
        return page("match/settings.html", _page(match, typed, [item.fault for item in refused.faults]), status=422)
    return to_match(changed)


def _changed(typed: dict[str, str]) -> dict[str, str]:
    """Keep what differs from what the page showed: another phone may have changed the rest meanwhile."""
    return {
        field.removeprefix(_PREFIX): name
        for field, name in typed.items()
        if (field == "title" or field.startswith(_PREFIX)) and name != typed.get(f"{_WAS}{field}")
    }


def _shown(match: LoadedMatch) -> dict[str, str]:
    """Give the names that stand in the fields; a side that is called after its players has none of its own."""
    shown = dict(match.names)
    for side in match.match.sides:
        if side.seats and side.id not in side.seats and not match.match.own_name(side, match.log.renamed):
            shown[side.id] = ""
    return shown


def _page(match: LoadedMatch, typed: dict[str, str], faults: list[Fault] | None = None) -> SettingsPage:
    code = match.code
    fields = _fields(match, typed, faults or [])
    shown = {"title": match.title, **{f"{_PREFIX}{who}": name for who, name in _shown(match).items()}}
    was = ((f"{_WAS}{it.field}", typed.get(f"{_WAS}{it.field}", shown[it.field])) for it in fields)
    return SettingsPage(
        title="Menu",
        bar=BarView(
            title="Menu", sub=match_title(match), back_url=url_for("matches.show", code=code), back_label="Score"
        ),
        names_url=url_for(".names", code=code),
        hidden=(("client_key", new_key()), *was),
        names=fields if match.link.is_owner else (),
        phones=_phones(match),
        actions=_actions(match),
        delete=Action(label="Throw this match away", url=url_for("matches.delete", code=code), icon="bin")
        if match.link.is_owner
        else None,
        marks_url=url_for("marks.choose", code=code),
        marks_hidden=(("client_key", new_key()),),
        marks=marks_view(match) if allows(match.link.role, SCORER) else (),
        theme=ThemeSwitch(url=url_for("theme.choose_theme"), next_url=url_for(".show", code=code), chosen=theme()),
        faults=_faults_view(faults or []),
    )


def _fields(match: LoadedMatch, typed: dict[str, str], faults: list[Fault]) -> tuple[TextField, ...]:
    said = {_who(fault.field): fault.message for fault in faults}
    shown, views = _shown(match), side_views(match)
    title = TextField(
        field="title",
        label="Match",
        value=typed.get("title", match.title),
        placeholder=match_title(match),
        max_length=TITLE_LENGTH,
        fault=said.get("title", ""),
    )
    fields = [title]
    for who in (
        *(side.id for side in match.match.sides if side.id.startswith("s")),
        *(s.id for s in match.match.seats),
    ):
        name = match.names[who]
        side = views.get(name) or views.get(match.state.seats.side_of(name) or "")
        fields.append(
            TextField(
                field=f"{_PREFIX}{who}",
                label="Side" if who.startswith("s") else "Player",
                value=typed.get(f"{_PREFIX}{who}", shown[who]),
                placeholder=name,
                side=side,
                max_length=NAME_LENGTH,
                fault=said.get(who, ""),
            )
        )
    return tuple(fields)


def _faults_view(faults: list[Fault]) -> FaultsView | None:
    if not faults:
        return None
    places: dict[str, str] = {}
    for fault in faults:
        who = _who(fault.field)
        places.setdefault(fault.message, who if who == "title" else f"{_PREFIX}{who}" if who else "")
    items = tuple(FaultView(text=text, target=target) for text, target in places.items())
    return FaultsView(heading=f"Not saved yet: {counted(len(items), 'thing')} to put right", items=items)


def _who(field: str) -> str:
    """Name the seat or the side that a fault is about: one found in the record counts them from 0."""
    head, _, rest = field.partition(".")
    number = rest.partition(".")[0]
    if number.isdigit() and (head == "players" or rest.endswith(".name")):
        return f"{head[0]}{int(number) + 1}"
    return rest if head == "names" else head


def _actions(match: LoadedMatch) -> tuple[Action, ...]:
    code = match.code
    key = (("client_key", new_key()),)
    if match.log.is_stopped:
        stop = Action(label="Go on", url=url_for("matches.resume", code=code), icon="again", is_post=True, fields=key)
    else:
        stop = Action(label="Stop for tonight", url=url_for("matches.stop", code=code), icon="stop")
    change = Action(
        label="Change a rule from the next hand on", url=url_for("rule_change.show", code=code), icon="pencil"
    )
    return (
        Action(label="On the TV", url=url_for("tv.show", code=code), icon="tv", is_post=match.link.is_owner),
        Action(label="Every hand", url=url_for("history.show", code=code), icon="cards"),
        Action(label="Score sheet, to print", url=url_for("prints.choose", match=code), icon="print"),
        Action(label="Rule sheet", url=url_for("sheets.match_rules", code=code), icon="book"),
        *((change,) if match.state.outcome is None and match.link.is_owner else ()),
        *((stop,) if match.counted.outcome is None and match.link.may_score else ()),
        *((_agreement(match),) if match.counted.outcome is None and match.link.is_owner else ()),
        Action(label="Take it away as a file", url=url_for(".record", code=code), icon="down"),
    )


def _agreement(match: LoadedMatch) -> Action:
    label = "Let hands count at once again" if match.log.needs_agreement else "Let the other side accept each hand"
    return Action(label=label, url=url_for("agreement.show", code=match.code), icon="scale")


def _phones(match: LoadedMatch) -> tuple[Action, ...]:
    code, link = match.code, match.link
    holder = match.names.get(link.seat or "", "")
    mine = Action(
        label="Whose phone is this?",
        note=f"{holder}’s" if holder else "nobody’s",
        url=url_for("room.whose", code=code),
        icon="phone",
    )
    room = Action(
        label="Other phones", note="let one in, see who is in", url=url_for("room.show", code=code), icon="share"
    )
    return (room, mine) if link.is_owner else (mine,)


@bp.get("/record.json")
def record(code: str) -> Response:
    """Give the match as a record, to keep or to bring in elsewhere."""
    match = reach(code)
    written = export_match(db.session, library(), code)
    response = make_response(json.dumps(written, ensure_ascii=False, indent=2) + "\n")
    response.mimetype = "application/json"
    return attachment(response, file_name(match_title(match), "json"))
