"""A limit on the search steps of one request or command.

It stops a search at the same step on every machine.
"""

MAX_REQUEST_STEPS = 150_000
"""The most search steps of one request, which take about a second. No known game takes more than 113,000."""
STEPS_PER_HAND = 40
"""The steps that are counted for each hand beside those of its searches, where many hands are scored."""
MAX_HAND_STEPS_IN_KNOWN_GAMES = 160
"""The most steps that a search for the points of one hand takes in any known game; most take less than 20. An import
has so many more steps in its budget for each hand."""


class BudgetExceeded(Exception):
    """Raised where a search needs more steps than its budget has, because too many hands are possible."""

    def __init__(self) -> None:
        super().__init__("Too many ways to tell: enter the cards.")


class Budget:
    """A limited number of search steps.

    Steps are counted against the budget's `parent`, too.
    """

    def __init__(self, steps: int = MAX_REQUEST_STEPS, *, parent: "Budget | None" = None) -> None:
        self._max_steps, self._parent = steps, parent
        self.spent_steps = 0

    def limited_part(self, steps: int) -> "Budget":
        """Return a budget of at most so many steps, which are counted against this one, too."""
        return Budget(steps, parent=self)

    def spend(self, steps: int = 1) -> None:
        """Count steps against the budget.

        Raises `BudgetExceeded` once they are too many, and on every later call.
        """
        self.spent_steps += steps
        if self._parent is not None:
            self._parent.spend(steps)
        if self.spent_steps > self._max_steps:
            raise BudgetExceeded

    def steps_beyond(self, hand_count: int) -> int:
        """Return the steps spent beyond what so many hands of a known game can take; 0 if they are fewer."""
        return max(self.spent_steps - hand_count * MAX_HAND_STEPS_IN_KNOWN_GAMES, 0)
