"""A match told for paper: who, when, by which rules, every hand with its lines, and who won and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from scorekeeper.engine.course import courses, sides_set
from scorekeeper.engine.matches import HandResult, MatchState
from scorekeeper.engine.outcome import target_of
from scorekeeper.engine.record import Record
from scorekeeper.engine.words import because, line_words, listed, plain, signed
from scorekeeper.engine.words.ends import crown_words, deciding_rule, ends_at
from scorekeeper.engine.words.hands import award_words, bid_words, outcome_of, shared_lines
from scorekeeper.printing.chart import SHEET, TALL_SHEET, draw_chart
from scorekeeper.printing.marks import side_marks
from scorekeeper.printing.result_values import MOST_WIDE, FinalScore, ResultCell, ResultHand, ResultLine, ResultSheet
from scorekeeper.rules.digest import fingerprint
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.schema import Ruleset
from scorekeeper.rules.sheet import rule_sheet
from scorekeeper.rules.words import money

MONTHS = ("January February March April May June July August September October November December").split()
LONGEST_TITLE = 60
SUIT_SIGNS = {"spades": "♠", "hearts": "♥", "diamonds": "♦", "clubs": "♣"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What is told of a match beside its hands; a record from a file knows less of it than the match itself."""

    title: str = ""
    played_on: str = ""
    place: str = ""
    note: str = ""
    is_stopped: bool = False
    marks: Mapping[str, int] = field(default_factory=dict)
    """The markers that the sides wear, by name, where they chose them."""
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


def tell_result(state: MatchState, story: Story, base: Ruleset | None = None) -> ResultSheet:
    """Tell a match; the rules that it began with are told against `base`, the book's own."""
    rules = state.hands[0].ruleset if state.hands else state.ruleset
    target = target_of(state.ruleset)
    frame = SHEET if len(state.seats.sides) <= MOST_WIDE else TALL_SHEET
    return ResultSheet(
        title=story.title or _people(state) or rules.name,
        played=", ".join(part for part in (date_words(story.played_on), story.place) if part),
        rules=f"{rules.name}, {ends_at(rules)}",
        fingerprint=fingerprint(rules),
        house=_house(rules, base or rules),
        scores=_scores(state, story),
        crown=crown_words(state, stopped=story.is_stopped),
        why=because(state, stopped=story.is_stopped),
        rule=deciding_rule(state),
        chart=draw_chart(courses(state), side_marks(state.seats, story.marks), target=target, frame=frame),
        target="" if target is None else plain(target),
        hands=tuple(_hands(state, story)),
        note=story.note,
    )


def date_words(iso: str) -> str:
    """Write a date: "20 November 2026"."""
    if not iso:
        return ""
    day = date.fromisoformat(iso)
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def _people(state: MatchState) -> str:
    """Call a match by who plays it, where that is short enough for a title."""
    names = listed(state.seats.names)
    return names if len(names) <= LONGEST_TITLE else ""


def _house(rules: Ruleset, base: Ruleset) -> tuple[str, ...]:
    told = rule_sheet(rules, base).house
    return (*told.changes, *told.agreed)


def _scores(state: MatchState, story: Story) -> tuple[FinalScore, ...]:
    owed = state.money or {}
    winners = state.outcome.winners if state.outcome else ()
    return tuple(
        FinalScore(
            side=side,
            score=plain(state.scores[side.name]),
            is_winner=side.name in winners,
            money=_money(owed[side.name]) if side.name in owed else "",
        )
        for side in side_marks(state.seats, story.marks)
    )


def _money(cents: int) -> str:
    if not cents:
        return "even"
    return f"{'gets' if cents > 0 else 'owes'} {money(abs(cents))}"


def _hands(state: MatchState, story: Story) -> Iterator[ResultHand]:
    """Tell the hands in order, those that were taken out where they stood."""
    gone = list(story.taken_out)
    for result in state.hands:
        yield from (hand for after, hand in gone if after == result.number - 1)
        yield _hand(state, result, story.remarks.get(result.number, ()))
    for result, waits in story.waiting:
        yield from (hand for after, hand in gone if after == result.number - 1)
        told = _hand(state, result, (*story.remarks.get(result.number, ()), waits))
        yield replace(told, cells=tuple(replace(cell, total=f"({cell.total})") for cell in told.cells))
    yield from (hand for after, hand in gone if after >= len(state.hands) + len(story.waiting))


def _hand(state: MatchState, result: HandResult, remarks: tuple[str, ...]) -> ResultHand:
    counts, was_set = result.status == "scored", sides_set(result)
    return ResultHand(
        number=str(result.number),
        bid=bid_words(result),
        suit=SUIT_SIGNS.get(result.hand.trump or "", ""),
        outcome=outcome_of(result)[0],
        dealer=result.dealer or "",
        lines=tuple(_lines(result)),
        remarks=remarks,
        note=result.hand.note or "",
        changes=_changes(result),
        changes_on=date_words(result.hand.house_on or "") if result.hand.house else "",
        cells=tuple(
            ResultCell(
                points=signed(result.deltas[name]) if counts else "",
                total=plain(result.scores[name]),
                is_set=name in was_set,
            )
            for name in state.seats.names
        ),
    )


def _lines(result: HandResult) -> Iterator[ResultLine]:
    """Tell what each side scored, its awards together, and whom the hand paid directly."""
    if result.score is None:
        return
    for names, lines in shared_lines(result.score.lines).items():
        who = " & ".join(names)
        awards = [line for line in lines if line.award]
        if awards:
            text = ", ".join(award_words(result, line) for line in awards)
            yield ResultLine(text=text, points=_points(who, sum(line.points for line in awards)))
        for line in lines:
            if not line.award:
                yield ResultLine(text=line_words(result, line), points=_points(who, line.points))
    for name, cents in (result.score.payments or {}).items():
        if cents:
            yield ResultLine(text="in money", points=f"{name} {_money(cents)}")


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
