"""The locale of the viewer: dates, clock, paper and time zone from the browser, and the theme, light or dark."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache

from babel import Locale, UnknownLocaleError
from babel.core import get_global, parse_locale
from flask import Blueprint, Response, current_app, request
from markupsafe import Markup

from scorekeeper.matches.log import is_zone, to_zone
from scorekeeper.pitch.text.phrases import DateStyle
from scorekeeper.web.respond import is_local_path, see_other

DEFAULT_REGION = "US"
"""The region for a browser that sends none, or an unknown one."""
_LETTER_PAPER_REGIONS = ("US", "CA")


@dataclass(frozen=True, slots=True)
class Region:
    """The formats of a region; all texts are English."""

    dates: DateStyle
    paper: str
    """`letter` or `a4`."""


def region() -> Region:
    """Return the formats for the language that the request's browser prefers."""
    languages = request.accept_languages
    return region_of(languages[0][0] if languages else "")


def papers() -> tuple[str, str]:
    """Return both paper sizes, `letter` and `a4`, that of the viewer's region first."""
    return ("letter", "a4") if region().paper == "letter" else ("a4", "letter")


@lru_cache(maxsize=256)
def region_of(language: str) -> Region:
    """Return a language tag's formats: of Austria for "de-AT", of Germany for "de", of `DEFAULT_REGION` if unknown."""
    territory = _territory(language)
    try:
        locale = _locale(territory)
    except (UnknownLocaleError, ValueError):
        territory, locale = DEFAULT_REGION, _locale(DEFAULT_REGION)
    day, clock = locale.date_formats["medium"].pattern, locale.time_formats["short"].pattern
    style = DateStyle(is_month_first=day.lower().find("m") < day.find("d"), has_twelve_hours="h" in clock)
    return Region(style, "letter" if territory in _LETTER_PAPER_REGIONS else "a4")


def _territory(language: str) -> str:
    """Return the territory of a language tag, or the likeliest for its language; `DEFAULT_REGION` if unknown."""
    try:
        parts = parse_locale(language.replace("-", "_"))
    except ValueError:
        return DEFAULT_REGION
    return parts[1] or get_global("likely_subtags").get(parts[0], "").rpartition("_")[2] or DEFAULT_REGION


def _locale(territory: str) -> Locale:
    """Return a territory's locale in its main language, or else in English; raises as `Locale.parse` does."""
    try:
        return Locale.parse(f"und_{territory}")
    except (UnknownLocaleError, ValueError):
        return Locale.parse(f"en_{territory}")


def date_style() -> DateStyle:
    """Return the style of dates and times in the viewer's region."""
    return region().dates


def moment(at: datetime) -> Markup:
    """Return a time as an HTML element in the viewer's time zone, with the day unless today: "Nov 20, 6:20 PM".

    The year is added unless it is this year.
    """
    local, style = to_zone(at, zone()), date_style()
    clock = style.time(local)
    return _time_element(at, "moment", clock if local.date() == today() else f"{_day_words(local, style)}, {clock}")


def day(at: datetime) -> Markup:
    """Return a time's day as an HTML element in the viewer's time zone: "Nov 20".

    The year is added unless it is this year.
    """
    return _time_element(at, "day", _day_words(to_zone(at, zone()), date_style()))


def plain_day(iso: str, style: DateStyle) -> str:
    """Return an ISO date in words, with the year unless this year: "Nov 20"."""
    return _day_words(date.fromisoformat(iso), style)


def _day_words(local: date, style: DateStyle) -> str:
    """Return a day in words, with the year unless this year: "Nov 20"."""
    return style.day(local) if local.year == today().year else style.full_day(local)


def zone() -> str | None:
    """Return the viewer's time zone from the cookie that a script sets; `None` if unknown or invalid."""
    name = request.cookies.get(ZONE_COOKIE, "")  # from js/times.js
    return name if is_zone(name) else None


def today() -> date:
    """Return today's date in the viewer's time zone."""
    return to_zone(datetime.now(UTC), zone()).date()


def _time_element(at: datetime, show: str, words: str) -> Markup:
    """Return an HTML element of a time, whose `words` a script replaces.

    `show` is the format for the script: "day" or "moment".
    """
    iso_time = at.astimezone(UTC).isoformat(timespec="seconds")
    return Markup('<time datetime="{}" data-show="{}">{}</time>').format(iso_time, show, words)


THEME_COOKIE, ZONE_COOKIE = "theme", "zone"
FIXED_THEMES = ("light", "dark")

bp = Blueprint("theme", __name__)


def theme() -> str:
    """Return the theme that this phone chose, light or dark; system without a choice."""
    chosen = request.cookies.get(THEME_COOKIE, "")
    return chosen if chosen in FIXED_THEMES else "system"


@bp.post("/theme")
def choose() -> Response:
    """Store the posted theme in a cookie, and redirect to `next`, or home if it is no path of this site.

    Any theme but light and dark deletes the cookie.
    """
    next_path = request.form.get("next", "")
    response = see_other(next_path if is_local_path(next_path) else "/")
    if (chosen := request.form.get("theme", "")) in FIXED_THEMES:
        response.set_cookie(
            THEME_COOKIE,
            chosen,
            max_age=current_app.permanent_session_lifetime,
            secure=current_app.config["SESSION_COOKIE_SECURE"],
            httponly=True,
            samesite="Lax",
        )
    else:
        response.delete_cookie(THEME_COOKIE)
    return response
