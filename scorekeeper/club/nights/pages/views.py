"""The host's pages of a ladder night: its start, who won at each table, standings, entrants and settings."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from flask import Blueprint, Response, abort, request

from scorekeeper.club.nights import events, sentences
from scorekeeper.club.nights.book_nights import ladder_night_csv, suggested_players
from scorekeeper.club.nights.events import NightChange
from scorekeeper.club.nights.night import (
    BY_LADDER,
    BY_WINS,
    MAX_ROUNDS,
    MAX_SCORE,
    MAX_SIDE_SIZE,
    PAIRS,
    PROGRESSIVE,
    SINGLES,
    EntrantStanding,
    Game,
    Night,
    NightPlanned,
    Round,
)
from scorekeeper.club.nights.pages.context import is_poll_without_news, load_night, render_night, write_night
from scorekeeper.club.nights.service import (
    USUAL_SIDE_SIZE,
    NightAccess,
    add_entrants,
    can_keep_matches,
    can_seat_sides,
    codes_of_kept_matches,
    draw_lots_for_first_round,
    draw_lots_for_round,
    refuse_invalid_night,
    start_match_at_table,
    start_night,
)
from scorekeeper.club.nights.store import NightSetup
from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import StaleStream
from scorekeeper.eventlog.stream import Refused, redo_event, refusal, undo_event
from scorekeeper.pages.new_match.form import PARTNERS, SEATING_FIELD, NewMatchForm, read_form
from scorekeeper.pages.new_match.views import open_questions, put_and_count_match
from scorekeeper.pitch.rules.entered_text import normalize_spaces, parse_whole_number
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.groups.winning import has_end
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.phrases import digits, join_words
from scorekeeper.pitch.rules.schema import Ruleset
from scorekeeper.pitch.scoring.seats import name_key
from scorekeeper.pitch.text.endings import goal_words
from scorekeeper.pitch.text.phrases import score_text
from scorekeeper.random_codes import new_code
from scorekeeper.web.context import device, for_owners, for_scorers, for_watchers, posted_key, posted_version, writer
from scorekeeper.web.library import library
from scorekeeper.web.respond import file_name, make_download, no_news_response, redirect_to, render_page, wants_fragment
from scorekeeper.web.widgets import FaultsView, QuestionView, distinct_faults, faults_view, labeled_question

bp = Blueprint("nights", __name__, url_prefix="/nights")

USUAL_ROUND_COUNT = 6
"""The number of rounds in the empty form of a new night."""
MAX_TYPED_LENGTH, MAX_ROSTER_LENGTH = 200, 20_000
"""The lengths, in characters, to which a typed text and a pasted list of entrants are cut."""
MAX_PICKED_LINES = 200
"""The most suggested entrants that are added at once."""
YES, NO = "yes", "no"
"""The values of the form field `confirms`: whether both sides have to confirm a result."""
MODE_LABELS = {
    PAIRS: "same partner all night",
    SINGLES: "partners drawn each round",
    PROGRESSIVE: "up the ladder, new partner at each table",
}
_TEXT_FIELDS = ("title", "rounds", "size", "mode", "ranking", "minutes", "confirms", "fee", "prizes")
"""The fields of `NightForm` that a form may post, with the same names."""
_NAME_SEPARATOR = re.compile(r"[&+,;/\t]|\s(?:and|und)\s", re.IGNORECASE)
"""The separators between the names in a line such as "Ann & Cal"."""


# ---------- a new night ----------


@dataclass(frozen=True, slots=True, kw_only=True)
class NightForm:
    """The form of a night's settings: its texts as typed, the values of its choices, and the answers about its game."""

    title: str = ""
    rounds: str = str(USUAL_ROUND_COUNT)
    size: str = str(USUAL_SIDE_SIZE)
    mode: str = PAIRS
    ranking: str = BY_LADDER
    minutes: str = ""
    confirms: str = NO
    fee: str = ""
    prizes: str = ""
    match_form: NewMatchForm | None = None
    """The form with the answers about the chosen game; `None` if no game is chosen."""

    @property
    def variant(self) -> str:
        """The id of the chosen game; empty if no game is chosen."""
        return self.match_form.ruleset.id if self.match_form else ""

    @property
    def setup(self) -> NightSetup:
        """The setup of a new night from this form, with a new uid.

        A number that cannot be read is -1.
        """
        return NightSetup(
            id=0,
            uid=new_code(),
            created_at=datetime.now(UTC),
            title=self.title,
            rounds=read_small_number(self.rounds),
            size=read_small_number(self.size),
            variant=self.variant,
            house=self.match_form.changed_answers if self.match_form else {},
        )

    @property
    def plan(self) -> NightPlanned:
        """The event with the settings that are not in `setup`.

        Minutes that cannot be read are -1.
        """
        return NightPlanned(
            mode=self.mode,
            # Nobody climbs where partners are drawn.
            ranking=BY_WINS if self.mode == SINGLES and self.ranking == BY_LADDER else self.ranking,
            minutes=read_small_number(self.minutes or "0"),
            confirms=self.confirms == YES,
            fee=self.fee,
            prizes=self.prizes,
        )


