"""What a visit costs: bytes over the wire, as a browser loads them over plain http."""

import pytest
from playwright.sync_api import CDPSession, Page

from tests.browser.actions import Site
from tests.common.gallery import evening

MOST = 63_000


def weighed(page: Page) -> tuple[CDPSession, list[int]]:
    """Weigh everything that comes from now on."""
    session, weights = page.context.new_cdp_session(page), list[int]()
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: weights.append(event["encodedDataLength"]))
    return session, weights


@pytest.mark.parametrize(("name", "most"), [("home", 40_000), ("match", MOST), ("entry", MOST)])
def test_a_first_visit_is_light(own_page: Page, site: Site, name: str, most: int) -> None:
    match = evening(site.client())
    path = {"home": "/", "match": match.path, "entry": f"{match.path}hands/new"}[name]
    session, weights = weighed(own_page)

    own_page.goto(path)
    own_page.wait_for_load_state("networkidle")
    session.detach()

    assert len(weights) >= 4
    assert 0 < sum(weights) <= most


def test_a_second_visit_loads_only_the_page(own_page: Page, site: Site) -> None:
    match = evening(site.client())
    own_page.goto(match.path)
    own_page.wait_for_load_state("networkidle")
    session, weights = weighed(own_page)

    own_page.goto(match.path)
    own_page.wait_for_load_state("networkidle")
    session.detach()

    assert 0 < sum(weights) <= MOST / 6
