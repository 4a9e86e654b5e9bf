"""A match scored again under the rules in the address, which writes nothing: hand by hand, and in words to send.

The address says the other rules, and what was told of hands that they ask more of.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, Response, request
from werkzeug.datastructures import MultiDict

from scorekeeper.database.engine import db
from scorekeeper.matches.fold import Match
from scorekeeper.matches.house_rules.service import houses_of_device
from scorekeeper.matches.house_rules.versions import StoredHouse
from scorekeeper.matches.phones import share_match
from scorekeeper.matches.rule_notices import rule_changes
from scorekeeper.matches.what_if import played_match
from scorekeeper.pages.house_rules.form import OPTION_PREFIX, WORTH_PREFIX, NumberView, RulesForm, question_groups
from scorekeeper.pages.share import share_page
from scorekeeper.pitch.compare.reckoning import (
    HandQuestion,
    MatchEnd,
    PlayedMatch,
    QuestionKey,
    Row,
    Span,
    Told,
    WhatIf,
)
from scorekeeper.pitch.compare.what_if import OtherAnswer, other_answers, what_if
from scorekeeper.pitch.drawings.markers import SideView
from scorekeeper.pitch.rules.codes import BadCode, encode
from scorekeeper.pitch.rules.house_rules import MOST_OPTIONS, resolve, with_house
from scorekeeper.pitch.rules.phrases import digits, listed, money
from scorekeeper.pitch.rules.questions import QUESTIONS, RuleKey, value_of, word_of
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.budget import STEPS
from scorekeeper.pitch.scoring.hand import SideId
from scorekeeper.pitch.scoring.match import HandResult, sides_set
from scorekeeper.pitch.text.endings import ending_reason
from scorekeeper.pitch.text.hands import HandCell, bid_words, hand_cells
from scorekeeper.pitch.text.payments import owed_words
from scorekeeper.pitch.text.phrases import score_text, signed
from scorekeeper.pitch.text.what_if import (
    NOBODY_YET,
    NOT_IN_LIST,
    NOT_KNOWN,
    NOT_WRITTEN_DOWN,
    either_way_sentence,
    without_award,
)
from scorekeeper.web.context import budget, device, for_owners, for_watchers, load_match
from scorekeeper.web.library import decided_by, library
from scorekeeper.web.match_views import match_title, memoized, side_views, side_views_in
from scorekeeper.web.named_rules import messages, shared_rules
from scorekeeper.web.respond import redirect_to, render_page
from scorekeeper.web.widgets import Choice, HiddenFields, QuestionView

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
_STEPS_FOR_ALL = STEPS * 4 // 5
"""What the list of other answers may take of the budget of a request."""

VARIANT_FIELD, CODE_FIELD, TOLD_PREFIX = "variant", "r", "told-"
NOBODY, OPEN, NONE = "nobody", "", "none"
"""What stands for nobody, for what is left open, and for a number that was left empty."""
MOST_TOLD = 400
_LONGEST_WORD, _LONGEST_ANSWER = 40, 120
_TOLD = re.compile(r"told-([0-9]{1,4})-([a-z_]{1,40}(?::as_played)?)")
_TOO_MANY = "There are more answers in this address than can be read."


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfForm:
    """What an address asks."""

    variant: str
    code: str
    """A share code."""
    answers: Mapping[str, str]
    """House answers, by option or award."""
    told: Told
    is_too_long: bool

    @property
    def asks(self) -> bool:
        """Whether it names any other rules."""
        return bool(self.variant or self.code or self.answers or self.is_too_long)

    @property
    def house(self) -> dict[str, object]:
        """The house answers, as they are stored."""
        return {option: _value(option, word) for option, word in self.answers.items()}

    @property
    def rules_fields(self) -> HiddenFields:
        """The other rules, as an address has them."""
        named = ((VARIANT_FIELD, self.variant), (CODE_FIELD, self.code))
        return (*((name, value) for name, value in named if value), *self.answers.items())

    @property
    def query(self) -> dict[str, str]:
        """All of it, as an address has it."""
        return dict(self.rules_fields) | {told_field(key): told_word(who) for key, who in self.told.items()}


@dataclass(frozen=True, slots=True)
class OtherRules:
    """The rules that an address names."""

    ruleset: Ruleset | None
    """`None` where there are none."""
    label: str = ""
    """"Without the Off Jack", "Target: 52", "With 3 changes", "Auction Pitch"."""
    short: str = "other rules"
    """The same over a column."""
    problem: str = ""
    """Why there are none."""


def told_field(key: QuestionKey) -> str:
    """Return the name of the field in which a question is answered."""
    place, what = key
    return f"{TOLD_PREFIX}{place}-{what}"


def told_word(who: Iterable[str]) -> str:
    """Return an answer as its field has it."""
    return ".".join(who) or NOBODY


def read_form(query: MultiDict[str, str]) -> WhatIfForm:
    """Return what an address asks; what it names beside rules and hands is left out."""
    answers = {name: word[:_LONGEST_WORD] or NONE for name, word in query.items() if name in QUESTIONS}
    told: dict[QuestionKey, tuple[str, ...]] = {}
    for name, word in query.items():
        if (found := _TOLD.fullmatch(name)) and word != OPEN and len(word) <= _LONGEST_ANSWER:
            told[int(found[1]), found[2]] = () if word == NOBODY else tuple(word.split("."))
    is_too_long = len(answers) > MOST_OPTIONS or len(told) > MOST_TOLD
    return WhatIfForm(
        variant=query.get(VARIANT_FIELD, "")[:_LONGEST_WORD],
        code=query.get(CODE_FIELD, "").strip(),
        answers={} if is_too_long else answers,
        told={} if is_too_long else told,
        is_too_long=is_too_long,
    )


def other_rules(form: WhatIfForm, match: Match) -> OtherRules:
    """Return the rules that an address names: house answers over the match's own, or over other rules."""
    if not form.asks:
        return OtherRules(None)
    if form.is_too_long:
        return OtherRules(None, problem=_TOO_MANY)
    base, name = match.rules, ""
    if form.code:
        try:
            base = shared_rules(form.code).ruleset
        except BadCode as bad:
            return OtherRules(None, problem=str(bad))
        name = base.name
    elif form.variant:
        if form.variant not in library():
            return OtherRules(None, problem="There is no game of that name.")
        base = library()[form.variant]
        name = base.name
    ruleset, faults = with_house(base, form.house)
    if faults:
        return OtherRules(None, problem=messages(faults))
    if name and form.answers:
        name = f"{name}, {digits(len(form.answers), 'change')}"
    if name or len(form.answers) != 1:
        return OtherRules(ruleset, name or f"With {digits(len(form.answers), 'change')}")
    ((option, word),) = form.answers.items()
    return _one_answer(option, match.state.ruleset, ruleset, word)


