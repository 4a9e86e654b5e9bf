"""Where a pair sits now, the wall, how a phone joins a night, and the list of its phones."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial

from flask import Blueprint, Response, request

from scorekeeper.access import phones
from scorekeeper.access.invitations import NoInvitation, invitation_of_code, invite, open_invitations
from scorekeeper.access.phones import Phone
from scorekeeper.access.roles import Invitation
from scorekeeper.club.nights import sentences
from scorekeeper.club.nights.events import ResultReported
from scorekeeper.club.nights.night import Game, Night, Round
from scorekeeper.club.nights.pages.context import is_unchanged, load_night, render_night, write_night
from scorekeeper.club.nights.sentences import Direction, night_title
from scorekeeper.club.nights.service import NightAccess, night_of_link, set_pair_of_phone
from scorekeeper.club.nights.store import NIGHT_LINKS, NightLink, join_night
from scorekeeper.club.nights.table_moves import next_table
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import ROLE_RANKS, WATCHER, Refused, refusal
from scorekeeper.pages.phones.views import PhonesPage, PhoneView, end_link_as_viewer
from scorekeeper.pitch.rules.phrases import digits
from scorekeeper.web.context import device, for_owners, for_watchers
from scorekeeper.web.respond import no_news_response, redirect_to

bp = Blueprint("night_seats", __name__)

MAX_TABLES_IN_FLIGHT = 6
MAX_ROUNDS_DRAWN = 12
"""The most rounds that the wall shows as a row of marks."""
MAX_LENGTH_OF_ONE_LINE, MAX_LENGTH_OF_TWO_LINES = 12, 26
"""The longest names, in letters, that take one and two lines on a card of the wall."""
TAP_WINNER_SENTENCE = "Tap who won. It counts once both pairs say the same."


# ---------- a pair's phone ----------


@bp.get("/nights/<code>/seat")
@for_watchers
def show(code: str) -> Response:
    """Show where the pair of this phone sits, or all tables; an open page polls for what changed."""
    if is_unchanged(code):
        return no_news_response()
    access = load_night(code)
    night, pair = access.night, access.link.pair
    side, game = night.current.side_of(pair), night.current.game_of(pair)
    mine = game if pair in night.present and not night.is_over else None
    direction, lead = _arrival_words(night, pair, mine) if mine else ("", "")
    return render_night(
        "night_seats/seat.html",
        access,
        block=("head", "board"),
        pair=pair,
        side=side,
        entered=_possible_winners(night, side, game),
        mine=mine,
        confirmation=(sentences.results_entered_words(night, mine) if mine else "") or TAP_WINNER_SENTENCE,
        direction=direction,
        lead=lead,
        until=_status_sentence(night, pair),
        played=list(_rounds_played(night, pair)),
    )


def _possible_winners(night: Night, side: int, game: Game | None) -> Mapping[int, bool]:
    """Return the two pairs of a game that this phone's pair may enter as winner, and which one it entered.

    Empty where the pair has nothing to enter.
    """
    if game is None or game.winner is not None or not night.plan.confirms:
        return {}
    entered, _ = game.entered.get(side, (0, 0))
    return {pair: pair == entered for pair in game.pairs}


@bp.post("/nights/<code>/seat/won")
@for_watchers
def say(code: str) -> Response:
    """Write the winner that this phone's pair entered for the game at its table."""
    link, winner = NIGHT_LINKS.head_in_force(db.session, code).link, request.form.get("winner", 0, type=int)

    def make_result_event(night: Night) -> ResultReported:
        round_ = night.current
        if (game := round_.game_of(link.pair)) is None:
            raise refusal("", "This phone sits at no table now. Say who you are.")
        side = round_.side_of(link.pair)
        return ResultReported(round=round_.number, table=game.table, pair=side, winner=winner, phone=link.id)

    try:
        write_night(code, make_result_event)
    except Refused:
        load_night(code)  # raises `DeletedNight`, which has a page of its own
        raise
    return redirect_to(".show", code=code)


