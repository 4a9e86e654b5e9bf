"""The reader's region, from the language that the browser asks for first: its dates, its clock and its paper."""

from dataclasses import dataclass
from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel.core import get_global, parse_locale
from flask import request

from scorekeeper.narration.dates import DateStyle

USUAL = "US"
"""The region of a browser that says nothing."""
_LETTER = ("US", "CA")


@dataclass(frozen=True, slots=True)
class Region:
    """What differs from one region to another; the words are English everywhere."""

    dates: DateStyle
    paper: str
    """`letter` or `a4`."""


def region() -> Region:
    """Return the region of whoever asks for the page."""
    languages = request.accept_languages
    return region_of(languages[0][0] if languages else "")


def papers() -> tuple[str, str]:
    """Return both papers, first the one of the reader's region."""
    return ("letter", "a4") if region().paper == "letter" else ("a4", "letter")


@lru_cache(maxsize=256)
def region_of(language: str) -> Region:
    """Return the region of a language tag: "de-AT", or "de", which is mostly spoken in Germany."""
    territory = _territory(language)
    locale = _locale(territory)
    day, clock = locale.date_formats["medium"].pattern, locale.time_formats["short"].pattern
    style = DateStyle(is_month_first=day.lower().find("m") < day.find("d"), has_twelve_hours="h" in clock)
    return Region(style, "letter" if territory in _LETTER else "a4")


def _territory(language: str) -> str:
    try:
        parts = parse_locale(language.replace("-", "_"))
    except ValueError:
        return USUAL
    found = parts[1] or get_global("likely_subtags").get(parts[0], "").rpartition("_")[2]
    return found if found and _knows(found) else USUAL


def _knows(territory: str) -> bool:
    try:
        _locale(territory)
    except (UnknownLocaleError, ValueError):
        return False
    return True


def _locale(territory: str) -> Locale:
    """Return the language that is spoken most in a territory, or English as it is written there."""
    try:
        return Locale.parse(f"und_{territory}")
    except (UnknownLocaleError, ValueError):
        return Locale.parse(f"en_{territory}")
