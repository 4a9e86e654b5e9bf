"""Who won: the page on which one hand is typed in, with the ruling as it is typed, and the page of the ruling."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from flask import Blueprint, Response, abort, request, url_for
from werkzeug.exceptions import UnprocessableEntity

from scorekeeper.database.engine import db
from scorekeeper.matches.fold import Match
from scorekeeper.matches.match_list import matches_of_device
from scorekeeper.pages.find_game.views import show_finder
from scorekeeper.pages.hand.form import (
    COUNT_FIELD,
    GIVEN_FIELD,
    OTHERS_FIELD,
    PASSED_FIELD,
    PENALTY_FIELD,
    TIMES_FIELD,
    Entry,
)
from scorekeeper.pages.hand.page import (
    asked_fields,
    awards_layout,
    bid_view,
    dealer_question,
    fault_target,
    points_questions,
    questions,
    running_count,
)
from scorekeeper.pages.house_rules.form import rule_choices
from scorekeeper.pages.match.hands import MOST_BESIDE, rules_of_line
from scorekeeper.pages.new_match.form import ALONE, PARTNERS
from scorekeeper.pages.settle.form import (
    ANSWER_PREFIX,
    ASKS_FIELD,
    BEFORE,
    CODE_FIELD,
    DEALER_FIELD,
    EDITION_FIELD,
    LEVEL_FIELD,
    MAX_CARRIED_LENGTH,
    MOST_PLAYERS,
    REST_FIELD,
    RULING,
    SCORED_FIELD,
    SEATING_FIELD,
    SEATS_FIELD,
    SHAPE_FIELD,
    SHOW_FIELD,
    THROWN_IN_FIELD,
    VARIANT_FIELD,
    WAY_FIELD,
    WENT_SET_FIELD,
    BadAddress,
    Settled,
    SettleForm,
    deciding_rules,
    empty_counts,
    empty_settle_form,
    entry_of,
    form_of_hand,
    read_form,
    rules_field,
    rules_in_match,
    says_rules,
    settle,
    with_answer,
    with_implied_zeros,
)
from scorekeeper.pitch.compare.alternatives import Ruling
from scorekeeper.pitch.compare.sentences import (
    SideRuling,
    bid_sentence,
    ending_words,
    money_words,
    payments_words,
    reason_words,
    side_rulings,
    undecided_sentence,
)
from scorekeeper.pitch.drawings.markers import SideView
from scorekeeper.pitch.rules.codes import fingerprint
from scorekeeper.pitch.rules.phrases import digits, sentence
from scorekeeper.pitch.rules.questions import QUESTIONS, possible_answers, word_of
from scorekeeper.pitch.scoring.auction import Contract, is_unbound
from scorekeeper.pitch.scoring.match import HandResult, sides_set
from scorekeeper.pitch.sheets.citations import Citations, CitedRule, citations
from scorekeeper.pitch.text.endings import final_score, goal_words, outcome_heading
from scorekeeper.pitch.text.hands import bid_words, made_or_set, not_counted_words
from scorekeeper.pitch.text.phrases import Names, bid_word, joined, score_text, spoken
from scorekeeper.web.context import budget, device, for_watchers, load_match
from scorekeeper.web.errors import ErrorText, error_response
from scorekeeper.web.match_views import rules_words
from scorekeeper.web.named_rules import NamedRules
from scorekeeper.web.respond import redirect_to, render_page, replace_address, see_other
from scorekeeper.web.widgets import FaultView, QuestionView, labeled_question

bp = Blueprint("settle", __name__)

MOST_USED = 12
"""Matches that are looked at for their rules."""
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


_BROUGHT_ALONG = (GIVEN_FIELD, "forfeits")
"""How the fields of a hand begin that no question here asks."""

LIVE, EVERYTHING = ("live", "note", "bottom_bar"), ("live", "bottom_bar", "hand_form", "before", "seldom")
"""What an open page is sent of it, where it has the same questions and where it has others."""


@bp.get("/settle")
def show() -> Response:
    """Show the hand of the address, with what comes of it; without rules those that this phone used last."""
    if not says_rules(request.args):
        return _start()
    form = read_form(request.args, len(request.query_string))
    if request.args.get(SHAPE_FIELD, form.shape) != form.shape or request.args.get(WAY_FIELD):
        return see_other(address(form))
    if rest_to := request.args.get(REST_FIELD):
        return see_other(address(replace(form, hand=entry_of(form).with_rest(rest_to).form)))
    faults = form.faults()
    # Where something is wrong with a number before the hand, it is settled without any of them.
    settled = settle(replace(form, before=BEFORE.read({}, len(form.side_ids))) if faults else form, budget())
    if _is_ruling_asked() and settled.ruling and not faults:
        return _show_ruling(form, settled, settled.ruling)
    return replace_address(_show_form(form, settled, faults), address(form))


def _is_ruling_asked() -> bool:
    return request.args.get(SHOW_FIELD) == RULING


@bp.get("/settle/share")
def share() -> Response:
    """Show the ruling as a text with its link, to be sent."""
    form = read_form(request.args, len(request.query_string))
    settled = None if form.faults() else settle(form, budget())
    if settled is None or settled.ruling is None:
        return see_other(address(form))
    ruling, rules = settled.ruling, rules_words(settled.entry.before)
    sub, names = _scores(ruling), settled.entry.names
    lead = undecided_sentence(ruling) or f"{_heading(ruling, names)}{f', {sub}' if sub else ''}."
    text = "\n".join(filter(None, (rules, lead, _why(ruling, names))))
    return render_page("settle/share.html", rules=rules, fields=form.fields(), text=text)


@bp.get("/settle/rules")
def choose() -> Response:
    """Show the games to settle a hand by, those last used first."""
    return show_finder(
        "settle",
        "settle/rules.html",
        about="",
        used=[(rules, dict([rules_field(rules)])) for rules in used_rules(_matches())],
    )


@bp.get("/matches/<code>/hands/<int:uid>/settle")
@for_watchers
def of_match(code: str, uid: int) -> Response:
    """Lead to the address that settles a hand of a match, filled in."""
    result = load_match(code).result(uid)
    if result is None:
        abort(404)
    form = form_of_hand(load_match(code), result)
    return see_other(address(form)) if form else error_response(UnprocessableEntity(), _NOT_SETTLED, match_code=code)


def _start() -> Response:
    if request.args:
        raise BadAddress("This link does not say which rules it is about.")
    for match in _matches():
        if rules := rules_in_match(match.state.ruleset):
            return see_other(address(empty_settle_form(rules)))
    return redirect_to(".choose")


def _matches() -> list[Match]:
    listed = matches_of_device(db.session, device(), at_most=MOST_USED)
    return [item.match for item in listed if item.match]


def address(form: SettleForm) -> str:
    """Return the address of a hand."""
    return url_for("settle.show", **form.fields())


@bp.errorhandler(BadAddress)
def refuse(bad: BadAddress) -> Response:
    """Show why an address cannot be read."""
    return error_response(UnprocessableEntity(), replace(_UNREADABLE, problem=str(bad)))


# ---------- which rules ----------


def used_rules(matches: Iterable[Match]) -> tuple[NamedRules, ...]:
    """Return the rules of matches, the last ones first, each once."""
    found: dict[str, NamedRules] = {}
    for match in matches:
        ruleset = match.state.ruleset
        rules, key = rules_in_match(ruleset), f"{ruleset.name} {fingerprint(ruleset)}"
        if rules and key not in found and len(found) < _SHOWN:
            found[key] = rules
    return tuple(found.values())


# ---------- the page on which a hand is typed in ----------


def question_fingerprint(form: SettleForm, entry: Entry) -> str:
    """Return what decides which questions the page has, and how it calls everybody."""
    went_set = "set" if form.went_set else ""
    rules, thrown_in = fingerprint(form.rules.ruleset), entry.form[THROWN_IN_FIELD]
    zeros = " ".join(_implied_fields(entry))
    said = (entry.question_fingerprint, form.shape, rules, went_set, thrown_in, zeros)
    return spoken("|".join((*said, *form.shown_names)))


def _show_form(form: SettleForm, settled: Settled, faults: Mapping[str, str]) -> Response:
    """Show the hand as it was typed, with the ruling so far; where the ruling is asked for, it says what is missing."""
    entry, ruling = settled.entry, None if faults else settled.ruling
    to_fix = tuple(_to_fix(form, settled, faults))
    missing, leads = _missing(form, settled, faults)
    heading, why = _live_words(ruling, entry.names) if ruling else ("", "")
    tables = tuple(_table_questions(form))
    has_same_questions = request.args.get(ASKS_FIELD) == question_fingerprint(form, entry)
    is_whole = ASKS_FIELD not in request.args or bool(request.args.get(SHOW_FIELD))
    return render_page(
        "settle/show.html",
        block=LIVE if has_same_questions else EVERYTHING,
        status=422 if is_whole and to_fix else 200,
        form=form,
        entry=entry,
        sides=tuple(entry.sides.values()),
        is_rows=len(entry.sides) > MOST_BESIDE,
        rules_line=f"{digits(entry.ruleset.points_per_hand, 'point')} a hand, {goal_words(entry.ruleset)}",
        hidden=tuple(_hidden(form, entry, {question.field for question in tables})),
        tables=tables,
        decides=tuple(_deciding_questions(form)),
        dealer=_dealer_question(form, entry),
        thrown_in=_thrown_in_question(entry),
        is_played=not (form.went_set or entry.form[THROWN_IN_FIELD]),
        went_set=_went_set_question(form, entry),
        passed=_passed_question(entry),
        bid=bid_view(entry),
        questions=questions(entry),
        points=points_questions(entry) if entry.form.by_counts else [],
        awards_layout="" if entry.form.by_counts else awards_layout(entry),
        took_question=_took_question(form, entry),
        took_note=_took_note(settled),
        faults=faults,
        carried_length=MAX_CARRIED_LENGTH,
        seldom=_seldom_words(form, entry),
        to_fix=to_fix,
        count=None if to_fix else running_count(entry, ruling.result if ruling else None),
        heading=heading,
        why=why,
        missing=missing,
        needs=missing if _is_ruling_asked() and not (to_fix or ruling) else "",
        leads=leads,
        button=_button(settled.ruling, entry) if settled.ruling else "",
    )


def _missing(form: SettleForm, settled: Settled, faults: Mapping[str, str]) -> tuple[str, str]:
    if faults:
        field = next(iter(faults))
        return ("Fix the score first" if field.startswith(form.before.score_prefix) else "Fix this first"), field
    if settled.entry.faults:
        by_counts = form.hand.by_counts and settled.entry.faults[0].field.partition(".")[0] == "points"
        target = "taken" if by_counts else fault_target(settled.entry, settled.entry.faults[0].field)
        return ("Fix the counts first" if by_counts else "Fix this first"), target
    return settled.missing or ("", "")


def _hidden(form: SettleForm, entry: Entry, asked: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield what the address keeps beside what the page asks."""
    yield from ((name, text) for name, text in form.table_fields() if name not in asked)
    yield "fp", form.edition
    yield SHAPE_FIELD, form.shape
    yield ASKS_FIELD, question_fingerprint(form, entry)
    yield "by", entry.form.mode
    yield SCORED_FIELD, "yes" if form.is_as_scored else ""
    yield LEVEL_FIELD, "" if form.level is None else str(form.level)
    if form.went_set or entry.form[THROWN_IN_FIELD]:
        # Nothing was played; what was entered before that was said is there again when it is taken back.
        on_page = (PENALTY_FIELD, OTHERS_FIELD, DEALER_FIELD, THROWN_IN_FIELD, TIMES_FIELD)
        yield from ((name, text) for name, text in form.hand.answers.items() if not name.startswith(on_page))
        return
    # What only a hand of a match brings along.
    yield from ((name, text) for name, text in form.hand.answers.items() if name.startswith(_BROUGHT_ALONG))
    # Half of a pair is on no square of the board.
    if entry.asks_pair and not (entry.form["bidder"] and entry.form["partner"]):
        yield from ((name, entry.form[name]) for name in ("bidder", "partner") if entry.form[name])
    if entry.form.by_counts:
        yield "trump", entry.form["trump"]
    yield from entry.form.unasked_fields(asked_fields(entry), is_before_play=False)


