"""What a phone's home page lists."""

from datetime import timedelta

import pytest
import sqlalchemy as sa
from sqlalchemy.orm import Session

from scorekeeper.access.links import new_device_code
from scorekeeper.eventlog.cache import clear_all_caches
from scorekeeper.matches import service
from scorekeeper.matches.fold import Match, UnscorableMatch
from scorekeeper.matches.match_list import latest_matches, matches_of_device, record_visit
from tests.common.clock import clock_set
from tests.common.hands import HAND
from tests.common.match_actions import delete, record_hand, rename, undelete
from tests.matches.conftest import Begin

pytestmark = pytest.mark.every_database


def titles(session: Session, device: str) -> list[str]:
    return [listed.title for listed in matches_of_device(session, device)]


@pytest.mark.parametrize("days", [-1, 365])
def test_what_a_phone_opens_comes_first_whatever_the_clock_says(begin: Begin, session: Session, days: int) -> None:
    friday, sunday = begin(title="Friday"), begin(title="Sunday")
    record_visit(session, "phone", friday)
    record_visit(session, "phone", sunday)

    with clock_set(timedelta(days=days)):
        record_visit(session, "phone", friday)
        first = titles(session, "phone")
        record_visit(session, "phone", sunday)

    assert (first, titles(session, "phone")) == (["Friday", "Sunday"], ["Sunday", "Friday"])


def test_opening_a_page_again_soon_writes_nothing(session: Session, match: Match) -> None:
    seen = []
    for _ in range(2):
        record_visit(session, "phone", match)
        seen.append(session.execute(sa.text("SELECT last_seen FROM device_match")).scalar_one())

    assert seen[0] == seen[1]


def test_the_list_says_how_each_match_stands(session: Session, match: Match) -> None:
    record_visit(session, "phone", match)
    record_hand(session, match.code, HAND)
    renamed = rename(session, match.code, {}, title="Friday")
    clear_all_caches()

    (listed,) = matches_of_device(session, "phone")
    (again,) = matches_of_device(session, "phone")

    assert (listed.match, listed.link.code) == (renamed, match.code)
    assert (listed.title, listed.written_at) == ("Friday", renamed.log.events[-1].at)
    assert again.match is listed.match


def test_a_match_thrown_away_is_not_listed_until_it_is_back(session: Session, match: Match) -> None:
    record_visit(session, "phone", match)

    delete(session, match.code)
    assert titles(session, "phone") == []
    assert [listed.log.is_deleted for listed in latest_matches(session, 50)[0]] == [True]

    undelete(session, match.code)
    assert titles(session, "phone") == [""]


def test_a_list_has_an_end(begin: Begin, session: Session) -> None:
    for number in range(4):
        record_visit(session, "phone", begin(title=str(number)))

    assert [listed.title for listed in matches_of_device(session, "phone", at_most=2)] == ["3", "2"]


def test_the_cookie_is_not_in_the_database(session: Session, match: Match) -> None:
    device = new_device_code()

    record_visit(session, device, match)

    kept = session.execute(sa.text("SELECT device FROM device_match")).scalar_one()
    assert device not in kept
    assert len(kept) == 64


def test_a_match_that_cannot_be_scored_is_listed_by_name(begin: Begin, session: Session) -> None:
    match = begin(title="Friday")
    begin(title="Sunday")
    record_hand(session, match.code, HAND)
    session.execute(
        sa.text("UPDATE event SET payload = :payload"), {"payload": '{"v": 1, "hand": {"bidder": "p1", "bid": 99}}'}
    )
    session.commit()
    clear_all_caches()

    assert [(listed.title, listed.match is None) for listed in latest_matches(session, 50)[0]] == [
        ("Sunday", False),
        ("Friday", True),
    ]
    with pytest.raises(UnscorableMatch):
        service.load_match(session, match.code)
