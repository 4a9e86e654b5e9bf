"""A match scored again under the rules in the address: who would have won, and why. Nothing is written.

The address has the other rules, and answers to questions about hands in which too little was recorded.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from flask import Blueprint, Response, request
from werkzeug.datastructures import MultiDict

from scorekeeper.database.engine import db
from scorekeeper.matches.fold import Match, played_match
from scorekeeper.matches.house_rules import houses_of_device
from scorekeeper.matches.notices import match_title, side_views
from scorekeeper.matches.phones import share_match
from scorekeeper.pages.house_rules.form import OPTION_PREFIX, WORTH_PREFIX, NumberView, RulesForm, question_groups
from scorekeeper.pages.match.page import CardLine, ScoreCard, sum_lines
from scorekeeper.pages.share import share_page
from scorekeeper.pitch.compare.alternatives import other_answers
from scorekeeper.pitch.compare.comparison import (
    Comparison,
    KnownAnswers,
    PlayedMatch,
    QuestionKey,
    can_compare,
    compare,
)
from scorekeeper.pitch.compare.possible_hands import HandAnswer
from scorekeeper.pitch.compare.sentences import (
    comparison_heading,
    comparison_sentence,
    rule_words,
    since_sentence,
    winner_words,
)
from scorekeeper.pitch.rules.house_rules import MAX_OPTIONS, resolve, with_house
from scorekeeper.pitch.rules.phrases import digits
from scorekeeper.pitch.rules.questions import QUESTIONS, RuleKey, value_of, word_of
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import BadCode, encode
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.pitch.sheets.citations import Cited
from scorekeeper.pitch.text.phrases import score_text
from scorekeeper.web.context import budget, device, for_owners, for_watchers, load_match
from scorekeeper.web.library import citations_of_ruleset, joined_messages, library, shared_rules, standard_rules
from scorekeeper.web.respond import redirect_to, render_page
from scorekeeper.web.widgets import QuestionView

bp = Blueprint("what_if", __name__, url_prefix="/matches/<code>/what-if")

MAX_SHOWN = 8
"""The most rules listed at once; a search by words finds the others."""
_MAX_FOUND = 24
_MAX_NAMED = 2
"""The most answers that a label names; more are "With 3 changes"."""
_SELDOM = "Cards that don’t score"
_MAX_HOUSES = 12

VARIANT_FIELD, CODE_FIELD = "variant", "r"
NOBODY, NONE = "nobody", "none"
"""The words in an address for nobody, and for an empty number."""
MAX_KNOWN = 400
_MAX_WORD_LENGTH, _MAX_ANSWER_LENGTH = 40, 120
_KNOWN = re.compile(r"told-[0-9]{1,4}-[a-z_]{1,40}(:as_played)?")


@dataclass(frozen=True, kw_only=True)
class WhatIfForm:
    """The other rules, and the answers about hands, in an address."""

    base: Mapping[str, str]
    """The field with the rules to which house answers apply, a game or a share code; empty for the match's own."""
    answers: Mapping[str, str]
    """House answers, by option or award."""
    known_fields: Mapping[str, str]
    """The fields with answers about hands."""

    @property
    def house(self) -> dict[str, object]:
        """The house answers as values."""
        return {option: _value(option, word) for option, word in self.answers.items()}

    @property
    def known(self) -> KnownAnswers:
        """The answers about hands."""
        known: dict[QuestionKey, HandAnswer] = {}
        for name, word in self.known_fields.items():
            _, position, what = name.split("-")
            known[int(position), what] = () if word == NOBODY else tuple(word.split("."))
        return known

    @property
    def rules_query(self) -> dict[str, str]:
        """The fields of the address without answers about hands."""
        return {**self.base, **self.answers}

    @property
    def query(self) -> dict[str, str]:
        """All fields of the address."""
        return {**self.rules_query, **self.known_fields}

    def with_answer(self, key: QuestionKey, who: HandAnswer) -> dict[str, str]:
        """Return the fields of the address with an answer to a question about a hand."""
        position, what = key
        return {**self.query, f"told-{position}-{what}": ".".join(who) or NOBODY}


@dataclass(frozen=True)
class OtherRules:
    """The other rules in an address, with a label."""

    ruleset: Ruleset | None
    """`None` without other rules."""
    label: str = ""
    """"Nobody scores the Off Jack", "With 3 changes", "Auction Pitch"."""
    problem: str = ""
    """Why the rules in the address are invalid; else empty."""


def read_form(query: MultiDict[str, str]) -> WhatIfForm:
    """Read the form from the query of an address; unknown fields are ignored."""
    bases = ((name, query.get(name, "").strip()) for name in (CODE_FIELD, VARIANT_FIELD))
    return WhatIfForm(
        base=dict([base for base in bases if base[1]][:1]),
        answers={name: word[:_MAX_WORD_LENGTH] or NONE for name, word in query.items() if name in QUESTIONS},
        known_fields={
            name: word for name, word in query.items() if _KNOWN.fullmatch(name) and 0 < len(word) <= _MAX_ANSWER_LENGTH
        },
    )


