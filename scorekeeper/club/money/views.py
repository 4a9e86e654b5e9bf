"""The pages of a money night: who owes whom, and who plays the next match."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from flask import Blueprint, Response, abort, request

from scorekeeper.club.money import service as money_nights
from scorekeeper.club.money.service import (
    MoneyNight,
    NightMatch,
    RecordedPayment,
    may_change_players,
    may_take_back_player_change,
)
from scorekeeper.club.nights.sheets import MoneySlip
from scorekeeper.database.engine import db
from scorekeeper.eventlog.stream import MatchClosed, Refused
from scorekeeper.matches.events import Undone
from scorekeeper.matches.fold import Match
from scorekeeper.matches.match_list import names_of_device, record_visit
from scorekeeper.matches.notices import rules_words
from scorekeeper.matches.service import StaleMatch
from scorekeeper.matches.service import load_match as load_by_code
from scorekeeper.pitch.rules.entered_text import normalize_spaces
from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.rules.phrases import capitalize, digits, join_words, money_text, number_word
from scorekeeper.pitch.scoring.money import Payment, Person
from scorekeeper.pitch.scoring.seats import name_key, seats_phrase
from scorekeeper.pitch.text.standing import dollar_texts, owed_words, payment_sentences
from scorekeeper.web.context import (
    STALE_MATCH_FAULT,
    device,
    for_scorers,
    for_watchers,
    load_match,
    polled_version,
    posted_key,
    posted_version,
    write_change,
    writer,
)
from scorekeeper.web.limits import count_match
from scorekeeper.web.locale import date_style, plain_day
from scorekeeper.web.respond import no_news_response, redirect_to, render_page, wants_fragment
from scorekeeper.web.widgets import distinct_faults, faults_view

bp = Blueprint("money_night", __name__, url_prefix="/matches/<code>/money")

STAYS_FIELD, JOINS_PREFIX = "stays", "joins-"
"""The form field for the seats of players who stay, and the prefix of the fields for names of players who join."""
_MIN_JOIN_FIELDS = 2
"""The fewest fields for names of players who join."""
_MAX_TYPED_NAME_LENGTH = 100
"""The length, in characters, to which a typed name is cut; a match allows only shorter names."""
NOTHING_OWED_SENTENCE = "nobody owes anything in this match."
_MATCH_STATUS_WORDS = {"in_progress": "still playing", "stopped": "settled up", "over": "over"}


# ---------- who owes whom ----------


def load_match_for_money(code: str) -> Match:
    """Return the match of the link with a code; 404 if the match is not for money.

    Raises what `load_match` raises.
    """
    match = load_match(code)
    return match if match.state.ruleset.is_for_money else abort(404)


@bp.get("")
@for_watchers
def show(code: str, fault: str = "") -> Response:
    """Show who owes whom in the money night of a match; 204 for a poll without changes.

    `fault` is the reason if a form was refused.
    """
    match = load_match_for_money(code)
    night = money_nights.load_money_night(db.session, match.link)
    if wants_fragment() and polled_version() == night.version:
        return no_news_response()
    last_match = night.matches[-1].match if night.matches else match
    return render_page(
        "money_night/show.html",
        block=("night", "bottom_bar"),
        match=match,
        night=night,
        rules=rules_words(match.state),
        due_payments=[
            (payment, payment_words(night, payment), _paid_before_words(night, payment))
            for payment in night.payments_due
        ],
        recorded_payments=[(payment, payment_words(night, payment)) for payment in reversed(night.payments_recorded)],
        may_pay=bool(night.matches) and last_match.link.may_score,
        fault=fault,
        owed_amounts=[(person, night.names_by_person[person], amount) for person, amount in _owed_amounts(night)],
        present_persons=night.matches[-1].names_by_person if night.matches else {},
        matches=list(_match_summaries(night))[::-1],
        last_match=last_match,
        may_change_players=last_match.link.may_score and may_change_players(last_match),
        may_take_back=may_take_back_player_change(night, last_match),
    )


@bp.post("/paid")
@for_scorers
def pay(code: str) -> Response:
    """Record the posted payment, and redirect to who owes whom; if refused, show that page with the reason."""
    form = request.form
    payment = Payment(form.get("debtor", ""), form.get("creditor", ""), form.get("cents", 0, type=int))
    try:
        money_nights.record_payment(db.session, load_match(code).link, payment, writer())
    except StaleMatch:
        return show(code, STALE_MATCH_FAULT.message)
    except Refused as refused:
        return show(code, str(refused))
    return redirect_to(".show", code=code)


@bp.post("/undo-paid")
@for_scorers
def undo_paid(code: str) -> Response:
    """Undo the posted payment, and redirect to who owes whom.

    If an undo would undo another event first, show that page with the reason.
    """
    link, form = load_match(code).link, request.form
    recorded_payments = money_nights.load_money_night(db.session, link).payments_recorded
    if money_nights.was_form_handled(db.session, link, posted_key()):
        return redirect_to(".show", code=code)
    for payment in recorded_payments:
        uid = payment.match.setup.uid
        # Forms of earlier versions do not name the match.
        if (form.get("match", uid), form.get("seq", type=int)) == (uid, payment.seq) and payment.may_be_undone:
            write_change(payment.match.code, Undone(target=payment.seq))
            return redirect_to(".show", code=code)
    return show(code, "Something was written since. Undo that first.")


def payment_words(night: MoneyNight, payment: Payment) -> str:
    """Return a payment in words: "Bob pays Ann $1.20" if it is due, "Bob paid Ann $1.20" if it was recorded."""
    verb = "paid" if isinstance(payment, RecordedPayment) else "pays"
    names = night.names_by_person
    return f"{names[payment.debtor]} {verb} {names[payment.creditor]} {money_text(payment.cents)}"


def _paid_before_words(night: MoneyNight, payment: Payment) -> str:
    """Return what the two people of a due payment paid each other before: "$2 given, $1 to come"; empty if nothing.

    If the due payment gives money back: "$2 given, $1 too much".
    """
    paid_cents = night.cents_paid(payment.debtor, payment.creditor)
    if paid_cents > 0:
        return f"{money_text(paid_cents)} given, {money_text(payment.cents)} to come"
    return f"{money_text(-paid_cents)} given, {money_text(payment.cents)} too much" if paid_cents < 0 else ""


def _owed_amounts(night: MoneyNight) -> Iterable[tuple[Person, str]]:
    """Return each person with the amount that the person is owed: "+$1.20"; the highest amount is first."""
    return dollar_texts(dict(sorted(night.owed_cents.items(), key=lambda item: -item[1]))).items()


def _match_summaries(night: MoneyNight) -> Iterator[tuple[int, str, str, str]]:
    """Yield each match's number from 1, the code of its link, its players and a note, the earliest match first.

    The code is empty if the phone has no link to the match. Deleted matches are left out.
    """
    earlier_names: Mapping[Person, str] = {}
    for number, night_match in enumerate(night.matches, 1):
        notes = (
            player_change_words(earlier_names, night_match.names_by_person) if earlier_names else "",
            settled_words(night, night_match),
            f"{digits(len(night_match.match.state.results), 'hand')}, {_MATCH_STATUS_WORDS[night_match.match.status]}",
        )
        yield (
            number,
            night_match.match.code,
            join_words(night_match.names_by_person.values()),
            " · ".join(filter(None, notes)),
        )
        earlier_names = night_match.names_by_person


def player_change_words(earlier_names: Mapping[Person, str], later_names: Mapping[Person, str]) -> str:
    """Return in words who joins and who leaves between two matches: "Eve joins, Bob and Cal leave".

    The arguments have the names of the players in the earlier and in the later match, keyed by person.
    """
    joining_names = [name for person, name in later_names.items() if person not in earlier_names]
    leaving_names = [name for person, name in earlier_names.items() if person not in later_names]
    names_and_verbs = ((joining_names, "join"), (leaving_names, "leave"))
    phrases = [f"{join_words(names)} {verb}{'' if len(names) > 1 else 's'}" for names, verb in names_and_verbs if names]
    return ", ".join(phrases) or "The same players"


def settled_words(night: MoneyNight, night_match: NightMatch) -> str:
    """Return the amounts that a match adds, in words: "Ann gets $1.20, Bob owes $1.20"; empty if it adds none."""
    changes = ((person, cents) for person, cents in night_match.settlement.change_by_person.items() if cents)
    return ", ".join(f"{night.names_by_person[person]} {owed_words(cents)}" for person, cents in changes)


def money_slip(match: Match) -> MoneySlip:
    """Return the slip to print for a match's money night."""
    night = money_nights.load_money_night(db.session, match.link)
    match_count_phrase = "one match" if len(night.matches) == 1 else f"{number_word(len(night.matches))} matches"
    return MoneySlip(
        title="Money night",
        subtitle=f"{match.state.ruleset.name}, {plain_day(match.occasion.day, date_style())}, {match_count_phrase}",
        due_payment_texts=tuple(payment_words(night, payment) for payment in night.payments_due),
        recorded_payment_texts=tuple(payment_words(night, payment) for payment in night.payments_recorded),
        people_and_amounts=tuple((night.names_by_person[person], amount) for person, amount in _owed_amounts(night)),
        matches_and_amounts=tuple(
            (", ".join(night_match.names_by_person.values()), settled_words(night, night_match))
            for night_match in night.matches
        ),
    )


