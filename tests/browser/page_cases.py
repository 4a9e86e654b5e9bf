"""Every page of the app: what is played before it is opened, and what is tapped on it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from scorekeeper.book.books import load_book
from scorekeeper.database.engine import db
from scorekeeper.pitch.rules.codes import encode
from scorekeeper.pitch.rules.house_rules import HouseRules
from scorekeeper.web.library import library
from tests.browser.page_steps import (
    Step,
    bids,
    change_a_rule_late,
    choose_open_game,
    count_piles,
    discard_waiting_hand,
    no_step,
    open_rows,
    pass_and_play,
    picks,
    refuse_paper,
    repeat_a_name,
    return_to_draft,
    save_conflict,
    save_impossible_hand,
    save_offline,
    save_refused_rules,
    sit_in_nobody,
    start_without_names,
    tap_offline,
    type_bid,
    type_penalty,
    type_wrong_pin,
    upload_bad_file,
    upload_unplayable_rules,
    watch_offline,
)
from tests.browser.playing import begin_match, play_hand, play_seven_hands
from tests.common import family
from tests.common.books import book_code, invited_to_book, join_book
from tests.common.guests import change, invited, let_in
from tests.common.nights import EIGHT, begin_night, join_night, night_invitation, night_path, play_round, seat_by_hand
from tests.common.phone import Page as Answer
from tests.common.phone import Phone
from tests.common.settling import BY_CARDS, MADE, NOT_AGREED, WENT_SET
from tests.common.thursday import imported, thursday

Play = Callable[[Phone], str]
"""Plays what comes before a page, and returns a path."""


@dataclass(frozen=True)
class Below:
    """A page below what is played, which one phone plays for all cases that only look."""

    play: Play
    rest: str
    """What follows the path of that, to the page or to one that leads to it."""
    link: str = ""
    """What finds the address of the page on the one that leads to it."""

    def __call__(self, phone: Phone) -> str:
        """Play it, and return the path of the page."""
        return self.path(phone, self.play(phone))

    def path(self, phone: Phone, played: str) -> str:
        """Return the path of the page below what was played."""
        path = played + self.rest
        if self.link:
            path = re.findall(self.link, phone.open(path).response.text)[0].replace("&amp;", "&")
        return path


@dataclass(frozen=True)
class PageCase:
    """A page, and how it comes to be as it is."""

    prepare: Play
    """Plays what comes before, and returns the path to open."""
    step: Step = no_step
    """What is tapped there."""
    is_offline: bool = False
    """Whether the step goes offline, which the console reports."""

    @property
    def only_looks_below(self) -> Below | None:
        """What is played once for this case and others, where nothing is tapped on their pages."""
        return self.prepare if isinstance(self.prepare, Below) and self.step is no_step else None


def entry(ruleset_id: str, query: str = "", **said: str) -> Play:
    """Return what starts a match and returns the path of its hand entry."""
    return lambda phone: f"{begin_match(phone, ruleset_id, **said).path}hands/new{query}"


def players_step(ruleset_id: str) -> Play:
    """Return what returns the path of the second step of a new match."""
    return lambda _phone: f"/new/{ruleset_id}"


def seven_hands(phone: Phone) -> str:
    """Play seven hands, and return the path of the match."""
    return play_seven_hands(begin_match(phone)).path


def in_match(rest: str) -> Below:
    """Return a page of a match of seven hands."""
    return Below(seven_hands, rest)


def shared(phone: Phone) -> Answer:
    """Share the result of a match."""
    return finished(phone).tap("Share")


def finished(phone: Phone) -> Answer:
    """Play until a side has won."""
    match = begin_match(phone, house_target="7")
    return play_hand(play_hand(match, call="p2:4", trump="hearts"), call="p4:3", trump="spades", took_low="s1")


def home_with_matches(phone: Phone) -> str:
    """Start three matches, and return the path of the home page."""
    begin_match(phone, "cutthroat-pitch", seats="5")
    finished(phone)
    play_seven_hands(begin_match(phone, title="Thursday at Oma’s"))
    return "/"


def beside_matches(path: str) -> Callable[[Phone], str]:
    """Return what starts three matches, and returns a path."""
    return lambda phone: path if home_with_matches(phone) else ""


def book_with_a_guest(phone: Phone) -> str:
    """Play matches, let another phone into the book, and return the path of that book."""
    home_with_matches(phone)
    join_book(phone, Phone(phone.client.application.test_client()), "scorer", "Bartholomew")
    return f"/books/{book_code(phone)}/"


def book_with_an_invitation(phone: Phone) -> str:
    """Invite a phone to that book as well, and return its path."""
    path = book_with_a_guest(phone)
    invited_to_book(phone, "watcher")
    return path


def a_year_and_a_half(phone: Phone) -> str:
    """Play a year and a half, and return the path of the book."""
    begin_match(phone, "racehorse")
    code, app = book_code(phone), phone.client.application
    with app.app_context():
        access = load_book(db.session, code)
        family.play(db.session, library(), access, list(family.evenings(40, ("Ann", "Bea", "Cal", "Bartholomew"))))
    return f"/books/{code}/"


def among_people(rest: str, link: str = "") -> Below:
    """Return a page about people, or the first page that it links to."""
    return Below(a_year_and_a_half, rest, link)


def joining_a_book(phone: Phone) -> str:
    """Return the path by which a phone joins another one's book."""
    owner = Phone(phone.client.application.test_client())
    book_with_an_invitation(owner)
    url = str(owner.open(f"/books/{book_code(owner)}/phones").root.one(class_="link").text)
    return f"/join/{url.rpartition('/')[2]}"


