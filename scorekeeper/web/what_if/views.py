"""A match scored again under the rules in the address, which writes nothing: hand by hand, and in words to send."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, Response, request, url_for

from scorekeeper.engine.hand import SideId
from scorekeeper.engine.match import HandResult, sides_set
from scorekeeper.extensions import db
from scorekeeper.graphics.markers import SideView
from scorekeeper.ledger.derive_match import Match
from scorekeeper.ledger.house_versions import StoredHouse
from scorekeeper.ledger.roles import OWNER, WATCHER
from scorekeeper.narration.endings import ending_reason
from scorekeeper.narration.hands import bid_words
from scorekeeper.narration.payments import owed_words
from scorekeeper.narration.phrases import score_text, scores_text, signed
from scorekeeper.narration.what_if import NOBODY_YET, NOT_KNOWN, either_way_sentence, span_words
from scorekeeper.records.comparison import HandQuestion, MatchEnd, PlayedMatch, Row, Span, Spans, WhatIf
from scorekeeper.records.what_if import other_answers, played_match, what_if
from scorekeeper.rules.codes import encode
from scorekeeper.rules.house_rules import resolve
from scorekeeper.rules.phrases import digits, listed, money
from scorekeeper.rules.questions import QUESTIONS
from scorekeeper.rules.schema import Ruleset
from scorekeeper.services.house_rules import houses_of_device
from scorekeeper.services.phones import share_match
from scorekeeper.web.house_rules.form import OPTION_PREFIX, WORTH_PREFIX, NumberView, RulesForm, question_groups
from scorekeeper.web.share import share_page
from scorekeeper.web.shared.device import device
from scorekeeper.web.shared.library import library
from scorekeeper.web.shared.match_views import match_title, memoized, side_views, side_views_in
from scorekeeper.web.shared.permissions import requires
from scorekeeper.web.shared.places import load_match
from scorekeeper.web.shared.respond import render_page, see_other
from scorekeeper.web.shared.widgets import Choice, QuestionView
from scorekeeper.web.what_if.form import (
    CODE_FIELD,
    OPEN,
    VARIANT_FIELD,
    OtherRules,
    WhatIfForm,
    other_rules,
    read_form,
    rules_query,
    told_field,
    told_word,
)

bp = Blueprint("what_if", __name__, url_prefix="/matches/<code>/what-if")

BLOCKS = ("results", "share_it", "announcement", "hands")
MOST_SHOWN = 6
"""Other rules that are listed at once; the rest unfolds."""
_SHORT_NAME = 6
"""Letters of a side's name that fit over a column."""
MOST_COLUMNS = 2
"""More sides than these have a row each, and one column as played and one under the other rules."""
_SELDOM = "Cards that don’t score"
_MOST_HOUSES = 12
_SET = "set."


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultCard:
    """How the match ends on one side of the comparison."""

    heading: str
    ending: MatchEnd
    sides: Mapping[SideId, SideView]
    outcome: str
    """"Us win", "Nobody yet, 40 to 40", "Not known"."""
    detail: str
    """"had the bid", "either way"."""

    def score(self, side: SideId) -> str:
        """Return the score of a side, or both ends of one that is not known."""
        return span_text(self.ending.scores[side], mark="")

    def money(self, side: SideId) -> str:
        """Return what a side gets or owes, "gets $1.50", where the rules pay."""
        return _money(self.ending.money[side]) if self.ending.money else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What one side scored in one hand, over its total."""

    points: str
    total: str
    is_set: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """What is said under a hand."""

    lead: str
    text: str
    is_set: bool = False
    """Whether the text ends with a bid that was set, which is drawn in red."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLine:
    """One hand on both sides, or the hands that are the same."""

    number: str
    """"3", "1, 2", "1–5"."""
    bid: str
    """"Ann 7", "the same"."""
    suit: str
    played: tuple[Cell, ...] | str
    """A cell for each side, or the word that says why there are none: "already over", "not scored"."""
    other: tuple[Cell, ...] | str
    is_same: bool = False
    is_first: bool = False
    """Whether the two part here."""
    is_quiet: bool = False
    remarks: tuple[Remark, ...] = ()
    questions: tuple[tuple[str, QuestionView], ...] = ()
    """What is asked of the hand in place, each after what stands in bold before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherRule:
    """One other answer, and what comes of it."""

    query: Mapping[str, str]
    """The answer as the address has it."""
    label: str
    detail: str
    outcome: str
    """"Us win", "nobody yet", "not known"."""
    winners: tuple[SideView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The match beside itself under other rules."""

    other: ResultCard
    changes: tuple[str, ...]
    rest: str
    """"9 points a hand, all else as played."."""
    sides: tuple[SideView, ...]
    has_short_names: bool
    before: tuple[Remark, ...]
    """What is said before the first hand."""
    lines: tuple[HandLine, ...]
    undecided: str
    """What the winner hangs on, where a hand that is open may or may not have ended the match."""
    legend: str
    """What a "?" means; empty where there is none."""
    announcement: str

    @property
    def is_table(self) -> bool:
        """Whether every side has a column on each half."""
        return len(self.sides) <= MOST_COLUMNS

    @property
    def columns(self) -> int:
        """All columns, with those of the number and the bid."""
        return 2 + 2 * (len(self.sides) if self.is_table else 1)


