"""A bound on the search steps of one request or command, the same on every machine."""

REQUEST_STEPS = 150_000
"""The search steps of one request, about a second. No known game takes more than 113,000."""
STEPS_PER_HAND = 40
"""The steps charged for scoring a hand again."""
MAX_STEPS_PER_KNOWN_HAND = 160
"""The most steps that checking a hand's points takes in a known game; most games take less than 20."""


class BudgetExceeded(Exception):
    """Raised where there are too many possible hands to try all of them."""

    def __init__(self) -> None:
        super().__init__("Too many ways to tell: enter the cards.")


class Budget:
    """A limited number of search steps; what is spent from a part is spent from the whole as well."""

    def __init__(self, steps: int = REQUEST_STEPS, *, of: "Budget | None" = None) -> None:
        self._left, self._of = steps, of
        self.spent = 0

    def part_of_at_most(self, steps: int) -> "Budget":
        """Return a budget of this many steps, which are spent from this budget as well."""
        return Budget(steps, of=self)

    def spend(self, steps: int = 1) -> None:
        """Spend steps; raises `BudgetExceeded` once the budget is overspent, and on every call after that."""
        self.spent += steps
        if self._of is not None:
            self._of.spend(steps)
        if self.spent > self._left:
            raise BudgetExceeded

    def steps_beyond(self, hands: int) -> int:
        """Return how many more steps were spent than this many hands of any known game can take; 0 if none."""
        return max(self.spent - hands * MAX_STEPS_PER_KNOWN_HAND, 0)
