"""The events of a book folded: its name, its matches and its people.

A typed name finds its person without an event, whatever its capitals and spaces.
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
"""The separator in the id of a player who is no person of the book: a character that no uid has."""
PlayerKey = tuple[str, str, int]
"""What identifies a player: the match's uid, the seat's id, and the number of substitutions before sitting down."""


@lru_cache(maxsize=4096)  # few names of a book are looked up, thousands of times
def person_uid(book_uid: str, name: str) -> str:
    """Return the uid of the person that a name stands for in a book, unless an event gives it to another person."""
    digest = hashlib.sha256(f"{book_uid}\n{name_key(name)}".encode("utf-8", "surrogatepass")).digest()
    return base64.urlsafe_b64encode(digest[:_UID_BYTES]).decode().rstrip("=")


def numbered_name(name: str, number: int = 2) -> str:
    """Return a name with a number, which tells another person of the same name apart: "Ann (2)"."""
    return f"{name} ({number})"


def nobody_id(seat: str, since: int) -> str:
    """Return an id for a player who is no person of the book and sat down after `since` substitutions: "p1/0"."""
    return f"{seat}{_NOBODY_SEPARATOR}{since}"


def is_nobody(person: str) -> bool:
    """Return whether an id is that of a player who is no person of the book, as `nobody_id` returns it."""
    return _NOBODY_SEPARATOR in person


@dataclass(slots=True, kw_only=True)
class People:
    """What the events of a book change about its people; all else follows from the names in its matches."""

    joined: dict[str, str] = field(default_factory=dict)
    """The person that each joined person counts as, who may have been joined in turn."""
    given: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """The names given to each person, each after the first day on which it holds, in ISO 8601; "" for all days."""
    known_as: dict[str, str] = field(default_factory=dict)
    """The person who was given a name, by the name's key: wherever the name is typed, it means that person."""
    assigned: dict[PlayerKey, str] = field(default_factory=dict)
    """The person that a player was assigned to, whatever the player's name."""
    nameless: dict[str, datetime] = field(default_factory=dict)
    """The people whose name was deleted, and when."""

    def root(self, person: str) -> str:
        """Return the uid of the person as whom a person counts after all joins, which may be the same person."""
        while person in self.joined:
            person = self.joined[person]
        return person

    def people_joined_to(self, person: str) -> tuple[str, ...]:
        """Return the people who were joined to a person directly."""
        return tuple(one for one, into in self.joined.items() if into == person)


class DeletedNameEvent(Event):
    """The base of the events that delete a person's name, or restore it."""

    __slots__ = ()
    person: str


@dataclass(slots=True, kw_only=True)
class Book(EventLog):
    """The folded events of a book."""

    noun: ClassVar[str] = "book"
    max_events: ClassVar[int] = 100_000
    """Enough for a match a day for a long life, and for the events about its people."""
    uid: str
    name: str = ""
    """Empty where the book has no name."""
    matches: dict[str, None] = field(default_factory=dict)
    """The uids of the matches in it, the first one first."""
    people: People = field(default_factory=People)
    deleted: frozenset[str] = frozenset()
    """The people whose name this book ever deleted, even if it was restored."""
    _person_cache: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    """A cache of the person for each name, after all joins: a book looks up few names, thousands of times."""

    def person(self, match: str, seat: str, since: int, name: str, shown_name: str = "") -> str:
        """Return the uid of the person who sat down in a seat after `since` substitutions, by the typed `name`.

        It is that of `nobody_id` where there is no name, or where another book has deleted the name: in the match the
        name is then `shown_name`, "Player 3".
        """
        if not name:
            return nobody_id(seat, since)
        found = self._find_person(match, seat, since, name)
        if shown_name and is_deleted_name(shown_name, name) and found not in map(self.people.root, self.deleted):
            return nobody_id(seat, since)
        return found

    def people_in(self, match: str, players: Sequence[tuple[str, int, str, str]]) -> tuple[str, ...]:
        """Return the uids of the people who played in a match, given the arguments of `person` for each player.

        Players at the table at the same time are different people. In old matches they may have one name in two
        spellings: the later by the alphabet is then another person of that name, unless the book has assigned the
        player.
        """
        people = [self.person(match, *player) for player in players]
        if len(set(people)) == len(people):
            return tuple(people)
        known = [(match, seat, since) in self.people.assigned for seat, since, *_ in players]
        placed: list[int] = []
        for at in sorted(range(len(people)), key=lambda index: (not known[index], players[index][2])):
            number, beside = 1, {people[earlier] for earlier in placed if _played_together(players, earlier, at)}
            while people[at] in beside and not known[at]:
                number += 1
                people[at] = self.people.root(self.person_named(numbered_name(players[at][2], number)))
            placed.append(at)
        return tuple(people)

    def _find_person(self, match: str, seat: str, since: int, name: str) -> str:
        """Return the uid of a player's person, by assignment or else by name, after all joins."""
        people, persons = self.people, self._person_cache
        if people.assigned and (assigned := people.assigned.get((match, seat, since))):
            return people.root(assigned)
        if name not in persons:
            persons[name] = people.root(self.person_named(name))
        return persons[name]

    def person_named(self, name: str) -> str:
        """Return the uid of the person that a typed name stands for, without regard to joins."""
        known_as = self.people.known_as
        return (known_as and known_as.get(name_key(name))) or person_uid(self.uid, name)

    def name_of(self, person: str, on: date | None = None) -> str | None:
        """Return the name that the book gave a person, as of a day or now; `None` where the typed name holds."""
        names = self.people.given.get(person, ())
        if on is not None:
            names = tuple(item for item in names if item[0] <= on.isoformat())
        return names[-1][1] if names else None

    def may_show_name(self, name: str) -> bool:
        """Return whether a typed name is not empty, and the name of its person is not deleted now."""
        return bool(name) and self.people.root(self.person_named(name)) not in self.people.nameless

    def has_deleted_name(self, name: str, at: datetime) -> bool:
        """Return whether a name that was typed at a moment was deleted since."""
        nameless = self.people.nameless
        deleted_at = nameless.get(self.people.root(self.person_named(name))) if nameless else None
        return deleted_at is not None and at <= deleted_at

    def refuse_unless_last(self, target: int, last: int | None, action: str) -> None:
        """Raise `Refused` unless `target` is `last`, the `seq` of the only event that the action may undo."""
        if target != last:
            raise refusal("", "Something else was changed since. Look at it again first.")


def fold_book(uid: str, events: Iterable[StoredEvent]) -> Book:
    """Fold events, in order, into a book."""
    events = tuple(events)
    deleted = frozenset(event.data.person for event in events if isinstance(event.data, DeletedNameEvent))
    return Book.fold(events, uid=uid, deleted=deleted)


def _played_together(players: Sequence[tuple[str, int, str, str]], one: int, other: int) -> bool:
    """Return whether two players sat at the same time, each until the next player took the same seat."""
    (seat, since, *_), (other_seat, other_since, *_) = players[one], players[other]
    later = max(since, other_since)
    return seat != other_seat and not any(
        before < sat_down <= later
        for of, before in ((seat, since), (other_seat, other_since))
        for in_seat, sat_down, *_ in players
        if in_seat == of
    )
