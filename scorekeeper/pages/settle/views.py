"""The pages of "Who won?": the form for one hand, which shows its result at once, and the ruling on that hand."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

from flask import Blueprint, Response, abort, request, session, url_for

from scorekeeper.database.engine import db
from scorekeeper.matches.match_list import matches_of_device
from scorekeeper.matches.notices import rules_words
from scorekeeper.pages.find_game.views import show_finder
from scorekeeper.pages.hand.form import HandForm
from scorekeeper.pages.hand.in_progress import fault_target
from scorekeeper.pages.hand.input import PENALTY_PREFIX, PENALTY_RECIPIENTS_FIELD, TIMES_PREFIX
from scorekeeper.pages.hand.page import SaveBar, hidden_fields, running_count
from scorekeeper.pages.hand.page import question_fingerprint as hand_fingerprint
from scorekeeper.pages.hand.view import HandView, hand_view
from scorekeeper.pages.house_rules.form import rule_choices
from scorekeeper.pages.match.hands import MAX_SIDE_BY_SIDE
from scorekeeper.pages.match.page import CardLine, ScoreCard
from scorekeeper.pages.new_match.views import player_count_question, seating_question
from scorekeeper.pages.settle.form import (
    ANSWER_PREFIX,
    CODE_FIELD,
    DEALER_FIELD,
    DECIDING_OPTIONS,
    MAX_CARRIED_LENGTH,
    VARIANT_FIELD,
    BadQuery,
    SettledHand,
    SettleForm,
    empty_settle_form,
    form_of_hand,
    hand_form_of,
    query_rules,
    read_form,
    rules_fields,
    settle,
    with_answer,
)
from scorekeeper.pitch.compare.ruling import Ruling
from scorekeeper.pitch.compare.sentences import (
    SideScoreChange,
    other_rule_sentences,
    outcome_and_scores,
    payments_words,
    reason_words,
    results_by_answer,
    ruling_hand_sentence,
    score_changes,
    undecided_sentence,
)
from scorekeeper.pitch.rules.groups.winning import tie_rule_decides
from scorekeeper.pitch.rules.phrases import capitalize, digits
from scorekeeper.pitch.rules.questions import QUESTIONS, disputed_questions, possible_answers, unanswered_questions
from scorekeeper.pitch.rules.share_codes import BadCode, fingerprint
from scorekeeper.pitch.scoring.hand_score import bid_rules
from scorekeeper.pitch.scoring.match import HandResult, sides_set_in
from scorekeeper.pitch.sheets.citations import Citations, CitedRule, CitedRules, citations
from scorekeeper.pitch.text.endings import goal_words, goals_with_differences, outcome_heading, verdict
from scorekeeper.pitch.text.hands import bid_result_word, bid_words, not_counted_words
from scorekeeper.pitch.text.phrases import Names, bid_word, join_nonempty, resolve_pronouns, score_text, sum_words
from scorekeeper.web.context import budget, device, for_watchers, load_match
from scorekeeper.web.errors import ErrorText, error_response
from scorekeeper.web.library import ResolvedRules
from scorekeeper.web.respond import redirect_to, render_page, replace_url, see_other
from scorekeeper.web.widgets import QuestionView

bp = Blueprint("settle", __name__)

MAX_SEARCHED_MATCHES = 12
"""The most of this phone's latest matches that are loaded to find rules to offer."""
_MAX_SHOWN_RULES = 4
"""The most rules of this phone's matches that are offered."""

_UNREADABLE_LINK = ErrorText(
    "Can’t read this link",
    "Part of this link is missing or can’t be read.",
    "Ask for the link again, or type in the hand yourself under “Who won?”.",
)
"""The text of the page for a URL that cannot be read."""


_UNSETTLED_HAND = ErrorText(
    "Can’t settle this hand",
    "There is nothing to settle in this hand, or its rules fit into no link.",
    "Open “Who won?” on the home page, and type it in.",
)
"""The text of the page for a hand of a match that cannot be settled here."""


_UNPLAYED_REASONS = {"misdeal": "Misdeal", "ran_out": "The deck ran out", "all_passed": "All passed"}
"""The words for why a hand was not played, by the reason in the form."""

_HAND_KEY = "settled_hand"
"""The session's key for the code of a match and the uid of its hand that this phone settles."""

RESULT_BLOCKS, ALL_BLOCKS = ("live", "bottom_bar", "told_line"), ("live", "bottom_bar", "hand_form", "before")
"""The blocks of the template that htmx updates: for the same questions, and for others."""


