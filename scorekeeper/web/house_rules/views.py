"""House rules: the list of them, the editor, and what is done with one set of them."""

from collections.abc import Callable, Sequence

from flask import Blueprint, Response, abort, current_app, make_response, request, url_for
from werkzeug.exceptions import NotFound

from scorekeeper.extensions import db
from scorekeeper.ledger.house_versions import HouseVersion, StoredHouse
from scorekeeper.ledger.refusals import Refused
from scorekeeper.narration.rule_changes import changed_rules
from scorekeeper.rules.codes import BadCode, decode, encode
from scorekeeper.rules.faults import BadRulesets, Fault
from scorekeeper.rules.house_rules import LARGEST_FILE, HouseRules, read_house_rules, write_house_rules
from scorekeeper.rules.questions import value_of
from scorekeeper.services import house_rules
from scorekeeper.services.house_rules import StaleHouse, UnknownHouse
from scorekeeper.web.find_game import show_finder
from scorekeeper.web.house_rules.editor_page import Edited, NewRules, SavedRules, editor_page, shows_other_questions
from scorekeeper.web.house_rules.form import RulesForm, merged, read_form
from scorekeeper.web.house_rules.page import SharePage, faults_of_file, house_rules_page, last_change
from scorekeeper.web.rules.source import variant_rules
from scorekeeper.web.shared.device import actor, device, new_form_key, posted_key, posted_version
from scorekeeper.web.shared.library import library, variant_or_404
from scorekeeper.web.shared.respond import attachment, file_name, render_page, see_other

bp = Blueprint("house", __name__, url_prefix="/house")

EDITOR = "house_rules/edit.html"


@bp.errorhandler(UnknownHouse)
def unknown(_unknown: UnknownHouse) -> Response:
    """Answer that there is no such page."""
    return make_response(current_app.handle_http_exception(NotFound()))


@bp.get("")
def index() -> Response:
    """List this phone's house rules."""
    houses = house_rules.houses_of_device(db.session, device())
    change = last_change(houses, request.args.get("house", ""), request.args.get("said", ""))
    return render_page("house_rules/index.html", house_rules_page(houses, library(), last_change=change))


@bp.get("/new")
def new() -> Response:
    """Show the games to begin with, then the editor."""
    if not (base_id := request.args.get("base", "")):
        return show_finder("change")
    rules = variant_rules(base_id)
    answers = {name: value_of(word) for name, word in rules.answers.items()}
    return open_editor(NewRules(base_id=base_id, base_name=rules.base.name), RulesForm(rules.base, answers))


@bp.post("/new")
def new_submit() -> Response:
    """Save the rules, or show what follows from the answers."""
    base = variant_or_404(request.args.get("base", ""))
    form = read_form(base, request.form)
    edited = NewRules(base_id=base.id, base_name=base.name)
    return answer_form(edited, form, lambda key: _save(form.house_rules, key))


@bp.get("/<code>")
def show(code: str) -> Response:
    """Show saved rules in the editor."""
    house = house_rules.house_of_code(db.session, code)
    house_rules.remember_house(db.session, device(), house)
    return open_editor(_saved_rules(house, house.last.seq), _form_of(house.last))


@bp.post("/<code>")
def change(code: str) -> Response:
    """Save a change of the rules, or show what follows from the answers."""
    house = house_rules.house_of_code(db.session, code)
    version, form = posted_version(), read_form(variant_or_404(house.last.rules.variant), request.form)
    opened = _form_of(house.version(version) or house.last)

    def save(key: str) -> Response:
        try:
            saved = house_rules.change_house(
                db.session, library(), house, form.house_rules, seq=version + 1, client_key=key, actor=actor()
            )
        except StaleHouse as stale:
            last = stale.house.last
            theirs = _form_of(last)
            changed = changed_rules(opened.ruleset, theirs.ruleset)
            return open_editor(_saved_rules(stale.house, last.seq), merged(form, opened, theirs), theirs=changed)
        return _to_list(saved, "saved")

    return answer_form(_saved_rules(house, version), form, save)


def open_editor(edited: Edited, form: RulesForm, *, theirs: tuple[str, ...] | None = None) -> Response:
    """Show the editor with a fresh form; `theirs` is what another phone has changed first."""
    page = editor_page(edited, form, new_form_key(), theirs=theirs)
    return render_page(EDITOR, page, status=200 if theirs is None else 409)


