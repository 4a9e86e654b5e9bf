"""Numbers and times as pages write them."""

from datetime import UTC, datetime

_SMALL = ("no", "one", "two", "three", "four", "five", "six")


def counted(number: int, noun: str) -> str:
    """Return how many of something there are, small numbers in words.

    >>> [counted(number, "fault") for number in (1, 2, 13)]
    ['one fault', 'two faults', '13 faults']
    """
    word = _SMALL[number] if number < len(_SMALL) else str(number)
    return f"{word} {noun}{'' if number == 1 else 's'}"


def short_time(at: datetime) -> str:
    """Return the time of day by this machine's clock, after the day where it is not today: "21:14", "20 Nov, 21:14"."""
    there = at.astimezone()
    clock = there.strftime("%H:%M")
    return clock if there.date() == datetime.now(UTC).astimezone().date() else f"{short_day(at)}, {clock}"


def short_day(at: datetime) -> str:
    """Return a day without its year: "20 Nov"."""
    there = at.astimezone()
    return f"{there.day} {there.strftime('%b')}"
