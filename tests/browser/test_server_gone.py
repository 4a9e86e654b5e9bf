"""The server itself is killed while a hand is saved, and comes back: the hand waits on the phone and arrives once."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.actions import enter_hand, hands
from tests.browser.conftest import NETWORK_ERRORS, Site
from tests.browser.playing import begin_match
from tests.common.chromium import Phones
from tests.crash.killing import KillableServer, app_beside, running_server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[KillableServer]:
    """Start a server in a process of its own."""
    with running_server(tmp_path) as server:
        yield server


@pytest.fixture
def same_site(server: KillableServer) -> Iterator[Site]:
    """Open the same database in this process."""
    with app_beside(server) as app:
        yield Site(app, f"http://127.0.0.1:{server.port}")


def test_a_hand_saved_while_the_server_is_down_is_sent_once(
    browser: Browser, server: KillableServer, same_site: Site
) -> None:
    path = begin_match(same_site.client()).path
    phones = Phones(browser, same_site.url)
    mine, watcher = phones.new(), phones.new()
    watcher.goto(path)
    mine.goto(f"{path}hands/new")
    enter_hand(mine)
    server.stop()

    mine.locator("#main-button").tap()
    expect(mine.locator("#outbox")).to_contain_text("Saved on this phone. Hand 1 is sent")
    mine.get_by_role("button", name="Try now").first.tap()
    expect(mine.locator("#outbox")).to_contain_text("Last try at")
    expect(watcher.locator("#touch")).to_contain_text("Offline.", timeout=10_000)
    server.start()

    expect(mine.locator("#turn")).to_contain_text("Hand 1 is saved.", timeout=15_000)
    expect(watcher.locator("#touch")).to_be_empty()
    expect(watcher.locator("#board [data-score=s2]")).to_have_text("3")
    assert hands(same_site, path) == ["1 Dan 3 made +1 1 +3 3"]
    phones.close()
    assert [text for text in phones.console if not NETWORK_ERRORS.search(text)] == []
