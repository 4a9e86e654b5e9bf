"""What is here and what is in a file: compared match by match, and their books merged. Nothing is ever taken away."""

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Literal

from scorekeeper.book import events as facts
from scorekeeper.book.fold import in_force
from scorekeeper.club.book_files.file import FileMatch
from scorekeeper.eventlog.stream import Event, Fact
from scorekeeper.matches.deleted_names import is_by_book, is_number, numbers_of_deleted, with_numbers
from scorekeeper.matches.log import LoggedHand
from scorekeeper.matches.log_fold import fold
from scorekeeper.pitch.records.limits import TITLE_LENGTH
from scorekeeper.pitch.records.setup import MatchSetup

_UID_BYTES = 16


FileStanding = Literal["new", "same", "more_there", "more_here", "changed_in_both", "elsewhere", "another_start"]
"""How a match in a file and the one here stand to each other.

Where there is more, one goes on where the other ends. `elsewhere` is here, but not in this book, and stays as it is. Of
`another_start` are two that have one uid and are not one match: no Scorekeeper writes that.
"""


def standing(setup: MatchSetup, here: Sequence[Event], there: FileMatch) -> FileStanding:
    """Return how a match in a file stands to the one here that has its uid; what books called its people is nothing."""
    numbers = _numbers_of_either(setup, here, there)
    mine, own = with_numbers(replace(setup, id=0), at_table(here), numbers)
    theirs, other = with_numbers(replace(there.setup, id=0), at_table(there.events), numbers)
    if mine != theirs:
        return "another_start"
    common = _common_events(own, other)
    if common == len(own):
        return "same" if common == len(other) else "more_there"
    return "more_here" if common == len(other) else "changed_in_both"


def _numbers_of_either(setup: MatchSetup, here: Sequence[Event], there: FileMatch) -> dict[str, str]:
    """Return by what number each name is called that a book has deleted, here or in the file, which may not say it."""
    pairs = [(a.name, b.name) for a, b in zip(setup.seats, there.setup.seats, strict=False) if a.name != b.name]
    told = {a: b for a, b in pairs if is_number(b)} | {b: a for a, b in pairs if is_number(a)}
    return {**told, **numbers_of_deleted(setup, here), **numbers_of_deleted(there.setup, there.events)}


def at_table(events: Sequence[Event]) -> Sequence[Event]:
    """Return what was written at the table, with the places that it would have if no book had said anything."""
    if not any(is_by_book(event.fact) for event in events):
        return events
    kept = [event for event in events if not is_by_book(event.fact)]
    places = {event.seq: seq for seq, event in enumerate(kept, 1)}
    return [_moved(event, seq, places) for seq, event in enumerate(kept, 1)]


def _moved(event: Event, seq: int, places: Mapping[int, int]) -> Event:
    """Return an event at another place, where others are at other `places`."""
    told = {name: places.get(at, 0) for name in _PLACES if (at := getattr(event.fact, name, None))}
    return replace(event, seq=seq, fact=replace(event.fact, **told) if told else event.fact)


_PLACES = ("before", "uid", "version", "target")
"""The fields of a match's facts that name another event."""


def continuation(here: Sequence[Event], there: Sequence[Event]) -> list[Event]:
    """Return what was written at the table in a file's match after what is here; nothing where it does not go on."""
    own, other = at_table(here), at_table(there)
    if _common_events(own, other) < len(own):
        return []
    places = {seq: event.seq for seq, event in enumerate((it for it in here if not is_by_book(it.fact)), 1)}
    by_book = len(here) - len(own)
    places |= {event.seq: event.seq + by_book for event in other[len(own) :]}
    return [_moved(event, places[event.seq], places) for event in other[len(own) :]]


