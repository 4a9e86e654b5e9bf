"""The pages that start a match, in two steps: choose the game, then enter the players and the house rules."""

import json
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from typing import Any

from flask import Blueprint, Response, request, session, url_for

from scorekeeper import hooks
from scorekeeper.access.roles import UnknownCode
from scorekeeper.book.book_list import names_in_book
from scorekeeper.book.book_matches import NO_BOOK, put_started_match, usable_books
from scorekeeper.book.books import BookAccess
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import Refused
from scorekeeper.matches.match_list import (
    MAX_SUGGESTED_NAMES,
    is_evening_over,
    names_of_device,
    record_visit,
    setups_by_game,
)
from scorekeeper.matches.service import load_setup_and_events
from scorekeeper.matches.start import start_match
from scorekeeper.pages.book.views import book_question
from scorekeeper.pages.find_game.finder import (
    Seating,
    asks_seating,
    missing_game_words,
    most_similar_rulesets,
    seatings,
)
from scorekeeper.pages.find_game.views import published_games, show_finder
from scorekeeper.pages.house_rules.form import rule_choices
from scorekeeper.pages.new_match.form import (
    ALONE,
    ANSWER_PREFIX,
    BOOK_FIELD,
    CHAIRS_FIELD,
    CODE_FIELD,
    CUT_FOR_DEAL,
    DAY_FIELD,
    DEALER_FIELD,
    DEALER_PICKS,
    EMPTY_PAPER_SCORES,
    FIRST_OPTIONS,
    LOSER_DEALS,
    NEXT_IN_TURN,
    NOTE_FIELD,
    OTHER_PREFIX,
    PARTNERS,
    SEAT_PREFIX,
    SEATING_FIELD,
    SEATS_FIELD,
    SIDE_PREFIX,
    TITLE_FIELD,
    VENUE_FIELD,
    NewMatchForm,
    NewMatchRules,
    form_of_match,
    new_match_rules,
    requested_rules,
)
from scorekeeper.pitch.drawings.markers import SideView, mark_sides
from scorekeeper.pitch.records.record import NamedRules, Record
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.house_rules import add_answers, derive_house_rules, with_house, without_moot_answers
from scorekeeper.pitch.rules.options import LOW
from scorekeeper.pitch.rules.phrases import capitalize, digits, player_counts_text
from scorekeeper.pitch.rules.questions import (
    QUESTIONS,
    Question,
    RuleKey,
    answer_word,
    disputed_questions,
    parse_word,
    possible_answers,
    unanswered_questions,
    usual_numbers,
)
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.rules.share_codes import BadCode, encode, encode_without_long_notes
from scorekeeper.pitch.scoring.seats import NAME_SEPARATOR, Seats, Side, unique_names
from scorekeeper.pitch.text.endings import goal_words
from scorekeeper.pitch.text.phrases import IDS_AS_NAMES
from scorekeeper.pitch.text.rule_changes import changed_rule_sentences, house_answers_as_rules, implied_rule_sentences
from scorekeeper.web.context import device, load_head, load_match, posted_key, writer
from scorekeeper.web.errors import ErrorText, error_response
from scorekeeper.web.library import OPENED_FROM_PARAMETER, library
from scorekeeper.web.limits import count_match
from scorekeeper.web.respond import redirect_to, render_page, see_other
from scorekeeper.web.widgets import (
    OtherNumber,
    QuestionView,
    distinct_faults,
    faults_view,
    labeled_question,
)

bp = Blueprint("new", __name__, url_prefix="/new")
_REMARK_FIELDS = (TITLE_FIELD, DAY_FIELD, VENUE_FIELD, NOTE_FIELD)
VARIANT_FIELD = "variant"
"""The name of the buttons that change to a similar game with another seating."""
FIRST_GAME_FIELD, FIRST_GAME_CODE_FIELD = "was", "was-r"
"""The URL parameters of the game and share code chosen first, before `VARIANT_FIELD` led to another game."""
_GONE_GAME = ErrorText(
    "Can’t play this again",
    "This version of Scorekeeper no longer has this game.",
    "On the home page, tap “New match” and choose another one.",
)
"""The text of the page for a rematch at a game that the library lacks."""


