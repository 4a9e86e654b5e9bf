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
"""The form field for the seats of those who stay, and the prefix of the name fields of those who join."""
_MIN_JOIN_FIELDS = 2
_MAX_TYPED_LENGTH = 100
"""The length, in characters, to which a typed name is cut; a match allows only shorter names."""
NOTHING_OWED_SENTENCE = "nobody owes anything in this match."
_MATCH_STATUS_WORDS = {"in_progress": "still playing", "stopped": "settled up", "over": "over"}


# ---------- who owes whom ----------


def load_match_for_money(code: str) -> Match:
    """Return the match of a link; 404 if it is not for money.

    Raises what `load_match` raises.
    """
    match = load_match(code)
    return match if match.state.ruleset.is_for_money else abort(404)


@bp.get("")
@for_watchers
def show(code: str, fault: str = "") -> Response:
    """Show who owes whom; 204 for a poll without changes.

    `fault` says why a form was refused, if one was.
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
        payments=[
            (payment, payment_words(night, payment), _paid_before_words(night, payment))
            for payment in night.payments_due
        ],
        recorded=[(payment, payment_words(night, payment)) for payment in reversed(night.payments_recorded)],
        may_pay=bool(night.matches) and last_match.link.may_score,
        fault=fault,
        owed=[(person, night.names[person], amount) for person, amount in _owed_amounts(night)],
        playing=night.matches[-1].names_by_person if night.matches else {},
        matches=list(_match_summaries(night))[::-1],
        last=last_match,
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

    If something else would be undone first, show that page with the reason.
    """
    link, form = load_match(code).link, request.form
    recorded = money_nights.load_money_night(db.session, link).payments_recorded
    if money_nights.was_form_handled(db.session, link, posted_key()):
        return redirect_to(".show", code=code)
    for payment in recorded:
        uid = payment.match.setup.uid
        # Forms of earlier versions do not name the match.
        if (form.get("match", uid), form.get("seq", type=int)) == (uid, payment.seq) and payment.may_be_undone:
            write_change(payment.match.code, Undone(target=payment.seq))
            return redirect_to(".show", code=code)
    return show(code, "Something was written since. Undo that first.")


def payment_words(night: MoneyNight, payment: Payment) -> str:
    """Return a payment in words: "Bob pays Ann $1.20", or if it was recorded "Bob paid Ann $1.20"."""
    verb = "paid" if isinstance(payment, RecordedPayment) else "pays"
    return f"{night.names[payment.debtor]} {verb} {night.names[payment.creditor]} {money_text(payment.cents)}"


def _paid_before_words(night: MoneyNight, payment: Payment) -> str:
    """Return in words what was paid before between the two people of a payment due; empty if nothing.

    The words end with what is due: "$2 given, $1 to come", or "$2 given, $1 too much" for money to return.
    """
    paid_cents = night.cents_paid_between(payment.debtor, payment.creditor)
    if paid_cents > 0:
        return f"{money_text(paid_cents)} given, {money_text(payment.cents)} to come"
    return f"{money_text(-paid_cents)} given, {money_text(payment.cents)} too much" if paid_cents < 0 else ""


def _owed_amounts(night: MoneyNight) -> Iterable[tuple[Person, str]]:
    """Return each person with what that person is owed, the highest amount first."""
    return dollar_texts(dict(sorted(night.owed_cents.items(), key=lambda item: -item[1]))).items()


def _match_summaries(night: MoneyNight) -> Iterator[tuple[int, str, str, str]]:
    """Yield each match's number from 1, the code of its link, its players and a note, the earliest first.

    A code is empty if the phone has no link to the match. Deleted matches are left out.
    """
    before: Mapping[Person, str] = {}
    for number, night_match in enumerate(night.matches, 1):
        status = (
            f"{digits(len(night_match.match.state.results), 'hand')}, {_MATCH_STATUS_WORDS[night_match.match.status]}"
        )
        notes = (
            player_change_words(before, night_match.names_by_person) if before else "",
            settled_words(night, night_match),
            status,
        )
        yield (
            number,
            night_match.match.code,
            join_words(night_match.names_by_person.values()),
            " · ".join(filter(None, notes)),
        )
        before = night_match.names_by_person


