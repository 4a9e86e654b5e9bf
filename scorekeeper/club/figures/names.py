"""Renaming, joining and reassigning the people of a book, and writing their names into its matches."""

from collections.abc import Callable, Iterable, Sequence, Set
from datetime import date

from sqlalchemy.orm import Session

from scorekeeper.book import store as books
from scorekeeper.book.books import BookAccess, book_of_id, load_book
from scorekeeper.book.events import (
    PeopleJoined,
    PersonRenamed,
    PlayerAssigned,
)
from scorekeeper.book.fold import Book, numbered_name, person_uid
from scorekeeper.club.figures import store as figures
from scorekeeper.club.figures.counting import BookPeople, load_book_people
from scorekeeper.club.figures.match_figures import SeatedPlayer, seated_players
from scorekeeper.club.figures.people import SeatedMatch
from scorekeeper.club.figures.store import VersionedFigures
from scorekeeper.eventlog.store import Writer, append_event, retry_on_conflict
from scorekeeper.eventlog.stream import Event, refusal, refuse_any
from scorekeeper.matches import store as matches
from scorekeeper.matches.deleted_names import numbered_player_name
from scorekeeper.matches.events import Renamed
from scorekeeper.matches.log import fold, occasion_of
from scorekeeper.matches.store import MATCH_EVENTS
from scorekeeper.pitch.rules.entered_text import name_faults
from scorekeeper.pitch.scoring.seats import name_key
from scorekeeper.random_codes import new_code

MAX_PLAYER_NUMBERS = 20
"""How many names such as "Player 1" are tried for a deleted one: more than players at a table, so that one is free."""


def load_people(session: Session, access: BookAccess) -> BookPeople:
    """Return the people of a loaded book and its finished matches; like `load_book_people`, it may commit figures."""
    return load_book_people(session, access.id, access.book)


def renaming_event(
    session: Session, access: BookAccess, person: str, name: str, since: str | None = None
) -> PersonRenamed:
    """Return the event, not yet appended, that renames a person.

    `since` is the first day of the name in ISO 8601, `None` for all days. Raises `Refused` for an invalid name, and for
    one that another person has.
    """
    refuse_any(name_faults("name", name))
    everybody = load_people(session, access)
    for other, other_name in everybody.names.items():
        if other != person and name_key(other_name) == name_key(name):
            raise refusal("name", f"{other_name} is in these matches too. If they are one person, join them.")
    other = access.book.people.root(access.book.person_named(name))
    if other != person and other in everybody.standings:
        raise refusal("name", f"{name} is somebody else here. If they are one person, join them.")
    return PersonRenamed(person=person, name=name, since=since)


def joining_event(session: Session, access: BookAccess, person: str, into: str) -> PeopleJoined:
    """Return the event, not yet appended, that joins a person to another, whose figures then include both.

    Raises `Refused` if both played together, if they are the same person, or if one has no name.
    """
    everybody = load_people(session, access)
    names, both = everybody.names, {person, into}
    if person == into or not both <= names.keys():
        raise refusal("into", "Choose somebody else.")
    if together := sum(_have_sat_together(match, both) for match in everybody.matches):
        matches = "one match" if together == 1 else f"{together} matches"
        raise refusal(
            "into",
            f"{names[person]} and {names[into]} sat at one table in {matches}, so they are two people. If it was"
            " someone else there, choose that match under “Someone else of this name” first.",
        )
    return PeopleJoined(person=person, into=into)


def _have_sat_together(match: SeatedMatch, people: Set[str]) -> bool:
    """Return whether all these people played together in at least one scored hand of a match."""
    return people <= {*match.people} and any(
        people <= {match.people[player] for player in table.seated} for table in match.figures.details.tables
    )


def namesake_event(session: Session, access: BookAccess, person: str, match: str) -> PlayerAssigned:
    """Return the event, not yet appended, that makes a player another person of the same name.

    That is a second person of the name or, from there, the first one again. `person` is who the player was so far.
    Raises `Refused` unless that person played the match, and it is finished.
    """
    finished = load_people(session, access).matches
    seated = next((each for each in finished if each.uid == match and person in each.people), None)
    if seated is None:
        raise refusal("match", "This match has changed. Look at it again.")
    player = seated.figures.seated[seated.people.index(person)]
    book = access.book
    first = book.people.root(book.person_named(player.typed))
    other = person_uid(book.uid, numbered_name(player.typed)) if first == person else first
    return PlayerAssigned(match=match, seat=player.seat, sittings=player.substitution_number, person=other)


class _BookThatWritesNames(BookAccess):
    """A loaded book that writes people's names into its matches with each event that it stores."""

    __slots__ = ()

    def store(self, session: Session, before: BookAccess) -> None:
        _write_names_of_people(session, self.id, self.book, self.book.events[-1].actor)
        super().store(session, before)


def write_change_of_people(
    session: Session, access: BookAccess, change: Event | Callable[[BookAccess], Event], writer: Writer
) -> BookAccess:
    """Append an event about people to a book, write their names into its matches, and commit.

    `change` may be a function that returns the event for the latest version of the book. Raises `Refused` and
    `NotAllowed`.
    """

    def load() -> BookAccess:
        latest = load_book(session, access.code)
        return _BookThatWritesNames(latest.link, latest.book)

    return append_event(session, load, change, writer)


