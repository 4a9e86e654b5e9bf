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
"""How many names like "Player 1" are tried for a deleted name: more than players at a table, so that one is free."""


def load_people(session: Session, access: BookAccess) -> BookPeople:
    """Return the people of a loaded book with its finished matches.

    Figures that are missing or out of date are computed and committed first.
    """
    return load_book_people(session, access.id, access.book)


def renaming_event(
    session: Session, access: BookAccess, person: str, name: str, since: str | None = None
) -> PersonRenamed:
    """Return the event, not yet appended, that renames a person.

    `since` is the first day of the new name in ISO 8601; `None` for all days. Raises `Refused` for an invalid name, and
    for a name that another person has.
    """
    refuse_any(name_faults("name", name))
    book_people = load_people(session, access)
    for other, other_name in book_people.names_by_person.items():
        if other != person and name_key(other_name) == name_key(name):
            raise refusal("name", f"{other_name} is in these matches too. If they are one person, join them.")
    namesake = access.book.people.root(access.book.person_named(name))
    if namesake != person and namesake in book_people.win_ratios:
        raise refusal("name", f"{name} is somebody else here. If they are one person, join them.")
    return PersonRenamed(person=person, name=name, since=since)


def joining_event(session: Session, access: BookAccess, person: str, into: str) -> PeopleJoined:
    """Return the event, not yet appended, that joins a person to the person `into`, who then has the figures of both.

    Raises `Refused` if both played together, if they are the same person, or if one has no name.
    """
    book_people = load_people(session, access)
    names, both_people = book_people.names_by_person, {person, into}
    if person == into or not both_people <= names.keys():
        raise refusal("into", "Choose somebody else.")
    if match_count := sum(_have_sat_together(match, both_people) for match in book_people.matches):
        match_count_phrase = "one match" if match_count == 1 else f"{match_count} matches"
        raise refusal(
            "into",
            f"{names[person]} and {names[into]} sat at one table in {match_count_phrase}, so they are two people. If it"
            " was someone else there, choose that match under “Someone else of this name” first.",
        )
    return PeopleJoined(person=person, into=into)


def _have_sat_together(match: SeatedMatch, people: Set[str]) -> bool:
    """Return whether all these people played together in at least one scored hand of a match."""
    return people <= {*match.people} and any(
        people <= {match.people[index] for index in table.players} for table in match.figures.details.tables
    )


def namesake_event(session: Session, access: BookAccess, person: str, match_uid: str) -> PlayerAssigned:
    """Return the event, not yet appended, that makes a player of a match another person of the same name.

    If the player was the first person of that name, the event makes the player the second; else, the first again.
    `person` is who the player was so far. Raises `Refused` unless this person played the match and it is finished.
    """
    matches = load_people(session, access).matches
    match = next((match for match in matches if match.uid == match_uid and person in match.people), None)
    if match is None:
        raise refusal("match", "This match has changed. Look at it again.")
    player = match.figures.players[match.people.index(person)]
    book = access.book
    first_person = book.people.root(book.person_named(player.typed_name))
    new_person = person_uid(book.uid, numbered_name(player.typed_name)) if first_person == person else first_person
    return PlayerAssigned(match=match_uid, seat=player.seat, sittings=player.substitution_number, person=new_person)


class _BookThatWritesNames(BookAccess):
    """A loaded book that writes people's names into its matches whenever it stores an event."""

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
    """Write into each match of a book the names that people have on the day of the match, and commit.

    Only people whom the book's events are about are renamed; a deleted name becomes "Player 3" or the like. The events
    that are added to the matches are signed by `actor`.
    """

    def write_all() -> None:
        _write_names_of_people(session, book_id, book_of_id(session, book_id), actor)
        session.commit()

    retry_on_conflict(session, write_all)  # another phone may have renamed the same person meanwhile


def _people_of_events(book: Book) -> Set[str]:
    """Return the uids of the people whom any event of a book is about, even an undone event.

    Instead of a person who was joined to another, return the other.
    """
    people = (getattr(event.data, field_name, None) for event in book.events for field_name in ("person", "into"))
    return set(map(book.people.root, filter(None, people)))


