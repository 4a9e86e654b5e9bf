"""An app with matches, phones and house rules for hostile requests, and the forms and links that its pages show."""

import gzip
import io
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.access.invitations import invite
from scorekeeper.access.phones import end_link
from scorekeeper.access.roles import Invitation
from scorekeeper.book.book_matches import put_matches_in_owners_books
from scorekeeper.book.books import BookAccess, books_of_device, join_book, load_book, write_book
from scorekeeper.book.events import BookRenamed
from scorekeeper.club.book_files.service import write_book_file
from scorekeeper.club.figures.names import load_people
from scorekeeper.club.nights.book_nights import nights_in_book
from scorekeeper.club.nights.events import EntrantArrived
from scorekeeper.club.nights.service import draw_lots_for_first_round, load_night, write_night
from scorekeeper.database.engine import db
from scorekeeper.eventlog.store import Writer
from scorekeeper.eventlog.stream import SCORER, WATCHER
from scorekeeper.matches import phones as match_phones
from scorekeeper.matches.events import Deleted
from scorekeeper.matches.files.import_export import import_file
from scorekeeper.matches.house_rules import save_house_rules
from scorekeeper.matches.match_list import record_visit
from scorekeeper.matches.service import load_match, write_match
from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.web.library import library
from tests.common.nights import store_night
from tests.common.opened_forms import endpoint_of
from tests.common.reading import forms_of, read

PAGES = (
    *("/", "/new", "/new/partnership-pitch", "/join", "/house", "/house/new", "/rules", "/rules/partnership-pitch"),
    *("/settle", "/settle?r=partnership-pitch", "/print", "/transfer", "/settings", "/new/cutthroat-pitch"),
    "/house/new?base=nine-card-pitch",
)
OF_MATCH = (
    *("", "hands/new", "hands/1", "history", "history/journal", "history/1/remove", "deal", "sits-in"),
    *("menu", "names", "room", "whose", "tv", "rules", "rules/change", "share", "stop", "delete", "what-if", "book"),
    *("what-if/rules", "what-if?r=nine-card-pitch", "hands/1/settle", "hands/new?way=counts", "hands/new?way=auction"),
)


OF_NIGHT = ("", "pairs", "seating", "settings", "list", "seat", "pair", "wall", "phones", "rounds/1/tables/1", "delete")
OF_BOOK = ("", "?person=ann&page=2", "phones", "phones?let=scorer", "settings", "settings?done=saved", "transfer")
OF_PEOPLE = ("people", "people?year=2026", "pairs", "names", "years/2026", "people/ann", "names/ann", "matches.csv")
RULESETS = ["partnership-pitch", "cutthroat-pitch", "nine-card-pitch", "racehorse", "_pitch", "nope"]
OWN_POINT = "5 captured Q: Black Lady"


