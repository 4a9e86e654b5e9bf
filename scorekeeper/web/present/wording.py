"""Numbers of things, as one says them."""

_SMALL = ("no", "one", "two", "three", "four", "five", "six")


def counted(number: int, noun: str) -> str:
    """Say how many of something there are.

    >>> [counted(number, "fault") for number in (1, 2, 13)]
    ['one fault', 'two faults', '13 faults']
    """
    said = _SMALL[number] if number < len(_SMALL) else str(number)
    return f"{said} {noun}" if number == 1 else f"{said} {noun}s"
