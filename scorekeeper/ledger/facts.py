"""The kinds of facts that a match is made of.

A hand is known by its uid: the `seq` of the event that added it. Seats are `p1`, `p2`, … clockwise, and sides
`s1`, `s2`, …; where each scores alone, a side is known by its seat.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, get_args

from scorekeeper.ledger.fact_log import Event as Event
from scorekeeper.ledger.fact_log import Fact as Fact
from scorekeeper.ledger.fact_log import Redone as Redone
from scorekeeper.ledger.fact_log import Undone as Undone
from scorekeeper.ledger.fields import Day, Flag, House, Marks, Names, Place, SeatId, StoredHand, Title
from scorekeeper.ledger.roles import OWNER, WATCHER


@dataclass(frozen=True, slots=True, kw_only=True)
class _OnHand(Fact):
    """A fact about a hand."""

    by: SeatId | None = None
    """The seat or the side whose phone wrote it; `None` for the main phone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandAdded(_OnHand):
    """A hand was played; at the end, or before another one."""

    kind: ClassVar[str] = "hand"
    hand: StoredHand
    before: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCorrected(_OnHand):
    """A hand was other than it had been entered."""

    kind: ClassVar[str] = "correction"
    uid: Place
    hand: StoredHand


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRemoved(_OnHand):
    """A hand was deleted."""

    kind: ClassVar[str] = "removal"
    uid: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class HandReturned(_OnHand):
    """A hand that was deleted or undone was restored in its place."""

    kind: ClassVar[str] = "return"
    uid: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class HandAccepted(_OnHand):
    """Somebody of another side accepted a hand."""

    kind: ClassVar[str] = "acceptance"
    role: ClassVar[str | None] = WATCHER
    uid: Place
    version: Place
    """The event that made the hand what it was then: a correction after that has to be accepted again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementSet(Fact):
    """From here on a hand counts only when another side has accepted it, or does so at once."""

    kind: ClassVar[str] = "agreement"
    role: ClassVar[str | None] = OWNER
    on: Flag


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped(Fact):
    """The table stopped before there was a winner."""

    kind: ClassVar[str] = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed(Fact):
    """The table resumed the match."""

    kind: ClassVar[str] = "resume"


@dataclass(frozen=True, slots=True, kw_only=True)
class Renamed(Fact):
    """People, sides or the match got other names, all in one."""

    kind: ClassVar[str] = "rename"
    role: ClassVar[str | None] = OWNER
    names: Names = field(default_factory=dict)
    """New names by id; an empty one names a side after its players again."""
    title: Title | None = None
    by_book: Flag | None = None
    """Whether the match's book renamed a person: what was typed here stays known, and no undo here touches it."""
    left: Names | None = None
    """The book's names for those who have left a seat, by the seat's id and the event by which they left: "p1/7"."""

    @property
    def is_undoable(self) -> bool:
        return not self.by_book


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked(Fact):
    """Sides took other markers."""

    kind: ClassVar[str] = "marks"
    marks: Marks
    """New markers by side: two that swap are one fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted(Fact):
    """The match was deleted."""

    kind: ClassVar[str] = "deletion"
    role: ClassVar[str | None] = OWNER


@dataclass(frozen=True, slots=True, kw_only=True)
class Undeleted(Fact):
    """The match was restored."""

    kind: ClassVar[str] = "undeletion"
    role: ClassVar[str | None] = OWNER


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesChanged(Fact):
    """Other house options hold from the next hand on."""

    kind: ClassVar[str] = "rules"
    role: ClassVar[str | None] = OWNER
    house: House
    on: Day | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerMoved(Fact):
    """Somebody else deals the next hand."""

    kind: ClassVar[str] = "dealer"
    who: SeatId


@dataclass(frozen=True, slots=True, kw_only=True)
class SatIn(Fact):
    """Somebody sits in a seat from the next hand on; what was played before stays with whoever left it."""

    kind: ClassVar[str] = "sits_in"
    names: Names
    """The names of those who sit in, by the id of the seat."""


HandFact = HandAdded | HandCorrected | HandRemoved | HandReturned | HandAccepted
MatchFact = (
    HandFact
    | AgreementSet
    | Stopped
    | Resumed
    | Renamed
    | Marked
    | Deleted
    | Undeleted
    | RulesChanged
    | DealerMoved
    | SatIn
    | Undone
    | Redone
)
FACTS: Mapping[str, type[Fact]] = {fact.kind: fact for fact in get_args(MatchFact)}
"""Every kind of fact, by what it is stored as."""
