"""A bound on the search steps of one request or command, the same on every machine."""

REQUEST_STEPS = 150_000
"""Steps for one request, about a second. No known game takes more than 113,000 (seven players, points alone)."""
STEPS_PER_HAND = 40
"""The steps charged for scoring a hand again."""
MAX_STEPS_PER_KNOWN_HAND = 160
"""The most steps that checking a hand's points takes in a known game; most games take less than 20."""


class BudgetExceeded(Exception):
    """There are too many possible hands to try them all."""

    def __init__(self) -> None:
        super().__init__("Too many ways to tell: enter the cards.")


class Budget:
    """A number of steps that may be spent; spending from a part spends from the whole too."""

    def __init__(self, steps: int = REQUEST_STEPS, *, of: "Budget | None" = None) -> None:
        self._left, self._of = steps, of
        self.spent = 0

    def part_of_at_most(self, steps: int) -> "Budget":
        """Return a budget of at most so many steps, which are spent from this budget too."""
        return Budget(steps, of=self)

    def spend(self, steps: int = 1) -> None:
        """Spend steps; raises `BudgetExceeded` once more are spent than there were, and on every call after that."""
        self.spent += steps
        if self._of is not None:
            self._of.spend(steps)
        if self.spent > self._left:
            raise BudgetExceeded

    def steps_beyond(self, hands: int) -> int:
        """Return the steps spent beyond what this many hands of any known game may take."""
        return max(self.spent - hands * MAX_STEPS_PER_KNOWN_HAND, 0)
