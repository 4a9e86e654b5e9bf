"""Every hand that the server has acknowledged is stored once, though the server is killed at random moments."""

import random
import sqlite3
from collections import Counter
from pathlib import Path

import pytest
from flask import Flask

from scorekeeper.database.engine import db
from scorekeeper.matches.service import load_match
from scorekeeper.pitch.records.json_parser import write_hand
from tests.browser.playing import begin_match
from tests.common.ci import IS_CI
from tests.common.phone import Phone
from tests.crash.killing import Hand, KillableServer, Kills, Scorer, run_all

PHONES, MATCHES = 4, 5
AWARDS = ("high", "low", "jack", "game")


def some_hand(rng: random.Random) -> Hand:
    """Return a hand that is possible."""
    taken = {f"took-{award}": rng.choice(("s1", "s2")) for award in AWARDS}
    return {
        "call": f"p{rng.randint(1, 4)}:{rng.choice('234')}",
        "trump": rng.choice(("spades", "hearts", "diamonds", "clubs")),
        **taken,
    }


def as_stored(hand: Hand) -> dict[str, object]:
    """Return a hand as it is stored."""
    bidder, _, bid = hand["call"].partition(":")
    taken = {award: hand[f"took-{award}"] for award in AWARDS}
    return {"bidder": bidder, "bid": int(bid), "trump": hand["trump"], "taken": taken}


@pytest.mark.every_database
def test_every_acknowledged_hand_is_stored_once(app: Flask, database_url: str, tmp_path: Path) -> None:
    is_file = database_url.startswith("sqlite")
    # PostgreSQL keeps what it has acknowledged by itself; there the app alone is killed, and less often.
    posts, kills = (1000, 12) if is_file else (300, 3)
    if not IS_CI:
        posts, kills = (300, 4) if is_file else (100, 2)  # fewer, as of Hypothesis's examples
    each = posts // (PHONES * MATCHES)
    client = Phone(app.test_client())
    paths = [begin_match(client, other_target="1000").path for _ in range(PHONES * MATCHES)]
    rng = random.Random(20261120)
    server = KillableServer(tmp_path / "instance", {"SCOREKEEPER_DATABASE_URL": database_url})
    planned = Kills(server, rng, set(rng.sample(range(posts // 50, posts - posts // 50), kills)))
    scorers = [
        Scorer(f"phone{number}", paths[number::PHONES], lambda: some_hand(rng), planned, each)
        for number in range(PHONES)
    ]

    server.start()
    try:
        run_all(scorers, planned)
    finally:
        server.stop()

    acknowledged = {path: hands for scorer in scorers for path, hands in scorer.acknowledged.items()}
    assert sum(map(len, acknowledged.values())) == posts
    assert server.kills == kills
    sent_again = {key: at for scorer in scorers for key, at in scorer.sent_again.items()}
    written = 0
    assert sent_again
    with app.app_context():
        for path, hands in acknowledged.items():
            match = load_match(db.session, path.split("/")[2])
            written += sum(
                event.at < sent_again[event.idempotency_key]
                for event in match.log.events
                if event.idempotency_key in sent_again
            )
            keys = Counter(event.idempotency_key for event in match.log.events)
            assert [keys[key] for key, _ in hands] == [1] * each
            assert [write_hand(hand.hand) for hand in match.log.hands] == [as_stored(hand) for _, hand in hands]
            assert len(match.state.results) == each
    if is_file:
        with sqlite3.connect(database_url.removeprefix("sqlite:///")) as file:
            assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert file.execute("PRAGMA foreign_key_check").fetchall() == []
    print(f"{posts} hands, {kills} kills, {len(sent_again)} sent again, of which {written} had been written unanswered")