@cache
def individuals(ruleset_id: str, seats: str, call: str) -> Play:
    """Return what plays two hands with everyone alone, and returns the path of the match."""

    def prepare(phone: Phone) -> str:
        match = begin_match(phone, ruleset_id, seats=seats)
        play_hand(match, call=call, took_low="p2")
        return play_hand(match, call=call.replace("p1", "p3"), took_game="p2", took_low="p2").path

    return prepare


def with_corrections(phone: Phone) -> str:
    """Delete a hand, correct another, and return the path of all hands."""
    match = play_seven_hands(begin_match(phone))
    phone.open(f"{match.path}history/2/remove").send("/remove")
    phone.open(f"{match.path}hands/1").send("/1", {"took-game": "s1"}, press="Save")
    return f"{match.path}history"


def with_undone_correction(phone: Phone) -> str:
    """Undo a correction, play on, and return the path of the change log."""
    match = play_seven_hands(begin_match(phone))
    phone.open(f"{match.path}hands/1").send("/1", {"took-game": "s1"}, press="Save").send("/undo")
    return f"{play_hand(match, call='p2:2', took_low='s1').path}history/journal"


def to_the_target(phone: Phone) -> str:
    """Bring a side to the target on hands that it did not bid, and return the path of the match."""
    match = play_hand(begin_match(phone, house_target="7"), call="p1:4")
    for _ in range(2):
        match = play_hand(match, call="p2:2", took_low="s1", took_jack="s1")
    return match.path


def deleting_last_hand(phone: Phone) -> str:
    """Return the path that asks before the deciding hand is deleted."""
    return f"{finished(phone).path}history/2/remove"


def stopped(phone: Phone) -> str:
    """Stop a match early, and return its path."""
    return play_seven_hands(begin_match(phone)).tap("Menu").tap("Stop for tonight").send("/stop").path


def deleted(phone: Phone) -> str:
    """Delete a match, and return its path."""
    match = play_seven_hands(begin_match(phone))
    match.tap("Menu").tap("Delete this match").send("/delete")
    return match.path


