"""Every page of the app in each of its states, made by opening pages and sending their forms.

`build` makes them all on one database.
"""

import gzip
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, is_dataclass
from datetime import date
from functools import partial
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

import sqlalchemy as sa
from flask import Flask, template_rendered

from scorekeeper.book.books import load_book
from scorekeeper.book.store import match_ids_of
from scorekeeper.club.figures.store import delete_figures
from scorekeeper.database.engine import db
from scorekeeper.database.migrating import migrate
from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.pitch.rules.share_codes import encode
from scorekeeper.printing import print_service
from scorekeeper.printing.fitting import PrintedSheet
from scorekeeper.web.library import library
from tests.browser.playing import begin_match, play_hand
from tests.common import family
from tests.common.apps import clear_caches, make_app
from tests.common.books import book_code, change_book, invited_to_book, join_book, opened
from tests.common.calling import finish, preview, say, took
from tests.common.family import Evening
from tests.common.guests import OWNER, SCORER, WATCHER, change, invited, let_in
from tests.common.importing import brought_in
from tests.common.nights import EIGHT as EIGHT_PAIRS
from tests.common.nights import (
    begin_night,
    join_night,
    night_invitation,
    night_path,
    play_round,
    seat_by_hand,
    tap_winner,
)
from tests.common.phone import Page, Phone
from tests.common.settling import BY_CARDS, MADE, NOT_AGREED, WENT_SET
from tests.common.thursday import thursday
from tests.scenarios.scene import told_record

MILLERS = HouseRules(
    "The Millers’ Pitch",
    "partnership-pitch",
    {"target": 15, "dealer_steal": "no", "all_pass": "redeal", "jokers": 2},
    ("Loser does the dishes.", "Oma may look at one card."),
)
TEN_TO_52 = (
    "answered=yes&players=4&seating=partners&cards=High&cards=Low&cards=Jack&cards=Off+Jack&cards=Jokers&cards=Ten"
    "&cards=Three&target=52"
)
"""The query of a family that plays ten points to 52."""
CODE = encode(MILLERS)
EIGHT = ("Ann", "Bob", "Cleo", "Dad", "Ed", "Fay", "Gus", "Hal")
LONG = {"seat_0": "Maximiliane", "seat_1": "Christopher"}

INCOMPLETE = told_record(
    "blind-all-fours", ["Blue 3 points | Red 1 points"], ["Blue", "Red"], start={"Blue": 5, "Red": 6}
)
"""A match whose last hand lacks who took which award."""

EVENING = Path(__file__).with_name("evening.json")
REFUSED_NIGHT = {"title": "Friday", "rounds": "many", "variant": "partnership-pitch"}

TakePhone = Callable[[], Phone]
Pages = Iterator[tuple[str, Page]]


@dataclass(frozen=True)
class Exhibit:
    """A page as it came."""

    page: Page
    template: str
    context: dict[str, Any]
    """What the template was given."""

    @property
    def html(self) -> str:
        """The whole page."""
        return self.page.response.text


@dataclass
class Gallery:
    """An app with its pages, by name."""

    app: Flask
    exhibits: dict[str, Exhibit] = field(default_factory=dict)
    read: set[tuple[type, str]] = field(default_factory=set)
    """Every field that a template has read, by the class that it is of."""


def build(folder: Path) -> Gallery:
    """Make every page of the app."""
    app = make_app(folder)
    migrate(app)
    gallery = Gallery(app)
    app.jinja_env.getattr = partial(noted, gallery.read, app.jinja_env.getattr)  # type: ignore[method-assign]
    app.jinja_env.getitem = partial(noted, gallery.read, app.jinja_env.getitem)  # type: ignore[method-assign]
    rendered: list[tuple[str, Any]] = []
    common: dict[str, Any] = {}
    with app.test_request_context():
        app.update_template_context(common)

    def note(_app: Flask, template: Any, context: dict[str, Any], **_more: Any) -> None:
        rendered.append((template.name, {name: value for name, value in context.items() if name not in common}))

    with template_rendered.connected_to(note, app):
        for name, page in every_page(partial(phone_of_its_own, app, count(1))):
            gallery.exhibits[name] = Exhibit(page, *rendered[-1])
    return gallery


def phone_of_its_own(app: Flask, numbers: Iterator[int]) -> Phone:
    """Take a phone with an address of its own: from one household only so many files are imported in an hour."""
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = f"10.0.0.{next(numbers)}"
    return Phone(client)


def noted(read: set[tuple[type, str]], get: Callable[[Any, Any], Any], shown: Any, name: Any) -> Any:
    """Get an attribute for a template, and note which field it is, or which ones a property or a method reads."""
    if (is_dataclass(shown) or hasattr(type(shown), "_fields")) and isinstance(name, str):
        member = getattr(type(shown), name, None)
        code = getattr(member.fget if isinstance(member, property) else member, "__code__", None)
        read |= {(type(shown), read_name) for read_name in (code.co_names if code else (name,))}
    return get(shown, name)


def every_page(take_phone: TakePhone) -> Pages:
    """Yield every page with its name."""
    for room in ROOMS:
        yield from room(take_phone)


# ---------- the pages, feature by feature ----------


def home(take_phone: TakePhone) -> Pages:
    """Yield the home page: of a new phone, with matches, with many sides, after a match was deleted."""
    phone = take_phone()
    yield "home-empty", phone.open("/")
    yield "home-no-people", phone.open("/people")
    everybody_alone(phone, "5")
    won(phone)
    evening(phone, title="Thursday at Oma’s")
    yield "home", phone.open("/")
    everybody_alone(phone, "5", title="Five at the cabin, the Millers’ way")
    yield "home-five", phone.open("/")