def _one_answer(option: str, now: Ruleset, other: Ruleset, word: str) -> OtherRules:
    """Return the rules with one other answer; the rules as they are `now` may have a point that came in later."""
    key = RuleKey.of_answer(option, _value(option, word))
    question = QUESTIONS[option]
    if not key.is_worth:
        return OtherRules(other, f"{question.title(other)}: {question.label(other.answer(option), other)}")
    points = other.worth(option)
    if not points:
        return OtherRules(other, without_award(now, option), "without")
    return OtherRules(other, f"{other.awards[option].name}: {digits(int(points), 'point')}")


def _value(option: str, word: str) -> object:
    """Return the answer that a word stands for; an award of 0 points is one that nobody scores."""
    value = value_of(word)
    return "no" if value == 0 and RuleKey.of_answer(option, value).is_worth else value


def rules_query(house: Mapping[str, object]) -> dict[str, str]:
    """Return house answers as an address has them."""
    return {option: word_of(answer) for option, answer in house.items()}


# ---------- the pages ----------


Remark = tuple[str, str]
"""What is said of a hand, after what stands in bold before it."""
FIRST_DIFFERENCE = "The first difference."
"""Stands in bold where the two part; a bid that was set is drawn in red there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedHand:
    """One hand on both sides, or the hands that are the same."""

    row: Row | None
    """`None` for those that are the same."""
    number: str
    """"3", "1, 2", "1–5"."""
    bid: str
    """"Ann 7", "the same"."""
    played: tuple[HandCell, ...] | str
    """A cell for each side, or the word that says why there are none: "already over", "not scored"."""
    other: tuple[HandCell, ...] | str
    is_first: bool = False
    """Whether the two part here."""
    remarks: tuple[Remark, ...]
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
    """"We win", "nobody yet", "not known"."""
    winners: tuple[SideId, ...]


@bp.get("")
@for_watchers
def show(code: str) -> Response:
    """Show the match as played beside itself under other rules; without any, what every other answer comes to."""
    match, form = load_match(code), read_form(request.args)
    all_rules = _rules_listed(match)  # before anything is spent on others: it is memoized
    other, shown = _compared(match, form)
    problem = other.problem or (shown.refusal if other.ruleset else "")
    is_compared = other.ruleset is not None and not problem
    listed_rules, sides = [rule for rule in all_rules if rule.query != form.query], side_views(match)
    rules = [rule for rule in listed_rules if rule.detail != NOT_WRITTEN_DOWN]
    is_table = len(sides) <= MOST_COLUMNS
    return render_page(
        "what_if/show.html",
        block=BLOCKS,
        status=422 if problem else 200,
        match=match,
        hands=digits(match.state.next_number - 1, "hand"),
        form=form,
        problem=problem,
        sides=sides,
        is_table=is_table,
        has_short_names=all(len(side.name) <= _SHORT_NAME for side in sides.values()),
        columns=2 + 2 * (len(sides) if is_table else 1),
        shown=shown,
        played=_played_words(shown, played_match(match)),
        other=other,
        others=(outcome_words(shown.otherwise), other_detail(shown)),
        changes=tuple(dict.fromkeys(shown.changes)),
        is_compared=is_compared,
        rest=_rest(match, shown),
        cited=decided_by(match),
        before=_before(match, shown),
        lines=tuple(compared_hands(match, shown, other)) if is_compared else (),
        undecided=_undecided(shown),
        legend=_legend(shown) if is_compared else "",
        first_rules=rules[:MOST_SHOWN],
        more_rules=rules[MOST_SHOWN:],
        open_rules=[rule for rule in listed_rules if rule.detail == NOT_WRITTEN_DOWN],
    )


def _compared(match: Match, form: WhatIfForm) -> tuple[OtherRules, WhatIf]:
    """Return the other rules, and the match under them; where there are none, as it was played, which costs no play."""
    other, played = other_rules(form, match), played_match(match)
    if other.ruleset is None:
        return other, what_if(played, match.rules, most_plays=0)
    return other, what_if(played, other.ruleset, form.told, answered=form.house, budget=budget())


@bp.get("/rules")
@for_watchers
def choose(code: str) -> Response:
    """Show every rule that can be answered otherwise."""
    match, houses = load_match(code), houses_of_device(db.session, device())
    groups = _groups(match, pays=match.state.money is not None)
    return render_page(
        "what_if/choose.html",
        match=match,
        groups=[(heading, rules) for heading, rules in groups if rules],
        games=(*_own_games(match, houses), *_variants(match)),
    )


@bp.get("/share")
@for_watchers
def share(code: str) -> Response:
    """Show what can be sent; only an owner's phone sends a link along, which opens this very comparison."""
    match, form = load_match(code), read_form(request.args)
    other, shown = _compared(match, form)
    if other.ruleset is None or shown.refusal:
        return redirect_to(".show", code=code)
    return share_page(match, _share_text(match, shown, other.label), what_if=form.query)


