"""A limit on the search steps of one request or command, the same on every machine."""

REQUEST_STEPS = 150_000
"""The most search steps of one request, about a second; no known game takes more than 113,000."""
STEPS_PER_HAND = 40
"""Where many hands are scored, the steps counted for each, besides those of its searches."""
MAX_HAND_STEPS_IN_KNOWN_GAMES = 160
"""The most steps that the points of one hand take in any known game; usually less than 20.

An import allows each hand as many besides its budget.
"""


class BudgetExceeded(Exception):
    """Raised where a search needs more steps than its budget has, because too many hands are possible."""

    def __init__(self) -> None:
        super().__init__("Too many ways to tell: enter the cards.")


class Budget:
    """A limited number of search steps.

    The steps of a part count against its `parent` as well.
    """

    def __init__(self, steps: int = REQUEST_STEPS, *, parent: "Budget | None" = None) -> None:
        self._max_steps, self._parent = steps, parent
        self.spent = 0

    def limited_part(self, steps: int) -> "Budget":
        """Return a budget of at most so many steps, which count against this one as well."""
        return Budget(steps, parent=self)

    def spend(self, steps: int = 1) -> None:
        """Count steps against the budget; raises `BudgetExceeded` once they are too many, and on every later call."""
        self.spent += steps
        if self._parent is not None:
            self._parent.spend(steps)
        if self.spent > self._max_steps:
            raise BudgetExceeded

    def steps_beyond(self, hand_count: int) -> int:
        """Return the steps spent beyond what so many hands of a known game can take; never negative."""
        return max(self.spent - hand_count * MAX_HAND_STEPS_IN_KNOWN_GAMES, 0)
