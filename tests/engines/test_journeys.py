"""The journeys of a family in the browser engines that its phones may have beside Chromium."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from tests.browser.playing import begin_match
from tests.common.apps import close, make_app
from tests.common.phone import Phone
from tests.engines.engine import Engine
from tests.engines.webkit import WebKit
from tests.server.test_serve import free_port, start, status_of

BUTTON, SCORE = "#main-button", "[data-score={}]"


def enter_hand(engine: Engine) -> None:
    """Enter a hand of which Low went elsewhere: Ann & Cal +1, Bea & Dan +3."""
    engine.pick("call", "p4:3")
    engine.pick("took-low", "s1")
    engine.wait_for(BUTTON, "3 left")
    engine.tap("[name=rest][value=s2]")
    engine.wait_for(BUTTON, "+1", "+3")


def scores(engine: Engine) -> tuple[str, str]:
    """Return both sides' scores, on the match page."""
    engine.wait_for("#board")
    return engine.read(SCORE.format("s1")), engine.read(SCORE.format("s2"))


def test_a_match_is_started_by_the_first_tap_on_start(engine: Engine, url: str) -> None:
    engine.open(f"{url}/new/partnership-pitch")
    for seat, name in enumerate(("Ann", "Bea", "Cal", "Dan")):
        engine.type(f"[name=seat-{seat}]", name)

    engine.tap("[data-start]")

    engine.wait_for("#turn", "Ann", "Bea")


def test_a_game_is_found_by_what_is_tapped_and_starts_with_it(engine: Engine, url: str) -> None:
    engine.open(f"{url}/new")
    engine.pick("target", "52")
    engine.wait_for("#found", "games fit")
    engine.pick("target", "52")
    engine.wait_for("#found", "Common for four")
    engine.pick("bid", "14")
    engine.wait_for("#found", "Double Pedro")
    engine.pick("game", "pedro")
    engine.wait_for("#bottom_bar", "Play Pedro")
    engine.wait_for("#clear", "Clear")

    engine.tap("#bottom_bar a")

    engine.wait_for(".terms", "To 62")


def test_the_line_above_start_says_what_is_tapped(engine: Engine, url: str) -> None:
    engine.open(f"{url}/new/arizona-29")
    engine.wait_for(".terms", "Target?")

    for target in ("15", "21"):
        engine.tap(f'[name=house-target][value="{target}"]')

        assert engine.read(".terms").startswith(f"To {target} ·")


def test_start_names_whoever_deals_and_nobody_else(engine: Engine, url: str) -> None:
    engine.open(f"{url}/new/partnership-pitch")
    unnamed = engine.read("[data-start]")
    engine.type("[name=seat-0]", "Ann")
    assert "Ann" in engine.read("[data-start]")

    engine.tap('[name=dealer][value="1"]')

    assert engine.read("[data-start]") == unnamed


def test_enter_in_a_name_leads_to_the_next(engine: Engine, url: str) -> None:
    engine.open(f"{url}/new/partnership-pitch")

    for seat in range(4):
        engine.type(f"[name=seat-{seat}]", f"Player {seat + 1}\n")

    assert engine.run("return location.pathname").endswith("/new/partnership-pitch")
    assert engine.read("#faults .say") == ""
    engine.type("[name=seat-0]", "Ann\n")
    assert engine.run("return document.activeElement.name") == "seat-1"


def test_what_an_empty_field_says_can_be_read(engine: Engine, url: str) -> None:
    """Look at the picture: WebKit does not report which color it uses."""
    engine.open(f"{url}/new/partnership-pitch")
    engine.run("document.querySelector('#title').closest('details').open = true")
    for css in ("#title", "#seat-0"):
        left, top, right, bottom = engine.bounds(css)
        inside = (left + 2, top + 2, right - 2, bottom - 2)
        field = Image.open(BytesIO(engine.screenshot())).convert("L").crop(inside)

        assert contrast(field) >= 4.5, css


def contrast(picture: Image.Image) -> float:
    """Return the contrast of the darkest and the lightest gray of a picture."""
    grays = sorted(picture.tobytes())
    dark, light = (float(((gray / 255 + 0.055) / 1.055) ** 2.4) for gray in (grays[0], grays[-1]))
    return (light + 0.05) / (dark + 0.05)


