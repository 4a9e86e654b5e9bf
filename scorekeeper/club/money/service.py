"""A money night: matches of one game, each going on from the one before when somebody joins or leaves.

A change of players settles up: it ends the match that is played and begins the next under the same rules, in one
transaction. Every phone goes on with the same rights, and the next match is in the same book.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction

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
from scorekeeper.matches.service import (
    StaleMatch,
    append_to_match,
    cache_match,
    match_of_link,
    reload_match,
    write,
)
from scorekeeper.matches.start import add_match_of_setup, new_setup, number_seats
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.pitch.records.record import Record
from scorekeeper.pitch.rules.entered_text import name_faults
from scorekeeper.pitch.scoring.money import Payment, Person, SettledMatch, fewest_payments, settle_night
from scorekeeper.pitch.scoring.seats import Seats, name_key, person_keys, seat_table, table_faults

UNFINISHED_STATUSES = ("bidding", "bid")
"""The statuses of a hand that is being played."""


@dataclass(frozen=True, slots=True)
class NightMatch:
    """A match of a money night."""

    match: Match
    """The match with the phone's link to it; its code is empty where the phone has none."""
    settled: SettledMatch
    persons: Mapping[str, Person]
    """The players in seat order, by the id of the seat, or of the side where no players were entered."""
    earlier_id: int | None
    """The match that it goes on from."""

    @property
    def people(self) -> Mapping[Person, str]:
        """The players in seat order, with their names in this match."""
        return {person: self.match.names[who] for who, person in self.persons.items()}


@dataclass(frozen=True, slots=True)
class RecordedPayment(Payment):
    """A payment that was made."""

    at: datetime
    match: Match
    """The match whose log has the payment."""
    seq: int

    @property
    def may_be_undone(self) -> bool:
        """Whether the next undo in its match undoes this payment."""
        match, last = self.match, self.match.log.undo_next
        return last is not None and last.seq == self.seq and match.log.may_undo(match.link.role)


@dataclass(frozen=True, slots=True)
class MoneyNight:
    """A money night as it stands."""

    matches: tuple[NightMatch, ...]
    """The first one first, without those deleted."""
    version: int
    """A number that grows with every event in any of its matches."""

    @property
    def names(self) -> Mapping[Person, str]:
        """The latest name of each person."""
        return {person: name for played in self.matches for person, name in played.people.items()}

    @property
    def payers(self) -> Mapping[str, Person]:
        """The person for whom each id stands in a recorded payment; of a person’s ids, the latest is last."""
        return {
            f"{played.match.setup.uid}/{who}": person
            for played in self.matches
            for who, person in played.persons.items()
        }

    @property
    def payments_recorded(self) -> Sequence[RecordedPayment]:
        """The payments made so far, the first one first, without those by anybody outside these matches."""
        payers = self.payers
        return [
            RecordedPayment(payers[paid.debtor], payers[paid.creditor], paid.cents, event.at, played.match, event.seq)
            for played in self.matches
            for event in played.match.log.payments
            if isinstance(paid := event.data, PaymentRecorded) and {paid.debtor, paid.creditor} <= payers.keys()
        ]

    @property
    def owed(self) -> Mapping[Person, int]:
        """What everybody is owed for the whole night, in cents."""
        return self.matches[-1].settled.after if self.matches else {}

    @property
    def payments_due(self) -> Sequence[Payment]:
        """The fewest payments that settle what is still owed after the payments made."""
        left = dict(self.owed)
        for payment in self.payments_recorded:
            left[payment.debtor] += payment.cents
            left[payment.creditor] -= payment.cents
        return fewest_payments(left)

    def paid_between(self, one: Person, other: Person) -> int:
        """Return the cents that one person has paid to another, less those paid back."""
        return sum(
            payment.cents if payment.debtor == one else -payment.cents
            for payment in self.payments_recorded
            if {payment.debtor, payment.creditor} == {one, other}
        )


