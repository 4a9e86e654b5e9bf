"""Dates and times in English words, in the order and by the clock of the reader's region."""

from dataclasses import dataclass
from datetime import date, datetime

MONTHS = ("January February March April May June July August September October November December").split()
_SHORT = 3


@dataclass(frozen=True, slots=True)
class DateStyle:
    """How a region writes a date and the time of day.

    >>> at = datetime(2026, 11, 21, 18, 20)
    >>> [AMERICAN.day(at), AMERICAN.full_day(at), AMERICAN.long_day(at), AMERICAN.time(at)]
    ['Nov 21', 'Nov 21, 2026', 'November 21, 2026', '6:20 PM']
    >>> british = DateStyle(is_month_first=False, has_twelve_hours=False)
    >>> [british.day(at), british.full_day(at), british.long_day(at), british.time(at)]
    ['21 Nov', '21 Nov 2026', '21 November 2026', '18:20']
    """

    is_month_first: bool = True
    has_twelve_hours: bool = True

    def day(self, day: date) -> str:
        """Return a day without its year: "Nov 21"."""
        return self._day(day, MONTHS[day.month - 1][:_SHORT])

    def full_day(self, day: date) -> str:
        """Return a day with its year: "Nov 21, 2026"."""
        return self._with_year(day, self.day(day))

    def long_day(self, day: date) -> str:
        """Return a day with its year, the month in full: "November 21, 2026"."""
        return self._with_year(day, self._day(day, MONTHS[day.month - 1]))

    def time(self, at: datetime) -> str:
        """Return the time of day: "6:20 PM"."""
        if self.has_twelve_hours:
            return f"{at.hour % 12 or 12}:{at.minute:02} {'AM' if at.hour < 12 else 'PM'}"
        return f"{at.hour:02}:{at.minute:02}"

    def _day(self, day: date, month: str) -> str:
        return f"{month} {day.day}" if self.is_month_first else f"{day.day} {month}"

    def _with_year(self, day: date, words: str) -> str:
        return f"{words}, {day.year}" if self.is_month_first else f"{words} {day.year}"


AMERICAN = DateStyle()
"""The style where no reader has chosen one: in files, and at the command line."""
