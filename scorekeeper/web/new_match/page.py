"""A new match: who sits where, and what the table agrees."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from scorekeeper.engine.outlook import tie_rule_decides
from scorekeeper.engine.seats import NAMES_JOINED, Seats, Side
from scorekeeper.graphics.markers import SideView, marked_sides
from scorekeeper.ledger.limits import MOST_HANDS, NAME_LENGTH, TITLE_LENGTH
from scorekeeper.narration.endings import goal_words
from scorekeeper.narration.phrases import IDS_AS_NAMES
from scorekeeper.narration.rule_changes import answered_rules, implied_rules
from scorekeeper.records.record import HIGHEST_SCORE
from scorekeeper.rules.faults import Fault
from scorekeeper.rules.options import LOW
from scorekeeper.rules.phrases import player_counts
from scorekeeper.rules.questions import (
    QUESTIONS,
    Question,
    RuleKey,
    disputed,
    possible_answers,
    to_agree,
    usual_numbers,
    value_of,
    word_of,
)
from scorekeeper.rules.schema import Ruleset
from scorekeeper.web.new_match.form import (
    ALONE,
    ANSWER_PREFIX,
    CHAIRS_FIELD,
    CUT,
    IN_TURN_FIELD,
    LOSER,
    LOSER_FIELD,
    MARK_PREFIX,
    NEW_PICK_FIELD,
    NEXT,
    OTHER_PREFIX,
    PAPER_HANDS_FIELD,
    PAPER_SCORE_PREFIX,
    PAPER_SETS_PREFIX,
    PARTNERS,
    PICK_FIELD,
    SEAT_PREFIX,
    SEATING_FIELD,
    SEATS_FIELD,
    SIDE_PREFIX,
    TableForm,
)
from scorekeeper.web.new_match.way_in import CODE_FIELD, WayIn
from scorekeeper.web.shared.widgets import (
    Choice,
    FaultsView,
    HiddenFields,
    OtherNumber,
    QuestionView,
    each_once,
    faults_view,
    labeled_question,
)

_PLACES = ("s", "w", "n", "e")
"""Clockwise round a table of four, seen from above, the first seat nearest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One seat: a name to type and a D to tap."""

    field: str
    name: str
    side: SideView
    place: str
    """n, e, s or w round a table of four; empty in a list."""
    is_dealer: bool
    fault: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SideName:
    """What a side is called."""

    field: str
    name: str
    placeholder: str
    fault: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperField:
    """A number from paper, as it was typed."""

    field: str
    label: str
    value: str
    fault: str
    side: SideView | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperView:
    """What a table that plays on paper already brings along."""

    scores: tuple[PaperField, ...]
    """One for each side."""
    hands: PaperField
    sets: tuple[PaperField, ...]
    """How often each side was set, where that matters."""
    start: str
    """What a score is before the first hand."""
    is_open: bool
    score_length: ClassVar = len(str(-HIGHEST_SCORE))
    count_length: ClassVar = len(str(MOST_HANDS))


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage:
    """Template new_match/table.html. Blocks: faults, table."""

    rules_name: str
    rules_summary: str
    changed: tuple[str, ...]
    """The rules that a link changed, as sentences: "The Ten scores 1."."""
    is_end_of_changes: bool
    """Whether another match ended with these rules and had begun with others."""
    left_out: tuple[str, ...]
    """What the link says that cannot be played here."""
    address: str
    """The way in, to which the form is sent."""
    hidden: HiddenFields
    seat_counts: QuestionView | None
    """How many may play, where there is a choice."""
    seats: tuple[SeatView, ...]
    pick: QuestionView | None
    """How the first dealer is found, where the same people play again."""
    dealer_name: str
    """Empty where nobody has cut for the deal yet, or the seat has no name."""
    known_names: Sequence[str]
    """Whom this phone's matches know, offered where a name is typed."""
    seating: str
    """"Partners sit across from each other: Ann & Cal, Bea & Dan."."""
    side_names: tuple[SideName, ...]
    name_length: ClassVar = NAME_LENGTH
    match_title: str
    title_length: ClassVar = TITLE_LENGTH
    title_fault: str
    questions: tuple[QuestionView, ...]
    """What the table agrees on, the target among it."""
    paper: PaperView
    book: QuestionView | None
    """Which book of this phone the match goes into; `None` where the phone has none yet."""
    faults: FaultsView | None


