"""Erasing a match, a book or a night for good: no event of it stays, no link to it opens anything any more.

A match of a money night goes with all of that night, for what is owed in one depends on the others; a book goes with
every match in it. Matches at the tables of a tournament night have links of their own, and stay.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from scorekeeper.access.roles import AnyLink, Link, UnknownCode
from scorekeeper.book import store as books
from scorekeeper.club.hosting import erasing_store
from scorekeeper.club.money import store as money_nights
from scorekeeper.matches import store as matches
from scorekeeper.matches.match_list import ListedMatch, list_matches


@dataclass(frozen=True, slots=True, kw_only=True)
class ToErase:
    """What goes with the match, the book or the night of a link."""

    link: AnyLink
    match_ids: Sequence[int]
    known_by: Sequence[tuple[str, str, Sequence[str]]]
    """What a copy of the database is searched for: a table, a column, and the values in that."""


def to_erase(session: Session, code: str) -> ToErase:
    """Return what a link leads to, in force or not, and all that goes with it; raises `UnknownCode`."""
    link = erasing_store.link_of_code(session, code)
    if link is None:
        raise UnknownCode(code)
    begun = books.match_ids_of(session, link.stream_id) if link.kind == "book" else [link.stream_id]
    nights = [money_nights.matches_of_night(session, match_id) for match_id in begun] if link.kind != "night" else []
    match_ids = sorted({match_id for night in nights for match_id in night})
    known_by = [erasing_store.known_by(session, "match", match_ids)] if match_ids else []
    if link.kind != "match":
        known_by.append(erasing_store.known_by(session, link.kind, [link.stream_id]))
    return ToErase(link=link, match_ids=match_ids, known_by=known_by)


def listed(session: Session, found: ToErase) -> list[ListedMatch]:
    """Return the matches that go."""
    setups = [matches.setup_by_id(session, match_id) for match_id in found.match_ids]
    return list_matches(session, [(setup, Link(0, "", found.link.role, setup.id)) for setup in setups])


def erase(session: Session, found: ToErase) -> None:
    """Delete it with every row that refers to it, and commit."""
    if found.link.kind != "match":
        erasing_store.erase(session, found.link.kind, [found.link.stream_id])
    erasing_store.erase(session, "match", found.match_ids)
    session.commit()