@bp.get("")
def choose() -> Response:
    """Show the games to choose from, and those that fit the search in the URL.

    Without parameters, forget this phone's draft, unless its players are choosing another game.
    """
    if not request.args and not _stored_draft().get("moves"):
        forget_draft()
    return show_finder("play")


@bp.get("/<ruleset_id>")
def table(ruleset_id: str) -> Response:
    """Show the form of a new match, filled in from the URL and from this phone's draft.

    A draft for these rules goes before the URL. A draft for another game fills in only what the URL does not have.
    """
    rules = requested_rules(ruleset_id)
    args = {name: text for name, text in request.args.items() if not name.startswith(ANSWER_PREFIX)}
    fields = {**game_independent_fields_of_draft(), **args, **read_draft(rules)}
    return _show_form(rules, rules.read_form(fields))


@bp.post("/<ruleset_id>")
def start(ruleset_id: str) -> Response:
    """Start the match and redirect to it, or show why it was not started.

    A started match is put on this phone's list and into the chosen book. Other buttons change seats, dealer or game, or
    show the rules.
    """
    rules = requested_rules(ruleset_id)
    form = rules.read_form(request.form)
    if (game_id := request.form.get(VARIANT_FIELD, "")) and game_id != rules.ruleset.id:
        store_draft(rules, is_changing_game=True)
        return see_other(_url_of_other_game(rules, game_id, len(form.names)))
    if (action := request.form.get("do", "")) in ("change", "read"):
        store_draft(rules, is_changing_game=action == "change")
        return see_other(
            _url_of_agreed_rules(rules, form) if action == "read" else url_for(".choose", players=len(form.names))
        )
    if (pick := request.form.get("new-pick", "")) in DEALER_PICKS and form.pick:
        session[_PICK_KEY] = pick
        return _show_form(rules, form.with_pick(pick))
    if action != "start":
        return _show_form(rules, form)
    if faults := list(form.find_faults()):
        return _show_form(rules, form, faults)
    try:
        match = start_match(
            db.session,
            library(),
            _make_record(rules, form),
            writer(),
            first_dealer=form.first_dealer,
            first_chair=form.first_chair,
            evening=_evening_of_rematch(),
            markers=form.markers,
            in_transaction=lambda match_id: put_and_count_match(match_id, form.book),
        )
    except Refused as refused:
        return _show_form(rules, form, refused.reasons)
    record_visit(db.session, device(), match)
    forget_draft()
    # A form posted a second time leads to the match, in which hands may have been played since.
    return redirect_to("matches.show", code=match.code, said=0)


def put_and_count_match(match_id: int, book_code: str = "") -> None:
    """Put a match that this phone starts into a book, as `put_started_match` does, and count it; commits nothing."""
    put_started_match(db.session, device(), match_id, book_code, writer())
    count_match(match_id)


def _url_of_other_game(rules: NewMatchRules, game_id: str, player_count: int) -> str:
    """Return the URL of the form for another game, from which players can return to the first one.

    It has the house answers in the present URL; the other fields of the form are in the draft.
    """
    query = {name: word for name, word in request.args.items() if name.startswith(ANSWER_PREFIX)}
    first_game = request.args.get(FIRST_GAME_FIELD) or rules.ruleset.id
    code = request.args.get(FIRST_GAME_CODE_FIELD, "") if FIRST_GAME_FIELD in request.args else rules.share_code
    code_fields = (
        {CODE_FIELD: code} if game_id == first_game else {FIRST_GAME_FIELD: first_game, FIRST_GAME_CODE_FIELD: code}
    )
    query |= {SEATS_FIELD: str(player_count)} | {name: word for name, word in code_fields.items() if word}
    return url_for(".table", ruleset_id=game_id, **query)  # type: ignore[arg-type]


