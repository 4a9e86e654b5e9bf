"""A match told for paper: who, when, by which rules, every hand with its lines, and who won and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.match import HandResult, MatchState
from scorekeeper.engine.outcome import target_of
from scorekeeper.engine.score_history import score_histories, sides_set
from scorekeeper.graphics.chart import SHEET, TALL_SHEET, draw_chart
from scorekeeper.graphics.markers import side_marks
from scorekeeper.narration.endings import deciding_rule, goal_words, outcome_heading
from scorekeeper.narration.hands import bid_words, hand_lines, outcome_word
from scorekeeper.narration.phrases import SUIT_SIGNS, Names, named, score_text, signed
from scorekeeper.narration.verdict import verdict_sentence
from scorekeeper.printing.score_sheet_values import (
    MOST_WIDE,
    FinalScore,
    ResultCell,
    ResultHand,
    ResultLine,
    ResultSheet,
)
from scorekeeper.records.record import Record
from scorekeeper.rules.fingerprint import fingerprint
from scorekeeper.rules.phrases import listed, money
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.schema import Ruleset
from scorekeeper.sheets.house_frame import house_frame
from scorekeeper.sheets.sheet_writer import SheetWriter

MONTHS = ("January February March April May June July August September October November December").split()
LONGEST_TITLE = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What is told of a match beside its hands; a record from a file knows less of it than the match itself."""

    title: str = ""
    played_on: str = ""
    place: str = ""
    note: str = ""
    is_stopped: bool = False
    marks: Mapping[SideId, int] = field(default_factory=dict)
    """The markers of the sides, where they chose them."""
    remarks: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """What was put right, by the number of the hand."""
    waiting: Sequence[tuple[HandResult, str]] = ()
    """Hands after those that count, each with what it waits for, and what it would bring."""
    taken_out: Sequence[tuple[int, ResultHand]] = ()
    """Hands that were taken out, each with the number of the hand that it stood after."""


def story_of(record: Record) -> Story:
    """Take the story from a record."""
    return Story(
        title=record.title or "",
        played_on=record.played_on or "",
        place=record.place or "",
        note=record.note or "",
        is_stopped=record.stopped,
    )


def tell_result(state: MatchState, names: Names, story: Story, base: Ruleset | None = None) -> ResultSheet:
    """Tell a match; the rules that it began with are told against `base`, the book's own."""
    rules = state.results[0].ruleset if state.results else state.ruleset
    target = target_of(state.ruleset)
    frame = SHEET if len(state.seats.sides) <= MOST_WIDE else TALL_SHEET
    return ResultSheet(
        title=story.title or _people(state, names) or rules.name,
        played=", ".join(part for part in (date_words(story.played_on), story.place) if part),
        rules=f"{rules.name}, {goal_words(rules)}",
        fingerprint=fingerprint(rules),
        house=_house(rules, base or rules),
        scores=_scores(state, names, story),
        crown=outcome_heading(state, names, stopped=story.is_stopped),
        why=verdict_sentence(state, names, stopped=story.is_stopped),
        rule=deciding_rule(state),
        chart=draw_chart(
            score_histories(state), side_marks(state.seats, names, story.marks), target=target, frame=frame
        ),
        target="" if target is None else score_text(target),
        hands=tuple(_hands(state, names, story)),
        note=story.note,
    )


def date_words(iso: str) -> str:
    """Write a date: "20 November 2026"."""
    if not iso:
        return ""
    day = date.fromisoformat(iso)
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def _people(state: MatchState, names: Names) -> str:
    """Call a match by who plays it, where that is short enough for a title."""
    people = listed(named(state.seats.ids, names))
    return people if len(people) <= LONGEST_TITLE else ""


def _house(rules: Ruleset, base: Ruleset) -> tuple[str, ...]:
    told = house_frame(SheetWriter(rules, base))
    return (*told.changes, *told.agreed)


def _scores(state: MatchState, names: Names, story: Story) -> tuple[FinalScore, ...]:
    owed = state.money or {}
    winners = state.outcome.winners if state.outcome else ()
    return tuple(
        FinalScore(
            side=side,
            score=score_text(state.scores[side_id]),
            is_winner=side_id in winners,
            money=_money(owed[side_id]) if side_id in owed else "",
        )
        for side_id, side in zip(state.seats.ids, side_marks(state.seats, names, story.marks), strict=True)
    )


def _money(cents: int) -> str:
    if not cents:
        return "even"
    return f"{'gets' if cents > 0 else 'owes'} {money(abs(cents))}"


def _hands(state: MatchState, names: Names, story: Story) -> Iterator[ResultHand]:
    """Tell the hands in order, those that were taken out where they stood."""
    gone = list(story.taken_out)
    for result in state.results:
        yield from (hand for after, hand in gone if after == result.number - 1)
        yield _hand(state, names, result, story.remarks.get(result.number, ()))
    for result, waits in story.waiting:
        yield from (hand for after, hand in gone if after == result.number - 1)
        told = _hand(state, names, result, (*story.remarks.get(result.number, ()), waits))
        yield replace(told, cells=tuple(replace(cell, total=f"({cell.total})") for cell in told.cells))
    yield from (hand for after, hand in gone if after >= len(state.results) + len(story.waiting))


def _hand(state: MatchState, names: Names, result: HandResult, remarks: tuple[str, ...]) -> ResultHand:
    counts, was_set = result.status == "scored", sides_set(result)
    return ResultHand(
        number=str(result.number),
        bid=bid_words(result, names),
        suit=SUIT_SIGNS.get(result.hand.trump or "", ""),
        outcome=outcome_word(result),
        dealer=names[result.dealer] if result.dealer else "",
        lines=tuple(_lines(result, names)),
        remarks=remarks,
        note=result.hand.note or "",
        changes=_changes(result),
        changes_on=date_words(result.hand.house_on or "") if result.hand.house else "",
        cells=tuple(
            ResultCell(
                points=signed(result.deltas[side]) if counts else "",
                total=score_text(result.scores[side]),
                is_set=side in was_set,
            )
            for side in state.seats.ids
        ),
    )


def _lines(result: HandResult, names: Names) -> Iterator[ResultLine]:
    """Tell what each side scored, its awards together, and whom the hand paid directly."""
    if result.score is None:
        return
    for line in hand_lines(result):
        who = " & ".join(named(line.sides, names))
        yield ResultLine(text=line.text, points=_points(who, line.points))
    for side, cents in (result.score.payments or {}).items():
        if cents:
            yield ResultLine(text="in money", points=f"{names[side]} {_money(cents)}")


def _points(who: str, points: int) -> str:
    """Keep a name and its points on one line."""
    return f"{who}\u00a0{signed(points)}"


def _changes(result: HandResult) -> tuple[str, ...]:
    """Tell the rules that were changed before a hand."""
    told = []
    for option in result.hand.house or {}:
        question = QUESTIONS[option]
        told.append(question.sentence(question.answer(result.ruleset), result.ruleset))
    return tuple(told)
