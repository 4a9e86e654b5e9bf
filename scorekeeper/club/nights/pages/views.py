"""The host's pages of a ladder night: how it starts, who won at each table, the rounds, and the pairs."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from flask import Blueprint, Response, abort, request

from scorekeeper.club.nights import events, sentences
from scorekeeper.club.nights.book_nights import night_csv, suggested_players
from scorekeeper.club.nights.events import NightChange
from scorekeeper.club.nights.night import (
    BY_LADDER,
    BY_WINS,
    MAX_IN_PAIR,
    MAX_ROUNDS,
    MAX_SCORE,
    PAIRS,
    PROGRESSIVE,
    SINGLES,
    Game,
    Night,
    NightPlanned,
    PairStanding,
    Round,
)
from scorekeeper.club.nights.pages.context import is_unchanged, load_night, render_night, write_night
from scorekeeper.club.nights.service import (
    USUAL_PAIR_SIZE,
    NightAccess,
    add_pairs,
    can_keep_matches,
    can_seat_pairs,
    codes_of_kept_matches,
    draw_first_round,
    draw_round,
    refuse_wrong_night,
    start_match_at_table,
    start_night,
)
from scorekeeper.club.nights.store import NightSetup
from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import StaleStream
from scorekeeper.eventlog.stream import Refused, redo_event, refusal, undo_event
from scorekeeper.pages.new_match.form import PARTNERS, SEATING_FIELD, NewMatchForm, read_form
from scorekeeper.pages.new_match.views import open_questions
from scorekeeper.pitch.rules.entered_text import parse_whole_number, tidy
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
from scorekeeper.web.limits import count_match
from scorekeeper.web.respond import file_name, make_download, no_news_response, redirect_to, render_page, wants_fragment
from scorekeeper.web.widgets import FaultsView, QuestionView, distinct_faults, faults_view, labeled_question

bp = Blueprint("nights", __name__, url_prefix="/nights")

USUAL_ROUNDS = 6
MAX_TYPED_LENGTH, MAX_PICKED_LINES = 200, 200
MAX_ROSTER_LENGTH = 20_000
YES, NO = "yes", "no"
MODE_LABELS = {
    PAIRS: "same partner all night",
    SINGLES: "partners drawn each round",
    PROGRESSIVE: "up the ladder, new partner at each table",
}
_TEXT_FIELDS = ("title", "rounds", "size", "mode", "ranking", "minutes", "confirms", "fee", "prizes")
"""The fields of the form of a night that are read as text."""
_NAME_SEPARATOR = re.compile(r"[&+,;/\t]|\s(?:and|und)\s", re.IGNORECASE)


# ---------- a new night ----------


@dataclass(frozen=True, slots=True, kw_only=True)
class NightForm:
    """How a night starts, as it was typed."""

    title: str = ""
    rounds: str = str(USUAL_ROUNDS)
    size: str = str(USUAL_PAIR_SIZE)
    mode: str = PAIRS
    ranking: str = BY_LADDER
    minutes: str = ""
    confirms: str = NO
    fee: str = ""
    prizes: str = ""
    game: NewMatchForm | None = None
    """The answers about the chosen game; `None` where none is chosen."""

    @property
    def variant(self) -> str:
        """The chosen game."""
        return self.game.ruleset.id if self.game else ""

    @property
    def setup(self) -> NightSetup:
        """The setup of a night that starts by the form, with a new uid."""
        return NightSetup(
            id=0,
            uid=new_code(),
            created_at=datetime.now(UTC),
            title=self.title,
            rounds=read_number(self.rounds),
            size=read_number(self.size),
            variant=self.variant,
            house=self.game.house if self.game else {},
        )

    @property
    def plan(self) -> NightPlanned:
        """The settings that the form has besides name and rounds."""
        return NightPlanned(
            mode=self.mode,
            # Nobody climbs where partners are drawn.
            ranking=BY_WINS if self.mode == SINGLES and self.ranking == BY_LADDER else self.ranking,
            minutes=read_number(self.minutes or "0"),
            confirms=self.confirms == YES,
            fee=self.fee,
            prizes=self.prizes,
        )


@bp.get("/new")
def new() -> Response:
    """Show the form by which a night starts."""
    return _show_new_form(NightForm())


@bp.post("/new")
def new_submit() -> Response:
    """Start a night, once every option that its game leaves open has an answer, and go on to its pairs."""
    form, pressed = read_night_form(NightForm()), request.form.get("do", "")
    if pressed == "change":
        return _show_new_form(form)
    setup, plan, game = form.setup, form.plan, form.game
    try:
        refuse_wrong_night(setup, plan)
        if game and not can_seat_pairs(game.ruleset.table, setup.size):
            against = f"{game.ruleset.name} does not seat {setup.size} against {setup.size}."
            raise refusal("variant", f"{against} Change the game, or how many play together.")
    except Refused as refused:
        return _show_new_form(form, refused.reasons)
    if game and game.ruleset.open_options:
        together = (fault.inside("house") for fault in with_house(game.ruleset, game.house)[1])
        faults = ([*game.find_faults()] or [*together]) if pressed == "start" else []
        if faults or pressed != "start":
            return _show_open_questions(form, game, faults)
    return redirect_to(".pairs", code=start_night(db.session, device(), setup, plan, posted_key()))


def _show_new_form(form: NightForm, faults: Sequence[Fault] = ()) -> Response:
    """Show the form by which a night starts, with what was typed, and faults if any."""
    return render_page(
        "nights/new.html",
        form=form,
        size=labeled_question("size", "How many play together?", {digit: digit for digit in "1234"}, form.size),
        mode=labeled_question("mode", "With whom?", MODE_LABELS, form.mode),
        ranking=_ranking_question(form.ranking),
        games=night_games(),
        faults=_faults_view("Not started yet", faults),
        most_rounds=MAX_ROUNDS,
    )


def _ranking_question(chosen: str) -> QuestionView:
    return labeled_question("ranking", "What wins the night?", sentences.RANKING_LABELS, chosen)


def _show_open_questions(form: NightForm, game: NewMatchForm, faults: Sequence[Fault]) -> Response:
    """Show the questions about the options that a game leaves open."""
    return render_page(
        "nights/agree.html",
        form=form,
        game=game,
        goal=goal_words(game.played_rules),
        questions=open_questions(game, faults),
        faults=faults_view("Not started yet", distinct_faults(faults, _target)),
    )


def _faults_view(lead: str, faults: Iterable[Fault]) -> FaultsView | None:
    """Return faults to show, each with the id of its field; `None` without any. `lead` begins the heading."""
    return faults_view(lead, ((fault.message, _target(fault)) for fault in faults))


def _target(fault: Fault) -> str:
    return fault.field.replace(".", "-")


def night_games() -> tuple[Ruleset, ...]:
    """Return the games whose matches can be kept at the tables of a night: two pairs sit down, and a match ends."""
    return tuple(
        ruleset for ruleset in library() if can_seat_pairs(ruleset.table, USUAL_PAIR_SIZE) and has_end(ruleset)
    )


def read_night_form(form: NightForm) -> NightForm:
    """Return a form with what was posted in its place."""
    typed = {name: tidy(text[:MAX_TYPED_LENGTH]) for name, text in request.form.items()}
    ruleset, game = library().rulesets.get(typed.get("variant", "")), None
    if ruleset:
        answers = {name: text for name, text in typed.items() if name.partition("-")[2] in ruleset.open_options}
        # Pairs are partners wherever they may be.
        game = read_form(ruleset, {**answers, SEATING_FIELD: PARTNERS})
    return replace(form, **{name: typed[name] for name in _TEXT_FIELDS if name in typed}, game=game)


def read_number(typed: str) -> int:
    """Return a small whole number; -1 where the text is none."""
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 9 else -1


# ---------- the tables ----------


@bp.get("/<code>/")
@for_watchers
def show(code: str) -> Response:
    """Show the host's page, which polls for what other phones write; a phone that only watches sees where to sit."""
    if is_unchanged(code):
        return no_news_response()
    access = load_night(code, may_be_deleted=True)
    if access.night.is_deleted:
        return redirect_to(".show", code=code) if wants_fragment() else _show_night_size("nights/deleted.html", access)
    if not access.link.may_score:
        return redirect_to("night_seats.show", code=code)
    if not access.night.rounds:
        return redirect_to(".pairs", code=code)
    return _show_host_page(access)


