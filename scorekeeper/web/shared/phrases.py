"""Numbers as pages write them."""

_SMALL = ("no", "one", "two", "three", "four", "five", "six")


def counted(number: int, noun: str) -> str:
    """Return how many of something there are, small numbers in words.

    >>> [counted(number, "fault") for number in (1, 2, 13)]
    ['one fault', 'two faults', '13 faults']
    """
    word = _SMALL[number] if number < len(_SMALL) else str(number)
    return f"{word} {noun}{'' if number == 1 else 's'}"
