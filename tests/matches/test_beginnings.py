"""How a match begins, and what is kept of its rules."""

from datetime import date
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.database.engine import db
from scorekeeper.eventlog.cache import clear_all_caches
from scorekeeper.eventlog.stream import Refused
from scorekeeper.matches.service import load_match, read_ruleset, ruleset_of, write_ruleset
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.library import Library
from scorekeeper.pitch.scoring.hand import Hand
from scorekeeper.random_codes import new_code
from tests.common.hands import HAND
from tests.common.library import LIBRARY
from tests.common.match_actions import record_hand, start_match
from tests.matches.conftest import Begin, at_once

PARTNERS = ["Ann", "Bo", "Cal", "Di"]


@pytest.mark.every_database
def test_a_match_begins_with_nothing_on_the_sheet(begin: Begin, session: Session) -> None:
    match = begin(title="Friday", first_dealer="Cal", played_on=date(2026, 11, 20))

    assert load_match(session, match.code) == match
    assert (match.title, match.setup.played_on, match.version) == ("Friday", "2026-11-20", 0)
    assert match.state.scores == {"s1": 0, "s2": 0}
    assert match.state.dealer == "p3"
    assert match.names == {"p1": "Ann", "p2": "Bo", "p3": "Cal", "p4": "Di", "s1": "Ann & Cal", "s2": "Bo & Di"}
    assert match.state.seats.side("s2").seats == ("p2", "p4")
    assert len(match.code) >= 22


@pytest.mark.every_database
def test_a_form_that_comes_twice_begins_one_match(begin: Begin) -> None:
    first = begin(idempotency_key="the same")

    assert begin(idempotency_key="the same").code == first.code
    assert begin(idempotency_key="another").code != first.code


@pytest.mark.every_database
def test_a_form_that_comes_twice_at_once_begins_one_match(app: Flask, session: Session) -> None:
    def post(_number: int) -> str:
        return start_match(
            db.session, LIBRARY, variant="partnership-pitch", idempotency_key="the same", players=PARTNERS
        ).code

    codes = {*at_once(app, post)}

    assert len(codes) == 1
    assert session.execute(sa.text('SELECT count(*) FROM "match"')).scalar_one() == 1


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"variant": "whist"}, "variant"),
        ({"house": {"target": "far"}}, "house.target"),
        ({"house": {"min_bid": 9}}, "house.min_bid"),
        ({"players": ["Ann", "Bo"]}, "players"),
        ({"players": ["Ann", "Ann", "Cal", "Di"]}, "players.1"),
        ({"players": ["Ann", "Bo", "Cal", "x" * 25]}, "players.3"),
        ({"players": None, "sides": [("Us", []), (" ", [])]}, "sides.1.name"),
        ({"players": None}, "players"),
        ({"title": "x" * 61}, "title"),
        ({"first_dealer": "Eve"}, "first_dealer"),
        ({"idempotency_key": "x" * 37}, "client_key"),
    ],
)
def test_what_cannot_be_agreed_is_refused(begin: Begin, session: Session, said: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refused:
        begin(**said)

    assert field in [item.fault.field for item in refused.value.faults]
    assert session.execute(sa.text('SELECT count(*) FROM "match"')).scalar_one() == 0


def test_sides_may_be_told_apart_by_name_and_by_players(begin: Begin) -> None:
    match = begin(players=None, sides=[("Porch", ["Ann", "Cal"]), ("Kitchen", ["Bo", "Di"])], first_dealer="Bo")

    assert match.names == {"p1": "Ann", "p2": "Bo", "p3": "Cal", "p4": "Di", "s1": "Porch", "s2": "Kitchen"}
    assert match.state.dealer == "p2"


def test_a_match_goes_on_from_paper(begin: Begin, session: Session) -> None:
    match = begin(start={"scores": {"Bo & Di": -4}, "hands": 3, "sets": {"Ann & Cal": 1}})

    assert load_match(session, match.code).state.scores == {"s1": 0, "s2": -4}
    assert (match.state.hands_scored, match.state.sets) == (3, {"s1": 1, "s2": 0})


def test_a_match_that_is_over_on_paper_is_not_started(begin: Begin) -> None:
    twelve = {"length": "hands", "hands": 12}

    with pytest.raises(Refused) as refused:
        begin(house=twelve, start={"hands": 12})

    assert [fault.field for fault in refused.value.reasons] == ["start.hands"]
    assert begin(house=twelve, start={"hands": 11}).state.outcome is None


def test_a_side_deals_where_nobody_said_who_sits_where(begin: Begin) -> None:
    match = begin(players=None, sides=[("Us", []), ("Them", [])], first_dealer="Them")

    assert match.names == {"s1": "Us", "s2": "Them"}
    assert match.state.dealer == "s2"


def test_somebody_alone_may_play_under_a_sides_name(begin: Begin, session: Session) -> None:
    match = begin(variant="cutthroat-pitch", players=None, sides=[("Red", ["Ann"]), ("Blue", ["Bo"]), ("Cal", ["Cal"])])
    taken = {"high": "s1", "low": "s2", "jack": "p3", "game": "p3"}

    after = record_hand(session, match.code, Hand(bidder="p3", bid=2, taken=taken))

    assert match.names == {"p1": "Ann", "p2": "Bo", "p3": "Cal", "s1": "Red", "s2": "Blue"}
    assert after.state.scores == {"s1": 1, "s2": 1, "p3": 2}


def test_a_match_keeps_the_rules_it_began_with(session: Session) -> None:
    dearer, _ = with_house(LIBRARY["partnership-pitch"], {"high": 5})
    last_year = Library({dearer.id: dearer})
    match = start_match(session, last_year, variant=dearer.id, players=PARTNERS)
    clear_all_caches()

    after = record_hand(session, match.code, HAND)

    assert after.state.scores == {"s1": 7, "s2": 1}


def test_every_ruleset_is_kept_whole() -> None:
    for ruleset in LIBRARY:
        text, digest = write_ruleset(ruleset)

        kept = read_ruleset(text)

        assert kept == ruleset
        assert list(kept.awards) == list(ruleset.awards)
        assert write_ruleset(kept) == (text, digest)


def test_what_a_house_changed_is_kept(begin: Begin, session: Session) -> None:
    match = begin(house={"target": 15, "jack": 2, "dealer_steal": "no"})

    kept = ruleset_of(session, match.setup)

    assert kept == with_house(LIBRARY["partnership-pitch"], {"target": 15, "jack": 2, "dealer_steal": "no"})[0]


def test_a_code_is_long_and_no_option_of_a_command() -> None:
    codes = {new_code() for _ in range(2000)}

    assert len(codes) == 2000
    assert not [code for code in codes if code.startswith("-") or len(code) != 22]


@pytest.mark.parametrize("markers", [(1, 1), (0, 2), (3,), (1, 13)])
def test_markers_that_are_not_each_its_own_are_left_aside(begin: Begin, markers: tuple[int, ...]) -> None:
    setup = begin().setup

    assert setup.with_markers(markers) == setup
    assert [side.mark for side in setup.with_markers((2, 1)).sides] == [2, 1]
