"""A book folded from its events: its name, its matches and its people.

A typed name means a person without any event. Differences in capitals and spaces do not count.
"""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from typing import ClassVar

from scorekeeper.eventlog.stream import Event, EventLog, StoredEvent, refusal
from scorekeeper.matches.deleted_names import is_deleted_name
from scorekeeper.pitch.scoring.seats import name_key

_UID_BYTES = 16
_NOBODY_SEPARATOR = "/"
"""The separator in an id from `nobody_id`; no uid has this character."""
PlayerKey = tuple[str, str, int]
"""What identifies a player of a match: the match's uid, the seat's id, and the number of a substitution.

The number is that of the substitution which seated the player, from 1; 0 for a player from the start: ("x3Vt…", "p1",
0).
"""


@lru_cache(maxsize=4096)  # few names of a book are looked up, thousands of times
def person_uid(book_uid: str, name: str) -> str:
    """Return the uid of the person that a name means in a book, unless an event gave the name to somebody else."""
    name_hash = hashlib.sha256(f"{book_uid}\n{name_key(name)}".encode("utf-8", "surrogatepass")).digest()
    return base64.urlsafe_b64encode(name_hash[:_UID_BYTES]).decode().rstrip("=")


def numbered_name(name: str, number: int = 2) -> str:
    """Return the name for another person of the same name: "Ann (2)"."""
    return f"{name} ({number})"


def nobody_id(seat_id: str, substitution_number: int) -> str:
    """Return an id for a player who is no person of the book: "p1/0".

    The number is that of the substitution which seated the player, as in a `PlayerKey`.
    """
    return f"{seat_id}{_NOBODY_SEPARATOR}{substitution_number}"


def is_nobody(person_id: str) -> bool:
    """Return whether an id is from `nobody_id`, so that the player is no person of the book."""
    return _NOBODY_SEPARATOR in person_id


@dataclass(slots=True, kw_only=True)
class People:
    """What the events of a book changed about its people.

    All else about people follows from the names in the matches.
    """

    into_by_person: dict[str, str] = field(default_factory=dict)
    """The uid of the person to whom a person was joined, keyed by uid.

    That person may have been joined to another one in turn.
    """
    dated_names_by_person: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """The names that a person was given, each after its first day, in order of these days; keyed by uid.

    A day is in ISO 8601, or empty for a name from the start: (("", "Ann"), ("2026-03-14", "Anna")).
    """
    person_by_name: dict[str, str] = field(default_factory=dict)
    """The uid of the person whom a name means wherever it is typed, keyed by `name_key` of the name.

    It is the first person who was given the name.
    """
    person_by_player: dict[PlayerKey, str] = field(default_factory=dict)
    """The uid of the person to whom a player of a match was assigned, whatever the player's name is."""
    deleted_at_by_person: dict[str, datetime] = field(default_factory=dict)
    """When a person's name was deleted, keyed by uid. Restored names are left out."""

    def root(self, uid: str) -> str:
        """Return the uid of the person as whom a person counts after all joins; that may be the person itself."""
        while uid in self.into_by_person:
            uid = self.into_by_person[uid]
        return uid

    def people_joined_to(self, uid: str) -> tuple[str, ...]:
        """Return the uids of the people who were joined to this one directly."""
        return tuple(joined_person for joined_person, into_person in self.into_by_person.items() if into_person == uid)


class DeletedNameEvent(Event):
    """The base of the events that delete or restore the name of a person."""

    __slots__ = ()
    person: str