@bp.get("/new")
def new() -> Response:
    """Show the empty form of a new night."""
    return _show_new_form(NightForm())


@bp.post("/new")
def new_submit() -> Response:
    """Start a night, and redirect to its entrants; if refused, show the form with the reason.

    If the rules of the game leave options open, a page that asks for them is shown before the night is started.
    """
    form, pressed = read_posted_form(NightForm()), request.form.get("do", "")
    if pressed == "change":
        return _show_new_form(form)
    setup, plan, match_form = form.setup, form.plan, form.match_form
    try:
        refuse_invalid_night(setup, plan)
        if match_form and not can_seat_sides(match_form.ruleset.table, setup.size):
            problem = f"{match_form.ruleset.name} does not seat {setup.size} against {setup.size}."
            raise refusal("variant", f"{problem} Change the game, or how many play together.")
    except Refused as refused:
        return _show_new_form(form, refused.reasons)
    if match_form and match_form.ruleset.open_options:
        house_faults = (
            fault.inside("house") for fault in with_house(match_form.ruleset, match_form.changed_answers)[1]
        )
        faults = ([*match_form.find_faults()] or [*house_faults]) if pressed == "start" else []
        if faults or pressed != "start":
            return _show_open_questions(form, match_form, faults)
    return redirect_to(".entrants", code=start_night(db.session, device(), setup, plan, posted_key()))


def _show_new_form(form: NightForm, faults: Sequence[Fault] = ()) -> Response:
    """Show the form of a new night with these values, and with faults if any."""
    return render_page(
        "nights/new.html",
        form=form,
        size=labeled_question("size", "How many play together?", {digit: digit for digit in "1234"}, form.size),
        mode=labeled_question("mode", "With whom?", MODE_LABELS, form.mode),
        ranking=_ranking_question(form),
        games=rulesets_for_nights(),
        faults=_faults_view("Not started yet", faults),
        most_rounds=MAX_ROUNDS,
    )


def _ranking_question(form: NightForm) -> QuestionView:
    """Return the question on what wins a night; it offers the top table only with a ladder."""
    labels = {
        ranking: label
        for ranking, label in sentences.RANKING_LABELS.items()
        if (form.mode, ranking) != (SINGLES, BY_LADDER)
    }
    return labeled_question("ranking", "What wins the night?", labels, form.plan.ranking)


def _show_open_questions(form: NightForm, match_form: NewMatchForm, faults: Sequence[Fault]) -> Response:
    """Show the questions that the rules of a night's game leave open, with faults if any."""
    return render_page(
        "nights/agree.html",
        form=form,
        match_form=match_form,
        goal=goal_words(match_form.played_rules),
        questions=open_questions(match_form, faults),
        faults=_faults_view("Not started yet", faults),
    )


def _faults_view(lead: str, faults: Iterable[Fault]) -> FaultsView | None:
    """Return faults for a page, under a heading that begins with `lead`: "Not saved yet"; `None` without faults."""
    # The HTML id of the form field `players.0` is `players-0`.
    return faults_view(lead, distinct_faults(faults, lambda fault: fault.field.replace(".", "-")))