def _show_host_page(access: NightAccess, notice: str = "", status: int = 200) -> Response:
    """Show every table with buttons for who won; `notice` is why nothing was written."""
    night, variant = access.night, access.setup.variant
    current = night.current
    keeps = can_keep_matches(library(), access.setup)
    games = sum(game.winner is not None for round_ in night.rounds for game in round_.games)
    return render_night(
        "nights/host.html",
        access,
        block=("board", "bottom_bar"),
        status=status,
        current=current,
        movements=sentences.movements(night),
        out=sentences.sitting_out_words(night),
        plays=sentences.attendance_words(night),
        match_codes=codes_of_kept_matches(db.session, access, device()),
        keeps_matches=keeps,
        unkept="" if keeps or variant not in library() or night.is_over else library()[variant].name,
        size=digits(current.top, "table"),
        done=f"{current.top - len(current.playing)} of {current.top} in",
        notes={game.table: _game_note(night, game) for game in current.games},
        kind=_entrants_heading(night),
        latest="" if notice else sentences.latest_correction_words(night),
        notice=notice or sentences.next_round_note(night),
        results=f"{digits(len(night.rounds), 'round')}, {digits(games, 'game')}",
        waits_for=_still_playing_words(current),
        next_number=current.number + 1,
        undoes=sentences.undo_words(night) if night.may_undo(access.link.role) else "",
        redoes=sentences.redo_words(night) if night.may_redo(access.link.role) else "",
    )


