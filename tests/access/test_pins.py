"""PINs: how long, how likely to be guessed, and how often a wrong one may be typed from one network."""

import itertools
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from flask import Flask
from sqlalchemy.orm import Session

from scorekeeper.access import invitations
from scorekeeper.access.invitations import (
    MAX_WRONG_PINS_A_DAY,
    PIN_ALPHABET,
    NoInvitation,
    TooManyWrongPins,
    count_possible_pins,
    enter_pin,
    invite,
    max_open_pins,
    network_of,
    next_pin_length,
    wait_after_wrong_pins,
)
from scorekeeper.club.nights.service import load_night
from scorekeeper.database.engine import db
from scorekeeper.database.tables import InvitationRow, WrongPinRow
from scorekeeper.eventlog.stream import SCORER, WATCHER, Refused
from scorekeeper.matches.fold import Match
from tests.common.nights import store_night
from tests.matches.conftest import Begin

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
WRONG = "AACCFF"


def opened(pins: int) -> Counter[int]:
    """Open so many PINs one after the other, and count them by length."""
    found: Counter[int] = Counter()
    for _ in range(pins):
        letters = next_pin_length(found)
        assert letters is not None
        found[letters] += 1
    return found


@pytest.mark.parametrize("letters", [1, 2, 3, 4])
def test_pins_are_counted_as_they_are_made(letters: int) -> None:
    every = map("".join, itertools.product(PIN_ALPHABET, repeat=letters))

    assert count_possible_pins(letters) == sum(not any(letter * 3 in pin for letter in PIN_ALPHABET) for pin in every)


@pytest.mark.parametrize("pins", [1, 32, 33, 1000, 10_000])
def test_a_day_of_guessing_from_one_network_finds_one_in_a_thousand_times_at_most(pins: int) -> None:
    # A guess finds a PIN of its own length alone, and no guess is better than the best.
    best = max(found / count_possible_pins(letters) for letters, found in opened(pins).items())

    assert MAX_WRONG_PINS_A_DAY * best < 1 / 1000


def test_pins_grow_with_how_many_are_open() -> None:
    assert [next_pin_length(opened(pins)) for pins in (0, 31, 32, 400, 10_000)] == [6, 6, 7, 8, 9]


def test_a_length_is_used_again_when_its_pins_are_closed() -> None:
    assert next_pin_length({6: max_open_pins(6) - 1, 7: 5}) == 6


@pytest.mark.every_database
@pytest.mark.parametrize(("taken", "letters"), [(max_open_pins(6) - 1, 6), (max_open_pins(6), 7)])
def test_a_new_pin_is_longer_when_many_are_open(session: Session, match: Match, taken: int, letters: int) -> None:
    now = datetime.now(UTC)
    for number in range(taken):
        code, pin = f"code-{number}", f"PIN{number:03}"
        ends = now + timedelta(hours=1)
        invited = InvitationRow(match_id=match.id, role=SCORER, code=code, pin=pin, created_at=now, expires_at=ends)
        session.add(invited)
    session.commit()

    assert len(invite(session, match, WATCHER).pin or "") == letters


@pytest.mark.parametrize(
    "why", ["none of a length is free", pytest.param("a night has it", marks=pytest.mark.club), "no length has room"]
)
def test_where_no_pin_is_left_that_is_said(
    session: Session, match: Match, begin: Begin, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    if why == "no length has room":
        monkeypatch.setattr(invitations, "next_pin_length", lambda _open: None)
    else:
        monkeypatch.setattr(invitations, "new_pin", lambda _letters: "ACFHKM")
        other = load_night(session, store_night(session)) if why == "a night has it" else begin()
        invite(session, other, WATCHER)

    with pytest.raises(Refused, match="No PIN is free"):
        invite(session, match, WATCHER)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.9", "203.0.113.0/24"),
        ("8.8.8.8", "8.8.8.0/24"),
        ("::ffff:8.8.8.8", "8.8.8.0/24"),
        ("2001:4860:4860:1:2:3:4:5", "2001:4860:4860:1::/64"),
        ("[2001:4860::1]", "2001:4860::/64"),
        *((home, home) for home in ("192.168.1.20", "10.1.2.3", "127.0.0.1", "")),
        ("::ffff:192.168.1.20", "192.168.1.20"),
        ("fd00:1:2:3:aaaa::12", "fd00:1:2:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("x" * 100, "x" * 64),
    ],
)
def test_what_counts_together(address: str, network: str) -> None:
    assert network_of(address) == network


