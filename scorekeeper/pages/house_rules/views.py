"""The pages of house rules: the list, the editor, and the actions on saved rules.

The editor is for new house rules, for saved house rules, and for changing the rules of a match.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from flask import Blueprint, Response, request

from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import MatchClosed, Refused
from scorekeeper.matches import house_rules
from scorekeeper.matches.events import RulesChanged
from scorekeeper.matches.fold import Match
from scorekeeper.matches.house_rules import HouseVersion, StaleHouseRules, StoredHouseRules
from scorekeeper.matches.match_list import matches_of_device
from scorekeeper.matches.service import StaleMatch
from scorekeeper.pages.find_game.views import show_finder
from scorekeeper.pages.house_rules.form import (
    ANSWER_PREFIX,
    NAME_FIELD,
    NOTES_FIELD,
    RulesForm,
    digest_of_questions,
    field_name,
    merge_forms,
    question_groups,
    read_form,
)
from scorekeeper.pitch.rules.faults import BadRulesets, Fault
from scorekeeper.pitch.rules.house_rules import (
    MAX_HOUSE_FILE_BYTES,
    MAX_RULES_NAME_LENGTH,
    MAX_RULES_NOTE_LENGTH,
    HouseRules,
    differing_answers,
    house_rules_as_toml,
    read_house_rules,
    resolve_house_rules,
    without_moot_answers,
)
from scorekeeper.pitch.rules.options import MAX_OWN_AWARD_NAME_LENGTH
from scorekeeper.pitch.rules.phrases import digits
from scorekeeper.pitch.rules.questions import RuleKey, answer_word, overriding_answers, parse_word
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import BadCode, decode, encode
from scorekeeper.pitch.text.endings import goal_words
from scorekeeper.pitch.text.rule_changes import changed_rule_sentences, house_answers_as_rules, implied_rule_sentences
from scorekeeper.web.context import (
    device,
    for_owners,
    load_match,
    load_unfinished_match,
    new_form_key,
    posted_key,
    posted_version,
    redirect_to_match,
    write_change,
    writer,
)
from scorekeeper.web.library import library, variant_or_404, variant_rules
from scorekeeper.web.locale import today
from scorekeeper.web.respond import file_name, make_download, redirect_to, render_page
from scorekeeper.web.widgets import FaultsView, FaultView, distinct_faults

bp = Blueprint("house", __name__, url_prefix="/house")

_OPTIONS_FIXED_IN_A_MATCH = ("count_down_from",)
"""The options that cannot be changed in a match: whether to count up or down is fixed before the first hand."""
_MAX_FAULTS_SHOWN, _MAX_POSITION_LENGTH, _MAX_PLAYED_SHOWN = 20, 80, 3
"""The most faults to show; characters of a fault's position; rules of recent matches to offer for saving."""


@dataclass(frozen=True, kw_only=True)
class NewRules:
    """New house rules that the editor edits, not saved yet."""

    use: ClassVar[str] = "new"
    base: Ruleset


@dataclass(frozen=True, kw_only=True)
class SavedRules:
    """Saved house rules that the editor edits."""

    use: ClassVar[str] = "saved"
    stored: StoredHouseRules
    version: int
    """The version of the house rules from which the form was rendered."""

    @property
    def share_code(self) -> str:
        """The share code of the last saved version."""
        return encode(self.stored.last.rules)


@dataclass(frozen=True, kw_only=True)
class MatchRules:
    """The rules of a match, from its next hand on, that the editor edits."""

    use: ClassVar[str] = "match"
    match: Match
    version: int
    """The version of the match from which the form was rendered."""


EditedRules = NewRules | SavedRules | MatchRules
"""The rules that the editor edits."""


@bp.get("")
def index() -> Response:
    """Show the list of this phone's house rules."""
    return _show_list(changed=request.args.get("house", ""), what=request.args.get("said", ""))


