"""A house's own rules: the list of them, the composer, and what is done with one set of them."""

from typing import Any

from flask import Blueprint, Response, abort, make_response, request, url_for

from scorekeeper.extensions import db
from scorekeeper.rules.code import BadCode, decode
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.house import HouseRules
from scorekeeper.rules.house_file import LARGEST_FILE, read_house, write_house
from scorekeeper.rules.library import BadRulesets
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services import house_rules
from scorekeeper.services.house_rules import StaleHouse, StoredHouse, UnknownHouse
from scorekeeper.services.refusals import Refused
from scorekeeper.web.contexts.composer import ComposerPage
from scorekeeper.web.contexts.parts import Action, Notice
from scorekeeper.web.contexts.transfer import FileFault
from scorekeeper.web.file_names import attachment, file_name
from scorekeeper.web.forms.composer import RulesDraft, draft_of, from_form
from scorekeeper.web.keys import actor, device, key_of, new_key, version_of
from scorekeeper.web.new import asked
from scorekeeper.web.present.choose import closest_page
from scorekeeper.web.present.composer import values_of
from scorekeeper.web.present.composer_page import SAVE, Setting, composer_page
from scorekeeper.web.present.houses import houses_page, new_setting, saved_setting, share_page
from scorekeeper.web.respond import page, see_other
from scorekeeper.web.rulesets import library

bp = Blueprint("house", __name__, url_prefix="/house")

TEMPLATE = "rules/compose.html"
FIELD = "file"


@bp.get("")
def index() -> Response:
    """List this phone's house rules."""
    return page("rules/houses.html", houses_page(_mine(), library(), notices=_said()))


def _mine() -> list[StoredHouse]:
    return house_rules.houses_of_device(db.session, device())


def _said() -> tuple[Notice, ...]:
    """Say what was just done, with the way to undo it."""
    code, said = request.args.get("house", ""), request.args.get("said", "")
    house = next((house for house in _mine() if house.code == code), None)
    if house is None:
        return ()
    name, before = house.last.rules.name, house.last.seq - 1
    lead = {"saved": f"{name} is saved.", "retired": f"{name} is retired.", "back": f"{name} is back."}.get(said)
    undo = Action(
        label="Undo",
        url=url_for(".back", code=code),
        icon="undo",
        is_post=True,
        fields=(("to", str(before)), ("client_key", new_key())),
    )
    return (Notice(lead=lead, kind="made", actions=(undo,) if before else ()),) if lead else ()


@bp.get("/new")
def new() -> Response:
    """Ask which game comes closest, then what is played otherwise."""
    base = _base(request.args.get("base", ""))
    if base is None:
        return page("match/choose.html", closest_page(library(), asked()))
    return page(TEMPLATE, composer_page(new_setting(base, new_key()), RulesDraft(base)))


@bp.post("/new")
def new_submit() -> Response:
    """Save the rules, or look at them again."""
    base = _base(request.args.get("base", ""))
    if base is None:
        abort(404)
    key, draft = key_of(request), from_form(base, request.form)
    setting = new_setting(base, key)
    if request.form.get("do") != SAVE or draft.faults:
        return composed(setting, draft)
    try:
        house = house_rules.save_house(
            db.session, library(), draft.house(), client_key=key, device=device(), actor=actor()
        )
    except Refused as refused:
        return composed(setting, draft, refused)
    return _to_list(house, "saved")


def composed(setting: Setting, draft: RulesDraft, refused: Refused | None = None, status: int = 422) -> Response:
    """Answer with the composer: to htmx what changed, to everyone else the page."""
    saving = request.form.get("do") == SAVE
    faults = [item.fault for item in refused.faults] if refused else list(draft.faults) if saving else []
    context = composer_page(setting, draft, [_at_field(fault) for fault in faults])
    block = ("diff", "questions", "foot") if _asks_otherwise(context) else ("diff", "foot")
    return page(TEMPLATE, context, block=block, status=status if faults else 200)


def _at_field(fault: Fault) -> Fault:
    """Lay a fault of the rules at the field that answers for it."""
    name = fault.field.removeprefix("house.")
    return Fault(f"rule-{name}" if fault.field.startswith("house.") else fault.field, fault.code, fault.message)


def _asks_otherwise(context: ComposerPage) -> bool:
    """Tell whether the phone shows other questions, or other answers, than those that stand now."""
    shown = {where: word for where, word in values_of(context.groups) if where in request.form}
    return request.form.get("asks") != dict(context.carried)["asks"] or any(
        word != request.form[where].strip() for where, word in shown.items()
    )