def _table_questions(form: SettleForm) -> Iterator[QuestionView]:
    counts = [count for count in form.rules.ruleset.table.player_counts if count <= MOST_PLAYERS]
    if len(counts) > 1:
        answers = {str(it): str(it) for it in counts}
        yield labeled_question(SEATS_FIELD, "How many play?", answers, str(form.seats))
    if form.table.has_choice_of_seating:
        ways = {PARTNERS: "partners", ALONE: "each alone"}
        yield labeled_question(SEATING_FIELD, "Who plays with whom?", ways, form.table.seating)


def _deciding_questions(form: SettleForm) -> Iterator[QuestionView]:
    """Yield what decides who wins, as Start asks it."""
    rules = form.rules
    for question in form.deciding_questions:
        now, standard = question.answer(rules.ruleset), question.answer(rules.base)
        choices = rule_choices(
            question,
            possible_answers(rules.ruleset, question.option),
            rules.ruleset,
            "" if now is None else word_of(now),
            "" if standard is None else word_of(standard),
        )
        title = question.title(rules.ruleset)
        yield QuestionView(field=f"{ANSWER_PREFIX}{question.option}", question=title, choices=choices)


def _dealer_question(form: SettleForm, entry: Entry) -> QuestionView | None:
    return dealer_question(entry) if form.asks_dealer and not form.went_set else None


