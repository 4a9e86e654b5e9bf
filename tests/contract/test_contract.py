"""The wire contract: what phones, links, files and paper of an earlier version have still works.

Each folder in `kept/` is a recording, whose forms stay as they were; `python -m tests.contract` adds what is new.
Anything may be added: a test fails for what is missing or has another name.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from scorekeeper.book.events import BOOK_EVENT_KINDS
from scorekeeper.club.nights.events import NIGHT_EVENT_KINDS
from scorekeeper.eventlog.store import encode_payload, read_event
from scorekeeper.matches.events import EVENT_KINDS
from tests.contract.addresses import addresses, cookies, keys_of, shown, without
from tests.contract.world import ANY, KEPT, TESTS, World, holds, opened, read_lines
from tests.pitch.rules.test_kept_fingerprints import PRINTED

pytestmark = pytest.mark.xdist_group("contract")  # in one process, which opens each recording once

RECORDINGS = sorted(folder.name for folder in KEPT.iterdir())
KINDS = {"match": EVENT_KINDS, "book": BOOK_EVENT_KINDS, "night": NIGHT_EVENT_KINDS}
STREAMS = {"event": "match", "book_event": "book", "night_event": "night"}
HAND: dict[str, Any] = {
    "dealer": "p4",
    "auction": [["p1", 3], ["p2", "pass"], ["p3", "take_set"], ["p4", "pitch"]],
    "bidder": "p1",
    "bid": "double_moon",
    "overtook_pitch": True,
    "trump": "hearts",
    "called": "ace of hearts",
    "partner": "p3",
    "taken": {"high": "s1", "jack": None},
    "points": {"s1": 3},
    "card_points": {"s1": 41},
    "all_tricks": True,
    "thrown_in": "ran_out",
    "house": {"target": 11, "low": "held"},
    "house_on": "2026-11-20",
    "note": "Bea led the jack",
    "penalties": {"s2": 2},
    "penalties_to": {"s1": 1},
    "forfeits": {"s1": "game", "s2": "match"},
    "times": {"turned_six": 2},
    "first_there": "s2",
    "sits_in": {"p1": "Eve"},
}
"""All that is stored of a hand, which no one hand has."""


OF_CLUB = re.compile(
    r"/nights?\b|/money\b|/people\b|/books/[^/]+/(file|import|names|nights|pairs|\w+\.csv)|[?&](book|money|night)="
)
"""What is at an address of the club."""


def kept(file: str) -> list[Any]:
    """Return what every recording has in a file, with the recording before it."""
    lines = [(name, line) for name in RECORDINGS for line in read_lines(KEPT / name / file)]
    names = [str(line.get("name") or line.get("link")) for _, line in lines]
    return [
        pytest.param(*pair, id=name, marks=[pytest.mark.club] if OF_CLUB.search(name) else [])
        for pair, name in zip(lines, names, strict=True)
    ]


@pytest.fixture(scope="module")
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """Open a recording."""
    with opened(KEPT / request.param) as world:
        yield world


IN_EACH = pytest.mark.parametrize("world", RECORDINGS, indirect=True)


@pytest.mark.parametrize(("world", "form"), kept("forms.jsonl"), indirect=["world"])
def test_a_form_that_a_phone_kept_is_answered_as_before_and_writes_the_same(world: World, form: dict[str, Any]) -> None:
    now = world.post(next(kept for kept in world.forms if kept.name == form["name"]))

    assert holds(form["answer"], now), f"\n{json.dumps(form['answer'])}\nwas the answer, and is now\n{json.dumps(now)}"


@pytest.mark.parametrize(("world", "kept"), kept("links.jsonl"), indirect=["world"])
def test_a_query_parameter_of_a_link_still_changes_the_page(world: World, kept: dict[str, Any]) -> None:
    world.restore()
    whole = shown(world, kept["phone"], kept["link"])

    links = {name: without(kept["link"], name) for name in kept["parameters"]}
    assert [name for name in links if shown(world, kept["phone"], links[name]) == whole] == []


@pytest.mark.parametrize(("world", "kept"), kept("downloads.jsonl"), indirect=["world"])
def test_a_download_has_its_keys(world: World, kept: dict[str, Any]) -> None:
    world.restore()

    keys = keys_of(world.client(kept["phone"]).get(kept["link"]))

    assert sorted({*kept["keys"]} - {*keys}) == []


@IN_EACH
@pytest.mark.club
def test_every_address_takes_what_it_took(world: World) -> None:
    assert sorted({*read_lines(world.folder / "addresses.jsonl")} - {*addresses(world.app)}) == []


@IN_EACH
def test_a_cookie_has_its_name_and_its_attributes(world: World) -> None:
    world.restore()

    assert sorted({*read_lines(world.folder / "cookies.jsonl")} - {*cookies(world)}) == []


@IN_EACH
@pytest.mark.parametrize(
    ("cookie", "page"), [("theme=dark", "/settings"), ("zone=Pacific/Auckland", "history/journal")]
)
def test_a_cookie_that_a_phone_kept_is_read(world: World, cookie: str, page: str) -> None:
    world.restore()
    address, client = page if page[0] == "/" else f"{world.phones['plain'].path}{page}", world.client("plain")
    before = client.get(address).text

    client.set_cookie(*cookie.split("="))

    assert client.get(address).text.count("<") > 20
    assert _words(client.get(address).text) != _words(before)


@IN_EACH
def test_a_phone_lists_what_it_opened_when_it_had_no_cookie(world: World) -> None:
    world.restore()
    path = world.phones["nameless"].path
    client = world.client("/settings")
    pages = ("/matches", "/matches?page=2")
    assert not any(path in client.get(page).text for page in pages)

    client.set_cookie("first", f"match-{path.split('/')[2]}")

    client.get("/")
    assert any(path in client.get(page).text for page in pages)


@pytest.mark.parametrize("line", (TESTS / "golden" / "payloads.txt").read_text(encoding="utf-8").splitlines())
def test_an_event_of_every_kind_keeps_its_keys(line: str) -> None:
    stream, kind, text = line.split(" ", 2)
    payload = json.loads(text)

    assert holds(payload, _written(KINDS[stream], kind, payload))


@pytest.mark.parametrize("name", RECORDINGS)
def test_an_event_that_a_form_wrote_is_read(name: str) -> None:
    for form in read_lines(KEPT / name / "forms.jsonl"):
        for table, *event in form["answer"]["wrote"]:
            if table in STREAMS and ANY not in json.dumps(event, ensure_ascii=False):
                kind, payload, _ = event
                assert holds(payload, _written(KINDS[STREAMS[table]], kind, payload)), form["name"]


@pytest.mark.parametrize("key", HAND)
def test_a_stored_hand_keeps_its_keys(key: str) -> None:
    payload = {"v": 1, "hand": {"house": {}, key: HAND[key]}}

    assert holds(payload, _written(EVENT_KINDS, "hand", payload))


@IN_EACH
@pytest.mark.parametrize("ruleset_id", PRINTED)
def test_a_printed_code_opens_the_same_rules(world: World, ruleset_id: str) -> None:
    page = world.client("").get(f"/rules?r={PRINTED[ruleset_id][1]}")

    assert page.status_code == 200
    assert f"/new/{ruleset_id}?r={PRINTED[ruleset_id][1]}" in page.text


def _written(kinds: Any, kind: str, payload: dict[str, Any]) -> Any:
    return json.loads(json.dumps(encode_payload(read_event(kind, payload, kinds))))


def _words(text: str) -> list[str]:
    return [word for word in text.split() if "csrf" not in word and "value=" not in word]
