"""The reasons why something was not written."""

from collections.abc import Iterable

from scorekeeper.pitch.rules.faults import Fault
from scorekeeper.pitch.scoring.hand_faults import Faulty, HandFault


class Refused(Faulty):
    """A request was refused; `faults` has the reasons and what to do instead."""

    separator = " "

    @property
    def reasons(self) -> tuple[Fault, ...]:
        """The faults, without the hands that they are in."""
        return tuple(item.fault for item in self.faults)


class MatchClosed(Exception):
    """The match does not go on, so it takes no new hand and no setting for the next one."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"This match is {reason}.")
        self.reason = reason
        """`deleted`, `over`, `stopped`, `asks`, or `gone_on` where a money night goes on in another match."""


class NotAllowed(Exception):
    """The link of the request does not allow this."""


class HandRefused(Refused):
    """The rules, or the table, do not allow this hand, or not with those after it.

    `place` is the hand's own in the list, from 1. Paths inside a hand have ids in them, as a form has.
    """

    def __init__(self, faults: Iterable[HandFault | Fault], place: int | None = None) -> None:
        super().__init__(faults)
        self.place = place

    @property
    def own(self) -> tuple[Fault, ...]:
        """The faults of the hand itself."""
        return tuple(item.fault for item in self.faults if item.hand in (None, self.place))

    @property
    def elsewhere(self) -> tuple[HandFault, ...]:
        """The faults that other hands would have."""
        return tuple(item for item in self.faults if item.hand not in (None, self.place))


def refuse_any(faults: Iterable[Fault], refused: type[Refused] = Refused) -> None:
    """Raise `Refused`, or `HandRefused` for a hand that is being written, if there is any fault."""
    if found := [*faults]:
        raise refused(found)


def refusal(field: str, message: str) -> Refused:
    """Return a refusal for one reason that lies in no hand."""
    return Refused([Fault(field, "refused", message)])
