"""A money night: matches of one game, each the continuation of the one before with other players.

A change of players settles up: it ends the present match and begins the next under the same rules, in one transaction.
The next match is in the same book, and each phone gets a link to it.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.access.roles import Link
from scorekeeper.book import store as books
from scorekeeper.book.books import append_to_book
from scorekeeper.book.events import MatchAdded
from scorekeeper.club.money import store as money_nights
from scorekeeper.eventlog.store import Writer, retry_on_conflict
from scorekeeper.eventlog.stream import WATCHER, MatchClosed, NotAllowed, Refused, refusal, refuse_any
from scorekeeper.matches.events import (
    Deleted,
    PaymentRecorded,
    PlayersChanged,
    Redone,
    Resumed,
    Stopped,
    Undeleted,
    Undone,
)
from scorekeeper.matches.fold import Match
from scorekeeper.matches.log import fold
from scorekeeper.matches.service import (
    StaleMatch,
    append_to_match,
    cache_match,
    match_of_link,
    reload_match,
    write_match,
)
from scorekeeper.matches.start import add_match_of_setup, new_setup
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.pitch.records.record import Record
from scorekeeper.pitch.rules.entered_text import name_faults
from scorekeeper.pitch.scoring.money import Payment, Person, SettledMatch, fewest_payments, settle_night
from scorekeeper.pitch.scoring.seats import Seats, name_key, person_keys, seat_table, table_faults


@dataclass(frozen=True, slots=True)
class NightMatch:
    """A match of a money night, with its settlement, who played in it, and which match it continues."""

    match: Match
    """The match with the phone's link to it; the link's code is empty if the phone has no link."""
    settlement: SettledMatch
    persons_by_player_id: Mapping[str, Person]
    """The person in each seat, keyed by the seat's id in seat order.

    If no players were entered, the person for each side, keyed by the side's id.
    """
    earlier_id: int | None
    """The id of the match that this match continues; `None` for the first match of the night."""

    @property
    def names_by_person(self) -> Mapping[Person, str]:
        """The name of each player of this match, keyed by person and in seat order."""
        return {person: self.match.names[player_id] for player_id, person in self.persons_by_player_id.items()}


@dataclass(frozen=True, slots=True)
class RecordedPayment(Payment):
    """A payment that was made, and the event that records the payment."""

    recorded_at: datetime
    match: Match
    """The match whose stream has the event."""
    seq: int
    """The number of the event in the match's stream."""

    @property
    def may_be_undone(self) -> bool:
        """Whether the phone may undo now, and that would undo this payment."""
        log = self.match.log
        return log.undo_target == self.seq and log.may_undo(self.match.link.role)