def _arrival_words(night: Night, pair: int, mine: Game) -> tuple[Direction, str]:
    """Return in which direction a pair came to its table, and a sentence about that; both empty where it did not."""
    current = night.current
    before = night.round(current.number - 1)
    if not night.climbs:
        return "", ""
    if (game := before.game_of(pair)) is None:
        return ("up", "You sat out, and play again") if pair in before.out else ("", "Welcome")
    # Tables are added and removed at the low end: the others then have other numbers, and nobody has moved for that.
    other_numbers = current.top - before.top
    direction, lead = _move_words(mine.table - game.table - other_numbers, has_won=before.has_won(pair))
    return direction, f"{lead}. The tables have new numbers" if other_numbers else lead


def _move_words(tables: int, *, has_won: bool) -> tuple[Direction, str]:
    """Return the direction of moving this many tables up, and the words for it."""
    if tables > 0:
        return "up", "You won, and move up" if has_won else "You move up to fill in"
    if tables < 0:
        return "down", "You move down" if has_won else "You start again from the low end"
    return "stays", "You won, and stay on top" if has_won else "You stay"


def _status_sentence(night: Night, pair: int) -> str:
    """Return what the pair of this phone waits for, or how the night ended; empty where it plays."""
    current = night.current
    if night.is_over:
        if night.champions == (pair,):
            return "You win the night."
        return f"{sentences.champion_words(night)}." if night.champions else "The night is over."
    if not pair:
        return ""
    if pair not in night.present:
        return "You have left. Ask the host if you want to play again."
    if not night.rounds:
        return "The host will seat you. This page then shows your table."
    if pair in current.out:
        return f"You sit {sentences.sitting_out_words(night).replace(', back', ', and come back')}."
    game = current.game_of(pair)
    if game is None:
        return "You play from the next round on."
    return f"You sit at table {game.table} until all are done." if game.winner is not None else ""


def _rounds_played(night: Night, pair: int) -> Iterator[tuple[Round, Direction, str]]:
    """Yield the rounds that a pair finished or sat out, latest first, each with its next direction and its score."""
    for round_ in reversed(night.rounds):
        game = round_.game_of(pair)
        if game and game.winner is not None:
            won = round_.has_won(pair)
            is_last = round_.number >= night.agreed or not night.climbs
            table = game.table if is_last else next_table(game.table, won=won, top=round_.top)
            direction: Direction = "up" if table > game.table else "down" if table < game.table else ""
            yield round_, direction, sentences.score_words(game)
        elif pair in round_.out:
            yield round_, "", ""


# ---------- which pair ----------


@bp.get("/nights/<code>/pair")
@for_watchers
def ask(code: str) -> Response:
    """Show the form for which pair holds this phone."""
    return _show_pair_form(load_night(code))


def _show_pair_form(access: NightAccess, invitation: Invitation | None = None) -> Response:
    """Show the form for which pair holds this phone; with an invitation, for a phone that joins by it."""
    return render_night("night_seats/which_pair.html", access, invitation=invitation)


@bp.post("/nights/<code>/pair")
@for_watchers
def choose(code: str) -> Response:
    """Remember which pair holds this phone."""
    access = load_night(code)
    set_pair_of_phone(db.session, access, _posted_pair())
    return _redirect_to_seat_or_wall(access.code)


# ---------- the wall ----------


@bp.get("/nights/<code>/wall")
@for_watchers
def wall(code: str) -> Response:
    """Show the tables for the whole room; an open page polls for what changed."""
    invitation = open_invitations(db.session, NIGHT_LINKS.head_in_force(db.session, code)).get(WATCHER)
    if is_unchanged(code) and request.args.get("let", type=int) == (invitation.id if invitation else 0):
        return no_news_response()
    access = load_night(code)
    night, current = access.night, access.night.current
    done = f"{current.top - len(current.playing)} of {digits(current.top, 'table')} done" if night.rounds else ""
    seconds, movements = _seconds_left(night), sentences.movements(night)
    return render_night(
        "night_seats/wall.html",
        access,
        block=("head", "board", "announcement"),
        current=current,
        rule=sentences.moving_rule_words(night),
        winning=sentences.winning_words(night),
        notice=sentences.next_round_note(night),
        out=sentences.sitting_out_words(night),
        movements=movements,
        done=done,
        flights=_flights(current.games) if night.rounds else (),
        widths={uid: _width_class(night.name(uid)) for uid in movements},
        seconds=seconds,
        clock=_clock_words(seconds) if seconds is not None else "",
        rounds=range(1, night.agreed + 1) if night.agreed <= MAX_ROUNDS_DRAWN else (),
        invitation=invitation,
    )


