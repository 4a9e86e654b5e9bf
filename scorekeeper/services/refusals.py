"""Why a service did not do what it was asked."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from scorekeeper.engine.record import RecordFault
from scorekeeper.rules.faults import Fault

if TYPE_CHECKING:
    from scorekeeper.services.load import LoadedMatch
    from scorekeeper.store.facts import Event


class UnknownMatch(Exception):
    """No link that holds leads there."""


class LinkEnded(UnknownMatch):
    """The link led there, until somebody ended it."""


class Refused(Exception):
    """What was asked cannot be; `faults` says why and what would mend it."""

    def __init__(self, faults: Sequence[RecordFault]) -> None:
        super().__init__(" ".join(item.fault.message for item in faults))
        self.faults = tuple(faults)


class HandRefused(Refused):
    """The rules, or the table, do not allow this hand, or not with those after it.

    `number` is the hand's own place, counted from 1. Paths inside a hand have ids in them, as a form has.
    """

    def __init__(self, faults: Sequence[RecordFault], number: int | None = None) -> None:
        super().__init__(faults)
        self.number = number

    @property
    def own(self) -> tuple[Fault, ...]:
        """What is wrong with the hand itself."""
        return tuple(item.fault for item in self.faults if item.hand in (None, self.number))

    @property
    def elsewhere(self) -> tuple[RecordFault, ...]:
        """What would be wrong with other hands."""
        return tuple(item for item in self.faults if item.hand not in (None, self.number))


class StaleMatch(Exception):
    """Somebody else wrote first: `since` is what, and `match` is how it stands now."""

    def __init__(self, since: "tuple[Event, ...]", match: "LoadedMatch") -> None:
        super().__init__("Somebody else wrote something first.")
        self.since = since
        self.match = match


def refuse_any(faults: Iterable[Fault]) -> None:
    """Refuse if there is any fault that lies in no hand."""
    if found := [RecordFault(None, fault) for fault in faults]:
        raise Refused(found)


def refusal(field: str, code: str, message: str) -> Refused:
    """Refuse for one reason that lies in no hand."""
    return Refused([RecordFault(None, Fault(field, code, message))])