@bp.get("")
@requires(WATCHER)
def show(code: str) -> Response:
    """Show the match as played beside itself under other rules; without any, what every other answer comes to."""
    match, form = load_match(code), read_form(request.args)
    played = played_match(match)
    other = other_rules(form, match.rules, library()) if form.asks else OtherRules(None)
    shown = what_if(played, other.ruleset or match.rules, form.told)
    problem = other.problem or (shown.refusal if other.ruleset else "")
    comparison = _comparison(match, shown, other) if other.ruleset and not problem else None
    rules = [rule for rule in _rules_listed(match) if rule.query != form.query]
    return render_page(
        "what_if/show.html",
        block=BLOCKS,
        status=422 if problem else 200,
        match=match,
        hands=digits(match.counted.next_number - 1, "hand"),
        form=form,
        problem=problem,
        played=played_card(match, shown, played),
        other=other,
        comparison=comparison,
        first_rules=rules[:MOST_SHOWN],
        more_rules=rules[MOST_SHOWN:],
    )


@bp.get("/rules")
@requires(WATCHER)
def choose(code: str) -> Response:
    """Show every rule that can be answered otherwise."""
    match, houses = load_match(code), houses_of_device(db.session, device())
    groups = _groups(match.rules, pays=match.counted.money is not None)
    return render_page(
        "what_if/choose.html",
        match=match,
        groups=[(heading, rules) for heading, rules in groups if rules],
        games=(*_own_games(match, houses), *_variants(match)),
    )


@bp.get("/share")
@requires(WATCHER)
def share(code: str) -> Response:
    """Show what can be sent; only an owner's phone sends a link along, which opens this very comparison."""
    match, form = load_match(code), read_form(request.args)
    text = share_words(match, form)
    if not text:
        return see_other(url_for(".show", code=code))
    return share_page(match, text, what_if=form.query)


@bp.post("/share")
@requires(OWNER)
def make_link(code: str) -> Response:
    """Make a link to watch by, which the page of the phones can remove."""
    share_match(db.session, load_match(code))
    query: dict[str, Any] = read_form(request.args).query
    return see_other(url_for(".share", code=code, **query))


# ---------- how a match ends as played and under other rules ----------


def played_card(match: Match, shown: WhatIf, played: PlayedMatch) -> ResultCard:
    """Return how the match ended as it was played."""
    ending = shown.as_played
    last = next((row.played for row in shown.rows if row.ends_as_played), None)
    if played.stopped and not ending.winners:
        return result_card(match, "As played", ending, "stopped", "Nobody yet")
    if played.state.question and (asked := played.state.last_scored):
        return result_card(match, "As played", ending, f"depends on {hands_named([asked.number])}")
    return result_card(match, "As played", ending, _reason(ending, last))


def result_card(match: Match, heading: str, ending: MatchEnd, detail: str, outcome: str = "") -> ResultCard:
    """Return one ending with every side of the match."""
    sides = {side: view for side, view in side_views(match).items() if side in ending.scores}
    return ResultCard(
        heading=heading, ending=ending, sides=sides, outcome=outcome or outcome_words(ending), detail=detail
    )


def outcome_words(ending: MatchEnd) -> str:
    """Return who has won; where nobody has, the scores of two sides as well."""
    has_room = len(ending.scores) == MOST_COLUMNS and not ending.is_either_way
    return NOBODY_YET if ending.is_known and not ending.winners and not has_room else ending.heading


def _reason(ending: MatchEnd, last: HandResult | None) -> str:
    """Return what a card says under who wins."""
    if not ending.is_known:
        return ""
    if ending.is_either_way:
        return "either way"
    if not ending.winners or last is None:
        return ""
    return ending_reason(ending.possible[0].outcome, last)


def other_detail(shown: WhatIf) -> str:
    """Return what the card of the other rules says under who wins."""
    if shown.stop:
        return f"stops at hand {shown.stop.number}"
    if not shown.otherwise.is_known:
        open_hands = list(dict.fromkeys(it.number for it in shown.questions if it.told is None))
        return f"depends on {hands_named(open_hands)}" if open_hands else "depends on what is open"
    last = next((row.otherwise for row in shown.rows if row.ends_otherwise), None)
    return _reason(shown.otherwise, last)


