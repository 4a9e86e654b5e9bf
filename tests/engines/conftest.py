"""One browser of each engine that no other test has for all journeys, and the app that they are made in."""

from collections.abc import Iterator

import pytest

from tests.browser.actions import Site
from tests.browser.conftest import served_site, site
from tests.browser.playing import begin_match
from tests.engines.engine import Engine, EngineMissing
from tests.engines.firefox import Firefox
from tests.engines.webkit import WebKit

__all__ = ["served_site", "site"]


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(engine, id=engine.name, marks=pytest.mark.xdist_group(f"engine-{engine.name}"))
        for engine in (WebKit, Firefox)
    ],
)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """Open a browser, which takes time even while nobody uses it; skip what needs it where this machine has none."""
    try:
        engine: Engine = request.param()
    except EngineMissing as missing:
        pytest.skip(f"{request.param.name}: {missing}")
    yield engine
    engine.close()


@pytest.fixture
def url(site: Site) -> str:
    """Return where the app is served."""
    return site.url


@pytest.fixture
def match(site: Site) -> str:
    """Start a match without a browser, and return its address."""
    return site.url + begin_match(site.client()).path
