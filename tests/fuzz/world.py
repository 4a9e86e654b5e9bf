"""An app with matches, phones and house rules for hostile requests, and the forms and links that its pages show."""

import json
from collections import defaultdict
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from scorekeeper.book.facts import BookRenamed
from scorekeeper.extensions import db
from scorekeeper.ladder.facts import PairArrived
from scorekeeper.ledger.roles import SCORER, WATCHER, Invitation
from scorekeeper.rules.house_rules import HouseRules
from scorekeeper.services import phones
from scorekeeper.services.book_matches import place_matches
from scorekeeper.services.books import books_of_device, load_book, write_book
from scorekeeper.services.house_rules import save_house
from scorekeeper.services.import_export import import_file
from scorekeeper.services.invitations import invite
from scorekeeper.services.load import load_match
from scorekeeper.services.nights import draw_tables, start_night, write_night
from scorekeeper.services.once import Writer
from scorekeeper.services.phones import end_link, join_book, remember
from scorekeeper.web.shared.library import library
from tests.web.reading import forms_of, read

PLAYERS = ["Ann", "Bo", "Cal", "Di"]
SIDES = ("Ann & Cal", "Bo & Di")
CALLED = {"auction": [["Ann", 2], ["Bo", "pass"], ["Cal", "pass"], ["Di", "pass"]]}
PAGES = (
    *("/", "/new", "/new/partnership-pitch", "/join", "/house", "/house/new", "/rules", "/rules/partnership-pitch"),
    *("/settle", "/settle?r=partnership-pitch", "/print", "/transfer", "/settings", "/new/cutthroat-pitch"),
)
OF_MATCH = (
    *("", "hands/new", "hands/1", "history", "history/journal", "history/1/remove", "deal", "sits-in", "agreement"),
    *("menu", "names", "room", "whose", "tv", "rules", "rules/change", "share", "stop", "delete", "what-if", "book"),
    *("what-if/rules", "what-if?r=nine-card-pitch", "hands/1/settle", "hands/new?way=counts", "hands/new?way=auction"),
)


OF_NIGHT = ("", "pairs", "seating", "settings", "list", "seat", "pair", "wall", "phones", "rounds/1/tables/1", "delete")
OF_BOOK = ("", "?person=ann&page=2", "phones", "phones?let=scorer", "settings", "settings?done=saved")


def hand(number: int) -> dict[str, Any]:
    """Return a hand that is possible at Partnership Pitch."""
    taken = {award: SIDES[(number + place) % 2] for place, award in enumerate(("high", "low", "jack", "game"))}
    return {"bidder": PLAYERS[number % 4], "bid": 2 + number % 3, "trump": "hearts", "taken": taken, "note": "ok"}


def record(**said: Any) -> dict[str, Any]:
    """Return a record of a match."""
    return {
        "format": "pitch-record/2",
        "variant": "partnership-pitch",
        "house": {"target": 30},
        "players": PLAYERS,
        "hands": [hand(number) for number in range(3)],
        "title": "Friday",
        "played_on": "2026-11-20",
        **said,
    }


RECORDS = (
    record(),
    record(hands=[hand(0), {**hand(1), "sits_in": {"Cal": "Eve"}, "penalties": {"Bo & Di": 1}, "bidder": "Eve"}]),
    record(house={"target": 4}, hands=[hand(number) for number in range(4)]),
    record(hands=[hand(0), CALLED]),
    record(hands=[{"thrown_in": "misdeal"}, hand(1)], stopped=True),
)


@dataclass
class World:
    """What hostile requests can name."""

    app: Flask
    codes: list[str]
    """Of links: an owner's for each match, a scorer's and a watcher's of the first."""
    others: list[str]
    """Of house rules and invitations."""
    books: list[str]
    """Of links to a book: an owner's, a scorer's, a watcher's and one that was ended."""
    uids: list[str]
    """Of the matches in it."""
    nights: list[str]
    """Of an owner's links: to a night that is played, and to one before its start."""
    forms: dict[str, list[tuple[str, dict[str, str]]]] = field(default_factory=lambda: defaultdict(list))
    """Where a form is sent, and what it would send, by endpoint."""
    queries: dict[str, list[list[tuple[str, str]]]] = field(default_factory=lambda: defaultdict(list))
    """What follows the question mark, by endpoint."""

    def client(self) -> FlaskClient:
        """Return a phone that nobody knows."""
        return self.app.test_client()