def new_match(take_phone: TakePhone) -> Pages:
    """Yield both steps of a new match: finding a game, and who sits where."""
    phone = take_phone()
    yield "choose", phone.open("/new")
    yield "choose-found", phone.open("/new?q=setback&players=4")
    yield "choose-left-out", phone.open("/new?q=colorado+nine+points")
    yield "choose-contradiction", phone.open("/new?q=call+your+partner,+six+of+us,+to+32")
    yield "choose-nothing", phone.open("/new?q=zzz")
    yield "choose-fits", phone.open(f"/new?{TEN_TO_52}")
    yield "choose-one", phone.open(f"/new?{TEN_TO_52}&game=colorado-ten-point")
    yield "choose-named", phone.open("/new?q=pawnee")
    yield "new", phone.open("/new/partnership-pitch")
    yield "new-six", phone.open("/new/colorado-six-player?seats=6")
    yield "new-changed", phone.open("/new/colorado-ten-point?seats=4&house-target=52&house-ten=no&house-game=yes")
    yield "new-money", phone.open("/new/racehorse")
    page = phone.open("/new/partnership-pitch")
    yield "new-refused", page.send("partnership-pitch", {"seat-0": "Ann", "seat-1": "ann"}, press="Start")
    twice = {"seat-0": "Ann", "seat-1": "Bea", "seat-2": "Cal", "seat-3": "Dan", "side-0": "Blue", "side-1": "Blue"}
    yield "new-sides", page.send("partnership-pitch", twice, press="Start")
    five = phone.open("/new/cutthroat-pitch").send("cutthroat-pitch", {"seat-0": "Ann"}, press="5")
    yield "new-five", five.send("cutthroat-pitch", {"seat-1": "Bob", "seat-2": "Bob"}, press="Start")
    paper = {"paper-score-0": "12", "paper-score-1": "ten", "paper-hands": "-1", "other-target": "0"}
    yield "new-paper-refused", page.send("partnership-pitch", paper, press="Start")
    moon = phone.open("/new/moon-over-four")
    yield "new-paper-sets", moon.send("moon-over-four", {"paper-sets-0": "x"}, press="Start")
    yield "match-from-paper", page.send("partnership-pitch", {"paper-score-0": "12", "paper-hands": "5"}, press="Start")
    alone = phone.open("/new/cutthroat-pitch").form("cutthroat-pitch")
    named = {name: f"P{name}" for name in alone.fields if name.startswith("seat-")}
    from_paper = phone.post(alone.action, {**alone.fields, **named, "paper-score-0": "3", "do": "start"})
    yield "match-from-paper-alone", from_paper
    yield "again", phone.open(f"/new/again/{won(phone).code}")


def match(take_phone: TakePhone) -> Pages:
    """Yield the match page: at its beginning, in its middle, won, stopped, deleted, watched, with hands that wait."""
    phone = take_phone()
    first = play_hand(begin_match(phone, **LONG, title="Thursday at Oma’s"), call="p4:4", took_low="s1", took_game="s1")
    yield "begun", phone.open(f"{first.path}history/1/remove").send("/remove")
    page = evening(phone, title="Thursday at Oma’s")
    yield "match", phone.open(page.path)
    yield "match-undone", page.send("/undo")
    phone.open(page.path).send("/redo")
    preview(phone.open(f"{page.path}hands/new"), call="p1:3", trump="hearts")
    yield "match-going", phone.open(page.path)
    yield "match-corrected", phone.open(f"{page.path}hands/1").send("/1", {"took-game": "s1"}, press="Save")
    yield "three", six_in_pairs(phone)
    yield "five", with_called_partner(phone)
    yield "eight", everybody_alone(phone, "8", title="Eight round one table, every one alone")
    yield "match-money", for_money(phone)
    yield "match-held-back", held_back(phone)
    yield "match-asks", brought_in(phone, INCOMPLETE)
    yield "verdict", won(phone)
    yield "verdict-defended", brought_in(phone, thursday(5, house={"target": 26}))
    late = brought_in(phone, thursday(7, house={"target": 26, "win_rule": "made_bid"}))
    more = phone.open(f"{late.path}?more=yes")
    yield "verdict-more", more
    more.send("/house/take", press="Keep as our rules")
    yield "verdict-kept", phone.open(f"{late.path}?more=yes")
    yield "verdict-five", five_won(phone)
    yield "stopped", evening(phone).tap("Menu").tap("Stop for tonight").send("/stop")
    scoring, watching = disputed(phone, take_phone())
    yield "disputed", scoring
    yield "disputed-watching", watching.open()
    scoring.tap("It’s right")
    yield "confirmed-watching", watching.open()
    yield "match-handed-over", handed_over(phone, take_phone())
    deleted = evening(phone)
    phone.open(f"{deleted.path}delete").send("/delete")
    yield "match-deleted", phone.open(deleted.path)


def tv(take_phone: TakePhone) -> Pages:
    """Yield the big screen."""
    phone = take_phone()
    match = evening(phone)
    yield "tv-open", phone.open(match.path).tap("Menu").tap("Show on TV")
    yield "tv", phone.open(f"{match.path}tv")
    bid = {"bidder": "Dan", "bid": 3, "trump": "spades"}
    yield "tv-bid", phone.open(f"{brought_in(phone, record(bid)).path}tv")
    yield "tv-five", phone.open(f"{with_called_partner(phone).path}tv")
    yield "tv-eight", phone.open(f"{everybody_alone(phone, '8').path}tv")
    yield "tv-won", phone.open(f"{won(phone).path}tv")