@dataclass(slots=True, kw_only=True)
class Book(EventLog):
    """A book, folded from its events."""

    noun: ClassVar[str] = "book"
    max_events: ClassVar[int] = 100_000
    """The most events in a book: enough for a match a day for a hundred years, and for the events about people."""
    uid: str
    name: str = ""
    """The name of the book; empty for none."""
    matches: dict[str, None] = field(default_factory=dict)
    """The uids of the matches in the book, as keys in the order in which they were added."""
    people: People = field(default_factory=People)
    ever_nameless: frozenset[str] = frozenset()
    """The uids of the people whose names were ever deleted in this book, even if they were restored since."""
    _person_cache: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    """The uid of the person that a name means after all joins, keyed by the name.

    A cache, as a few names are looked up thousands of times.
    """

    def person_of_player(
        self, match_uid: str, seat_id: str, substitution_number: int, name: str, shown_name: str = ""
    ) -> str:
        """Return the uid of the person that a player of a match is.

        `name` is as typed, and `shown_name` as the match shows it. A player without a name, or with a name that another
        book deleted, is nobody: the result is an id from `nobody_id`.
        """
        if not name:
            return nobody_id(seat_id, substitution_number)
        person = self._find_person(match_uid, seat_id, substitution_number, name)
        if shown_name and is_deleted_name(shown_name, name) and person not in map(self.people.root, self.ever_nameless):
            return nobody_id(seat_id, substitution_number)
        return person

    def people_in(self, match_uid: str, players: Sequence[tuple[str, int, str, str]]) -> tuple[str, ...]:
        """Return the uids of the people that the players of a match are, in the order of `players`.

        Each of `players` is the arguments of `person_of_player` after the match. Players at the table at the same time
        are different people, even with the same name, as in old matches.
        """
        people = [self.person_of_player(match_uid, *player) for player in players]
        if len(set(people)) == len(people):
            return tuple(people)
        is_assigned = [
            (match_uid, seat, substitution_number) in self.people.person_by_player
            for seat, substitution_number, *_ in players
        ]
        # Of two with the same name, the second by alphabet is another person, unless the book has assigned that player.
        earlier_indexes: list[int] = []
        for index in sorted(range(len(people)), key=lambda index: (not is_assigned[index], players[index][2])):
            people_beside = {
                people[earlier] for earlier in earlier_indexes if _played_together(players, earlier, index)
            }
            number = 1
            while people[index] in people_beside and not is_assigned[index]:
                number += 1
                people[index] = self.people.root(self.person_named(numbered_name(players[index][2], number)))
            earlier_indexes.append(index)
        return tuple(people)

    def _find_person(self, match_uid: str, seat_id: str, substitution_number: int, name: str) -> str:
        """Return the uid of the person to whom a player was assigned, or whom the name means, after all joins."""
        people, uid_by_name = self.people, self._person_cache
        if people.person_by_player and (
            assigned_person := people.person_by_player.get((match_uid, seat_id, substitution_number))
        ):
            return people.root(assigned_person)
        if name not in uid_by_name:
            uid_by_name[name] = people.root(self.person_named(name))
        return uid_by_name[name]

    def person_named(self, name: str) -> str:
        """Return the uid of the person whom a typed name means, before any joins."""
        person_by_name = self.people.person_by_name
        return (person_by_name and person_by_name.get(name_key(name))) or person_uid(self.uid, name)

    def name_of(self, person: str, day: date | None = None) -> str | None:
        """Return the name that the book gave a person, at present or on a day; `None` if it gave none."""
        dated_names = self.people.dated_names_by_person.get(person, ())
        if day is not None:
            dated_names = tuple(dated_name for dated_name in dated_names if dated_name[0] <= day.isoformat())
        return dated_names[-1][1] if dated_names else None

    def may_show_name(self, name: str) -> bool:
        """Return whether a typed name is not empty, and not the name of a person whose name was deleted."""
        return bool(name) and self.people.root(self.person_named(name)) not in self.people.deleted_at_by_person

    def has_deleted_name(self, name: str, at: datetime) -> bool:
        """Return whether a name that was typed at the time `at` was deleted later, and has not been restored."""
        nameless = self.people.deleted_at_by_person
        deleted_at = nameless.get(self.people.root(self.person_named(name))) if nameless else None
        return deleted_at is not None and at <= deleted_at

    def refuse_unless_last(self, target_seq: int, last_seq: int | None, action: str) -> None:
        """Raise `Refused` unless `target_seq` is `last_seq`, the only event that can be undone or redone now."""
        if target_seq != last_seq:
            raise refusal("", "Something else was changed since. Look at it again first.")


def fold_book(uid: str, events: Iterable[StoredEvent]) -> Book:
    """Fold events, in order, into a book."""
    events = tuple(events)
    ever_nameless = frozenset(event.data.person for event in events if isinstance(event.data, DeletedNameEvent))
    return Book.fold(events, uid=uid, ever_nameless=ever_nameless)


def _played_together(players: Sequence[tuple[str, int, str, str]], index_one: int, index_two: int) -> bool:
    """Return whether the players at two indexes were at the table at the same time, at different seats."""
    (seat, substitution_number, *_), (other_seat, other_number, *_) = players[index_one], players[index_two]
    later_number = max(substitution_number, other_number)
    return seat != other_seat and not any(
        own_number < since_number <= later_number
        for own_seat, own_number in ((seat, substitution_number), (other_seat, other_number))
        for seat_taken, since_number, *_ in players
        if seat_taken == own_seat
    )
