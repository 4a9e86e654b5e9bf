"""What the club prints: the sheets of a ladder night, of a money night and of a book's year."""

from collections.abc import Callable, Mapping

from flask import abort, request, url_for

from scorekeeper.club.figures.names import people_of
from scorekeeper.club.figures.pages.figures import year_sheet
from scorekeeper.club.figures.year_sheet import YearSheet, draft_year_sheet
from scorekeeper.club.money.service import night_of
from scorekeeper.club.money.views import money_slip
from scorekeeper.club.nights.night import Night
from scorekeeper.club.nights.pages.context import load_night
from scorekeeper.club.nights.sheets import MoneySlip, draft_list, draft_money_slip, draft_slips, draft_tables
from scorekeeper.club.nights.words import night_title
from scorekeeper.database.engine import db
from scorekeeper.pages.prints.views import PrintSource
from scorekeeper.printing.kinds import REGULAR_OR_LARGE, Kind
from scorekeeper.web.context import load_book, load_match
from scorekeeper.web.locale import date_style, today

KINDS: Mapping[str, Kind] = {
    "year": Kind(name="Year", of=YearSheet, draft=draft_year_sheet, has_name_in_title=False),
    "tables": Kind(name="Tables", of=Night, draft=draft_tables, title=night_title, sizes=REGULAR_OR_LARGE),
    "slips": Kind(name="Table slips", of=Night, draft=draft_slips, title=night_title, sizes=REGULAR_OR_LARGE),
    "list": Kind(name="List", of=Night, draft=draft_list, title=night_title, sizes=REGULAR_OR_LARGE),
    "money": Kind(name="Who owes whom", of=MoneySlip, draft=draft_money_slip, sizes=REGULAR_OR_LARGE),
}


def _night_source(code: str) -> PrintSource:
    night = load_night(code).night
    back_url = url_for("nights.results", code=code)
    return PrintSource(title=night_title(night), back_url=back_url, query={"night": code}, subjects=(night,))


def _money_source(code: str) -> PrintSource:
    match = load_match(code)
    if not match.state.ruleset.pays:
        abort(404)
    slip = money_slip(night_of(db.session, match.link), match, date_style())
    back_url = url_for("money_night.show", code=code)
    return PrintSource(title=slip.title, back_url=back_url, query={"money": code}, subjects=(slip,))


def _year_source(code: str) -> PrintSource:
    people, year = people_of(db.session, load_book(code)), request.args.get("year", 0, type=int)
    sheet = year_sheet(people, year, today(), date_style()) or abort(404)
    back_url = url_for("people.one_year", code=code, year=year)
    return PrintSource(title=sheet.title, back_url=back_url, query={"book": code, "year": str(year)}, subjects=(sheet,))


SOURCES: Mapping[str, Callable[[str], PrintSource]] = {
    "night": _night_source,
    "money": _money_source,
    "book": _year_source,
}
