"""Who won: the page to enter one hand, with its result as it is typed, and the page of the ruling."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

from flask import Blueprint, Response, abort, request, url_for
from werkzeug.exceptions import UnprocessableEntity

from scorekeeper.database.engine import db
from scorekeeper.matches.match_list import matches_of_device
from scorekeeper.matches.notices import rules_words
from scorekeeper.pages.find_game.views import show_finder
from scorekeeper.pages.hand.entry import HandEntry
from scorekeeper.pages.hand.in_progress import fault_target
from scorekeeper.pages.hand.input import OTHERS_FIELD, PENALTY_FIELD, TIMES_FIELD
from scorekeeper.pages.hand.page import SaveBar, hidden_fields, running_count
from scorekeeper.pages.hand.page import question_fingerprint as hand_fingerprint
from scorekeeper.pages.hand.view import HandView, hand_view
from scorekeeper.pages.house_rules.form import rule_choices
from scorekeeper.pages.match.hands import MAX_BESIDE
from scorekeeper.pages.match.page import CardLine, ScoreCard
from scorekeeper.pages.new_match.views import player_count_question, seating_question
from scorekeeper.pages.settle.form import (
    ANSWER_PREFIX,
    CODE_FIELD,
    DEALER_FIELD,
    DECIDING,
    MAX_CARRIED_LENGTH,
    VARIANT_FIELD,
    BadAddress,
    Settled,
    SettleForm,
    empty_settle_form,
    entry_of,
    form_of_hand,
    read_form,
    rules_fields,
    rules_in_match,
    settle,
    with_answer,
)
from scorekeeper.pitch.compare.ruling import Ruling
from scorekeeper.pitch.compare.sentences import (
    SideRuling,
    bid_sentence,
    ending_words,
    money_words,
    other_rule_sentences,
    payments_words,
    reason_words,
    scores_in_line,
    side_rulings,
    undecided_lines,
    undecided_sentence,
)
from scorekeeper.pitch.rules.groups.winning import tie_rule_decides
from scorekeeper.pitch.rules.phrases import digits, sentence
from scorekeeper.pitch.rules.questions import QUESTIONS, disputed, possible_answers, to_agree
from scorekeeper.pitch.rules.share_codes import BadCode, fingerprint
from scorekeeper.pitch.scoring.hand_score import bid_rules
from scorekeeper.pitch.scoring.match import HandResult, sides_set
from scorekeeper.pitch.sheets.citations import Citations, Cited, CitedRule, citations
from scorekeeper.pitch.text.endings import final_score, goal_words, outcome_heading, verdict
from scorekeeper.pitch.text.hands import bid_words, made_or_set, not_counted_words
from scorekeeper.pitch.text.phrases import Names, bid_word, joined, score_text, spoken, sum_words
from scorekeeper.web.context import budget, device, for_watchers, load_match
from scorekeeper.web.errors import ErrorText, error_response
from scorekeeper.web.library import ResolvedRules
from scorekeeper.web.respond import redirect_to, render_page, replace_url, see_other
from scorekeeper.web.widgets import QuestionView

bp = Blueprint("settle", __name__)

MAX_USED = 12
"""The most matches that are searched for rules used on this phone."""
_SHOWN = 4

_UNREADABLE = ErrorText(
    "Can’t read this link",
    "Part of this link is missing or can’t be read.",
    "Ask for the link again, or type in the hand yourself under “Who won?”.",
)


_NOT_SETTLED = ErrorText(
    "Can’t settle this hand",
    "There is nothing to settle in this hand, or its rules fit into no link.",
    "Open “Who won?” on the home page, and type it in.",
)


_UNPLAYED = {"misdeal": "Misdeal", "ran_out": "The deck ran out", "all_passed": "All passed"}
"""Why a hand was not played, in words, by its reason in a match."""

LIVE, EVERYTHING = ("live", "bottom_bar", "told_line"), ("live", "bottom_bar", "hand_form", "before")
"""The blocks to update on an open page with the same questions, and on a page with other questions."""


@bp.get("/settle")
def show() -> Response:
    """Show the hand in the address, with its result; without rules in the address, redirect to rules used last."""
    if not (request.args.get(VARIANT_FIELD) or request.args.get(CODE_FIELD)):
        return _start()
    form = read_form(request.args, len(request.query_string))
    if request.args.get("shape", form.shape) != form.shape or request.args.get("way"):
        return see_other(address(form))
    if rest_to := request.args.get("rest"):
        return see_other(address(replace(form, hand=entry_of(form).hand.with_rest(rest_to))))
    settled = settle(form, budget())
    is_ruling_requested = request.args.get("show") == "ruling"
    if is_ruling_requested and settled.ruling:
        return _show_ruling(form, settled, settled.ruling)
    return replace_url(_show_form(form, settled, is_ruling_requested=is_ruling_requested), address(form))


@bp.get("/settle/share")
def share() -> Response:
    """Show the ruling as a text with a link, to be sent."""
    form = read_form(request.args, len(request.query_string))
    settled = settle(form, budget())
    if settled.ruling is None:
        return see_other(address(form))
    ruling, rules = settled.ruling, rules_words(settled.entry.hand.before)
    state, names = ruling.state, settled.entry.names
    sub = "" if len(state.scores) > MAX_BESIDE else final_score(state) or scores_in_line(state)
    lead = undecided_sentence(ruling) or f"{_heading(ruling, names)}{f', {sub}' if sub else ''}."
    text = "\n".join(filter(None, (rules, lead, _why(ruling, names))))
    return render_page("settle/share.html", rules=rules, fields=form.fields(), text=text)


@bp.get("/settle/rules")
def choose() -> Response:
    """Show the games to settle a hand by, last used first."""
    return show_finder(
        "settle",
        "settle/rules.html",
        about="",
        used=[
            (rules.ruleset.name, goal_words(rules.ruleset), rules_fields(rules))
            for rules in islice(used_rules(), _SHOWN)
        ],
    )


@bp.get("/matches/<code>/hands/<int:uid>/settle")
@for_watchers
def of_match(code: str, uid: int) -> Response:
    """Redirect to the address that settles a hand of a match."""
    match = load_match(code)
    form = form_of_hand(match, match.result(uid) or abort(404))
    return see_other(address(form)) if form else error_response(UnprocessableEntity(), _NOT_SETTLED, match_code=code)


def _start() -> Response:
    if request.args:
        raise BadAddress("This link does not say which rules it is about.")
    last_used = next(used_rules(), None)
    return see_other(address(empty_settle_form(last_used))) if last_used else redirect_to(".choose")


def address(form: SettleForm) -> str:
    """Return the address of a form."""
    return url_for("settle.show", **form.fields())


@bp.errorhandler(BadCode)
def refuse(bad: BadCode) -> Response:
    """Show why an address cannot be read."""
    return error_response(UnprocessableEntity(), replace(_UNREADABLE, problem=str(bad)))


# ---------- which rules ----------


def used_rules() -> Iterator[ResolvedRules]:
    """Yield the distinct rules of the matches on this phone, last used first."""
    seen = set()
    for listed in matches_of_device(db.session, device(), at_most=MAX_USED):
        rules = rules_in_match(listed.match.state.ruleset) if listed.match else None
        if rules and (key := (rules.ruleset.name, fingerprint(rules.ruleset))) not in seen:
            seen.add(key)
            yield rules


# ---------- the page on which a hand is typed in ----------


def question_fingerprint(form: SettleForm, entry: HandEntry) -> str:
    """Return a fingerprint of the page's questions and of the names on it."""
    rules, thrown_in = fingerprint(form.rules.ruleset), form.hand.thrown_in
    return spoken("|".join((hand_fingerprint(entry), form.shape, rules, thrown_in, *form.shown_names)))


