"""One browser of each engine for all journeys, and the app that they are made in."""

from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from scorekeeper.database.migrating import migrate
from tests.browser.playing import begin_match
from tests.common.apps import close, fast_folder, forget_wrong_pins, make_app, serving
from tests.common.phone import Phone
from tests.engines.chromium import Chromium
from tests.engines.engine import Engine, EngineMissing
from tests.engines.firefox import Firefox
from tests.engines.webkit import WebKit

ENGINES = {engine.name: engine for engine in (Chromium, WebKit, Firefox)}


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


@pytest.fixture(scope="session")
def served() -> Iterator[tuple[Flask, str]]:
    """Serve the app, with a database of its own, while the tests run."""
    with fast_folder() as folder:
        app = make_app(folder, f"sqlite:///{folder / 'engines.sqlite3'}", TESTING=False)
        migrate(app)
        with serving(app) as url:
            yield app, url
        close(app)


@pytest.fixture
def url(served: tuple[Flask, str]) -> Iterator[str]:
    """Return where the app is served."""
    app, url = served
    yield url
    forget_wrong_pins(app)


@pytest.fixture
def start_match(served: tuple[Flask, str]) -> Callable[..., str]:
    """Return what starts a match without a browser, and returns its address."""
    app, url = served
    return lambda ruleset_id="partnership-pitch": url + begin_match(Phone(app.test_client()), ruleset_id).path


def _opened(request: pytest.FixtureRequest) -> Engine:
    match request.param:
        case "webkit":
            return WebKit()
        case "firefox":
            return Firefox()
        case _:
            return Chromium(request.getfixturevalue("browser"))
