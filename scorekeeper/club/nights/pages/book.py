"""The page of a book's ladder nights and of the standings over them."""

from flask import Blueprint, Response, request

from scorekeeper.club.nights.book_nights import SeasonStanding, code_of_night_link, nights_in_book, season_standings
from scorekeeper.club.nights.night import BY_POINTS, BY_WINS
from scorekeeper.club.nights.sentences import night_heading
from scorekeeper.club.nights.service import number_deleted_names
from scorekeeper.database.engine import db
from scorekeeper.matches.log import match_day
from scorekeeper.pages.book.views import open_in_book
from scorekeeper.pitch.rules.phrases import digits
from scorekeeper.web.context import for_watchers, load_book
from scorekeeper.web.locale import date_style, plain_day, zone
from scorekeeper.web.respond import render_page

bp = Blueprint("book_nights", __name__, url_prefix="/books/<code>/nights")


@bp.get("/")
@for_watchers
def show(code: str) -> Response:
    """Show a book's nights, the latest first, and the standings over them.

    The query string may name one year, and rank people by points instead of wins: "?year=2026&by=points".
    """
    access, year = load_book(code), request.args.get("year", "")
    all_nights = [
        (match_day(None, setup.created_at, zone()), setup, night)
        for setup, night in nights_in_book(db.session, access.id)
    ]
    years = sorted({day[:4] for day, _, _ in all_nights}, reverse=True)
    ranking = BY_POINTS if request.args.get("by") == BY_POINTS else BY_WINS
    chosen_nights = [item for item in all_nights if year in ("", item[0][:4])]
    standings = season_standings(access.book, [night for *_, night in chosen_nights], ranking)
    style = date_style()
    return render_page(
        "book/nights.html",
        access=access,
        by=ranking,
        year=year,
        years=years if len(years) > 1 else [],
        season=standings,
        notes={standing.person: _nights_words(standing) for standing in standings},
        nights=[
            (
                setup.uid,
                plain_day(day, style),
                night_heading(number_deleted_names(access.book, setup, night)),
            )
            for day, setup, night in reversed(chosen_nights)
        ],
    )


def _nights_words(standing: SeasonStanding) -> str:
    """Return in words how many nights a person came to and won: "4 nights, won 1 night"."""
    nights_won_phrase = f", won {digits(standing.nights_won, 'night')}" if standing.nights_won else ""
    return f"{digits(standing.nights_attended, 'night')}{nights_won_phrase}"


@bp.get("/<uid>")
@for_watchers
def open_one(code: str, uid: str) -> Response:
    """Redirect to a night of a book, by a link of this phone's own; 404 for an unknown night.

    A phone without a cookie is redirected to the list of the book's nights.
    """
    return open_in_book("nights.show", code, uid, code_of_night_link, instead=".show")
