"""The pages that score a match again under the rules in the URL: who would have won, and why.

Nothing is stored: the URL also has the answers to questions about hands.
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
from scorekeeper.matches.house_rules import house_rules_of_device
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
    first_difference_sentence,
    house_answers_text,
    outcome_and_scores,
    winner_words,
)
from scorekeeper.pitch.rules.house_rules import MAX_HOUSE_ANSWERS, resolve_house_rules, with_house
from scorekeeper.pitch.rules.phrases import digits
from scorekeeper.pitch.rules.questions import QUESTIONS, RuleKey, answer_word, parse_word
from scorekeeper.pitch.rules.schema import Answers, Ruleset
from scorekeeper.pitch.rules.share_codes import BadCode, encode
from scorekeeper.pitch.scoring.match import MatchState
from scorekeeper.pitch.sheets.citations import CitedRules
from scorekeeper.pitch.text.phrases import score_text
from scorekeeper.web.context import budget, device, for_owners, for_watchers, load_match
from scorekeeper.web.library import citations_of_ruleset, joined_messages, library, shared_rules, standard_rules
from scorekeeper.web.respond import redirect_to, render_page
from scorekeeper.web.widgets import QuestionView

bp = Blueprint("what_if", __name__, url_prefix="/matches/<code>/what-if")

MAX_LISTED_RULES = 8
"""The most other rules to list before a search; a search finds the others."""
_MAX_FOUND_RULES = 24
"""The most other rules that a search shows."""
_MAX_NAMED_ANSWERS = 2
"""The most answers that the label of other rules names; with more, the label is "With 3 changes"."""
_UNSCORED_HEADING = "Cards that don’t score"
"""The heading of the questions about awards that score nothing in the match."""
_MAX_SEARCHED_HOUSE_RULES = 12
"""The most of this phone's house rules, last saved first, among which those to offer are chosen."""

VARIANT_FIELD, CODE_FIELD = "variant", "r"
"""The URL fields with a variant, and with a share code."""
NOBODY, NONE = "nobody", "none"
"""The words in a URL for a card that nobody took, and for an empty number."""
MAX_KNOWN_ANSWERS = 400
"""The most answers about hands in a URL."""
_MAX_WORD_LENGTH, _MAX_ANSWER_LENGTH = 40, 120
"""The most characters of a search or an answer about rules, and of an answer about a hand."""
_KNOWN_FIELD_PATTERN = re.compile(r"told-[0-9]{1,4}-[a-z_]{1,40}(:as_played)?")
"""The pattern of a URL field with an answer about a hand: the hand's position, and the subject of the question.

With ":as_played", the question is about the match's own rules.
"""


@dataclass(frozen=True, kw_only=True)
class WhatIfForm:
    """The other rules, and the answers to questions about hands, in the fields of a URL."""

    base: Mapping[str, str]
    """The URL field of the rules that the house answers change: a variant or share code; empty for the match's own."""
    answers: Mapping[str, str]
    """The words of the house answers in the URL, by option or award."""
    known_fields: Mapping[str, str]
    """The URL fields with answers to questions about hands."""

    @property
    def answer_values(self) -> dict[str, object]:
        """The values of the house answers, by option or award."""
        return {option: _parse_answer(option, word) for option, word in self.answers.items()}

    @property
    def known_answers(self) -> KnownAnswers:
        """The answers to questions about hands, such as who took a card."""
        known_answers: dict[QuestionKey, HandAnswer] = {}
        for name, word in self.known_fields.items():
            _, position, subject = name.split("-")
            known_answers[int(position), subject] = () if word == NOBODY else tuple(word.split("."))
        return known_answers

    @property
    def rules_query(self) -> dict[str, str]:
        """The URL fields about rules, without those about hands."""
        return {**self.base, **self.answers}

    @property
    def query(self) -> dict[str, str]:
        """All URL fields."""
        return {**self.rules_query, **self.known_fields}

    def with_answer(self, key: QuestionKey, takers: HandAnswer) -> dict[str, str]:
        """Return all URL fields, with one more answer to a question about a hand: the takers of an award."""
        position, subject = key
        return {**self.query, f"told-{position}-{subject}": ".".join(takers) or NOBODY}


