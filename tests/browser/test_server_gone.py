"""The server itself is killed while a hand is saved, and comes back: the hand waits on the phone and arrives once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from scorekeeper.app import create_app
from scorekeeper.extensions import db, migrate
from tests.browser.conftest import CUT, House, Pocket
from tests.browser.tables import begun
from tests.browser.test_network import entered, hands
from tests.crash.killing import Killed


@pytest.fixture
def killed(tmp_path: Path) -> Iterator[Killed]:
    """Start a server in a process of its own."""
    killed = Killed(tmp_path, {})
    killed.start()
    yield killed
    killed.stop()


@pytest.fixture
def behind(killed: Killed, tmp_path: Path) -> Iterator[House]:
    """Look into the same database from here."""
    app = create_app({"SCOREKEEPER_INSTANCE": tmp_path, "SCOREKEEPER_HOST": "127.0.0.1"})
    migrate(app)
    yield House(app, f"http://127.0.0.1:{killed.port}")
    with app.app_context():
        db.engine.dispose()


def test_a_hand_outlives_the_server(browser: Browser, killed: Killed, behind: House, tmp_path: Path) -> None:
    path = begun(behind.phone()).path
    pocket = Pocket(browser, behind, tmp_path)
    mine, watcher = pocket.phone(), pocket.phone()
    watcher.goto(path)
    mine.goto(f"{path}hands/new")
    entered(mine)
    killed.stop()

    mine.locator("#main-button").tap()
    expect(mine.locator("#outbox")).to_contain_text("Kept on this phone. Hand 1 goes in")
    mine.get_by_role("button", name="Try now").first.tap()
    expect(mine.locator("#outbox")).to_contain_text("Tried again at")
    expect(watcher.locator("#touch")).to_contain_text("Lost touch.", timeout=10_000)
    killed.start()

    expect(mine.locator("#turn")).to_contain_text("Hand 1 is in.", timeout=15_000)
    expect(watcher.locator("#touch")).to_be_empty()
    expect(watcher.locator("#board [data-score=s2]")).to_have_text("3")
    assert hands(behind, path) == ["1 Dan 3 made +1 1 +3 3"]
    for context in pocket.taken:
        context.close()
    assert [text for text in pocket.said if not CUT.search(text)] == []