def _records(name: str) -> list[dict[str, Any]]:
    text = Path(__file__).with_name(f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


RECORDS, FEW = (_records(name) for name in ("records", "odd"))
"""Records of matches, and of such as few tables play: without a hand, without players, for money, stopped and so on."""


@dataclass
class World:
    """What hostile requests can name."""

    app: Flask
    named: dict[str, Sequence[str]]
    """What an address names, by what stands before it there: `/matches/` is followed by the code of a link."""
    pins: list[str]
    """Of invitations."""
    file: bytes
    """Of the book."""
    forms: dict[str, list[tuple[str, dict[str, str]]]] = field(default_factory=lambda: defaultdict(list))
    """Where a form is sent, and what it would send, by method and endpoint; links with a question mark as well."""

    @property
    def codes(self) -> Sequence[str]:
        """Of links: an owner's for each match, a scorer's and a watcher's of the first."""
        return self.named["/matches/"]

    @property
    def books(self) -> Sequence[str]:
        """Of links to a book: an owner's, a scorer's, a watcher's and one that was ended."""
        return self.named["/books/"]

    @property
    def others(self) -> list[str]:
        """Of house rules and invitations."""
        return [*self.named["/house/"], *self.named["/join/"], *self.pins]

    def client(self) -> FlaskClient:
        """Return a phone that nobody knows."""
        return self.app.test_client()


NONE = ("none",)


@dataclass(frozen=True)
class Club:
    """What the club alone can make."""

    night_codes: Sequence[str] = NONE
    night_uids: Sequence[str] = NONE
    people: Sequence[str] = NONE
    invitations: Sequence[Invitation] = ()
    """To the first night."""
    file: bytes = gzip.compress(b"{}")


def filled_world(app: Flask) -> World:
    """Fill a database."""
    app.config["WTF_CSRF_ENABLED"] = False
    with app.app_context():
        codes = import_file(db.session, library(), "\n".join(map(json.dumps, RECORDS)).encode())
        first = load_match(db.session, codes[0])
        opened: list[Invitation] = []
        for role in (SCORER, WATCHER):
            opened.append(invitation := invite(db.session, first, role))
            codes.append(match_phones.join_match(db.session, invitation, f"phone {role}", None).code)
        rules = HouseRules("Ours", "partnership-pitch", {"target": 11, "own_1": OWN_POINT}, ("No talking.",))
        stored = save_house_rules(db.session, library(), rules, Writer("house"))
        many_hands = {**RECORDS[0], "house": {"target": 500}, "hands": RECORDS[0]["hands"] * 100}
        odd = import_file(db.session, library(), "\n".join(map(json.dumps, [*FEW, many_hands])).encode())
        deleted = next(code for code, record in zip(odd, FEW, strict=False) if record.get("title") == "Gone")
        write_match(db.session, deleted, Deleted(), Writer("gone"), expected_version=None)
        books, uids = make_book([*codes[:2], *odd])
        codes += odd
        owned = load_book(db.session, books[0])
        opened += [invite(db.session, owned, role) for role in (SCORER, WATCHER)]
        club = _club(owned) if "nights" in app.blueprints else Club()
    named = {
        "/matches/": codes,
        "/new/again/": codes,
        "/books/": books,
        "/books/<code>/matches/": uids,
        "/books/<code>/pairs/again/": uids,
        "/books/<code>/nights/": club.night_uids,
        "/books/<code>/names/": club.people,
        "/books/<code>/people/": club.people,
        "/nights/": club.night_codes,
        "/join/night/": [found.code for found in club.invitations] or NONE,
        "/join/": [found.code for found in opened],
        "/house/": [stored.code],
        "/new/": RULESETS,
        "/rules/": RULESETS,
        "/static/": ["css/base.css", "css/", "nope.js", "..%2fapp.py"],
    }
    return World(app, named, [found.pin or "" for found in (*opened, *club.invitations)], club.file)


def make_world(app: Flask) -> World:
    """Fill a database, and open every page once to learn its forms."""
    world = filled_world(app)
    codes, book, nights, invited = world.codes, world.books, world.named["/nights/"], world.named["/join/"]
    (house,) = world.named["/house/"]
    paths = [*PAGES, *(f"/matches/{code}/{page}" for code in (codes[0], codes[2]) for page in OF_MATCH)]
    paths += [f"/books/{book[0]}/{page}" for page in (*OF_BOOK, *OF_PEOPLE)]
    paths += [
        f"/matches/{code}/{page}"
        for code in codes[len(RECORDS) + 2 :]
        for page in ("", "menu", "money", "money/players")
    ]
    paths += ["/nights/new", *(f"/nights/{code}/{page}" for code in nights for page in OF_NIGHT)]
    paths += [f"/house/{house}", f"/house/{house}/share?said=saved", *(f"/join/{code}" for code in invited)]
    paths += [*(f"/join/night/{code}" for code in world.named["/join/night/"]), f"/new/again/{codes[0]}"]
    paths += [f"/print?match={codes[0]}", f"/print?night={nights[0]}", f"/print?book={book[0]}&year=2026"]
    phone = world.client()
    for path in paths:
        _learn(world, phone.get(path).text)
    answered = [(f"/matches/{code}/what-if", "own_1") for code in codes[: len(RECORDS)]]
    answered += [("/house/new?base=partnership-pitch", "own_1"), ("/new/partnership-pitch", "house-own_1")]
    for path, name in answered:
        learned = world.forms[f"GET {endpoint_of(app, path, 'GET')}"]
        learned += [(path, {name: answer}) for answer in ("no", OWN_POINT)]
    return world


def _club(owned: BookAccess) -> Club:
    """Start the nights of a book, and let its people, its file and its nights be read."""
    codes, packed = _nights(), io.BytesIO()
    write_book_file(db.session, owned.id, packed)
    return Club(
        codes,
        [setup.uid for setup, _ in nights_in_book(db.session, owned.id)],
        sorted(load_people(db.session, owned).names_by_person),
        [invite(db.session, load_night(db.session, codes[0]), role) for role in (SCORER, WATCHER)],
        packed.getvalue(),
    )


def _nights() -> list[str]:
    """Start nights in the book, one of them played, and return the codes of their owner's links."""
    codes = []
    for number in range(2):
        code = store_night(db.session, "owner", f"night-{number}", title="Friday")
        codes.append(code)
        for pair in range(5):
            write_night(db.session, code, EntrantArrived(players=(f"A{pair}", f"B{pair}")), Writer(f"pair-{pair}"))
    write_night(db.session, codes[0], draw_lots_for_first_round, Writer("start"))
    return codes


def make_book(codes: list[str], phone: str = "owner") -> tuple[list[str], list[str]]:
    """Put matches into a book, and let phones in; return the codes of its links, and the uids of its matches."""
    begun = [load_match(db.session, code) for code in codes]
    for match in begun:
        record_visit(db.session, phone, match)
    put_matches_in_owners_books(db.session)
    (book,) = books_of_device(db.session, phone)
    write_book(db.session, book.code, BookRenamed(name="Fridays"), Writer("name"))
    links = [join_book(db.session, invite(db.session, book, role), role, role) for role in (SCORER, WATCHER)]
    gone = join_book(db.session, invite(db.session, book, WATCHER), "gone", "")
    end_link(db.session, book, gone.id, "owner")
    return [book.code, *(link.code for link in links), gone.code], [match.setup.uid for match in begun]


def _learn(world: World, text: str) -> None:
    page = read(text)
    for form in forms_of(page):
        fields = {**{name: sorted(values)[0] for name, values in form.offered.items()}, **form.fields}
        parts = urlsplit(form.action)
        for method, query in (("POST", f"?{parts.query}"), ("GET", "")):
            if endpoint := endpoint_of(world.app, parts.path, method):
                world.forms[f"{method} {endpoint}"].append((f"{parts.path}{query.rstrip('?')}", fields))
    for link in (*page.all("a"), *page.all("img")):
        parts = urlsplit(link.attrs.get("href") or link.attrs.get("src", ""))
        if parts.query and (endpoint := endpoint_of(world.app, parts.path, "GET")):
            world.forms[f"GET {endpoint}"].append((parts.path, dict(parse_qsl(parts.query))))


def house_file(rng: Random) -> bytes:
    """Return a file of house rules."""
    target = rng.choice(("11", '"x"', "-5", "9999999999999999999999", "nan", "[1]", "1979-05-27"))
    return f'format = 1\nname = "Ours"\nvariant = "partnership-pitch"\n\n[options]\ntarget = {target}\n'.encode()