def read_form(query: MultiDict[str, str]) -> WhatIfForm:
    """Parse the fields of a URL; a share code goes before a variant.

    Unknown fields are ignored, and so are answers about hands that are empty or too long.
    """
    bases = ((name, query.get(name, "").strip()) for name in (CODE_FIELD, VARIANT_FIELD))
    return WhatIfForm(
        base=dict([base for base in bases if base[1]][:1]),
        answers={name: word[:_MAX_WORD_LENGTH] or NONE for name, word in query.items() if name in QUESTIONS},
        known_fields={
            name: word
            for name, word in query.items()
            if _KNOWN_FIELD_PATTERN.fullmatch(name) and 0 < len(word) <= _MAX_ANSWER_LENGTH
        },
    )


def other_ruleset_and_label(form: WhatIfForm, match: Match) -> tuple[Ruleset, str]:
    """Return the ruleset in a form, and its label: "Nobody scores the Off Jack", "Auction Pitch".

    Raises `BadCode`, without a message if the form has no rules.
    """
    if len(form.answers) > MAX_HOUSE_ANSWERS or len(form.known_fields) > MAX_KNOWN_ANSWERS:
        raise BadCode("There are more answers in this address than can be read.")
    if not form.rules_query:
        raise BadCode("")
    base = _base_rules(form, match)
    ruleset, faults = with_house(base, form.answer_values)
    if faults:
        raise BadCode(joined_messages(faults))
    label, changes = "", digits(len(form.answers), "change")
    if form.base:
        label = f"{base.name}, {changes}" if form.answers else base.name
    elif len(form.answers) <= _MAX_NAMED_ANSWERS:
        label = _answers_label(match, form.answer_values)
    return ruleset, label or f"With {changes}"


def _answers_label(match: Match, answers: Answers) -> str:
    """Return answers as a label, worded by the rules of the match's last hand: "Nobody scores the Off Jack"."""
    ruleset, _ = with_house(match.ruleset_of_last_hand, answers)
    return house_answers_text(answers, ruleset, match.state.ruleset)


def _base_rules(form: WhatIfForm, match: Match) -> Ruleset:
    """Return the rules that a form's house answers change: those of the URL or else the match's; raises `BadCode`."""
    for field, name in form.base.items():
        if field == CODE_FIELD:
            return shared_rules(name).ruleset
        if name not in library():
            raise BadCode("There is no game of that name.")
        return library()[name]
    return match.rules


def _parse_answer(option: str, word: str) -> object:
    """Parse the word of a house answer; 0 points for an award become "no", as nobody scores it."""
    value = parse_word(word)
    return "no" if value == 0 and RuleKey.of_answer(option, value).is_worth else value


# ---------- the pages ----------


@bp.get("")
@for_watchers
def show(code: str) -> Response:
    """Show who would have won under the rules in the URL; without valid rules, show rules to choose from."""
    match, form = load_match(code), read_form(request.args)
    try:
        comparison, label = _compare_under(match, form)
    except BadCode as bad:
        return _ask_for_rule(match, str(bad))
    names, question = match.names, comparison.question
    is_same = comparison.first_differing_hand is None and not comparison.changes_winner and not comparison.problem
    return render_page(
        "what_if/answer.html",
        match=match,
        form=form,
        hands=_hand_count_words(match),
        is_open=request.args.get("more") == "yes",
        rule=label,
        heading=comparison_heading(comparison, names),
        scores=() if comparison.problem else tuple(_score_cards(match, comparison)),
        why=comparison_sentence(comparison, names, stopped=match.log.is_stopped),
        cited=_deciding_rules(comparison.state),
        own="By your own rules it is the same."
        if is_same
        else f"By your own rules: {outcome_and_scores(match.state, match.names)}.",
        question=question,
        answers=[(choice.label, form.with_answer(question.key, choice.takers)) for choice in question.choices]
        if question
        else (),
        details=list(
            filter(None, (first_difference_sentence(comparison), comparison.first_difference, *comparison.notes))
        ),
        changes=comparison.changes,
    )