def _thrown_in_question(entry: Entry) -> QuestionView | None:
    """Return what became of a deal that was thrown in, to be taken back; only a hand of a match is one."""
    reasons = {"misdeal": "misdeal", "ran_out": "the deck ran out", "all_passed": "all passed"}
    reason = entry.form[THROWN_IN_FIELD]
    if reason not in reasons:
        return None
    answers = {reason: reasons[reason], "": "played"}
    return labeled_question(THROWN_IN_FIELD, "What became of the deal?", answers, reason)


def _seldom_words(form: SettleForm, entry: Entry) -> str:
    """Return what is behind the row of what few hands have: "Led card outbid, penalty"."""
    asked = (
        "led card outbid" if entry.asks_overtook and not form.went_set else "",
        "penalty",
        "turned up more than once" if entry.asks_times else "",
    )
    return sentence(", ".join(filter(None, asked)))


def _implied_fields(entry: Entry) -> tuple[str, ...]:
    """Return the fields of those who took nothing, as the others took every point."""
    left = empty_counts(with_implied_zeros(entry))
    return tuple(f"{COUNT_FIELD}{view.side_id}" for view in empty_counts(entry) if view not in left)


def _went_set_question(form: SettleForm, entry: Entry) -> QuestionView | None:
    if not form.asks_went_set:
        return None
    answers = {"": "no", **{side: view.name for side, view in entry.sides.items()}}
    asked = labeled_question(WENT_SET_FIELD, "Dealer went set instead of bidding?", answers, form.went_set)
    return replace(asked, cited=entry.citations.rule("bid.all_pass"))