def rulesets_for_nights() -> tuple[Ruleset, ...]:
    """Return the rulesets that a new night offers: those for two sides of two players, whose matches have an end."""
    return tuple(
        ruleset for ruleset in library() if can_seat_sides(ruleset.table, USUAL_SIDE_SIZE) and has_end(ruleset)
    )


def read_posted_form(form: NightForm) -> NightForm:
    """Return `form` with posted values in place of its own, and with the form of the posted game, if any."""
    typed_texts = {field: normalize_spaces(text[:MAX_TYPED_LENGTH]) for field, text in request.form.items()}
    ruleset, match_form = library().rulesets.get(typed_texts.get("variant", "")), None
    if ruleset:
        answers = {
            field: text for field, text in typed_texts.items() if field.partition("-")[2] in ruleset.open_options
        }
        # The players of a side are partners if the game allows it.
        match_form = read_form(ruleset, {**answers, SEATING_FIELD: PARTNERS})
    return replace(
        form, **{field: typed_texts[field] for field in _TEXT_FIELDS if field in typed_texts}, match_form=match_form
    )


def read_small_number(text: str) -> int:
    """Return a text as a whole number; -1 for a text that is not one to eight digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else -1


# ---------- the tables ----------


@bp.get("/<code>/")
@for_watchers
def show(code: str) -> Response:
    """Show the host's page with all tables; a phone that may not write results is redirected to its seat.

    204 for a poll without changes. For a deleted night, the page only says that the night was deleted.
    """
    if is_poll_without_news(code):
        return no_news_response()
    access = load_night(code, may_be_deleted=True)
    if access.night.is_deleted:
        return (
            redirect_to(".show", code=code) if wants_fragment() else _show_deletion_page("nights/deleted.html", access)
        )
    if not access.link.may_score:
        return redirect_to("night_seats.show", code=code)
    if not access.night.rounds:
        return redirect_to(".entrants", code=code)
    return _show_host_page(access)


def _show_host_page(access: NightAccess, notice: str = "", status: int = 200) -> Response:
    """Show every table, with buttons that enter who won; `notice` says why a posted form was refused."""
    night, variant = access.night, access.setup.variant
    current = night.current_round
    keeps_matches = can_keep_matches(library(), access.setup)
    finished_count = sum(game.winner is not None for round_ in night.rounds for game in round_.games)
    return render_night(
        "nights/host.html",
        access,
        block=("board", "bottom_bar"),
        status=status,
        current=current,
        movements=sentences.movements_by_side(night),
        sitting_out_notes=sentences.sitting_out_notes(night),
        attendance=sentences.attendance_words(night),
        match_codes=codes_of_kept_matches(db.session, access, device()),
        keeps_matches=keeps_matches,
        unkept_game="" if keeps_matches or variant not in library() or night.is_over else library()[variant].name,
        table_count=digits(current.top_table, "table"),
        progress=f"{current.top_table - len(current.unfinished_games)} of {current.top_table} in",
        game_notes={game.table: _game_note(night, game) for game in current.games},
        correction_text="" if notice else sentences.latest_correction_words(night),
        notice=notice or sentences.next_round_note(night),
        result_counts=f"{digits(len(night.rounds), 'round')}, {digits(finished_count, 'game')}",
        waiting_text=_still_playing_words(current),
        next_round_number=current.number + 1,
        undo_text=sentences.undo_words(night) if night.may_undo(access.link.role) else "",
        redo_text=sentences.redo_words(night) if night.may_redo(access.link.role) else "",
    )


def _game_note(night: Night, game: Game) -> str:
    """Return a note on a game: "still playing: tap the winners", "21 to 15.", or who left; may be empty."""
    if game.winner is None:
        if night.is_over:
            return "no result"
        return sentences.results_entered_words(night, game, "ask them") or "still playing: tap the winners"
    if score_text := sentences.score_words(game):
        return f"{score_text}."
    return f"{sentences.leaver_words(night, game)} left, so the others have won." if game.is_won_by_default else ""


def _still_playing_words(current: Round) -> str:
    """Return which tables of a round have no result yet: "Tables 2 and 3 are still playing". Empty if none.

    For more than four, return how many: "5 tables are still playing".
    """
    tables = [str(game.table) for game in current.unfinished_games]
    if len(tables) > 4:
        return f"{len(tables)} tables are still playing"
    if len(tables) > 1:
        return f"Tables {join_words(tables)} are still playing"
    return f"Table {tables[0]} is still playing" if tables else ""


def _write_and_show_host_page(code: str, change: NightChange, *, table: int = 0) -> Response:
    """Append a change, commit, and show the host's page or redirect to it, scrolled to `table` if given.

    If the change is refused, or another phone wrote first, the page says so. Raises `Refused` if the change is refused
    before the first round, as there is no host's page yet.
    """
    try:
        access, notice, status = write_night(code, change, version=posted_version() or None), "", 200
    except StaleStream as stale:
        access, notice, status = stale.stream, "Someone else wrote first. Check the tables, then tap again.", 409
    except Refused as refused:
        access, notice, status = load_night(code), str(refused), 422
        if not access.night.rounds:
            raise
    if access.night.rounds and notice:
        return _show_host_page(access, notice, status)
    if access.night.rounds and wants_fragment():
        return _show_host_page(load_night(code))  # with what was written since, should the form have been sent twice
    return redirect_to(".show", code=code, _anchor=f"t{table}" if table else None)


@bp.post("/<code>/rounds/<int:number>/tables/<int:table>")
@for_scorers
def win(code: str, number: int, table: int) -> Response:
    """Store or clear the winner at a table of the current round.

    Refused if the result has changed since the page was shown.
    """
    winner, winner_shown = posted_winner(), request.form.get("was")

    def make_result_event(night: Night) -> events.GameWon:
        game = night.game_or_refuse(number, table)
        scores = game.scores if winner else None
        event = events.GameWon(round=number, table=table, winner=winner, scores=scores)
        if winner == game.winner:
            return event
        if number != len(night.rounds):
            raise refusal("", f"Round {number} is over, and nothing was saved. Check the tables, then tap again.")
        if winner_shown not in (None, str(game.winner or "")):
            reason = (
                f"Someone else wrote first who won at table {table}, and nothing was saved. Check it, then tap again."
            )
            raise refusal("", reason)
        # The score that was typed may be right, and only the winner wrong.
        if scores and winner not in [side for side in game.sides if game.score_of(side) == max(scores)]:
            reason = f"The score of table {table} is {sentences.score_words(game)}, and nothing was saved."
            raise refusal("", f"{reason} Tap the table’s number to change both.")
        return event

    return _write_and_show_host_page(code, make_result_event, table=table)


@bp.post("/<code>/rounds")
@for_scorers
def start_round(code: str) -> Response:
    """Start the round with the posted number if that round is the next one.

    Nothing changes if that round has started already. Any other number is refused.
    """
    round_number = request.form.get("round", 0, type=int)
    return _write_and_show_host_page(code, lambda night: draw_lots_for_round(round_number, night))


@bp.post("/<code>/rounds/<int:number>/undo")
@for_owners
def undo_round(code: str, number: int) -> Response:
    """Take back a round with all its results; refused unless the round is the last one."""
    return _write_and_show_host_page(code, events.RoundTakenBack(round=number))


@bp.post("/<code>/undo")
@for_scorers
def undo(code: str) -> Response:
    """Undo the event that is next to be undone, if the night is still at the posted version."""
    return _write_and_show_host_page(code, undo_event)


@bp.post("/<code>/redo")
@for_scorers
def redo(code: str) -> Response:
    """Redo what was undone last, if the night is still at the posted version."""
    return _write_and_show_host_page(code, redo_event)


@bp.post("/<code>/tables/<int:table>/match")
@for_scorers
def keep_match(code: str, table: int) -> Response:
    """Start a match that keeps the score of the game at a table, and redirect to the match."""
    match_code = start_match_at_table(db.session, library(), code, table, writer(), put_and_count_match)
    return redirect_to("matches.show", code=match_code)


# ---------- the list ----------


@bp.get("/<code>/list")
@for_watchers
def results(code: str) -> Response:
    """Show the standings of all entrants, and who won and who sat out in each round."""
    access = load_night(code)
    night = access.night
    return render_night(
        "nights/list.html",
        access,
        fee_lines=sentences.fee_and_prize_lines(night),
        ranking=sentences.ranking_words(night),
        standings=[
            (standing.rank, night.name(standing.uid), _standing_words(night, standing)) for standing in night.standings
        ],
        rounds=[
            (
                round_.number,
                [
                    (game.table, _result_words(night, game))
                    for game in reversed(round_.games)
                    if game.winner is not None or night.is_over
                ],
                [night.name(uid) for uid in round_.sitting_out_uids],
            )
            for round_ in reversed(night.rounds)
        ],
    )


@bp.get("/<code>/night.csv")
@for_watchers
def csv_file(code: str) -> Response:
    """Send the games of a night, and who sat out, as a CSV file."""
    night = load_night(code).night
    csv_name = file_name(sentences.night_title(night), "csv")
    return make_download(Response(ladder_night_csv(night), mimetype="text/csv"), csv_name)


def _standing_words(night: Night, standing: EntrantStanding) -> str:
    """Return an entrant's standing in words: "2 of 3 won, 40 points" or, with `BY_LADDER`, "table 3, 2 of 3 won"."""
    result = f"{standing.games_won} of {standing.games_played} won" if standing.games_played else "no game over yet"
    if night.plan.ranking != BY_LADDER:
        return f"{result}, {digits(standing.points, 'point')}" if standing.points else result
    has_left = night.entrants[standing.uid].has_left
    place = "left" if has_left else f"table {standing.table}" if standing.table else "no table"
    return f"{place}, {result}"