def _entrants_heading(night: Night) -> str:
    """Return the heading of the list of those who play: "Pairs", "Players"."""
    return f"{night.one.capitalize()}s"


def _game_note(night: Night, game: Game) -> str:
    """Return how a game ended, and why it has a result that nobody tapped."""
    if scores := sentences.score_words(game):
        return f"{scores}."
    if entered := sentences.results_entered_words(night, game):
        return entered
    name = next((night.name(uid) for uid in game.pairs if night.has_left(uid)), "")
    return f"{name} left, so the others have won." if game.is_default and name else ""


def _still_playing_words(current: Round) -> str:
    """Return which tables are still playing; empty where none is."""
    tables = [str(game.table) for game in current.playing]
    if len(tables) > 4:
        return f"{len(tables)} tables are still playing"
    if len(tables) > 1:
        return f"Tables {join_words(tables)} are still playing"
    return f"Table {tables[0]} is still playing" if tables else ""


def _write_and_show(code: str, change: NightChange, *, table: int = 0) -> Response:
    """Append the change of a form on the host's page, commit, and show that page, with the reason if refused."""
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
    """Write who won at a table, or clear it, where that is still as the page showed it."""
    winner, shown = read_winner(), request.form.get("was")

    def make_result_event(night: Night) -> events.GameWon:
        game = night.game_at(number, table)
        if winner == game.winner:
            return events.GameWon(round=number, table=table, winner=winner, scores=game.scores)
        if number != len(night.rounds):
            raise refusal("", f"Round {number} is over, and nothing was saved. Check the tables, then tap again.")
        if shown not in (None, str(game.winner or "")):
            why = f"Someone else wrote first who won at table {table}, and nothing was saved. Check it, then tap again."
            raise refusal("", why)
        return events.GameWon(round=number, table=table, winner=winner)

    return _write_and_show(code, make_result_event, table=table)