def called_partner(phone: Phone) -> str:
    """Play two hands with a called partner, and return the path of the match."""
    match = begin_match(phone, "razzle-dazzle")
    play_hand(match, pair="p3:p1", bid="6", called="A")
    return play_hand(match, pair="p2:p4", bid="7", called="K", took_ace="defenders").path


def three_pairs(phone: Phone) -> str:
    """Play two hands of three pairs, and return the path of the match."""
    match = begin_match(phone, "colorado-six-player")
    play_hand(match, bidder="p3", bid="6", trump="hearts", took_jack="s2")
    return play_hand(match, bidder="p2", bid="7", trump="clubs", took_ten="s1").path


def for_money(phone: Phone) -> str:
    """Play two hands for money, and return the path of the match."""
    match = begin_match(phone, "money-pitch", seats="4")
    play_hand(match, call="p1:2", took_low="p2")
    return play_hand(match, call="p3:3", took_low="p2").path


def from_paper(phone: Phone) -> str:
    """Start a match from paper, play a hand with a penalty, let somebody sit in, and return its path."""
    said = {"paper-score-0": "12", "paper-score-1": "-3", "paper-hands": "5"}
    match = begin_match(phone, **said)
    play_hand(match, call="p4:3", took_low="s1", **{"penalty-s1": "1"})
    return phone.open(f"{match.path}sits-in").send("/sits-in", {"who": "p3", "name": "Eva"}).path


def disputed(phone: Phone) -> Answer:
    """Let a watching phone say that the last hand is wrong."""
    match = play_seven_hands(begin_match(phone))
    let_in(match, Phone(phone.client.application.test_client()), seat="p2").tap("That’s wrong")
    return phone.open(match.path)


@cache
def thursday_of(us: str, them: str) -> Play:
    """Return what imports a match of ten hands, and returns its path."""
    return lambda phone: imported(phone, thursday(names=(us, them))).path


def grandmas(rest: str, names: tuple[str, str] = ("Us", "Them")) -> Below:
    """Return a page of an imported match of ten hands."""
    return Below(thursday_of(*names), rest)


@cache
def four_tables(rounds: str) -> Play:
    """Return what plays a night of four tables and a pair that sits out, and returns its path."""

    def play(phone: Phone) -> str:
        host = seat_by_hand(
            begin_night(phone, *EIGHT, "Bartholomew & Cornelia", rounds=rounds, variant="partnership-pitch")
        )
        path = night_path(play_round(host, "Opal & Pete", "Mia & Ned", "Ann & Cal", "Ida & Jon"))
        page = phone.open(f"{path}/rounds/1/tables/3")
        uid = next(it.one("input").attrs["value"] for it in page.root.all("label") if it.text == "Gus & Hal")
        other = next(name for name in page.form("/result").fields if name.startswith("score-") and uid not in name)
        page.send("/result", {"winner": uid, f"score-{uid}": "21", other: "-3"})
        return f"{path}/"

    return play


def at_night(rest: str = "", *, rounds: str = "3") -> Below:
    """Return a page of such a night."""
    return Below(four_tables(rounds), rest)


def singles(phone: Phone) -> str:
    """Begin a night of singles with all that can be asked for, and return its path."""
    page = phone.open("/nights/new").send("/nights/new", {"mode": "singles", "ranking": "points"})
    path = night_path(page.send("/pairs", {"roster": "\n".join("Ann Bea Cal Dan Eve Finn Gus Hal Ida".split())}))
    said = {"minutes": "20", "fee": "Entry $5", "prizes": "The jar", "confirms": "yes"}
    phone.open(f"{path}/settings").send("/settings", said)
    phone.open(f"{path}/pairs").send("/start")
    return f"{path}/"


def players_seat(phone: Phone) -> str:
    """Let the phone of a player into a night of singles, and return the path of where it sits and says who won."""
    owner = Phone(phone.client.application.test_client())
    host = owner.open(singles(owner))
    playing = host.part("t1").all("button")[0].text.split(" & ")[0]
    return join_night(host, phone, name=playing).path


