"""How something gets written: once, even if its form comes twice, in its place, and again where another was faster."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Generic, Protocol, Self, TypeVar

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.codes import new_code
from scorekeeper.eventlog.refusals import refuse_any
from scorekeeper.eventlog.stream import Event, Fact, FactLog
from scorekeeper.pitch.records.limits import cut_actor, key_faults

MOST_TRIES = 50
"""How often something is tried again when others write at the same moment."""
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes: the key of the form, which counts once however often it comes, and the signature of its phone.

    `zone` is the time zone of that phone, where it is known. Raises `Refused` for a key that is none.
    """

    client_key: str
    actor: str = ""
    zone: str | None = None

    def __post_init__(self) -> None:
        refuse_any(key_faults(self.client_key))

    def event(self, seq: int, fact: Fact) -> Event:
        """Return a fact as it is written now."""
        return Event(seq, self.client_key, datetime.now(UTC), cut_actor(self.actor), fact)


class Place(Protocol):
    """A match, a book or a night, before something is written into it, with the link that leads to it."""

    @property
    def log(self) -> FactLog:
        """What was written so far."""

    def takes(self, fact: Fact, actor: str) -> bool:
        """Return whether a fact is not so already; raises `Refused` and `NotAllowed` where it cannot be written."""

    def after(self, event: Event) -> Self:
        """Return the place with one more event; raises `Refused`."""

    def store(self, session: Session, before: Self) -> None:
        """Insert the last event, given the place before it; commits nothing, and raises `IntegrityError`."""

    def as_of(self, version: int) -> Self:
        """Return the place as it stood after one of its events."""


P = TypeVar("P", bound=Place)


class Stale(Exception, Generic[P]):
    """Somebody else wrote first; `place` is how it stands now."""

    def __init__(self, place: P) -> None:
        super().__init__("Someone else wrote first.")
        self.place = place


def write(
    session: Session,
    load: Callable[[], P],
    change: Callable[[P], Fact | Sequence[Fact]],
    writer: Writer,
    *,
    version: int | None = None,
    mark: str = "",
) -> P:
    """Write one or several facts into a place, all or none, and commit; return the place as it stands then.

    A form whose key has been seen before is answered as it was the first time, whatever was written since. With a
    `version`, nothing may have been written since, nor, with the `mark` of that version, have been replaced by a
    restore. Raises `Refused`, `NotAllowed` and `Stale`.
    """

    def look_and_add() -> P:
        place = load()
        if (sent := place.log.seq_of(writer.client_key)) is not None:
            return place.as_of(sent)
        if version is not None and (version != place.log.version or mark not in ("", place.log.mark)):
            raise Stale(place)
        after = append(session, place, change(place), writer)
        if after is not place:
            session.commit()
        return after

    try:
        return tried_again(session, look_and_add)  # another phone was faster, or the same one twice: look again
    except IntegrityError:
        session.rollback()
        raise Stale(load()) from None


def append(session: Session, place: P, facts: Fact | Sequence[Fact], writer: Writer) -> P:
    """Add what is new of some facts to a place and return it, all or none; commits nothing.

    Raises `Refused` and `NotAllowed` before anything is added, and `IntegrityError`.
    """
    steps = steps_of(place, facts, writer)
    for before, after in pairwise(steps):
        after.store(session, before)
    return steps[-1]


def steps_of(place: P, facts: Fact | Sequence[Fact], writer: Writer) -> list[P]:
    """Return a place before some facts and after each that is new; raises `Refused` and `NotAllowed`."""
    steps = [place]
    for fact in (facts,) if isinstance(facts, Fact) else facts:
        if steps[-1].takes(fact, writer.actor):
            if len(steps) > 1:  # each event has a key of its own, and the last one the form's
                steps[-1] = _keyed(steps, new_code())
            steps.append(steps[-1].after(next_event(steps[-1].log, fact, writer)))
    return steps


def _keyed(steps: Sequence[P], client_key: str) -> P:
    *_, before, after = steps
    return before.after(replace(after.log.events[-1], client_key=client_key))


def next_event(log: FactLog, fact: Fact, writer: Writer) -> Event:
    """Return a fact as the next event of a log; raises `Refused` where there is no room for it."""
    log.refuse_full()
    return writer.event(log.version + 1, fact)


def tried_again(session: Session, write: Callable[[], Answer]) -> Answer:
    """Return what a writing returns, which looks and writes anew after each conflict; what else fails is undone."""
    for _ in range(MOST_TRIES):
        try:
            return write()
        except IntegrityError:
            session.rollback()
        except Exception:
            session.rollback()
            raise
    return write()


def add_once(session: Session, find: Callable[[], str | None], add: Callable[[], str]) -> str:
    """Add what a form asks for, commit, and return its code; or only return it where `find` has it already."""
    if (known := find()) is not None:
        return known
    try:
        code = add()
        session.commit()
    except Exception:  # perhaps of the same form, twice at the same moment
        session.rollback()
        if (known := find()) is None:
            raise
        return known
    return code
