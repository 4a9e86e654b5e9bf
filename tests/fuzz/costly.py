"""The costliest requests that anybody could think of: the largest rules, the longest matches, the longest forms."""

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any
from urllib.parse import urlencode

from flask import Flask
from werkzeug.routing import Rule

from scorekeeper.config import MAX_FORM_BYTES, MAX_REQUEST_FIELDS
from scorekeeper.database.engine import db
from scorekeeper.matches.files.import_export import import_file
from scorekeeper.pitch.records.record import MAX_START_SCORE
from scorekeeper.pitch.rules.entered_text import MAX_HANDS
from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.pitch.rules.share_codes import encode
from scorekeeper.web.library import library
from tests.common.apps import clear_caches
from tests.common.large_rules import CANNOT_BE, PLAYERS, RULES, TARGET, UNDECIDED, random_counts
from tests.fuzz.routes import SLOW, HostileRequest, address_of, routes
from tests.fuzz.world import World, make_book

LONG = MAX_FORM_BYTES - 4096
BY_HANDS = ("hands.", "history.", "matches.", "settle.", "what_if.")
"""Endpoints that compute the result of a hand."""
FOR_EACH = ("matches.show", "matches.board", "history.show", "hands.new", "settle.of_match", "what_if.show", "tv.show")
"""Those that are requested for each of the costly matches."""
GOES_ON = 3
"""The place of the first of these matches that goes on, into which a hand can be written; the long one is after it."""


def record(rules: HouseRules, hands: int, start: int) -> dict[str, Any]:
    """Return a match of so many hands by points, from a score on."""
    rng, played = Random(5), []
    for number in range(hands):
        counts = dict(zip(PLAYERS, random_counts(rules, rng), strict=True))
        played.append({"bidder": PLAYERS[number % 6], "bid": 2, "points": counts})
    return {
        "format": "pitch-record/4",
        "variant": rules.variant,
        "house": dict(rules.options),
        "players": list(PLAYERS),
        "start": {"scores": dict.fromkeys(PLAYERS, start)},
        "hands": played,
    }


