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
    settled: SettledMatch
    persons: Mapping[str, Person]
    """The person in each seat, by the seat's id in seat order; by the side's id if no players were entered."""
    earlier_id: int | None
    """The id of the match that this one continues; `None` for the first match of the night."""

    @property
    def names_by_person(self) -> Mapping[Person, str]:
        """The name of each player of this match by person, in seat order."""
        return {person: self.match.names[who] for who, person in self.persons.items()}


@dataclass(frozen=True, slots=True)
class RecordedPayment(Payment):
    """A payment that was made and recorded, with the event that records it."""

    at: datetime
    match: Match
    """The match that has the event."""
    seq: int
    """The number of the event in the match's stream."""

    @property
    def may_be_undone(self) -> bool:
        """Whether the phone may undo the payment, and the next undo would undo it."""
        log = self.match.log
        return log.undo_target == self.seq and log.may_undo(self.match.link.role)


@dataclass(frozen=True)
class MoneyNight:
    """A money night, with those of its matches that one phone may see."""

    seen: tuple[NightMatch, ...]
    """The deleted matches, then the others in order. A payment counts even if its match is deleted."""

    @cached_property
    def matches(self) -> tuple[NightMatch, ...]:
        """The matches in order, without deleted ones."""
        return tuple(night_match for night_match in self.seen if not night_match.match.log.is_deleted)

    @property
    def version(self) -> int:
        """A number that grows whenever a match that the phone may see begins or changes."""
        return sum(night_match.match.version + 1 for night_match in self.seen)

    @cached_property
    def names(self) -> Mapping[Person, str]:
        """The name of each person, as in their last match.

        Deleted matches count only for those who are in no other.
        """
        return {person: name for night_match in self.seen for person, name in night_match.names_by_person.items()}

    @cached_property
    def persons_by_party_id(self) -> Mapping[str, Person]:
        """The person for each id by which payments name debtor and creditor.

        Each match has its own ids: the match's uid, "/", and the id of a seat or side.
        """
        return {
            f"{night_match.match.setup.uid}/{who}": person
            for night_match in self.seen
            for who, person in night_match.persons.items()
        }

    @cached_property
    def payments_recorded(self) -> Sequence[RecordedPayment]:
        """The payments recorded and not undone, match by match."""
        persons = self.persons_by_party_id
        return [
            RecordedPayment(
                persons[paid.debtor], persons[paid.creditor], paid.cents, event.at, night_match.match, event.seq
            )
            for night_match in self.seen
            for event in night_match.match.log.payments
            if isinstance(paid := event.data, PaymentRecorded) and {paid.debtor, paid.creditor} <= persons.keys()
        ]

    @property
    def owed_cents(self) -> Mapping[Person, int]:
        """The cents that each person is owed for all `matches`, before payments; negative for a person who owes."""
        return self.matches[-1].settled.cents_by_person if self.matches else {}

    @property
    def payments_due(self) -> Sequence[Payment]:
        """The payments, as few as `fewest_payments` finds, that settle what is still owed after the recorded ones."""
        still_owed = Counter(self.owed_cents)  # who played in deleted matches alone is owed nothing
        for payment in self.payments_recorded:
            still_owed[payment.debtor] += payment.cents
            still_owed[payment.creditor] -= payment.cents
        return fewest_payments(still_owed)

    def cents_paid_between(self, one: Person, other: Person) -> int:
        """Return the cents that one person has paid another, net; negative if more was paid back."""
        return sum(
            payment.cents if payment.debtor == one else -payment.cents
            for payment in self.payments_recorded
            if {payment.debtor, payment.creditor} == {one, other}
        )


def load_money_night(session: Session, link: Link) -> MoneyNight:
    """Return the money night of a link's match, with the matches that the link's phone may see.

    A phone sees the last match that it has a link to, and all before; by a shared link it sees only that link's match.
    Raises `UnscorableMatch` if one of these matches cannot be scored.
    """
    first_id = money_nights.first_match_id(session, link.stream_id)
    earlier_ids = money_nights.earlier_ids_by_match(session, first_id)
    links = {**money_nights.links_of_phone(session, link), link.stream_id: link}
    seen_ids = [match_id for match_id in (first_id, *earlier_ids) if match_id <= max(links)]
    if link.is_shared:
        seen_ids = [link.stream_id]
    seen = [match_of_link(session, links.get(match_id, Link(0, "", WATCHER, match_id))) for match_id in seen_ids]
    seen.sort(key=lambda match: not match.log.is_deleted)
    person_by_name = person_keys(map(_player_names, seen))
    persons = [{who: person_by_name[match.names[who]] for who in _player_ids(match)} for match in seen]
    settled = settle_night([*map(_shares_by_person, seen, persons)])
    return MoneyNight(tuple(map(NightMatch, seen, settled, persons, (earlier_ids.get(match.id) for match in seen))))


