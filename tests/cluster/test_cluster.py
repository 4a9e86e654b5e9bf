"""Several processes, the proxy and PostgreSQL, each killed while phones write: nothing is lost, doubled or late."""

import pytest

from tests.cluster.cluster import Plan, run
from tests.cluster.proxy import PAGE, config_of, find_nginx
from tests.common.threads import in_thread

SHORT = Plan(phones=16, matches=4, workers=2, seconds=12.0, kill_every=3.0, hand_every=1.0)


def test_nothing_is_lost_and_nobody_sees_an_older_score() -> None:
    if not find_nginx():
        pytest.skip("nginx is missing")

    outcome = in_thread(lambda: run(SHORT))

    assert outcome.kills >= 2
    assert outcome.hands > SHORT.matches
    assert outcome.sent_again > 0
    assert set(outcome.times) == {"page", "floor", "poll", "hand"}


def test_the_proxy_is_set_up_as_the_page_says() -> None:
    config = config_of(PAGE.read_text(encoding="utf-8"), 8001, 8002)

    assert "listen 127.0.0.1:8001;" in config
    assert config.count("server 127.0.0.1:8002 ") == 2
    assert "ssl" not in config
