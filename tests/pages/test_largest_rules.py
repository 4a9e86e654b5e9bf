"""The largest rules that the bounds allow are read and shown about as fast as any others, wherever they come in."""

import resource
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.eventlog.append import Writer
from scorekeeper.matches import load
from scorekeeper.matches.events import HandAdded
from scorekeeper.matches.load import write, write_ruleset
from scorekeeper.pitch.rules.groups.declare import MAX_POINTS
from scorekeeper.pitch.rules.house_rules import HouseRules, resolve
from scorekeeper.pitch.rules.schema import ALL_NOTES, Ruleset
from scorekeeper.pitch.scoring.hand import Hand
from tests.club.book_files.pages.test_book_transfer import backup, code_of_book, elsewhere
from tests.common.library import LIBRARY
from tests.common.match_actions import start_match
from tests.common.pace import loops_of
from tests.common.phone import Page, Phone

Answer = TypeVar("Answer")
LOOPS, BYTES = 150, 64 * 1024**2
"""Of the processor, in loops of this machine, and of memory. The first page of any game takes about 15, and 20 MiB."""
_NOT_BESIDE_OTHERS = ("turned_ace", "turned_six", "turned_two", "turned_jack", "gift", "joker", "right", "left")
_TWICE = ("deuce", "ace", "nine", "off_nine", "hang_jack", *(f"{it}_{n}" for it in ("five", "nine") for n in (1, 2, 3)))
AWARDS = [it for it in LIBRARY["cutthroat-pitch"].awards if it not in (*_NOT_BESIDE_OTHERS, *_TWICE)]
HOUSE = HouseRules(
    "W" * 60,
    "cutthroat-pitch",
    {
        "jokers": 2,
        **dict.fromkeys(AWARDS, MAX_POINTS // len(AWARDS)),
        **{"moon": "stake", "moon_made": 1000, "moon_set": 1000},
        **{"double_moon": True, "double_moon_made": 1000, "double_moon_set": 1000},
        **{"target": 1000, "win_by": 1000, "set_limit": 100, "tie_rule": "point_order", "rounds": "until_passed"},
        **{"cents_per_point": 100_000, "set_stake_cents": 100_000, "game_stake_cents": 100_000},
        **{"game_tie": "all_tied_score", "smudge": True, "defenders_score": "pooled"},
    },
    ("x" * 200,) * 3,
)


@pytest.fixture
def small() -> Iterator[None]:
    """Look at how much more memory than ever before the test's process has taken."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    yield
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < BYTES


def in_few_loops(do: Callable[[], Answer]) -> Answer:
    answers: list[Answer] = []
    assert loops_of(lambda: answers.append(do())) < LOOPS
    return answers[0]


def in_time(do: Callable[[], Page]) -> Page:
    page = in_few_loops(do)
    assert page.status < 300, page.text[:200]
    return page


def largest() -> Ruleset:
    """Return a ruleset as large as a file may have it, which no house could make of a variant that is here."""
    ruleset, faults = resolve(HOUSE, LIBRARY)
    assert ruleset, faults
    table = ruleset.table.changed(fewest=2, most=10, partners={4: 2, 6: 3, 8: 4, 10: 5}, open=True)
    texts = {"also": ["W" * 60] * 40, "source": "W" * 200, "summary": "W" * 120, "notes": ["W" * 200] * ALL_NOTES}
    return Ruleset.model_validate_json(ruleset.changed(id="largest", table=table, **texts).model_dump_json())


PLAYERS = ("Ann", "Bea", "Cal", "Dan", "Eve", "Fay", "Gus", "Hal")
TAKEN: dict[str, str | None] = {award: PLAYERS[n % 8] for n, award in enumerate(AWARDS)}


@pytest.fixture
def played(app: Flask, phone: Phone) -> str:
    """Play a match by the largest rules, and return its address."""
    phone.open("/")
    with phone.client.session_transaction() as kept:
        device = kept["device"]
    ids = {name: f"p{n}" for n, name in enumerate(PLAYERS, 1)}
    hand = Hand(bidder="p1", bid=2, taken={award: ids[who] for award, who in TAKEN.items() if who})
    with app.app_context():
        match = start_match(
            db.session,
            LIBRARY,
            variant="cutthroat-pitch",
            players=list(PLAYERS),
            house=HOUSE.options,
            idempotency_key="start",
            device=device,
        )
        text, digest = write_ruleset(largest())
        values = {"text": text, "digest": digest}
        db.session.execute(sa.text('UPDATE "match" SET ruleset = :text, digest = :digest'), values)
        db.session.commit()
        load._cache.clear()
        for n in range(3):
            write(db.session, match.code, HandAdded(hand=hand), Writer(f"hand-{n}"), expected_version=None)
        load._cache.clear()
    return f"/matches/{match.code}/"


@pytest.mark.usefixtures("small")
def test_in_a_match(played: str, phone: Phone) -> None:
    for page in ("", "board", "deal", "hands/new", "hands/1", "history", "menu", "rules", "rules/change", "what-if"):
        in_time(partial(phone.open, f"{played}{page}"))


@pytest.mark.usefixtures("small", "played")
def test_in_the_file_of_a_book(app: Flask, phone: Phone) -> None:
    file = backup(app, phone)
    elsewhere(app)

    look = in_time(lambda: phone.upload(phone.open("/transfer"), "/transfer", "miller.pitch-book.gz", file))
    done = in_time(lambda: look.send("/transfer/book"))
    book = in_time(lambda: phone.open(f"/books/{code_of_book(app)}/"))

    assert "1 match imported." in done.text
    assert "Ann" in book.text