def _result_words(night: Night, game: Game) -> str:
    """Return the result of a game in words: "Ann & Cal beat Bea & Dan, 21 to 15"."""
    if game.winner is None:
        return f"{' against '.join(map(night.name, game.sides))}: no result"
    winner_name, score_text = night.name(game.winner), sentences.score_words(game)
    if game.is_won_by_default:
        return f"{winner_name} won, because {sentences.leaver_words(night, game)} left"
    return f"{winner_name} beat {night.name(game.loser or 0)}{', ' if score_text else ''}{score_text}"


@bp.get("/<code>/rounds/<int:number>/tables/<int:table>")
@for_scorers
def correct(code: str, number: int, table: int) -> Response:
    """Show the form for the result of a game in any round, and which sides would move if the winner changed."""
    return _show_result_form(load_night(code), number, table)


@bp.post("/<code>/rounds/<int:number>/tables/<int:table>/result")
@for_scorers
def save_result(code: str, number: int, table: int) -> Response:
    """Store the posted result of a game, and redirect to the tables or to the list of results.

    Show the form again if the result is refused, or if a new winner would now move other sides than the form showed.
    """
    winner = posted_winner()

    def make_result_event(night: Night) -> events.GameWon:
        game = night.game_or_refuse(number, table)
        moves = sentences.trade_words(night, number, table)
        if winner != game.winner and request.form.get("moves", moves) != moves:
            raise refusal("", "Somebody has started to play since. Check who moves now, then save again.")
        late = True if night.games_to_trade(number, table) and not moves else None
        scores = _parse_scores(_posted_scores(game))
        return events.GameWon(round=number, table=table, winner=winner, scores=scores, late=late)

    try:
        access = write_night(code, make_result_event)
    except Refused as refused:
        return _show_result_form(load_night(code), number, table, refused.reasons)
    if number < access.night.current_round.number:
        return redirect_to(".results", code=code)
    return redirect_to(".show", code=code, _anchor=f"t{table}")


