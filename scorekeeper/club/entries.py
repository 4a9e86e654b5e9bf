"""What the club adds to pages of the kitchen table: links to its own pages, and a night's notice on a match page."""

from collections.abc import Iterator

from flask import request, url_for
from sqlalchemy.orm import Session

from scorekeeper.access.roles import UnknownCode
from scorekeeper.book.books import BookAccess
from scorekeeper.club.money.service import can_take_back, may_change_players
from scorekeeper.club.nights.pages.context import load_night
from scorekeeper.club.nights.service import late_night, night_on_phone, nights_of_device
from scorekeeper.club.nights.words import champion_words, late_words, night_title, round_words
from scorekeeper.database.engine import db
from scorekeeper.hooks import Entry, HomeSection, MatchFlags
from scorekeeper.matches.fold import Match
from scorekeeper.web.context import device


def nights_at_home() -> HomeSection:
    """Return the ladder nights of this phone, and the one that was deleted just now."""
    return HomeSection(
        more=Entry(url_for("nights.new"), "Ladder night", "several tables, rounds", "ladder"),
        heading="Ladder nights",
        entries=tuple(
            Entry(
                url_for("nights.show", code=night.code),
                night_title(night.night),
                champion_words(night.night) or round_words(night.night),
            )
            for night in nights_of_device(db.session, device())
        ),
        deleted=_deleted_night(),
    )


def _deleted_night() -> tuple[str, str] | None:
    """Return the night that was deleted just now, and where it is restored."""
    if not (code := request.args.get("gone_night", "")):
        return None
    try:
        found = load_night(code, may_be_deleted=True)
    except UnknownCode:
        return None
    if not (found.night.is_deleted and found.link.is_owner):
        return None
    return night_title(found.night), url_for("nights.restore", code=found.code)


def night_entries(match: Match) -> Iterator[Entry]:
    """Yield the link to the night at one of whose tables a match is kept."""
    if code := night_on_phone(db.session, device(), match.id):
        url = url_for("nights.show", code=code)
        yield Entry(url, "Tables of the night", "this match fills in its result", "people", leads=True)


def money_night(match: Match) -> Entry | None:
    """Return the link to the money night of a match; `None` where it is not for money."""
    if not match.state.ruleset.pays:
        return None
    return Entry(url_for("money_night.show", code=match.code), "Money night", "who owes whom", "scale")


def change_of_players(match: Match) -> Entry | None:
    """Return the link by which a match for money begins anew with other players; `None` where it may not."""
    if not may_change_players(match):
        return None
    url = url_for("money_night.players", code=match.code)
    return Entry(url, "Somebody joins or leaves", "settles up first", "people")


def money_entries(match: Match) -> Iterator[Entry]:
    """Yield the link to the money night of a match, and to the change of its players while it is played."""
    if entry := money_night(match):
        yield entry
    if match.link.may_score and match.status == "in_progress" and (entry := change_of_players(match)):
        yield entry


def book_entries(access: BookAccess) -> Iterator[Entry]:
    """Yield the links to the pages that the club has of a book."""
    people, nights = url_for("people.everybody", code=access.code), url_for("book_nights.show", code=access.code)
    yield Entry(people, "People", "who won, with whom, against whom", "people", leads=True)
    yield Entry(nights, "Ladder nights", "tables, season", "ladder", leads=True)
    take_along = "Back up and restore" if access.link.is_owner else "Download"
    yield Entry(url_for("book_transfer.show", code=access.code), take_along, "file or spreadsheet", "down")


def people_tile() -> Entry:
    """Return the link to the people of this phone’s book."""
    return Entry(url_for("own_people.show"), "People", icon="people")


def money_flags(session: Session, match: Match) -> MatchFlags:
    """Return whether the change of players that began a match may be undone.

    That depends on another match, and on the phone's link to it.
    """
    is_own = match.state.ruleset.pays and not match.log.hands
    return MatchFlags(can_take_back=can_take_back(session, match), is_own=is_own)


def night_flags(session: Session, match: Match) -> MatchFlags:
    """Return the notice for a match that ended after the next round of its ladder night had started."""
    night = late_night(session, match)
    return MatchFlags(notice=late_words(night) if night else None)