@bp.post("/share")
@for_owners
def make_link(code: str) -> Response:
    """Make a link to watch by, which the page of the phones can remove."""
    share_match(db.session, load_match(code))
    query: dict[str, Any] = read_form(request.args).query
    return redirect_to(".share", code=code, **query)


# ---------- how a match ends as played and under other rules ----------


def _played_words(shown: WhatIf, played: PlayedMatch) -> tuple[str, str]:
    """Return how the match ended as it was played, and why: "We win", "had the bid"."""
    ending, asked = shown.as_played, played.state.last_scored
    if played.stopped and not ending.winners:
        return NOBODY_YET, "stopped"
    if played.state.question and asked:
        return outcome_words(ending), f"depends on {hands_named([asked.number])}"
    return outcome_words(ending), _reason(ending, next((row.played for row in shown.rows if row.ends_as_played), None))


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
        open_hands = _open_hands(shown)
        return f"depends on {hands_named(open_hands)}" if open_hands else "depends on what is open"
    last = next((row.otherwise for row in shown.rows if row.ends_otherwise), None)
    return _reason(shown.otherwise, last)


@bp.app_template_filter("owed_span")
def _owed(span: Span) -> str:
    """Return what a side gets or owes, or both ends of it where that is not known: "gets $1.50", "−$1 to $2"."""
    if not span.is_known:
        return f"{_signed_money(span.lowest)} to {_signed_money(span.highest)}"
    return owed_words(span.lowest)


def _signed_money(cents: int) -> str:
    return f"{'−' if cents < 0 else ''}{money(abs(cents))}"