def table_page(
    form: TableForm,
    client_key: str,
    way: WayIn,
    *,
    known_names: Sequence[str],
    book: QuestionView | None = None,
    faults: Sequence[Fault] = (),
) -> TablePage:
    """Return the page of a form; `faults` kept the match from being started."""
    ruleset = form.ruleset
    messages = {fault.field: fault.message for fault in faults}
    sides, questions = _sides_of_seats(form), _questions(form, messages)
    asked = {question.field.removeprefix(ANSWER_PREFIX) for question in questions}
    return TablePage(
        rules_name=ruleset.name,
        rules_summary=summary_of(form.played),
        changed=_changed(form, asked),
        is_end_of_changes=way.is_end_of_changes,
        left_out=way.left_out,
        address=way.address,
        hidden=(
            ("client_key", client_key),
            (CHAIRS_FIELD, str(len(form.names))),
            *([(CODE_FIELD, way.share_code)] if way.share_code else []),
            *_hidden_pick(form),
            *((f"{MARK_PREFIX}{i}", str(mark)) for i, mark in enumerate(form.marks)),
            *((f"{ANSWER_PREFIX}{name}", word) for name, word in form.answers.items() if name not in asked),
        ),
        seat_counts=_seat_counts(form),
        seats=tuple(
            SeatView(
                field=f"{SEAT_PREFIX}{i}",
                name=name,
                side=sides[i % len(sides)],
                place=_PLACES[i] if len(form.names) == len(_PLACES) else "",
                is_dealer=form.dealer == i,
                fault=messages.get(f"players.{i}", ""),
            )
            for i, name in enumerate(form.names)
        ),
        pick=_pick(form),
        dealer_name="" if form.dealer is None else form.names[form.dealer],
        known_names=known_names,
        seating=_seating(form),
        side_names=tuple(
            SideName(
                field=f"{SIDE_PREFIX}{i}",
                name=name,
                placeholder=f"{usual}, or named after the players" if form.is_unnamed else "named after the players",
                fault=messages.get(f"sides.{i}.name", ""),
            )
            for i, (name, usual) in enumerate(zip(form.side_names, form.usual_names, strict=False))
        ),
        match_title=form.title,
        title_fault=messages.get("title", ""),
        questions=questions,
        paper=_paper(form, sides, messages),
        book=replace(book, fault=messages.get("book", "")) if book else None,
        faults=faults_view("Not started yet", each_once((it.message, _field_of(it)) for it in faults)),
    )


def _paper(form: TableForm, sides: Sequence[SideView], messages: Mapping[str, str]) -> PaperView:
    def fields(prefix: str, path: str, typed: Sequence[str]) -> tuple[PaperField, ...]:
        return tuple(
            PaperField(
                field=f"{prefix}{i}",
                label=name,
                value=typed[i] if i < len(typed) else "",
                fault=messages.get(f"start.{path}.{i}", ""),
                side=sides[i],
            )
            for i, name in enumerate(form.side_names_in_order)
        )

    scores = fields(PAPER_SCORE_PREFIX, "scores", form.paper_scores)
    sets = fields(PAPER_SETS_PREFIX, "sets", form.paper_sets) if form.asks_sets else ()
    hands = PaperField(
        field=PAPER_HANDS_FIELD,
        label="Hands played",
        value=form.paper_hands,
        fault=messages.get("start.hands", ""),
    )
    return PaperView(
        scores=scores,
        hands=hands,
        sets=sets,
        start=str(form.played.winning.count_down_from or 0),
        is_open=any(it.value for it in (*scores, *sets, hands)),
    )


def _sides_of_seats(form: TableForm) -> Sequence[SideView]:
    """Return the sides as they will look, the first seat's first."""
    if form.side_count:
        names = [name for name, _ in form.named_sides]
    else:
        names = [name or f"{i}" for i, name in enumerate(form.names, 1)]
    unique = [name if names.count(name) == 1 else f"{name} {i}" for i, name in enumerate(names, 1)]
    marks = dict(zip(unique, form.marks, strict=True)) if len(unique) == len(form.marks) else {}
    return list(marked_sides(Seats(tuple(Side(name) for name in unique)), IDS_AS_NAMES, marks).values())


def summary_of(ruleset: Ruleset) -> str:
    """Return a ruleset in a line: "4 players, 4 points a hand, to 21"."""
    return f"{player_counts(ruleset.table)} players, {ruleset.points_per_hand} points a hand, {goal_words(ruleset)}"


def _changed(form: TableForm, asked: Collection[str]) -> tuple[str, ...]:
    """Return what the link changed and the page does not ask about, as sentences."""
    ruleset = form.asked_about
    carried = {name: answer for name, answer in form.link.items() if name not in asked}
    rules = answered_rules(form.ruleset, ruleset, carried)
    return (*(rule.sentence for rule in rules), *implied_rules(form.ruleset, ruleset, form.link))


def _seat_counts(form: TableForm) -> QuestionView | None:
    counts = {str(n): str(n) for n in form.ruleset.table.player_counts}
    return labeled_question(SEATS_FIELD, "How many play", counts, str(len(form.names))) if len(counts) > 1 else None


def _pick(form: TableForm) -> QuestionView | None:
    if not form.pick:
        return None
    labels = {NEXT: "next in turn", LOSER: "the loser", CUT: "cut for it"}
    note = "nobody lost, so next in turn" if form.pick == LOSER and form.lost is None else ""
    note = "tap the D of whoever wins the cut" if form.pick == CUT else note
    return labeled_question(NEW_PICK_FIELD, "Who deals first?", labels, form.pick, note=note)


def _hidden_pick(form: TableForm) -> HiddenFields:
    if not form.pick:
        return ()
    lost = () if form.lost is None else ((LOSER_FIELD, str(form.lost)),)
    return (PICK_FIELD, form.pick), (IN_TURN_FIELD, str(form.in_turn)), *lost


