"""The kinds of facts that a book is made of.

A match is known by its uid, and so is a person: by the uid that `people.person_uid` makes of a book and of a name. A
name that was typed in a match is matched to a person by itself; what is written here is what that would not tell.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from scorekeeper.ledger.fact_log import Event, Fact
from scorekeeper.ledger.fact_log import Redone as Redone
from scorekeeper.ledger.fact_log import Undone as Undone


@dataclass(frozen=True, slots=True, kw_only=True)
class BookRenamed(Fact):
    """The book got a name, or another one; an empty one takes it away."""

    kind: ClassVar[str] = "rename"
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchAdded(Fact):
    """A match was put into the book."""

    kind: ClassVar[str] = "match"
    match: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRemoved(Fact):
    """A match was taken out of the book: it is in another one now, or in none."""

    kind: ClassVar[str] = "match_removal"
    match: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRenamed(Fact):
    """A person is called otherwise: everywhere, or from some day on."""

    kind: ClassVar[str] = "person"
    person: str
    name: str
    since: str | None = None
    """The day, as ISO 8601 has it; `None` is everywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleJoined(Fact):
    """Two names are one person: what the first played counts for the other."""

    kind: ClassVar[str] = "join"
    person: str
    into: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonParted(Fact):
    """A name that was joined to a person is a person of its own again."""

    kind: ClassVar[str] = "part"
    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerAssigned(Fact):
    """A player of a match is a certain person, whatever the name says: of two Anns the other one."""

    kind: ClassVar[str] = "player"
    match: str
    seat: str
    """The id of the seat."""
    sittings: int
    """How many had sat in at that table since the match began: each of them may be somebody else."""
    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NameDeleted(Fact):
    """A person's name was deleted; the matches stay true, and call them “Player 3”."""

    kind: ClassVar[str] = "name_deletion"
    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NameRestored(Fact):
    """A person's name was restored."""

    kind: ClassVar[str] = "name_return"
    person: str


BookFact = Fact
BOOK_FACTS: Mapping[str, type[Fact]] = {
    fact.kind: fact
    for fact in (
        *(BookRenamed, MatchAdded, MatchRemoved, PersonRenamed, PeopleJoined, PersonParted, PlayerAssigned),
        *(NameDeleted, NameRestored, Undone, Redone),
    )
}
"""Every kind of fact, by what it is stored as."""

BookEvent = Event