def other_rules(form: WhatIfForm, match: Match) -> OtherRules:
    """Return the rules in an address: house answers applied to the match's rules, or to other rules."""
    if len(form.answers) > MAX_OPTIONS or len(form.known_fields) > MAX_KNOWN:
        return OtherRules(None, problem="There are more answers in this address than can be read.")
    if not form.rules_query:
        return OtherRules(None)
    try:
        base = _base_rules(form, match)
    except BadCode as bad:
        return OtherRules(None, problem=str(bad))
    ruleset, faults = with_house(base, form.house)
    if faults:
        return OtherRules(None, problem=joined_messages(faults))
    label, changes = "", digits(len(form.answers), "change")
    if form.base:
        label = f"{base.name}, {changes}" if form.answers else base.name
    elif len(form.answers) <= _MAX_NAMED:
        label = rule_words(form.house, ruleset, match.state.ruleset).removesuffix(".")
    return OtherRules(ruleset, label or f"With {changes}")


def _base_rules(form: WhatIfForm, match: Match) -> Ruleset:
    """Return the rules to which the house answers apply; raises `BadCode`."""
    for field, name in form.base.items():
        if field == CODE_FIELD:
            return shared_rules(name).ruleset
        if name not in library():
            raise BadCode("There is no game of that name.")
        return library()[name]
    return match.rules


def _value(option: str, word: str) -> object:
    """Return the value of an answer in an address; an award of 0 points is "no": nobody scores it."""
    value = value_of(word)
    return "no" if value == 0 and RuleKey.of_answer(option, value).is_worth else value


# ---------- the pages ----------


@bp.get("")
@for_watchers
def show(code: str) -> Response:
    """Ask for another rule, or with one in the address show who would have won."""
    match, form = load_match(code), read_form(request.args)
    other = other_rules(form, match)
    if other.ruleset is None:
        return _ask_for_rule(match, other.problem)
    shown = _compared(match, form, other.ruleset)
    if not shown.ends:
        return _ask_for_rule(match, shown.problem)
    names, question = match.names, shown.question
    is_same = shown.since is None and not shown.changes_winner and not shown.problem
    return render_page(
        "what_if/answer.html",
        match=match,
        form=form,
        hands=_hands(match),
        is_open=request.args.get("more") == "yes",
        rule=other.label,
        heading=comparison_heading(shown, names),
        scores=() if shown.problem else tuple(_scores(match, shown)),
        why=comparison_sentence(shown, names, stopped=match.log.is_stopped),
        cited=_cited(shown.other, shown.state),
        own="By your own rules it is the same." if is_same else f"By your own rules: {_own_words(match)}.",
        question=question,
        answers=[(choice.label, form.with_answer(question.key, choice.who)) for choice in question.choices]
        if question
        else (),
        details=list(filter(None, (since_sentence(shown), shown.first_difference, *shown.notes))),
        changes=shown.changes,
    )


def _ask_for_rule(match: Match, problem: str) -> Response:
    words = request.args.get("q", "").strip()[:_MAX_WORD_LENGTH]
    return render_page(
        "what_if/show.html",
        status=422 if problem else 200,
        match=match,
        hands=_hands(match),
        words=words,
        rules=_found(match, words.casefold().split()) if words else _first_rules(match),
        problem=problem,
    )


def _hands(match: Match) -> str:
    return digits(match.state.next_number - 1, "hand")


def _played(match: Match) -> PlayedMatch:
    return played_match(match, standard_rules(match.rules))


def _compared(match: Match, form: WhatIfForm, other: Ruleset) -> Comparison:
    return compare(_played(match), other, answers=form.house, known=form.known, budget=budget())


def _rules_listed(match: Match, *, every: bool = False) -> list[tuple[str, dict[str, str]]]:
    """Return the other answers that may matter in a match, most disputed rules first; with `every`, all of them.

    Each has its label, "Nobody scores the Off Jack", and its fields in an address.
    """
    found: dict[str, dict[str, str]] = {}
    for house in other_answers(_played(match), every=every) if match.state.results else ():
        ruleset, faults = with_house(match.rules, house)
        if not faults:
            label = rule_words(house, ruleset, match.state.ruleset).removesuffix(".")
            found.setdefault(label, {option: word_of(answer) for option, answer in house.items()})
    return list(found.items())


def _first_rules(match: Match) -> list[tuple[str, dict[str, str]]]:
    """Return the rules to list first: one other answer to each question, then further answers."""
    turns = defaultdict[str, Iterator[int]](count)
    return sorted(_rules_listed(match), key=lambda rule: next(turns[next(iter(rule[1]))]))[:MAX_SHOWN]