def load_money_night(session: Session, link: Link) -> MoneyNight:
    """Return the money night of a link's match as its phone may see it; raises `UnscorableMatch`.

    A phone sees the last match that it has a link to, and the matches before that, which are in what it owes. A shared
    link shows its own match alone. Where one of these matches cannot be scored, nobody knows what is owed.
    """
    first = money_nights.first_match(session, link.stream_id)
    later = money_nights.later_matches(session, first)
    mine = {**money_nights.links_of_phone(session, link), link.stream_id: link}
    seen = [link.stream_id] if link.is_shared else [match_id for match_id in (first, *later) if match_id <= max(mine)]
    found = [match_of_link(session, mine.get(match_id, Link(0, "", WATCHER, match_id))) for match_id in seen]
    present = [match for match in found if not match.log.is_deleted]
    keys = person_keys(map(_player_names, present))
    persons = [{who: keys[match.names[who]] for who in _player_ids(match)} for match in present]
    settled = settle_night([*map(_shares_by_person, present, persons)])
    return MoneyNight(
        tuple(map(NightMatch, present, settled, persons, (later.get(match.id) for match in present))),
        sum(match.version + 1 for match in found),
    )


def record_payment(session: Session, link: Link, payment: Payment, writer: Writer) -> None:
    """Record a payment once per form, and commit; raises `Refused` where it is not due, `NotAllowed`, `StaleMatch`."""
    night = load_money_night(session, link)
    if has_written_form(session, link, writer.idempotency_key):  # looked up last: the form may be posted twice at once
        return
    match = night.matches[-1].match if night.matches else None
    if match is None or not match.link.may_score:
        raise NotAllowed
    # All payments are written where the night is played now: of two phones that write down the same one, one is second.
    if has_gone_on(session, match) or payment not in night.payments_due:
        raise refusal("", "Something has changed since. Check who owes what now.")
    ids = {person: payer for payer, person in night.payers.items()}
    event = PaymentRecorded(debtor=ids[payment.debtor], creditor=ids[payment.creditor], cents=payment.cents)
    write(session, match.code, event, writer, expected_version=match.version)


def has_written_form(session: Session, link: Link, idempotency_key: str) -> bool:
    """Return whether a form has already written into any match of a money night, deleted ones included."""
    return MATCH_EVENTS.has_key(session, money_nights.matches_of_night(session, link.stream_id), idempotency_key)


def _player_ids(match: Match) -> list[str]:
    """Return the ids of a match's seats, or of its sides where no players were entered."""
    return [member.id for member in match.setup.seats or match.setup.sides]


def _player_names(match: Match) -> list[str]:
    """Return the names of a match's players, in the order of `_player_ids`."""
    return [match.names[who] for who in _player_ids(match)]


def _shares_by_person(match: Match, persons: Mapping[str, Person]) -> dict[Person, Fraction]:
    """Return what each player is owed in a match, unrounded; partners share what their side is owed."""
    owed = dict.fromkeys(persons.values(), Fraction())
    if match.state.ruleset.is_for_money:
        members = {side.id: side.seats or (side.id,) for side in match.setup.sides}
        for side, share in match.state.shares.items():
            for who in members[side]:
                owed[persons[who]] += share.owed / len(members[side])
    return owed


def refuse_second_open_match(session: Session, before: Match | None, after: Match) -> None:
    """Refuse to resume or restore a match whose money night goes on in another; raises `MatchClosed`.

    Restoring a match ends the one before it. Raises `IntegrityError` where another phone wrote there just now.
    """
    event = after.log.events[-1]
    may_play_on = isinstance(event.data, Undone | Redone | Resumed | Undeleted) and not after.log.is_deleted
    if not (after.state.ruleset.is_for_money and may_play_on):
        return
    if after.status == "in_progress" and has_gone_on(session, after):
        raise MatchClosed("gone_on")
    earlier_id = money_nights.earlier_match(session, after.id) if before and before.log.is_deleted else None
    if earlier_id is not None:
        earlier = match_of_link(session, Link(0, "", WATCHER, earlier_id))
        if earlier.status == "in_progress" or has_gone_on(session, earlier, besides=after.id):
            raise MatchClosed("gone_on")
        append_to_match(session, earlier, PlayersChanged(), Writer(event.idempotency_key, event.actor))


