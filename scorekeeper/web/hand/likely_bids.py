"""The bids that get a button where a game has too many for one each; any other is typed."""

from collections.abc import Iterable, Sequence

from scorekeeper.rules.schema import Ruleset

MOST_BUTTONS = 16
"""Bids that each have a button: two rows on a phone."""
MOST_LIKELY = 15
"""Buttons beside a field for any other number."""
FEWEST_FREE = 4
"""How many of these at least are free for what a match bids, beside the round numbers."""
STEPS = (5, 10, 25)


def has_many_bids(ruleset: Ruleset) -> bool:
    """Return whether a game has more bids than a row of buttons can show."""
    return len(ruleset.bids) > MOST_BUTTONS


def likely_numbers(numbers: Sequence[int], wanted: Iterable[int]) -> tuple[int, ...]:
    """Return the lowest and the highest of these numbers, round ones between, and as many `wanted` ones as fit."""
    if len(numbers) <= MOST_LIKELY:
        return tuple(numbers)
    round_numbers = (_round_numbers(numbers, step) for step in STEPS)
    likely = next(found for found in round_numbers if len(found) <= MOST_LIKELY - FEWEST_FREE)
    for number in wanted:
        if len(likely) < MOST_LIKELY and number in numbers:
            likely |= {number}
    return tuple(sorted(likely))


def _round_numbers(numbers: Sequence[int], step: int) -> frozenset[int]:
    return frozenset({numbers[0], numbers[-1], *(number for number in numbers if number % step == 0)})
