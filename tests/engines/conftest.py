"""One browser of each engine for all journeys, and the app that they are made in."""

from collections.abc import Iterator

import pytest

from tests.browser.conftest import served_site, site
from tests.browser.playing import begin_match
from tests.browser.site import Site
from tests.engines.chromium import Chromium
from tests.engines.engine import Engine, EngineMissing
from tests.engines.firefox import Firefox
from tests.engines.webkit import WebKit

__all__ = ["served_site", "site"]
ENGINES = (Chromium.name, WebKit.name, Firefox.name)


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=pytest.mark.xdist_group(f"engine-{name}")) for name in ENGINES]
)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """Open a browser, which takes time even while nobody uses it; skip what needs it where this machine has none."""
    try:
        engine = _opened(request)
    except EngineMissing as missing:
        pytest.skip(f"{request.param}: {missing}")
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


def _opened(request: pytest.FixtureRequest) -> Engine:
    match request.param:
        case "webkit":
            return WebKit()
        case "firefox":
            return Firefox()
        case _:
            return Chromium(request.getfixturevalue("browser"))
