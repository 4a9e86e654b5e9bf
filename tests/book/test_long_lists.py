"""List everything in pages: a page costs the same however many there are."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest
import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access.links import device_digest
from scorekeeper.eventlog.cache import clear_all_caches
from scorekeeper.eventlog.store import Writer
from scorekeeper.matches.fold import Match
from scorekeeper.matches.house_rules import latest_house_rules, save_house_rules
from scorekeeper.matches.match_list import HIGHEST_ID, latest_matches, matches_of_device, record_visit
from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.pitch.rules.library import Library
from tests.common.hands import HAND
from tests.common.match_actions import record_hand
from tests.matches.conftest import Begin

pytestmark = pytest.mark.every_database

FEW, MANY = 30, 300
PAGE = 10
T = TypeVar("T")


@contextmanager
def counted_queries(session: Session) -> Iterator[list[str]]:
    """Note the queries of a list, where nothing of it is in memory."""
    done = list[str]()

    def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        done.append(statement)

    clear_all_caches()
    engine = session.get_bind().engine
    sa.event.listen(engine, "before_cursor_execute", note)
    try:
        yield done
    finally:
        sa.event.remove(engine, "before_cursor_execute", note)


def copy_match(session: Session, match: Match, last: int, first: int = 1) -> None:
    """Copy a match with its events and a link by these numbers, and put each on the list of the same phone."""
    for table, others in (
        ("match", {"id": "t.id + n.n", "uid": "'copy-' || n.n", "client_key": "'copy-' || n.n"}),
        ("link", {"id": "t.id + n.n", "match_id": "t.match_id + n.n", "code": "'copy-' || n.n"}),
        ("event", {"id": "t.id + 10 * n.n", "match_id": "t.match_id + n.n"}),
        ("device_match", {"match_id": "t.match_id + n.n", "link_id": "t.link_id + n.n"}),
    ):
        columns = [column["name"] for column in sa.inspect(session.connection()).get_columns(table)]
        key = "id" if table == "match" else "match_id"
        values = ", ".join(others.get(name, f't."{name}"') for name in columns)
        names = ", ".join(f'"{name}"' for name in columns)
        session.execute(
            sa.text(
                f"WITH RECURSIVE n(n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM n WHERE n < {last}) "
                f'INSERT INTO "{table}" ({names}) SELECT {values} FROM "{table}" t, n WHERE t.{key} = :match'
            ),
            {"match": match.id},
        )
    session.commit()


@pytest.fixture
def seen_match(begin: Begin, session: Session) -> Match:
    """Begin a match with a hand, on the list of a phone."""
    match = begin()
    record_hand(session, match.code, HAND)
    record_visit(session, "phone", match)
    return match


@pytest.mark.parametrize("which", ["all", "phone"])
def test_a_page_of_matches_costs_the_same_however_many_there_are(
    session: Session, seen_match: Match, which: str
) -> None:
    costs = []
    for first, last in ((1, FEW), (FEW + 1, MANY)):
        copy_match(session, seen_match, last, first)
        with counted_queries(session) as done:
            if which == "all":
                assert len(latest_matches(session, PAGE)[0]) == PAGE
            else:
                assert len(matches_of_device(session, "phone", at_most=PAGE)) == PAGE
        costs.append(len(done))
        count = sa.text("SELECT count(*) FROM device_match WHERE device = :phone")
        assert session.execute(count, {"phone": device_digest("phone")}).scalar_one() == last + 1

    few, many = costs
    assert few == many <= 6


def pages_of(list_before: Callable[[int], tuple[list[T], int | None]]) -> list[list[T]]:
    """Return every page of a list, the newest first."""
    pages: list[list[T]] = []
    before: int | None = HIGHEST_ID
    while before:
        page, before = list_before(before)
        pages.append(page)
    return pages


def test_the_pages_are_all_matches_once(session: Session, seen_match: Match) -> None:
    copy_match(session, seen_match, 2 * PAGE + 3)

    pages = pages_of(lambda before: latest_matches(session, PAGE, before))

    assert [len(page) for page in pages] == [PAGE, PAGE, 4]
    codes = [listed.link.code for page in pages for listed in page]
    assert len({*codes}) == 2 * PAGE + 4
    assert codes[-1] == seen_match.code


def test_house_rules_are_listed_page_by_page(session: Session, library: Library) -> None:
    for number in range(5):
        rules = HouseRules(f"House {number}", "partnership-pitch", {"target": 11})
        save_house_rules(session, library, rules, Writer(str(number)))

    pages = pages_of(lambda before: latest_house_rules(session, 2, before))

    names = [[house.last.rules.name for house in page] for page in pages]
    assert names == [["House 4", "House 3"], ["House 2", "House 1"], ["House 0"]]