@bp.get("/settle")
def show() -> Response:
    """Show the form with the hand in the URL, or if requested, the ruling on it.

    Without rules in the URL, redirect to the rules used last.
    """
    if not (request.args.get(VARIANT_FIELD) or request.args.get(CODE_FIELD)):
        return _redirect_to_last_rules()
    form = read_form(request.args, len(request.query_string))
    if request.args.get("shape", form.seating_key) != form.seating_key or request.args.get("way"):
        return see_other(settle_url(form))
    if rest_to := request.args.get("rest"):
        return see_other(settle_url(replace(form, input=hand_form_of(form).hand.with_rest(rest_to))))
    settled = settle(form, budget())
    is_ruling_requested = request.args.get("show") == "ruling"
    if is_ruling_requested and settled.ruling:
        return _show_ruling(form, settled, settled.ruling)
    return replace_url(_show_form(form, settled, is_ruling_requested=is_ruling_requested), settle_url(form))


@bp.get("/settle/share")
def share() -> Response:
    """Show the ruling on the hand in the URL as a text to send; without a ruling, redirect to the form."""
    own_form = read_form(request.args, len(request.query_string))
    form = own_form.with_names_for_others()
    settled = settle(form, budget())
    if settled.ruling is None:
        return see_other(settle_url(own_form))
    ruling, rules = settled.ruling, rules_words(settled.hand_form.hand.before)
    names = settled.hand_form.names
    lead = undecided_sentence(ruling) or f"{outcome_and_scores(ruling.state, names)}."
    text = "\n".join(filter(None, (rules, lead, _reason_text(ruling, names))))
    return render_page(
        "settle/share.html", rules=rules, fields=own_form.fields(), shared_fields=form.fields(), text=text
    )


@bp.get("/settle/rules")
def choose() -> Response:
    """Show the games by which to settle a hand, those used last on this phone first."""
    shown_rules = tuple(islice(used_rules(), _MAX_SHOWN_RULES))
    goals = goals_with_differences([rules.ruleset for rules in shown_rules])
    return show_finder(
        "settle",
        "settle/rules.html",
        description="",
        used=[(rules.ruleset.name, goal, rules_fields(rules)) for rules, goal in zip(shown_rules, goals, strict=True)],
    )


@bp.get("/matches/<code>/hands/<int:uid>/settle")
@for_watchers
def of_match(code: str, uid: int) -> Response:
    """Redirect to the form with a hand of a match filled in; 422 if that hand cannot be settled."""
    match = load_match(code)
    form = form_of_hand(match, match.result(uid) or abort(404))
    session[_HAND_KEY] = code, uid
    return see_other(settle_url(form)) if form else error_response(422, _UNSETTLED_HAND, match_code=code)


def _redirect_to_last_rules() -> Response:
    """Redirect to the form with the last used rules, or else to the list of games.

    Raises `BadQuery` if the URL has fields, as these need rules.
    """
    if request.args:
        raise BadQuery("This link does not say which rules it is about.")
    session.pop(_HAND_KEY, None)
    last_used = next(used_rules(), None)
    return see_other(settle_url(empty_settle_form(last_used))) if last_used else redirect_to(".choose")


def _back_url() -> str:
    """Return the URL of the hand of a match from which this phone came, else of the home page."""
    # Not in the page's own URL, which may be sent to anybody.
    code, uid = session.get(_HAND_KEY, ("", 0))
    return url_for("history.show", code=code, open=uid, _anchor=f"hand-{uid}") if code else url_for("home.index")


def settle_url(form: SettleForm) -> str:
    """Return the URL of the page with the fields of a form."""
    return url_for("settle.show", **form.fields())


@bp.errorhandler(BadCode)
def show_bad_code(bad: BadCode) -> Response:
    """Show why the rules or the hand in the URL cannot be read."""
    return error_response(422, replace(_UNREADABLE_LINK, problem=str(bad)))


# ---------- which rules ----------


def used_rules() -> Iterator[ResolvedRules]:
    """Yield the rules of this phone's latest matches, each only once, last used first.

    Only `MAX_SEARCHED_MATCHES` matches are searched, and rules that no URL can express are left out.
    """
    seen = set()
    for listed in matches_of_device(db.session, device(), at_most=MAX_SEARCHED_MATCHES):
        rules = query_rules(listed.match.state.ruleset) if listed.match else None
        if rules and (key := (rules.ruleset.name, fingerprint(rules.ruleset))) not in seen:
            seen.add(key)
            yield rules


# ---------- the page on which a hand is typed in ----------