def _seating(form: TableForm) -> str:
    if form.ruleset.table.called:
        return "Everyone scores alone; the bidder calls a partner for the hand."
    if not form.side_count:
        return "Everyone scores alone."
    is_opposite = len(form.names) == 2 * form.side_count
    sitting = "Partners sit across from each other" if is_opposite else "The sides sit in turn around the table"
    if form.is_unnamed:
        return f"{sitting}. Names are optional."
    if not all(form.names):
        return f"{sitting}. Name everyone, or no one."
    return f"{sitting}: {', '.join(map(NAMES_JOINED.join, form.teams))}."


def _questions(form: TableForm, messages: Mapping[str, str]) -> tuple[QuestionView, ...]:
    """Return the questions: how people sit where that is open, numbers, then what is open or disputed."""
    ruleset = form.asked_about
    numbers = [it for it in to_agree(form.ruleset) if it.option in form.link or it in to_agree(ruleset)]
    others = [question for question in numbers if not question.is_number]
    numbers = [question for question in numbers if question.is_number]
    if form.ruleset.winning.target and not ruleset.winning.count_down_from:
        numbers.append(QUESTIONS["target"])
    others += [question for question in disputed(ruleset) if question not in others]
    if form.has_worth_of_low:
        others = [question for question in others if question.option != LOW]
    if not _tie_rule_decides(form, ruleset, "first_to_target"):
        others = [question for question in others if question.option != "tie_rule"]
    asked = tuple(_question(form, ruleset, question, messages) for question in (*numbers, *others))
    if not form.has_choice_of_seating:
        return asked
    seatings = {PARTNERS: "with partners", ALONE: "each alone"}
    return (labeled_question(SEATING_FIELD, "Who plays with whom?", seatings, form.seating), *asked)


def open_questions(form: TableForm, faults: Sequence[Fault] = ()) -> tuple[QuestionView, ...]:
    """Return the questions that a game leaves open, those for a number first."""
    messages = {fault.field: fault.message for fault in faults}
    asked = sorted(to_agree(form.ruleset), key=lambda question: not question.is_number)
    return tuple(_question(form, form.ruleset, question, messages) for question in asked)


def _tie_rule_decides(form: TableForm, ruleset: Ruleset, win_rule: str) -> bool:
    """Return whether several sides can reach the target at once where this is answered to the question who goes out."""
    if win_rule not in possible_answers(ruleset, "win_rule"):
        return False
    answered = ruleset.changed(winning=ruleset.winning.changed(win_rule=win_rule))
    return tie_rule_decides(answered, form.side_count or len(form.names))


def _question(form: TableForm, ruleset: Ruleset, question: Question, messages: Mapping[str, str]) -> QuestionView:
    standard, now = question.answer(form.ruleset), question.answer(ruleset)
    book = "" if standard is None else word_of(standard)
    is_moot = question.option == "tie_rule" and not _tie_rule_decides(form, ruleset, "made_bid")
    chosen = form.answers.get(question.option) or ("" if now is None and not standard else word_of(now))
    if question.is_number:
        agreed = (value_of(chosen), standard)
        words = [str(number) for number in usual_numbers(ruleset, question, also=agreed)]
        words += ["none"] if chosen == "none" else []
    else:
        words = list(possible_answers(ruleset, question.option))
    return QuestionView(
        field=f"{ANSWER_PREFIX}{question.option}",
        question=question.ask(ruleset),
        note=f"standard is {question.label(standard, ruleset)}" if book and chosen != book else "",
        choices=tuple(
            Choice(
                value=word,
                label=word
                if word.isdigit() and question.option == "target"
                else question.label(value_of(word), ruleset),
                is_chosen=word == chosen,
                is_book=word == book,
            )
            for word in words
        ),
        fault=messages.get(f"house.{question.option}", ""),
        moot_with="made_bid" if is_moot else "",
        other=_other_number(form, question) if question.is_number else None,
    )


def _other_number(form: TableForm, question: Question) -> OtherNumber:
    lowest, highest = RuleKey(question.option).limits
    return OtherNumber(
        field=f"{OTHER_PREFIX}{question.option}",
        label=f"Another number, {lowest} to {highest}{' cents' if question.is_money else ''}",
        value=form.unreadable.get(question.option, ""),
        max_length=len(str(highest)),
    )


def _field_of(fault: Fault) -> str:
    """Return the field that a fault of the record belongs to; empty where it belongs to none."""
    match fault.field.split("."):
        case ["start", "scores", side]:
            return f"{PAPER_SCORE_PREFIX}{side}"
        case ["start", "sets", side]:
            return f"{PAPER_SETS_PREFIX}{side}"
        case ["start", "hands"]:
            return PAPER_HANDS_FIELD
        case ["house", option]:
            return f"{ANSWER_PREFIX}{option}"
        case ["players", seat]:
            return f"{SEAT_PREFIX}{seat}"
        case ["sides", side, *_]:
            return f"{SIDE_PREFIX}{side}"
        case ["title" | "book" as field]:
            return field
        case _:
            return ""