def records() -> list[dict[str, Any]]:
    """Return the matches: of one hand that wins, of one that does not, and of as many as a match may have."""
    won = [record(rules, 1, TARGET - 2) for rules in RULES]
    return [*won, record(RULES[0], 1, 0), record(RULES[0], MAX_HANDS, -MAX_START_SCORE // 2)]


def add_costly_matches(world: World) -> list[str]:
    """Import the matches, put them into a book of their own, and return the codes of their owner's links."""
    with world.app.app_context():
        found = [code for value in records() for code in import_file(db.session, library(), json.dumps(value).encode())]
        make_book(found, "costly")
    return found


def add_long_list(app: Flask) -> str:
    """Put six matches of one hand that takes long to tell onto the list of a phone, `long`; return its book's code."""
    won = json.dumps(record(RULES[2], 1, TARGET - 2)).encode()
    with app.app_context():
        codes = [code for _ in range(6) for code in import_file(db.session, library(), won)]
        (book, *_), _ = make_book(codes, "long")
    clear_caches()
    return book


def requests(world: World, codes: list[str], *, is_thorough: bool) -> Iterator[HostileRequest]:
    """Yield the costliest requests to every route: to each match as it is, and to one with everything that is long.

    Where they are not thorough, the fields of a form are long together and not one after another, and what works out no
    hand is requested less often. A sheet is printed once by each route.
    """
    for rule, method in routes(world):
        learned = next((form for _, form in world.forms[f"{method} {rule.endpoint}"]), {})
        if rule.endpoint.startswith(SLOW):
            fields = {**learned, "match": codes[0], "r": encode(RULES[0])}
            yield _request(rule, method, next(paths(world, rule, codes)), fields)
            continue
        is_by_hands = rule.endpoint.startswith(BY_HANDS)
        for index, path in enumerate(paths(world, rule, codes)):
            if index:
                sent_fields = [learned, *_hands(rule)[:1]]
            else:
                sent_fields = [*_long_fields(rule, learned, is_thorough=is_thorough)]
                sent_fields = sent_fields if is_thorough or is_by_hands else [sent_fields[0], sent_fields[-1]]
            for number, sent in enumerate(sent_fields):
                key = {"client_key": f"{index}-{number}"} if "client_key" in sent else {}
                yield _request(rule, method, path, {**sent, **key})


def addresses() -> list[str]:
    """Return the addresses at which a hand by points is settled that takes the longest to read."""
    return [f"/settle?{urlencode(hand)}" for hand in _settled()]


def _request(rule: Rule, method: str, path: str, fields: dict[str, str]) -> HostileRequest:
    sent = urlencode(fields)
    if method == "GET":
        return HostileRequest(method=method, path=f"{path}?{sent}", endpoint=rule.endpoint)
    form = "application/x-www-form-urlencoded"
    return HostileRequest(method=method, path=path, endpoint=rule.endpoint, body=sent.encode(), content_type=form)


def paths(world: World, rule: Rule, codes: Sequence[str]) -> Iterator[str]:
    """Yield addresses of a route: with every costly match where it names one, else with the first that there is."""
    prefix = rule.rule.partition("<")[0]
    is_hand = rule.endpoint.startswith("hands.")
    chosen = codes if rule.endpoint in FOR_EACH else codes[GOES_ON:] if is_hand else codes[:1]
    for code in chosen if prefix in ("/matches/", "/new/again/") else world.named.get(prefix, ["x"])[:1]:

        def part(name: str, is_number: bool, code: str = code) -> str:
            written = rule.rule.partition(f"{name}>")[0].rpartition("<")[0]
            if is_number or written == prefix:
                return "1" if is_number else code
            return next((values[0] for before, values in world.named.items() if before in written), "x")

        yield address_of(rule, part)


def _long_fields(rule: Rule, form: dict[str, str], *, is_thorough: bool) -> Iterator[dict[str, str]]:
    """Yield what is sent: the form as it is, with the costliest hand, and longer than any form is."""
    yield form
    for hand in _hands(rule):
        yield {**form, **hand}
    hand = {"call": "p1:2", "by": "counts", "count-p1": "4", "penalty-s1": "1"}
    most = MAX_REQUEST_FIELDS - len(form) - len(hand) - 2
    yield {**form, **hand, "others": "p1 " * 30_000, **{f"penalty-x{number}": "1" for number in range(most)}}
    yield {
        **form,
        **hand,
        "others": " ".join(f"x{number}" for number in range(15_000)),
        **{f"penalty-x{number}": "1" for number in range(most)},
    }
    yield {**form, **{f"took-{number}": "s1" for number in range(most)}}
    yield {**form, **{name: "9" * 400 for name in form}, "own_1": "x" * 5000}
    each = [name for name in (*form, "shown") if name not in ("client_key", "csrf_token", "version")]
    for names in [[name] for name in each] if is_thorough else [each]:
        for text in ("a", "a:1 "):
            yield {**form, **dict.fromkeys(names, text * (LONG // len(text) // len(names)))}


def _hands(rule: Rule) -> list[dict[str, str]]:
    """Return hands that are by points alone, of which some cannot have been."""
    if rule.endpoint.startswith("hands."):
        return [found for found in _settled() if found.pop("r")]
    return _settled() if rule.endpoint.startswith(("settle.", "what_if.")) else []


def _settled() -> list[dict[str, str]]:
    """Return the query of such a hand, with its rules and the scores before it."""
    rng, found = Random(7), []
    for rules in RULES:
        for counts in (random_counts(rules, rng), CANNOT_BE, UNDECIDED):
            hand = {"by": "counts", "bidder": "p1", "bid": "2", "call": "p1:2", "version": "1", "do": "save"}
            hand |= {f"count-p{n}": str(number) for n, number in enumerate(counts, 1)}
            address = {"v": "1", "r": encode(rules), "seats": "6", "seating": "alone", "show": "ruling"}
            found.append({**hand, **address, **{f"score-{n}": str(TARGET - 2) for n in range(len(PLAYERS))}})
    return found