def _posted_scores(game: Game) -> dict[int, str]:
    """Return the posted scores of a game as typed, keyed by the uid of the side."""
    return {side: request.form.get(f"score-{side}", "")[:MAX_TYPED_LENGTH].strip() for side in game.sides}


def _parse_scores(typed_scores: Mapping[int, str]) -> tuple[int, int] | None:
    """Return two typed scores as numbers, in the order of `typed_scores`; `None` if both are empty.

    Raises `Refused` if just one is empty, or if one is no number from -`MAX_SCORE` to `MAX_SCORE`.
    """
    if not any(typed_scores.values()):
        return None
    scores = []
    for side, text in typed_scores.items():
        if not text:
            raise refusal(f"score-{side}", "Type both scores, or neither.")
        if (score := parse_whole_number(text)) is None or abs(score) > MAX_SCORE:
            raise refusal(f"score-{side}", f"A score goes from −{MAX_SCORE} to {MAX_SCORE}.")
        scores.append(score)
    return scores[0], scores[1]


def _show_result_form(access: NightAccess, number: int, table: int, faults: Sequence[Fault] = ()) -> Response:
    """Show the form for the result of a game; with faults, the form is filled in as posted.

    404 if there is no such game.
    """
    night = access.night
    game = night.game_at(number, table) or abort(404)
    names = {str(side): night.name(side) for side in game.sides}
    winner, score_texts = game.winner, map(score_text, game.scores) if game.scores else ("", "")
    typed_scores = dict(zip(game.sides, score_texts, strict=True))
    if faults:
        winner, typed_scores = posted_winner(), _posted_scores(game)
    return render_night(
        "nights/correct.html",
        access,
        faults=_faults_view("Not saved yet", faults),
        round_number=number,
        table=table,
        winner=labeled_question("winner", f"Who won at table {table} in round {number}?", names, str(winner or "")),
        typed_scores=typed_scores,
        moves=sentences.trade_words(night, number, table),
        correction=sentences.correction_words(night, number, table),
    )