def _show_form(form: SettleForm, settled: Settled, *, is_ruling_requested: bool) -> Response:
    """Show the form with the ruling so far; if the ruling was requested, with what is missing for it."""
    entry, ruling = settled.entry, settled.ruling
    heading, why = _live_words(settled, ruling) if ruling else ("", "")
    tables = tuple(filter(None, (player_count_question(form.table), seating_question(form.table))))
    save_bar = _save_bar(settled)
    is_whole = "asks" not in request.args or bool(request.args.get("show"))
    has_same_questions = request.args.get("asks") == question_fingerprint(form, entry)
    same = LIVE if entry.hand.has_same_game(request.args) else (*LIVE, "awards")
    return render_page(
        "settle/show.html",
        block=same if has_same_questions else EVERYTHING,
        status=422 if is_whole and save_bar.fault else 200,
        form=form,
        sides=tuple(entry.sides.values()),
        is_rows=len(entry.sides) > MAX_BESIDE,
        rules_line=f"{digits(entry.hand.ruleset.points_per_hand, 'point')} a hand, {goal_words(entry.hand.ruleset)}",
        hidden=tuple(_hidden(form, entry, {question.field for question in tables})),
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
        has_just_given=False,
        preview_url="",
        hand=entry.hand,
        entry=entry,
        view=_settled_view(form, settled),
    )


