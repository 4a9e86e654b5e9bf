"""What is here and what is in a file: compared match by match, and their books merged. Nothing is ever taken away."""

import base64
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Literal

from scorekeeper.book import facts
from scorekeeper.book.file import FileMatch
from scorekeeper.book.fold import in_force
from scorekeeper.ledger.fact_log import Event, Fact
from scorekeeper.ledger.fold import fold
from scorekeeper.ledger.limits import TITLE_LENGTH
from scorekeeper.ledger.log import LoggedHand
from scorekeeper.ledger.setup import MatchSetup

_UID_BYTES = 16


FileStanding = Literal["new", "same", "more_there", "more_here", "changed_in_both", "elsewhere", "another_start"]
"""How a match in a file and the one here stand to each other.

Where there is more, one goes on where the other ends. `elsewhere` is here, but not in this book, and stays as it is. Of
`another_start` are two that have one uid and are not one match: no Scorekeeper writes that.
"""


def standing(setup: MatchSetup, here: Sequence[Event], there: FileMatch) -> FileStanding:
    """Return how a match in a file stands to the one here that has its uid."""
    if replace(setup, id=0) != replace(there.setup, id=0):
        return "another_start"
    common = common_events(here, there.events)
    if common == len(here):
        return "same" if common == len(there.events) else "more_there"
    return "more_here" if common == len(there.events) else "changed_in_both"


def common_events(one: Sequence[Event], other: Sequence[Event]) -> int:
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
    for event in there.events:
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
    """Return the fact that each new undo or redo touches, if that is known here: of several, by the last one's key."""
    by_seq = {event.seq: event for event in events}
    last: dict[str, tuple[str, Event]] = {}
    for event in events:
        touched: Event | None = event
        while touched and isinstance(touched.fact, facts.Undone | facts.Redone):
            touched = by_seq.get(touched.fact.target) if touched.fact.target < touched.seq else None
        if touched and touched is not event and event.client_key not in own_keys and touched.client_key in own_keys:
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