def posted_winner() -> int | None:
    """Return the uid of the posted winner; `None` if the result is to be cleared.

    A text that is no number is -1.
    """
    winner_text = request.form.get("winner", "")
    return read_small_number(winner_text) if winner_text else None


# ---------- the entrants ----------


@bp.get("/<code>/pairs")
@for_scorers
def entrants(code: str) -> Response:
    """Show the entrants of the night, with the form that adds more."""
    return _show_entrants(load_night(code))


@bp.post("/<code>/pairs")
@for_scorers
def entrants_submit(code: str) -> Response:
    """Add the entrants that were typed, pasted or picked, all or none, and redirect to the list of entrants.

    If one is refused, show the form again.
    """
    typed_names, roster = posted_player_names(), request.form.get("roster", "")[:MAX_ROSTER_LENGTH]
    picked_lines = request.form.getlist("known")[:MAX_PICKED_LINES]
    new_entrants = [names for line in (*roster.splitlines(), *picked_lines) if (names := names_in_line(line))]
    if load_night(code, may_be_deleted=True).night.plan.mode != PAIRS:
        new_entrants = [[name] for names in new_entrants for name in names]
    if any(typed_names) or not new_entrants:
        new_entrants = [typed_names, *new_entrants]
    try:
        add_entrants(db.session, code, new_entrants, writer())
    except Refused as refused:
        return _show_entrants(load_night(code), refused.reasons, roster=roster, picked_lines=picked_lines)
    return redirect_to(".entrants", code=code, _anchor="players-0")


@bp.post("/<code>/pairs/<int:uid>")
@for_scorers
def change_entrant(code: str, uid: int) -> Response:
    """Record that an entrant left, returned, is removed or renamed, and redirect to the list of entrants.

    If refused, show the list with the reason.
    """
    changes_by_button: dict[str, NightChange] = {
        "leave": events.EntrantLeft(pair=uid),
        "back": events.EntrantReturned(pair=uid),
        "remove": events.EntrantRemoved(pair=uid),
        "rename": events.EntrantRenamed(pair=uid, players=tuple(posted_player_names())),
    }
    change = changes_by_button.get(request.form.get("do", "")) or abort(400)
    try:
        write_night(code, change)
    except Refused as refused:
        faults = [replace(fault, field=fault.field.replace("players.", f"p{uid}.")) for fault in refused.reasons]
        return _show_entrants(load_night(code), faults, refused_uid=uid)
    return redirect_to(".entrants", code=code)