def hand(take_phone: TakePhone) -> Pages:
    """Yield the hand entry: as it opens, as it is filled in, refused, and by points only."""
    phone = take_phone()
    yield "entry-empty", entry(phone, **LONG)
    yield "entry-open", preview(entry(phone), call="p4:3", trump="spades", took_low="s1", took_jack="nobody")
    all_four = {"took_high": "s2", "took_low": "s1", "took_jack": "nobody", "took_game": "s2"}
    yield "entry-four", preview(entry(phone), call="p4:3", trump="spades", **all_four)
    yield "entry-smudge", preview(entry(phone), call="p2:smudge")
    nobody = {"call": "p4:3", "took-high": "nobody", "took-low": "s1", "took-jack": "s2", "took-game": "s1"}
    piles = {"pile-s1": "31", "pile-s2": "49", "trump": "spades"}
    yield "entry-refused", entry(phone).send("/hands/new", {**nobody, **piles}, press="Save")
    yield "entry-refused-trump", save(entry(phone), call="p4:3", trump="stars")
    piles = {"pile_s1": "13", "sum_s1": "13", "cards_s1_10": "1", "cards_s1_K": "1", "by": "cards"}
    yield "entry-piles", preview(entry(phone), call="p4:3", **piles)
    ten = {"bidder": "p3", "bid": "6", "trump": "spades", "took_jack": "s2", "took_deuce": "s2"}
    yield "entry-ten", preview(entry(phone, "colorado-ten-point"), **ten)
    yield "entry-fourteen", preview(entry(phone, "colorado-fourteen-point"), **{**ten, "trump": "diamonds"})
    yield "entry-three", preview(entry(phone, "partnership-pitch-six"), call="p2:2", trump="hearts", took_high="s1")
    yield "entry-five", preview(entry(phone, "razzle-dazzle"), pair="p3:p1", bid="6")
    pitching = brought_in(phone, {**record({"dealer": "Ann", "thrown_in": "misdeal"}), "house": {"pitching": True}})
    yield "entry-pitching", preview(phone.open(f"{pitching.path}hands/new"), call="p1:3", overtook_pitch="yes")
    yield "entry-unbound", preview(entry(phone, house_all_pass="unobliged"), passed="yes", took_high="s2")
    yield "entry-many-bids", preview(entry(phone, "king-pedro-sixty-two"), bidder="p3", bid="40")
    yield "entry-bid-typed", preview(entry(phone, "double-king-pede"), bidder="p3", bid_number="63")
    yield "entry-eight", preview(entry(phone, "cutthroat-pitch", seats="8"), took_high="p7", took_low="p8")
    yield "entry-correct", phone.open(f"{evening(phone).path}hands/1")
    yield "entry-no-bid", preview(entry(phone, "solo-without-bidding", seats="4"), took_high="p2")
    yield "entry-winning", preview(phone.open(f"{held_back(phone).path}hands/new"), call="p1:2", **took("s1", low="s2"))
    yield "entry-alike", preview(entry(phone, "phat"), **{"copies-five_1.five_2.five_3-s1": "2"})
    yield "entry-turned-up", preview(entry(phone, "trinidad-all-fours"), took_turned_six="s1")
    yield "entry-counts", preview(entry(phone, query="?by=counts"), call="p3:3", count_s1="3")
    yield "entry-stopped", entry_of_stopped(phone)
    yield "conflict", conflict(begin_match(phone))
    yield "conflict-over", conflict(play_hand(begin_match(phone, house_target="7"), call="p2:4"))
    yield "conflict-corrected", conflict_over_correction(phone, evening(phone))


def auction(take_phone: TakePhone) -> Pages:
    """Yield the hand entry with the bidding, call by call."""
    phone = take_phone()
    start = partial(entry, phone, query="?by=auction")
    yield "entry-auction", say(start(), "pass", "pass", "pass")
    rounds = start("five-point-set-back", seat_1="Christopher")
    yield "entry-auction-rounds", say(rounds, "1", "2", "pass", "3", "4", "pass")
    yield "entry-auction-ten", say(start("colorado-fourteen-point"), "6", "14", "moon")
    yield "entry-auction-many", say(start("king-pedro-sixty-two"), "31", "40", "pass")
    yield "entry-auction-over", say(start(), "pass", "pass", "3", "pass")
    yield "entry-auction-called", say(start("razzle-dazzle"), "6", "pass", "pass", "pass", "pass")


def history(take_phone: TakePhone) -> Pages:
    """Yield all hands, and the change log."""
    phone = take_phone()
    page = evening(phone, title="Thursday at Oma’s")
    phone.open(f"{page.path}history/2/remove").send("/remove")
    phone.open(f"{page.path}hands/1").send("/1", {"took-game": "s1"}, press="Save")
    yield "history", phone.open(f"{page.path}history?open=1")
    phone.open(page.path).send("/undo")
    play_hand(page, call="p2:2", took_low="s1")
    yield "change-log", phone.open(f"{page.path}history/journal")
    long = brought_in(phone, record(*[{"thrown_in": "misdeal"}] * 45))
    yield "change-log-long", phone.open(f"{long.path}history/journal")
    yield "history-five", phone.open(f"{with_called_partner(phone).path}history?open=1")
    changed = begin_match(phone)
    phone.open(f"{changed.path}sits-in").send("/sits-in", {"who": "p3", "name": "Zoe"})
    change = phone.open(f"{changed.path}rules/change")
    change.send("/rules/change", {"notes": "Loser deals."}, press="Start with hand 1")
    play_hand(changed, call="p2:2", took_low="s1")
    yield "history-changed", phone.open(f"{changed.path}history")
    scoring, watching = disputed(phone, take_phone())
    yield "history-disputed", phone.open(f"{scoring.path}history")
    yield "history-disputed-watching", watching.open("history")


def what_if(take_phone: TakePhone) -> Pages:
    """Yield a match under other rules: open, with awards entered, over earlier, stopped, refused, chosen, sent."""
    phone = take_phone()
    page = brought_in(phone, thursday())
    path = f"{page.path}what-if"
    yield "what-if", phone.open(path)
    yield "what-if-told", phone.open(f"{path}?off_jack=no&told-6-off_jack=s2")
    yield "what-if-more", phone.open(f"{path}?off_jack=no&told-6-off_jack=s2&more=yes")
    yield "what-if-undecided", phone.open(f"{path}?off_jack=no&target=43")
    yield "what-if-stops", phone.open(f"{path}?max_bid=7")
    yield "what-if-rules", phone.open(f"{path}/rules")
    yield "what-if-empty", phone.open(f"{begin_match(phone).path}what-if")
    yield "what-if-five", phone.open(f"{with_called_partner(phone).path}what-if?low=held")
    yield "what-if-money", phone.open(f"{for_money(phone).path}what-if?jack=no")
    watched = let_in(page, take_phone(), WATCHER, "p2")
    yield "what-if-watched", watched.open("what-if?off_jack=no")