def _evening_of_rematch() -> str:
    """Return the uid of the evening's first match, for a rematch; empty if the URL names no known earlier match."""
    # The earlier match may be deleted or impossible to score by now: that keeps nobody from playing again.
    with suppress(UnknownCode):
        return load_setup_and_events(db.session, load_head(request.args.get("again", "")).link)[0].evening
    return ""


def _make_record(rules: NewMatchRules, form: NewMatchForm) -> Record:
    """Return the record of the match to start, with the answers of the house rules and of the form."""
    return Record(
        variant=rules.house_rules.variant,
        house=add_answers(rules.house_rules, form.changed_answers, library())[0].options,
        house_rules=NamedRules(rules.named_rules.name, rules.named_rules.notes) if rules.named_rules else None,
        players=form.players,
        unnamed=form.unnamed,
        sides=form.sides,
        start=form.start,
        title=form.title or None,
        played_on=form.played_on or None,
        place=form.venue or None,
        note=form.note or None,
    )


@bp.get("/again/<code>")
def again(code: str) -> Response:
    """Show the form of a rematch by the last rules of a match; 404 if the library no longer has the game.

    It is filled in from this phone's draft, or without one from the match. If the match has just ended and a form
    changes its players otherwise than by substitution, redirect to that: it begins the next match of the same evening.
    """
    match = load_match(code)
    has_just_ended = match.status != "in_progress" and not is_evening_over(match)
    if match.link.may_score and has_just_ended and (entry := hooks.first_entry(hooks.player_change_entries, match)):
        return see_other(entry.url)
    base = library().rulesets.get(match.setup.variant)
    if base is None:
        return error_response(404, _GONE_GAME, match_code=code)
    args = {"again": code}
    if changed_rule_sentences(match.rules, match.state.ruleset):
        args["changed"] = "yes"
    args |= _fields_of_rules(match.state.ruleset, base)
    rules = new_match_rules(base.id, args.get(CODE_FIELD, ""), args)
    # The rules after several changes may be more than one set of house rules can express.
    unsupported_changes = changed_rule_sentences(with_house(rules.ruleset, rules.url_answers)[0], match.state.ruleset)
    rules = replace(rules, left_out=(*rules.left_out, *unsupported_changes))
    if typed := read_draft(rules):
        return _show_form(rules, rules.read_form(typed))
    pick = session.get(_PICK_KEY)
    form = form_of_match(match, rules.ruleset, pick if pick in DEALER_PICKS else NEXT_IN_TURN)
    if any(is_borrowed(db.session, match) for is_borrowed in hooks.borrowed_title_checks):
        form = replace(form, title="")
    return _show_form(rules, replace(form, url_answers=rules.url_answers))


def _fields_of_rules(ruleset: Ruleset, base: Ruleset) -> dict[str, str]:
    """Return the URL parameters of rules: the share code of house rules with a name, or each answer that differs.

    `base` is their published variant.
    """
    house_rules = derive_house_rules(ruleset, base)
    if house_rules.name != base.name and ruleset.source == "house":
        with suppress(BadCode):
            return {CODE_FIELD: encode(house_rules)}
    return {f"{ANSWER_PREFIX}{name}": answer_word(answer) for name, answer in house_rules.options.items()}


