"""No request costs more than its share of the processor, by the calls that it makes: every route, the worst input."""

from threading import Thread

from flask import Flask

from tests.ci import IS_CI
from tests.fuzz import costly
from tests.fuzz.routes import SLOW, routes
from tests.fuzz.world import make_world
from tests.pace import counted_calls

CALLS = 9_000_000
"""Of functions: a little more than the history of a match of 1,000 hands makes, which is linear."""


def test_no_request_costs_more_than_its_share(app: Flask) -> None:
    world = make_world(app)
    codes = costly.add_costly_matches(world)
    calls: dict[str, int] = {}

    for request in costly.requests(world, codes, is_thorough=IS_CI):
        with counted_calls() as count:
            answer = world.client().open(
                request.path, method=request.method, data=request.body, content_type=request.content_type
            )
            assert answer.status_code < 500
        name = f"{request.method} {request.endpoint}"
        calls[name] = max(calls.get(name, 0), count.calls)

    ways = {f"{method} {rule.endpoint}" for rule, method in routes(world) if not rule.endpoint.startswith(SLOW)}
    assert calls.keys() == ways
    costliest = sorted(calls.items(), key=lambda it: -it[1])[:10]
    assert costliest[0][1] < CALLS, costliest


def test_a_page_answers_beside_four_of_the_costliest(app: Flask) -> None:
    addresses = costly.addresses()
    app.test_client().get("/")

    def settle() -> None:
        for address in addresses:
            app.test_client().get(address)

    beside = [Thread(target=settle) for _ in range(4)]
    for thread in beside:
        thread.start()
    answer = app.test_client().get("/")
    are_alive = [thread.is_alive() for thread in beside]
    for thread in beside:
        thread.join()

    assert answer.status_code == 200
    assert all(are_alive)