def confirm(take_phone: TakePhone) -> Pages:
    """Yield the pages that confirm an action, and the choice of the dealer."""
    phone = take_phone()
    page = evening(phone)
    yield "remove-hand", phone.open(f"{won(phone).path}history/2/remove")
    yield "restore-refused", unfinished_restored(phone)
    yield "stop", phone.open(f"{page.path}stop")
    yield "delete", phone.open(f"{page.path}delete")
    yield "deal", phone.open(f"{page.path}deal")
    yield "deal-conflict", deal_conflict(phone)
    phone.open(f"{evening(phone).path}sits-in").send("/sits-in", {"who": "p3", "name": "Zoe"})
    sits_in = phone.open(f"{page.path}sits-in")
    yield "sits-in", sits_in
    yield "sits-in-refused", sits_in.send("/sits-in", {"who": "p3", "name": "Ann"})


def menu(take_phone: TakePhone) -> Pages:
    """Yield a match's menu."""
    phone = take_phone()
    page = evening(phone, title="Thursday at Oma’s")
    yield "names", phone.open(f"{page.path}names")
    yield "names-refused", phone.open(f"{page.path}names").send("/names", {"name-p1": "Bea"}, press="Save")
    yield "menu", phone.open(f"{page.path}menu")
    yield "share", won(phone).tap("Share")
    yield "names-eight", phone.open(f"{everybody_alone(phone, '8').path}names")
    nameless = phone.open("/new/partnership-pitch").send("/partnership-pitch", press="Start")
    yield "who", nameless.tap("Add other phones")
    form = phone.open("/new/partnership-pitch")
    named = form.send("/partnership-pitch", {"seat-0": "Mike", "seat-3": "Mary"}, press="Start")
    yield "match-some-named", play_hand(named, call="p3:3", took_low="s2")
    seats = phone.open("/new/cutthroat-pitch?seats=3").send("/cutthroat-pitch?seats=3", press="Start")
    yield "match-seats", play_hand(seats, call="p3:3", took_low="p1")


def phones(take_phone: TakePhone) -> Pages:
    """Yield the connected phones, and whose this one is."""
    phone = take_phone()
    yield "seat-claim", phone.open(f"{evening(phone).path}whose")
    page = evening(phone, "Bartholomew-Maximilian", title="Thursday at Oma’s")
    phone.open(f"{page.path}whose").send("/whose", {"seat": "p1"})
    for role, seat in ((SCORER, "p2"), (WATCHER, "p3"), (WATCHER, "nobody"), (WATCHER, "p4")):
        let_in(page, take_phone(), role, seat)
    change(page, "end", link_numbers(page)[-1])
    invited(page)
    yield "phones", phone.open(f"{page.path}room?let=watcher")
    change(page, OWNER, link_numbers(page)[0])
    guest = let_in(page, take_phone(), WATCHER)
    yield "seat-claim-watcher", guest.open("whose")


def join(take_phone: TakePhone) -> Pages:
    """Yield joining by a code or by a PIN."""
    owner, guest = take_phone(), take_phone()
    page = evening(owner, "Bartholomew-Maximilian")
    yield "join", guest.open(invited(page))
    yield "pin", guest.open("/join")
    refused = guest.open("/join").send("/join", {"pin": "KYMXX"})
    for _ in range(10):
        refused = refused.send("/join", {"pin": "KYMXX"})
    yield "pin-limited", refused


def books(take_phone: TakePhone) -> Pages:
    """Yield a book: its matches, its phones and its name, how one joins it, and how a match is moved."""
    phone = take_phone()
    won(phone)
    page = evening(phone, "Bartholomew-Maximilian", title="Thursday at Oma’s")
    code = book_code(phone)
    yield "book", phone.open("/").tap("All matches")
    yield "book-searched", phone.open(f"/books/{code}/?person=bea&variant=partnership-pitch&year=1999")
    with mock.patch("scorekeeper.book.book_list.PAGE_SIZE", 1):
        evening(phone)
        yield "book-page", phone.open(f"/books/{code}/?page=2&person=a&variant=partnership-pitch")
    guest = take_phone()
    invited_to_book(phone)
    yield "join-book", guest.open(address_to_join(phone, WATCHER))
    invited_to_book(phone, SCORER)
    address = address_to_join(phone, SCORER)
    yield "join-book-refused", guest.open(address).send(address, {"holder": "\N{ZERO WIDTH SPACE}"})
    for role, holder in ((SCORER, "Bartholomew-Maximilian"), (WATCHER, ""), (WATCHER, "Dan"), (SCORER, "Bea")):
        joined = join_book(phone, guest, role, holder)
        guest = take_phone()
    opened(joined, "Thursday at Oma’s")
    let_in(page, joined.phone, WATCHER, "p2")
    in_room = re.findall("/room/([0-9]+)", phone.open(f"{page.path}room").response.text)
    yield "phones-removed-of-book", change(page, "end", max(map(int, in_room)))
    link_ids = re.findall("/phones/([0-9]+)", phone.open(f"/books/{code}/phones").response.text)
    change_book(phone, "end", max(map(int, link_ids)))
    invited_to_book(phone)
    yield "book-phones", phone.open(f"/books/{code}/phones")
    yield "book-phones-refused", change_book(phone, WATCHER, min(map(int, link_ids)) - 1)
    named = phone.open(f"/books/{code}/settings").send("/settings", {"name": "Thursdays at Oma’s"})
    named.send("/undo")
    yield "book-settings-redone", phone.open(f"/books/{code}/settings?done=undone").send("/redo")
    tap_winner(seat_by_hand(begin_night(phone, *EIGHT_PAIRS, variant="auction-pitch")), "Ann & Cal")
    yield "book-nights", phone.open(f"/books/{code}/nights/")
    owner = take_phone()
    theirs = evening(owner)
    link = let_in(theirs, phone, SCORER)
    change(theirs, OWNER, link_numbers(theirs)[0])
    yield "match-book-elsewhere", phone.open(f"{link.path}book")