@dataclass(frozen=True)
class MoneyNight:
    """A money night, with those of its matches that one phone may see."""

    visible_matches: tuple[NightMatch, ...]
    """The matches that the phone may see: deleted ones first, then the others in order.

    Payments count even if their match was deleted.
    """

    @cached_property
    def matches(self) -> tuple[NightMatch, ...]:
        """The matches in order, without deleted ones."""
        return tuple(night_match for night_match in self.visible_matches if not night_match.match.log.is_deleted)

    @property
    def version(self) -> int:
        """A number that grows whenever a match that the phone may see begins or changes."""
        return sum(night_match.match.version + 1 for night_match in self.visible_matches)

    @cached_property
    def names_by_person(self) -> Mapping[Person, str]:
        """The name of each person in the person's last match.

        Deleted matches count only for a person who is in no other match.
        """
        return {
            person: name for night_match in self.visible_matches for person, name in night_match.names_by_person.items()
        }

    @cached_property
    def persons_by_party_id(self) -> Mapping[str, Person]:
        """The person for each id that a payment may have as its debtor or creditor: "uid-of-the-match/p1".

        Such an id is the uid of a match, "/", and the id of a seat or side in that match.
        """
        return {
            f"{night_match.match.setup.uid}/{player_id}": person
            for night_match in self.visible_matches
            for player_id, person in night_match.persons_by_player_id.items()
        }

    @cached_property
    def payments_recorded(self) -> Sequence[RecordedPayment]:
        """The payments that were recorded and not undone, match by match."""
        persons = self.persons_by_party_id
        return [
            RecordedPayment(
                persons[paid.debtor], persons[paid.creditor], paid.cents, event.at, night_match.match, event.seq
            )
            for night_match in self.visible_matches
            for event in night_match.match.log.payments
            if isinstance(paid := event.data, PaymentRecorded) and {paid.debtor, paid.creditor} <= persons.keys()
        ]

    @property
    def owed_cents(self) -> Mapping[Person, int]:
        """The cents that each person is owed for all `matches`, before payments; negative for a person who owes."""
        return self.matches[-1].settlement.cents_by_person if self.matches else {}

    @property
    def payments_due(self) -> Sequence[Payment]:
        """The payments that settle what is still owed after those recorded, as few as `fewest_payments` finds."""
        still_owed_cents = Counter(self.owed_cents)  # who played in deleted matches alone is owed nothing
        for payment in self.payments_recorded:
            still_owed_cents[payment.debtor] += payment.cents
            still_owed_cents[payment.creditor] -= payment.cents
        return fewest_payments(still_owed_cents)

    def cents_paid(self, payer: Person, payee: Person) -> int:
        """Return the cents that `payer` has paid `payee` less those that `payee` has paid back; may be negative."""
        return sum(
            payment.cents if payment.debtor == payer else -payment.cents
            for payment in self.payments_recorded
            if {payment.debtor, payment.creditor} == {payer, payee}
        )


def load_money_night(session: Session, link: Link) -> MoneyNight:
    """Return the money night of a link's match, with the matches that the link's phone may see.

    A phone sees the last match that it has a link to, and all matches before that one. By a shared link, it sees only
    the link's match. Raises `UnscorableMatch` if a visible match cannot be scored.
    """
    first_id = money_nights.first_match_id(session, link.stream_id)
    earlier_ids = money_nights.earlier_ids_by_match(session, first_id)
    links = {**money_nights.links_of_phone(session, link), link.stream_id: link}
    visible_ids = [match_id for match_id in (first_id, *earlier_ids) if match_id <= max(links)]
    if link.is_shared:
        visible_ids = [link.stream_id]
    matches = [match_of_link(session, links.get(match_id, Link(0, "", WATCHER, match_id))) for match_id in visible_ids]
    matches.sort(key=lambda match: not match.log.is_deleted)
    persons_by_name = person_keys(map(_player_names, matches))
    persons = [
        {player_id: persons_by_name[match.names[player_id]] for player_id in _player_ids(match)} for match in matches
    ]
    settlements = settle_night([*map(_shares_by_person, matches, persons)])
    return MoneyNight(
        tuple(map(NightMatch, matches, settlements, persons, (earlier_ids.get(match.id) for match in matches)))
    )


def record_payment(session: Session, link: Link, payment: Payment, writer: Writer) -> None:
    """Record a payment in the last match of a link's night that the phone may see, and commit.

    A form that is sent twice records one payment. Raises `Refused` if exactly this payment is not due, or if the night
    has gone on in another match; raises `NotAllowed`, and `StaleMatch` if another phone wrote first.
    """
    night = load_money_night(session, link)
    if was_form_handled(session, link, writer.idempotency_key):  # looked up last: the form may be posted twice at once
        return
    match = night.matches[-1].match if night.matches else None
    if match is None or not match.link.may_score:
        raise NotAllowed
    # All payments are appended to the last match: of two phones that record the same one, one is second.
    if has_next_match(session, match) or payment not in night.payments_due:
        raise refusal("", "Something has changed since. Check who owes what now.")
    party_ids = {person: party_id for party_id, person in night.persons_by_party_id.items()}
    event = PaymentRecorded(debtor=party_ids[payment.debtor], creditor=party_ids[payment.creditor], cents=payment.cents)
    write_match(session, match.code, event, writer, expected_version=match.version)


def was_form_handled(session: Session, link: Link, idempotency_key: str) -> bool:
    """Return whether a form with this key has appended an event to any match of a link's night."""
    return MATCH_EVENTS.has_key(session, money_nights.match_ids_of_night(session, link.stream_id), idempotency_key)


