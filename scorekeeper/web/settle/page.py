"""What the page shows on which a hand is typed in, with the ruling as it is typed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from scorekeeper.engine.auction import Contract, is_unbound
from scorekeeper.engine.readings import Ruling
from scorekeeper.graphics.markers import SideView
from scorekeeper.ledger.limits import MOST_HANDS
from scorekeeper.narration.endings import goal_words, outcome_heading
from scorekeeper.narration.phrases import joined
from scorekeeper.narration.readings import bid_sentence, ending_words, reason_words, undecided_sentence
from scorekeeper.rules.phrases import digits
from scorekeeper.web.hand.entry import Entry
from scorekeeper.web.hand.form import COUNT_FIELD, PASSED_FIELD, PENALTY_FIELD, EntryMode
from scorekeeper.web.hand.page import RunningCount, fault_target, running_count
from scorekeeper.web.hand.questions import (
    AwardsView,
    BidView,
    PenaltyView,
    asked_fields,
    awards_view,
    bid_view,
    extras_view,
    questions,
    trump_question,
)
from scorekeeper.web.new_match.form import ALONE, PARTNERS
from scorekeeper.web.settle.form import (
    ASKS_FIELD,
    HANDS_FIELD,
    HIGHEST_SCORE,
    MOST_PLAYERS,
    NAME_PREFIX,
    NAME_ROOM,
    SCORE_PREFIX,
    SEATING_FIELD,
    SEATS_FIELD,
    SETS_PREFIX,
    SHAPE_FIELD,
    WENT_SET_FIELD,
    SettleForm,
)
from scorekeeper.web.settle.hand import Settled
from scorekeeper.web.shared.widgets import FaultView, HiddenFields, QuestionView, labeled_question

MOST_CARDS = 3
"""More sides than these stand in rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeView:
    """A side, and its score before the hand as it was typed."""

    side: SideView
    field: str
    value: str
    usual: str
    """What stands there where nothing was typed."""
    fault: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberField:
    """A line to type in: a name, or how often something happened before."""

    field: str
    label: str
    value: str
    fault: str
    side: SideView | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TookField:
    """How many points somebody took."""

    field: str
    side: SideView
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveRuling:
    """What comes of the hand as it is typed in."""

    count: RunningCount | None
    heading: str
    """"Us win, 43 to 44."."""
    why: str
    needs: str
    """What is still needed, where the ruling was asked for."""
    faults: tuple[FaultView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlePage:
    """Template settle/show.html. Blocks: before, hand_form, live, seldom, bottom_bar."""

    title: ClassVar[str] = "Who won?"
    ruleset_id: str
    share_code: str
    """The rules as a code, where they are not the variant's own."""
    rules_name: str
    rules_line: str
    """"10 points a hand, to 42"."""
    hidden: HiddenFields
    mode: EntryMode
    is_other_edition: bool
    before: tuple[BeforeView, ...]
    score_length: ClassVar = len(str(-HIGHEST_SCORE))
    table: tuple[QuestionView, ...]
    """How many play, and who with whom, where there is a choice."""
    went_set: QuestionView | None
    passed: QuestionView | None
    """Whether all passed, where a hand is played then all the same."""
    """Whether the dealer went set instead of bidding, where the rules allow it."""
    is_played: bool
    """Whether somebody bid, or played without bidding: then the hand is asked for."""
    bid: BidView | None
    trump: QuestionView
    questions: tuple[QuestionView, ...]
    awards: AwardsView | None
    took: tuple[TookField, ...]
    took_question: str
    """"What did each side take?"."""
    took_note: str
    """"all 10 counted", "1 point nobody took"."""
    most_points: int
    penalties: tuple[PenaltyView, ...]
    penalty_length: ClassVar = 3
    asks_overtook: bool
    is_overtook: bool
    has_more: bool
    """Whether what happens seldom is open."""
    names: tuple[NumberField, ...]
    name_length: ClassVar = NAME_ROOM
    numbers: tuple[NumberField, ...]
    """How often each side was set, and how many hands were played, where that matters."""
    count_length: ClassVar = len(str(MOST_HANDS))
    live: LiveRuling
    missing: str
    """What is still needed; the button says it."""
    leads: str
    """Where it is asked."""
    button: str
    """"Show why Us win"."""

    @property
    def is_rows(self) -> bool:
        """Whether there are too many sides for cards."""
        return len(self.before) > MOST_CARDS


def question_fingerprint(form: SettleForm, entry: Entry) -> str:
    """Return what decides which questions the page has, and how it calls everybody."""
    went_set = "set" if form.went_set else ""
    return "|".join((entry.question_fingerprint, form.shape, went_set, *form.shown_names))


def settle_page(form: SettleForm, settled: Settled, *, is_asked: bool = False) -> SettlePage:
    """Return the page of an address; of one that asks for the ruling, it says what is missing."""
    entry, ruleset = settled.entry, form.rules.ruleset
    faults = {**dict(form.name_faults()), **dict(form.number_faults())}
    extras, sides = extras_view(entry), tuple(entry.sides.values())
    label, target = _missing(form, settled, faults)
    took = _took(entry)
    return SettlePage(
        ruleset_id=form.rules.base.id,
        share_code=form.rules.share_code,
        rules_name=ruleset.name,
        rules_line=f"{digits(ruleset.points_per_hand, 'point')} a hand, {goal_words(ruleset)}",
        hidden=tuple(_hidden(form, entry)),
        mode=entry.form.mode,
        is_other_edition=form.is_other_edition,
        before=tuple(_before(form, sides, faults)),
        table=tuple(_table_questions(form)),
        went_set=_went_set_question(form, entry),
        passed=_passed_question(entry),
        is_played=not form.went_set,
        bid=bid_view(entry),
        trump=trump_question(entry),
        questions=questions(entry),
        awards=None if entry.form.by_counts else awards_view(entry),
        took=took,
        took_question=_took_question(form, entry),
        took_note=_took_note(settled),
        most_points=ruleset.points_per_hand,
        penalties=extras.penalties,
        asks_overtook=extras.asks_overtook and not form.went_set,
        is_overtook=extras.is_overtook,
        has_more=extras.is_overtook or any(it.value for it in extras.penalties),
        names=tuple(
            NumberField(field=f"{NAME_PREFIX}{i}", label=usual, value=name, fault=faults.get(f"{NAME_PREFIX}{i}", ""))
            for i, (name, usual) in enumerate(zip(form.names, form.usual_names, strict=True))
        ),
        numbers=tuple(_numbers(form, sides, faults)),
        live=_live(form, settled, faults, needs=label if is_asked else ""),
        missing=label,
        leads=target,
        button=_button(settled.ruling, entry) if settled.ruling else "",
    )


def _missing(form: SettleForm, settled: Settled, faults: dict[str, str]) -> tuple[str, str]:
    if faults:
        field = next(iter(faults))
        return ("Fix the score first" if field.startswith(SCORE_PREFIX) else "Fix this first"), field
    if settled.faults:
        by_counts = form.hand.by_counts and settled.faults[0].field.partition(".")[0] == "points"
        target = "taken" if by_counts else fault_target(settled.entry, settled.faults[0].field)
        return ("Fix the counts first" if by_counts else "Fix this first"), target
    return settled.missing or ("", "")


def _hidden(form: SettleForm, entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield what the address keeps beside what the page asks."""
    asked = {question.field for question in _table_questions(form)}
    yield from ((name, text) for name, text in form.table_fields() if name not in asked)
    yield "fp", form.edition
    yield SHAPE_FIELD, form.shape
    yield ASKS_FIELD, question_fingerprint(form, entry)
    yield "by", entry.form.mode
    if form.went_set:
        # Nothing was played; what was entered before that was said is there again when it is taken back.
        yield from ((name, text) for name, text in form.hand.answers.items() if not name.startswith(PENALTY_FIELD))
        return
    # Half of a pair is on no square of the board.
    if entry.asks_pair and not (entry.form["bidder"] and entry.form["partner"]):
        yield from ((name, entry.form[name]) for name in ("bidder", "partner") if entry.form[name])
    if entry.form.by_counts:
        yield "trump", entry.form["trump"]
    yield from entry.form.unasked_fields(asked_fields(entry), is_before_play=False)


def _before(form: SettleForm, sides: Sequence[SideView], faults: dict[str, str]) -> Iterator[BeforeView]:
    usual = str(form.rules.ruleset.winning.count_down_from or 0)
    for place, (side, value) in enumerate(zip(sides, form.scores, strict=True)):
        field = f"{SCORE_PREFIX}{place}"
        yield BeforeView(side=side, field=field, value=value, usual=usual, fault=faults.get(field, ""))


def _table_questions(form: SettleForm) -> Iterator[QuestionView]:
    counts = [count for count in form.rules.ruleset.table.player_counts if count <= MOST_PLAYERS]
    if len(counts) > 1:
        answers = {str(it): str(it) for it in counts}
        yield labeled_question(SEATS_FIELD, "How many play?", answers, str(form.seats))
    if form.table.has_choice_of_seating:
        ways = {PARTNERS: "partners", ALONE: "each alone"}
        yield labeled_question(SEATING_FIELD, "Who plays with whom?", ways, form.seating)


def _went_set_question(form: SettleForm, entry: Entry) -> QuestionView | None:
    if not form.asks_went_set:
        return None
    answers = {"": "no", **{side: view.name for side, view in entry.sides.items()}}
    asked = labeled_question(WENT_SET_FIELD, "Dealer went set instead of bidding?", answers, form.went_set)
    return replace(asked, cited=entry.cited("bid.all_pass"))


def _passed_question(entry: Entry) -> QuestionView | None:
    if not is_unbound(entry.ruleset, Contract()) or not entry.ruleset.bidding.auction:
        return None
    answers, told = {"no": "no", "yes": "yes, nobody bid"}, "yes" if entry.is_unbound else "no"
    return replace(
        labeled_question(PASSED_FIELD, "Did everyone pass?", answers, told), cited=entry.cited("bid.all_pass")
    )


def _numbers(form: SettleForm, sides: Sequence[SideView], faults: dict[str, str]) -> Iterator[NumberField]:
    if form.asks_hands:
        label, fault = "Hands played before this one", faults.get(HANDS_FIELD, "")
        yield NumberField(field=HANDS_FIELD, label=label, value=form.hands, fault=fault)
    if form.table.asks_sets:
        for place, (side, value) in enumerate(zip(sides, form.sets, strict=True)):
            field = f"{SETS_PREFIX}{place}"
            label, fault = f"{side.name}: sets before this hand", faults.get(field, "")
            yield NumberField(field=field, label=label, value=value, fault=fault, side=side)


def _took(entry: Entry) -> tuple[TookField, ...]:
    if not entry.form.by_counts:
        return ()
    fields = ((f"{COUNT_FIELD}{side.side_id}", side) for side in entry.counted_sides)
    return tuple(TookField(field=field, side=side, value=entry.form[field]) for field, side in fields)


def _took_question(form: SettleForm, entry: Entry) -> str:
    if entry.form.by_counts and len(entry.counted_sides) == 1:
        return f"How many did {entry.counted_sides[0].name} take?"
    return f"What did each {'side' if form.table.side_count or entry.has_roles else 'player'} take?"


def _took_note(settled: Settled) -> str:
    entry, left = settled.entry, settled.nobody_took
    in_hand = entry.ruleset.points_per_hand
    if not entry.form.by_counts:
        return f"{entry.points_left} left" if entry.points_left else f"all {in_hand} counted"
    if settled.faults or len(entry.counted_sides) < 2 or not entry.form.counts:
        return f"{in_hand} in a hand"
    return f"{digits(left, 'point')} nobody took" if left else f"all {in_hand} counted"


def _live(form: SettleForm, settled: Settled, faults: dict[str, str], *, needs: str) -> LiveRuling:
    entry, ruling = settled.entry, settled.ruling
    views = [FaultView(text=text, target=field) for field, text in faults.items()]
    target = _missing(form, settled, {})[1]
    views += [FaultView(text=it.message, target=target, cited=entry.refused_by(it)) for it in settled.faults]
    if ruling is None or faults:
        count = None if views else running_count(entry)
        return LiveRuling(count=count, heading="", why="", needs="" if views else needs, faults=tuple(views))
    count = running_count(entry, ruling.result)
    if ruling.undecided:
        return LiveRuling(count=count, heading="", why=undecided_sentence(ruling), needs="", faults=())
    heading = f"{ending_words(ruling.state, entry.names)}."
    why = reason_words(ruling.state, entry.names)
    if ruling.result.set_taken_by:
        why = joined(bid_sentence(ruling, entry.names), why)
    return LiveRuling(count=count, heading=heading, why=why, needs="", faults=())


def _button(ruling: Ruling, entry: Entry) -> str:
    if ruling.undecided:
        return "Show both answers" if len(ruling.undecided) == 2 else "Show every answer"
    if ruling.state.outcome:
        return f"Show why {outcome_heading(ruling.state, entry.names, stopped=False)}"
    return "Show why nobody has won yet" if ruling.state.goes_on else "Show what decides"