def book_files(take_phone: TakePhone) -> Pages:
    """Yield a book backed up and restored: what a file would change, what it did, and why it is refused."""
    phone = take_phone()
    for title in ("Friday", "Sunday", "Monday at Bartholomew-Maximilian’s"):
        evening(phone, title=title)
    code = book_code(phone)
    show = phone.open(f"/books/{code}/transfer")
    yield "book-transfer", show
    file = phone.open(f"/books/{code}/file").response.data
    yield "look-all-here", phone.upload(show, "/import", "thursdays.pitch-book.gz", file)
    look = phone.upload(show, "/import", "thursdays.pitch-book.gz", changed_elsewhere(file))
    yield "look", look
    new = changed_elsewhere(file, everywhere=True)
    yield "look-other-book", phone.upload(show, "/import", "thursdays.pitch-book.gz", new)
    with phone.client.application.app_context():
        db.session.execute(sa.text("UPDATE event SET kind = 'tomorrow' WHERE match_id = (SELECT max(id) FROM match)"))
        db.session.commit()
    clear_caches()
    yield "left-out", phone.open(f"/books/{code}/file")


def changed_elsewhere(file: bytes, *, everywhere: bool = False) -> bytes:
    """Return a book's file with a new name, a new match, one with more in it, and one that was changed there.

    With `everywhere` it is another book, with other matches.
    """
    lines = [json.loads(line) for line in gzip.decompress(file).splitlines()]
    starts = [n for n, line in enumerate(lines) if "seats" in line]
    known = [line["match"] for line in lines if "seats" in line]
    first, second, third = (lines[a:b] for a, b in zip(starts, [*starts[1:], -1], strict=True))
    first_event = lines[1]
    named = {**first_event, "kind": "rename", "key": "name", "payload": {"v": 1, "name": "Thursdays elsewhere"}}
    fourth = [{**first[0], "match": other_uid(known[0], "NO")}, *first[1:]]
    second[-1] = {**second[-1], "key": "elsewhere"}
    third = [{**third[0], "facts": third[0]["facts"] + 1}, *third[1:], {**third[-1], "key": "more"}]
    third[-1] |= {"kind": "stop", "payload": {"v": 1}}
    found = [lines[0], first_event, named, *lines[2 : starts[0]], *first, *second, *third, *fourth, {"end": 4}]
    text = "".join(f"{json.dumps(line)}\n" for line in found)
    for uid in [lines[0]["book"], *known] if everywhere else ():
        text = text.replace(uid, other_uid(uid, "EF"))
    return gzip.compress(text.encode())


def other_uid(uid: str, letters: str) -> str:
    """Return a uid that begins with whichever of two letters this one does not begin with."""
    return f"{letters[uid[0] == letters[0]]}{uid[1:]}"


def address_to_join(owner: Phone, role: str) -> str:
    """Return the address in the QR code of the owner's book."""
    page = owner.open(f"/books/{book_code(owner)}/phones?let={role}")
    url: str = page.one(class_="link").text
    return f"/join/{url.rpartition('/')[2]}"


def people(take_phone: TakePhone) -> Pages:
    """Yield the people of a book: of no match, of one, of a year and a half; and their names, mended in every way."""
    phone = take_phone()
    begin_match(phone, "racehorse")
    code, app = book_code(phone), phone.client.application
    here = f"/books/{code}"
    yield "people-none", phone.open(f"{here}/people")
    with app.app_context():
        access = load_book(db.session, code)
        family.play(db.session, library(), access, [Evening(family.FOUR, date(2025, 4, 3), "Thursday")])
    ann = re.findall('/people/([^"]{22})">.{0,80}>A<', phone.open(f"{here}/people").response.text)[0]
    with app.app_context():
        family.play(db.session, library(), access, list(family.evenings(40, ("Ann", "Bea", "Cal", "Dan", "Oma"))))
        family.play(db.session, library(), access, [Evening(("Nan", "Bea", "Cal", "Dan"), date(2025, 4, 3))])
        family.play_calling(db.session, library(), access, date(2026, 3, 7))
    yield "people", phone.open(f"{here}/people")
    everybody = re.findall('/people/([^"]{22})"', phone.open(f"{here}/people").response.text)
    found = (phone.open(f"{here}/people/{one}") for one in everybody)
    yield "person", next(value for value in found if re.search("[1-9]</span><span>streak now", value.response.text))
    met = phone.open(f"{here}/pairs")
    yield "pairs-met", met
    pairs = re.findall('href="([^"]+b=[^"]+)"', met.response.text)[0].replace("&amp;", "&")
    yield "pairs", phone.open(pairs)
    yield "year", phone.open(f"{here}/years/2026")
    with app.app_context():
        delete_figures(db.session, [match_ids_of(db.session, access.id)[1]])
        db.session.commit()
    with mock.patch("scorekeeper.club.figures.counting.COMPUTING_TIMEOUT_S", 0.0):
        yield "pairs-met-uncounted", phone.open(f"{here}/pairs")
    yield from _names(phone, here, ann)


def _names(phone: Phone, here: str, ann: str) -> Pages:
    yield "people-names", phone.open(f"{here}/names")
    page = phone.open(f"{here}/names/{ann}")
    yield "people-name", page
    yield "people-names-undone", page.send(page.path, {"name": "Anna"}, press="Save").send("/names/undo")
    token = {"csrf_token": page.form(page.path).fields["csrf_token"]}
    nan = re.findall('value="([^"]{22})">Nan', page.response.text)[0]
    yield "people-name-joined", phone.post(page.path, {**token, "do": "join", "into": nan})