def _player_ids(match: Match) -> list[str]:
    """Return the ids of a match's seats, or of its sides if no players were entered: ["p1", "p2"] or ["s1", "s2"]."""
    return [seat_or_side.id for seat_or_side in match.setup.seats or match.setup.sides]


def _player_names(match: Match) -> list[str]:
    """Return the names of a match's players, in the order of `_player_ids`."""
    return [match.names[player_id] for player_id in _player_ids(match)]


def _shares_by_person(match: Match, persons_by_player_id: Mapping[str, Person]) -> dict[Person, Fraction]:
    """Return the unrounded cents that each person is owed in a match; negative for a person who owes.

    Partners share equally. Empty for a deleted match.
    """
    if match.log.is_deleted:
        return {}
    owed_cents = dict.fromkeys(persons_by_player_id.values(), Fraction())
    player_ids_by_side = {side.id: side.seats or (side.id,) for side in match.setup.sides}
    for side_id, share in match.state.shares.items():
        for player_id in player_ids_by_side[side_id]:
            owed_cents[persons_by_player_id[player_id]] += share.owed_cents / len(player_ids_by_side[side_id])
    return owed_cents


def keep_one_match_open(session: Session, before: Match | None, after: Match) -> None:
    """Raise `MatchClosed` if a match is reopened although its money night has gone on in another match.

    If a deleted match is restored, append `PlayersChanged` to the match before it without a commit. Raises
    `IntegrityError` if another phone was faster. `before` is `None` if the match could not be scored before.
    """
    event = after.log.events[-1]
    may_reopen = isinstance(event.data, Undone | Redone | Resumed | Undeleted) and not after.log.is_deleted
    if not (after.state.ruleset.is_for_money and may_reopen):
        return
    if after.status == "in_progress" and has_next_match(session, after):
        raise MatchClosed("gone_on")
    earlier_id = money_nights.earlier_match_id(session, after.id) if before and before.log.is_deleted else None
    if earlier_id is not None:
        earlier_match = match_of_link(session, Link(0, "", WATCHER, earlier_id))
        if earlier_match.status == "in_progress" or has_next_match(session, earlier_match, ignored_id=after.id):
            raise MatchClosed("gone_on")
        append_to_match(session, earlier_match, PlayersChanged(), Writer(event.idempotency_key, event.actor))


def has_next_match(session: Session, match: Match, *, ignored_id: int | None = None) -> bool:
    """Return whether another match that is not deleted continues a match.

    The match with the id `ignored_id` does not count.
    """
    earlier_ids = money_nights.earlier_ids_by_match(session, money_nights.first_match_id(session, match.id))
    next_ids = [
        later_id for later_id, earlier_id in earlier_ids.items() if earlier_id == match.id and later_id != ignored_id
    ]
    events_by_match = MATCH_EVENTS.load_all(session, next_ids)
    # A match that cannot be read has no events here, and counts as not deleted.
    return any(not fold(events_by_match.get(next_id, ())).is_deleted for next_id in next_ids)


def may_change_players(match: Match) -> bool:
    """Return whether a match may be followed by one with other players.

    The match has to be for money and not deleted, and its players have to be entered. `change_players` also checks that
    no hand is unfinished and that no next match has begun.
    """
    return match.state.ruleset.is_for_money and bool(match.setup.seats) and not match.log.is_deleted