@bp.get("/new")
def new() -> Response:
    """Show the editor with the game and answers in the URL; without a game, the games to choose from."""
    if not (base_id := request.args.get("base", "")):
        return show_finder("change")
    rules = variant_rules(base_id)
    answers = {name: parse_word(word) for name, word in rules.answers.items()}
    return show_editor(NewRules(base=rules.base), RulesForm(rules.base, answers, notes=notes_in_query()))


def notes_in_query() -> tuple[str, ...]:
    """Return the notes in the URL for the editor to begin with: questions left open by the rules, to be answered."""
    return tuple(f"{note}: " for note in request.args.getlist("note"))


@bp.post("/new")
def new_submit() -> Response:
    """Save the posted new rules, or show the editor again."""
    base = variant_or_404(request.args.get("base", ""))
    form = read_form(base, request.form)
    return save_or_show_editor(NewRules(base=base), form, lambda: _save(form.house_rules, is_to_play=form.is_to_play))


@bp.get("/<code>")
def show(code: str) -> Response:
    """Show saved rules in the editor."""
    stored = house_rules.house_rules_of_code(db.session, code)
    return show_editor(SavedRules(stored=stored, version=stored.last.seq), _form_of_version(stored.last))


@bp.post("/<code>")
def change(code: str) -> Response:
    """Save the posted rules and put them on this phone's list, or show the editor again.

    If others saved the rules meanwhile, the editor shows both changes merged.
    """
    stored = house_rules.house_rules_of_code(db.session, code)
    version, form = posted_version(), read_form(variant_or_404(stored.last.rules.variant), request.form)
    opened = _form_of_version(stored.version(version) or stored.last)

    def save() -> Response:
        try:
            saved = house_rules.change_house_rules(
                db.session, library(), stored, form.house_rules, writer(), seq=version + 1
            )
        except StaleHouseRules as stale:
            last = stale.stored.last
            theirs = _form_of_version(last)
            changed = changed_rule_sentences(opened.ruleset, theirs.ruleset)
            return show_editor(
                SavedRules(stored=stale.stored, version=last.seq), merge_forms(form, opened, theirs), theirs=changed
            )
        house_rules.remember_house_rules(db.session, device(), saved)
        return _redirect_after_save(saved, is_to_play=form.is_to_play)

    return save_or_show_editor(SavedRules(stored=stored, version=version), form, save)


@bp.post("/<code>/copy")
def copy(code: str) -> Response:
    """Save a copy of the rules, put it on this phone's list, and redirect to it."""
    stored = house_rules.copy_house_rules(db.session, library(), code, writer(), device=device())
    return redirect_to(".show", code=stored.code)


@bp.post("/<code>/retire")
def retire(code: str) -> Response:
    """Retire the rules, which the lists of all phones then show as archived, and redirect to the list."""
    return _redirect_to_list(house_rules.retire_house_rules(db.session, code, writer()), "retired")


@bp.post("/<code>/back")
def back(code: str) -> Response:
    """Restore retired rules, or undo their last change, and redirect to the list; or show why that is refused.

    To undo a change, `to` in the form is the version before it.
    """
    to = request.form.get("to", type=int)
    try:
        stored = house_rules.restore_house_rules(db.session, code, writer(), to=to)
    except StaleHouseRules:
        fault = Fault("", "stale", "Another phone changed these rules first. Open them to see what changed.")
        return _show_refused([fault], "Not undone", status=409)
    except Refused as refused:
        return _show_refused(refused.reasons, "Not undone")
    return _redirect_to_list(stored, "back")


@bp.get("/<code>/share")
def share(code: str) -> Response:
    """Show the changes that the house rules make to the game, and ways to share them: link, QR code, text, file."""
    last = house_rules.house_rules_of_code(db.session, code).last
    form = _form_of_version(last)
    changes = house_answers_as_rules(form.base, form.ruleset, form.answers)
    return render_page(
        "house_rules/share.html",
        code=code,
        rules=last.rules,
        base=form.base,
        share_code=encode(last.rules),
        changes=changes,
        counted=digits(len(changes), "change") if changes else "",
        done={"saved": "Saved", "kept": "Kept already"}.get(request.args.get("said", ""), ""),
        undo_to=last.seq - 1,
    )