def nights_of_book(phone: Phone) -> str:
    """Play a night to its end, and return the path of the nights of its book."""
    finished_night()(phone)
    return phone.open("/").tap("All matches").tap("Ladder nights").path


def night_before_its_start(phone: Phone) -> str:
    """Add pairs to a night, and return its path."""
    return f"{night_path(begin_night(phone, *EIGHT[:5]))}/"


def finished_night(rest: str = "") -> Below:
    """Return a page of a night that was played to its end."""
    return at_night(rest, rounds="1")


def deleted_night(phone: Phone) -> str:
    """Delete a night, and return the path of what is left of it."""
    path = at_night()(phone)
    phone.open(f"{path}delete").send("/delete")
    return path


def pairs_seat(phone: Phone) -> str:
    """Let the phone of a pair into a night, and return the path of where it sits."""
    owner = Phone(phone.client.application.test_client())
    host = owner.open(at_night()(owner))
    return join_night(host, phone, name="Gus & Hal").path


def joining_a_night(phone: Phone) -> str:
    """Return the path by which a phone joins a night."""
    owner = Phone(phone.client.application.test_client())
    return night_invitation(owner.open(at_night()(owner)))


def night_phones(phone: Phone) -> str:
    """Let a phone into a night, and return the path of the list of its phones."""
    path = at_night()(phone)
    join_night(phone.open(path), Phone(phone.client.application.test_client()), "scorer", "Gus & Hal")
    return f"{path}phones"


MILLERS = HouseRules(
    "The Millers’ Pitch", "partnership-pitch", {"dealer_steal": "no", "target": 15}, ("Loser does the dishes.",)
)
CODE = encode(MILLERS)


def house_rules(rest: str = "") -> Play:
    """Return what keeps house rules on the phone, and returns the path of one of their pages."""

    def prepare(phone: Phone) -> str:
        kept = phone.open(f"/rules?r={CODE}").send("/house/take")
        path = next(it.attrs["href"] for it in phone.open("/house").root.all("a") if "Millers" in it.text)
        assert kept.status == 200
        return f"{path.rpartition('/')[0] if path.endswith('/share') else path}{rest}"

    return prepare


def house_rules_list(phone: Phone) -> str:
    """Keep house rules on the phone, and return the path of their list."""
    house_rules()(phone)
    return "/house"


def with_rule_change(phone: Phone) -> str:
    """Change a rule in mid-match, and return the path of all hands."""
    match = play_seven_hands(begin_match(phone))
    form_page = phone.open(f"{match.path}rules/change")
    form_page.send("/rules/change", {"rule-low": "held"}, press="Start with")
    play_hand(match, call="p4:3")
    return f"{match.path}history"


def with_three_phones(phone: Phone) -> str:
    """Let three phones in, remove one of them, and return the path of the list of phones."""
    match = phone.open(play_seven_hands(begin_match(phone)).path)
    phone.open(f"{match.path}whose").send("/whose", {"seat": "p1"})
    for role, seat in (("scorer", "p2"), ("watcher", "p3"), ("watcher", "nobody")):
        let_in(match, Phone(phone.client.application.test_client()), role, seat)
    change(match, "end", max(link_numbers(match)))
    invited(match)
    return f"{match.path}room"


def link_numbers(match: Answer) -> list[int]:
    """Return the numbers of the links that can be changed."""
    room = match.phone.open(f"{match.path}room")
    found = [it.attrs["action"].rpartition("/")[2] for it in room.root.all("form")]
    return [int(number) for number in found if number.isdigit()]


TEN = (("bidder", "p3"), ("bid", "6"), ("trump", "spades"), ("took-jack", "s2"), ("took-deuce", "s2"))

