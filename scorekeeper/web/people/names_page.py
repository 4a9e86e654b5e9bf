"""What the pages of names show: who is who in a book, and what can be done about one of them."""

from dataclasses import dataclass
from typing import ClassVar

from scorekeeper.book.people import person_uid
from scorekeeper.ledger.limits import NAME_LENGTH
from scorekeeper.narration.dates import DateStyle
from scorekeeper.services.books import BookAccess
from scorekeeper.services.people import BookPeople
from scorekeeper.web.people.labels import letter, several_matches
from scorekeeper.web.shared.reader import plain_day

MOST_MATCHES = 40
DONE = {
    "rename": "Renamed.",
    "join": "Joined.",
    "part": "Taken apart.",
    "delete": "Name deleted.",
    "restore": "Name restored.",
    "other": "Changed.",
    "undo": "Undone.",
    "redo": "Redone.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class NamesNotice:
    """What was done just now, and whether it can be undone."""

    lead: str
    undo: int
    """0 where it cannot."""
    redo: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NameLine:
    """Somebody in a list."""

    uid: str
    name: str
    letter: str
    small: str
    """"41 matches"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamesPage:
    """Template people/names.html."""

    code: str
    people: tuple[NameLine, ...]
    deleted: tuple[NameLine, ...]
    """Whose names were deleted, by how much they played."""
    notice: NamesNotice | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchOfName:
    """A match that somebody played, who may have been another one of that name."""

    uid: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NamePage:
    """Template people/name.html."""

    code: str
    uid: str
    name: str
    """Empty where it was deleted."""
    typed: str
    """The new name, as it was typed."""
    is_from_now: bool
    fault: str
    refusal: str
    """Why something else was not done."""
    joined: tuple[NameLine, ...]
    others: tuple[NameLine, ...]
    """Whom the name can be joined to."""
    matches: tuple[MatchOfName, ...]
    notice: NamesNotice | None
    length: ClassVar = NAME_LENGTH


def names_notice(access: BookAccess, done: str) -> NamesNotice | None:
    """Return what to say of what was done."""
    if done not in DONE:
        return None
    book = access.book
    undo = book.undo_next.seq if book.undo_next and done != "undo" else 0
    return NamesNotice(lead=DONE[done], undo=undo, redo=book.redo_target or 0 if done == "undo" else 0)


def names_page(people: BookPeople, done: str = "") -> NamesPage:
    """Return the page of all names."""
    ordered = people.standings.ordered
    return NamesPage(
        code=people.access.code,
        people=tuple(_line(people, who) for who, _ in ordered if who in people.names),
        deleted=tuple(_line(people, who) for who, _ in ordered if who not in people.names),
        notice=names_notice(people.access, done),
    )


def _line(people: BookPeople, person: str) -> NameLine:
    name = people.names.get(person, "")
    played = people.standings.people[person].of
    return NameLine(
        uid=person,
        name=name or "No name",
        letter=letter(name),
        small=several_matches(played) if played else "some hands",
    )


def name_page(
    people: BookPeople,
    person: str,
    dates: DateStyle,
    *,
    done: str = "",
    typed: str | None = None,
    is_from_now: bool = False,
    fault: str = "",
    refusal: str = "",
) -> NamePage:
    """Return the page of one name; `typed` was refused for `fault`."""
    name = people.names.get(person, "")
    matches = [match for match in reversed(people.matches) if person in match.people]
    return NamePage(
        code=people.access.code,
        uid=person,
        name=name,
        typed=name if typed is None else typed,
        is_from_now=is_from_now,
        fault=fault,
        refusal=refusal,
        joined=tuple(
            NameLine(uid=uid, name=label, letter=letter(label), small="") for uid, label in _joined(people, person)
        ),
        others=tuple(
            _line(people, who) for who, _ in people.standings.ordered if who != person and who in people.names
        ),
        matches=tuple(
            MatchOfName(
                uid=match.uid,
                label=f"{plain_day(match.figures.on, dates)}: {match.figures.title or match.figures.rules}",
            )
            for match in matches[:MOST_MATCHES]
        ),
        notice=names_notice(people.access, done),
    )


def _joined(people: BookPeople, person: str) -> list[tuple[str, str]]:
    """Return whoever was joined to a person, each by the name that was typed last."""
    book = people.book
    joined = book.people.joined_to(person)
    if not joined:
        return []
    typed: dict[str, str] = {}
    for match in people.matches:
        for sitter, who in zip(match.figures.sitters, match.people, strict=True):
            if who == person:
                typed[person_uid(book.uid, sitter.typed)] = sitter.typed
    return [(uid, book.name_of(uid) or typed.get(uid, "Another name")) for uid in joined]


def has_played(people: BookPeople, person: str) -> bool:
    """Return whether somebody is in a book at all."""
    return person in people.standings.people