@bp.get("/<code>")
def show(code: str) -> Response:
    """Show rules in the composer."""
    house = _house(code)
    house_rules.remember_house(db.session, device(), house)
    return page(TEMPLATE, composer_page(saved_setting(house, new_key()), draft_of(_base_of(house), house.last.rules)))


@bp.post("/<code>")
def change(code: str) -> Response:
    """Save the change, or look at it again."""
    house, key = _house(code), key_of(request)
    draft = from_form(_base_of(house), request.form)
    setting = saved_setting(house, key, version=version_of(request))
    if request.form.get("do") != SAVE or draft.faults:
        return composed(setting, draft)
    try:
        changed = house_rules.change_house(
            db.session,
            library(),
            code,
            draft.house(),
            seq=version_of(request) + 1,
            client_key=key,
            actor=actor(),
        )
    except StaleHouse as stale:
        said = Notice(
            lead="Another phone changed these rules first.",
            text="What you entered is still here. Save again to let it count.",
            kind="bad",
        )
        return page(TEMPLATE, composer_page(saved_setting(stale.house, new_key(), notices=(said,)), draft), status=409)
    except Refused as refused:
        return composed(setting, draft, refused)
    return _to_list(changed, "saved")


@bp.post("/<code>/copy")
def copy(code: str) -> Response:
    """Save the same rules once more, and go on with the copy."""
    _house(code)
    house = house_rules.copy_house(
        db.session, library(), code, client_key=key_of(request), device=device(), actor=actor()
    )
    return see_other(url_for(".show", code=house.code))


@bp.post("/<code>/retire")
def retire(code: str) -> Response:
    """Take the rules off the list."""
    _house(code)
    return _to_list(house_rules.retire_house(db.session, code, client_key=key_of(request), actor=actor()), "retired")


@bp.post("/<code>/back")
def back(code: str) -> Response:
    """Put the rules back, as they are or as they were in an earlier version."""
    _house(code)
    to = request.form.get("to", type=int)
    try:
        house = house_rules.put_back(db.session, code, to=to, client_key=key_of(request), actor=actor())
    except Refused:
        abort(404)
    return _to_list(house, "back")


@bp.get("/<code>/share")
def share(code: str) -> Response:
    """Show how the rules travel: a link, a code to scan, text, a file."""
    return page("rules/share.html", share_page(_house(code), _house(code).last.rules))


@bp.get("/<code>/rules.toml")
def download(code: str) -> Response:
    """Give the rules as a file."""
    rules = _house(code).last.rules
    response = make_response(write_house(rules))
    response.mimetype = "application/toml"
    return attachment(response, file_name(rules.name, "toml"))


@bp.post("/file")
def upload() -> Response:
    """Take in a file of rules, whole or not at all."""
    file = request.files.get(FIELD)
    content = file.stream.read(LARGEST_FILE + 1) if file else b""
    if not content:
        return _refused("Nothing was taken in", [Fault("", "nothing", "Choose a file first: one that holds rules.")])
    try:
        return keep(read_house(content, library(), "file"))
    except BadRulesets as bad:
        return _refused("These rules were not taken in", [item.fault for item in bad.faults])
    except Refused as refused:
        return _refused("These rules were not taken in", [item.fault for item in refused.faults])


@bp.post("/take")
def take() -> Response:
    """Keep rules that came as a code."""
    try:
        return keep(decode(request.form.get("r", "")))
    except BadCode as bad:
        return _refused("These rules were not taken in", [Fault("", "bad_code", str(bad))])
    except Refused as refused:
        return _refused("These rules were not taken in", [item.fault for item in refused.faults])


def keep(rules: HouseRules) -> Response:
    """Save rules that came from elsewhere; raises `Refused`."""
    house = house_rules.save_house(
        db.session, library(), rules, client_key=key_of(request), device=device(), actor=actor()
    )
    return _to_list(house, "saved")


def _refused(heading: str, faults: list[Fault]) -> Response:
    views = tuple(FileFault(where=fault.field[:80], text=fault.message) for fault in faults)
    context: Any = houses_page(_mine(), library(), faults_heading=heading, faults=views[:20])
    return page("rules/houses.html", context, status=422)


def _to_list(house: StoredHouse, said: str) -> Response:
    return see_other(url_for(".index", house=house.code, said=said))


def _house(code: str) -> StoredHouse:
    try:
        return house_rules.house_of_code(db.session, code)
    except UnknownHouse:
        abort(404)


def _base(variant: str) -> Ruleset | None:
    if variant and variant not in library():
        abort(404)
    return library()[variant] if variant else None


def _base_of(house: StoredHouse) -> Ruleset:
    return _base(house.last.rules.variant) or abort(404)