def _found(match: Match, words: Sequence[str]) -> list[tuple[str, dict[str, str]]]:
    """Return the rules that a search finds: each of its words begins a word of the rule's text."""
    found = []
    for label, query in _rules_listed(match, every=True):
        text = " ".join(("", label, *(QUESTIONS[option].title(match.rules) for option in query))).casefold()
        if all(f" {word}" in text for word in words):
            found.append((label, query))
    return found[:_MAX_FOUND]


@bp.get("/rules")
@for_watchers
def choose(code: str) -> Response:
    """Show all rules that can have another answer."""
    match = load_match(code)
    return render_page(
        "what_if/choose.html",
        match=match,
        groups=[(heading, rules) for heading, rules in _groups(match) if rules],
        games=tuple(_games(match)),
    )


@bp.get("/share")
@for_watchers
def share(code: str) -> Response:
    """Show the text to send; an owner's phone adds a link that opens this comparison."""
    match, form = load_match(code), read_form(request.args)
    other = other_rules(form, match)
    if other.ruleset is None or not (shown := _compared(match, form, other.ruleset)).ends:
        return redirect_to(".show", code=code)
    lines = (
        f"What if? {match_title(match)}",
        f"As played: {_own_words(match)}.",
        f"{other.label}: {winner_words(shown, match.names)}.",
        comparison_sentence(shown, match.names, stopped=match.log.is_stopped),
    )
    return share_page(match, "\n".join(lines), what_if=form.query)


@bp.post("/share")
@for_owners
def make_link(code: str) -> Response:
    """Make a watcher's link, which the page of phones can end."""
    share_match(db.session, load_match(code))
    return redirect_to(".share", code=code, **read_form(request.args).query)


# ---------- who would have won ----------


def _own_words(match: Match) -> str:
    played = Comparison(other=match.rules, played_winners=match.state.winners, ends=(match.state,))
    return winner_words(played, match.names)


def _cited(other: Ruleset, state: MatchState | None) -> Cited:
    """Return the rules that decide under the other rules, numbered as on their sheet."""
    if state is None or not state.results:
        return ()
    rules = citations_of_ruleset(other)
    return rules.decided(state) if state.outcome else rules.goes_on(state)


def _scores(match: Match, shown: Comparison) -> Iterator[ScoreCard]:
    """Yield the score of each side; a range where it is not known exactly."""
    winners, lines = shown.winners or (), sum_lines(shown.state) if shown.state else {}
    for side, view in side_views(match).items():
        lowest, highest = (of(end.scores[side] for end in shown.ends) for of in (min, max))
        yield ScoreCard(
            side=view,
            score=score_text(lowest) if lowest == highest else _span(lowest, highest),
            line=lines.get(side, CardLine()),
            won="would-win" if side in winners else "",
            is_range=lowest != highest,
        )


def _span(lowest: int, highest: int) -> str:
    return f"{score_text(lowest)} to {score_text(highest)}" if lowest < 0 else f"{lowest}–{highest}"


# ---------- which rule ----------


RuleQuestion = tuple[str, str, str, QuestionView | NumberView]
"""A rule to change: its name in the address, title, the match's own answer, and the question with other answers."""


def _groups(match: Match) -> Iterator[tuple[str, list[RuleQuestion]]]:
    """Yield the rules that can have another answer, in the sections of the editor."""
    seldom: list[RuleQuestion] = []
    own = [match.rules, *{id(result.ruleset): result.ruleset for result in match.state.results}.values()]
    for group in question_groups(RulesForm(match.rules), {}):
        if group.group_id == "play" or (group.group_id == "money" and match.state.money is None):
            continue  # options of these groups change no score
        yield group.heading, [_rule_question(own, item) for item in group.items]
        seldom += (_rule_question(own, item) for item in group.seldom)
    yield _SELDOM, seldom


def _rule_question(own: Sequence[Ruleset], item: QuestionView | NumberView) -> RuleQuestion:
    """Return a rule with its question; `own` are the match's rules, from its start to its last hand."""
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


def _games(match: Match) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield the rules of this phone and the games with equal points a hand under which the match can be scored.

    Each has its name, its summary and its fields in an address.
    """
    played = _played(match)
    for house in houses_of_device(db.session, device())[:_MAX_HOUSES]:
        rules = house.last.rules
        ruleset, _ = resolve(rules, library())
        if ruleset and not house.last.is_retired and can_compare(played, ruleset):
            yield rules.name, ruleset.summary, {CODE_FIELD: encode(rules)}
    for game in library():
        is_alike = game.points_per_hand == match.rules.points_per_hand and game.id != match.rules.id
        if is_alike and can_compare(played, game):
            yield game.name, game.summary, {VARIANT_FIELD: game.id}