def change_players(
    session: Session,
    match: Match,
    players: Sequence[str],
    writer: Writer,
    *,
    version: int | None,
    in_transaction: Callable[[int], None] = lambda _match_id: None,
) -> str:
    """End a match, begin the next with these players, commit, and return the code of this phone's link.

    A form that is sent twice begins one match. `in_transaction` is called before the commit, with the id of the next
    match. Raises `Refused`, `NotAllowed`, and `StaleMatch` if the match has events since `version`.
    """
    link = match.link

    def change_and_commit() -> str:
        match_now = reload_match(session, link.code)
        has_next = has_next_match(session, match_now)
        # Looked up last: the same form, sent twice at once, may have been handled since the match was read.
        if (begun_code := code_of_match_begun_by_form(session, link, writer.idempotency_key)) is not None:
            return begun_code
        if version is not None and match_now.version != version:
            raise StaleMatch(match_now.log.events[version:], match_now)
        if has_next:
            raise refusal("", "The night has gone on in another match. Change who plays there.")
        seats = _seat_next_players(match_now, players)
        # Another form that begins a match from this one writes here as well: of two at once, one is second.
        ended_match = append_to_match(
            session, match_now, Stopped() if match_now.status == "in_progress" else PlayersChanged(), writer
        )
        match_id, code = _add_next_match(session, match_now, seats, writer)
        in_transaction(match_id)
        session.commit()
        cache_match(session, ended_match)
        return code

    return _retry_change(session, change_and_commit)


def code_of_match_begun_by_form(session: Session, link: Link, idempotency_key: str) -> str | None:
    """Return the code of this phone's link to the match that a form with this key has begun; `None` if it began none.

    `link` is the phone's link to the match before. Raises `Refused` if the phone has no link to the new match.
    """
    begun_match_id = money_nights.match_id_by_key(session, _key_of_next_match(link, idempotency_key))
    if begun_match_id is None:
        return None
    if (own_link := money_nights.links_of_phone(session, link).get(begun_match_id)) is None:
        raise _refusal_of_repeated_form()
    return own_link.code


def _key_of_next_match(link: Link, idempotency_key: str) -> str:
    """Return the idempotency key of the match that a form with this key begins if the phone with `link` posts the form.

    The match's key is longer than any key that a form may send, so that no form can have the same key.
    """
    return hashlib.blake2b(f"{link.code} {idempotency_key}".encode(), digest_size=24).hexdigest()


def _retry_change(session: Session, change: Callable[[], str]) -> str:
    """Return the result of `change`, which is called again a few times after conflicts with other phones.

    Raises `Refused` if the last call conflicts as well.
    """
    try:
        return retry_on_conflict(session, change)
    except IntegrityError:
        raise _refusal_of_repeated_form() from None


def _refusal_of_repeated_form() -> Refused:
    """Return the exception for a form whose idempotency key was used before."""
    return refusal("", "This form was sent already. Open the page again.")


def _seat_next_players(match: Match, players: Sequence[str]) -> Seats:
    """Return the seats for the players of the match after `match`.

    Raises `Refused` if no next match can begin now, or none with these players.
    """
    if not may_change_players(match):
        raise refusal("", "This game is not played for money, or nobody said who plays.")
    if match.state.open_hand:
        raise refusal("", "A hand is not finished. Finish it first, then change who plays.")
    refuse_any(fault for index, name in enumerate(players) for fault in name_faults(f"players.{index}", name))
    refuse_any(table_faults(players, ()))
    if match.status == "in_progress" and [*map(name_key, players)] == [*map(name_key, _player_names(match))]:
        raise refusal("players", "The same people play. Untick who leaves, or enter who joins.")
    seats, faults = seat_table(match.state.ruleset, players, None)
    if seats is None:
        raise Refused(faults)
    return seats


def _add_next_match(session: Session, match: Match, seats: Seats, writer: Writer) -> tuple[int, str]:
    """Add the match that continues `match`, without a commit; return its id and the code of this phone's link.

    The new match has the rules, title, day, place and book of `match`, and a link for each phone of `match`.
    """
    ruleset = match.state.ruleset
    seat_ids = [seat.id for seat in match.setup.seats]
    made_up_names = (
        match.names[seat_id] for seat_id in seat_ids if match.setup.is_nameless(seat_id, match.log.renamed)
    )
    record = Record(
        variant=match.setup.variant,
        house={**match.house_answers_at(len(match.state.results)), **(match.log.pending.house or {})},
        players=seats.players,
        unnamed=tuple(made_up_names),
        title=match.title or None,
        played_on=match.occasion.played_on,
        place=match.occasion.venue or None,
    )
    names_by_seat_id = _staying_names_by_seat_id(match, seats)
    setup = new_setup(record, ruleset, seats, _first_dealer(match, seats, names_by_seat_id), match.setup.zone)
    setup = setup.with_evening(match.setup.evening)
    match_key = _key_of_next_match(match.link, writer.idempotency_key)
    match_id = add_match_of_setup(session, setup, ruleset, match_key)
    money_nights.store_earlier_match(session, match_id, match.id)
    book_id = books.book_id_of_match(session, match.id)
    if book_id is not None:
        append_to_book(session, book_id, MatchAdded(match=setup.uid), writer)
    books.put_match(session, match_id, book_id)
    new_ids_by_seat_id = {seat_id: setup.ids_by_name[name] for seat_id, name in names_by_seat_id.items()}
    return match_id, money_nights.carry_links(session, match.id, match_id, new_ids_by_seat_id)[match.link.id]


