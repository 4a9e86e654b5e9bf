"""The people of a book: which names, typed in many matches, are one person, and that person's name.

A typed name is matched to a person by itself, without regard to capitals and spaces. Events of the book add what the
names alone do not show: that two names are one person, that a person has another name, or that a player is another
person of the same name. They do not change the typed names, so all of them can be undone.
"""

import base64
import hashlib
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache

from scorekeeper.pitch.scoring.seats import name_key

_UID_BYTES = 16
_NOBODY = "/"
"""A character that no uid has."""
Player = tuple[str, str, int]
"""A match by its uid, a seat by its id, and how many players had sat in."""


@lru_cache(maxsize=4096)  # few names of a book are looked up, thousands of times
def person_uid(book_uid: str, name: str) -> str:
    """Return the uid of the person that a name stands for in a book, unless an event assigns it to another."""
    digest = hashlib.sha256(f"{book_uid}\n{name_key(name)}".encode("utf-8", "surrogatepass")).digest()
    return base64.urlsafe_b64encode(digest[:_UID_BYTES]).decode().rstrip("=")


def another_of_name(name: str, number: int = 2) -> str:
    """Return the name that stands for somebody else of a name: "Ann (2)"."""
    return f"{name} ({number})"


def nobody(seat: str, sittings: int) -> str:
    """Return the id that stands for a player in a seat who is no person of this book."""
    return f"{seat}{_NOBODY}{sittings}"


def is_nobody(person: str) -> bool:
    """Return whether an id is one of `nobody`."""
    return _NOBODY in person


@dataclass(slots=True, kw_only=True)
class People:
    """The people of a book as its events describe them, beside the names in its matches."""

    joined: dict[str, str] = field(default_factory=dict)
    """The person that a person was joined to, who may have been joined in turn."""
    given: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    """The names that a person was given, each after the day from which on it holds; empty is every day."""
    known_as: dict[str, str] = field(default_factory=dict)
    """The person that was given a name, by the name's key: the name means that person where it is typed."""
    assigned: dict[Player, str] = field(default_factory=dict)
    nameless: dict[str, datetime] = field(default_factory=dict)
    """The people whose name was deleted, and when."""

    def root(self, person: str) -> str:
        """Return the person that somebody counts as, after all joining."""
        while person in self.joined:
            person = self.joined[person]
        return person

    def joined_to(self, person: str) -> tuple[str, ...]:
        """Return the people who were joined to a person directly."""
        return tuple(one for one, into in self.joined.items() if into == person)

    def name_of(self, person: str, on: date | None = None) -> str | None:
        """Return the name that a person was given, as of a day or now; `None` where the typed one holds."""
        names = self.given.get(person, ())
        if on is not None:
            names = tuple(item for item in names if item[0] <= on.isoformat())
        return names[-1][1] if names else None
