"""No request makes the server fail, whatever is in it: every route, both databases."""

from collections import Counter
from random import Random

import pytest
from flask import Flask

from tests.common.ci import IS_CI
from tests.fuzz.hostile import SEED, USUAL_SEED
from tests.fuzz.routes import fuzz, routes
from tests.fuzz.world import make_world

TIMES = 9 if IS_CI else 4
"""How often each database gets a request to every method of every route: in CI more than 3,000 together."""


@pytest.mark.every_database
# Files in a body that breaks off are left to be closed by themselves.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_no_request_is_answered_with_a_server_error(app: Flask, database_url: str) -> None:
    world = make_world(app)
    targets = routes(world)
    statuses: Counter[int] = Counter()
    reached: set[str] = set()

    for request, status in fuzz(world, Random(SEED), TIMES * len(targets)):
        statuses[status] += 1
        if status != 404:
            reached.add(request.endpoint)

    assert statuses.total() == TIMES * len(targets)
    # It gets through to the pages: a generator of nothing but wrong addresses would find nothing.
    assert statuses[200] + statuses[303] > statuses.total() // 3, statuses
    unreached = {rule.endpoint for rule, _ in targets} - reached
    # Chance decides: a route more moves what each of the others gets.
    assert SEED != USUAL_SEED or len(unreached) < 36 / TIMES, unreached