def test_waits_grow_and_end() -> None:
    minutes = [wait_after_wrong_pins(wrong) // timedelta(minutes=1) for wrong in range(31)]

    assert minutes[:17] == [0] * 10 + [1, 2, 4, 8, 16, 32, 60]
    assert set(minutes[17:]) == {60}


class Clock(datetime):
    """A clock that tests set."""

    at = NOON

    @classmethod
    def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
        return cls.at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> type[Clock]:
    """Set the clock to noon."""
    monkeypatch.setattr(Clock, "at", NOON)
    monkeypatch.setattr(invitations, "datetime", Clock)
    return Clock


def tried(session: Session, pin: str = WRONG, address: str = "192.168.1.20") -> str:
    """Enter a PIN, and return whether it was right, wrong or blocked."""
    try:
        enter_pin(session, pin, address)
    except NoInvitation:
        return "wrong"
    except TooManyWrongPins:
        return "blocked"
    return "in"


@pytest.mark.every_database
def test_wrong_pins_count_for_their_network_alone(session: Session, match: Match) -> None:
    pin = invite(session, match, WATCHER).pin or ""

    here = [tried(session) for _ in range(11)]

    assert here == ["wrong"] * 10 + ["blocked"]
    assert tried(session, pin) == "blocked"
    assert tried(session, pin, "192.168.1.21") == "in"
    assert [tried(session, WRONG, f"203.0.113.{n}") for n in range(11)] == ["wrong"] * 10 + ["blocked"]
    assert tried(session, pin, "203.0.114.1") == "in"


def test_right_pins_do_not_count(session: Session, match: Match) -> None:
    pin = invite(session, match, WATCHER).pin or ""

    assert {tried(session, pin) for _ in range(15)} == {"in"}
    assert session.execute(sa.select(sa.func.count()).select_from(WrongPinRow)).scalar() == 0


def test_a_network_waits_longer_each_time_and_has_thirty_a_day(session: Session, clock: type[Clock]) -> None:
    wrong = 0
    while clock.at < NOON + timedelta(days=1) - timedelta(minutes=1):
        wrong += tried(session) == "wrong"
        clock.at += timedelta(minutes=1) if tried(session) == "blocked" else timedelta()

    assert wrong <= MAX_WRONG_PINS_A_DAY
    clock.at = NOON + timedelta(days=3)
    assert tried(session) == "wrong"
    # Its own, and the one of everybody at home.
    assert session.execute(sa.select(sa.func.count()).select_from(WrongPinRow)).scalar() == 2


@pytest.mark.every_database
def test_whoever_takes_one_address_at_home_after_another_has_to_wait(session: Session, match: Match) -> None:
    pin = invite(session, match, WATCHER).pin or ""
    addresses = [f"10.0.{n // 250}.{n % 250}" if n % 2 else f"fd00:0:0:{n:x}::1" for n in range(101)]

    found = [tried(session, WRONG, address) for address in addresses]

    assert found == ["wrong"] * 100 + ["blocked"]
    assert tried(session, pin, "192.168.1.20") == "blocked"
    assert tried(session, pin, "203.0.113.1") == "in"


def test_all_of_a_home_have_ten_times_as_many_wrong_ones_a_day(session: Session, clock: type[Clock]) -> None:
    wrong = 0
    for step in range(24 * 60):
        wrong += sum(tried(session, WRONG, f"10.0.{step // 250}.{step % 250}") == "wrong" for _ in range(2))
        clock.at = NOON + timedelta(minutes=step)

    assert 100 < wrong <= 10 * MAX_WRONG_PINS_A_DAY


def test_a_clock_that_goes_back_locks_nobody_out_for_long(session: Session, match: Match, clock: type[Clock]) -> None:
    pin = invite(session, match, WATCHER).pin or ""
    assert [tried(session) for _ in range(11)][-1] == "blocked"

    clock.at = NOON - timedelta(days=300)
    at_once = tried(session, pin)
    clock.at += timedelta(minutes=1)

    assert (at_once, tried(session)) == ("blocked", "wrong")


@pytest.mark.every_database
def test_wrong_pins_that_come_together_each_count(app: Flask) -> None:
    at_once = threading.Barrier(4)

    def guess(_number: int) -> list[str]:
        with app.app_context():
            at_once.wait()
            return [tried(db.session) for _ in range(6)]

    with ThreadPoolExecutor(4) as phones:
        answers = Counter(itertools.chain.from_iterable(phones.map(guess, range(4))))

    assert answers == {"wrong": 10, "blocked": 14}