# ---------- who plays ----------


def _names_of_next_players(match: Match) -> tuple[str, ...]:
    """Return the names of the players of the next match as posted, in seat order.

    A player who joins takes the seat of one who leaves or, without such a seat, a new last seat.
    """
    staying_seat_ids, joining_names = _posted_staying_seat_ids(), filter(None, _posted_joining_names(match))
    names = [
        match.names[seat.id] if seat.id in staying_seat_ids else next(joining_names, "") for seat in match.setup.seats
    ]
    return tuple(filter(None, (*names, *joining_names)))


def _posted_staying_seat_ids() -> list[str]:
    """Return the posted seat ids of the players who stay."""
    return request.form.getlist(STAYS_FIELD)


def _posted_joining_names(match: Match) -> list[str]:
    """Return the posted names of the players who join, one for each field; an unused field is an empty name."""
    field_count = max(_MIN_JOIN_FIELDS, max(match.state.ruleset.table.player_counts) - len(match.setup.seats))
    typed_names = (request.form.get(f"{JOINS_PREFIX}{index}", "") for index in range(1, field_count + 1))
    return [normalize_spaces(name[:_MAX_TYPED_NAME_LENGTH]) for name in typed_names]


@bp.get("/players")
@for_scorers
def players(code: str) -> Response:
    """Show the form for who plays next; if the next match has begun, redirect to who owes whom."""
    match = _load_match_to_change(code)
    if money_nights.has_next_match(db.session, match):
        return redirect_to(".show", code=code)
    return _show_players_form(match)