def record_payment(session: Session, link: Link, payment: Payment, writer: Writer) -> None:
    """Record a payment in the last match of a link's night that the phone may see, and commit.

    A form that is sent twice records one payment. Raises `Refused` if exactly this payment is not due or the night has
    gone on, `NotAllowed`, and `StaleMatch` if another phone wrote first.
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
    ids = {person: party_id for party_id, person in night.persons_by_party_id.items()}
    event = PaymentRecorded(debtor=ids[payment.debtor], creditor=ids[payment.creditor], cents=payment.cents)
    write_match(session, match.code, event, writer, expected_version=match.version)


def was_form_handled(session: Session, link: Link, idempotency_key: str) -> bool:
    """Return whether a form with this key has appended an event to any match of a link's night."""
    return MATCH_EVENTS.has_key(session, money_nights.match_ids_of_night(session, link.stream_id), idempotency_key)


def _player_ids(match: Match) -> list[str]:
    """Return the ids of a match's seats, or of its sides if no players were entered."""
    return [member.id for member in match.setup.seats or match.setup.sides]


def _player_names(match: Match) -> list[str]:
    """Return the names of a match's players, in the order of `_player_ids`."""
    return [match.names[who] for who in _player_ids(match)]


def _shares_by_person(match: Match, persons: Mapping[str, Person]) -> dict[Person, Fraction]:
    """Return the unrounded cents that each person is owed in a match; negative for a person who owes.

    Partners share equally. `persons` has the person for each of the `_player_ids`. Empty for a deleted match.
    """
    if match.log.is_deleted:
        return {}
    owed = dict.fromkeys(persons.values(), Fraction())
    members = {side.id: side.seats or (side.id,) for side in match.setup.sides}
    for side, share in match.state.shares.items():
        for who in members[side]:
            owed[persons[who]] += share.owed_cents / len(members[side])
    return owed


def keep_one_match_open(session: Session, before: Match | None, after: Match) -> None:
    """Raise `MatchClosed` if a match is reopened although its money night has gone on in another.

    For a restored match, appends `PlayersChanged` to the match before it, without a commit; raises `IntegrityError` if
    another phone was faster. `before` is `None` if the match could not be scored.
    """
    event = after.log.events[-1]
    may_reopen = isinstance(event.data, Undone | Redone | Resumed | Undeleted) and not after.log.is_deleted
    if not (after.state.ruleset.is_for_money and may_reopen):
        return
    if after.status == "in_progress" and has_next_match(session, after):
        raise MatchClosed("gone_on")
    earlier_id = money_nights.earlier_match_id(session, after.id) if before and before.log.is_deleted else None
    if earlier_id is not None:
        earlier = match_of_link(session, Link(0, "", WATCHER, earlier_id))
        if earlier.status == "in_progress" or has_next_match(session, earlier, besides=after.id):
            raise MatchClosed("gone_on")
        append_to_match(session, earlier, PlayersChanged(), Writer(event.idempotency_key, event.actor))


def has_next_match(session: Session, match: Match, *, besides: int | None = None) -> bool:
    """Return whether a match has a next one that is not deleted.

    The match with the id `besides` does not count.
    """
    earlier_ids = money_nights.earlier_ids_by_match(session, money_nights.first_match_id(session, match.id))
    next_ids = [
        later_id for later_id, earlier_id in earlier_ids.items() if earlier_id == match.id and later_id != besides
    ]
    next_events = MATCH_EVENTS.load_all(session, next_ids)
    # One that cannot be read has no events here, and counts as not deleted.
    return any(not fold(next_events.get(next_id, ())).is_deleted for next_id in next_ids)


def may_change_players(match: Match) -> bool:
    """Return whether players may change after a match: it is for money, not deleted, and its players were entered.

    An unfinished hand and a next match are refused only by `change_players`.
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
    match. Raises `Refused`, `NotAllowed`, and `StaleMatch` for events since `version`.
    """
    link = match.link

    def change() -> str:
        match_now = reload_match(session, link.code)
        has_next = has_next_match(session, match_now)
        # Looked up last: the same form, sent twice at once, may have been handled since the match was read.
        if (code_of_begun := code_of_match_begun_by_form(session, link, writer.idempotency_key)) is not None:
            return code_of_begun
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

    return _retry_change(session, change)


