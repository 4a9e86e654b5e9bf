"""A match and itself under other rules, hand by hand."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.match import HandResult, sides_set
from scorekeeper.graphics.markers import SideView
from scorekeeper.ledger.derive_match import Match
from scorekeeper.narration.hands import bid_words
from scorekeeper.narration.phrases import score_text, signed
from scorekeeper.narration.what_if import either_way_sentence
from scorekeeper.records.comparison import HandQuestion, MatchEnd, Row, Span, WhatIf
from scorekeeper.web.shared.match_views import side_views_in
from scorekeeper.web.shared.widgets import Choice
from scorekeeper.web.what_if.form import OPEN, OtherRules, told_field, told_word
from scorekeeper.web.what_if.results import outcome_words, span_text

_SET = "set."


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What one side scored in one hand, over its total."""

    points: str
    total: str
    is_set: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfRow:
    """One hand on one side of the comparison."""

    cells: tuple[Cell, ...]
    """One for each side; none where `word` says why."""
    word: str = ""
    """"already over", "not scored"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """What is said under a hand."""

    lead: str
    text: str
    is_set: bool = False
    """Whether the text ends with a bid that was set, which is drawn in red."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionField:
    """What is asked of a hand in place."""

    field: str
    lead: str
    ask: str
    remark: str
    """"Bea & Dan win either way."."""
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLine:
    """One hand on both sides, or the hands that are the same."""

    number: str
    """"3", "1, 2", "1–5"."""
    bid: str
    """"Ann 7", "the same"."""
    suit: str
    played: HalfRow
    other: HalfRow
    is_same: bool = False
    is_first: bool = False
    """Whether the two part here."""
    is_quiet: bool = False
    remarks: tuple[Remark, ...] = ()
    questions: tuple[QuestionField, ...] = ()


def hand_lines(match: Match, shown: WhatIf, other: OtherRules) -> Iterator[HandLine]:
    """Yield the hands that are the same in one line, then each one from where the two part."""
    rows, first = shown.rows, shown.first_difference
    alike = [row for row in rows if first is None or row.place < first.place]
    if alike:
        yield _same_line(alike, shown)
    for row in rows[len(alike) :]:
        yield _hand_line(match, row, shown, other)


def _same_line(rows: Sequence[Row], shown: WhatIf) -> HandLine:
    """Return the hands before the two part, in one line."""
    numbers = list(dict.fromkeys(row.number for row in rows))
    number = f"{numbers[0]}–{numbers[-1]}" if len(numbers) > 2 else ", ".join(map(str, numbers))
    last = rows[-1]
    cells = tuple(Cell(points="", total=score_text(total), is_set=False) for total in last.played.scores.values())
    both = HalfRow(cells=cells)
    remarks: tuple[Remark, ...] = ()
    if shown.first_difference is None:
        remarks = (Remark(lead="Nothing changes.", text="All hands count the same, and so does the match."),)
    return HandLine(number=number, bid="the same", suit="", played=both, other=both, is_same=True, remarks=remarks)


def _hand_line(match: Match, row: Row, shown: WhatIf, other: OtherRules) -> HandLine:
    is_first = bool(shown.first_difference and shown.first_difference.place == row.place)
    is_over = row.played.status == "after_end"
    return HandLine(
        number=str(row.number),
        bid=bid_words(row.played, row.names),
        suit=row.played.hand.trump or "",
        played=HalfRow(cells=(), word="already over") if is_over else HalfRow(cells=_played_cells(row.played)),
        other=_other_half(row),
        is_first=is_first,
        is_quiet=row.status in ("already_over", "not_reached"),
        remarks=tuple(_remarks(row, shown, other, is_first=is_first)),
        questions=tuple(_questions(match, row, shown)),
    )


def _played_cells(result: HandResult) -> tuple[Cell, ...]:
    was_set = sides_set(result)
    return tuple(
        Cell(
            points=signed(result.deltas[side]) if result.changes_scores else "",
            total=score_text(total),
            is_set=side in was_set,
        )
        for side, total in result.scores.items()
    )


def _other_half(row: Row) -> HalfRow:
    if row.status == "already_over":
        return HalfRow(cells=(), word="already over")
    if row.status == "not_reached":
        return HalfRow(cells=(), word="not scored")
    result = row.otherwise
    was_set: Collection[SideId] = sides_set(result) if result else ()
    is_blank = result is not None and not result.changes_scores
    return HalfRow(
        cells=tuple(
            Cell(
                points="" if is_blank else _delta(row.deltas[side]),
                total=span_text(total),
                is_set=side in was_set,
            )
            for side, total in row.scores.items()
        )
    )


def _delta(span: Span) -> str:
    if span.is_known:
        return signed(span.lowest)
    return f"{signed(span.lowest)} {'or' if span.highest - span.lowest == 1 else 'to'} {signed(span.highest)}"


def _remarks(row: Row, shown: WhatIf, other: OtherRules, *, is_first: bool) -> Iterator[Remark]:
    first = shown.first_difference
    if is_first and first:
        asks = first.kind == "open" and bool(row.questions)
        yield (
            Remark(lead="The first difference.", text="")
            if asks
            else difference_remark("The first difference.", first.sentence)
        )
    is_said = is_first and first is not None and first.kind in ("over", "goes_on")
    if row.ends_as_played:
        yield Remark(lead=f"As played, {shown.as_played.heading}.", text=shown.as_played.why)
    if row.ends_otherwise and not is_said and (why := _why(shown.otherwise)):
        yield Remark(lead=f"{other.label}: {shown.otherwise.heading}.", text=why)
    if shown.stop and shown.stop.place == row.place and not (is_first and first and first.kind == "stop"):
        yield Remark(lead="", text=shown.stop.sentence)


def _why(ending: MatchEnd) -> str:
    """Return why a match ended so, unless its heading says it all."""
    return "" if ending.why in (either_way_sentence(ending.heading), ending.heading) else ending.why


def difference_remark(lead: str, sentence: str) -> Remark:
    """Return where the two part; a bid that was set is drawn apart."""
    is_set = sentence.endswith(f" {_SET}")
    return Remark(lead=lead, text=sentence.removesuffix(_SET) if is_set else sentence, is_set=is_set)


def _questions(match: Match, row: Row, shown: WhatIf) -> Iterator[QuestionField]:
    sides = side_views_in(match, row.place) if row.questions else {}
    lead = ""
    for it in row.questions:
        yield QuestionField(
            field=told_field(it.key),
            lead=it.lead if it.lead != lead else "",
            ask=it.ask,
            remark=either_way_sentence(outcome_words(shown.otherwise)) if shown.otherwise.is_either_way else "",
            choices=(*_choices(it, sides), Choice(value=OPEN, label="leave open", is_chosen=it.told is None)),
        )
        lead = it.lead


def _choices(question: HandQuestion, sides: Mapping[SideId, SideView]) -> Iterator[Choice]:
    is_of_sides = not question.key[1].startswith("all_tricks")
    for it in question.choices:
        side = sides[it.who[0]] if len(it.who) == 1 and is_of_sides else None
        yield Choice(value=told_word(it.who), label=it.label, is_chosen=it.who == question.told, side=side)
