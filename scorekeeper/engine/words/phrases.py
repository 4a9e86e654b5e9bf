"""Numbers, names and bids as they are said at the table."""

from collections.abc import Sequence

from scorekeeper.engine.hand import Bid, SideId
from scorekeeper.engine.seats import Seats

MINUS = "−"


def signed(number: int) -> str:
    """Write a change of score with its sign.

    >>> [signed(number) for number in (3, 0, -5)]
    ['+3', '0', '−5']
    """
    return f"+{number}" if number > 0 else plain(number)


def plain(number: int) -> str:
    """Write a number with a real minus."""
    return f"{MINUS}{-number}" if number < 0 else str(number)


def listed(names: Sequence[str]) -> str:
    """Join names as one says them.

    >>> listed(["Ann", "Bob", "Cal"])
    'Ann, Bob and Cal'
    """
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def bid_word(bid: Bid | None) -> str:
    """Write a bid as the table says it."""
    return str(bid).replace("_", " ")


def times(number: int) -> str:
    """Say how often.

    >>> [times(number) for number in (1, 2, 3)]
    ['once', 'twice', '3 times']
    """
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def hands_played(number: int) -> str:
    """Say that so many hands are behind.

    >>> [hands_played(number) for number in (1, 3)]
    ['1 hand is played', '3 hands are played']
    """
    return f"{number} hand is played" if number == 1 else f"{number} hands are played"


def verb(seats: Seats, names: Sequence[SideId], plural: str, singular: str) -> str:
    """Choose the form of a verb: Us win, Ann wins."""
    many = len(names) != 1 or seats.side(names[0]).plural
    return plural if many else singular