@bp.get("/<code>/rules.toml")
def download(code: str) -> Response:
    """Send the rules as a TOML file to download."""
    rules = house_rules.house_rules_of_code(db.session, code).last.rules
    response = Response(house_rules_as_toml(rules), mimetype="application/toml")
    return make_download(response, file_name(rules.name, "toml"))


@bp.post("/file")
def upload() -> Response:
    """Save the rules in an uploaded file, or show why the file was refused."""
    file = request.files.get("file")
    content = file.stream.read(MAX_HOUSE_FILE_BYTES + 1) if file else b""
    if not content:
        missing = Fault("", "nothing", "Choose a rules file first.")
        return _show_refused([missing], "Nothing was imported")
    try:
        return _save(read_house_rules(content, library(), "file"))
    except (BadRulesets, Refused) as refused:
        return _show_refused([item.fault for item in refused.faults])


@bp.post("/take")
def take() -> Response:
    """Save the rules of the posted share code and redirect to the page that shares them, or show why that is refused.

    With `keep` in the form, rules that this phone has already are not saved again.
    """
    try:
        rules = decode(request.form.get("r", ""))
        if not request.form.get("keep"):
            return _save(rules)
        stored, is_kept = house_rules.save_played_rules(db.session, library(), rules, writer(), device=device())
        return redirect_to(".share", code=stored.code, said="kept" if is_kept else "saved")
    except BadCode as bad:
        return _show_refused([Fault("", "bad_code", str(bad))])
    except Refused as refused:
        return _show_refused(refused.reasons)


def _save(rules: HouseRules, *, is_to_play: bool = False) -> Response:
    """Save new rules, put them on this phone's list, and redirect as `_redirect_after_save` does."""
    stored = house_rules.save_house_rules(db.session, library(), rules, writer(), device=device())
    return _redirect_after_save(stored, is_to_play=is_to_play)


def _redirect_after_save(stored: StoredHouseRules, *, is_to_play: bool) -> Response:
    """Redirect to the form of a new match by the saved rules if `is_to_play`, else to the page that shares them."""
    if is_to_play:
        return redirect_to("new.table", ruleset_id=stored.last.rules.variant, r=encode(stored.last.rules))
    return redirect_to(".share", code=stored.code, said="saved")


def _show_refused(faults: Sequence[Fault], heading: str = "These rules were not saved", status: int = 422) -> Response:
    """Show the list of house rules and why something was refused: the first faults, each with its place in the file."""
    items = (
        FaultView(text=fault.message, where=fault.field[:_MAX_POSITION_LENGTH]) for fault in faults[:_MAX_FAULTS_SHOWN]
    )
    return _show_list(FaultsView(heading=heading, items=tuple(items)), status=status)


def _show_list(faults: FaultsView | None = None, *, changed: str = "", what: str = "", status: int = 200) -> Response:
    """Show the list of house rules.

    `what` was just done to those with the code `changed`: saved, retired, or back.
    """
    saved = house_rules.house_rules_of_device(db.session, device())
    is_valid = what in ("saved", "retired", "back")
    last_changed = next((stored for stored in saved if is_valid and stored.code == changed), None)
    return render_page(
        "house_rules/index.html",
        status=status,
        saved=saved,
        played=_recently_played(saved),
        summary_of=_summary_of,
        changed=last_changed,
        what=what,
        undo_to=last_changed.last.seq - 1 if last_changed else 0,
        faults=faults,
    )