def code_of_match_begun_by_form(session: Session, link: Link, idempotency_key: str) -> str | None:
    """Return the code of this phone's link to the match that a form has begun; `None` without such a match.

    `link` is the phone's link to the match before. Raises `Refused` if the phone has no link to the new match.
    """
    begun_id = money_nights.match_id_by_key(session, _key_of_next_match(link, idempotency_key))
    if begun_id is None:
        return None
    if (own_link := money_nights.links_of_phone(session, link).get(begun_id)) is None:
        raise _refusal_of_repeated_form()
    return own_link.code


def _key_of_next_match(link: Link, idempotency_key: str) -> str:
    """Return the idempotency key of the match that a form begins when it is posted by this link.

    It is longer than any key that a form may send, so that nobody gets another phone's match with it.
    """
    return hashlib.blake2b(f"{link.code} {idempotency_key}".encode(), digest_size=24).hexdigest()


def _retry_change(session: Session, change: Callable[[], str]) -> str:
    """Return the result of `change`, called again a few times after conflicts.

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
    """Return the seats for the players of the next match.

    Raises `Refused` if there can be no next match now, or not with these players.
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

    The new match has the rules, title, day, place and book of `match`, and links for all its phones.
    """
    ruleset = match.state.ruleset
    seat_ids = [seat.id for seat in match.setup.seats]
    nameless = (match.names[who] for who in seat_ids if match.setup.is_nameless(who, match.log.renamed))
    record = Record(
        variant=match.setup.variant,
        house={**match.house_answers_at(len(match.state.results)), **(match.log.pending.house or {})},
        players=seats.players,
        unnamed=tuple(nameless),
        title=match.title or None,
        played_on=match.occasion.played_on,
        place=match.occasion.venue or None,
    )
    staying_names = _names_of_staying_players(match, seats)
    setup = new_setup(record, ruleset, seats, _first_dealer(match, seats, staying_names), match.setup.zone)
    setup = setup.with_evening(match.setup.evening)
    key = _key_of_next_match(match.link, writer.idempotency_key)
    match_id = add_match_of_setup(session, setup, ruleset, key)
    money_nights.store_earlier_match(session, match_id, match.id)
    book_id = books.book_id_of_match(session, match.id)
    if book_id is not None:
        append_to_book(session, book_id, MatchAdded(match=setup.uid), writer)
    books.put_match(session, match_id, book_id)
    new_seat_ids = {who: setup.ids_by_name[name] for who, name in staying_names.items()}
    return match_id, money_nights.carry_links(session, match.id, match_id, new_seat_ids)[match.link.id]


def _names_of_staying_players(match: Match, seats: Seats) -> dict[str, str]:
    """Return the names in the next match of the players who stay, by their seat ids in this match."""
    person_by_name = person_keys([_player_names(match), seats.players])
    next_names = {person_by_name[name]: name for name in seats.players}
    return {
        who: next_names[person]
        for who in _player_ids(match)
        if (person := person_by_name[match.names[who]]) in next_names
    }


def _first_dealer(match: Match, seats: Seats, staying_names: Mapping[str, str]) -> str | None:
    """Return the name of who deals first in the next match: the next in turn who stays.

    If nobody stays, the first player deals. `None` if this match has no dealer yet.
    """
    who = match.state.dealer
    for _ in match.setup.seats:
        if who is None:
            return None
        if who in staying_names:
            return staying_names[who]
        who = match.state.seats.left_of(who)
    return seats.players[0]


def may_take_back_player_change(night: MoneyNight, match: Match) -> bool:
    """Return whether a phone may take back the change of players that began a match.

    The match must have no hand, payment or next match. The phone must be allowed to score in it and in the match
    before.
    """
    earlier_ids = {night_match.match.id: night_match.earlier_id for night_match in night.matches}
    scorable_ids = {night_match.match.id for night_match in night.matches if night_match.match.link.may_score}
    is_new = not (match.log.hands or match.log.payments or match.id in earlier_ids.values())
    return is_new and {match.id, earlier_ids.get(match.id)} <= scorable_ids


def take_back_player_change(session: Session, match: Match, writer: Writer) -> str:
    """Delete a match without hands, commit, and return the code of this phone's link to the match before.

    The match before is resumed if it was stopped. Raises `NotAllowed`, and `Refused` if the change cannot be taken
    back.
    """
    link = match.link

    def change() -> str:
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
        earlier = reload_match(session, earlier_link.code)
        changed = [append_to_match(session, match_now, Deleted(), writer)]
        if earlier.log.is_stopped and not has_next_match(session, earlier):
            changed.append(append_to_match(session, earlier, Resumed(), writer))
        session.commit()
        for after in changed:
            cache_match(session, after)
        return earlier_link.code

    return _retry_change(session, change)