def _money(span: Span) -> str:
    if not span.is_known:
        return f"{_signed_money(span.lowest)} to {_signed_money(span.highest)}"
    return owed_words(span.lowest)


def _signed_money(cents: int) -> str:
    return f"{'−' if cents < 0 else ''}{money(abs(cents))}"


def span_text(span: Span, mark: str = "?") -> str:
    """Return a number, or both ends of one that is not known: "14", "13–15?", "−3 to 1?"."""
    if span.is_known:
        return score_text(span.lowest)
    if span.lowest < 0:
        return f"{score_text(span.lowest)} to {score_text(span.highest)}{mark}"
    return f"{span.lowest}–{span.highest}{mark}"


def hands_named(numbers: Sequence[int]) -> str:
    """Return hands by their numbers: "hands 2 and 5"."""
    return f"hand{'s' if len(numbers) > 1 else ''} {listed(map(str, numbers))}"


# ---------- the two beside each other ----------


@memoized
def _rules_listed(match: Match) -> tuple[OtherRule, ...]:
    """Return what comes of every single other answer; a match without hands has nothing to compare."""
    if not match.counted.results:
        return ()
    sides = side_views(match)
    return tuple(
        OtherRule(
            query=rules_query(answer.house),
            label=answer.label,
            detail=answer.detail,
            outcome=answer.heading
            if answer.match.otherwise.winners
            else answer.heading[:1].lower() + answer.heading[1:],
            winners=tuple(sides[side] for side in answer.match.otherwise.winners or ()),
        )
        for answer in other_answers(played_match(match))
    )


def _comparison(match: Match, shown: WhatIf, other: OtherRules) -> Comparison:
    sides = tuple(side_views(match).values())
    ending = shown.otherwise
    before = [Remark(lead="", text=note) for note in (*shown.notes, *_left_out(match))]
    first = shown.first_difference
    if first and first.kind == "start":
        before.insert(0, difference_remark("The first difference.", first.sentence))
    card = result_card(match, other.label, ending, other_detail(shown))
    return Comparison(
        other=card,
        changes=tuple(dict.fromkeys(shown.changes)),
        rest=_rest(shown),
        sides=sides,
        has_short_names=all(len(side.name) <= _SHORT_NAME for side in sides),
        before=tuple(before),
        lines=tuple(hand_lines(match, shown, other)),
        undecided=_undecided(shown),
        legend=_legend(shown),
        announcement=f"{other.label}: {card.outcome}{f', {card.detail}' if card.detail else ''}.",
    )


def _left_out(match: Match) -> Iterator[str]:
    if match.log.counted < len(match.log.hands):
        yield "Hands that still wait to be accepted are left out."


def _rest(shown: WhatIf) -> str:
    before, after = shown.points_per_hand
    if not shown.changes:
        return "These are the rules that the match was played by."
    return f"{digits(after, 'point')} a hand, all else as played." if before != after else "All else as played."


def _undecided(shown: WhatIf) -> str:
    is_said = shown.stop or any(row.ends_otherwise for row in shown.rows)
    return "" if shown.otherwise.is_known or is_said else shown.otherwise.why


def _legend(shown: WhatIf) -> str:
    """Return what a "?" means."""
    if not any(not span.is_known for row in shown.rows for span in row.scores.values()):
        return ""
    open_hands = list(dict.fromkeys(it.number for it in shown.questions if it.told is None))
    until = f" until {hands_named(open_hands)} {'are' if len(open_hands) > 1 else 'is'} settled" if open_hands else ""
    return f"? means that the total is not known{until}: it may be either end, or between."


# ---------- hand by hand ----------


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
    both = tuple(Cell(points="", total=score_text(total), is_set=False) for total in last.played.scores.values())
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
        played="already over" if is_over else _played_cells(row.played),
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