def _write_names_of_people(session: Session, book_id: int, book: Book, actor: str) -> None:
    """Write names into matches and into their stored figures, as `write_names_into_matches` does, without a commit.

    But first, figures that are out of date are computed and committed, with all that is pending in the session. Raises
    `IntegrityError` if another phone has written into a match meanwhile.
    """
    if not (changed_people := _people_of_events(book)):
        return

    def write_names_of_day(
        match_id: int,
        version: int,
        day: str,
        players: Sequence[SeatedPlayer],
        people: Sequence[str],
        side_names: Set[str],
    ) -> tuple[SeatedPlayer, ...]:
        """Return the players of a match with their names on its day; append an event to the match if a name changes."""
        renamed_players = _with_names_of_day(book, day, players, people, side_names, changed_people)
        if changed_players := [
            after for before, after in zip(players, renamed_players, strict=True) if after != before
        ]:
            names_by_seat = {player.seat: player.name for player in changed_players if not player.left_at_seq}
            names_by_departure = {
                f"{player.seat}/{player.left_at_seq}": player.name for player in changed_players if player.left_at_seq
            }
            event = Renamed(names=names_by_seat, by_book=True, left=names_by_departure or None)
            MATCH_EVENTS.add(session, match_id, [Writer(new_code(), actor).event(version + 1, event)])
        return renamed_players

    book_people = load_book_people(session, book_id, book)
    changed_figures: list[VersionedFigures] = []
    for match in book_people.matches:
        old_figures, side_names = match.figures, {side.name for side in match.figures.sides}
        players = write_names_of_day(
            match.id, match.version, old_figures.day, old_figures.players, match.people, side_names
        )
        if players != old_figures.players:
            changed_figures.append((match.id, match.version + 1, old_figures._replace(players=players)))
    figures.store_figures(session, changed_figures)
    ids_without_figures = {*books.match_ids_of(session, book_id)} - {match.id for match in book_people.matches}
    for match_id, events in MATCH_EVENTS.load_all(session, [*ids_without_figures]).items():
        setup, log = matches.setup_by_id(session, match_id), fold(events)
        players = seated_players(setup, log)
        people = book.people_in(setup.uid, [player.person_arguments for player in players])
        side_names = {side.name or "" for side in setup.sides if side.id not in (player.seat for player in players)}
        write_names_of_day(match_id, log.version, occasion_of(setup, log).day, players, people, side_names)


def _with_names_of_day(
    book: Book,
    day: str,
    players: Sequence[SeatedPlayer],
    people: Sequence[str],
    side_names: Set[str],
    changed_people: Set[str],
) -> tuple[SeatedPlayer, ...]:
    """Return the players of a match with the names that they have on its `day`.

    Only `changed_people` get new names. Nobody gets the name of a side, or of a player in another seat. `people` has
    the uid of the person that each of `players` is.
    """
    seats = [player.seat for player in players]  # those of the beginning come first, in their order
    names_to_try = [
        [
            *(
                _wanted_names(book, person, day, player.typed_name, seats.index(player.seat))
                if person in changed_people
                else ()
            ),
            player.name,
        ]
        for player, person in zip(players, people, strict=True)
    ]
    is_settled = False
    while not is_settled:
        is_settled = True
        for player, person, names in [*zip(players, people, names_to_try, strict=True)][::-1]:
            other_keys = {
                name_key(other_names[0])
                for other_player, other_person, other_names in zip(players, people, names_to_try, strict=True)
                if other_person != person and other_player.seat != player.seat
            }
            if len(names) > 1 and name_key(names[0]) in other_keys.union(map(name_key, side_names)):
                del names[0]
                is_settled = False
    return tuple(player._replace(name=names[0]) for player, names in zip(players, names_to_try, strict=True))


def _wanted_names(book: Book, person: str, day: str, typed_name: str, seat_index: int) -> Iterable[str]:
    """Return the names to try for a person in a match, the best first.

    For a deleted name, they are "Player 3" and the like. Otherwise, there is just one: the name that the book gives the
    person on `day` or, without such a name, `typed_name`. The day is in ISO 8601.
    """
    if person in book.people.deleted_at_by_person:
        return map(numbered_player_name, (seat_index, *range(MAX_PLAYER_NUMBERS)))
    return [book.name_of(person, date.fromisoformat(day)) or typed_name]