@bp.post("/<code>/rounds")
@for_scorers
def start_round(code: str) -> Response:
    """Let everybody move, and start the next round."""
    number = request.form.get("round", 0, type=int)
    return _write_and_show(code, lambda night: draw_round(number, night))


@bp.post("/<code>/rounds/<int:number>/undo")
@for_owners
def undo_round(code: str, number: int) -> Response:
    """Undo a round whole, with its results."""
    return _write_and_show(code, events.RoundTakenBack(round=number))


@bp.post("/<code>/undo")
@for_scorers
def undo(code: str) -> Response:
    """Undo what was written last."""
    return _write_and_show(code, undo_event)


@bp.post("/<code>/redo")
@for_scorers
def redo(code: str) -> Response:
    """Restore what the last undo undid."""
    return _write_and_show(code, redo_event)


@bp.post("/<code>/tables/<int:table>/match")
@for_scorers
def keep_match(code: str, table: int) -> Response:
    """Start a match at a table, whose verdict will be the result, and open it."""
    match = start_match_at_table(db.session, library(), code, table, writer(), count_match)
    return redirect_to("matches.show", code=match)


# ---------- the list ----------


@bp.get("/<code>/list")
@for_watchers
def results(code: str) -> Response:
    """Show who stands where, and who won so far."""
    access = load_night(code)
    night = access.night
    return render_night(
        "nights/list.html",
        access,
        fees=sentences.fee_lines(night),
        ranking=sentences.ranking_words(night),
        standings=[
            (standing.rank, night.name(standing.pair), _standing_words(night, standing)) for standing in night.standings
        ],
        rounds=[
            (
                round_.number,
                [
                    (game.table, _result_words(night, game))
                    for game in reversed(round_.games)
                    if game.winner is not None
                ],
                [night.name(uid) for uid in round_.out],
            )
            for round_ in reversed(night.rounds)
        ],
    )


@bp.get("/<code>/night.csv")
@for_watchers
def csv_file(code: str) -> Response:
    """Send the games of the night for a spreadsheet."""
    night = load_night(code).night
    name = file_name(sentences.night_title(night), "csv")
    return make_download(Response(night_csv(night), mimetype="text/csv"), name)


def _standing_words(night: Night, standing: PairStanding) -> str:
    """Return how a pair stands: its last table by the ladder, and its games won."""
    result = f"{standing.won} of {standing.played} won" if standing.played else "no game over yet"
    if night.plan.ranking != BY_LADDER:
        return f"{result}, {digits(standing.points, 'point')}" if standing.points else result
    has_left = night.pairs[standing.pair].has_left
    where = "left" if has_left else f"table {standing.table}" if standing.table else "no table in the last round"
    return f"{where}, {result}"


def _result_words(night: Night, game: Game) -> str:
    """Return who beat whom, with the score where it was entered."""
    winner, loser = night.name(game.winner or 0), night.name(game.loser or 0)
    if game.is_default:
        return f"{winner} won, for {loser} left"
    scores = sentences.score_words(game)
    return f"{winner} beat {loser}{', ' if scores else ''}{scores}"


@bp.get("/<code>/rounds/<int:number>/tables/<int:table>")
@for_scorers
def correct(code: str, number: int, table: int) -> Response:
    """Show the form to enter or correct how a game ended, and what that changes."""
    return _show_result_form(load_night(code), number, table)


