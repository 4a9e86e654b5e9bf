"""How much one request, or one command, may work out: a bound on steps, the same on every machine."""

STEPS = 150_000
"""For one request: about a second. The most that any known game takes is 113,000, for seven players by points alone."""
A_HAND = 40
"""What scoring a hand again counts as."""
A_LARGE_HAND = 160
"""The most that the points of a hand take in a known game; in most of them less than 20."""


class BudgetExceeded(Exception):
    """There are too many ways in which hands may have been to try them all."""

    def __init__(self) -> None:
        super().__init__("Too many ways to tell: enter the cards.")


class Budget:
    """Steps that may still be spent; a part of it is spent from the whole as well."""

    def __init__(self, steps: int = STEPS, *, of: "Budget | None" = None) -> None:
        self._left, self._of = steps, of
        self.spent = 0

    def part(self, steps: int) -> "Budget":
        """Return a part of this budget."""
        return Budget(steps, of=self)

    def spend(self, steps: int = 1) -> None:
        """Spend steps; raises `BudgetExceeded` where there are not so many left, from then on each time."""
        self.spent += steps
        if self._of is not None:
            self._of.spend(steps)
        if self.spent > self._left:
            raise BudgetExceeded

    def beyond(self, hands: int) -> int:
        """Return how many steps were spent beyond those that so many hands of a known game may take."""
        return max(self.spent - hands * A_LARGE_HAND, 0)