def _passed_question(entry: Entry) -> QuestionView | None:
    if not is_unbound(entry.ruleset, Contract()) or not entry.ruleset.bidding.auction:
        return None
    answers, passed = {"no": "no", "yes": "yes, nobody bid"}, "yes" if entry.is_unbound else "no"
    asked = labeled_question(PASSED_FIELD, "Did everyone pass?", answers, passed)
    return replace(asked, cited=entry.citations.rule("bid.all_pass"))


def _took_question(form: SettleForm, entry: Entry) -> str:
    if entry.form.by_counts and len(entry.counted_sides) == 1:
        return f"How many did {entry.counted_sides[0].name} take?"
    return f"What did each {'side' if form.table.side_count or entry.has_roles else 'player'} take?"


def _took_note(settled: Settled) -> str:
    entry, left = settled.entry, settled.nobody_took
    in_hand = entry.ruleset.points_per_hand
    if not entry.form.by_counts:
        return f"{entry.points_left} left" if entry.points_left else f"all {in_hand} counted"
    if settled.entry.faults or len(entry.counted_sides) < 2 or not entry.form.counts:
        return f"{in_hand} in a hand"
    if empty_counts(with_implied_zeros(entry)):
        return f"{entry.points_left} left" if entry.points_left else f"{in_hand} in a hand"
    return f"{digits(left, 'point')} nobody took" if left else f"all {in_hand} counted"