def answer_form(edited: Edited, form: RulesForm, save: Callable[[str], Response]) -> Response:
    """Save the rules of a posted form with its key; or show what follows from the answers, or why they are refused."""
    key = posted_key()
    if form.faults or not form.is_to_save:
        return _show_form(edited, form, key)
    try:
        return save(key)
    except Refused as refused:
        return _show_form(edited, form, key, refused)


def _show_form(edited: Edited, form: RulesForm, client_key: str, refused: Refused | None = None) -> Response:
    """Answer a posted form with the editor: to htmx what changed, to everyone else the page."""
    page = editor_page(edited, form, client_key, refused.reasons if refused else ())
    # Where the questions stay as they are, what is being typed stays too; only what stands beside them is drawn anew.
    questions = ["questions"] if shows_other_questions(page, request.form) else ["beside"]
    return render_page(EDITOR, page, block=["diff", *questions, "bottom_bar"], status=422 if page.faults else 200)


def _form_of(version: HouseVersion) -> RulesForm:
    rules = version.rules
    return RulesForm(variant_or_404(rules.variant), rules.options, name=rules.name, notes=rules.notes)


def _saved_rules(house: StoredHouse, version: int) -> SavedRules:
    rules = house.last.rules
    return SavedRules(
        code=house.code, name=rules.name, variant=rules.variant, share_code=encode(rules), version=version
    )


@bp.post("/<code>/copy")
def copy(code: str) -> Response:
    """Save the same rules again, and open the copy."""
    house = house_rules.copy_house(db.session, library(), code, client_key=posted_key(), device=device(), actor=actor())
    return see_other(url_for(".show", code=house.code))


@bp.post("/<code>/retire")
def retire(code: str) -> Response:
    """Take the rules off the list."""
    return _to_list(house_rules.retire_house(db.session, code, client_key=posted_key(), actor=actor()), "retired")


@bp.post("/<code>/back")
def back(code: str) -> Response:
    """Put the rules back, as they are or as they were in an earlier version."""
    to = request.form.get("to", type=int)
    try:
        house = house_rules.put_back(db.session, code, to=to, client_key=posted_key(), actor=actor())
    except StaleHouse:
        first = Fault("", "stale", "Another phone changed these rules first. Open them to see what changed.")
        return _refused([first], "Not undone", status=409)
    except Refused:
        abort(404)
    return _to_list(house, "back")


@bp.get("/<code>/share")
def share(code: str) -> Response:
    """Show the ways to another phone: a link, a QR code, text, a file."""
    rules = house_rules.house_of_code(db.session, code).last.rules
    return render_page("house_rules/share.html", SharePage(code=code, name=rules.name, share_code=encode(rules)))


@bp.get("/<code>/rules.toml")
def download(code: str) -> Response:
    """Answer with the rules as a file."""
    rules = house_rules.house_of_code(db.session, code).last.rules
    response = make_response(write_house_rules(rules))
    response.mimetype = "application/toml"
    return attachment(response, file_name(rules.name, "toml"))


@bp.post("/file")
def upload() -> Response:
    """Import a file of rules, whole or not at all."""
    file = request.files.get("file")
    content = file.stream.read(LARGEST_FILE + 1) if file else b""
    if not content:
        missing = Fault("", "nothing", "Choose a rules file first.")
        return _refused([missing], "Nothing was imported")
    try:
        return _save(read_house_rules(content, library(), "file"), posted_key())
    except (BadRulesets, Refused) as refused:
        return _refused([item.fault for item in refused.faults])


@bp.post("/take")
def take() -> Response:
    """Save rules that came as a code."""
    try:
        return _save(decode(request.form.get("r", "")), posted_key())
    except BadCode as bad:
        return _refused([Fault("", "bad_code", str(bad))])
    except Refused as refused:
        return _refused(refused.reasons)


def _save(rules: HouseRules, client_key: str) -> Response:
    house = house_rules.save_house(db.session, library(), rules, client_key=client_key, device=device(), actor=actor())
    return _to_list(house, "saved")


def _refused(faults: Sequence[Fault], heading: str = "These rules were not saved", status: int = 422) -> Response:
    houses = house_rules.houses_of_device(db.session, device())
    context = house_rules_page(houses, library(), faults=faults_of_file(heading, faults))
    return render_page("house_rules/index.html", context, status=status)


def _to_list(house: StoredHouse, what: str) -> Response:
    return see_other(url_for(".index", house=house.code, said=what))