PAGES = {
    "home-empty": PageCase(lambda _phone: "/"),
    "home": PageCase(home_with_matches),
    "choose": PageCase(lambda _phone: "/new"),
    "new": PageCase(players_step("partnership-pitch")),
    "people-nobody": PageCase(lambda _phone: "/people"),
    "settle-rules": PageCase(beside_matches("/settle/rules")),
    "settle": PageCase(lambda _phone: f"/settle?{MADE}"),
    "settle-empty": PageCase(lambda _phone: "/settle?rules=colorado-ten-point"),
    "settle-wrong": PageCase(lambda _phone: f"/settle?{BY_CARDS}&took-jack=p9"),
    "settle-cards": PageCase(lambda _phone: f"/settle?{BY_CARDS}"),
    "settle-three": PageCase(lambda _phone: "/settle?rules=partnership-pitch-six&call=s1:3&count-s1=3"),
    "settle-eight": PageCase(lambda _phone: "/settle?rules=cutthroat-pitch&seats=8&call=p2:2&count-p2=3"),
    "settle-called": PageCase(lambda _phone: "/settle?rules=razzle-dazzle&pair=p1:p3&bid=moon"),
    "settle-went-set": PageCase(lambda _phone: f"/settle?{WENT_SET}&went_set=s1"),
    "ruling-went-set": PageCase(lambda _phone: f"/settle?{WENT_SET}&went_set=s1&show=ruling"),
    "ruling": PageCase(lambda _phone: f"/settle?{BY_CARDS}&show=ruling"),
    "ruling-open": PageCase(lambda _phone: f"/settle?{NOT_AGREED}&show=ruling&fp=2222-2222"),
    "ruling-eight": PageCase(
        lambda _phone: "/settle?rules=cutthroat-pitch&seats=8&call=p2:2&count-p2=3&count-p1=1&show=ruling"
    ),
    "ruling-share": PageCase(lambda _phone: f"/settle/share?{MADE}"),
    "new-refused": PageCase(players_step("partnership-pitch"), start_without_names),
    "new-colorado": PageCase(players_step("colorado-ten-point")),
    "new-called": PageCase(players_step("razzle-dazzle")),
    "new-six": PageCase(players_step("colorado-six-player")),
    "new-money": PageCase(players_step("racehorse")),
    "new-open": PageCase(players_step("nine-card-pitch")),
    "new-five-refused": PageCase(players_step("cutthroat-pitch?seats=5"), start_without_names),
    "new-paper": PageCase(players_step("moon-over-four"), refuse_paper),
    "sits-in": PageCase(in_match("sits-in")),
    "sits-in-refused": PageCase(in_match("sits-in"), sit_in_nobody),
    "sits-in-money": PageCase(Below(for_money, "sits-in")),
    "match-from-paper": PageCase(from_paper),
    "again": PageCase(lambda phone: f"/new/again/{finished(phone).path.split('/')[2]}"),
    "match-new": PageCase(lambda phone: begin_match(phone).path),
    "match": PageCase(seven_hands),
    "match-held-back": PageCase(to_the_target),
    "match-three": PageCase(individuals("cutthroat-pitch", "3", "p1:3")),
    "match-five": PageCase(individuals("cutthroat-pitch", "5", "p1:3")),
    "match-called": PageCase(called_partner),
    "match-six": PageCase(three_pairs),
    "match-money": PageCase(for_money),
    "match-disputed": PageCase(lambda phone: disputed(phone).path),
    "history-disputed": PageCase(lambda phone: f"{disputed(phone).path}history", open_rows),
    "deal": PageCase(in_match("deal")),
    "verdict": PageCase(lambda phone: finished(phone).path),
    "stopped": PageCase(stopped),
    "what-if": PageCase(grandmas("what-if?off_jack=no")),
    "what-if-told": PageCase(grandmas("what-if?off_jack=no&told-6-off_jack=s2")),
    "what-if-undecided": PageCase(grandmas("what-if?off_jack=no&target=43")),
    "what-if-list": PageCase(grandmas("what-if")),
    "what-if-over": PageCase(grandmas("what-if?target=30")),
    "what-if-stops": PageCase(grandmas("what-if?max_bid=7")),
    "what-if-other-game": PageCase(grandmas("what-if?variant=oklahoma-ten-point")),
    "what-if-long": PageCase(grandmas("what-if?off_jack=no", ("Bartholomew & Cornelia", "Alexandria & Maximilian"))),
    "what-if-five": PageCase(Below(individuals("cutthroat-pitch", "5", "p1:3"), "what-if?game=no")),
    "what-if-money": PageCase(Below(for_money, "what-if?low=held")),
    "what-if-refused": PageCase(grandmas("what-if?target=many")),
    "what-if-rules": PageCase(grandmas("what-if/rules")),
    "deleted": PageCase(deleted),
    "entry": PageCase(entry("partnership-pitch")),
    "entry-penalty": PageCase(entry("partnership-pitch"), type_penalty),
    "entry-open": PageCase(
        entry("partnership-pitch"), picks(("call", "p4:3"), ("trump", "spades"), ("took-low", "s1"))
    ),
    "entry-set": PageCase(
        entry("partnership-pitch"),
        picks(("call", "p4:4"), ("trump", "hearts"), *((f"took-{a}", "s1") for a in ("high", "low", "jack", "game"))),
    ),
    "entry-smudge": PageCase(entry("partnership-pitch"), picks(("call", "p2:smudge"))),
    "entry-saved-offline": PageCase(entry("partnership-pitch"), save_offline, is_offline=True),
    "entry-discarding": PageCase(entry("partnership-pitch"), discard_waiting_hand, is_offline=True),
    "entry-offline": PageCase(entry("colorado-ten-point"), tap_offline, is_offline=True),
    "entry-draft": PageCase(entry("partnership-pitch"), return_to_draft),
    "match-offline": PageCase(seven_hands, watch_offline, is_offline=True),
    "offline": PageCase(lambda _phone: "/offline"),
    "entry-refused": PageCase(entry("partnership-pitch"), save_impossible_hand),
    "entry-piles": PageCase(entry("partnership-pitch"), count_piles),
    "entry-counts": PageCase(entry("partnership-pitch", "?by=counts"), picks(("call", "p4:3"), ("count-s1", "1"))),
    "entry-ten": PageCase(entry("colorado-ten-point")),
    "entry-ten-open": PageCase(entry("colorado-ten-point"), picks(*TEN)),
    "entry-thirteen": PageCase(entry("colorado-thirteen-point"), picks(*TEN)),
    "entry-fourteen": PageCase(entry("colorado-fourteen-point"), picks(*TEN)),
    "entry-ten-counts": PageCase(entry("colorado-ten-point", "?by=counts"), picks(("bidder", "p3"), ("bid", "6"))),
    "entry-many-bids": PageCase(entry("double-king-pede"), type_bid),
    "entry-auction-many": PageCase(entry("king-pedro-sixty-two", "?by=auction"), bids("31", "40", "pass")),
    "entry-unbound": PageCase(entry("partnership-pitch", house_all_pass="unobliged"), pass_and_play),
    "entry-six": PageCase(entry("colorado-six-player"), picks(("bidder", "p3"), ("bid", "6"), ("trump", "hearts"))),
    "entry-three": PageCase(entry("cutthroat-pitch", seats="3"), picks(("call", "p2:3"), ("took-low", "p3"))),
    "entry-five": PageCase(entry("cutthroat-pitch", seats="5"), picks(("call", "p2:3"), ("took-low", "p4"))),
    "entry-seven": PageCase(entry("cutthroat-pitch", seats="7"), picks(("call", "p2:3"), ("took-low", "nobody"))),
    "entry-eight": PageCase(entry("cutthroat-pitch", seats="8"), picks(("call", "p2:3"), ("took-low", "p4"))),
    "entry-called-counts": PageCase(
        entry("pawnee-call-your-partner", "?by=counts"), picks(("pair", "p3:p1"), ("bid", "6"), ("count-bidders", "4"))
    ),
    "entry-winning": PageCase(
        lambda phone: f"{to_the_target(phone)}hands/new", picks(("call", "p1:2"), ("took-low", "s2"))
    ),
    "entry-called": PageCase(entry("razzle-dazzle"), picks(("pair", "p3:p1"), ("bid", "6"))),
    "entry-no-bid": PageCase(entry("solo-without-bidding", seats="4"), picks(("took-high", "p2"))),
    "entry-no-bid-partners": PageCase(entry("partners-without-bidding")),
    "entry-money": PageCase(entry("racehorse", seats="4")),
    "entry-auction": PageCase(entry("partnership-pitch", "?by=auction"), bids("pass", "3", "2")),
    "entry-auction-over": PageCase(entry("partnership-pitch", "?by=auction"), bids("pass", "pass", "3", "pass")),
    "entry-auction-rounds": PageCase(
        entry("five-point-set-back", "?by=auction"), bids("1", "2", "pass", "3", "4", "pass")
    ),
    "entry-auction-ten": PageCase(entry("colorado-fourteen-point", "?by=auction"), bids("6", "14", "moon")),
    "entry-auction-called": PageCase(entry("razzle-dazzle", "?by=auction"), bids("6", "pass", "pass", "pass", "pass")),
    "entry-auction-six": PageCase(entry("colorado-six-player", "?by=auction"), bids("pass", "6")),
    "entry-auction-eight": PageCase(entry("cutthroat-pitch", "?by=auction", seats="8"), bids("2", "pass")),
    "entry-correct": PageCase(lambda phone: f"{play_seven_hands(begin_match(phone)).path}hands/1"),
    "conflict": PageCase(lambda phone: f"{begin_match(phone).path}hands/new", save_conflict),
    "history": PageCase(in_match("history"), open_rows),
    "history-changed": PageCase(with_corrections, open_rows),
    "history-five": PageCase(Below(individuals("cutthroat-pitch", "5", "p1:3"), "history"), open_rows),
    "change-log": PageCase(Below(with_corrections, "/journal")),
    "change-log-undone": PageCase(with_undone_correction),
    "remove": PageCase(in_match("history/1/remove")),
    "phones": PageCase(with_three_phones),
    "phones-alone": PageCase(in_match("room")),
    "seat-claim": PageCase(in_match("whose")),
    "join": PageCase(lambda phone: invited(play_seven_hands(begin_match(phone)))),
    "pin": PageCase(lambda _phone: "/join"),
    "pin-wrong": PageCase(lambda _phone: "/join", type_wrong_pin),
    "join-expired": PageCase(lambda _phone: "/join/nosuch"),
    "book": PageCase(Below(book_with_a_guest, "")),
    "book-searched": PageCase(Below(book_with_a_guest, "?person=a")),
    "book-phones": PageCase(Below(book_with_an_invitation, "phones")),
    "book-settings": PageCase(Below(book_with_a_guest, "settings?done=saved")),
    "people": PageCase(among_people("people")),
    "person": PageCase(among_people("people", r'"(/books/[^"]+/people/[^"]{22})"')),
    "pairs": PageCase(among_people("pairs", r'"(/books/[^"]+b=[^"]+)"')),
    "pairs-met": PageCase(among_people("pairs")),
    "year": PageCase(among_people("years/2026")),
    "people-names": PageCase(among_people("names")),
    "people-name": PageCase(among_people("names", r'"(/books/[^"]+/names/[^"]{22})"')),
    "join-book": PageCase(joining_a_book),
    "match-book": PageCase(in_match("book")),
    "remove-last": PageCase(deleting_last_hand),
    "delete": PageCase(in_match("delete")),
    "menu": PageCase(in_match("menu")),
    "tv": PageCase(in_match("tv")),
    "tv-new": PageCase(lambda phone: f"{begin_match(phone).path}tv"),
    "tv-won": PageCase(lambda phone: f"{finished(phone).path}tv"),
    "tv-eight": PageCase(Below(individuals("cutthroat-pitch", "8", "p1:3"), "tv")),
    "names-refused": PageCase(in_match("names"), repeat_a_name),
    "names": PageCase(in_match("names")),
    "settings": PageCase(lambda _phone: "/settings"),
    "share": PageCase(lambda phone: shared(phone).path),
    "phones-shared": PageCase(lambda phone: shared(phone).path.replace("share", "room")),
    "tv-open": PageCase(in_match("tv/open")),
    "transfer": PageCase(lambda _phone: "/transfer"),
    "transfer-refused": PageCase(lambda _phone: "/transfer", upload_bad_file),
    "rules": PageCase(lambda _phone: "/rules"),
    "rules-pitch": PageCase(lambda _phone: "/rules/partnership-pitch"),
    "rules-search": PageCase(lambda _phone: "/rules/partnership-pitch?low=held&q=who+gets+low"),
    "rules-search-empty": PageCase(lambda _phone: "/rules/oklahoma-ten-point?q="),
    "rules-search-nothing": PageCase(lambda _phone: "/rules/partnership-pitch?q=qqqq"),
    "rules-match": PageCase(in_match("rules")),
    "rules-match-search": PageCase(in_match("rules?q=who+wins")),
    "rules-match-earlier": PageCase(in_match("rules?hand=1")),
    "rules-found": PageCase(lambda _phone: "/new?q=setback&players=4"),
    "rules-in-link": PageCase(lambda _phone: f"/rules?r={CODE}"),
    "rules-mistyped": PageCase(lambda _phone: f"/rules?r={CODE[:-3]}xyz"),
    "house-rules-empty": PageCase(lambda _phone: "/house"),
    "house-rules-list": PageCase(house_rules_list),
    "house-rules": PageCase(house_rules()),
    "house-rules-new": PageCase(lambda _phone: "/house/new?base=colorado-ten-point"),
    "house-rules-refused": PageCase(house_rules(), save_refused_rules),
    "house-rules-not-imported": PageCase(house_rules_list, upload_unplayable_rules),
    "house-rules-share": PageCase(house_rules("/share")),
    "house-rules-saved": PageCase(house_rules("/share?said=saved")),
    "rule-change": PageCase(in_match("rules/change")),
    "rule-change-conflict": PageCase(in_match("rules/change"), change_a_rule_late),
    "history-rule-change": PageCase(with_rule_change, open_rows),
    "print": PageCase(beside_matches("/print")),
    "night-new": PageCase(lambda _phone: "/nights/new"),
    "night-agree": PageCase(lambda _phone: "/nights/new", choose_open_game),
    "night-pairs": PageCase(Below(night_before_its_start, "pairs")),
    "night-seating": PageCase(Below(night_before_its_start, "seating")),
    "night": PageCase(at_night()),
    "night-over": PageCase(finished_night()),
    "night-pairs-late": PageCase(at_night("pairs"), open_rows),
    "night-settings": PageCase(at_night("settings")),
    "night-singles": PageCase(Below(singles, "")),
    "night-players": PageCase(Below(singles, "pairs"), open_rows),
    "night-singles-settings": PageCase(Below(singles, "settings")),
    "night-says": PageCase(players_seat),
    "book-nights": PageCase(nights_of_book),
    "night-list": PageCase(at_night("list")),
    "night-list-over": PageCase(finished_night("list")),
    "night-result": PageCase(at_night("rounds/2/tables/1")),
    "night-correct": PageCase(at_night("rounds/1/tables/3")),
    "night-delete": PageCase(at_night("delete")),
    "night-deleted": PageCase(deleted_night),
    "night-phones": PageCase(night_phones),
    "night-wall": PageCase(at_night("wall")),
    "night-wall-over": PageCase(finished_night("wall")),
    "night-seat": PageCase(pairs_seat),
    "night-join": PageCase(joining_a_night),
    "not-found": PageCase(lambda _phone: "/matches/nosuch/"),
}