def _show_form(rules: NewMatchRules, form: NewMatchForm, faults: Sequence[Fault] = ()) -> Response:
    """Show the form of a new match; `faults` are the reasons why the match was not started."""
    books = usable_books(db.session, device())
    chosen_book = next((access for access in books if access.is_chosen), None)
    codes = (NO_BOOK, *(access.code for access in books))
    book_code = form.book if form.book in codes else chosen_book.code if chosen_book else ""
    messages = {_field_of_fault(fault): fault.message for fault in faults}
    first, others = _first_and_other_questions(rules, form, messages)
    shown_options = {question.field.removeprefix(ANSWER_PREFIX) for question in (*first, *others)}
    return render_page(
        "new_match/table.html",
        form=form,
        rules=rules,
        summary=_summary_of(form.played_rules, shown_options),
        changed=_change_sentences(form, shown_options),
        idempotency_key=posted_key(),
        carried={name: word for name, word in form.answers.items() if name not in shown_options},
        seat_counts=player_count_question(form),
        pick=_first_dealer_question(form),
        sides=_side_views(form),
        known_names=_known_names(chosen_book),
        seating=_seating_sentence(form),
        first=first,
        terms=[question for question in (*first, *others) if question.choices[0].term],
        questions=others,
        is_agree_open=any(other.fault or not other.value for other in others),
        seatings=seating_question(form),
        games_by_seating=_games_by_seating(form),
        missing_game_text=missing_game_words(form.rules_with_url_answers),
        book=replace(
            book_question(books, book_code, offers_new_book=chosen_book is None), fault=messages.get("book", "")
        )
        if books
        else None,
        messages=messages,
        is_folded=not (
            form.paper.is_typed or any(field.startswith((SIDE_PREFIX, *_REMARK_FIELDS)) for field in messages)
        ),
        faults=faults_view("Not started yet", distinct_faults(faults, _field_of_fault)),
    )


def _known_names(chosen_book: BookAccess | None) -> tuple[str, ...]:
    """Return names to suggest: those of this phone's recent players, then others in its chosen book.

    Names that this book has deleted are left out. There are at most `MAX_SUGGESTED_NAMES`.
    """
    names = names_of_device(db.session, device())
    if chosen_book:
        names = (*filter(chosen_book.book.may_show_name, names), *names_in_book(db.session, chosen_book.id))
    return unique_names(names)[:MAX_SUGGESTED_NAMES]


def _url_of_agreed_rules(rules: NewMatchRules, form: NewMatchForm) -> str:
    """Return the URL of the page of rules with the answers in the form; that page links back to the form."""
    query: dict[str, Any] = {OPENED_FROM_PARAMETER: rules.url}
    if rules.named_rules:
        agreed, _ = add_answers(rules.named_rules, form.changed_answers, library())
        return url_for("rules.index", r=encode_without_long_notes(agreed), **query)
    query |= {name: answer_word(answer) for name, answer in form.changed_answers.items()}
    return url_for("rules.show", ruleset_id=rules.ruleset.id, **query)


# ---------- what the page of the table shows ----------


def _side_views(form: NewMatchForm) -> Sequence[SideView]:
    """Return the sides in the order of their first seats, with their markers in the match to start."""
    names = form.shown_names if form.side_count else form.seat_names
    unique = [name if names.count(name) == 1 else f"{name} {i}" for i, name in enumerate(names, 1)]
    markers = dict(zip(unique, form.markers, strict=True)) if len(unique) == len(form.markers) else {}
    return list(mark_sides(Seats(tuple(map(Side, unique))), IDS_AS_NAMES, markers).values())


def _summary_of(ruleset: Ruleset, shown_options: Collection[str]) -> str:
    """Return a summary of rules: "4 players, 4 points a hand, to 21"; without the goal if its question is shown."""
    goal = "" if "target" in shown_options else f", {goal_words(ruleset)}"
    return f"{player_counts_text(ruleset.table)} players, {digits(ruleset.points_per_hand, 'point')} a hand{goal}"


def _change_sentences(form: NewMatchForm, shown_options: Collection[str]) -> tuple[str, ...]:
    """Return sentences on the rules that the URL changes, except those with a question on the page.

    `shown_options` are the options whose questions are on the page.
    """
    ruleset = form.rules_with_url_answers
    deciding = without_moot_answers(form.ruleset, form.url_answers, form.score_count)
    carried = {name: answer for name, answer in deciding.items() if name not in shown_options}
    rules = house_answers_as_rules(form.ruleset, ruleset, carried)
    return (*(rule.sentence for rule in rules), *implied_rule_sentences(form.ruleset, ruleset, form.url_answers))