def _settled_view(form: SettleForm, settled: Settled) -> HandView:
    """Return the view of the hand, without what only a match has: a misdeal, a new deal, an expected dealer."""
    entry = settled.entry
    view = hand_view(entry, sheet_of(form), settled.faults)
    view = replace(
        view,
        may_misdeal=False,
        may_go_set=tuple(entry.sides.values()) if form.asks_went_set else (),
        after_passing="unbound" if view.after_passing == "unbound" else "",
        asks_dealer=False,
        asks_trump=not form.hand.by_counts,
    )
    if not form.hand.thrown_in:
        return view
    unplayed = _UNPLAYED.get(form.hand.thrown_in, f"{entry.name(form.hand.dealer)} went set instead of bidding")
    return replace(view, unplayed=unplayed, may_go_set=(), questions=(), rows=(), points=())


def sheet_of(form: SettleForm) -> str:
    """Return the address of the rule sheet."""
    rules = form.rules
    if rules.share_code:
        return url_for("rules.index", r=rules.share_code)
    return url_for("rules.show", ruleset_id=rules.base.id)


def _save_bar(settled: Settled) -> SaveBar:
    """Return the save bar: a fault, the missing input, or the result."""
    entry, ruling = settled.entry, settled.ruling
    for fault in settled.faults:
        target = fault_target(entry.hand, fault.field) or fault.field
        return SaveBar(label="Fix this first", target=target, fault=fault, count=running_count(entry))
    if settled.unfinished:
        return settled.unfinished
    count = None if entry.input.thrown_in else running_count(entry, ruling.result if ruling else None)
    return SaveBar(label=_button(ruling, entry) if ruling else "Who won?", count=count)


