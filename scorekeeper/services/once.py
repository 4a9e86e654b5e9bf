"""How something gets written: once, even if its form comes twice, in its place, and again where another was faster."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Generic, Protocol, Self, TypeVar

from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from scorekeeper.ledger.fact_log import Event, Fact, FactLog
from scorekeeper.ledger.limits import cut_actor, key_faults
from scorekeeper.ledger.refusals import refuse_any
from scorekeeper.services.codes import new_code

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

    def add(self, session: Session, event: Event) -> Self:
        """Add an event, and return the place with it; commits nothing, and raises `IntegrityError`."""


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
) -> P:
    """Write one or several facts into a place, all or none, and commit; return the place as it stands then.

    A form whose key has been seen before is answered as it was the first time. With a `version`, nothing may have
    been written since. Raises `Refused`, `NotAllowed` and `Stale`.
    """

    def look_and_add() -> P:
        before = after = load()
        if before.log.has_key(writer.client_key):
            return before
        if version is not None and version != before.log.version:
            raise Stale(before)
        facts, by = change(before), writer
        for fact in (facts,) if isinstance(facts, Fact) else facts:
            if after.takes(fact, writer.actor):
                after = after.add(session, next_event(after.log, fact, by))
                by = replace(writer, client_key=new_code())  # each fact has a key of its own
        if after is not before:
            session.commit()
        return after

    try:
        return tried_again(session, look_and_add)  # another phone was faster, or the same one twice: look again
    except IntegrityError:
        session.rollback()
        raise Stale(load()) from None


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
    except IntegrityError:  # the same form, twice at the same moment
        session.rollback()
        if (known := find()) is None:
            raise
        return known
    return code