def player_count_question(form: NewMatchForm) -> QuestionView | None:
    """Return the question of how many play; `None` if the game allows only one number of players."""
    counts = {str(n): str(n) for n in form.ruleset.table.player_counts}
    return labeled_question(SEATS_FIELD, "Players", counts, str(len(form.names))) if len(counts) > 1 else None


def _games_by_seating(form: NewMatchForm) -> Mapping[Seating, Ruleset | None]:
    """Return the game to offer for each seating of the form's players; `None` where no game is similar.

    Empty if there is nothing to choose, or if `seating_question` asks about it.
    """
    games, player_count = published_games(setups_by_game(db.session, device())), len(form.names)
    if not asks_seating(games, player_count):
        return {}
    # The game from which the players started before they chose another seating.
    first_game_id = request.args.get(FIRST_GAME_FIELD)
    first_game = (
        new_match_rules(first_game_id, request.args.get(FIRST_GAME_CODE_FIELD, ""), {}).ruleset
        if first_game_id
        else form.ruleset
    )
    played = ((game, with_house(game.ruleset, form.url_answers)[0]) for game in games)
    games_by_seating = most_similar_rulesets(played, with_house(first_game, form.url_answers)[0], player_count)
    if player_count in first_game.table.player_counts:
        games_by_seating |= dict.fromkeys(seatings(first_game.table, player_count), first_game)
    own_seatings = seatings(form.ruleset.table, player_count)
    games_by_seating[own_seatings[0] if form.side_count else own_seatings[-1]] = form.ruleset
    return games_by_seating


def seating_question(form: NewMatchForm) -> QuestionView | None:
    """Return the question whether to play with partners or alone; `None` if the game allows only one of these."""
    if not form.has_choice_of_seating:
        return None
    labels = {PARTNERS: "with partners", ALONE: "each alone"}
    return labeled_question(SEATING_FIELD, "Who plays with whom?", labels, form.seating)


def _first_dealer_question(form: NewMatchForm) -> QuestionView | None:
    """Return the question of who deals first in a rematch; `None` if this is no rematch."""
    if not form.pick:
        return None
    labels = {NEXT_IN_TURN: "next in turn", LOSER_DEALS: "the loser", CUT_FOR_DEAL: "cut for it"}
    note = "nobody lost, so next in turn" if form.pick == LOSER_DEALS and form.dealer_if_loser is None else ""
    note = "tap the D of whoever wins the cut" if form.pick == CUT_FOR_DEAL else note
    return labeled_question("new-pick", "Who deals first?", labels, form.pick, note=note)


def _seating_sentence(form: NewMatchForm) -> str:
    """Return in words how the sides sit and who is on each, or that everyone scores alone.

    If a name is missing, also that names are optional.
    """
    is_opposite = len(form.names) == 2 * form.side_count
    seating = "Partners sit across" if is_opposite else "The sides sit in turn around the table"
    if not form.side_count:
        calls = "; the bidder calls a partner for the hand" if form.ruleset.table.called else ""
        seating = f"Everyone scores alone{calls}"
    if form.side_count and not form.is_unnamed:
        seating = f"{seating}: {', '.join(map(NAME_SEPARATOR.join, form.teams))}"
    return f"{seating}." if all(form.names) else f"{seating}. Names are optional."