@bp.post("/players")
@for_scorers
def change_players(code: str) -> Response:
    """End the match, begin the next with the posted players, and redirect to that match; if refused, show the form."""
    author = writer()
    if next_code := money_nights.code_of_match_begun_by_form(db.session, load_match(code).link, author.idempotency_key):
        return _redirect_to_other_match(next_code)
    match = _load_match_to_change(code)
    names, version = _names_of_next_players(match), posted_version()
    try:
        next_code = money_nights.change_players(
            db.session, match, names, author, version=version, in_transaction=count_match
        )
    except StaleMatch as stale:
        # Somebody wrote a hand meanwhile, and it may settle otherwise.
        return _show_players_form(stale.match, [STALE_MATCH_FAULT], status=409)
    except Refused as refused:
        return _show_players_form(match, refused.reasons)
    return _redirect_to_other_match(next_code)


def _show_players_form(match: Match, faults: Sequence[Fault] = (), status: int = 0) -> Response:
    """Show the form for who plays next, with the present players or, with faults, as posted.

    With a `status` of 0, the response has the status 422 if there are faults, else 200.
    """
    present_names = {name_key(match.names[seat.id]) for seat in match.setup.seats}
    device_names = names_of_device(db.session, device())
    payments = payment_sentences(match.state.money or {}, match.names)
    return render_page(
        "money_night/change.html",
        status=status,
        match=match,
        stays_field=STAYS_FIELD,
        staying_seat_ids=_posted_staying_seat_ids() if faults else [seat.id for seat in match.setup.seats],
        joins_prefix=JOINS_PREFIX,
        joining_names=_posted_joining_names(match),
        suggested_names=[name for name in device_names if name_key(name) not in present_names],
        player_count_sentence=capitalize(seats_phrase(match.state.ruleset.table)),
        payments_text=f"{'; '.join(payments)}. It is added to the money night." if payments else NOTHING_OWED_SENTENCE,
        faults=faults_view(
            "Not saved yet",
            distinct_faults(faults, lambda fault: STAYS_FIELD if fault.field.startswith("players") else ""),
        ),
    )


@bp.post("/take-back")
@for_scorers
def take_back(code: str) -> Response:
    """Take back the change of players that began the match, and redirect to the match before.

    If the change can no longer be taken back, redirect to who owes whom.
    """
    match = load_match(code)
    try:
        earlier_code = money_nights.take_back_player_change(db.session, match, writer())
    except Refused:
        # A hand was recorded meanwhile: the page no longer offers it.
        return redirect_to(".show", code=code)
    return _redirect_to_other_match(earlier_code)


def _load_match_to_change(code: str) -> Match:
    """Return the match of the link with a code; 404 if the players of the match may not change.

    Raises `MatchClosed` if the match was deleted.
    """
    match = load_match(code)
    if match.log.is_deleted:
        raise MatchClosed("deleted")
    return match if money_nights.may_change_players(match) else abort(404)


def _redirect_to_other_match(code: str) -> Response:
    """Redirect to another match of the night, and put that match first on this phone's list.

    `code` is that of the phone's link to the match.
    """
    match = load_by_code(db.session, code)
    record_visit(db.session, device(), match)
    return redirect_to("matches.show", code=code, said=match.log.seq_by_key(posted_key()))
