"""The kinds of facts that a match is made of, each with its payload.

A hand is known by its uid: the `seq` of the event that added it. Seats are `p1`, `p2`, … clockwise, and sides
`s1`, `s2`, …; where each scores alone, a side is known by its seat.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

Hand = Mapping[str, Any]
"""A hand as `pitch-record/1` has it, with ids in place of names."""
PAYLOAD_VERSION = 1


class _Fact(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _OfAHand(_Fact):
    by: str | None = None
    """The seat or the side whose phone wrote it; `None` for the phone in the middle."""


class HandAdded(_OfAHand):
    """A hand was played; at the end, or before another one where that is said."""

    kind: Literal["hand"] = "hand"
    hand: dict[str, Any]
    before: int | None = None


class HandCorrected(_OfAHand):
    """A hand was other than it had been written."""

    kind: Literal["correction"] = "correction"
    uid: int
    hand: dict[str, Any]


class HandRemoved(_OfAHand):
    """A hand was taken out."""

    kind: Literal["removal"] = "removal"
    uid: int


class HandReturned(_OfAHand):
    """A hand that had gone was put back in its place."""

    kind: Literal["return"] = "return"
    uid: int


class HandAccepted(_OfAHand):
    """Somebody of another side said that a hand was so."""

    kind: Literal["acceptance"] = "acceptance"
    uid: int
    version: int
    """The event that made the hand what it was then: a correction after that has to be accepted anew."""


class AgreementSet(_Fact):
    """From here on a hand counts only when another side has accepted it, or does so at once."""

    kind: Literal["agreement"] = "agreement"
    on: bool


class Stopped(_Fact):
    """The table stopped before there was a winner."""

    kind: Literal["stop"] = "stop"


class Resumed(_Fact):
    """The table went on after all."""

    kind: Literal["resume"] = "resume"


class Renamed(_Fact):
    """People, sides or the match got other names, all in one."""

    kind: Literal["rename"] = "rename"
    names: dict[str, str] = {}
    """New names by id; an empty one lets a side be called after its players again."""
    title: str | None = None


class Marked(_Fact):
    """Sides took other markers."""

    kind: Literal["marks"] = "marks"
    marks: dict[str, int]
    """New markers by side: two that swap are one fact."""


class Deleted(_Fact):
    """The match was thrown away."""

    kind: Literal["deletion"] = "deletion"


class Undeleted(_Fact):
    """The match was fetched out of the bin."""

    kind: Literal["undeletion"] = "undeletion"


class RulesChanged(_Fact):
    """Other house options hold from the next hand on."""

    kind: Literal["rules"] = "rules"
    house: dict[str, Any]
    on: str | None = None


class DealerMoved(_Fact):
    """Somebody else deals the next hand."""

    kind: Literal["dealer"] = "dealer"
    who: str


class Undone(_Fact):
    """A fact was taken back."""

    kind: Literal["undo"] = "undo"
    target: int


class Redone(_Fact):
    """An undo was taken back."""

    kind: Literal["redo"] = "redo"
    target: int


Fact = (
    HandAdded
    | HandCorrected
    | HandRemoved
    | HandReturned
    | HandAccepted
    | AgreementSet
    | Stopped
    | Resumed
    | Renamed
    | Marked
    | Deleted
    | Undeleted
    | RulesChanged
    | DealerMoved
    | Undone
    | Redone
)
_READER: TypeAdapter[Fact] = TypeAdapter(Annotated[Fact, Field(discriminator="kind")])


@dataclass(frozen=True, slots=True)
class Event:
    """A fact with its place in the match, and who wrote it when."""

    seq: int
    client_key: str
    at: datetime
    actor: str
    fact: Fact


class UnreadableEvent(Exception):
    """A payload was written by a later version of this program."""


def read_fact(kind: str, payload: Mapping[str, Any]) -> Fact:
    """Read a fact from its kind and payload; raises `UnreadableEvent` where the version is not ours."""
    content = dict(payload)
    version = content.pop("v", None)
    if version != PAYLOAD_VERSION:
        raise UnreadableEvent(f"A {kind} of version {version!r} cannot be read: this program knows {PAYLOAD_VERSION}.")
    return _READER.validate_python({**content, "kind": kind})


def write_payload(fact: Fact) -> dict[str, Any]:
    """Write a fact's payload, with its version."""
    # Not pydantic's own dump: leaving out what is empty must not reach into the hand, where `null` means something.
    content = {name: value for name, value in fact if name != "kind" and value is not None}
    return {"v": PAYLOAD_VERSION, **content}