def _seconds_left(night: Night) -> int | None:
    """Return the seconds that the round has left, negative once its time is up; `None` without a clock or round."""
    round_ = night.current
    if round_.began is None or not night.plan.minutes or not round_.playing or night.is_over:
        return None
    ends = round_.began + timedelta(minutes=night.plan.minutes)
    return int((ends - datetime.now(UTC)).total_seconds())


def _clock_words(seconds: int) -> str:
    """Return the time left in minutes, rounded up, or that time is up."""
    return f"{digits(-(-seconds // 60), 'minute')} left" if seconds > 0 else "Time is up"


def _flights(games: tuple[Game, ...]) -> tuple[tuple[Game, ...], ...]:
    """Return the games in flights of stairs for the wall, from the lowest table up.

    One flight has up to six tables, two have up to twelve, and then there are rows of six.
    """
    rows = -(-len(games) // MAX_TABLES_IN_FLIGHT)
    size = -(-len(games) // rows)
    return tuple(games[at : at + size] for at in range(0, len(games), size))


def _width_class(name: str) -> str:
    """Return the CSS class for how long a name is on a card of the wall; empty for a short one."""
    return "longest" if len(name) > MAX_LENGTH_OF_TWO_LINES else "wordy" if len(name) > MAX_LENGTH_OF_ONE_LINE else ""


# ---------- joining ----------


@bp.get("/join/night/<code>")
def ask_pair(code: str) -> Response:
    """Show a phone that joins the form for which pair holds it."""
    invitation = invitation_of_code(db.session, code, "night")
    return _show_pair_form(_load_night_to_join(invitation.stream_id), invitation)


@bp.post("/join/night/<code>")
def enter(code: str) -> Response:
    """Make a link for the phone, and show where its pair sits; for a TV, the wall."""
    invitation = invitation_of_code(db.session, code, "night")
    access, pair = _load_night_to_join(invitation.stream_id), _posted_pair()
    link = join_night(db.session, invitation, device(), pair if pair in access.night.pairs else 0)
    return _redirect_to_seat_or_wall(link.code)


def _redirect_to_seat_or_wall(code: str) -> Response:
    """Redirect to the wall where the form asks for it, else to the seat of this phone's pair."""
    return redirect_to(".wall" if request.form.get("to") == "wall" else ".show", code=code)


def _load_night_to_join(night_id: int) -> NightAccess:
    """Return a night as one sees it who joins; raises `NoInvitation` where it was deleted."""
    access = night_of_link(db.session, NightLink(0, "", WATCHER, night_id))
    if access.night.is_deleted:
        raise NoInvitation
    return access


def _posted_pair() -> int:
    """Return the uid of the pair in the form; 0 for nobody."""
    return request.form.get("pair", 0, type=int)


phones_bp = Blueprint("night_phones", __name__, url_prefix="/nights/<code>/phones")


def _phone_view(access: NightAccess, phone: Phone[NightLink], _number: int) -> PhoneView:
    """Return a phone of the night as its list shows it, with the name of its pair."""
    pair = phone.link.pair
    if pair in access.night.pairs:
        return PhoneView(phone=phone, name=access.night.name(pair))
    nameless = "A phone that keeps the night" if phone.link.may_score else "A phone that watches, or the wall"
    return PhoneView(phone=phone, name=nameless)


PhonesPage[NightAccess](
    home="nights.show",
    load=load_night,
    title=lambda access: night_title(access.night),
    view=_phone_view,
    # A role lets a phone in again that was removed.
    changes={
        **{role: partial(phones.give_role, role=role, also_reopens=True) for role in ROLE_RANKS},
        "end": end_link_as_viewer,
    },
).add_to(phones_bp, "")


@phones_bp.post("/wall")
@for_owners
def put_on_wall(code: str) -> Response:
    """Let phones join by the code that is shown on the wall, and show it."""
    invite(db.session, load_night(code), WATCHER)
    return redirect_to("night_seats.wall", code=code)
