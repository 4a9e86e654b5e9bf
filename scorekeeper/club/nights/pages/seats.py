"""The pages of a night for everybody's phones: an entrant's seat, the tables on the wall, joining, and all phones."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial

from flask import Blueprint, Response, request

from scorekeeper.access import phones
from scorekeeper.access.invitations import NoInvitation, invitation_of_code, invitations_in_force, invite
from scorekeeper.access.phones import Phone
from scorekeeper.access.roles import Invitation, Link
from scorekeeper.club.nights import sentences
from scorekeeper.club.nights.events import ResultReported
from scorekeeper.club.nights.night import Game, Night, Round
from scorekeeper.club.nights.pages.context import is_poll_without_news, load_night, render_night, write_night
from scorekeeper.club.nights.sentences import Direction, night_title
from scorekeeper.club.nights.service import NightAccess, ladder_night_of_link, store_entrant_of_phone
from scorekeeper.club.nights.store import entrant_uid_of, join_night
from scorekeeper.club.nights.table_moves import next_table
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import ROLE_RANKS, WATCHER, Refused, refusal
from scorekeeper.pages.phones.views import PhonesPage, PhoneView, end_link_as_viewer
from scorekeeper.pitch.rules.phrases import digits
from scorekeeper.web.context import device, for_owners, for_watchers, load_head
from scorekeeper.web.respond import no_news_response, redirect_to

bp = Blueprint("night_seats", __name__)

MAX_TABLES_PER_FLIGHT = 6
"""The most tables in one flight of the stairs that stand for the ladder on the page for the wall."""
MAX_ROUND_MARKS = 12
"""The most rounds of which the page for the wall marks each."""
MAX_NAME_LENGTH_ON_ONE_LINE, MAX_NAME_LENGTH_ON_TWO_LINES = 12, 26
"""The most letters of a name that fit on one line, and on two lines, of a card on the page for the wall."""


# ---------- an entrant's phone ----------


@bp.get("/nights/<code>/seat")
@for_watchers
def show(code: str) -> Response:
    """Show the table of this phone's entrant, and all tables; 204 for a poll without changes."""
    if is_poll_without_news(code):
        return no_news_response()
    access = load_night(code)
    night, uid = access.night, access.entrant_uid
    side = night.current_round.side_of(uid)
    own_game = night.current_round.game_of(uid) if uid in night.present_uids and not night.is_over else None
    direction, arrival_text = _arrival_words(night, uid, own_game) if own_game else ("", "")
    return render_night(
        "night_seats/seat.html",
        access,
        block=("head", "board"),
        own_uid=uid,
        side=side,
        possible_winners=_possible_winners(night, side, own_game),
        own_game=own_game,
        report_text=own_game and sentences.results_entered_words(night, own_game, "agree with the others"),
        direction=direction,
        arrival_text=arrival_text,
        status_text=_status_words(night, uid),
        finished_rounds=list(_finished_rounds(night, uid)),
    )


def _possible_winners(night: Night, side: int, game: Game | None) -> Mapping[int, bool]:
    """Return whether `side` has entered each possible winner of its game, keyed by the winner's uid.

    Empty if the side cannot enter a winner.
    """
    if game is None or game.winner is not None or not night.plan.confirms:
        return {}
    entered_winner, _ = game.reports_by_side.get(side, (0, 0))
    return {winner: winner == entered_winner for winner in game.sides}


@bp.post("/nights/<code>/seat/won")
@for_watchers
def report_winner(code: str) -> Response:
    """Store the winner that this phone's entrant enters for its game, and redirect to the seat."""
    link, winner = load_head(code, "night").link, request.form.get("winner", 0, type=int)
    uid = entrant_uid_of(link)

    def make_result_event(night: Night) -> ResultReported:
        round_ = night.current_round
        if (game := round_.game_of(uid)) is None:
            raise refusal("", "This phone sits at no table now. Say who you are.")
        side = round_.side_of(uid)
        return ResultReported(round=round_.number, table=game.table, pair=side, winner=winner, phone=link.id)

    try:
        write_night(code, make_result_event)
    except Refused:
        load_night(code)  # raises `DeletedNight`, which has a page of its own
        raise
    return redirect_to(".show", code=code)