@bp.app_template_filter()
def span_text(span: Span, mark: str) -> str:
    """Return a number, or both ends of one that is not known, with a mark: "14", "13–15?", "−3 to 1?"."""
    if span.is_known:
        return score_text(span.lowest)
    if span.lowest < 0:
        return f"{score_text(span.lowest)} to {score_text(span.highest)}{mark}"
    return f"{span.lowest}–{span.highest}{mark}"


def hands_named(numbers: Sequence[int]) -> str:
    """Return hands by their numbers: "hands 2 and 5"."""
    return f"hand{'s' if len(numbers) > 1 else ''} {listed(map(str, numbers))}"


def _open_hands(shown: WhatIf) -> list[int]:
    """Return the numbers of the hands of which something is still to be told."""
    return list(dict.fromkeys(it.number for it in shown.questions if it.told is None))


# ---------- the two beside each other ----------


@memoized
def _rules_listed(match: Match) -> tuple[OtherRule, ...]:
    """Return what comes of every single other answer; a match without hands has nothing to compare."""
    if not match.state.results:
        return ()
    return tuple(
        OtherRule(
            query=rules_query(answer.house),
            label=answer.label,
            detail=answer.detail,
            outcome=_listed_outcome(answer),
            winners=answer.match.otherwise.winners or (),
        )
        for answer in other_answers(played_match(match), budget().part(_STEPS_FOR_ALL))
    )


def _listed_outcome(answer: OtherAnswer) -> str:
    if answer.detail == NOT_IN_LIST:
        return ""
    return answer.heading if answer.match.otherwise.winners else answer.heading[:1].lower() + answer.heading[1:]


def _before(match: Match, shown: WhatIf) -> list[Remark]:
    """Return what is said before the first hand."""
    first = shown.first_difference
    before = [("", note) for note in shown.notes]
    for change in rule_changes(match.rules, match.state, match.log):
        if change.place <= len(match.state.results):
            before.append((f"From hand {change.number} on.", f"The table changed the rules: {change.words}"))
    if first and first.kind == "start":
        before.insert(0, (FIRST_DIFFERENCE, first.sentence))
    return before


def _rest(match: Match, shown: WhatIf) -> str:
    """Return what else is otherwise: "9 points a hand, all else as played."."""
    before, after = match.rules.points_per_hand, shown.other.points_per_hand
    if not shown.changes:
        changes = rule_changes(match.rules, match.state, match.log)
        began = "was played by" if all(it.is_on_paper for it in changes) else "began with"
        return f"These are the rules that the match {began}."
    return f"{digits(after, 'point')} a hand, all else as played." if before != after else "All else as played."


def _undecided(shown: WhatIf) -> str:
    """Return what the winner hangs on, where a hand that is open may or may not have ended the match."""
    is_said = shown.stop or any(row.ends_otherwise for row in shown.rows)
    return "" if shown.otherwise.is_known or is_said else shown.otherwise.why


def _legend(shown: WhatIf) -> str:
    """Return what a "?" means; empty where there is none."""
    if not any(not span.is_known for row in shown.rows for span in row.scores.values()):
        return ""
    open_hands = _open_hands(shown)
    until = f" until {hands_named(open_hands)} {'are' if len(open_hands) > 1 else 'is'} settled" if open_hands else ""
    return f"? means that the total is not known{until}: it may be either end, or between."


# ---------- hand by hand ----------


def compared_hands(match: Match, shown: WhatIf, other: OtherRules) -> Iterator[ComparedHand]:
    """Yield the hands that are the same in one line, then each one from where the two part."""
    first = shown.first_difference
    alike = [row for row in shown.rows if first is None or row.place < first.place]
    if alike:
        yield _same_hands(alike, is_all=first is None)
    for row in shown.rows[len(alike) :]:
        is_first = first is not None and first.place == row.place
        yield ComparedHand(
            row=row,
            number=str(row.number),
            bid=bid_words(row.played, row.names),
            played="already over" if row.played.status == "after_end" else hand_cells(row.played),
            other=_other_half(row),
            is_first=is_first,
            remarks=tuple(_remarks(row, shown, other, is_first=is_first)),
            questions=tuple(_questions(match, row, shown)),
        )


def _same_hands(rows: Sequence[Row], *, is_all: bool) -> ComparedHand:
    """Return the hands before the two part, in one line."""
    numbers = list(dict.fromkeys(row.number for row in rows))
    number = f"{numbers[0]}–{numbers[-1]}" if len(numbers) > 2 else ", ".join(map(str, numbers))
    both = tuple(HandCell(points="", total=score_text(it)) for it in rows[-1].played.scores.values())
    remarks = (("Nothing changes.", "All hands count the same, and so does the match."),) if is_all else ()
    return ComparedHand(row=None, number=number, bid="the same", played=both, other=both, remarks=remarks)


