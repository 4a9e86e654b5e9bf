"""What the page shows on which a night starts, and that of what it can be changed to."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.ladder import words
from scorekeeper.ladder.limits import MOST_ROUNDS
from scorekeeper.ledger.limits import TITLE_LENGTH
from scorekeeper.narration.endings import goal_words
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.questions import has_end
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.night_matches import seats_pairs
from scorekeeper.services.nights import NightAtHand
from scorekeeper.web.new_match.form import ANSWER_PREFIX, TableForm
from scorekeeper.web.new_match.page import open_questions
from scorekeeper.web.nights.form import USUAL_SIZE, NightForm
from scorekeeper.web.shared.form_keys import new_form_key
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.widgets import (
    FaultsView,
    HiddenFields,
    QuestionView,
    each_once,
    faults_view,
    labeled_question,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewNightPage:
    """Template nights/new.html."""

    typed_title: str
    typed_rounds: str
    variant: str
    """The game that is chosen; empty for none."""
    size: QuestionView
    games: tuple[tuple[str, str], ...]
    """Each game's id and name, for matches that are kept at a table."""
    hidden: HiddenFields
    """The form's key, and what was answered of the game already."""
    faults: FaultsView | None
    title_length: int
    most_rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreePage:
    """Template nights/agree.html."""

    rules_name: str
    rules_summary: str
    hidden: HiddenFields
    """The form's key, and the night as it was typed."""
    questions: tuple[QuestionView, ...]
    faults: FaultsView | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NightSettingsPage:
    """Template nights/settings.html."""

    code: str
    title: str
    typed_title: str
    typed_rounds: str
    faults: FaultsView | None
    title_length: int
    round_number: int
    """The round that can be undone whole; 0 where none can."""
    may_end: bool
    was_ended: bool
    may_redraw: bool
    """Whether undoing round 1 leads back to the seating."""
    may_draw_anew: bool
    """Whether undoing the round draws another time who sits out."""


def new_night_page(form: NightForm, faults: Sequence[Fault] = ()) -> NewNightPage:
    """Return the page on which a night starts."""
    sizes = {"1": "1", "2": "2", "3": "3", "4": "4"}
    return NewNightPage(
        typed_title=form.title,
        typed_rounds=form.rounds,
        variant=form.variant,
        size=labeled_question("size", "How many play together?", sizes, form.size),
        games=tuple((ruleset.id, ruleset.name) for ruleset in night_games()),
        hidden=(_key(), *(_answers(form.game) if form.game else ())),
        faults=faults_view("Not started yet", [(fault.message, fault.field) for fault in faults]),
        title_length=TITLE_LENGTH,
        most_rounds=MOST_ROUNDS,
    )


def night_games() -> tuple[Ruleset, ...]:
    """Return the games whose matches can be kept at the tables of a night: two pairs sit down, and a match ends."""
    return tuple(ruleset for ruleset in library() if seats_pairs(ruleset.table, USUAL_SIZE) and has_end(ruleset))


def agree_page(form: NightForm, game: TableForm, faults: Sequence[Fault] = ()) -> AgreePage:
    """Return the page that asks what a game leaves open."""
    points = game.played.points_per_hand
    return AgreePage(
        rules_name=game.ruleset.name,
        rules_summary=f"{form.size} against {form.size}, {points} points a hand, {goal_words(game.played)}",
        hidden=(_key(), *((name, getattr(form, name)) for name in ("title", "rounds", "size", "variant"))),
        questions=open_questions(game, faults),
        faults=faults_view("Not started yet", each_once((it.message, it.field.replace(".", "-")) for it in faults)),
    )


def _key() -> tuple[str, str]:
    return "client_key", new_form_key()


def _answers(game: TableForm) -> HiddenFields:
    return tuple((f"{ANSWER_PREFIX}{option}", word) for option, word in game.answers.items())


def night_settings_page(
    found: NightAtHand, typed: tuple[str, str] | None = None, faults: Sequence[Fault] = ()
) -> NightSettingsPage:
    """Return the page of what can be changed of a night."""
    night = found.night
    title, rounds = typed or (night.title, str(night.agreed))
    return NightSettingsPage(
        code=found.code,
        title=words.night_title(night),
        typed_title=title,
        typed_rounds=rounds,
        faults=faults_view("Not saved yet", [(fault.message, fault.field) for fault in faults]),
        title_length=TITLE_LENGTH,
        round_number=night.current.number if night.current and not night.was_ended else 0,
        may_end=bool(night.rounds) and not night.is_over,
        was_ended=night.was_ended,
        may_redraw=len(night.rounds) == 1,
        may_draw_anew=bool(night.current and night.current.sits_out is not None and not night.was_ended),
    )