def question_fingerprint(form: SettleForm, hand_form: HandForm) -> str:
    """Return a key of the page's questions and names; a phone with another key gets the form anew."""
    rules, thrown_in = fingerprint(form.rules.ruleset), form.input.thrown_in
    return resolve_pronouns(
        "|".join((hand_fingerprint(hand_form), form.seating_key, rules, thrown_in, *form.shown_names))
    )


def _show_form(form: SettleForm, settled: SettledHand, *, is_ruling_requested: bool) -> Response:
    """Show the form with the result so far.

    With `is_ruling_requested`, the form names what is missing for a ruling, for browsers without scripts.
    """
    hand_form, ruling = settled.hand_form, settled.ruling
    hand = hand_form.hand
    heading, why = _result_words(settled, ruling) if ruling else ("", "")
    tables = tuple(filter(None, (player_count_question(form.table), seating_question(form.table))))
    save_bar = _settle_bar(settled)
    is_whole_page = "asks" not in request.args or bool(request.args.get("show"))
    has_same_questions = request.args.get("asks") == question_fingerprint(form, hand_form)
    result_blocks = RESULT_BLOCKS if hand.has_same_game_taker(request.args) else (*RESULT_BLOCKS, "awards")
    return render_page(
        "settle/show.html",
        block=result_blocks if has_same_questions else ALL_BLOCKS,
        status=422 if is_whole_page and save_bar.fault else 200,
        form=form,
        back_url=_back_url(),
        sides=tuple(hand_form.sides.values()),
        is_rows=len(hand_form.sides) > MAX_SIDE_BY_SIDE,
        rules_line=f"{digits(hand.ruleset.points_per_hand, 'point')} a hand, {goal_words(hand.ruleset)}",
        hidden=tuple(_hidden_form_fields(form, hand_form, {question.field for question in tables})),
        tables=tables,
        decides=tuple(_deciding_questions(form)),
        typed_faults=form.faults(),
        faults=None,
        carried_length=MAX_CARRIED_LENGTH,
        heading=heading,
        why=why,
        save_bar=save_bar,
        is_fresh=not is_ruling_requested,
        settles=True,
        has_just_given_rest=False,
        preview_url="",
        hand=hand,
        hand_form=hand_form,
        view=_form_hand_view(form, settled),
    )


def _form_hand_view(form: SettleForm, settled: SettledHand) -> HandView:
    """Return the values of the hand templates for the form's hand, without questions that need a match.

    For a hand that was not played, the reason replaces the questions about the play.
    """
    hand_form = settled.hand_form
    view = hand_view(hand_form, rule_sheet_url(form), settled.faults)
    view = replace(
        view,
        may_misdeal=False,
        sides_to_go_set=tuple(hand_form.sides.values()) if form.asks_went_set else (),
        all_passed_action="unbound" if view.all_passed_action == "unbound" else "",
        asks_dealer=False,
        asks_trump=not form.input.by_points,
    )
    if not form.input.thrown_in:
        return view
    unplayed = _UNPLAYED_REASONS.get(
        form.input.thrown_in, f"{hand_form.name(form.input.dealer)} went set instead of bidding"
    )
    return replace(view, unplayed_reason=unplayed, sides_to_go_set=(), questions=(), rows=(), points_questions=())


def rule_sheet_url(form: SettleForm) -> str:
    """Return the URL of the page with the form's rules."""
    rules = form.rules
    if rules.share_code:
        return url_for("rules.index", r=rules.share_code)
    return url_for("rules.show", ruleset_id=rules.base.id)


def _settle_bar(settled: SettledHand) -> SaveBar:
    """Return the bar at the bottom of the form: with a fault, or a missing input, or a button that shows the ruling."""
    hand_form, ruling = settled.hand_form, settled.ruling
    for fault in settled.faults:
        target = fault_target(hand_form.hand, fault.field) or fault.field
        return SaveBar(label="Fix this first", target=target, fault=fault, count=running_count(hand_form))
    if settled.unfinished:
        return settled.unfinished
    count = None if hand_form.input.thrown_in else running_count(hand_form, ruling.result if ruling else None)
    return SaveBar(label=_button_text(ruling, hand_form) if ruling else "Who won?", count=count)