def player_change_words(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """Return in words who joins and leaves between two matches: "Eve joins, Bob and Cal leave".

    `before` and `after` have the names of the players, by person.
    """
    joins = [name for person, name in after.items() if person not in before]
    leaves = [name for person, name in before.items() if person not in after]
    changes = ((joins, "join"), (leaves, "leave"))
    words = [f"{join_words(names)} {verb}{'' if len(names) > 1 else 's'}" for names, verb in changes if names]
    return ", ".join(words) or "The same players"


def settled_words(night: MoneyNight, night_match: NightMatch) -> str:
    """Return in words the amounts that a match adds: "Ann gets $1.20, Bob owes $1.20"; empty if it adds none."""
    changes = ((person, cents) for person, cents in night_match.settled.change_by_person.items() if cents)
    return ", ".join(f"{night.names[person]} {owed_words(cents)}" for person, cents in changes)


def money_slip(match: Match) -> MoneySlip:
    """Return the slip to print for a match's money night."""
    night = money_nights.load_money_night(db.session, match.link)
    matches = "one match" if len(night.matches) == 1 else f"{number_word(len(night.matches))} matches"
    return MoneySlip(
        title="Money night",
        subtitle=f"{match.state.ruleset.name}, {plain_day(match.occasion.day, date_style())}, {matches}",
        payments=tuple(payment_words(night, payment) for payment in night.payments_due),
        paid=tuple(payment_words(night, payment) for payment in night.payments_recorded),
        people=tuple((night.names[person], amount) for person, amount in _owed_amounts(night)),
        matches=tuple(
            (", ".join(night_match.names_by_person.values()), settled_words(night, night_match))
            for night_match in night.matches
        ),
    )


# ---------- who plays ----------


def _names_of_next_players(match: Match) -> tuple[str, ...]:
    """Return the names of the players of the next match as posted, in seat order.

    A player who joins takes the seat of one who leaves, or else a new last seat.
    """
    staying_ids, joining = _posted_ids_of_staying(), filter(None, _posted_names_of_joining(match))
    names = [match.names[seat.id] if seat.id in staying_ids else next(joining, "") for seat in match.setup.seats]
    return tuple(filter(None, (*names, *joining)))


def _posted_ids_of_staying() -> list[str]:
    """Return the posted seat ids of the players who stay."""
    return request.form.getlist(STAYS_FIELD)


def _posted_names_of_joining(match: Match) -> list[str]:
    """Return the posted names of the players who join, by field; an unused field is an empty name."""
    number = max(_MIN_JOIN_FIELDS, max(match.state.ruleset.table.player_counts) - len(match.setup.seats))
    typed = (request.form.get(f"{JOINS_PREFIX}{index}", "") for index in range(1, number + 1))
    return [normalize_spaces(name[:_MAX_TYPED_LENGTH]) for name in typed]


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
    """End the match, begin the next with the posted players, and redirect to it; if refused, show the form."""
    author = writer()
    if next_code := money_nights.code_of_match_begun_by_form(db.session, load_match(code).link, author.idempotency_key):
        return _redirect_to_other_match(next_code)
    match = _load_match_to_change(code)
    players, version = _names_of_next_players(match), posted_version()
    try:
        next_code = money_nights.change_players(
            db.session, match, players, author, version=version, in_transaction=count_match
        )
    except StaleMatch as stale:
        # Somebody wrote a hand meanwhile, and it may settle otherwise.
        return _show_players_form(stale.match, [STALE_MATCH_FAULT], status=409)
    except Refused as refused:
        return _show_players_form(match, refused.reasons)
    return _redirect_to_other_match(next_code)


def _show_players_form(match: Match, faults: Sequence[Fault] = (), status: int = 0) -> Response:
    """Show the form for who plays next, with the present players or, with faults, as posted.

    `status` 0 is 422 with faults, else 200.
    """
    present = {name_key(match.names[seat.id]) for seat in match.setup.seats}
    known_names = names_of_device(db.session, device())
    payments = payment_sentences(match.state.money or {}, match.names)
    return render_page(
        "money_night/change.html",
        status=status,
        match=match,
        stays_field=STAYS_FIELD,
        stays=_posted_ids_of_staying() if faults else [seat.id for seat in match.setup.seats],
        joins_field=JOINS_PREFIX,
        joins=_posted_names_of_joining(match),
        known_names=[name for name in known_names if name_key(name) not in present],
        wanted=capitalize(seats_phrase(match.state.ruleset.table)),
        payments=f"{'; '.join(payments)}. It is added to the money night." if payments else NOTHING_OWED_SENTENCE,
        faults=faults_view(
            "Not saved yet",
            distinct_faults(faults, lambda fault: STAYS_FIELD if fault.field.startswith("players") else ""),
        ),
    )


@bp.post("/take-back")
@for_scorers
def take_back(code: str) -> Response:
    """Take back the change of players that began the match, and redirect to the match before.

    If that is no longer possible, redirect to who owes whom.
    """
    match = load_match(code)
    try:
        earlier_code = money_nights.take_back_player_change(db.session, match, writer())
    except Refused:
        # A hand was recorded meanwhile: the page no longer offers it.
        return redirect_to(".show", code=code)
    return _redirect_to_other_match(earlier_code)


def _load_match_to_change(code: str) -> Match:
    """Return the match of a link; 404 if its players may not change.

    Raises `MatchClosed` if the match was deleted.
    """
    match = load_match(code)
    if match.log.is_deleted:
        raise MatchClosed("deleted")
    return match if money_nights.may_change_players(match) else abort(404)


def _redirect_to_other_match(code: str) -> Response:
    """Redirect to another match of the night, and put it first on this phone's list.

    `code` is that of the phone's link to the match.
    """
    match = load_by_code(db.session, code)
    record_visit(db.session, device(), match)
    return redirect_to("matches.show", code=code, said=match.log.seq_of(posted_key()))