@bp.post("/<code>/rounds/<int:number>/tables/<int:table>/result")
@for_scorers
def save_result(code: str, number: int, table: int) -> Response:
    """Write who won at a table, and how it ended; for a round that is over, go back to the list."""
    winner = read_winner()

    def make_result_event(night: Night) -> events.GameWon:
        game = night.game_at(number, table)
        moves = sentences.trade_words(night, number, table)
        if winner != game.winner and request.form.get("moves", moves) != moves:
            raise refusal("", "Somebody has started to play since. Check who moves now, then save again.")
        return events.GameWon(round=number, table=table, winner=winner, scores=_read_scores(_typed_scores(game)))

    try:
        access = write_night(code, make_result_event)
    except Refused as refused:
        return _show_result_form(load_night(code), number, table, refused.reasons)
    if number < access.night.current.number:
        return redirect_to(".results", code=code)
    return redirect_to(".show", code=code, _anchor=f"t{table}")


def _typed_scores(game: Game) -> dict[int, str]:
    """Return the score of each pair as it was typed."""
    return {pair: request.form.get(f"score-{pair}", "")[:MAX_TYPED_LENGTH].strip() for pair in game.pairs}


def _read_scores(typed: Mapping[int, str]) -> tuple[int, int] | None:
    """Return the scores of the two pairs as numbers, `None` where neither was typed; raises `Refused`."""
    if not any(typed.values()):
        return None
    scores = []
    for pair, text in typed.items():
        if not text:
            raise refusal(f"score-{pair}", "Type both scores, or neither.")
        if (score := parse_whole_number(text)) is None or abs(score) > MAX_SCORE:
            raise refusal(f"score-{pair}", f"A score goes from −{MAX_SCORE} to {MAX_SCORE}.")
        scores.append(score)
    return scores[0], scores[1]


def _show_result_form(access: NightAccess, number: int, table: int, faults: Sequence[Fault] = ()) -> Response:
    """Show the form for the result of a game as it is or, with faults, as it was posted; 404 where there is none."""
    night = access.night
    game = night.game(number, table) or abort(404)
    names = {str(pair): night.name(pair) for pair in game.pairs}
    winner, scores = game.winner, map(score_text, game.scores) if game.scores else ("", "")
    typed = dict(zip(game.pairs, scores, strict=True))
    if faults:
        winner, typed = read_winner(), _typed_scores(game)
    return render_night(
        "nights/correct.html",
        access,
        faults=_faults_view("Not saved yet", faults),
        round_number=number,
        table=table,
        winner=labeled_question("winner", f"Who won at table {table} in round {number}?", names, str(winner or "")),
        scores=typed,
        moves=sentences.trade_words(night, number, table),
        correction=sentences.correction_words(night, number, table),
    )


def read_winner() -> int | None:
    """Return the uid of the pair that the form names as winner; `None` where it clears the result."""
    winner = request.form.get("winner", "")
    return read_number(winner) if winner else None


# ---------- the pairs ----------


@bp.get("/<code>/pairs")
@for_scorers
def pairs(code: str) -> Response:
    """Show who plays tonight."""
    return _show_pairs(load_night(code))


@bp.post("/<code>/pairs")
@for_scorers
def add_pair(code: str) -> Response:
    """Add a pair: before the start, or late."""
    players, roster = read_players(), request.form.get("roster", "")[:MAX_ROSTER_LENGTH]
    picked = request.form.getlist("known")[:MAX_PICKED_LINES]
    rosters = [names for line in (*roster.splitlines(), *picked) if (names := read_names(line))]
    if load_night(code, may_be_deleted=True).night.plan.mode != PAIRS:
        rosters = [[name] for names in rosters for name in names]
    if any(players) or not rosters:
        rosters = [players, *rosters]
    try:
        add_pairs(db.session, code, rosters, writer())
    except Refused as refused:
        return _show_pairs(load_night(code), refused.reasons, roster=roster, picked=picked)
    return redirect_to(".pairs", code=code, _anchor="players-0")