def _ask_for_rule(match: Match, problem: str) -> Response:
    """Show rules to choose from, or only those that a search in the URL finds.

    `problem` says what is wrong with the rules in the URL; empty if nothing is.
    """
    words = request.args.get("q", "").strip()[:_MAX_WORD_LENGTH]
    return render_page(
        "what_if/show.html",
        status=422 if problem else 200,
        match=match,
        hands=_hand_count_words(match),
        words=words,
        rules=_search_rules(match, words.casefold().split()) if words else _first_rules(match),
        problem=problem,
    )


def _hand_count_words(match: Match) -> str:
    """Return the number of a match's hands in words: "9 hands"."""
    return digits(match.state.next_number - 1, "hand")


def _played_match(match: Match) -> PlayedMatch:
    """Return the match with its standard rules, ready to be compared with other rules."""
    return played_match(match, standard_rules(match.rules))


def _compare_under(match: Match, form: WhatIfForm) -> tuple[Comparison, str]:
    """Return the match scored under the rules in a form, and their label; raises `BadCode` if that is impossible."""
    other, label = other_ruleset_and_label(form, match)
    comparison = compare(
        _played_match(match), other, answers=form.answer_values, known_answers=form.known_answers, budget=budget()
    )
    if not comparison.ends:
        raise BadCode(comparison.problem)
    return comparison, label


def _list_other_answers(match: Match, *, every: bool = False) -> list[tuple[str, dict[str, str]]]:
    """Return other answers that may change a match's result, as labels with URL fields.

    With `every`, answers to all options are included. A match without hands has none.
    """
    found: dict[str, dict[str, str]] = {}
    for answers in other_answers(_played_match(match), every=every) if match.state.results else ():
        if not with_house(match.rules, answers)[1]:
            found.setdefault(
                _answers_label(match, answers), {option: answer_word(answer) for option, answer in answers.items()}
            )
    return list(found.items())


def _first_rules(match: Match) -> list[tuple[str, dict[str, str]]]:
    """Return at most `MAX_LISTED_RULES` other answers, as label and URL fields: one to each question, then more."""
    turns = defaultdict[str, Iterator[int]](count)
    return sorted(_list_other_answers(match), key=lambda rule: next(turns[next(iter(rule[1]))]))[:MAX_LISTED_RULES]


def _search_rules(match: Match, words: Sequence[str]) -> list[tuple[str, dict[str, str]]]:
    """Return other answers that fit a search, as labels with URL fields.

    Each of the casefolded `words` must begin a word of the label or of the question's title.
    """
    found = []
    for label, query in _list_other_answers(match, every=True):
        text = " ".join(("", label, *(QUESTIONS[option].title(match.rules) for option in query))).casefold()
        if all(f" {word}" in text for word in words):
            found.append((label, query))
    return found[:_MAX_FOUND_RULES]


@bp.get("/rules")
@for_watchers
def choose(code: str) -> Response:
    """Show the questions on rules that can change a score, and other games by which the match can be scored."""
    match = load_match(code)
    return render_page(
        "what_if/choose.html",
        match=match,
        groups=[(heading, rules) for heading, rules in _rule_groups(match) if rules],
        games=tuple(_comparable_games(match)),
    )


@bp.get("/share")
@for_watchers
def share(code: str) -> Response:
    """Show the result under the other rules as a text to send.

    On an owner's phone, the page has the watchers' link, if any. Without valid rules in the URL, redirect to the page
    with rules to choose from.
    """
    match, form = load_match(code), read_form(request.args)
    try:
        comparison, label = _compare_under(match, form)
    except BadCode:
        return redirect_to(".show", code=code)
    lines = (
        f"What if? {match_title(match)}",
        f"As played: {outcome_and_scores(match.state, match.names)}.",
        f"{label}: {winner_words(comparison, match.names)}.",
        comparison_sentence(comparison, match.names, stopped=match.log.is_stopped),
    )
    return share_page(match, "\n".join(lines), what_if=form.query)


@bp.post("/share")
@for_owners
def make_link(code: str) -> Response:
    """Make the access link for watchers, unless there is one, and redirect to the page with the text to send."""
    share_match(db.session, load_match(code))
    return redirect_to(".share", code=code, **read_form(request.args).query)