def rules(take_phone: TakePhone) -> Pages:
    """Yield the rules, to read."""
    phone = take_phone()
    yield "rules", phone.open("/rules")
    yield "rules-pitch", phone.open("/rules/partnership-pitch")
    yield "rules-answers", phone.open("/rules/partnership-pitch?target=15")
    yield "rules-shared", phone.open(f"/rules?r={CODE}")
    changed = ruled(phone)
    yield "rules-match", phone.open(f"{changed.path}rules")
    yield "rules-search", phone.open("/rules/partnership-pitch?q=who+gets+low")
    yield "rules-silent", phone.open(f"{changed.path}rules?q=reneging")


def house(take_phone: TakePhone) -> Pages:
    """Yield the house rules: their editor, the list, and how they are shared."""
    phone = take_phone()
    phone.open(f"/rules?r={CODE}").send("/house/take")
    listed = phone.open("/house")
    path = next(link.attrs["href"] for link in listed.all("a") if "Millers" in link.text)
    yield "house-rules-edit", phone.open(path)
    yield "read-ours", phone.open("/rules")
    yield "house-rules-changed", phone.open(path).send(path, {"rule-target": "11"}, press="Save")
    yield "house-rules-share", phone.open(f"{path}/share")
    page = phone.open("/house/new?base=colorado-ten-point")
    yield "house-rules-new", page
    form = page.form(page.part("compose").attrs["action"])
    wrong = {"rule-target": "many", "name": " ", "do": "save"}
    yield "house-rules-refused", phone.post(form.action, {**form.fields, **wrong})
    point = {"own_1-name": "Black Lady", "own_1-card": "", "own_1-points": "5", "do": "save"}
    yield "house-rules-own-point", phone.post(form.action, {**form.fields, **point})
    yield "rule-change", phone.open(f"{for_money(phone).path}rules/change")
    unplayable = b'format = "house-rules/1"\nname = "Cabin"\nvariant = "partnership-pitch"\n[house]\nmin_bid = 9\n'
    form = listed.form("/house/file")
    file = BytesIO(unplayable), "cabin.toml"
    yield "house-rules-not-imported", phone.post(form.action, {**form.fields, "file": file})


def prints(take_phone: TakePhone) -> Pages:
    """Yield the choice of what to print."""
    phone = take_phone()
    evening(phone)
    yield "print-index", phone.open("/print")
    sheet = PrintedSheet(b"", pages=2, style="", missing_glyphs="ミラ")
    with mock.patch.object(print_service, "print_preview", return_value=sheet):
        yield "print-sizes", phone.open("/print?rules=partnership-pitch&target=15&kind=pad")


def settled(take_phone: TakePhone) -> Pages:
    """Yield the page that settles one hand: empty, by points, by cards, with faults, each alone; and rulings."""
    phone = take_phone()
    evening(phone)
    yield "settle-rules", phone.open("/settle/rules?answered=yes&players=4")
    yield "settle", phone.open(f"/settle?{MADE}")
    yield "settle-wrong", phone.open(f"/settle?{MADE.replace('37', 'many')}&name-0=A&name-1=A&fp=2222-2222")
    yield "settle-cards", phone.open(f"/settle?{BY_CARDS}")
    yield "settle-called", phone.open("/settle?rules=razzle-dazzle&pair=p1:p3&bid=moon&show=ruling")
    yield "settle-pitching", phone.open("/settle?rules=auction-pitch&house-pitching=yes&overtook_pitch=yes&by=cards")
    yield "settle-may-go-set", phone.open(f"/settle?{WENT_SET}")
    yield "settle-went-set", phone.open(f"/settle?{WENT_SET}&went_set=s1")
    yield "settle-unbound", phone.open("/settle?rules=hoyle-auction-pitch&seats=3&house-all_pass=unobliged&passed=yes")
    yield "ruling", phone.open(f"/settle?{MADE}&show=ruling")
    yield "ruling-more", phone.open(f"/settle?{BY_CARDS}&show=ruling&more=yes")
    yield "ruling-set", phone.open(f"/settle?{MADE.replace('bid=6', 'bid=9')}&show=ruling&fp=2222-2222")
    yield "ruling-open", phone.open(f"/settle?{NOT_AGREED}&show=ruling")
    yield "ruling-share", phone.open(f"/settle/share?{MADE}")


def money_night(take_phone: TakePhone) -> Pages:
    """Yield a money night: who plays now, and who owes whom."""
    phone = take_phone()
    match = begin_match(phone, "racehorse")
    play_hand(match, call="p2:2")
    form = phone.open(f"{match.path}money/players")
    yield "money-players", form
    fields = form.form("/money/players").fields
    changed = {**fields, "stays": ["p1", "p2", "p3"], "joins-1": "Zoe"}
    second = phone.post(f"{match.path}money/players", changed)
    yield "money-next-match", second
    owed = phone.open(f"{second.path}money")
    yield "money-night", owed
    owed.send("/money/paid", press="Paid")
    play_hand(second, call="p2:2")
    yield "money-night-more", phone.open(f"{second.path}money")
    yield "money-gone-on", match.open("hands/new")
    yield "money-before", match.open()