@bp.post("/<code>/pairs/<int:pair>")
@for_scorers
def change_pair(code: str, pair: int) -> Response:
    """Let a pair leave or come back, or change its names."""
    wanted: dict[str, NightChange] = {
        "leave": events.PairLeft(pair=pair),
        "back": events.PairReturned(pair=pair),
        "remove": events.PairRemoved(pair=pair),
        "rename": events.PairRenamed(pair=pair, players=tuple(read_players())),
    }
    change = wanted.get(request.form.get("do", "")) or abort(400)
    try:
        write_night(code, change)
    except Refused as refused:
        faults = [replace(fault, field=fault.field.replace("players.", f"p{pair}.")) for fault in refused.reasons]
        return _show_pairs(load_night(code), faults, renamed=pair)
    return redirect_to(".pairs", code=code)


def _show_pairs(
    access: NightAccess,
    faults: Sequence[Fault] = (),
    *,
    roster: str = "",
    picked: Sequence[str] = (),
    renamed: int | None = None,
) -> Response:
    """Show who plays tonight, with what was posted where it was refused: a new pair, a list, or a pair's names."""
    night, posted = access.night, read_players()
    is_pairs = night.plan.mode == PAIRS
    size = night.size if is_pairs else 1
    present = {name_key(name) for uid in night.present for name in night.pairs[uid].players}
    names, pairs = suggested_players(db.session, access) if access.link.is_owner else ((), ())
    return render_night(
        "nights/pairs.html",
        access,
        faults=_faults_view("Not saved yet" if renamed else "Not added yet", faults),
        places={uid: _seat_words(night, uid) for uid in night.pairs},
        plays=sentences.attendance_words(night),
        renamed={renamed: posted} if renamed else {},
        seated=night.seated,
        kind=_entrants_heading(night),
        names=names,
        known={
            line: line in picked
            for line in (pairs if is_pairs else names)
            if not present & {*map(name_key, read_names(line))}
        },
        roster=roster,
        longest_name=MAX_TYPED_LENGTH,
        typed=[*(() if renamed else posted), *[""] * size][:size],
    )


def _seat_words(night: Night, uid: int) -> str:
    """Return where a pair sits: "table 3", "plays from the next round on"."""
    current = night.current
    if night.pairs[uid].has_left:
        return "left"
    if not night.rounds:
        return ""
    if game := current.game_of(uid):
        return f"table {game.table}"
    return "sits out" if uid in current.out else "plays from the next round on"


def read_players() -> list[str]:
    """Return the typed names of a pair, without empty ones at the end."""
    typed = (request.form.get(f"players-{index}", "") for index in range(MAX_IN_PAIR))
    names = [tidy(name[:MAX_TYPED_LENGTH]) for name in typed]
    while len(names) > 1 and not names[-1]:
        names.pop()
    return names


def read_names(line: str) -> list[str]:
    """Return who plays together by a line that was typed or pasted: "Ann & Cal", "Ann, Cal", "Ann and Cal"."""
    return [name for part in _NAME_SEPARATOR.split(line[:MAX_TYPED_LENGTH]) if (name := tidy(part))]


@bp.get("/<code>/seating")
@for_owners
def seating(code: str) -> Response:
    """Show the form by which somebody places the pairs by hand, at first in the order in which they came."""
    access = load_night(code)
    if access.night.rounds or len(access.night.present) < 2 or access.night.plan.mode != PAIRS:
        return redirect_to(".show", code=code)
    return _show_seating_form(access)


@bp.post("/<code>/start")
@for_owners
def start(code: str) -> Response:
    """Seat the pairs for round 1: drawn by lot, or as they were placed."""
    if request.form.get("do") != "hand":
        return _write_and_show(code, draw_first_round)
    try:
        write_night(code, _seating_by_hand)
    except Refused as refused:
        return _show_seating_form(load_night(code), refused.reasons)
    return redirect_to(".show", code=code)