def _other_half(row: Row) -> tuple[HandCell, ...] | str:
    if row.status == "already_over":
        return "already over"
    if row.status == "not_reached":
        return "not scored"
    result = row.otherwise
    was_set: Collection[SideId] = sides_set(result) if result else ()
    is_blank = result is not None and not result.changes_scores
    return tuple(
        HandCell(
            points="" if is_blank else _span_words(row.deltas[side], signed),
            total=span_text(total, "?"),
            is_set=side in was_set,
        )
        for side, total in row.scores.items()
    )


def _span_words(span: Span, written: Callable[[int], str]) -> str:
    """Return a number, or both ends of one that is not known: "14", "13 or 14", "13 to 16"."""
    if span.is_known:
        return written(span.lowest)
    return f"{written(span.lowest)} {'or' if span.highest - span.lowest == 1 else 'to'} {written(span.highest)}"


def _remarks(row: Row, shown: WhatIf, other: OtherRules, *, is_first: bool) -> Iterator[Remark]:
    first = shown.first_difference
    if is_first and first:
        # What is asked under it says the rest.
        yield FIRST_DIFFERENCE, "" if first.kind == "open" and row.questions else first.sentence
    is_said = is_first and first is not None and first.kind in ("over", "goes_on")
    if row.ends_as_played:
        yield f"As played, {shown.as_played.heading}.", shown.as_played.why
    if row.ends_otherwise and not is_said and (why := _why(shown.otherwise)):
        yield f"{other.label}: {shown.otherwise.heading}.", why
    if shown.stop and shown.stop.place == row.place and not (is_first and first and first.kind == "stop"):
        yield "", shown.stop.sentence


def _why(ending: MatchEnd) -> str:
    """Return why a match ended so, unless its heading says it all."""
    return "" if ending.why in (either_way_sentence(ending.heading), ending.heading) else ending.why


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


def _share_text(match: Match, shown: WhatIf, label: str) -> str:
    """Return both results, for somebody who was not there."""
    lines = [f"What if? {match_title(match)}"]
    for heading, ending in (("As played", shown.as_played), (label, shown.otherwise)):
        spans = ending.scores.items()
        scores = ", ".join(f"{match.names[side]} {_span_words(it, score_text)}" for side, it in spans)
        said = NOBODY_YET if ending.heading.startswith(NOBODY_YET) else ending.heading
        lines.append(f"{heading}: {said}. {scores}.")
    if shown.otherwise.heading == NOT_KNOWN:
        lines.append(shown.otherwise.why)
    return "\n".join(filter(None, lines))


# ---------- which rule ----------


AskedRule = tuple[str, str, str, QuestionView | NumberView]
"""One rule: its name in the address, its title, the match's own answer, and what else can be answered."""


def _groups(match: Match, *, pays: bool) -> Iterator[tuple[str, list[AskedRule]]]:
    """Yield the rules that can be answered otherwise, those together that a table thinks of together."""
    seldom: list[AskedRule] = []
    own = [match.rules, *{id(it.ruleset): it.ruleset for it in match.state.results}.values()]
    for group in question_groups(RulesForm(match.rules), {}):
        if group.group_id == "play" or (group.group_id == "money" and not pays):
            continue  # these move no score
        yield group.heading, [_asked(own, item) for item in group.items]
        seldom += (_asked(own, item) for item in group.seldom)
    yield _SELDOM, seldom


def _asked(own: Sequence[Ruleset], item: QuestionView | NumberView) -> AskedRule:
    """Return a rule as it is asked; `own` are the rules of the match, from its start to its last hand."""
    is_worth = item.field.startswith(WORTH_PREFIX)
    name = item.field.removeprefix(WORTH_PREFIX).removeprefix(OPTION_PREFIX)
    title = own[0].awards[name].name if is_worth else QUESTIONS[name].title(own[0])
    held = dict.fromkeys(_answer_words(rules, name, is_worth=is_worth) for rules in own)
    return name, title, ", then ".join(held), item


def _answer_words(own: Ruleset, name: str, *, is_worth: bool) -> str:
    if is_worth:
        points = int(own.worth(name))
        return digits(points, "point") if points else "does not score"
    return QUESTIONS[name].label(QUESTIONS[name].answer(own), own)


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
    unplayed = replace(played, state=played.state._replace(outcome=None, results=()))
    return not what_if(unplayed, ruleset).refusal