def _recently_played(saved: Sequence[StoredHouseRules]) -> dict[str, HouseRules]:
    """Return the unsaved house rules of this phone's latest matches, at most three, by share code."""
    rules_by_code: dict[str, HouseRules] = {}
    for match in (item.match for item in matches_of_device(db.session, device()) if item.match):
        rules = house_rules.rules_to_save(match, library())
        if rules and not house_rules.find_equal_house_rules(saved, rules):
            rules_by_code[encode(rules)] = rules
        if len(rules_by_code) == _MAX_PLAYED_SHOWN:
            break
    return rules_by_code


def _summary_of(rules: HouseRules) -> str:
    """Return a summary of house rules, "from Partnership Pitch, to 15", or that they cannot be played."""
    ruleset, _ = resolve_house_rules(rules, library())
    if ruleset is None:
        return "this version of Scorekeeper can’t play these rules"
    return f"{ruleset.summary}, {goal_words(ruleset)}"


def _redirect_to_list(stored: StoredHouseRules, what: str) -> Response:
    """Redirect to the list of house rules, which says what was done to the rules: "retired" or "back"."""
    return redirect_to(".index", house=stored.code, said=what)


# ---------- the editor ----------


def save_or_show_editor(edited: EditedRules, form: RulesForm, save: Callable[[], Response]) -> Response:
    """Return the response of `save`, or show the editor again if there are faults or saving was not requested.

    `save` may raise `Refused`, whose faults are shown.
    """
    if form.faults or not form.is_to_save:
        return show_editor(edited, form)
    try:
        return save()
    except Refused as refused:
        return show_editor(edited, form, refused.reasons)


def show_editor(
    edited: EditedRules, form: RulesForm, refused: Sequence[Fault] = (), *, theirs: tuple[str, ...] | None = None
) -> Response:
    """Show the editor with a form; htmx gets only the changed blocks.

    `refused` are faults found by saving. `theirs` are the changes that others saved first, in words; with them, the
    status is 409.
    """
    to_fix = list(distinct_faults((*form.faults, *refused), _field_of_fault))
    # Of several faults of a field the first is shown.
    messages = {field: text for text, field in reversed(to_fix)}
    groups = question_groups(form, messages, fixed=_OPTIONS_FIXED_IN_A_MATCH if edited.use == "match" else ())
    own_points = () if edited.use == "match" else form.own_points
    questions_digest = digest_of_questions(
        groups, (messages.get(field, "") for point in own_points for field in point.fields)
    )
    answer_fields = ((f"{ANSWER_PREFIX}{rule}", answer_word(answer)) for rule, answer in form.answers.items())
    rules = house_answers_as_rules(form.base, form.ruleset, form.answers)
    rules_by_field = {field_name(RuleKey.of_answer(rule.name, form.answers[rule.name])): rule for rule in rules}
    # If the questions are the same, they are not rendered again, so that typing goes on; only their notes are.
    values = {item.field: item.value for group in groups for item in group.every_item}
    for point in own_points:
        values |= point.fields
    posted = request.form
    has_values = all(word == posted.get(name, word).strip() for name, word in values.items())
    is_same = has_values and posted.get("asks") == questions_digest
    return render_page(
        "house_rules/edit.html",
        block=("diff", *(("beside",) if is_same else ("argued", "questions")), "bottom_bar"),
        status=0 if theirs is None else 409,
        edited=edited,
        form=form,
        idempotency_key=posted_key() if theirs is None else new_form_key(),
        answers=(("asks", questions_digest), *answer_fields),
        changes=rules,
        implied=implied_rule_sentences(form.base, form.ruleset, form.answers),
        changed=rules_by_field,
        counted=digits(len(rules), "change") if rules else "",
        groups=groups,
        own_points=[(point, point.card_choices(form.base), point.won_choices(form.base)) for point in own_points],
        is_own_open=any(field in messages for point in own_points for field in point.fields),
        max_point_length=MAX_OWN_AWARD_NAME_LENGTH,
        change_counts={group.group_id: sum(name in rules_by_field for name in group.fields) for group in groups},
        stepped=request.form.get("step", "").rpartition(":")[0],
        max_name_length=MAX_RULES_NAME_LENGTH,
        note_length=MAX_RULES_NOTE_LENGTH,
        messages=messages,
        to_fix=tuple(field for _, field in to_fix if field not in (NAME_FIELD, NOTES_FIELD)),
        faults=_unsaved_faults(to_fix) if to_fix and form.is_to_save else None,
        theirs=theirs,
    )