def _to_fix(form: SettleForm, settled: Settled, faults: Mapping[str, str]) -> Iterator[FaultView]:
    """Yield what is wrong with the names and numbers, then with the hand, each with the place where it is fixed."""
    yield from (FaultView(text=text, target=field) for field, text in faults.items())
    target = _missing(form, settled, {})[1]
    for fault in settled.entry.faults:
        yield FaultView(text=fault.message, target=target, cited=settled.entry.citations.fault(fault))


def _live_words(ruling: Ruling, names: Names) -> tuple[str, str]:
    """Return what comes of the hand, "We win, 43 to 44.", and why."""
    if ruling.undecided:
        return "", undecided_sentence(ruling)
    why = reason_words(ruling.state, names)
    if ruling.result.set_taken_by:
        why = joined(bid_sentence(ruling, names), why)
    return f"{ending_words(ruling.state, names)}.", why


def _button(ruling: Ruling, entry: Entry) -> str:
    if ruling.undecided:
        return "Show both answers" if len(ruling.undecided) == 2 else "Show every answer"
    if ruling.state.outcome:
        return f"Show why {outcome_heading(ruling.state, entry.names, stopped=False)}"
    return "Show why nobody has won yet" if ruling.state.goes_on else "Show what decides"


# ---------- the page of a ruling ----------


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledSide:
    """A side after the hand: its card, and its line in the table of what each scored."""

    side: SideView
    ruled: SideRuling
    change: int
    note: str
    """"bid made", "set", "no bid"."""
    is_set: bool
    is_winner: bool
    took: str
    """"took 6, bid 6"."""
    cited: tuple[CitedRule, ...]


def _show_ruling(form: SettleForm, settled: Settled, ruling: Ruling) -> Response:
    """Show who has won, why, the rule, the sums, and the other readings."""
    entry, result = settled.entry, ruling.result
    names, left = entry.names, settled.nobody_took
    rules = citations(form.rules.ruleset, form.rules.base)
    cited, sides = deciding_rules(ruling, rules), tuple(_ruled_sides(entry, ruling, rules))
    told = dict.fromkeys(chain(rules.turned_on(result), *(it.cited for it in sides)))
    return render_page(
        "settle/ruling.html",
        form=form,
        fields=form.fields(),
        heading="It depends" if ruling.undecided else _heading(ruling, names),
        sub=_scores(ruling),
        is_won=ruling.state.outcome is not None and not ruling.undecided,
        sides=sides,
        is_rows=len(entry.sides) > MOST_BESIDE,
        open_rules=tuple(_open_rules(form, ruling)),
        why=_why(ruling, names),
        cited=cited,
        turned_on=[rule for rule in told if rule not in cited],
        bid=bid_words(result, names) if result.bidder or result.set_taken_by else "",
        nobody_took=f"{digits(left, 'point')} nobody took." if left else "",
        money=_money(ruling, names),
        entry=entry,
        ruling=ruling,
    )


def _heading(ruling: Ruling, names: Names) -> str:
    return "Nobody yet" if ruling.state.goes_on else outcome_heading(ruling.state, names, stopped=False)


