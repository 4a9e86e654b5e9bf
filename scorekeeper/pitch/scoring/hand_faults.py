"""Why a hand, a match or a record is refused."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from scorekeeper.pitch.rules.fault_codes import RefusalCode
from scorekeeper.pitch.rules.faults import Fault

HIGHEST_PENALTY = 100
MAX_OF_A_RANK = 4
SETTLE_FIRST = "This game is played for money. Settle up, and begin a new match with whoever sits in."


@dataclass(frozen=True, slots=True)
class Refusal(Fault):
    """A fault of a hand, by the rules in force in it."""

    code: RefusalCode


@dataclass(frozen=True, slots=True)
class HandFault:
    """A fault in a match or a record: in which hand, counted from 1, or in none."""

    hand: int | None
    fault: Fault


class Faulty(Exception):
    """A match or a record is impossible, or cannot be read; `faults` lists everything that is wrong."""

    separator: ClassVar[str] = "; "

    def __init__(self, faults: Iterable[HandFault | Fault]) -> None:
        self.faults = tuple(fault if isinstance(fault, HandFault) else HandFault(None, fault) for fault in faults)
        super().__init__(self.separator.join(item.fault.message for item in self.faults))