def _unsaved_faults(to_fix: Sequence[tuple[str, str]]) -> FaultsView:
    """Return the list of faults for which nothing was saved, given the text and form field of each."""
    things = "one thing" if len(to_fix) == 1 else f"{len(to_fix)} things"
    items = tuple(FaultView(text=text, target=field) for text, field in to_fix)
    return FaultsView(heading=f"Not saved yet: {things} to fix", items=items)


def _field_of_fault(fault: Fault) -> str:
    """Return the form field of a fault; all notes share one field."""
    return NOTES_FIELD if fault.field.partition(".")[0] == NOTES_FIELD else fault.field


def _form_of_version(version: HouseVersion) -> RulesForm:
    """Return a saved version of house rules as the editor's form, without answers that have no effect."""
    rules, base = version.rules, variant_or_404(version.rules.variant)
    return RulesForm(base, without_moot_answers(base, rules.options), name=rules.name, notes=rules.notes)


# ---------- the rules of a match, from its next hand on ----------


rule_change_bp = Blueprint("rule_change", __name__, url_prefix="/matches/<code>/rules/change")


@rule_change_bp.get("", endpoint="show")
@for_owners
def show_change(code: str) -> Response:
    """Show the editor with a match's rules, to change them from the next hand on."""
    match = load_unfinished_match(code, may_be_stopped=True)
    form = RulesForm(match.state.ruleset, notes=notes_in_query())
    return show_editor(MatchRules(match=match, version=match.version), form)


@rule_change_bp.post("", endpoint="submit")
@for_owners
def submit_change(code: str) -> Response:
    """Change a match's rules from the next hand on, as posted, or show the editor again."""
    match, version = load_match(code), posted_version()
    if not match.log.has_key(posted_key()):
        load_unfinished_match(code, may_be_stopped=True)
    opened = (match.as_of(version) if 0 <= version < match.version else None) or match
    form = read_form(opened.state.ruleset, request.form, is_of_match=True)

    def save() -> Response:
        answers = _answers_for_next_hand(match, form.ruleset)
        changed_now = RulesChanged(house=answers, on=today().isoformat(), notes=form.notes or None)
        try:
            return redirect_to_match(write_change(code, changed_now, version=version))
        except StaleMatch as stale:
            latest = stale.match
            if latest.state.outcome:
                raise MatchClosed(latest.closed_reason()) from None
            opened_form, theirs = RulesForm(opened.state.ruleset), RulesForm(latest.state.ruleset)
            changed = changed_rule_sentences(opened_form.ruleset, theirs.ruleset)
            return show_editor(
                MatchRules(match=latest, version=latest.version), merge_forms(form, opened_form, theirs), theirs=changed
            )

    return save_or_show_editor(MatchRules(match=match, version=version), form, save)


def _answers_for_next_hand(match: Match, wanted: Ruleset) -> dict[str, object]:
    """Return the house answers that turn the last hand's rules into the rules `wanted`.

    Empty if the next hand has these rules already.
    """
    if not differing_answers(match.state.ruleset, wanted):
        return {}
    base, earlier = match.ruleset_of_last_hand, match.log.pending.house or {}
    stated = overriding_answers(base, earlier, wanted)
    # An earlier change for the same hand stays in force unless it is answered again.
    decisive = without_moot_answers(base, stated)
    return {name: answer for name, answer in stated.items() if name in decisive or name in earlier}
