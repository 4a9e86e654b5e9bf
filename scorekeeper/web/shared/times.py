"""Times as pages write them: by this machine's clock, which js/times.js changes for the phone's own."""

from datetime import UTC, date, datetime

from markupsafe import Markup

from scorekeeper.narration.dates import DateStyle
from scorekeeper.web.shared.region import region


def date_style() -> DateStyle:
    """Return how the reader's region writes dates and times."""
    return region().dates


def moment(at: datetime) -> Markup:
    """Return the time of day as an element, after the day where it is not today: "6:20 PM", "Nov 20, 6:20 PM"."""
    there, style = at.astimezone(), date_style()
    clock = style.time(there)
    return _element(at, "moment", clock if there.date() == today() else f"{_day(there, style)}, {clock}")


def day(at: datetime) -> Markup:
    """Return the day of a moment as an element: "Nov 20", with its year where that is another one."""
    return _element(at, "day", _day(at.astimezone(), date_style()))


def plain_day(iso: str, style: DateStyle) -> str:
    """Return a date that is the same in every zone: "Nov 20", with its year where that is another one."""
    return _day(date.fromisoformat(iso), style)


def _day(there: date, style: DateStyle) -> str:
    return style.day(there) if there.year == today().year else style.full_day(there)


def today() -> date:
    """Return the day by this machine's clock."""
    return datetime.now(UTC).astimezone().date()


def _element(at: datetime, what: str, words: str) -> Markup:
    exact = at.astimezone(UTC).isoformat(timespec="seconds")
    return Markup('<time datetime="{}" data-show="{}">{}</time>').format(exact, what, words)