def _first_and_other_questions(
    rules: NewMatchRules, form: NewMatchForm, messages: Mapping[str, str]
) -> tuple[tuple[QuestionView, ...], tuple[QuestionView, ...]]:
    """Return the questions of `FIRST_OPTIONS`, and those on other open or disputed rules.

    Questions without an effect are left out. `messages` are the messages of faults, by form field.
    """
    ruleset = form.rules_with_url_answers
    still_open = unanswered_questions(ruleset)
    candidates = [
        question
        for question in unanswered_questions(form.ruleset)
        if question.option in form.url_answers or question in still_open
    ]
    if form.ruleset.winning.target and not ruleset.winning.count_down_from:
        candidates.append(QUESTIONS["target"])
    candidates += [question for question in disputed_questions(ruleset) if question not in candidates]
    questions = [
        question
        for question in candidates
        if not (form.is_moot(question.option) or (question.option == LOW and rules.has_worth_of_low))
    ]
    first = [question for name in FIRST_OPTIONS for question in questions if question.option == name]
    others = [question for question in questions if question not in first]
    titled = [
        replace(_rule_question(form, ruleset, question, messages), question=question.title(ruleset))
        for question in first
    ]
    views = [*titled, *_rule_questions(form, ruleset, others, messages)]
    first_with_term = next((index for index, view in enumerate(views) if view.choices[0].term), None)
    if first_with_term is not None:
        # The answers to this question begin the line above Start, so they need a capital letter.
        choices = (replace(choice, term=capitalize(choice.term)) for choice in views[first_with_term].choices)
        views[first_with_term] = replace(views[first_with_term], choices=tuple(choices))
    return tuple(views[: len(titled)]), tuple(views[len(titled) :])


def open_questions(form: NewMatchForm, faults: Sequence[Fault]) -> tuple[QuestionView, ...]:
    """Return the questions on rules that a game leaves open, each with its fault, if any.

    Number fields come first; questions without an effect are left out.
    """
    messages = {_field_of_fault(fault): fault.message for fault in faults}
    questions = [question for question in unanswered_questions(form.ruleset) if not form.is_moot(question.option)]
    return _rule_questions(form, form.ruleset, questions, messages)


def _rule_questions(
    form: NewMatchForm, ruleset: Ruleset, questions: Iterable[Question], messages: Mapping[str, str]
) -> tuple[QuestionView, ...]:
    """Return these questions on rules as the page shows them, number fields first."""
    in_order = sorted(questions, key=lambda question: not question.is_number)
    return tuple(_rule_question(form, ruleset, question, messages) for question in in_order)


def _rule_question(
    form: NewMatchForm, ruleset: Ruleset, question: Question, messages: Mapping[str, str]
) -> QuestionView:
    """Return a question on a rule as the page shows it, with its possible answers or usual numbers.

    Without an answer in the form, the one in `ruleset` is chosen. `messages` are the messages of faults, by form field.
    """
    standard, now = question.answer(form.ruleset), question.answer(ruleset)
    chosen = form.answers.get(question.option) or ("" if now is None and not standard else answer_word(now))
    if question.is_number:
        agreed = (parse_word(chosen), standard)
        words = [str(number) for number in usual_numbers(ruleset, question, also=agreed)]
        words += ["none"] if chosen == "none" else []
    else:
        words = list(possible_answers(ruleset, question.option))
    choices = rule_choices(question, words, ruleset, form.ruleset, chosen)
    return QuestionView(
        field=f"{ANSWER_PREFIX}{question.option}",
        question=question.question_text(ruleset),
        note=f"as printed: {question.label(standard, ruleset)}"
        if standard is not None and chosen != answer_word(standard)
        else "",
        choices=tuple(replace(choice, term=question.term(parse_word(choice.value), ruleset)) for choice in choices),
        fault=messages.get(f"{ANSWER_PREFIX}{question.option}", ""),
        moot_with="made_bid" if form.is_moot(question.option, "made_bid") else "",
        other=_other_number(form, question) if question.is_number else None,
    )


def _other_number(form: NewMatchForm, question: Question) -> OtherNumber:
    """Return the field for typing a number that has no button."""
    lowest, highest = RuleKey(question.option).limits
    return OtherNumber(
        field=f"{OTHER_PREFIX}{question.option}",
        label=f"Another number, {lowest} to {highest}{' cents' if question.is_money else ''}",
        value=form.invalid_texts.get(question.option, ""),
        max_length=len(str(highest)),
    )