def has_gone_on(session: Session, match: Match, *, besides: int | None = None) -> bool:
    """Return whether a money night goes on from a match in another one that is not deleted, apart from `besides`."""
    later = money_nights.later_matches(session, money_nights.first_match(session, match.id))
    after = [later_id for later_id, earlier_id in later.items() if earlier_id == match.id and later_id != besides]
    return any(not match_of_link(session, Link(0, "", WATCHER, later_id)).log.is_deleted for later_id in after)


def may_change_players(match: Match) -> bool:
    """Return whether the players of a match may change: it is for money, not deleted, and has its players entered."""
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
    """Settle up, begin the next match with those who play now, commit, and return the code of this phone's link to it.

    A form that is sent twice begins one match. Raises `Refused`, and `StaleMatch` where somebody wrote since `version`.
    `in_transaction` writes more in the same transaction, given the id of the next match; it commits nothing.
    """
    link, begun_by = match.link, _key_of_next_match(match.link, writer.idempotency_key)

    def change() -> str:
        now = reload_match(session, link.code)
        is_elsewhere = has_gone_on(session, now)
        # Looked up last: the same form, sent twice at once, may have been answered since the match was read.
        if (begun := code_of_match_begun_by_form(session, link, writer.idempotency_key)) is not None:
            return begun
        if version is not None and now.version != version:
            raise StaleMatch(now.log.events_since(version), now)
        if is_elsewhere:
            raise refusal("", "The night has gone on in another match. Change who plays there.")
        seats = _check_players(now, players)
        # Another form that begins a match from this one writes here as well: of two at once, one is second.
        ended = append_to_match(session, now, Stopped() if now.status == "in_progress" else PlayersChanged(), writer)
        match_id, code = _add_next_match(session, now, seats, begun_by, writer)
        in_transaction(match_id)
        session.commit()
        cache_match(session, ended)
        return code

    return _retry_change(session, change)


def code_of_match_begun_by_form(session: Session, link: Link, idempotency_key: str) -> str | None:
    """Return the code of a phone's link to the match that a form began; `None` where it began none.

    Raises `Refused` where the phone has no such link.
    """
    begun = money_nights.match_begun_by_form(session, _key_of_next_match(link, idempotency_key))
    if begun is None:
        return None
    if (mine := money_nights.links_of_phone(session, link).get(begun)) is None:
        raise _refusal_of_repeated_form()
    return mine.code


def _key_of_next_match(link: Link, idempotency_key: str) -> str:
    """Return the idempotency key of the match that a form of a link begins.

    It is longer than any key that a form may send. Otherwise the form of a new match could have this key, and would be
    answered with the first link of the match, which is another phone's.
    """
    return hashlib.blake2b(f"{link.code} {idempotency_key}".encode(), digest_size=24).hexdigest()


def _retry_change(session: Session, change: Callable[[], str]) -> str:
    """Return the result of a change, tried again after a conflict; raises `Refused` where its key is taken."""
    try:
        return retry_on_conflict(session, change)
    except IntegrityError:
        session.rollback()
        raise _refusal_of_repeated_form() from None


def _refusal_of_repeated_form() -> Refused:
    """Return the refusal of a form that was sent before."""
    return refusal("", "This form was sent already. Open the page again.")


def _check_players(match: Match, players: Sequence[str]) -> Seats:
    """Return the seats of the new players; raises `Refused` where they cannot play on from this match."""
    if not may_change_players(match):
        raise refusal("", "This game is not played for money, or nobody said who plays.")
    results = match.state.results
    if results and results[-1].status in UNFINISHED_STATUSES:
        raise refusal("", "A hand is not finished. Finish it first, then change who plays.")
    refuse_any(fault for index, name in enumerate(players) for fault in name_faults(f"players.{index}", name))
    refuse_any(table_faults(players, ()))
    if match.status == "in_progress" and [*map(name_key, players)] == [*map(name_key, _player_names(match))]:
        raise refusal("players", "The same people play. Untick who leaves, or enter who joins.")
    seats, faults = seat_table(match.state.ruleset, players, None)
    if seats is None:
        raise Refused(faults)
    return seats


