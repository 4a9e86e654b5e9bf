"""What a visit costs: bytes over the wire, as a browser asks for them over plain http."""

import pytest
from playwright.sync_api import CDPSession
from playwright.sync_api import Page as Screen

from tests.browser.conftest import House, Pocket
from tests.browser.tables import begun, evening

MOST = 60_000


def weighed(screen: Screen) -> tuple[CDPSession, list[int]]:
    """Weigh everything that comes from now on."""
    session, weights = screen.context.new_cdp_session(screen), list[int]()
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: weights.append(event["encodedDataLength"]))
    return session, weights


@pytest.mark.parametrize("name", ["home", "match", "entry"])
def test_a_first_visit_is_light(pocket: Pocket, house: House, name: str) -> None:
    match = evening(begun(house.phone()))
    path = {"home": "/", "match": match.path, "entry": f"{match.path}hands/new"}[name]
    screen = pocket.phone()
    session, weights = weighed(screen)

    screen.goto(path)
    screen.wait_for_load_state("networkidle")
    session.detach()

    assert len(weights) >= 4
    assert 0 < sum(weights) <= MOST


def test_a_second_visit_asks_for_the_page_alone(pocket: Pocket, house: House) -> None:
    match = evening(begun(house.phone()))
    screen = pocket.phone()
    screen.goto(match.path)
    screen.wait_for_load_state("networkidle")
    session, weights = weighed(screen)

    screen.goto(match.path)
    screen.wait_for_load_state("networkidle")
    session.detach()

    assert 0 < sum(weights) <= MOST / 6