def _show_entrants(
    access: NightAccess,
    faults: Sequence[Fault] = (),
    *,
    roster: str = "",
    picked_lines: Sequence[str] = (),
    refused_uid: int | None = None,
) -> Response:
    """Show the entrants of the night and the form that adds more; a refused form is filled in as posted.

    `roster` has the pasted lines, and `picked_lines` the suggestions that were picked. `refused_uid` is the uid of the
    entrant that could not be changed.
    """
    night, posted_names = access.night, posted_player_names()
    size = night.side_size if night.plan.mode == PAIRS else 1

    def name_fields(names: Sequence[str]) -> list[str]:
        return [*names, *[""] * (size - len(names))]

    present_names = {name_key(name) for uid in night.present_uids for name in night.entrants[uid].players}
    suggested_names, suggested_entrants = suggested_players(db.session, access)
    return render_night(
        "nights/entrants.html",
        access,
        faults=_faults_view("Not saved yet" if refused_uid else "Not added yet", faults),
        seat_texts={uid: _seat_words(night, uid) for uid in night.entrants},
        attendance=sentences.attendance_words(night),
        refused_uid=refused_uid,
        names_by_entrant={
            uid: name_fields(posted_names if uid == refused_uid else entrant.players)
            for uid, entrant in night.entrants.items()
        },
        uids_in_any_round=night.uids_in_any_round,
        suggested_names=suggested_names,
        suggested_lines={
            line: line in picked_lines
            for line in (suggested_entrants if size > 1 else suggested_names)
            if len(players := names_in_line(line)) <= size and not present_names & {*map(name_key, players)}
        },
        roster=roster,
        max_name_length=MAX_TYPED_LENGTH,
        typed_names=name_fields(() if refused_uid else posted_names),
    )


def _seat_words(night: Night, uid: int) -> str:
    """Return in words where an entrant is: "left", "table 3", "sits out" or "plays from the next round on".

    Before the first round, the text is empty unless the entrant has left.
    """
    current = night.current_round
    if night.entrants[uid].has_left:
        return "left"
    if not night.rounds:
        return ""
    if game := current.game_of(uid):
        return f"table {game.table}"
    if uid in current.sitting_out_uids:
        return "sits out"
    return "too late for the last round" if night.is_last_round else "plays from the next round on"


def posted_player_names() -> list[str]:
    """Return the posted names of an entrant's players without empty ones; if all are empty, just one empty name."""
    typed_names = (request.form.get(f"players-{index}", "") for index in range(MAX_SIDE_SIZE))
    return [name for text in typed_names if (name := normalize_spaces(text[:MAX_TYPED_LENGTH]))] or [""]


def names_in_line(line: str) -> list[str]:
    """Return the names of the players in a line: ["Ann", "Cal"] for "Ann & Cal"."""
    return [name for part in _NAME_SEPARATOR.split(line[:MAX_TYPED_LENGTH]) if (name := normalize_spaces(part))]


@bp.get("/<code>/seating")
@for_owners
def seating(code: str) -> Response:
    """Show the form that seats the entrants by hand.

    Redirect to the night if a round has started, if too few are present, or if partners are drawn.
    """
    access = load_night(code)
    if access.night.rounds or len(access.night.present_uids) < 2 or access.night.plan.mode != PAIRS:
        return redirect_to(".show", code=code)
    return _show_seating_form(access)


@bp.post("/<code>/start")
@for_owners
def start(code: str) -> Response:
    """Start round 1, with tables drawn by lot or as posted, and show the tables.

    If the posted tables are refused, show their form again.
    """
    if request.form.get("do") != "hand":
        return _write_and_show_host_page(code, draw_lots_for_first_round)
    try:
        write_night(code, _seating_by_hand)
    except Refused as refused:
        return _show_seating_form(load_night(code), refused.reasons)
    return redirect_to(".show", code=code)


def _show_seating_form(access: NightAccess, faults: Sequence[Fault] = ()) -> Response:
    """Show the form with the table of each entrant: by order of arrival or, with faults, as posted."""
    present_uids = access.night.present_uids
    table_count, rest = divmod(len(present_uids), 2)
    tables_by_arrival = {
        uid: index // 2 + 1 if index < 2 * table_count else 0 for index, uid in enumerate(present_uids)
    }
    return render_night(
        "nights/seating.html",
        access,
        faults=_faults_view("Not started yet", faults),
        tables=range(table_count, 0, -1),
        tables_by_entrant=_posted_tables(access.night) if faults else tables_by_arrival,
        one_sits_out=rest == 1,
    )