def _field_of_fault(fault: Fault) -> str:
    """Return the form field in which to correct a fault in the record of the match; empty if there is none."""
    match fault.field.split("."):
        case ["start", "hands"]:
            return EMPTY_PAPER_SCORES.hands_field
        case ["house", option]:
            return f"{ANSWER_PREFIX}{option}"
        case ["players", seat]:
            return f"{SEAT_PREFIX}{seat}"
        case ["sides", side, *_]:
            return f"{SIDE_PREFIX}{side}"
        case [field] if field in (*_REMARK_FIELDS, "book") or field.startswith(EMPTY_PAPER_SCORES.prefix):
            return field
        case _:
            return ""


# ---------- kept in the phone's cookie ----------


_PICK_KEY = "first_dealer"
"""The session's key for how this phone last chose the first dealer of a rematch."""


_DRAFT_KEY = "new_match"
"""The session's key for the draft of the form."""
_FIELDS_NOT_IN_DRAFT = ("csrf_token", "client_key", "do", "r", CHAIRS_FIELD)
"""The form fields that a draft leaves out."""
_GAME_INDEPENDENT_PREFIXES = (SEATS_FIELD, SEAT_PREFIX, SIDE_PREFIX, DEALER_FIELD, *_REMARK_FIELDS, BOOK_FIELD)
"""The prefixes of the form fields that stay when another game is chosen: players, dealer, remarks and book."""
_MAX_DRAFT_LENGTH = 2500
"""The most characters of a draft in JSON, as the session's cookie holds about 4,000."""
DRAFT_TIMEOUT_S = 6 * 60 * 60
"""The number of seconds after which a draft is forgotten."""


def store_draft(rules: NewMatchRules, *, is_changing_game: bool) -> None:
    """Store the posted fields that differ from the URL as this phone's draft, in the session.

    `is_changing_game` is whether the players are choosing another game, whose form takes over what any game has.
    """
    args, fields = request.args, {**request.form, SEATS_FIELD: request.form.get(CHAIRS_FIELD, "")}
    typed = {
        name: text for name, text in fields.items() if name not in _FIELDS_NOT_IN_DRAFT and text != args.get(name, "")
    }
    # Of a draft that is too long, only what any game has is stored; if that is too long, without the note, or nothing.
    of_any_game = _game_independent_fields(typed)
    without_note = {name: text for name, text in of_any_game.items() if name != NOTE_FIELD}
    session[_DRAFT_KEY] = {
        "way": _digest_of_rules(rules),
        "at": int(time.time()),
        "moves": is_changing_game,
        # A draft that is too long replaces the older one, too: its players may have changed.
        "typed": next(
            fields for fields in (typed, of_any_game, without_note, {}) if len(json.dumps(fields)) <= _MAX_DRAFT_LENGTH
        ),
    }


def read_draft(rules: NewMatchRules) -> dict[str, str]:
    """Return the form fields of the draft for these rules; empty if there is no such draft."""
    draft = _stored_draft()
    return draft["typed"] if draft.get("way") == _digest_of_rules(rules) else {}


def game_independent_fields_of_draft() -> dict[str, str]:
    """Return the draft's fields for the form of another game; empty unless its players are choosing one."""
    draft = _stored_draft()
    return _game_independent_fields(draft["typed"]) if draft.get("moves") else {}


def forget_draft() -> None:
    """Delete the draft from the session."""
    session.pop(_DRAFT_KEY, None)


def _stored_draft() -> dict[str, Any]:
    """Return the draft in the session; empty if there is none or it is older than `DRAFT_TIMEOUT_S`."""
    draft = session.get(_DRAFT_KEY)
    if not isinstance(draft, dict) or time.time() - draft.get("at", 0) >= DRAFT_TIMEOUT_S:
        return {}
    return draft


def _game_independent_fields(typed: Mapping[str, str]) -> dict[str, str]:
    """Return those of the form fields whose names begin with one of `_GAME_INDEPENDENT_PREFIXES`."""
    return {name: text for name, text in typed.items() if name.startswith(_GAME_INDEPENDENT_PREFIXES)}


def _digest_of_rules(rules: NewMatchRules) -> str:
    """Return a digest of the URL of rules, by which a draft for them is recognized."""
    return sha256(rules.url.encode()).hexdigest()[:16]