def _show_seating_form(access: NightAccess, faults: Sequence[Fault] = ()) -> Response:
    """Show the form with the table of each pair, in the order in which they came or, with faults, as posted."""
    present = access.night.present
    tables, odd = divmod(len(present), 2)
    by_arrival = {uid: index // 2 + 1 if index < 2 * tables else 0 for index, uid in enumerate(present)}
    return render_night(
        "nights/seating.html",
        access,
        faults=_faults_view("Not started yet", faults),
        tables=range(tables, 0, -1),
        chosen=_posted_tables(access.night) if faults else by_arrival,
        one_sits_out=odd == 1,
    )


def _posted_tables(night: Night) -> dict[int, int]:
    """Return the table that was chosen for each pair; 0 is sitting out."""
    return {uid: read_number(request.form.get(f"table-{uid}", "")) for uid in night.present}


def _seating_by_hand(night: Night) -> events.NightStarted:
    """Return the event that seats the pairs at the posted tables; raises `Refused` for a table without two."""
    chosen, tables = _posted_tables(night), []
    for table in range(1, len(chosen) // 2 + 1):
        pairs = [uid for uid, at in chosen.items() if at == table]
        if len(pairs) != 2:
            raise refusal("", f"Table {table} has {digits(len(pairs), 'pair')}; it needs 2.")
        tables.append((pairs[0], pairs[1]))
    out = [uid for uid, at in chosen.items() if at == 0]
    return events.NightStarted(tables=tuple(tables), sits_out=out[0] if len(out) == 1 else None, by_lot=False)


# ---------- the rounds and the end ----------


@bp.get("/<code>/settings")
@for_owners
def settings(code: str) -> Response:
    """Show what can be changed of a night."""
    return _show_settings(load_night(code))


def _settings_form(night: Night) -> NightForm:
    """Return the form of a night's settings, with what was posted in place of what they are."""
    plan = night.plan
    return read_night_form(
        NightForm(
            title=night.title,
            rounds=str(night.agreed),
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
    """Change the name of a night and its number of rounds, or end it, or go on with it."""
    if change := {"end": events.NightEnded(), "resume": events.NightResumed()}.get(request.form.get("do", "")):
        return _write_and_show(code, change)
    form = _settings_form(load_night(code, may_be_deleted=True).night)
    rounds, title = events.RoundsAgreed(rounds=read_number(form.rounds)), events.NightRenamed(title=form.title)
    try:
        write_night(code, lambda _: (rounds, title, form.plan))
    except Refused as refused:
        return _show_settings(load_night(code), refused.reasons)
    return redirect_to(".show", code=code)


def _show_settings(access: NightAccess, faults: Sequence[Fault] = ()) -> Response:
    """Show the form of a night's settings, with faults if any."""
    form = _settings_form(access.night)
    return render_night(
        "nights/settings.html",
        access,
        faults=_faults_view("Not saved yet", faults),
        form=form,
        ranking=None if access.night.rounds else _ranking_question(form.ranking),
        confirms=labeled_question(
            "confirms", "Do both pairs confirm a result on their phones?", {YES: "yes", NO: "no"}, form.confirms
        ),
    )


@bp.get("/<code>/delete")
@for_owners
def delete(code: str) -> Response:
    """Show the question before the night is deleted."""
    return _show_night_size("nights/delete.html", load_night(code))


@bp.post("/<code>/delete")
@for_owners
def delete_submit(code: str) -> Response:
    """Delete the night; it can be restored."""
    write_night(code, events.NightDeleted())
    return redirect_to("home.index", gone_night=code)


@bp.post("/<code>/restore")
@for_owners
def restore(code: str) -> Response:
    """Restore a night that was deleted."""
    write_night(code, events.NightRestored())
    return redirect_to(".show", code=code)


def _show_night_size(template: str, access: NightAccess) -> Response:
    """Show a page that says how many pairs and rounds a night has, before or after it is deleted."""
    pairs = sentences.number_of_entrants_words(access.night, len(access.night.pairs))
    holds = f"{pairs} and {digits(len(access.night.rounds), 'round')}"
    return render_page(template, access=access, title=sentences.night_title(access.night), holds=holds)