def _arrival_words(night: Night, uid: int, own_game: Game) -> tuple[Direction, str]:
    """Return how an entrant came to its present table: ("up", "You won, and move up").

    Both texts are empty if the night has no ladder. The direction is empty in round 1 and for newcomers.
    """
    current = night.current_round
    previous = night.round_by_number(current.number - 1)
    if not night.has_ladder:
        return "", ""
    if (previous_game := previous.game_of(uid)) is None:
        return ("up", "You sat out, and play again") if uid in previous.sitting_out_uids else ("", "Welcome")
    # Tables are added and removed at the low end: the others then have other numbers, and nobody has moved for that.
    added_tables, has_won = current.top_table - previous.top_table, previous.has_won(uid)
    tables_up = own_game.table - previous_game.table - added_tables
    direction: Direction = "up" if tables_up > 0 else "down" if tables_up < 0 else "stays"
    winner_texts = {"up": "You won, and move up", "down": "You move down", "stays": "You won, and stay on top"}
    loser_texts = {"up": "You move up to fill in", "down": "You start again from the low end", "stays": "You stay"}
    text = (winner_texts if has_won else loser_texts)[direction]
    if direction == "down" and not has_won and own_game.table > 1 + max(added_tables, 0):
        text += ", and move up to fill in"
    return direction, f"{text}. The tables have new numbers" if added_tables else text


def _status_words(night: Night, uid: int) -> str:
    """Return in words what an entrant waits for or, once the night is over, who has won the night.

    Before that, the text is empty while the entrant plays, and for the uid 0, which stands for no entrant.
    """
    current = night.current_round
    if night.is_over:
        if night.champion_uids == (uid,):
            return "You win the night."
        return f"{sentences.champion_words(night)}." if night.champion_uids else "The night is over."
    if not uid:
        return ""
    if uid not in night.present_uids:
        return "You have left. Ask the host if you want to play again."
    if not night.rounds:
        return "The host will seat you. This page then shows your table."
    if uid in current.sitting_out_uids:
        return f"You sit {sentences.sitting_out_notes(night)[uid].replace(', back', ', and come back')}."
    game = current.game_of(uid)
    if game is None:
        last_round_text = "This is the last round. You play if the host adds another."
        return last_round_text if night.is_last_round else "You play from the next round on."
    if not current.unfinished_games:
        return "All are done. Wait for the next round."
    return f"You sit at table {game.table} until all are done." if game.winner is not None else ""


def _finished_rounds(night: Night, uid: int) -> Iterator[tuple[Round, Direction, str]]:
    """Yield each round that an entrant finished or sat out, latest first, with the next move and the scores in words.

    The direction is empty if the entrant stayed, and the scores are empty if none were entered.
    """
    for round_ in reversed(night.rounds):
        game = round_.game_of(uid)
        if game and game.winner is not None:
            has_won = round_.has_won(uid)
            moves = night.has_ladder and not (night.is_last_round and round_.number == len(night.rounds))
            table = next_table(game.table, won=has_won, top_table=round_.top_table) if moves else game.table
            direction: Direction = "up" if table > game.table else "down" if table < game.table else ""
            yield round_, direction, sentences.score_words(game)
        elif uid in round_.sitting_out_uids:
            yield round_, "", ""


# ---------- which entrant ----------


@bp.get("/nights/<code>/pair")
@for_watchers
def ask(code: str) -> Response:
    """Show the form that asks which entrant holds this phone, for a phone that has joined the night before."""
    return _show_entrant_form(load_night(code))


def _show_entrant_form(access: NightAccess, invitation: Invitation | None = None) -> Response:
    """Show the form that asks which entrant holds this phone.

    `invitation` is `None` if the phone has joined before.
    """
    return render_night("night_seats/which_entrant.html", access, invitation=invitation)


@bp.post("/nights/<code>/pair")
@for_watchers
def choose(code: str) -> Response:
    """Store the posted entrant, if any, as the holder of this phone, and redirect to the phone's seat.

    If the form asks for the page for the wall, redirect to that page instead.
    """
    access = load_night(code)
    store_entrant_of_phone(db.session, access, _posted_entrant_uid())
    return _redirect_to_seat_or_wall(access.code)


# ---------- the wall ----------


@bp.get("/nights/<code>/wall")
@for_watchers
def wall(code: str) -> Response:
    """Show the page for a screen on the wall: all tables, and the code to join if there is one.

    204 for a poll without changes.
    """
    invitation = invitations_in_force(db.session, load_head(code, "night")).get(WATCHER)
    if is_poll_without_news(code) and request.args.get("let", type=int) == (invitation.id if invitation else 0):
        return no_news_response()
    access = load_night(code)
    night, current = access.night, access.night.current_round
    progress = (
        f"{current.top_table - len(current.unfinished_games)} of {digits(current.top_table, 'table')} done"
        if night.rounds
        else ""
    )
    seconds_left, movements = _seconds_left(night), sentences.movements_by_side(night)
    return render_night(
        "night_seats/wall.html",
        access,
        block=("head", "board", "announcement"),
        current=current,
        moving_rule=sentences.moving_rule_words(night),
        winning=sentences.winning_words(night),
        notice=sentences.next_round_note(night),
        sitting_out_notes=sentences.sitting_out_notes(night),
        movements=movements,
        progress=progress,
        flights=_split_into_flights(current.games) if night.rounds else (),
        width_classes={side: _width_class(night.name(side)) for side in movements},
        seconds_left=seconds_left,
        clock_text=_clock_words(seconds_left) if seconds_left is not None else "",
        marked_rounds=range(1, night.agreed_round_count + 1) if night.agreed_round_count <= MAX_ROUND_MARKS else (),
        invitation=invitation,
    )