def _hidden(form: SettleForm, entry: HandEntry, shown_fields: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the hidden fields: all that the address has besides the questions on the page."""
    yield from ((name, text) for name, text in form.table_fields() if name not in shown_fields)
    yield "shape", form.shape
    yield "asks", question_fingerprint(form, entry)
    yield from form.kept_fields.items()
    if form.hand.thrown_in:
        # The input is kept, in case "not played" is taken back.
        on_page = (PENALTY_FIELD, OTHERS_FIELD, "forfeits", TIMES_FIELD, *((DEALER_FIELD,) if form.asks_dealer else ()))
        yield from ((name, text) for name, text in form.hand.fields() if not name.startswith(on_page))
        return
    yield from hidden_fields(entry)
    if form.hand.by_counts:
        yield "trump", form.hand.trump


def _deciding_questions(form: SettleForm) -> Iterator[QuestionView]:
    """Yield the questions of who may win, and of who wins a tie if the rules allow one, as in a new match."""
    ruleset = form.rules.ruleset
    asked = {question.option for question in (*to_agree(ruleset), *disputed(ruleset))}
    if not tie_rule_decides(ruleset, len(form.side_ids)):
        asked.discard("tie_rule")
    for option in DECIDING:
        question, words = QUESTIONS[option], possible_answers(ruleset, option)
        if option in asked and len(words) > 1:
            choices = rule_choices(question, words, ruleset, form.rules.base)
            yield QuestionView(field=f"{ANSWER_PREFIX}{option}", question=question.title(ruleset), choices=choices)


def _live_words(settled: Settled, ruling: Ruling) -> tuple[str, str]:
    """Return the result, "We win, 43 to 44.", and the reason."""
    names = settled.entry.names
    if ruling.undecided:
        return "", joined(settled.nobody_took, undecided_sentence(ruling))
    why = reason_words(ruling.state, names)
    if ruling.result.set_taken_by:
        why = joined(bid_sentence(ruling, names), why)
    return f"{ending_words(ruling.state, names)}.", joined(settled.nobody_took, why)


def _button(ruling: Ruling, entry: HandEntry) -> str:
    if ruling.undecided:
        return "Show both answers" if len(ruling.undecided) == 2 else "Show every answer"
    if ruling.state.outcome:
        return f"Show why {outcome_heading(ruling.state, entry.names, stopped=False)}"
    return "Show why nobody has won yet" if ruling.state.goes_on else "Show what decides"


# ---------- the page of a ruling ----------


def deciding_rules(ruling: Ruling, rules: Citations) -> Cited:
    """Return the deciding rules: of the win or of the set bid, else of how the match ends."""
    state, result = ruling.state, ruling.result
    found: Cited = ()
    if result.set_taken_by:
        found = rules.rule("bid.all_pass")
    elif result.made is False:
        found = rules.lookup(bid_rules(result.bid, made=False))
    if state.outcome:
        found += rules.decided(state)
    elif state.question or state.standing.at_target:
        found += rules.goes_on(state)
    elif not found:
        found = rules.ends()[:1]
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True, kw_only=True)
class RuledSide:
    """A side after the hand: its score card, and its line in the table of sums."""

    card: ScoreCard
    ruled: SideRuling
    change: int
    took: str
    """"took 6, bid 6"."""
    cited: tuple[CitedRule, ...]


def _show_ruling(form: SettleForm, settled: Settled, ruling: Ruling) -> Response:
    """Show the winner, the reason and the rule; once opened, also the sums and other rules."""
    entry, result = settled.entry, ruling.result
    names = entry.names
    rules, is_open = citations(form.rules.ruleset, form.rules.base), request.args.get("more") == "yes"
    also = verdict(ruling.state, names).also if ruling.state.outcome and not ruling.undecided else ""
    cited, sides = deciding_rules(ruling, rules), tuple(_ruled_sides(entry, ruling, rules))
    relied_on = dict.fromkeys(chain(rules.deciding(result), *(side.cited for side in sides)))
    return render_page(
        "settle/ruling.html",
        form=form,
        sheet=sheet_of(form),
        fields=form.fields(),
        heading="It depends" if ruling.undecided else _heading(ruling, names),
        is_open=is_open,
        also=also,
        undecided=undecided_sentence(ruling),
        outcomes=undecided_lines(ruling, names),
        is_won=ruling.state.outcome is not None and not ruling.undecided,
        sides=sides,
        open_rules=tuple(_open_rules(form, ruling)),
        why=_why(ruling, names),
        cited=cited,
        deciding_rules=[rule for rule in relied_on if rule not in cited],
        outcome=made_or_set(result),
        bid=bid_words(result, names) if result.bidder or result.set_taken_by else "",
        nobody_took=settled.nobody_took,
        money=_money(ruling, names),
        other_rules=other_rule_sentences(ruling.match, names, budget()) if is_open else (),
        before=entry.hand.before,
        ruling=ruling,
    )


def _heading(ruling: Ruling, names: Names) -> str:
    return "Nobody yet" if ruling.state.goes_on else outcome_heading(ruling.state, names, stopped=False)


def _why(ruling: Ruling, names: Names) -> str:
    """Return the bid or rule by which a side has won, or else the result of the bid and what is still needed."""
    bid = bid_sentence(ruling, names)
    if ruling.undecided:
        return bid
    if ruling.state.outcome:
        won = verdict(ruling.state, names).sentence
        return joined(bid, won) if ruling.result.set_taken_by else won
    return joined(bid, reason_words(ruling.state, names))


def _money(ruling: Ruling, names: Names) -> str:
    """Return the payments in words: for this hand alone, as earlier payments are not known here."""
    ruleset = ruling.result.ruleset
    if paid := payments_words(ruling.result.payments, names):
        return sentence(f"for this hand {paid}.")
    if ruleset.moon.moon == "money" or ruleset.money.settles == "hand":
        settled = payments_words(ruling.state.money or {}, names)
        return f"Settled now, by points alone: {settled}." if settled else ""
    return money_words(ruling, names)


def _ruled_sides(entry: HandEntry, ruling: Ruling, rules: Citations) -> Iterator[RuledSide]:
    was_set = sides_set(ruling.result)
    winners = () if ruling.undecided else ruling.state.winners
    for ruled in side_rulings(ruling):
        change, after = ruled.after - ruled.before, score_text(ruled.after)
        yield RuledSide(
            card=ScoreCard(
                side=entry.sides[ruled.side],
                score=after,
                line=CardLine(sum_words(ruled.before, change), after, is_sum=True, is_set=ruled.side in was_set),
                won="win" if ruled.side in winners else "",
                is_in_hole=ruled.after < 0,
            ),
            ruled=ruled,
            change=change,
            took=_sum_note(ruling.result, ruled),
            cited=rules.lookup(chain.from_iterable(line.rules for line in ruled.lines)),
        )


def _role(result: HandResult, side: str) -> str:
    """Return the part of a side in the bidding, in words for the table of sums."""
    if not result.bidders:
        return ""
    bidder, *partners = result.bidders
    if side == bidder:
        return f"bid {bid_word(result.bid)}"
    return "called as partner" if side in partners else "did not bid"


def _sum_note(result: HandResult, ruled: SideRuling) -> str:
    """Return what a side took and bid, unless its line says so."""
    if ruled.side not in result.points:
        return ""
    if any(line.is_set for line in ruled.lines):
        in_vain = not_counted_words(result)
        return f"does not count: {in_vain}" if in_vain else ""
    points = result.points[ruled.side]
    took = "" if not points or any(line.is_count for line in ruled.lines) else f"took {points}"
    return ", ".join(filter(None, (took, _role(result, ruled.side))))


def _open_rules(form: SettleForm, ruling: Ruling) -> Iterator[tuple[str, list[tuple[str, dict[str, str]]]]]:
    """Yield each open question that decides here: its text, and its answers with the address of the hand under each."""
    ruleset = form.rules.ruleset
    for name in dict.fromkeys(name for alternative in ruling.undecided for name in alternative.house):
        answers = dict.fromkeys(other.house[name] for other in ruling.undecided if name in other.house)
        agreed = ((answer, with_answer(form.rules, name, answer)) for answer in answers)
        yield (
            QUESTIONS[name].ask(ruleset),
            [
                (QUESTIONS[name].label(answer, ruleset), form.with_rules(rules.share_code))
                for answer, rules in agreed
                if rules
            ],
        )