def _add_next_match(session: Session, match: Match, seats: Seats, begun_by: str, writer: Writer) -> tuple[int, str]:
    """Add the next match, and return its id and the code of this phone's link to it."""
    ruleset = match.state.ruleset
    record = Record(
        variant=match.setup.variant,
        house={**match.house_options_at(len(match.state.results)), **(match.log.pending.house or {})},
        players=seats.players,
        title=match.title or None,
        played_on=match.occasion.played_on,
        place=match.occasion.venue or None,
    )
    members = match.setup.seats
    nameless = {match.names[who.id] for who in members if match.setup.is_nameless(who.id, match.log.renamed)}
    table = number_seats(ruleset, seats, nameless).with_evening(match.setup.evening)
    staying = _names_of_staying_players(match, seats)
    setup = new_setup(record, table, _first_dealer(match, seats, staying), match.setup.zone)
    match_id = add_match_of_setup(session, setup, ruleset, begun_by)
    money_nights.add_earlier_match(session, match_id, match.id)
    book_id = books.book_of_match(session, match.id)
    if book_id is not None:
        append_to_book(session, book_id, MatchAdded(match=setup.uid), writer)
    books.put_match(session, match_id, book_id)
    ids = {who: table.ids[name] for who, name in staying.items()}
    return match_id, money_nights.carry_links(session, match.id, match_id, ids)[match.link.id]


def _names_of_staying_players(match: Match, seats: Seats) -> dict[str, str]:
    """Return the new names of those who play on, by their old seat ids."""
    keys = person_keys([_player_names(match), seats.players])
    new = {keys[name]: name for name in seats.players}
    return {who: new[key] for who in _player_ids(match) if (key := keys[match.names[who]]) in new}


def _first_dealer(match: Match, seats: Seats, staying: Mapping[str, str]) -> str | None:
    """Return who deals first in the next match: the deal goes on in turn, skipping those who left."""
    who = match.state.dealer
    for _ in match.setup.seats:
        if who is None:
            return None
        if who in staying:
            return staying[who]
        who = match.state.seats.left_of(who)
    return seats.players[0]


def may_take_back_player_change(night: MoneyNight, match: Match) -> bool:
    """Return whether the change of players that began a match can be taken back: nothing follows it."""
    earlier = {each.match.id: each.earlier_id for each in night.matches}
    scored = {each.match.id for each in night.matches if each.match.link.may_score}
    is_new = not (match.log.hands or match.log.payments or match.id in earlier.values())
    return is_new and {match.id, earlier.get(match.id)} <= scored


def take_back_player_change(session: Session, match: Match, writer: Writer) -> str:
    """Delete a match before its first hand, resume the one before, commit, and return the code of the link to that.

    Raises `Refused` where a hand was recorded, and `NotAllowed` where the phone may not score in the match before.
    """
    link = match.link

    def change() -> str:
        # The match is read before its night: a match that goes on from it meanwhile is seen in the night; one that
        # begins after that is from a faster phone.
        now = reload_match(session, link.code)
        night = load_money_night(session, link)
        earlier_id = money_nights.earlier_match(session, now.id)
        if earlier_id is None:
            raise refusal("", "This match goes on from no other.")
        mine = money_nights.links_of_phone(session, link).get(earlier_id)
        if mine is None or not mine.may_score:
            raise NotAllowed
        # Looked up only now: the same form, sent twice at once, may have been answered since the match was read.
        if MATCH_EVENTS.has_key(session, [now.id], writer.idempotency_key):
            return mine.code
        if not may_take_back_player_change(night, now):
            raise refusal("", "A hand was recorded since. Use “Somebody joins or leaves” again instead.")
        earlier = reload_match(session, mine.code)
        after = [append_to_match(session, now, Deleted(), writer)]
        if earlier.log.is_stopped and not has_gone_on(session, earlier):
            after.append(append_to_match(session, earlier, Resumed(), writer))
        session.commit()
        for changed in after:
            cache_match(session, changed)
        return mine.code

    return _retry_change(session, change)