def _seconds_left(night: Night) -> int | None:
    """Return the seconds that the current round has left; negative once its time is up.

    `None` while no clock runs.
    """
    round_ = night.current_round
    if round_.began_at is None or not night.plan.minutes or not round_.unfinished_games or night.is_over:
        return None
    ends_at = round_.began_at + timedelta(minutes=night.plan.minutes)
    return int((ends_at - datetime.now(UTC)).total_seconds())


def _clock_words(seconds_left: int) -> str:
    """Return the time left in minutes, rounded up: "7 minutes left"; or "Time is up"."""
    return f"{digits(-(-seconds_left // 60), 'minute')} left" if seconds_left > 0 else "Time is up"


def _split_into_flights(games: tuple[Game, ...]) -> tuple[tuple[Game, ...], ...]:
    """Split games, in order, into the flights of the stairs on the wall; all but the last have equally many games."""
    flight_count = -(-len(games) // MAX_TABLES_PER_FLIGHT)
    size = -(-len(games) // flight_count)
    return tuple(games[start : start + size] for start in range(0, len(games), size))


def _width_class(name: str) -> str:
    """Return the CSS class for the width of a name on a card on the wall; empty if the name fits on one line."""
    if len(name) > MAX_NAME_LENGTH_ON_TWO_LINES:
        return "longest"
    return "wordy" if len(name) > MAX_NAME_LENGTH_ON_ONE_LINE else ""


# ---------- joining ----------


@bp.get("/join/night/<code>")
def ask_entrant(code: str) -> Response:
    """Show the form that asks which entrant holds this phone, before the phone joins the night.

    `code` is that of the invitation. Raises `NoInvitation`.
    """
    invitation = invitation_of_code(db.session, code, "night")
    return _show_entrant_form(_load_night_to_join(invitation.stream_id), invitation)


@bp.post("/join/night/<code>")
def enter(code: str) -> Response:
    """Let this phone join the night for the posted entrant, if any, and redirect to the phone's seat.

    `code` is that of the invitation. If the form asks for the page for the wall, redirect to that page instead. Raises
    `NoInvitation`.
    """
    invitation = invitation_of_code(db.session, code, "night")
    access, uid = _load_night_to_join(invitation.stream_id), _posted_entrant_uid()
    link = join_night(db.session, invitation, device(), uid if uid in access.night.entrants else 0)
    return _redirect_to_seat_or_wall(link.code)


def _redirect_to_seat_or_wall(code: str) -> Response:
    """Redirect to the page for the wall if the posted form asks for it, else to this phone's seat."""
    return redirect_to(".wall" if request.form.get("to") == "wall" else ".show", code=code)


def _load_night_to_join(night_id: int) -> NightAccess:
    """Return the night with an id, with the rights of a watcher; raises `NoInvitation` if it was deleted."""
    access = ladder_night_of_link(db.session, Link(0, "", WATCHER, night_id, "night"))
    if access.night.is_deleted:
        raise NoInvitation
    return access


def _posted_entrant_uid() -> int:
    """Return the uid of the posted entrant; 0 for none."""
    return request.form.get("pair", 0, type=int)


phones_bp = Blueprint("night_phones", __name__, url_prefix="/nights/<code>/phones")


def _phone_view(access: NightAccess, phone: Phone, _number: int) -> PhoneView:
    """Return a phone for the list of the night's phones, named after its entrant or after what the phone may do."""
    name = "A phone that keeps the night" if phone.link.may_score else "A phone that watches, or the wall"
    if (uid := entrant_uid_of(phone.link)) in access.night.entrants:
        name = access.night.name(uid)
    return PhoneView(phone=phone, name=name)


PhonesPage[NightAccess](
    home="nights.show",
    load=load_night,
    title=lambda access: night_title(access.night),
    view=_phone_view,
    # Giving a role to a phone that was removed also reopens its link.
    changes={
        **{role: partial(phones.give_role, role=role, also_reopens=True) for role in ROLE_RANKS},
        "end": end_link_as_viewer,
    },
).add_to(phones_bp, "")


@phones_bp.post("/wall")
@for_owners
def put_on_wall(code: str) -> Response:
    """Open or renew the invitation for watchers, and redirect to the page for the wall, which shows its code."""
    invite(db.session, load_night(code), WATCHER)
    return redirect_to("night_seats.wall", code=code)