def _other_half(row: Row) -> tuple[Cell, ...] | str:
    if row.status == "already_over":
        return "already over"
    if row.status == "not_reached":
        return "not scored"
    result = row.otherwise
    was_set: Collection[SideId] = sides_set(result) if result else ()
    is_blank = result is not None and not result.changes_scores
    return tuple(
        Cell(points="" if is_blank else _delta(row.deltas[side]), total=span_text(total), is_set=side in was_set)
        for side, total in row.scores.items()
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


def _questions(match: Match, row: Row, shown: WhatIf) -> Iterator[tuple[str, QuestionView]]:
    sides = side_views_in(match, row.place) if row.questions else {}
    remark = either_way_sentence(outcome_words(shown.otherwise)) if shown.otherwise.is_either_way else ""
    lead = ""
    for asked in row.questions:
        open_choice = Choice(value=OPEN, label="leave open", is_chosen=asked.told is None)
        choices = (*_choices(asked, sides), open_choice)
        question = QuestionView(field=told_field(asked.key), question=asked.ask, choices=choices, note=remark)
        yield asked.lead if asked.lead != lead else "", question
        lead = asked.lead


def _choices(question: HandQuestion, sides: Mapping[SideId, SideView]) -> Iterator[Choice]:
    is_of_sides = not question.key[1].startswith("all_tricks")
    for choice in question.choices:
        side = sides[choice.who[0]] if len(choice.who) == 1 and is_of_sides else None
        yield Choice(value=told_word(choice.who), label=choice.label, is_chosen=choice.who == question.told, side=side)


# ---------- in words, to send ----------


def share_words(match: Match, form: WhatIfForm) -> str:
    """Return both results, for somebody who was not there; empty where nothing can be compared."""
    other = other_rules(form, match.rules, library()) if form.asks else OtherRules(None)
    if other.ruleset is None:
        return ""
    shown = what_if(played_match(match), other.ruleset, form.told)
    return "" if shown.refusal else _share_text(match, shown, other)


def _share_text(match: Match, shown: WhatIf, other: OtherRules) -> str:
    names = match.names

    def result(ending: MatchEnd, heading: str) -> str:
        if all(span.is_known for span in ending.scores.values()):
            scores = scores_text({side: span.lowest for side, span in ending.scores.items()}, names)
        else:
            scores = _spans_text(ending.scores, names)
        said = NOBODY_YET if ending.heading.startswith(NOBODY_YET) else ending.heading
        return f"{heading}: {said}. {scores}."

    title = f"What if? {match_title(match)}"
    as_played, otherwise = result(shown.as_played, "As played"), result(shown.otherwise, other.label)
    why = shown.otherwise.why if shown.otherwise.heading == NOT_KNOWN else ""
    return "\n".join(filter(None, (title, as_played, otherwise, why)))


def _spans_text(spans: Spans, names: Mapping[str, str]) -> str:
    return ", ".join(f"{names[side]} {span_words(span.lowest, span.highest)}" for side, span in spans.items())


# ---------- which rule ----------


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedRule:
    """One rule with its answers."""

    field: str
    """Its name in the address."""
    title: str
    now: str
    """The match's own answer."""
    asked: QuestionView | NumberView


def _groups(own: Ruleset, *, pays: bool) -> Iterator[tuple[str, list[AskedRule]]]:
    """Yield the rules that can be answered otherwise, those together that a table thinks of together."""
    seldom: list[AskedRule] = []
    for group in question_groups(RulesForm(own), {}):
        if group.group_id == "play" or (group.group_id == "money" and not pays):
            continue  # these move no score
        yield group.heading, [_asked(own, item) for item in group.items]
        seldom += (_asked(own, item) for item in group.seldom)
    yield _SELDOM, seldom


def _asked(own: Ruleset, item: QuestionView | NumberView) -> AskedRule:
    is_worth = item.field.startswith(WORTH_PREFIX)
    name = item.field.removeprefix(WORTH_PREFIX).removeprefix(OPTION_PREFIX)
    question = QUESTIONS[name]
    if is_worth:
        points = int(own.worth(name))
        title, now = own.awards[name].name, digits(points, "point") if points else "does not score"
    else:
        title, now = question.title(own), question.label(question.answer(own), own)
    return AskedRule(field=name, title=title, now=now, asked=item)


@memoized
def _variants(match: Match) -> tuple[tuple[str, str, dict[str, str]], ...]:
    """Return the games of the same points that the sides could have played: name, summary, and the address."""
    played = played_match(match)
    alike = (it for it in library() if it.points_per_hand == match.rules.points_per_hand and it.id != match.rules.id)
    return tuple((it.name, it.summary, {VARIANT_FIELD: it.id}) for it in alike if _can_be(played, it))


def _own_games(match: Match, houses: Iterable[StoredHouse]) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield the house rules on this phone by which the match can be scored."""
    played = played_match(match)
    for house in list(houses)[:_MOST_HOUSES]:
        rules = house.last.rules
        ruleset, _ = resolve(rules, library())
        if ruleset and not house.last.is_retired and _can_be(played, ruleset):
            yield rules.name, ruleset.summary, {CODE_FIELD: encode(rules)}


def _can_be(played: PlayedMatch, ruleset: Ruleset) -> bool:
    """Return whether a match can be scored by other rules at all, whatever was played in it."""
    unplayed = replace(played, state=replace(played.state, outcome=None, results=()))
    return not what_if(unplayed, ruleset).refusal
