"""Score sheets: winners and reason, day, rules, payments, a chart, and all hands with their points.

The PDF has as many pages as the hands need, with the same heads on each.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from scorekeeper.pitch.drawings.chart import SHEET_FRAME, TALL_SHEET_FRAME, ChartView, draw_match_chart
from scorekeeper.pitch.drawings.markers import SideView, mark_sides
from scorekeeper.pitch.records.record import Record, names_by_hand
from scorekeeper.pitch.rules.phrases import award_row_name
from scorekeeper.pitch.rules.questions import QUESTIONS
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import fingerprint
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.hand_score import Reason, bid_rules
from scorekeeper.pitch.scoring.match import HandResult, MatchState, score_histories
from scorekeeper.pitch.scoring.seats import NAME_SEPARATOR
from scorekeeper.pitch.scoring.standing import target_score
from scorekeeper.pitch.sheets.citations import Citations, CitedRule, citations
from scorekeeper.pitch.sheets.house_frame import house_frame
from scorekeeper.pitch.sheets.parts import SheetWriter
from scorekeeper.pitch.text.endings import (
    deciding_rules_text,
    earlier_goal_words,
    goal_words,
    outcome_heading,
    possible_endings_words,
    verdict_text,
)
from scorekeeper.pitch.text.hands import (
    HandCell,
    bid_words,
    carried_from_paper_words,
    hand_cells,
    hand_lines,
    not_counted_words,
    outcome_word,
)
from scorekeeper.pitch.text.phrases import (
    AMERICAN,
    IDS_AS_NAMES,
    SUIT_SIGNS,
    DateStyle,
    Names,
    group_by_key,
    join_nonempty,
    names_of,
    opponents_text,
    score_text,
    signed_text,
    substitution_words,
    with_pronouns,
)
from scorekeeper.pitch.text.standing import hand_payment_sentences, money_sum_sentences, owed_words, payment_sentences
from scorekeeper.printing.fitting import AS_MANY_AS_NEEDED, Draft, StyleRow, drawing_style_element, render_sheet
from scorekeeper.printing.print_options import LARGE, PAPER_NAMES, PrintOptions

MAX_TITLE_LENGTH = 60
"""The most characters of a title that consists of the players' names."""
MAX_WIDE_SIDES = 3
"""The most sides in a match for which the points of a hand fit beside its bid."""
MAX_SCORES_SIDE_BY_SIDE = 4
"""The most final scores side by side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalScore:
    """The result of a side, for the template: its final score, whether it has won, and its money."""

    side: SideView
    score: str
    """The score; empty where hands are paid in money."""
    is_winner: bool
    money: str
    """What the side gets or owes: "gets 35 cents", "even"; empty without money."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsLine:
    """A line about a hand: points and what they are for, a payment, or numbers of rules.

    The text "High, Jack" has the points "Us +2" beside it. If only points were entered, the text has them: "Us took 3".
    """

    text: str
    points: str = ""
    in_vain: str = ""
    """The awards that do not count, as the side was set: "Jack, Trey 3"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRow:
    """The row of a hand, for the template."""

    number: str
    """The number; "–" for a hand that was dealt again, and empty for a deleted one."""
    bid: str
    suit: str = ""
    outcome: str = ""
    """"made", "set", "after the end", "not finished"; else empty."""
    dealer: str = ""
    lines: tuple[PointsLine, ...] = ()
    corrections: tuple[str, ...]
    """The corrections and the deletion, in words."""
    note: str = ""
    changes: tuple[str, ...] = ()
    """The substitutes and the rule changes before this hand, in words."""
    changed_on: str = ""
    """The day of the rule changes, in words; empty for an unknown day."""
    cells: tuple[HandCell, ...] = ()
    """The points and the total of each side, in order; empty for a deleted hand."""

    @property
    def is_deleted(self) -> bool:
        """Whether the hand was deleted."""
        return not self.number


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSheet:
    """The values of the template of a score sheet."""

    title: str
    day_and_venue: str
    rules_line: str
    """The name and the goal of the rules in force at the end: "Partnership Pitch, to 21"."""
    fingerprint: str
    """The fingerprint of the first rules of the match, on whose sheet the cited rule numbers are."""
    has_changed_rules: bool
    house_rules: tuple[str, ...]
    scores: tuple[FinalScore, ...]
    heading: str
    """The outcome in a few words: "We win", "Stopped"."""
    verdict: str
    """Who won and why, or why nobody has won, in sentences."""
    deciding_rule: str
    """The deciding rule with its number: "If both reach 42 …, the bidding side wins. (rule 7.2)"."""
    possible_endings: str
    """How the match can end by its last rules: "First to 42 at the end of a hand."; empty if they do not end it.

    Numbers of rules follow if the first rules say the same. After a change of the goal, the goal before it follows:
    "Through hand 5 it was to 21.".
    """
    payments: tuple[str, ...]
    """The payments that settle the match: "Bob pays Ann 17 cents"."""
    balance_sums: tuple[str, ...]
    """The calculation of each side's balance, in sentences."""
    payment_rules: str
    """The numbers of the rules about payment: "(rules 3.6, 7.2)"."""
    legend: str
    """The legend: the rules behind awards, made and set bids, and the meaning of † beside a rule."""
    chart: ChartView | None
    target: str
    """The target; empty if no score ends the match."""
    hands: tuple[HandRow, ...]
    carried_over: str
    """The scores carried over from paper: "From paper after 3 hands: Us 10, Them 7."; empty without any."""
    note: str

    @property
    def is_wide(self) -> bool:
        """Whether the points of a hand fit beside its bid."""
        return len(self.scores) <= MAX_WIDE_SIDES

    @property
    def score_columns(self) -> int:
        """The number of final scores side by side."""
        return min(len(self.scores), 3 if len(self.scores) in (5, 6) else MAX_SCORES_SIDE_BY_SIDE)

    @property
    def column_count(self) -> int:
        """The number of columns after the column of hand numbers."""
        return len(self.scores) + (2 if self.is_wide else 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchDetails:
    """What a score sheet has beside the folded hands; a record has less of it than a stored match."""

    title: str
    played_on: str
    """An ISO date; empty where unknown."""
    dates: DateStyle = AMERICAN
    """The style of dates on the sheet."""
    venue: str
    note: str
    is_stopped: bool
    carried_over: str
    """The scores carried over from paper, in a sentence; empty without any."""
    markers: Mapping[SideId, int] = field(default_factory=dict)
    """The chosen markers of sides."""
    corrections: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The corrections of hands in words, by the hand's position from 1."""
    deleted: Sequence[tuple[int, HandRow]] = ()
    """The rows of deleted hands, each with the position of the hand before it; 0 for the start."""
    names: Sequence[Names]
    """The names in each hand, in order."""
    substitutes: Sequence[Names]
    """The substitutes who join in each hand, in order: the new name by the name of the replaced player."""


def details_of_record(record: Record, state: MatchState) -> MatchDetails:
    """Return the details of a record for its score sheet; `state` is the match folded from the record."""
    names = [*map(with_pronouns, names_by_hand(state))]
    return MatchDetails(
        names=names,
        substitutes=[
            {before[who]: name for who, name in (result.hand.sits_in or {}).items()}
            for before, result in zip((IDS_AS_NAMES, *names), state.results, strict=False)
        ],
        title=record.title or "",
        played_on=record.played_on or "",
        venue=record.place or "",
        note=record.note or "",
        is_stopped=record.stopped,
        carried_over=_carried_over_sentence(record, state),
    )


def _carried_over_sentence(record: Record, state: MatchState) -> str:
    """Return a sentence on the scores that a record carries over from paper; empty without any."""
    if not any(record.start.values()):
        return ""
    scores = {history.side: history.scores[0] for history in score_histories(state)}
    return f"{carried_from_paper_words(scores, record.start.get('hands', 0), IDS_AS_NAMES)}."


def score_sheet(state: MatchState, names: Names, details: MatchDetails, base: Ruleset | None = None) -> ScoreSheet:
    """Return a match's score sheet; `names` are those at the end.

    With `base`, the sheet lists what the first rules of the match change in these standard rules.
    """
    rules = state.results[0].ruleset if state.results else state.ruleset
    target = target_score(state.ruleset)
    frame = SHEET_FRAME if len(state.seats.sides) <= MAX_WIDE_SIDES else TALL_SHEET_FRAME
    sides = mark_sides(state.seats, names, details.markers)
    framed, cited = house_frame(SheetWriter(rules, base or rules)), citations(rules, base)
    ends_sentence = _possible_endings_sentence(state.ruleset, base)
    # Rule numbers are those of the first rules, though a match may end under changed rules.
    ending_rule_numbers = (
        _bracketed_rule_numbers(*cited.ending_rules())
        if ends_sentence and ends_sentence == _possible_endings_sentence(rules, base)
        else ""
    )
    last = state.last_scored
    outcome_rule_numbers = (
        _bracketed_rule_numbers(*cited.outcome_rules(state)) if state.outcome and last and last.ruleset is rules else ""
    )
    payment_rule_numbers = _bracketed_rule_numbers(*cited.payment_rules(rules)) if rules.is_for_money else ""
    legend = _legend(rules, cited) if state.results else ""
    rows = tuple(_hand_rows(state, details, rules, cited))
    players = opponents_text(state.seats.ids, names)
    players_title = players if len(players) <= MAX_TITLE_LENGTH else ""
    texts = (
        outcome_rule_numbers,
        ending_rule_numbers,
        payment_rule_numbers,
        legend,
        *(line.text for row in rows for line in row.lines),
    )
    return ScoreSheet(
        title=details.title or players_title or rules.name,
        day_and_venue=", ".join(filter(None, (date_words(details.played_on, details.dates), details.venue))),
        rules_line=f"{state.ruleset.name}, {goal_words(state.ruleset)}",
        fingerprint=fingerprint(rules),
        has_changed_rules=state.ruleset is not rules,
        house_rules=(*framed.changes, *framed.agreed),
        scores=tuple(
            FinalScore(
                side=side,
                score="" if state.ruleset.pays_by_hand else score_text(state.scores[side_id]),
                is_winner=side_id in state.winners,
                money=owed_words(state.money[side_id]) if state.money and side_id in state.money else "",
            )
            for side_id, side in sides.items()
        ),
        heading=outcome_heading(state, names, stopped=details.is_stopped),
        verdict=verdict_text(state, names, stopped=details.is_stopped),
        deciding_rule=join_nonempty(deciding_rules_text(state), outcome_rule_numbers),
        possible_endings=join_nonempty(ends_sentence, ending_rule_numbers, earlier_goal_words(state)),
        payments=payment_sentences(state.money or {}, names),
        balance_sums=tuple(f"{text.removesuffix('.')}." for text in money_sum_sentences(state, names)),
        payment_rules=payment_rule_numbers,
        legend=join_nonempty(
            legend, "† In whole or part an agreed reading." if any("†" in text for text in texts) else ""
        ),
        chart=draw_match_chart(state, sides, frame),
        target="" if target is None else score_text(target),
        hands=rows,
        carried_over=details.carried_over,
        note=details.note,
    )


def _possible_endings_sentence(ruleset: Ruleset, base: Ruleset | None) -> str:
    """Return how a match by these rules can end, in sentences; empty if they do not end it.

    `base` is their published version; `None` if there is none.
    """
    return possible_endings_words(ruleset, has_tie_rule=bool(citations(ruleset, base).first_rule("win.tie_rule")))


_DEFENDERS_RULE_IDS = ("count.defenders", "count.no_score")
"""The ids of the rules on what defenders score."""


def _legend(rules: Ruleset, cited: Citations) -> str:
    """Return a sentence on what scores by which rules: High, Low (rules 6.1, 6.2); a made bid (rule 6.5)."""
    names_by_rules = group_by_key(
        (cited.award_rules(award_id), award_row_name(rules, award_id)) for award_id in rules.award_rows
    )
    parts = [
        f"{', '.join(names)} {_bracketed_rule_numbers(*cited_rules)}"
        for cited_rules, names in names_by_rules.items()
        if cited_rules
    ]
    if rules.has_bidding:
        set_bid = "a set, in which the points taken do not count"
        parts += [
            join_nonempty("a made bid", _bracketed_rule_numbers(*cited.rules_by_id(bid_rules(None, made=True)))),
            join_nonempty(set_bid, _bracketed_rule_numbers(*cited.rules_by_id(bid_rules(None, made=False)))),
            join_nonempty("the others", _bracketed_rule_numbers(*cited.first_rule(*_DEFENDERS_RULE_IDS))),
        ]
    return f"What scores: {'; '.join(parts)}."


def _bracketed_rule_numbers(*cited_rules: CitedRule) -> str:
    """Return the numbers of rules in brackets: (rule 7.1), or (rules 7.1, 7.2†); empty without any."""
    return f"({numbers})" if (numbers := _rule_numbers(*cited_rules)) else ""


def _rule_numbers(*cited_rules: CitedRule) -> str:
    """Return the numbers of rules without brackets: rule 7.1, or rules 7.1, 7.2†; empty without any."""
    numbers = list(dict.fromkeys(f"{rule.number}{'†' if rule.is_interpretation else ''}" for rule in cited_rules))
    return f"rule{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}" if numbers else ""


def date_words(iso: str, dates: DateStyle) -> str:
    """Return an ISO date in words, such as November 20, 2026; empty without one."""
    return dates.long_day(date.fromisoformat(iso)) if iso else ""


def _hand_rows(state: MatchState, details: MatchDetails, rules: Ruleset, cited: Citations) -> Iterator[HandRow]:
    """Yield the rows of all hands in order, deleted ones among them.

    Only hands under the first rules cite rules.
    """
    bids = (*bid_rules(None, made=True), *bid_rules(None, made=False))
    in_legend = {*cited.award_rules(*rules.in_play), *cited.rules_by_id(bids), *cited.first_rule(*_DEFENDERS_RULE_IDS)}

    def deciding_rule_numbers(result: HandResult) -> str:
        """Return the numbers of the rules that decided a hand, without those in the legend."""
        deciding = cited.deciding_rules(result) if result.ruleset is rules else ()
        return _rule_numbers(*(rule for rule in deciding if rule not in in_legend))

    rows = [_hand_row(result, details, deciding_rule_numbers(result)) for result in state.results]
    for position in range(len(rows) + 1):
        yield from rows[position - 1 : position]
        yield from (deleted for after, deleted in details.deleted if after == position)


def _hand_row(result: HandResult, details: MatchDetails, rule_numbers: str) -> HandRow:
    """Return the row of a hand with the numbers of its deciding rules."""
    names = details.names[result.position - 1]
    substitution = substitution_words(details.substitutes[result.position - 1])
    return HandRow(
        number="–" if result.is_redealt else str(result.number),
        bid=bid_words(result, names),
        suit=SUIT_SIGNS.get(result.hand.trump or "", ""),
        outcome=outcome_word(result),
        dealer=names[result.dealer] if result.dealer else "",
        lines=tuple(_points_lines(result, names, rule_numbers)),
        corrections=details.corrections.get(result.position, ()),
        note=result.hand.note or "",
        changes=(*((f"{substitution}.",) if substitution else ()), *_rule_change_sentences(result)),
        changed_on=date_words(result.hand.house_on or "", details.dates) if result.hand.house else "",
        cells=hand_cells(result),
    )


def _points_lines(result: HandResult, names: Names, rule_numbers: str) -> Iterator[PointsLine]:
    """Yield the lines of a scored hand: points of sides with their awards, payments, and numbers of deciding rules."""
    if result.score is None:
        return
    payments, in_vain = hand_payment_sentences(result, names), not_counted_words(result)
    for line in hand_lines(result):
        if payments and line.reason is Reason.MONEY_ONLY:
            continue  # the payments below show this line
        side_names = NAME_SEPARATOR.join(names_of(line.sides, names))
        if line.is_by_points and len(line.sides) == 1:
            yield PointsLine(text=f"{side_names} {line.text}")
        else:
            points = f"{side_names} {signed_text(line.points)}"
            yield PointsLine(text=line.text, points=points, in_vain=in_vain if line.is_set else "")
    yield from (PointsLine(text=payment) for payment in payments)
    if rule_numbers:
        yield PointsLine(text=rule_numbers)


def _rule_change_sentences(result: HandResult) -> tuple[str, ...]:
    """Return the rule changes before a hand, in sentences."""
    questions = [QUESTIONS[option] for option in result.hand.house or {}]
    return tuple(question.sentence(question.answer(result.ruleset), result.ruleset) for question in questions)


LARGE_TEXT_SIZE_PT, USUAL_TEXT_SIZE_PT = 16.0, 11.0
MIN_FINE_PRINT_SIZE_PT = 9.5
_FINE_PRINT_RATIO = 0.87
_CLOSEST_CSS = (
    ".result .chart{display:none}.result .hands td{padding-top:0;padding-bottom:0}.result{line-height:1.15}"
    ".result p{line-height:1.15}.result h2{margin-top:.3em}.result .final td{padding:.15em .7em}"
)
_SMALLER_STYLES = (
    (10.5, 9.2, ""),
    (10.0, 9.0, ""),
    (10.0, 9.0, ".result .chart>svg{width:82%;margin:0 auto}"),
    (9.5, 9.0, ".result .chart>svg{width:82%;margin:0 auto}"),
    (9.0, 9.0, ".result .chart>svg{width:82%;margin:0 auto}"),
    (9.0, 9.0, ".result .chart{display:none}"),
    (9.0, 9.0, ".result .chart{display:none}.result .hands td{padding-top:.04em;padding-bottom:.04em}"),
    (9.0, 9.0, _CLOSEST_CSS),
    (9.0, 9.0, f"{_CLOSEST_CSS}.result .vain{{display:none}}"),
)
"""Styles from large to small: the sizes of text and, at least, of fine print in points, and further CSS."""
_CLOSER_CSS = (
    "@page{margin:9mm 14mm 14mm}"
    ".result .hands td{padding-top:.12em;padding-bottom:.12em}"
    ".result h2{margin-top:.55em}.result .final{margin-top:.4em}"
    ".result .final td{padding:.3em .7em}"
    ".result .hands.n1 .what,.result .hands.n2 .what{width:55%}"
)
MAX_USUAL_HANDS, MAX_HANDS_ON_A_PAGE = 10, 26
"""The most hands for which one page probably suffices in the usual style, and may suffice in smaller styles."""
_LARGE_CSS = ".result .hands .what{width:37%}.result .hands.n3 .what{width:29%}.result .hands.n3 .k{width:5.5em}"
"""The CSS for the columns of large print, of which the bids take more."""


def draft_score_sheet(sheet: ScoreSheet, options: PrintOptions) -> Draft:
    """Return the draft of a score sheet, in regular print on one page if its hands fit.

    To fit them, the type gets smaller, and at last the chart and the awards in vain are left out.
    """
    is_large, hands = options.size == LARGE, len(sheet.hands)
    usual = _sheet_css(options, LARGE_TEXT_SIZE_PT if is_large else USUAL_TEXT_SIZE_PT, MIN_FINE_PRINT_SIZE_PT)
    usual += _LARGE_CSS if is_large else ""
    rows = [StyleRow((usual,), AS_MANY_AS_NEEDED)]
    if not is_large and hands <= MAX_HANDS_ON_A_PAGE:
        smaller_styles = [
            _sheet_css(options, size, min_fine_size) + _CLOSER_CSS + further_css
            for size, min_fine_size, further_css in _SMALLER_STYLES
        ]
        likely_index = 0 if hands <= MAX_USUAL_HANDS else min(1 + (hands - MAX_USUAL_HANDS) // 3, len(smaller_styles))
        rows.insert(0, StyleRow((usual, *smaller_styles), 1, likely_index))
    return Draft(
        title=f"{sheet.title}: result",
        body=render_sheet("printing/_score_sheet.html", sheet=sheet, style=drawing_style_element("drawings.css")),
        stylesheets=("faces.css", "paper.css", "result.css"),
        style_rows=tuple(rows),
    )


def _sheet_css(options: PrintOptions, size: float, min_fine_size: float) -> str:
    """Return the CSS for a paper, a text size and a smallest size of fine print, both in points."""
    fine = max(size * _FINE_PRINT_RATIO, min_fine_size)
    return (
        f"@page{{size:{PAPER_NAMES[options.paper]}}}"
        f"@page{{@bottom-right{{font-size:{fine:.2f}pt}}}}"
        f".result{{font-size:{size}pt;--fine:{fine:.2f}pt}}"
    )