def test_a_hand_is_recorded_corrected_and_undone(engine: Engine, match: str) -> None:
    engine.open(match)
    engine.tap("a[href$='hands/new']")
    enter_hand(engine)
    engine.tap(BUTTON)
    engine.wait_for(SCORE.format("s2"), "3")
    assert scores(engine) == ("1", "3")

    engine.open(f"{match}hands/1")
    engine.pick("took-low", "s2")
    engine.wait_for(BUTTON, "+4")
    engine.tap(BUTTON)
    engine.wait_for(SCORE.format("s2"), "4")
    assert scores(engine) == ("0", "4")

    engine.tap("form[action$='undo'] button")
    engine.wait_for(SCORE.format("s2"), "3")
    assert scores(engine) == ("1", "3")


def test_a_hand_that_is_not_what_the_button_said_is_shown_first(engine: Engine, match: str) -> None:
    engine.open(f"{match}hands/new")
    enter_hand(engine)
    engine.run("document.querySelector('[name=call][value=\"p1:3\"]').checked = true")

    engine.tap(BUTTON)
    engine.wait_for("#faults .say", "Ann & Cal +1, Bea & Dan +3", "Ann & Cal −3, Bea & Dan +3")
    engine.tap(BUTTON)

    engine.wait_for(SCORE.format("s1"), "−3")
    assert scores(engine) == ("−3", "3")


def test_half_a_hand_is_still_there_after_leaving_and_back(engine: Engine, match: str) -> None:
    engine.open(f"{match}hands/new")
    enter_hand(engine)
    engine.open(match)

    engine.back()

    engine.wait_for_path("hands/new")
    engine.wait("return document.querySelector('[name=call][value=\"p4:3\"]').checked")
    engine.wait_for(BUTTON, "+1", "+3")
    engine.tap(BUTTON)
    engine.wait_for(SCORE.format("s2"), "3")
    assert scores(engine) == ("1", "3")


def test_a_changed_house_rule_is_still_there_after_leaving_and_back(engine: Engine, url: str) -> None:
    engine.open(f"{url}/house/new?base=partnership-pitch")
    engine.tap("#named > summary")
    engine.type("[name=name]", "The Millers")
    engine.pick("rule-dealer_steal", "no")
    engine.wait_for("#diff li")
    engine.open(f"{url}/")

    engine.back()

    engine.wait_for("#diff li")
    engine.wait("return document.querySelector('[name=rule-dealer_steal][value=no]').checked")
    assert engine.run("return document.querySelector('[name=name]').value") == "The Millers"


IN_SIGHT = (
    "const it = document.querySelector('#outbox .say').getBoundingClientRect();"
    "return it.top >= 0 && it.bottom <= document.getElementById('bottom_bar').getBoundingClientRect().top"
)


@dataclass
class KillableServer:
    """A server that is killed without warning, and started again."""

    instance: Path
    port: int = field(default_factory=free_port)
    _process: "subprocess.Popen[str] | None" = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._process = start(self.instance, self.port)
        status_of(self.port, "/nowhere")

    def stop(self) -> None:
        """Kill it."""
        assert self._process
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[KillableServer]:
    """Start a server in a process of its own."""
    server = KillableServer(tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def served_match(server: KillableServer) -> str:
    """Start a match on that server, and return its address."""
    app = make_app(server.instance)
    path = begin_match(Phone(app.test_client())).path
    close(app)
    return f"http://127.0.0.1:{server.port}{path}"


def test_a_hand_saved_while_the_server_is_down_arrives(
    engine: Engine, server: KillableServer, served_match: str
) -> None:
    engine.open(f"{served_match}hands/new")
    enter_hand(engine)
    engine.run("document.getElementById('hand_form').style.paddingBottom = '100vh'; scrollTo(0, 600)")
    server.stop()

    engine.tap(BUTTON)
    engine.wait_for("#outbox [data-outbox=try]")
    engine.wait(IN_SIGHT)
    server.start()

    engine.wait_for(SCORE.format("s2"), "3")
    assert scores(engine) == ("1", "3")


@pytest.mark.parametrize("engine", [WebKit], indirect=True)  # Firefox keeps no page of a server that is gone
@pytest.mark.xdist_group("engine-webkit")
def test_a_waiting_hand_on_a_page_that_came_back_as_it_was_is_still_that_hand(
    engine: Engine, server: KillableServer, served_match: str
) -> None:
    engine.open(served_match)
    engine.tap("a[href$='hands/new']")
    enter_hand(engine)
    server.stop()
    engine.tap(BUTTON)
    engine.wait_for("#outbox [data-outbox=try]")

    engine.back()
    engine.wait_for("#board")
    engine.run("history.forward()")
    engine.wait_for(BUTTON, "Saved on this phone")
    engine.pick("took-low", "s2")
    engine.tap(BUTTON)
    server.start()

    engine.wait_for(SCORE.format("s2"), "4")
    assert scores(engine) == ("0", "4")