def _common_events(one: Sequence[Event], other: Sequence[Event]) -> int:
    """Return how many events two have in common before they differ."""
    pairs = zip(one, other, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def differing_hand(here: Sequence[Event], there: Sequence[Event]) -> int | None:
    """Return the number of the first hand that differs; `None` where something else does."""
    one, other = fold(here), fold(there)
    pairs = zip_longest(map(_as_dealt, one.hands), map(_as_dealt, other.hands))
    place = next((place for place, (a, b) in enumerate(pairs) if a != b), None)
    if place is None:
        return None
    return (one if place < len(one.hands) else other).numbers[place]


def _as_dealt(logged: LoggedHand) -> tuple[object, ...]:
    return logged.hand, logged.pending.dealer, logged.pending.house, logged.pending.sits_in


def copy_uid(there: FileMatch) -> str:
    """Return the uid of the copy that is made of a file's match where both were changed: always the same one."""
    told = hashlib.sha256(f"{there.uid}\n".encode())
    for event in at_table(there.events):
        told.update(f"{event.client_key} {event.at.isoformat()} {event.fact!r}\n".encode())
    uid = base64.urlsafe_b64encode(told.digest()[:_UID_BYTES]).decode().rstrip("=")
    return f"c{uid[1:]}"


def titled(title: str, remark: str) -> str:
    """Return the title of a match with a remark after it, cut to what fits: "Sunday (from the file)"."""
    ending = f"({remark})"
    return f"{title[: TITLE_LENGTH - len(ending) - 1].rstrip()} {ending}".strip()


def merged(
    here: Sequence[Event], there: Sequence[Event], is_known: Callable[[str], bool] = lambda match: True
) -> tuple[Event, ...]:
    """Return what a file's book adds to the one here, in the order in which it is written after that.

    `is_known` says whether a match is in the book here or comes with the file. Where both said something else about one
    thing since they parted, both are kept, and the one here counts: it is said once more.
    """
    own_keys, their_keys = {event.client_key for event in here}, {event.client_key for event in there}
    wanted = [event for event in there if _is_wanted(event.fact, is_known)]
    added: list[Event] = []
    if all(event.client_key in their_keys for event in here):
        added = _as_written(here, [event for event in wanted if event.client_key not in own_keys], there)
    else:
        ours = {event.fact.subject: event for event in in_force(here) if event.client_key not in their_keys}
        for event in _told_since(here, wanted, own_keys):
            mine = ours.get(event.fact.subject)
            if mine is None:
                added.append(event)
            elif mine.fact != event.fact and _again(mine, event) not in own_keys:
                added += [event, replace(mine, client_key=_again(mine, event))]
    first = here[-1].seq + 1 if here else 1
    return tuple(replace(event, seq=seq) for seq, event in enumerate(added, first))


def _is_wanted(fact: Fact, is_known: Callable[[str], bool]) -> bool:
    """Return whether a fact may come in: of a match that is neither in the book nor new nothing is said."""
    match fact:
        case facts.MatchAdded(match=match) | facts.MatchRemoved(match=match) | facts.PlayerAssigned(match=match):
            return is_known(match)
        case _:
            return True


def _as_written(here: Sequence[Event], new: Sequence[Event], there: Sequence[Event]) -> list[Event]:
    """Return the facts of a file that only goes on from the book here, undos included, at their new places."""
    keys = {event.seq: event.client_key for event in there}
    places = {event.client_key: event.seq for event in here}
    added = []
    for seq, event in enumerate(new, here[-1].seq + 1 if here else 1):
        places[event.client_key] = seq
        match event.fact:
            case facts.Undone(target=target) | facts.Redone(target=target) as fact:
                place = places.get(keys.get(target, ""))
                if place is not None:
                    added.append(replace(event, fact=replace(fact, target=place)))
                else:  # what it undid has not come in, nor does it: another one takes its place
                    added.append(replace(event, fact=replace(fact, target=0)))
            case _:
                added.append(event)
    return added


def _told_since(here: Sequence[Event], there: Sequence[Event], own_keys: set[str]) -> list[Event]:
    """Return what a file says in the end that the book here has not been told.

    An undo there of what both had is told as its opposite, and a redo as the fact itself.
    """
    lasting = {event.client_key for event in in_force(there)}
    still = {event.client_key for event in in_force(here)}
    touched = _touched(there, own_keys)
    told = []
    for event in there:
        if event.client_key in own_keys:
            continue
        fact = touched.get(event.client_key)
        if event.client_key in lasting:
            told.append(event)
        elif fact and fact.client_key in still - lasting:
            told += [replace(event, fact=opposite) for opposite in _opposites(fact, there)]
        elif fact and fact.client_key in lasting - still:
            told.append(replace(event, fact=fact.fact))
    return told


def _touched(events: Sequence[Event], own_keys: set[str]) -> dict[str, Event]:
    """Return the fact that the last undo or redo of it touches, if that is known here, by that last one's key."""
    by_seq = {event.seq: event for event in events}
    last: dict[str, tuple[str, Event]] = {}
    for event in events:
        touched: Event | None = event
        while touched and isinstance(touched.fact, facts.Undone | facts.Redone):
            touched = by_seq.get(touched.fact.target) if touched.fact.target < touched.seq else None
        if touched and touched is not event and touched.client_key in own_keys:
            last[touched.client_key] = (event.client_key, touched)
    return dict(last.values())


def _opposites(undone: Event, events: Sequence[Event]) -> list[Fact]:
    """Return the fact that makes it as it was before another one; nothing for what cannot be unsaid."""
    about = undone.fact.subject
    before = [event.fact for event in in_force(events) if event.seq < undone.seq and event.fact.subject == about]
    if before:
        return [before[-1]]
    match undone.fact:
        case facts.BookRenamed():
            return [facts.BookRenamed(name="")]
        case facts.PeopleJoined(person=person):
            return [facts.PersonParted(person=person)]
        case facts.NameDeleted(person=person):
            return [facts.NameRestored(person=person)]
        case _:
            return []


def _again(mine: Event, theirs: Event) -> str:
    """Return the key of a fact that is said once more, after another one: always the same one."""
    return f"again-{hashlib.sha256(f'{mine.client_key} {theirs.client_key}'.encode()).hexdigest()[:24]}"