def make_world(app: Flask) -> World:
    """Fill a database, and open every page once to learn its forms."""
    app.config["WTF_CSRF_ENABLED"] = False
    with app.app_context():
        codes = import_file(db.session, library(), "\n".join(map(json.dumps, RECORDS)).encode())
        first = load_match(db.session, codes[0])
        opened: list[Invitation] = []
        for role in (SCORER, WATCHER):
            opened.append(invitation := invite(db.session, first, role))
            codes.append(phones.join(db.session, invitation, f"phone {role}", None).code)
        rules = HouseRules("Ours", "partnership-pitch", {"target": 11}, ("No talking.",))
        nights = _nights()
        house = save_house(db.session, library(), rules, Writer("house"))
        book, uids = make_book(codes[:2])
        opened += [invite(db.session, load_book(db.session, book[0]), role) for role in (SCORER, WATCHER)]
    others = [house.code, *(it.code for it in opened), *(it.pin or "" for it in opened)]
    world = World(app, codes, others, book, uids, nights)
    paths = [*PAGES, *(f"/matches/{code}/{page}" for code in (codes[0], codes[2]) for page in OF_MATCH)]
    paths += [f"/books/{book[0]}/{page}" for page in OF_BOOK] + [f"/join/{opened[-1].code}"]
    paths += ["/nights/new", *(f"/nights/{code}/{page}" for code in nights for page in OF_NIGHT)]
    paths += [f"/house/{house.code}", f"/house/{house.code}/share", f"/join/{opened[0].code}", f"/new/again/{codes[0]}"]
    phone = world.client()
    for path in paths:
        _learn(world, phone.get(path).text)
    return world


def _nights() -> list[str]:
    codes = []
    for number in range(2):
        code = start_night(db.session, "host", title="Friday", rounds=6, client_key=f"night-{number}")
        codes.append(code)
        for pair in range(5):
            write_night(db.session, code, PairArrived(players=(f"A{pair}", f"B{pair}")), Writer(f"pair-{pair}"))
    write_night(db.session, codes[0], draw_tables, Writer("start"))
    return codes


def make_book(codes: list[str]) -> tuple[list[str], list[str]]:
    """Put matches into a book, and let phones in; return the codes of its links, and the uids of its matches."""
    begun = [load_match(db.session, code) for code in codes]
    for match in begun:
        remember(db.session, "owner", match)
    place_matches(db.session)
    (book,) = books_of_device(db.session, "owner")
    write_book(db.session, book.code, BookRenamed(name="Fridays"), Writer("name"))
    links = [join_book(db.session, invite(db.session, book, role), role, role) for role in (SCORER, WATCHER)]
    gone = join_book(db.session, invite(db.session, book, WATCHER), "gone", "")
    end_link(db.session, book, gone.id, "owner")
    return [book.code, *(it.code for it in links), gone.code], [match.setup.uid for match in begun]


def _learn(world: World, text: str) -> None:
    page = read(text)
    for form in forms_of(page):
        fields = {**{name: sorted(values)[0] for name, values in form.offered.items()}, **form.fields}
        path = urlsplit(form.action).path
        for method in ("POST", "GET"):
            if endpoint := _endpoint(world.app, path, method):
                world.forms[f"{method} {endpoint}"].append((path, fields))
    for link in page.all("a"):
        parts = urlsplit(link.attrs.get("href", ""))
        if parts.query and (endpoint := _endpoint(world.app, parts.path, "GET")):
            world.queries[endpoint].append(parse_qsl(parts.query))


def _endpoint(app: Flask, path: str, method: str) -> str:
    try:
        endpoint, _ = app.url_map.bind("localhost").match(path, method)
    except (HTTPException, RequestRedirect):
        return ""
    return str(endpoint)


def house_file(rng: Random) -> bytes:
    """Return a file of house rules."""
    target = rng.choice(("11", '"x"', "-5", "9999999999999999999999", "nan", "[1]", "1979-05-27"))
    return f'format = 1\nname = "Ours"\nvariant = "partnership-pitch"\n\n[options]\ntarget = {target}\n'.encode()
