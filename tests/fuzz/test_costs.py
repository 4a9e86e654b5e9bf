"""No request costs more than its share of the processor, by the calls that it makes: every route, the worst input."""

from concurrent.futures import ThreadPoolExecutor
from threading import Thread
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from flask import Flask

from scorekeeper.config import MAX_REQUEST_FIELDS
from scorekeeper.server.http_server import APP_THREADS
from tests.common.apps import serving
from tests.common.ci import IS_CI
from tests.common.pace import counted_calls
from tests.fuzz import costly
from tests.fuzz.routes import routes
from tests.fuzz.world import filled_world, make_world

FORM = "application/x-www-form-urlencoded"
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

    assert calls.keys() == {f"{method} {rule.endpoint}" for rule, method in routes(world)}
    costliest = sorted(calls.items(), key=lambda item: -item[1])[:10]
    assert costliest[0][1] < CALLS, costliest


def test_every_route_refuses_more_fields_than_any_form_has(app: Flask) -> None:
    world = filled_world(app)
    phone, most = world.client(), urlencode([("a", "b")] * MAX_REQUEST_FIELDS)

    for rule, method in routes(world):
        if rule.endpoint == "static":
            continue
        path = next(costly.paths(world, rule, world.codes))
        sent = f"{most}&a=b"
        answer = (
            phone.get(path, query_string=sent)
            if method == "GET"
            else phone.open(path, method=method, data=sent, content_type=FORM)
        )

        assert answer.status_code == 413, path
        assert "Too many fields" in answer.text
    assert phone.get("/", query_string=most).status_code == 200


def test_a_list_scores_as_many_costly_matches_as_one_request_may_and_the_others_when_it_is_opened_again(
    app: Flask,
) -> None:
    costly.add_long_list(app)
    phone, later = app.test_client(), "open it to see its score"
    with phone.session_transaction() as kept:
        kept["device"] = "long"

    first, second = phone.get("/").text, phone.get("/").text

    assert 0 < first.count(later) < 6
    assert second.count(later) < first.count(later)


@pytest.mark.club
@pytest.mark.parametrize("table", ["matches.csv", "hands.csv"])
def test_a_table_of_costly_matches_is_refused_with_a_sentence(app: Flask, table: str) -> None:
    book = costly.add_long_list(app)

    answer = app.test_client().get(f"/books/{book}/{table}")

    assert answer.status_code == 422
    assert "Enter the cards" in answer.text


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


def test_the_server_answers_a_page_that_four_of_the_costliest_have_come_before(app: Flask) -> None:
    with serving(app) as server, ThreadPoolExecutor(APP_THREADS + 1) as pool:

        def status(path: str) -> int:
            with urlopen(f"{server}{path}", timeout=60) as answer:
                return int(answer.status)

        paths = costly.addresses()[::3]  # of each rules the one whose points are possible
        beside = [pool.submit(status, path) for path in (*paths, *paths)[:APP_THREADS]]
        page = pool.submit(status, "/")

        assert page.result() == 200
        assert [found.result() for found in beside] == [200] * APP_THREADS