def write_names_into_matches(session: Session, book_id: int, actor: str) -> None:
    """Write into each match of a book the names that people have on its day, and commit.

    Only people whom the book's events are about are renamed; a deleted name becomes "Player 3" or the like. `actor` is
    the signature of the events that are added to the matches.
    """

    def write_all() -> None:
        _write_names_of_people(session, book_id, book_of_id(session, book_id), actor)
        session.commit()

    retry_on_conflict(session, write_all)  # another phone may have renamed the same person meanwhile


def _people_of_events(book: Book) -> Set[str]:
    """Return the uids of the people whom any event of a book is about, even an undone event.

    A person who was joined to another counts as the other.
    """
    people = (getattr(event.data, field, None) for event in book.events for field in ("person", "into"))
    return set(map(book.people.root, filter(None, people)))


def _write_names_of_people(session: Session, book_id: int, book: Book, actor: str) -> None:
    """Write names into matches and their stored figures, as `write_names_into_matches` does; the caller commits.

    The figures are first brought up to date, which commits whatever is pending in the session. Raises `IntegrityError`
    if another phone has written into a match meanwhile.
    """
    if not (changed_people := _people_of_events(book)):
        return

    def write_names_of_day(
        match_id: int,
        version: int,
        day: str,
        before: Sequence[SeatedPlayer],
        people: Sequence[str],
        side_names: Set[str],
    ) -> tuple[SeatedPlayer, ...]:
        """Give a match's players the names of its day, by an event if any differs, and return them."""
        after = _with_names_of_day(book, day, before, people, side_names, changed_people)
        if changed := [player for player, earlier in zip(after, before, strict=True) if player != earlier]:
            names = {player.seat: player.name for player in changed if not player.left_at}
            names_by_departure = {
                f"{player.seat}/{player.left_at}": player.name for player in changed if player.left_at
            }
            event = Renamed(names=names, by_book=True, left=names_by_departure or None)
            MATCH_EVENTS.add(session, match_id, [Writer(new_code(), actor).event(version + 1, event)])
        return after

    loaded = load_book_people(session, book_id, book)
    changed_figures: list[VersionedFigures] = []
    for match in loaded.matches:
        figures_before, side_names = match.figures, {side.name for side in match.figures.sides}
        seated = write_names_of_day(
            match.id, match.version, figures_before.day, figures_before.seated, match.people, side_names
        )
        if seated != figures_before.seated:
            changed_figures.append((match.id, match.version + 1, figures_before._replace(seated=seated)))
    figures.store_figures(session, changed_figures)
    other_ids = {*books.match_ids_of(session, book_id)} - {match.id for match in loaded.matches}
    for match_id, events in MATCH_EVENTS.load_all(session, [*other_ids]).items():
        setup, log = matches.setup_by_id(session, match_id), fold(events)
        seated = seated_players(setup, log)
        people = book.people_in(setup.uid, [player.person_arguments for player in seated])
        side_names = {side.name or "" for side in setup.sides if side.id not in (player.seat for player in seated)}
        write_names_of_day(match_id, log.version, occasion_of(setup, log).day, seated, people, side_names)


def _with_names_of_day(
    book: Book,
    day: str,
    before: Sequence[SeatedPlayer],
    people: Sequence[str],
    side_names: Set[str],
    changed_people: Set[str],
) -> tuple[SeatedPlayer, ...]:
    """Return the players of a match with the names that they get on its `day`.

    Only `changed_people` get new ones, and nobody the name of a side, or of a player in another seat. `people` has the
    uid of each player's person.
    """
    seats = [player.seat for player in before]  # those of the beginning come first, in their order
    choices = [
        [
            *(_wanted_names(book, who, day, player.typed, seats.index(player.seat)) if who in changed_people else ()),
            player.name,
        ]
        for player, who in zip(before, people, strict=True)
    ]
    is_settled = False
    while not is_settled:
        is_settled = True
        for player, who, names in [*zip(before, people, choices, strict=True)][::-1]:
            others = {
                name_key(other_names[0])
                for other, other_who, other_names in zip(before, people, choices, strict=True)
                if other_who != who and other.seat != player.seat
            }
            if len(names) > 1 and name_key(names[0]) in others.union(map(name_key, side_names)):
                del names[0]
                is_settled = False
    return tuple(player._replace(name=names[0]) for player, names in zip(before, choices, strict=True))


def _wanted_names(book: Book, person: str, day: str, typed: str, seat_index: int) -> Iterable[str]:
    """Return the names to try for a person in a match, the best first.

    For a deleted name they are "Player 3" and the like; otherwise it is the book's name on `day`, in ISO 8601, or else
    `typed`.
    """
    if person in book.people.deleted_at_by_person:
        return map(numbered_player_name, (seat_index, *range(MAX_PLAYER_NUMBERS)))
    return [book.name_of(person, date.fromisoformat(day)) or typed]