def night(take_phone: TakePhone) -> Pages:
    """Yield a ladder night: how it starts, the host's page, the wall, a pair's phone, the list, and its end."""
    phone, other = take_phone(), take_phone()
    yield "night-new-refused", phone.open("/nights/new").send("/nights/new", REFUSED_NIGHT)
    agreeing = phone.open("/nights/new").send("/nights/new", {"variant": "catch-five"})
    yield "night-agree-refused", agreeing.send("/nights/new", {"other-target": "many"}, press="Go on")
    yield "night-late", late_match(phone)
    yield "night-pairs-empty", begin_night(phone)
    pairs = begin_night(phone, *EIGHT_PAIRS, "Zoe & Yan", variant="partnership-pitch")
    path = night_path(pairs)
    yield "night-pairs", pairs
    yield "night-pairs-refused", pairs.send("/pairs", {"players-0": "Ann", "players-1": "Cal"})
    seating = phone.open(f"{path}/seating")
    first = next(name for name in seating.form("/start").fields if name.startswith("table-"))
    yield "night-seating-refused", seating.send("/start", {first: "2"})
    yield "night-wall-before", phone.open(f"{path}/wall")
    host = seat_by_hand(pairs)
    yield "night", tap_winner(tap_winner(host, "Ida & Jon"), "Ann & Cal")
    seat = join_night(host, other, name="Ann & Cal")
    yield "night-seat", other.open(seat.path)
    yield "night-wall", host.tap("Show on TV")
    leaver = next(uid for uid in pair_numbers(phone.open(f"{path}/pairs"), "Mia"))
    phone.open(f"{path}/pairs").post(f"/pairs/{leaver}", {"do": "leave"})
    for pair in ("Sue & Tom", "Uma & Vic"):
        phone.open(f"{path}/pairs").send(
            "/pairs", dict(zip(("players-0", "players-1"), pair.split(" & "), strict=True))
        )
    yield "night-two-more", phone.open(f"{path}/")
    yield "night-wall-two-more", phone.open(f"{path}/wall")
    for pair in ("Eve & Finn", "Opal & Pete"):
        page = tap_winner(phone.open(f"{path}/"), pair)
    page.send("/rounds")
    correct = phone.open(f"{path}/rounds/1/tables/3")
    ann, gus = (name.removeprefix("score-") for name in correct.form("/result").fields if name.startswith("score-"))
    yield "night-correct-refused", correct.send("/result", {f"score-{ann}": "many"})
    scores = {f"score-{ann}": "15", f"score-{gus}": "21"}
    yield "night-list-corrected", correct.send("/result", {"winner": gus, **scores})
    yield "night-join", take_phone().open(night_invitation(host, "scorer"))
    yield "night-phones", phone.open(f"{path}/phones")
    yield "night-settings", phone.open(f"{path}/settings")
    yield "night-settings-refused", phone.open(f"{path}/settings").send("/settings", {"rounds": "0"})
    phone.open(f"{path}/settings").tap("End the night early")
    yield "night-list-over", phone.open(f"{path}/list")
    yield "night-wall-over", phone.open(f"{path}/wall")
    yield "home-night", phone.open("/")
    deleting = phone.open(f"{path}/delete")
    yield "night-delete", deleting
    deleting.send("/delete")
    yield "night-deleted", phone.open(f"{path}/")
    phone.open(f"{path}/").send("/restore")
    yield "print-night", phone.open(f"/print?night={path.split('/')[2]}")


def singles(take_phone: TakePhone) -> Pages:
    """Yield a ladder night of people alone, with every setting made, and a player who reports who won."""
    phone = take_phone()
    page = phone.open("/nights/new").send("/nights/new", {"mode": "singles", "ranking": "points"})
    path = night_path(page.send("/pairs", {"roster": "\n".join("Ann Bea Cal Dan Eve Finn Gus Hal Ida".split())}))
    settings = {"minutes": "20", "fee": "Entry $5", "prizes": "The jar", "confirms": "yes"}
    phone.open(f"{path}/settings").send("/settings", settings)
    phone.open(f"{path}/pairs").send("/start")
    host = phone.open(f"{path}/")
    yield "night-singles", host
    yield "night-players", phone.open(f"{path}/pairs")
    yield "night-singles-settings", phone.open(f"{path}/settings")
    playing = host.part("t1").all("button")[0].text.split(" & ")[0]
    yield "night-says", join_night(host, take_phone(), name=playing)


def others(take_phone: TakePhone) -> Pages:
    """Yield backing up, the page without a network, and errors."""
    phone = take_phone()
    yield "settings", phone.open("/settings")
    yield "transfer-refused", phone.upload(phone.open("/transfer"), "/transfer", "thursday.json", BAD_RECORD)
    yield "transfer-done", brought_in(phone, record(), record())
    yield "transfer-again", brought_in(phone, record(), record() | {"played_on": "2026-01-02"})
    yield "offline", phone.open("/offline")
    yield "error", phone.open("/matches/nosuch/")
    yield "error-over", phone.open(f"{won(phone).path}stop")


# ---------- what is played ----------


def pair_numbers(page: Page, player: str) -> list[int]:
    """Return the numbers of the pairs with a player, on the page of the pairs."""
    forms = [found for found in page.all("form") if any(f.attrs.get("value") == player for f in found.all("input"))]
    return [int(form.attrs["action"].rpartition("/")[2]) for form in forms]


BAD_RECORD = b'{"format": "pitch-record/1", "variant": "partnership-pitch", "hands": 3}'


def record(*hands: dict[str, Any], second: str = "Bea", title: str = "") -> dict[str, Any]:
    """Return a record of Partnership Pitch."""
    sides = [{"name": "Us", "players": ["Ann", "Cal"]}, {"name": "Them", "players": [second, "Dan"]}]
    names = {"players": ["Ann", second, "Cal", "Dan"], "sides": sides, **({"title": title} if title else {})}
    return {"variant": "partnership-pitch", **names, "hands": list(hands)}


def evening(phone: Phone, second: str = "Bea", *, title: str = "") -> Page:
    """Play seven hands of Partnership Pitch: some made, some set, one thrown in, the last one just now."""
    hands = json.loads(EVENING.read_text(encoding="utf-8").replace("Bea", second))["hands"]
    match = brought_in(phone, record(*hands, second=second, title=title))
    return play_hand(match, call="p1:3", trump="hearts", took_low="s2")


def held_back(phone: Phone) -> Page:
    """Bring a side to the target on hands that it did not bid."""
    page = play_hand(begin_match(phone, house_target="7"), call="p1:4")
    for _ in range(2):
        page = play_hand(page, call="p2:2", took_low="s1", took_jack="s1")
    return page


def won(phone: Phone) -> Page:
    """Play until somebody has won."""
    page = begin_match(phone, house_target="7")
    return play_hand(play_hand(page, call="p2:4", trump="hearts"), call="p4:3", trump="spades", took_low="s1")


def names(seats: str) -> dict[str, str]:
    """Name as many people."""
    return {f"seat_{n}": name for n, name in enumerate(EIGHT[: int(seats)])}