# ---------- who would have won ----------


def _deciding_rules(state: MatchState | None) -> CitedRules:
    """Return the rules of a state that decide the match; none without hands or a certain result."""
    if state is None or not state.results:
        return ()
    rules = citations_of_ruleset(state.ruleset)
    return rules.outcome_rules(state) if state.outcome else rules.undecided_rules(state)


def _score_cards(match: Match, comparison: Comparison) -> Iterator[ScoreCard]:
    """Yield the score card of each side under the other rules; an uncertain score is a range."""
    winners, lines = comparison.winners or (), sum_lines(comparison.state) if comparison.state else {}
    for side, view in side_views(match).items():
        lowest, highest = (extreme(end.scores[side] for end in comparison.ends) for extreme in (min, max))
        yield ScoreCard(
            side=view,
            score=score_text(lowest) if lowest == highest else _range_text(lowest, highest),
            line=lines.get(side, CardLine()),
            won="would-win" if side in winners else "",
            is_range=lowest != highest,
        )


def _range_text(lowest: int, highest: int) -> str:
    """Return a range of scores: "13–14", or if one is below 0, "−2 to 3"."""
    return f"{score_text(lowest)} to {score_text(highest)}" if lowest < 0 else f"{lowest}–{highest}"


# ---------- which rule ----------


RuleQuestion = tuple[str, str, str, QuestionView | NumberView]
"""A rule that can be changed: its URL field, its title, the match's own answer, and the question with all answers."""


def _rule_groups(match: Match) -> Iterator[tuple[str, list[RuleQuestion]]]:
    """Yield the rules that can change a score, in groups with headings.

    The last group has the awards without points. A group may be empty.
    """
    unscored: list[RuleQuestion] = []
    rulesets = [match.rules, *{id(result.ruleset): result.ruleset for result in match.state.results}.values()]
    for group in question_groups(RulesForm(match.rules), {}):
        if group.group_id == "play" or (group.group_id == "money" and match.state.money is None):
            continue  # options of these groups change no score
        yield group.heading, [_rule_question(rulesets, item) for item in group.items]
        unscored += (_rule_question(rulesets, item) for item in group.seldom)
    yield _UNSCORED_HEADING, unscored


def _rule_question(rulesets: Sequence[Ruleset], item: QuestionView | NumberView) -> RuleQuestion:
    """Return the rule that a question is about; `rulesets` are those that the match has had, in order."""
    is_worth = item.field.startswith(WORTH_PREFIX)
    name = item.field.removeprefix(WORTH_PREFIX).removeprefix(OPTION_PREFIX)
    title = rulesets[0].awards[name].name if is_worth else QUESTIONS[name].title(rulesets[0])
    answers = dict.fromkeys(_answer_words(rules, name, is_worth=is_worth) for rules in rulesets)
    return name, title, ", then ".join(answers), item


def _answer_words(ruleset: Ruleset, name: str, *, is_worth: bool) -> str:
    """Return a ruleset's answer to an option in words; with `is_worth`, the points of an award in words."""
    if is_worth:
        points = int(ruleset.worth(name))
        return digits(points, "point") if points else "does not score"
    return QUESTIONS[name].label(QUESTIONS[name].answer(ruleset), ruleset)


def _comparable_games(match: Match) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield this phone's house rules and the other published games by which the match can be scored.

    Each has its name, its summary and its URL fields. Published games with other points in a hand are left out.
    """
    played = _played_match(match)
    for stored in house_rules_of_device(db.session, device())[:_MAX_SEARCHED_HOUSE_RULES]:
        rules = stored.last.rules
        ruleset, _ = resolve_house_rules(rules, library())
        if ruleset and not stored.last.is_retired and can_compare(played, ruleset):
            yield rules.name, ruleset.summary, {CODE_FIELD: encode(rules)}
    for game in library():
        is_alike = game.points_per_hand == match.rules.points_per_hand and game.id != match.rules.id
        if is_alike and can_compare(played, game):
            yield game.name, game.summary, {VARIANT_FIELD: game.id}
