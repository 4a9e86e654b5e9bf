"""A hand that the phone was told of is on the disk: the server is killed at random moments, and nothing is missing."""

import random
import sqlite3
from collections import Counter
from pathlib import Path

import pytest
from flask import Flask

from scorekeeper.extensions import db
from scorekeeper.services.load import load_match
from tests.browser.tables import begun
from tests.crash.killing import Blows, Hand, Killed, Scorer, all_written
from tests.web.phone import Phone

PHONES, MATCHES = 4, 5
AWARDS = ("high", "low", "jack", "game")


def some_hand(rng: random.Random) -> Hand:
    """Play a hand that could have been."""
    taken = {f"took-{award}": rng.choice(("s1", "s2")) for award in AWARDS}
    return {
        "call": f"p{rng.randint(1, 4)}:{rng.choice('234')}",
        "trump": rng.choice(("spades", "hearts", "diamonds", "clubs")),
        **taken,
    }


def as_stored(hand: Hand) -> dict[str, object]:
    """Write a hand as the store keeps it."""
    bidder, _, bid = hand["call"].partition(":")
    taken = {award: hand[f"took-{award}"] for award in AWARDS}
    return {"bidder": bidder, "bid": int(bid), "trump": hand["trump"], "taken": taken}


@pytest.mark.every_database
def test_every_acknowledged_hand_is_there_once(app: Flask, database_url: str, tmp_path: Path) -> None:
    is_file = database_url.startswith("sqlite")
    # PostgreSQL keeps what it has acknowledged by itself; there the app alone is killed, and less often.
    posts, kills = (1000, 12) if is_file else (300, 3)
    each = posts // (PHONES * MATCHES)
    layer = Phone(app.test_client())
    paths = [begun(layer).path for _ in range(PHONES * MATCHES)]
    rng = random.Random(20261120)
    killed = Killed(tmp_path / "instance", {"SCOREKEEPER_DATABASE_URL": database_url})
    blows = Blows(killed, rng, set(rng.sample(range(posts // 50, posts - posts // 50), kills)))
    scorers = [
        Scorer(f"phone{number}", paths[number::PHONES], lambda: some_hand(rng), blows, each) for number in range(PHONES)
    ]

    killed.start()
    try:
        all_written(scorers, blows)
    finally:
        killed.stop()

    said = {path: told for scorer in scorers for path, told in scorer.acknowledged.items()}
    assert sum(map(len, said.values())) == posts
    assert killed.kills == kills
    again = {key: at for scorer in scorers for key, at in scorer.sent_again.items()}
    written = 0
    assert again
    with app.app_context():
        for path, told in said.items():
            match = load_match(db.session, path.split("/")[2])
            written += sum(
                event.at < again[event.client_key] for event in match.log.events if event.client_key in again
            )
            keys = Counter(event.client_key for event in match.log.events)
            assert [keys[key] for key, _ in told] == [1] * each
            assert [hand.hand for hand in match.log.hands] == [as_stored(hand) for _, hand in told]
            assert len(match.state.hands) == each
    if is_file:
        with sqlite3.connect(database_url.removeprefix("sqlite:///")) as file:
            assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert file.execute("PRAGMA foreign_key_check").fetchall() == []
    print(f"{posts} hands, {kills} kills, {len(again)} sent again, of which {written} had been written unanswered")
