"""Which facts are in force: an undo undoes the last of them, and a redo the last undo.

An undo can be undone until something new is written.
"""

from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

from scorekeeper.ledger.facts import Redone, Renamed, Undone


class Written(Protocol):
    """A fact with its place, in a match or in whatever else has facts."""

    @property
    def seq(self) -> int:
        """Its place among the others."""

    @property
    def fact(self) -> object:
        """What was written."""


W = TypeVar("W", bound=Written)


class UndoHistory(Generic[W]):
    """Which facts are in force, which were undone, and which of those a redo would restore."""

    def __init__(self, events: Iterable[W]) -> None:
        self.facts: dict[int, W] = {}
        self.in_force: list[W] = []
        self.redoable: list[tuple[int, int]] = []
        """Each undo, by its `seq`, with the fact that it undid."""
        self.undone_by: dict[int, W] = {}
        """The undo of a fact, by the fact's `seq`."""
        for event in events:
            match event.fact:
                case Undone(target=target):
                    self._undo(event, target)
                case Redone(target=target):
                    self._redo(target)
                case Renamed(by_book=True):
                    pass
                case _:
                    self.facts[event.seq] = event
                    self.in_force.append(event)
                    self.redoable.clear()

    def _undo(self, event: W, target: int) -> None:
        if self.in_force and self.in_force[-1].seq == target:
            self.in_force.pop()
            self.redoable.append((event.seq, target))
            self.undone_by[target] = event

    def _redo(self, target: int) -> None:
        if self.redoable and self.redoable[-1][0] == target:
            _, fact = self.redoable.pop()
            del self.undone_by[fact]
            self.in_force.append(self.facts[fact])