def _posted_tables(night: Night) -> dict[int, int]:
    """Return the posted table of each present entrant, keyed by uid; 0 if the entrant sits out.

    A text that is no number is -1.
    """
    return {uid: read_small_number(request.form.get(f"table-{uid}", "")) for uid in night.present_uids}


def _seating_by_hand(night: Night) -> events.NightStarted:
    """Return the event that starts the night at the posted tables.

    Raises `Refused` if a table has not just two entrants.
    """
    posted_tables, tables = _posted_tables(night), []
    for table in range(1, len(posted_tables) // 2 + 1):
        uids = [uid for uid, posted_table in posted_tables.items() if posted_table == table]
        if len(uids) != 2:
            raise refusal("", f"Table {table} has {digits(len(uids), night.entrant_noun)}; it needs 2.")
        tables.append((uids[0], uids[1]))
    bye_uids = [uid for uid, posted_table in posted_tables.items() if posted_table == 0]
    return events.NightStarted(tables=tuple(tables), sits_out=bye_uids[0] if len(bye_uids) == 1 else None, by_lot=False)


# ---------- the rounds and the end ----------


@bp.get("/<code>/settings")
@for_owners
def settings(code: str) -> Response:
    """Show the form of a night's settings, and the buttons that end or delete the night."""
    return _show_settings(load_night(code))


def _settings_form(night: Night) -> NightForm:
    """Return the form of a night's settings with stored values, each replaced by the posted one if there is one."""
    plan = night.plan
    return read_posted_form(
        NightForm(
            title=night.title,
            rounds=str(night.agreed_round_count),
            mode=plan.mode,
            ranking=plan.ranking,
            minutes=str(plan.minutes or ""),
            confirms=YES if plan.confirms else NO,
            fee=plan.fee,
            prizes=plan.prizes,
        )
    )


@bp.post("/<code>/settings")
@for_owners
def save_settings(code: str) -> Response:
    """Change a night's settings as posted, or end or resume the night, and redirect to the night.

    If one setting is refused, none is changed, and the form is shown again.
    """
    if change := {"end": events.NightEnded(), "resume": events.NightResumed()}.get(request.form.get("do", "")):
        return _write_and_show_host_page(code, change)
    form = _settings_form(load_night(code, may_be_deleted=True).night)
    rounds, title = events.RoundsAgreed(rounds=read_small_number(form.rounds)), events.NightRenamed(title=form.title)
    try:
        write_night(code, lambda _: (rounds, title, form.plan))
    except Refused as refused:
        return _show_settings(load_night(code), refused.reasons)
    return redirect_to(".show", code=code)


def _show_settings(access: NightAccess, faults: Sequence[Fault] = ()) -> Response:
    """Show the form of a night's settings; posted values are shown in place of stored ones."""
    form = _settings_form(access.night)
    return render_night(
        "nights/settings.html",
        access,
        faults=_faults_view("Not saved yet", faults),
        form=form,
        ranking=None if access.night.rounds else _ranking_question(form),
        confirms=labeled_question(
            "confirms",
            f"Do both {access.night.side_noun}s confirm a result on their phones?",
            {YES: "yes", NO: "no"},
            form.confirms,
        ),
    )


@bp.get("/<code>/delete")
@for_owners
def delete(code: str) -> Response:
    """Show the page that asks whether to delete a night."""
    return _show_deletion_page("nights/delete.html", load_night(code))


@bp.post("/<code>/delete")
@for_owners
def delete_submit(code: str) -> Response:
    """Delete a night, and redirect to the home page, which offers to restore the night."""
    write_night(code, events.NightDeleted())
    return redirect_to("home.index", gone_night=code)


@bp.post("/<code>/restore")
@for_owners
def restore(code: str) -> Response:
    """Restore a deleted night, and redirect to that night."""
    write_night(code, events.NightRestored())
    return redirect_to(".show", code=code)


def _show_deletion_page(template: str, access: NightAccess) -> Response:
    """Show a page on deleting a night, or on a deleted night, with its contents: "8 pairs and 1 round"."""
    night = access.night
    contents = f"{digits(len(night.entrants), night.entrant_noun)} and {digits(len(night.rounds), 'round')}"
    return render_page(template, access=access, title=sentences.night_title(night), contents=contents)