def _hidden_form_fields(
    form: SettleForm, hand_form: HandForm, shown_fields: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each hidden field: input without a question, and keys of seating and questions.

    `shown_fields` are the fields of the seating that have a question.
    """
    yield from ((name, text) for name, text in form.table_fields() if name not in shown_fields)
    yield "shape", form.seating_key
    yield "asks", question_fingerprint(form, hand_form)
    yield from form.unasked_fields.items()
    if form.input.thrown_in:
        # The input is kept, in case "not played" is taken back.
        on_page = (
            PENALTY_PREFIX,
            PENALTY_RECIPIENTS_FIELD,
            "forfeits",
            TIMES_PREFIX,
            *((DEALER_FIELD,) if form.asks_dealer else ()),
        )
        yield from ((name, text) for name, text in form.input.fields() if not name.startswith(on_page))
        return
    yield from hidden_fields(hand_form)
    if form.input.by_points:
        yield "trump", form.input.trump


def _deciding_questions(form: SettleForm) -> Iterator[QuestionView]:
    """Yield the questions on winners and ties that the rules leave open, or on which players often disagree.

    Questions that make no difference are left out.
    """
    ruleset = form.rules.ruleset
    asked = {question.option for question in (*unanswered_questions(ruleset), *disputed_questions(ruleset))}
    if not tie_rule_decides(ruleset, len(form.side_ids)):
        asked.discard("tie_rule")
    for option in DECIDING_OPTIONS:
        question, words = QUESTIONS[option], possible_answers(ruleset, option)
        if option in asked and len(words) > 1:
            choices = rule_choices(question, words, ruleset, form.rules.base)
            yield QuestionView(field=f"{ANSWER_PREFIX}{option}", question=question.title(ruleset), choices=choices)


def _result_words(settled: SettledHand, ruling: Ruling) -> tuple[str, str]:
    """Return the result, "We win, 43 to 44.", and its reason.

    For an undecided ruling, the result is "" and the reason says what decides it.
    """
    names = settled.hand_form.names
    if ruling.undecided:
        return "", join_nonempty(settled.nobody_took_note, undecided_sentence(ruling))
    why = reason_words(ruling.state, names)
    if ruling.result.set_taken_by:
        why = join_nonempty(ruling_hand_sentence(ruling, names), why)
    return f"{outcome_and_scores(ruling.state, names)}.", join_nonempty(settled.nobody_took_note, why)


def _button_text(ruling: Ruling, hand_form: HandForm) -> str:
    """Return the text of the button that shows the ruling: "Show why we won"."""
    if ruling.undecided:
        return "Show both answers" if len(ruling.undecided) == 2 else "Show every answer"
    if ruling.state.outcome:
        return f"Show why {outcome_heading(ruling.state, hand_form.names, stopped=False)}"
    return "Show why nobody has won yet" if ruling.state.goes_on else "Show what decides"


# ---------- the page of a ruling ----------


def deciding_rules(ruling: Ruling, rules: Citations) -> CitedRules:
    """Return the rules to cite for a ruling: on the set, on who won, or on how a match ends."""
    state, result = ruling.state, ruling.result
    found: CitedRules = ()
    if result.set_taken_by:
        found = rules.first_rule("bid.all_pass")
    elif result.made is False:
        found = rules.rules_by_id(bid_rules(result.bid, made=False))
    if state.outcome:
        found += rules.outcome_rules(state)
    elif state.question or state.standing.at_target:
        found += rules.undecided_rules(state)
    elif not found:
        found = rules.ending_rules()[:1]
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, kw_only=True)
class RuledSide:
    """A side in a ruling: its score card, and its row in the table of score changes."""

    card: ScoreCard
    score_change: SideScoreChange
    change: int
    """The change of the side's score by the hand."""
    sum_note: str
    """The side's points and bid, "took 6, bid 6", or why its points do not count; empty if its lines say so."""
    cited: tuple[CitedRule, ...]
    """The rules that decided the points in the side's lines."""


def _show_ruling(form: SettleForm, settled: SettledHand, ruling: Ruling) -> Response:
    """Show the winner, the reason and the rules; with `more` in the URL, also who wins under other rules."""
    hand_form, result = settled.hand_form, ruling.result
    names = hand_form.names
    rules, is_open = citations(form.rules.ruleset, form.rules.base), request.args.get("more") == "yes"
    supplement = verdict(ruling.state, names).supplement if ruling.state.outcome and not ruling.undecided else ""
    cited, sides = deciding_rules(ruling, rules), tuple(_ruled_sides(hand_form, ruling, rules))
    relied_on = dict.fromkeys(chain(rules.deciding_rules(result), *(side.cited for side in sides)))
    return render_page(
        "settle/ruling.html",
        form=form,
        sheet_url=rule_sheet_url(form),
        fields=form.fields(),
        heading="It depends"
        if ruling.undecided
        else "Nobody yet"
        if ruling.state.goes_on
        else outcome_heading(ruling.state, names, stopped=False),
        is_open=is_open,
        supplement=supplement,
        undecided=undecided_sentence(ruling),
        outcomes=results_by_answer(ruling, names),
        is_won=ruling.state.outcome is not None and not ruling.undecided,
        sides=sides,
        open_questions=tuple(_open_questions(form, ruling)),
        why=_reason_text(ruling, names),
        cited=cited,
        deciding_rules=[rule for rule in relied_on if rule not in cited],
        outcome=bid_result_word(result),
        bid=bid_words(result, names) if result.bidder or result.set_taken_by else "",
        nobody_took_note=settled.nobody_took_note,
        money=_payments_text(ruling, names),
        other_rules=other_rule_sentences(ruling.match, names, budget()) if is_open else (),
        before=hand_form.hand.before,
        ruling=ruling,
    )


def _reason_text(ruling: Ruling, names: Names) -> str:
    """Return why a side has won; if none has, the result of the bid and why nobody has won yet.

    For an undecided ruling, it is only the result of the bid.
    """
    bid = ruling_hand_sentence(ruling, names)
    if ruling.undecided:
        return bid
    if ruling.state.outcome:
        won = verdict(ruling.state, names).sentence
        return join_nonempty(bid, won) if ruling.result.set_taken_by else won
    return join_nonempty(bid, reason_words(ruling.state, names))


def _payments_text(ruling: Ruling, names: Names) -> str:
    """Return the payments for the hand in words, or if there are none, those that settle the match now."""
    ruleset = ruling.result.ruleset
    if paid := payments_words(ruling.result.payments, names):
        return capitalize(f"for this hand {paid}.")
    is_partial = ruleset.moon.moon == "money" or ruleset.money.settles == "hand"
    settled = payments_words(ruling.state.money or {}, names)
    return f"Settled now{', by points alone' if is_partial else ''}: {settled}." if settled else ""


def _ruled_sides(hand_form: HandForm, ruling: Ruling, rules: Citations) -> Iterator[RuledSide]:
    """Yield each side with its score card and its row in the table of score changes."""
    was_set = sides_set_in(ruling.result)
    winners = () if ruling.undecided else ruling.state.winners
    for ruled in score_changes(ruling):
        change, after = ruled.after - ruled.before, score_text(ruled.after)
        yield RuledSide(
            card=ScoreCard(
                side=hand_form.sides[ruled.side],
                score=after,
                line=CardLine(sum_words(ruled.before, change), after, is_sum=True, is_set=ruled.side in was_set),
                won="win" if ruled.side in winners else "",
                is_in_hole=ruled.after < 0,
            ),
            score_change=ruled,
            change=change,
            sum_note=_sum_note(ruling.result, ruled),
            cited=rules.rules_by_id(chain.from_iterable(line.rules for line in ruled.lines)),
        )


def _bidding_role(result: HandResult, side: str) -> str:
    """Return the role of a side in the bidding: "bid 6", "called as partner", "did not bid"; empty without a bid."""
    if not result.bidders:
        return ""
    bidder, *partners = result.bidders
    if side == bidder:
        return f"bid {bid_word(result.bid)}"
    return "called as partner" if side in partners else "did not bid"


def _sum_note(result: HandResult, ruled: SideScoreChange) -> str:
    """Return a note on a side's points: "took 6, bid 6", or why they do not count.

    What the side's lines say is left out; empty if nothing is left.
    """
    if ruled.side not in result.points:
        return ""
    if any(line.is_set for line in ruled.lines):
        why_not_counted = not_counted_words(result)
        return f"does not count: {why_not_counted}" if why_not_counted else ""
    points = result.points[ruled.side]
    took = "" if not points or any(line.is_by_points for line in ruled.lines) else f"took {points}"
    return ", ".join(filter(None, (took, _bidding_role(result, ruled.side))))


def _open_questions(form: SettleForm, ruling: Ruling) -> Iterator[tuple[str, list[tuple[str, dict[str, str]]]]]:
    """Yield the text and the answers of each open question that decides the ruling.

    Each answer has its label, and the URL fields of the form with this answer in the rules.
    """
    ruleset = form.rules.ruleset
    for name in dict.fromkeys(name for alternative in ruling.undecided for name in alternative.answers):
        answers = dict.fromkeys(other.answers[name] for other in ruling.undecided if name in other.answers)
        answers_with_rules = ((answer, with_answer(form.rules, name, answer)) for answer in answers)
        yield (
            QUESTIONS[name].question_text(ruleset),
            [
                (QUESTIONS[name].label(answer, ruleset), form.fields_with_rules(rules.share_code))
                for answer, rules in answers_with_rules
                if rules
            ],
        )
