"""The kinds of facts that a tournament night is made of.

A pair is known by its uid: the `seq` of the event by which it came. Tables are numbered from 1, the lowest.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from scorekeeper.ledger.facts import Redone, Undone


@dataclass(frozen=True, slots=True, kw_only=True)
class PairArrived:
    """A pair came to play: before the start, or late."""

    kind: ClassVar[str] = "pair"
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRenamed:
    """The players of a pair have other names."""

    kind: ClassVar[str] = "pair_name"
    pair: int
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairLeft:
    """A pair went home; a game that it had not finished goes to the other pair."""

    kind: ClassVar[str] = "left"
    pair: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairBack:
    """A pair that had left came back."""

    kind: ClassVar[str] = "back"
    pair: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NightStarted:
    """The pairs sat down for the first round: as they were drawn, or as somebody placed them."""

    kind: ClassVar[str] = "start"
    tables: tuple[tuple[int, int], ...]
    sits_out: int | None = None
    by_lot: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class GameWon:
    """A pair won at a table in a round; without a winner the result is taken away again."""

    kind: ClassVar[str] = "won"
    round: int
    table: int
    winner: int | None = None
    match: int | None = None
    """The match whose verdict it is; `None` where somebody tapped it."""
    scores: tuple[int, int] | None = None
    """How it ended, in the order in which the pairs sit there; `None` where nobody said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchKept:
    """A match is kept at a table in a round; its verdict will be the result."""

    kind: ClassVar[str] = "match"
    round: int
    table: int
    match: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStarted:
    """Everybody moved, and a round began; who sits out was drawn."""

    kind: ClassVar[str] = "round"
    round: int
    sits_out: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTakenBack:
    """The last round was taken back, with all that was played in it."""

    kind: ClassVar[str] = "taken_back"
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsAgreed:
    """The night has another number of rounds."""

    kind: ClassVar[str] = "rounds"
    rounds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NightRenamed:
    """The night has another name."""

    kind: ClassVar[str] = "title"
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NightEnded:
    """The night ended before its last round did."""

    kind: ClassVar[str] = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class NightResumed:
    """The night goes on after all."""

    kind: ClassVar[str] = "resume"


@dataclass(frozen=True, slots=True, kw_only=True)
class NightDeleted:
    """The night was deleted."""

    kind: ClassVar[str] = "deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class NightRestored:
    """A night that was deleted was restored."""

    kind: ClassVar[str] = "restored"


NightFact = (
    PairArrived
    | PairRenamed
    | PairLeft
    | PairBack
    | NightStarted
    | GameWon
    | MatchKept
    | RoundStarted
    | RoundTakenBack
    | RoundsAgreed
    | NightRenamed
    | NightEnded
    | NightResumed
    | NightDeleted
    | NightRestored
    | Undone
    | Redone
)


@dataclass(frozen=True, slots=True)
class NightEvent:
    """A fact with its place in the night, and who wrote it when."""

    seq: int
    client_key: str
    at: datetime
    actor: str
    fact: NightFact