def _why(ruling: Ruling, names: Names) -> str:
    """Return what came of the bid, and who has won by it; a made bid that wins is in the reason already."""
    bid, reason = bid_sentence(ruling, names), reason_words(ruling.state, names)
    if ruling.undecided:
        return bid
    was_set = made_or_set(ruling.result) == "set" or ruling.result.set_taken_by
    return reason if ruling.state.outcome and not was_set else joined(bid, reason)


def _scores(ruling: Ruling) -> str:
    """Return the scores in a line, as far as anybody can follow one."""
    state = ruling.state
    if len(state.scores) > MOST_BESIDE:
        return ""
    return final_score(state) or " to ".join(map(score_text, state.scores.values()))


def _money(ruling: Ruling, names: Names) -> str:
    """Return who pays what; what was paid before the hand is not known here, so nothing is settled with it."""
    score, ruleset = ruling.result.score, ruling.result.ruleset
    if score and any((score.payments or {}).values()):
        return sentence(f"for this hand {payments_words(score.payments or {}, names)}.")
    if ruleset.moon.moon == "money" or ruleset.money.settles == "hand":
        settled = payments_words(ruling.state.money or {}, names)
        return f"Settled now, by points alone: {settled}." if settled else ""
    return money_words(ruling, names)


def _ruled_sides(entry: Entry, ruling: Ruling, rules: Citations) -> Iterator[RuledSide]:
    result, was_set = ruling.result, sides_set(ruling.result)
    winners = ruling.state.outcome.winners if ruling.state.outcome and not ruling.undecided else ()
    for ruled in side_rulings(ruling):
        note, role = _role(result, ruled.side)
        yield RuledSide(
            side=entry.sides[ruled.side],
            ruled=ruled,
            change=ruled.after - ruled.before,
            note=note,
            is_set=ruled.side in was_set,
            is_winner=ruled.side in winners,
            took=_sum_note(result, ruled, role),
            cited=tuple(dict.fromkeys(it for line in ruled.lines for it in rules_of_line(rules, result, line))),
        )


def _role(result: HandResult, side: str) -> tuple[str, str]:
    """Return what a side was in the bidding, as its card says it and as the table of sums does."""
    if result.hand_sides is None or not result.hand_sides.has_bidders:
        return "", ""
    bidder, *partners = result.hand_sides.bidders
    if side == bidder:
        return "set" if made_or_set(result) == "set" else "bid made", f"bid {bid_word(result.bid)}"
    return ("called", "called as partner") if side in partners else ("no bid", "did not bid")


def _sum_note(result: HandResult, ruled: SideRuling, role: str) -> str:
    """Return what a side took and bid, where its line does not say so."""
    score = result.score
    if score is None or ruled.side not in score.points:
        return ""
    if any(line.is_set for line in ruled.lines):
        in_vain = not_counted_words(result)
        return f"does not count: {in_vain}" if in_vain else ""
    points = score.points[ruled.side]
    took = "" if not points or any(line.is_count for line in ruled.lines) else f"took {points}"
    return ", ".join(filter(None, (took, role)))


def _open_rules(form: SettleForm, ruling: Ruling) -> Iterator[tuple[str, list[tuple[str, dict[str, str]]]]]:
    """Yield each question that is not agreed, with its answers and the address of the hand under each of them."""
    answers: dict[str, dict[object, NamedRules]] = {}
    for reading in ruling.undecided:
        for name, answer in reading.house.items():
            rules = with_answer(form.rules, name, answer)
            if rules is not None:
                answers.setdefault(name, {})[answer] = rules
    ruleset = form.rules.ruleset
    named = (CODE_FIELD, VARIANT_FIELD, EDITION_FIELD)
    kept = [(name, text) for name, text in form.fields().items() if name not in named]
    for name, found in answers.items():
        question = QUESTIONS[name]
        addresses = [(question.label(answer, ruleset), dict((rules_field(it), *kept))) for answer, it in found.items()]
        yield question.ask(ruleset), addresses