def _staying_names_by_seat_id(match: Match, seats: Seats) -> dict[str, str]:
    """Return the names that the players who stay have in the next match, keyed by their seat ids in `match`.

    `seats` are the seats of the next match.
    """
    persons_by_name = person_keys([_player_names(match), seats.players])
    next_names_by_person = {persons_by_name[name]: name for name in seats.players}
    return {
        player_id: next_names_by_person[person]
        for player_id in _player_ids(match)
        if (person := persons_by_name[match.names[player_id]]) in next_names_by_person
    }


def _first_dealer(match: Match, seats: Seats, staying_names_by_seat_id: Mapping[str, str]) -> str | None:
    """Return the name of the first dealer of the next match: the next player in turn who stays.

    If nobody stays, the first player of `seats` deals. `None` if `match` has no dealer yet.
    """
    seat_id = match.state.dealer
    for _ in match.setup.seats:
        if seat_id is None:
            return None
        if seat_id in staying_names_by_seat_id:
            return staying_names_by_seat_id[seat_id]
        seat_id = match.state.seats.left_of(seat_id)
    return seats.players[0]


def may_take_back_player_change(night: MoneyNight, match: Match) -> bool:
    """Return whether a phone may take back the change of players that began a match.

    The match must have no hand, no payment and no next match. The phone must have a scorer's link to the match and to
    the match before.
    """
    earlier_ids = {night_match.match.id: night_match.earlier_id for night_match in night.matches}
    scorer_match_ids = {night_match.match.id for night_match in night.matches if night_match.match.link.may_score}
    is_new = not (match.log.hands or match.log.payments or match.id in earlier_ids.values())
    return is_new and {match.id, earlier_ids.get(match.id)} <= scorer_match_ids


def take_back_player_change(session: Session, match: Match, writer: Writer) -> str:
    """Delete a match without hands, commit, and return the code of this phone's link to the match before.

    If the match before was stopped, it is resumed. Raises `NotAllowed`, and `Refused` if the change of players cannot
    be taken back.
    """
    link = match.link

    def change_and_commit() -> str:
        # The match is read before its night: a next match that begins meanwhile is in the night; one that begins after
        # that is a faster phone's.
        match_now = reload_match(session, link.code)
        night = load_money_night(session, link)
        earlier_id = money_nights.earlier_match_id(session, match_now.id)
        if earlier_id is None:
            raise refusal("", "This match goes on from no other.")
        earlier_link = money_nights.links_of_phone(session, link).get(earlier_id)
        if earlier_link is None or not earlier_link.may_score:
            raise NotAllowed
        # Looked up only now: the same form, sent twice at once, may have been handled since the match was read.
        if MATCH_EVENTS.has_key(session, [match_now.id], writer.idempotency_key):
            return earlier_link.code
        if not may_take_back_player_change(night, match_now):
            raise refusal("", "A hand was recorded since. Use “Somebody joins or leaves” again instead.")
        earlier_match = reload_match(session, earlier_link.code)
        changed_matches = [append_to_match(session, match_now, Deleted(), writer)]
        if earlier_match.log.is_stopped and not has_next_match(session, earlier_match):
            changed_matches.append(append_to_match(session, earlier_match, Resumed(), writer))
        session.commit()
        for changed_match in changed_matches:
            cache_match(session, changed_match)
        return earlier_link.code

    return _retry_change(session, change_and_commit)
