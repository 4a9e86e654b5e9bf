"""Register the club with the app: its pages in Flask, its prints and parts of other pages in `scorekeeper/hooks.py`."""

from collections.abc import Iterator, Mapping
from functools import partial
from pkgutil import resolve_name

from flask import Flask, abort, request, url_for
from sqlalchemy.orm import Session

from scorekeeper import hooks
from scorekeeper.access.links import LINK_TABLES, MATCH_LINKS
from scorekeeper.access.roles import UnknownCode
from scorekeeper.book.books import BookAccess
from scorekeeper.club.book_files.service import is_book_file
from scorekeeper.club.book_files.views import show_own_preview
from scorekeeper.club.figures.counting import store_figures_of_ended_match
from scorekeeper.club.figures.names import load_people
from scorekeeper.club.figures.pages.figures import year_sheet
from scorekeeper.club.figures.year_sheet import YearSheet, draft_year_sheet
from scorekeeper.club.hosting.serving import publish_metrics, remove_unused_hourly
from scorekeeper.club.money.service import (
    has_next_match,
    keep_one_match_open,
    load_money_night,
    may_change_players,
    may_take_back_player_change,
)
from scorekeeper.club.money.store import MONEY_NIGHT_GROUP
from scorekeeper.club.money.views import load_match_for_money, money_slip
from scorekeeper.club.nights.night import Night
from scorekeeper.club.nights.pages import context as night_pages
from scorekeeper.club.nights.pages.context import load_night
from scorekeeper.club.nights.sentences import champion_words, late_result_notice, night_title, round_words
from scorekeeper.club.nights.service import (
    DeletedNight,
    has_title_from_ladder_night,
    ladder_night_code_of_match,
    ladder_night_of_late_match,
    ladder_nights_of_device,
    write_result_into_ladder_night,
)
from scorekeeper.club.nights.sheets import MoneySlip, draft_money_slip, draft_slips, draft_standings, draft_tables
from scorekeeper.club.nights.store import NIGHT_LINKS
from scorekeeper.database.engine import db
from scorekeeper.hooks import Entry, HomeSection, MatchFlags, UploadKind
from scorekeeper.matches.fold import Match
from scorekeeper.pages.prints.views import PrintSource
from scorekeeper.printing.kinds import REGULAR_AND_LARGE_SIZES, SheetKind
from scorekeeper.web.context import device, load_book


def ladder_night_section() -> HomeSection:
    """Return the section of the home page on this phone's latest ladder nights.

    The section also offers to restore a night that was just deleted.
    """
    return HomeSection(
        new_item=Entry(url_for("nights.new"), "Ladder night", "several tables, rounds", "ladder"),
        heading="Ladder nights",
        entries=tuple(
            Entry(
                url_for("nights.show", code=access.code),
                night_title(access.night),
                champion_words(access.night) or round_words(access.night),
            )
            for access in ladder_nights_of_device(db.session, device())
        ),
        just_deleted=_deleted_ladder_night(),
    )


def _deleted_ladder_night() -> tuple[str, str] | None:
    """Return the title of the night that was just deleted, and the URL that restores the night.

    The query string has the code of a link to the night: "?gone_night=CODE". `None` without a deleted night that this
    phone may restore.
    """
    if not (code := request.args.get("gone_night", "")):
        return None
    try:
        access = load_night(code, may_be_deleted=True)
    except UnknownCode:
        return None
    if not (access.night.is_deleted and access.link.is_owner):
        return None
    return night_title(access.night), url_for("nights.restore", code=access.code)


def ladder_night_menu_entries(match: Match) -> Iterator[Entry]:
    """Yield the menu entry for the ladder night in which a match keeps the score of a table.

    Yields nothing if this phone has no link in force to the night.
    """
    if code := ladder_night_code_of_match(db.session, device(), match.id):
        url = url_for("nights.show", code=code)
        yield Entry(url, "Tables of the night", "this match fills in its result", "people", comes_first=True)


def money_night_entry(match: Match) -> Entry | None:
    """Return the entry for the page of a match's money night; `None` if the match is not for money."""
    if not match.state.ruleset.is_for_money:
        return None
    return Entry(url_for("money_night.show", code=match.code), "Money night", "who owes whom", "scale")


def change_of_players_entry(match: Match) -> Entry | None:
    """Return the entry for the form that changes the players of a money night; `None` if they may not change.

    The caller checks whether the phone may score, and whether the match is in progress.
    """
    # Money is checked here as well: the page of a match without money runs no code of money nights.
    if not (match.state.ruleset.is_for_money and may_change_players(match)):
        return None
    url = url_for("money_night.players", code=match.code)
    return Entry(url, "Somebody joins or leaves", "settles up first", "people")


def money_night_menu_entries(match: Match) -> Iterator[Entry]:
    """Yield the menu entries for a match's money night and, if the players may change, for their change.

    Yields nothing if the match is not for money.
    """
    if entry := money_night_entry(match):
        yield entry
        if match.link.may_score and match.status == "in_progress" and (entry := change_of_players_entry(match)):
            yield entry


def book_menu_entries(access: BookAccess) -> Iterator[Entry]:
    """Yield the menu entries for the club's pages about a book."""
    people_url = url_for("people.everybody", code=access.code)
    yield Entry(people_url, "People", "who won, with whom, against whom", "people", comes_first=True)
    nights_url = url_for("book_nights.show", code=access.code)
    yield Entry(nights_url, "Ladder nights", "tables, season", "ladder", comes_first=True)
    transfer_label = "Back up and restore" if access.link.is_owner else "Download"
    yield Entry(url_for("book_transfer.show", code=access.code), transfer_label, "file or spreadsheet", "down")


