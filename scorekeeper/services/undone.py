"""Which facts of a match were taken back."""

from collections.abc import Iterable
from dataclasses import dataclass

from scorekeeper.store.facts import Event, Redone, Undone


@dataclass(frozen=True, slots=True)
class UndoOf:
    """An undo, and the fact that it took back."""

    seq: int
    target: int


class TakenBack:
    """Which facts stand, which were taken back, and which of those an undo of the undo would bring back."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.facts: dict[int, Event] = {}
        self.standing: list[Event] = []
        self.redoable: list[UndoOf] = []
        self.by: dict[int, Event] = {}
        """The undo that took a fact back, by the fact."""
        for event in events:
            match event.fact:
                case Undone(target=target):
                    self._undo(event, target)
                case Redone(target=target):
                    self._redo(target)
                case _:
                    self.facts[event.seq] = event
                    self.standing.append(event)
                    self.redoable.clear()

    def _undo(self, event: Event, target: int) -> None:
        if self.standing and self.standing[-1].seq == target:
            self.standing.pop()
            self.redoable.append(UndoOf(event.seq, target))
            self.by[target] = event

    def _redo(self, target: int) -> None:
        if self.redoable and self.redoable[-1].seq == target:
            fact = self.redoable.pop().target
            del self.by[fact]
            self.standing.append(self.facts[fact])
