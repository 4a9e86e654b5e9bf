"""The composer's page: for rules that are kept, for new ones, and for a change in mid-match."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from scorekeeper.rules.faults import Fault
from scorekeeper.rules.house import NAME_LENGTH, NOTE_LENGTH
from scorekeeper.rules.questions import word_of
from scorekeeper.web.contexts.composer import ComposerFoot, ComposerPage, NotesField
from scorekeeper.web.contexts.parts import Action, BarView, FaultsView, FaultView, Hidden, Notice, TextField
from scorekeeper.web.forms.composer import NAME_FIELD, NOTES_FIELD, SAID_FIELD, RulesDraft
from scorekeeper.web.present.composer import Questions
from scorekeeper.web.present.differences import difference_views

SAVE, LOOK = "save", "look"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What the same composer is used for."""

    title: str
    bar: BarView
    action: str
    hidden: Hidden
    save_label: str
    since: str = "from the book"
    """What the changes are held against: "3 changes from the book"."""
    legend: str = "as the book has it"
    is_named: bool = True
    settled: frozenset[str] = frozenset()
    ways: tuple[Action, ...] = ()
    notices: tuple[Notice, ...] = field(default=())


def composer_page(setting: Setting, draft: RulesDraft, refused: Sequence[Fault] = ()) -> ComposerPage:
    """Fill the page; `refused` is what kept the rules from being saved."""
    faults = _at_fields((*draft.faults, *refused))
    questions = Questions(draft, setting.settled, faults)
    differences = difference_views(draft)
    number = sum(bool(item.option) for item in differences)
    said = {fault.field: fault.message for fault in faults}
    return ComposerPage(
        title=setting.title,
        bar=setting.bar,
        action=setting.action,
        hidden=setting.hidden,
        carried=(
            ("asks", asks_of(questions)),
            *((f"{SAID_FIELD}{name}", _said_word(draft, name)) for name in draft.said),
        ),
        diff_heading=f"{number} change{'' if number == 1 else 's'} {setting.since}" if number else "No change yet",
        differences=differences,
        no_difference="" if differences else f"Everything is {setting.legend}.",
        legend=setting.legend,
        groups=questions.groups,
        foot=_foot(setting, faults),
        name=_name(draft, said) if setting.is_named else None,
        notes=_notes(draft, said) if setting.is_named else None,
        ways=setting.ways,
        faults=_faults_view(faults) if refused else None,
        notices=setting.notices,
    )


def asks_of(questions: Questions) -> str:
    """Stand for the questions on a page in a few letters, so that a phone gets them anew only when they change."""
    return hashlib.sha256(questions.asks.encode()).hexdigest()[:16]


def _said_word(draft: RulesDraft, name: str) -> str:
    return word_of(draft.said[name])


def _at_fields(faults: Sequence[Fault]) -> tuple[Fault, ...]:
    """Give every fault once, each message at one place."""
    kept: dict[str, Fault] = {}
    for fault in faults:
        kept.setdefault(fault.message, fault)
    return tuple(kept.values())


def _foot(setting: Setting, faults: Sequence[Fault]) -> ComposerFoot:
    here = [fault for fault in faults if fault.field not in (NAME_FIELD, NOTES_FIELD)]
    if not here:
        return ComposerFoot(label=setting.save_label, value=SAVE)
    things = "1 thing" if len(here) == 1 else f"{len(here)} things"
    return ComposerFoot(label=f"{things} to put right first", value=LOOK, target=here[0].field)


def _name(draft: RulesDraft, said: dict[str, str]) -> TextField:
    return TextField(
        field=NAME_FIELD,
        label="What you call these rules",
        value=draft.name,
        placeholder="The Millers’ Pitch",
        max_length=NAME_LENGTH,
        fault=said.get(NAME_FIELD, ""),
    )


def _notes(draft: RulesDraft, said: dict[str, str]) -> NotesField:
    at_a_note = (message for where, message in said.items() if where.partition(".")[0] == NOTES_FIELD)
    return NotesField(
        field=NOTES_FIELD,
        label="Notes of your own, one to a line",
        value="\n".join(draft.notes),
        note=f"They stand on the rule sheet as they are. Up to ten, of {NOTE_LENGTH} letters.",
        fault=next(at_a_note, ""),
    )


def _faults_view(faults: Sequence[Fault]) -> FaultsView:
    things = "one thing" if len(faults) == 1 else f"{len(faults)} things"
    items = tuple(FaultView(text=fault.message, target=_place(fault.field)) for fault in faults)
    return FaultsView(heading=f"Not saved yet: {things} to put right", items=items)


def _place(where: str) -> str:
    return NOTES_FIELD if where.partition(".")[0] == NOTES_FIELD else where
