"""The editor's page: for new house rules, for saved ones, and for a change in the middle of a match."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from scorekeeper.narration.rule_changes import AnsweredRule, answered_rules, implied_rules
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.house_rules import NAME_LENGTH, NOTE_LENGTH
from scorekeeper.rules.phrases import digits
from scorekeeper.rules.questions import RuleKey, word_of
from scorekeeper.web.house_rules.form import ANSWER_PREFIX, DIGEST_FIELD, NAME_FIELD, NOTES_FIELD, RulesForm, field_name
from scorekeeper.web.house_rules.questions import QuestionGroup, digest, field_values, question_groups
from scorekeeper.web.shared.widgets import FaultsView, FaultView, HiddenFields

_FIXED_IN_A_MATCH = ("count_down_from",)
"""Which way a match counts is settled before its first hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRules:
    """House rules that are not saved yet."""

    use: ClassVar[str] = "new"
    base_id: str
    base_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRules:
    """House rules that were saved."""

    use: ClassVar[str] = "saved"
    code: str
    name: str
    variant: str
    share_code: str
    version: int
    """The version that the form was made from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRules:
    """The rules of a match, from its next hand on."""

    use: ClassVar[str] = "match"
    code: str
    match_title: str
    version: int
    """The match's version that the form was made from."""
    next_hand: int


Edited = NewRules | SavedRules | MatchRules


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorPage:
    """Template house_rules/edit.html. Blocks: faults, diff, questions, beside, bottom_bar."""

    edited: Edited
    client_key: str
    answers: HiddenFields
    """The answers so far, and which questions they leave."""
    changes: tuple[AnsweredRule, ...]
    implied: tuple[str, ...]
    """Rules that follow from the changes."""
    changed: Mapping[str, AnsweredRule]
    """The changes once more, each by the field that was answered."""
    counted: str
    """"2 changes"; empty where there is none."""
    groups: tuple[QuestionGroup, ...]
    name: str
    name_length: ClassVar = NAME_LENGTH
    name_fault: str
    notes: str
    note_fault: str
    note_length: ClassVar = NOTE_LENGTH
    to_fix: tuple[str, ...]
    """The fields to fix before the rules can be saved."""
    faults: FaultsView | None
    """Why nothing was saved."""
    theirs: tuple[str, ...] | None
    """The rules that another phone changed first, in sentences; `None` where none has saved."""


def editor_page(
    edited: Edited,
    form: RulesForm,
    client_key: str,
    refused: Sequence[Fault] = (),
    *,
    theirs: tuple[str, ...] | None = None,
) -> EditorPage:
    """Return the page of a form; `refused` is why they were not saved, `theirs` what others saved first."""
    by_message: dict[str, Fault] = {}
    messages: dict[str, str] = {}
    for fault in (*form.faults, *refused):
        if by_message.setdefault(fault.message, fault) is fault:
            messages.setdefault(_field_of(fault), fault.message)
    faults = tuple(by_message.values())
    groups = question_groups(form, messages, fixed=_FIXED_IN_A_MATCH if edited.use == "match" else ())
    carried = ((f"{ANSWER_PREFIX}{rule}", word_of(answer)) for rule, answer in form.answers.items())
    rules = answered_rules(form.base, form.ruleset, form.answers)
    return EditorPage(
        edited=edited,
        client_key=client_key,
        answers=((DIGEST_FIELD, digest(groups)), *carried),
        changes=rules,
        changed={field_name(RuleKey.of_answer(rule.name, form.answers[rule.name])): rule for rule in rules},
        counted=digits(len(rules), "change") if rules else "",
        implied=implied_rules(form.base, form.ruleset, form.answers),
        groups=groups,
        name=form.name,
        name_fault=messages.get(NAME_FIELD, ""),
        notes="\n".join(form.notes),
        note_fault=messages.get(NOTES_FIELD, ""),
        to_fix=tuple(it for it in map(_field_of, faults) if it not in (NAME_FIELD, NOTES_FIELD)),
        faults=_faults_view(faults) if faults and form.is_to_save else None,
        theirs=theirs,
    )


def shows_other_questions(page: EditorPage, posted: Mapping[str, str]) -> bool:
    """Return whether the phone shows other questions, or other answers, than this page."""
    has_other = posted.get(DIGEST_FIELD) != dict(page.answers)[DIGEST_FIELD]
    return has_other or any(word != posted.get(name, word).strip() for name, word in field_values(page.groups))


def _field_of(fault: Fault) -> str:
    """Return where on the page a fault belongs: one note is a line of one field."""
    return NOTES_FIELD if fault.field.partition(".")[0] == NOTES_FIELD else fault.field


def _faults_view(faults: Sequence[Fault]) -> FaultsView:
    things = "one thing" if len(faults) == 1 else f"{len(faults)} things"
    items = tuple(FaultView(text=fault.message, target=_field_of(fault)) for fault in faults)
    return FaultsView(heading=f"Not saved yet: {things} to fix", items=items)