def people_tile() -> Entry:
    """Return the tile of the home page that leads to the people of this phone's book."""
    return Entry(url_for("own_people.show"), "People", icon="people")


def money_night_flags(session: Session, match: Match) -> MatchFlags:
    """Return the flag `can_take_back`: whether the phone may take back the change of players that began a match.

    Raises `UnscorableMatch` if a match of the night cannot be scored.
    """
    is_possible = match.state.ruleset.is_for_money and match.link.may_score and not match.log.hands
    return MatchFlags(
        can_take_back=is_possible and may_take_back_player_change(load_money_night(session, match.link), match)
    )


def ladder_night_flags(session: Session, match: Match) -> MatchFlags:
    """Return the flag `notice`: that a match gave its result too late for its ladder night, or `None`."""
    night = ladder_night_of_late_match(session, match) if match.ending else None
    return MatchFlags(notice=late_result_notice(night) if night else None)


# Makes the kind of a sheet about a ladder night from its name and the function that drafts the sheet.
_make_ladder_night_sheet_kind = partial(SheetKind, subject_type=Night, title=night_title, sizes=REGULAR_AND_LARGE_SIZES)
PRINT_KINDS: Mapping[str, SheetKind] = {
    "year": SheetKind(name="Year", subject_type=YearSheet, draft=draft_year_sheet, has_name_in_title=False),
    "tables": _make_ladder_night_sheet_kind(name="Tables", draft=draft_tables),
    "slips": _make_ladder_night_sheet_kind(name="Table slips", draft=draft_slips),
    "list": _make_ladder_night_sheet_kind(name="List", draft=draft_standings),
    "money": SheetKind(
        name="Who owes whom", subject_type=MoneySlip, draft=draft_money_slip, sizes=REGULAR_AND_LARGE_SIZES
    ),
}
"""The kinds of sheets that the club prints, keyed by the value of `kind` in the query string."""


def _ladder_night_print_source(code: str) -> PrintSource:
    """Return the night of a link as a source for its printed sheets; raises `UnknownCode` and `DeletedNight`."""
    night = load_night(code).night
    back_url = url_for("nights.results", code=code)
    return PrintSource(title=night_title(night), back_url=back_url, query={"night": code}, subjects=(night,))


def _money_night_print_source(code: str) -> PrintSource:
    """Return the money night of a match, to print its slip; 404 if the match is not for money.

    Raises what `load_match` raises.
    """
    slip = money_slip(load_match_for_money(code))
    back_url = url_for("money_night.show", code=code)
    return PrintSource(title=slip.title, back_url=back_url, query={"money": code}, subjects=(slip,))


def _year_print_source(code: str) -> PrintSource:
    """Return one year of a book as a source for its printed sheet; raises `UnknownCode`.

    The query string names the year: "?year=2026". 404 if the book has no match in that year.
    """
    people, year = load_people(db.session, load_book(code)), request.args.get("year", 0, type=int)
    sheet = year_sheet(people, year, is_paper=True) or abort(404)
    back_url = url_for("people.one_year", code=code, year=year)
    return PrintSource(title=sheet.title, back_url=back_url, query={"book": code, "year": str(year)}, subjects=(sheet,))


BLUEPRINTS = (
    "scorekeeper.club.money.views:bp",
    "scorekeeper.club.nights.pages.book:bp",
    "scorekeeper.club.book_files.views:bp",
    "scorekeeper.club.book_files.views:new_book",
    "scorekeeper.club.figures.pages.views:bp",
    "scorekeeper.club.figures.pages.views:own_people",
    "scorekeeper.club.nights.pages.views:bp",
    "scorekeeper.club.nights.pages.seats:bp",
    "scorekeeper.club.nights.pages.seats:phones_bp",
)
"""The club's blueprints, each given by its module and the name of the variable there."""


def init_pages(app: Flask) -> None:
    """Register the club's pages: its blueprints, and its parts of other pages."""
    app.register_error_handler(DeletedNight, night_pages.show_deleted)
    hooks.link_kinds["night"] = night_pages.NIGHT_LINK_KIND
    hooks.print_kinds.update(PRINT_KINDS)
    hooks.print_sources.update(
        night=_ladder_night_print_source, money=_money_night_print_source, book=_year_print_source
    )
    hooks.home_tiles.add(people_tile)
    hooks.home_sections.add(ladder_night_section)
    hooks.book_menu_entries.add(book_menu_entries)
    hooks.continuation_entries.add(money_night_entry)
    hooks.gone_on_checks.add(has_next_match)
    hooks.player_change_entries.add(change_of_players_entry)
    hooks.match_menu_entries.add(ladder_night_menu_entries)
    hooks.match_menu_entries.add(money_night_menu_entries)
    hooks.match_flags.add(money_night_flags)
    hooks.match_flags.add(ladder_night_flags)
    hooks.borrowed_title_checks.add(has_title_from_ladder_night)
    hooks.upload_kinds.add(UploadKind(is_book_file, show_own_preview))
    for blueprint_name in BLUEPRINTS:
        app.register_blueprint(resolve_name(blueprint_name))


def init(app: Flask, *, has_pages: bool) -> None:
    """Register the club's links and hooks and, with `has_pages`, its pages.

    Links and hooks are registered for all apps of this process, and pages for `app` alone.
    """
    LINK_TABLES[NIGHT_LINKS.kind], MATCH_LINKS.group = NIGHT_LINKS, MONEY_NIGHT_GROUP
    hooks.on_end_or_reopen.add(keep_one_match_open)
    hooks.on_end_or_reopen.add(store_figures_of_ended_match)
    hooks.on_end_or_reopen.add(write_result_into_ladder_night)
    hooks.serving_contexts.add(remove_unused_hourly)
    hooks.request_watches.add(publish_metrics)
    if has_pages:
        init_pages(app)