def everybody_alone(phone: Phone, seats: str, **fields: str) -> Page:
    """Play two hands without partners: one made, one set."""
    page = begin_match(phone, "cutthroat-pitch", seats=seats, **names(seats), **fields)
    play_hand(page, call="p1:3", took_low="p2")
    return play_hand(page, call="p2:4", took_game="p1", took_low="p1", took_high="p1")


def five_won(phone: Phone) -> Page:
    """Play until one of five has won."""
    page = begin_match(phone, "cutthroat-pitch", seats="5", house_target="7", title="Five at the cabin", **names("5"))
    return play_hand(play_hand(page, call="p3:4"), call="p3:4")


def with_called_partner(phone: Phone) -> Page:
    """Play two hands with a partner called for each: one made, one set."""
    page = begin_match(phone, "razzle-dazzle", title="Five at the cabin")
    play_hand(page, pair="p3:p1", bid="6", called="A")
    return play_hand(page, pair="p2:p4", bid="7", called="K", took_ace="defenders", took_jack="defenders")


def six_in_pairs(phone: Phone) -> Page:
    """Play two hands of three pairs: one made, one set."""
    page = begin_match(phone, "colorado-six-player", title="Six at the cabin", seat_0="Christopher")
    play_hand(page, bidder="p3", bid="6", trump="hearts", took_jack="s2")
    return play_hand(page, bidder="p2", bid="10", trump="clubs", took_ten="s1", took_jack="s1")


def for_money(phone: Phone) -> Page:
    """Play two hands for money."""
    page = begin_match(phone, "money-pitch", seats="4")
    play_hand(page, call="p1:2", took_low="p2")
    return play_hand(page, call="p3:3", took_low="p2")


def disputed(phone: Phone, other: Phone) -> tuple[Page, Page]:
    """Let a watching phone say that the last hand is wrong; return the match page of the one that scores, and its."""
    page = evening(phone)
    watching = let_in(page, other, WATCHER, "p2").tap("That’s wrong")
    return phone.open(page.path), watching


def unfinished_restored(phone: Phone) -> Page:
    """Restore a hand that was never finished before one that was played since."""
    page = brought_in(phone, record({"bidder": "Dan", "bid": 3, "trump": "spades"}))
    phone.open(f"{page.path}history/1/remove").send("/remove")
    play_hand(page, call="p4:3", took_low="s1")
    return phone.open(f"{page.path}history").send("/1/return")


def ruled(phone: Phone) -> Page:
    """Change a rule in the middle of a match."""
    page = phone.open(f"{evening(phone).path}rules/change")
    return page.send("/rules/change", {"rule-low": "held"}, press="Start with")


def handed_over(phone: Phone, other: Phone) -> Page:
    """Make a watching phone a scorer, and return what its page polls."""
    page = evening(phone)
    polled = let_in(page, other, WATCHER, "p2").part("board").attrs["hx-get"]
    change(page, SCORER, link_numbers(page)[-1])
    return other.open(polled)


def link_numbers(page: Page) -> list[int]:
    """Return the numbers of the links that can be changed, in order."""
    room = page.open("room")
    found = {form.attrs["action"].rpartition("/")[2] for form in room.all("form")}
    return sorted(int(number) for number in found if number.isdigit())


def entry(phone: Phone, ruleset_id: str = "partnership-pitch", *, query: str = "", **fields: str) -> Page:
    """Open the hand entry of a new match."""
    return phone.open(f"{begin_match(phone, ruleset_id, **fields).path}hands/new{query}")


def save(page: Page, **fields: str) -> Page:
    """Save a hand of which Bea & Dan took everything."""
    return page.post("/hands/new", {**took("s2"), **fields, "do": "save"})


def late_match(phone: Phone) -> Page:
    """Win a match of a ladder night whose next round has started."""
    host = seat_by_hand(begin_night(phone, *EIGHT_PAIRS[:4], variant="partnership-pitch"))
    match = host.tap("Keep the score of table 1")
    play_round(phone.open(f"{night_path(host)}/"), "Opal & Pete", "Bea & Dan")
    while match.offers("Record hand"):
        match = phone.open(play_hand(match, call="p1:4").path)
    return match


def on_another_phone(page: Page) -> Page:
    """Open a page by its link on a phone of its own."""
    return Phone(page.phone.client.application.test_client()).open(page.path)


def conflict(page: Page) -> Page:
    """Save a hand where another phone has just written one."""
    mine = page.tap("Record hand").send("/hands/new", {"call": "p1:2", "trump": "hearts", "took-low": "s2"})
    play_hand(on_another_phone(page), call="p4:3", trump="spades")
    return finish(mine)


def deal_conflict(phone: Phone) -> Page:
    """Choose who deals where another phone has just written a hand."""
    page = begin_match(phone)
    mine = phone.open(f"{page.path}deal").form("/deal")
    play_hand(page, call="p4:3")
    return phone.post(mine.action, mine.fields)


def entry_of_stopped(phone: Phone) -> Page:
    """Save a hand in a match that another phone has just stopped."""
    mine = begin_match(phone).tap("Record hand").send("/hands/new", {"call": "p1:2", "trump": "hearts"})
    phone.open(mine.path.replace("hands/new", "stop")).send("/stop")
    return finish(mine)


def conflict_over_correction(phone: Phone, page: Page) -> Page:
    """Correct a hand that another phone has just corrected otherwise."""
    mine = phone.open(f"{page.path}hands/1")
    on_another_phone(page).phone.open(f"{page.path}hands/1").send("/1", {"took-game": "s1"}, press="Save")
    return mine.send("/1", {"took-jack": "s1"}, press="Save")


ROOMS = (
    home,
    new_match,
    match,
    tv,
    hand,
    auction,
    history,
    what_if,
    confirm,
    menu,
    phones,
    join,
    books,
    book_files,
    people,
    rules,
    house,
    prints,
    settled,
    money_night,
    night,
    singles,
    others,
)
"""What yields the pages of each feature."""
