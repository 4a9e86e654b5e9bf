"""Every page of the app, each as somebody comes to it: what was played before, and the last step on the screen."""

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page as Screen
from playwright.sync_api import expect

from scorekeeper.rules.code import encode
from scorekeeper.rules.house import HouseRules
from tests.browser.tables import begun, evening, played
from tests.web.guests import change, invited, let_in
from tests.web.phone import Page, Phone

Step = Callable[[Screen], None]


def stay(_screen: Screen) -> None:
    """Look at the page as it opens."""


@dataclass(frozen=True)
class Place:
    """A page, and how it is come to."""

    lay: Callable[[Phone], str]
    """Play what was played before, and give the path to open."""
    step: Step = stay
    """What is tapped there."""
    is_cut: bool = False
    """The network is cut on the way, of which the console tells."""


def pick(screen: Screen, name: str, value: str) -> None:
    """Tap an answer."""
    screen.locator(f'label:has([name="{name}"][value="{value}"])').tap()


def settle(screen: Screen) -> None:
    """Wait until what was tapped has been counted."""
    expect(screen.locator(".htmx-request")).to_have_count(0)


def picks(*answers: tuple[str, str]) -> Step:
    """Tap answers, one after the other, each counted before the next."""

    def step(screen: Screen) -> None:
        for name, value in answers:
            with screen.expect_response("**/preview"):
                pick(screen, name, value)
            settle(screen)

    return step


def refused(screen: Screen) -> None:
    """Save a hand that cannot have been."""
    pick(screen, "call", "p4:3")
    for award, who in (("high", "nobody"), ("low", "s1"), ("jack", "nobody"), ("game", "s1")):
        with screen.expect_response("**/preview"):
            pick(screen, f"took-{award}", who)
    screen.get_by_text("Count for Game").tap()
    screen.locator("[name=pile-s1]").fill("31")
    with screen.expect_response("**/preview"):
        screen.locator("[name=pile-s2]").fill("49")
    settle(screen)
    with screen.expect_navigation():
        screen.locator("#main-button").tap()


def kept(screen: Screen) -> None:
    """Save a hand without a network."""
    picks(("call", "p4:3"), ("took-low", "s1"))(screen)
    screen.context.set_offline(True)
    screen.locator("#main-button").tap()
    expect(screen.locator("#outbox")).to_contain_text("Kept on this phone")


def asking(screen: Screen) -> None:
    """Be asked before a waiting hand is thrown away."""
    kept(screen)
    screen.get_by_role("button", name="Throw away").tap()


def uncounted(screen: Screen) -> None:
    """Tap on without a network."""
    screen.context.set_offline(True)
    pick(screen, "bidder", "p3")
    expect(screen.locator("#foot")).to_contain_text("What you entered is safe.")


def left(screen: Screen) -> None:
    """Come back to a hand that was not saved."""
    picks(("call", "p4:3"))(screen)
    screen.reload()
    expect(screen.locator("#draft")).to_contain_text("As you left it.")
    settle(screen)


def lost(screen: Screen) -> None:
    """Watch without a network, while a hand waits."""
    match = screen.url
    screen.goto(f"{match}hands/new")
    clash(screen)
    screen.goto(match)
    expect(screen.locator("#outbox")).to_contain_text("is still on this phone")
    screen.context.set_offline(True)
    expect(screen.locator("#touch")).to_contain_text("Lost touch.")


def piled(screen: Screen) -> None:
    """Count two piles card by card."""
    screen.get_by_text("Count for Game").tap()
    for summary in screen.locator(".pile summary").all():
        summary.tap()
    for name in ("cards-s1-10", "cards-s1-A", "cards-s2-K"):
        with screen.expect_response("**/preview"):
            screen.locator(f".rank:has([name={name}]) [data-adds='1']").tap()
    settle(screen)


def unnamed(screen: Screen) -> None:
    """Start with one name only."""
    screen.locator("[name=seat-0]").fill("Ann")
    with screen.expect_navigation():
        screen.locator(".foot .go").tap()


def bad_file(screen: Screen) -> None:
    """Bring a file that is none of ours."""
    screen.locator("[type=file]").set_input_files(
        {"name": "cabin.json", "mimeType": "application/json", "buffer": b'{"format": "pitch-record/1", "hands": 3}'}
    )
    with screen.expect_navigation():
        screen.get_by_role("button", name="Take it in").tap()


def bad_name(screen: Screen) -> None:
    """Give two people one name."""
    screen.locator("[name=name-p1]").fill("Bea")
    with screen.expect_navigation():
        screen.get_by_role("button", name="Keep these names").tap()


def opened_rows(screen: Screen) -> None:
    """Open the first two hands."""
    for summary in screen.locator("summary").all()[:2]:
        summary.tap()


def entry(ruleset_id: str, query: str = "", **said: str) -> Callable[[Phone], str]:
    """Open the hand entry of a new match."""
    return lambda phone: f"{begun(phone, ruleset_id, **said).path}hands/new{query}"


def table(ruleset_id: str) -> Callable[[Phone], str]:
    """Open the second step of a new match."""
    return lambda _phone: f"/new/{ruleset_id}"


def in_evening(rest: str = "") -> Callable[[Phone], str]:
    """Open a page of a match in its middle."""
    return lambda phone: evening(begun(phone)).path + rest


def ended(phone: Phone) -> Page:
    """Play until somebody has won."""
    match = begun(phone, house_target="7")
    return played(played(match, call="p2:4", trump="hearts"), call="p4:3", trump="spades", took_low="s1")


def home(phone: Phone) -> str:
    """Come home with three matches on the phone."""
    begun(phone, "cutthroat-pitch", seats="5")
    ended(phone)
    evening(begun(phone, title="Thursday at Oma’s"))
    return "/"


def many_alone(ruleset_id: str, seats: str, call: str) -> Callable[[Phone], str]:
    """Open a match of people who each play alone."""

    def lay(phone: Phone) -> str:
        match = begun(phone, ruleset_id, seats=seats)
        played(match, call=call, took_low="p2")
        return played(match, call=call.replace("p1", "p3"), took_game="p2", took_low="p2").path

    return lay


def removed(phone: Phone) -> str:
    """Take a hand out and put another right, and look at every hand."""
    match = evening(begun(phone))
    phone.open(f"{match.path}history/2/remove").send("/remove")
    phone.open(f"{match.path}hands/1").send("/1", {"took-game": "s1"}, press="Save")
    return f"{match.path}history"


def taken_back(phone: Phone) -> str:
    """Take a correction back, go on, and look at everything that was written."""
    match = evening(begun(phone))
    phone.open(f"{match.path}hands/1").send("/1", {"took-game": "s1"}, press="Save").send("/undo")
    return f"{played(match, call='p2:2', took_low='s1').path}history/journal"


def unmaking(phone: Phone) -> str:
    """Ask to take out the hand that decided."""
    return f"{ended(phone).path}history/2/remove"


def stopped(phone: Phone) -> str:
    """Stop early."""
    return evening(begun(phone)).tap("Menu").tap("Stop for tonight").send("/stop").path


def gone(phone: Phone) -> str:
    """Throw a match away."""
    match = evening(begun(phone))
    match.tap("Menu").tap("Throw this match away").send("/delete")
    return match.path


def called(phone: Phone) -> str:
    """Play two hands with a called partner."""
    match = begun(phone, "razzle-dazzle")
    played(match, pair="p3:p1", bid="6", called="A")
    return played(match, pair="p2:p4", bid="7", called="K", took_ace="defenders").path


def six(phone: Phone) -> str:
    """Play two hands of three pairs."""
    match = begun(phone, "colorado-six-player")
    played(match, bidder="p3", bid="6", trump="hearts", took_jack="s2")
    return played(match, bidder="p2", bid="7", trump="clubs", took_ten="s1").path


def money(phone: Phone) -> str:
    """Play two hands for money."""
    match = begun(phone, "money-pitch", seats="4")
    played(match, call="p1:2", took_low="p2")
    return played(match, call="p3:3", took_low="p2").path


def waiting(phone: Phone) -> Page:
    """Let the other side accept each hand, and play two that wait."""
    match = evening(begun(phone)).tap("Menu").tap("Let the other side accept each hand").send("/agreement")
    played(match, call="p1:3", trump="hearts", took_low="s2")
    phone.open(f"{match.path}history/2/remove").send("/remove")
    return played(match, call="p2:2", took_low="s1").send("/undo").send("/redo").send("/undo")


def clash(screen: Screen) -> None:
    """Save a hand that another phone has just written."""
    picks(("call", "p1:2"), ("trump", "hearts"), ("took-low", "s2"))(screen)
    other = screen.context.new_page()
    other.goto(screen.url)
    picks(("call", "p4:3"))(other)
    with other.expect_navigation():
        other.locator("#main-button").tap()
    other.close()
    with screen.expect_navigation():
        screen.locator("#main-button").tap()


MILLERS = HouseRules(
    "The Millers’ Pitch", "partnership-pitch", {"dealer_steal": "no", "target": 15}, ("Loser does the dishes.",)
)
CODE = encode(MILLERS)


def house(rest: str = "") -> Callable[[Phone], str]:
    """Keep the Millers' rules on the phone, and open one of their pages."""

    def lay(phone: Phone) -> str:
        page = phone.open(f"/rules?r={CODE}").send("/house/take")
        path = next(it.attrs["href"] for it in phone.open("/house").root.all("a") if "Millers" in it.text)
        assert page.status == 200
        return f"{path.rpartition('/')[0] if path.endswith('/share') else path}{rest}"

    return lay


def houses(phone: Phone) -> str:
    """Keep the Millers' rules on the phone, and list them."""
    house()(phone)
    return "/house"


def ruled(phone: Phone) -> str:
    """Change a rule in mid-match, and look at every hand."""
    match = evening(begun(phone))
    page = phone.open(f"{match.path}rules/change")
    page.send("/rules/change", {"rule-low": "held"}, press="Let it count")
    played(match, call="p4:3")
    return f"{match.path}history"


def says(*calls: str) -> Step:
    """Make calls, one after the other."""

    def step(screen: Screen) -> None:
        for call in calls:
            with screen.expect_response("**/preview"):
                screen.locator(f'.call button[value$=":{call}"]').tap()
            settle(screen)

    return step


def full_room(phone: Phone) -> str:
    """Let three phones in, one to write, one to look on, and one out again."""
    match = phone.open(evening(begun(phone)).path)
    phone.open(f"{match.path}whose").send("/whose", {"seat": "p1"})
    for role, seat in (("scorer", "p2"), ("watcher", "p3"), ("watcher", "nobody")):
        let_in(match, Phone(phone.client.application.test_client()), role, seat)
    change(match, "end", max(phones_in(match)))
    invited(match)
    return f"{match.path}room"


def phones_in(match: Page) -> list[int]:
    """Number the links that can be changed."""
    room = match.phone.open(f"{match.path}room")
    found = [it.attrs["action"].rpartition("/")[2] for it in room.root.all("form")]
    return [int(number) for number in found if number.isdigit()]


def wrong_pin(screen: Screen) -> None:
    """Type a PIN that no match has."""
    screen.locator("#pin").fill("KKACC")
    with screen.expect_navigation():
        screen.get_by_role("button", name="Come in").tap()


TEN = (("bidder", "p3"), ("bid", "6"), ("trump", "spades"), ("took-jack", "s2"), ("took-deuce", "s2"))

PLACES = {
    "home-empty": Place(lambda _phone: "/"),
    "home": Place(home),
    "choose": Place(lambda _phone: "/new"),
    "new": Place(table("partnership-pitch")),
    "new-refused": Place(table("partnership-pitch"), unnamed),
    "new-colorado": Place(table("colorado-ten-point")),
    "new-called": Place(table("razzle-dazzle")),
    "new-six": Place(table("colorado-six-player")),
    "new-money": Place(table("racehorse")),
    "new-open": Place(table("nine-card-pitch")),
    "again": Place(lambda phone: f"/new/again/{ended(phone).path.split('/')[2]}"),
    "match-new": Place(lambda phone: begun(phone).path),
    "match": Place(in_evening()),
    "match-three": Place(many_alone("cutthroat-pitch", "3", "p1:3")),
    "match-five": Place(many_alone("cutthroat-pitch", "5", "p1:3")),
    "match-called": Place(called),
    "match-six": Place(six),
    "match-money": Place(money),
    "match-waiting": Place(lambda phone: waiting(phone).path),
    "history-waiting": Place(lambda phone: f"{waiting(phone).path}history", opened_rows),
    "agreement": Place(in_evening("agreement")),
    "deal": Place(in_evening("deal")),
    "verdict": Place(lambda phone: ended(phone).path),
    "stopped": Place(stopped),
    "gone": Place(gone),
    "entry": Place(entry("partnership-pitch")),
    "entry-open": Place(entry("partnership-pitch"), picks(("call", "p4:3"), ("trump", "spades"), ("took-low", "s1"))),
    "entry-set": Place(
        entry("partnership-pitch"),
        picks(("call", "p4:4"), ("trump", "hearts"), *((f"took-{a}", "s1") for a in ("high", "low", "jack", "game"))),
    ),
    "entry-smudge": Place(entry("partnership-pitch"), picks(("call", "p2:smudge"))),
    "entry-kept": Place(entry("partnership-pitch"), kept, is_cut=True),
    "entry-asking": Place(entry("partnership-pitch"), asking, is_cut=True),
    "entry-uncounted": Place(entry("colorado-ten-point"), uncounted, is_cut=True),
    "entry-left": Place(entry("partnership-pitch"), left),
    "match-lost": Place(in_evening(), lost, is_cut=True),
    "offline": Place(lambda _phone: "/offline"),
    "entry-refused": Place(entry("partnership-pitch"), refused),
    "entry-piles": Place(entry("partnership-pitch"), piled),
    "entry-counts": Place(entry("partnership-pitch", "?by=counts"), picks(("call", "p4:3"), ("count-s1", "1"))),
    "entry-ten": Place(entry("colorado-ten-point")),
    "entry-ten-open": Place(entry("colorado-ten-point"), picks(*TEN)),
    "entry-thirteen": Place(entry("colorado-thirteen-point"), picks(*TEN)),
    "entry-fourteen": Place(entry("colorado-fourteen-point"), picks(*TEN)),
    "entry-ten-counts": Place(entry("colorado-ten-point", "?by=counts"), picks(("bidder", "p3"), ("bid", "6"))),
    "entry-six": Place(entry("colorado-six-player"), picks(("bidder", "p3"), ("bid", "6"), ("trump", "hearts"))),
    "entry-three": Place(entry("cutthroat-pitch", seats="3"), picks(("call", "p2:3"), ("took-low", "p3"))),
    "entry-five": Place(entry("cutthroat-pitch", seats="5"), picks(("call", "p2:3"), ("took-low", "p4"))),
    "entry-called": Place(entry("razzle-dazzle"), picks(("pair", "p3:p1"), ("bid", "6"))),
    "entry-no-bid": Place(entry("solo-without-bidding", seats="4"), picks(("took-high", "p2"))),
    "entry-no-bid-partners": Place(entry("partners-without-bidding")),
    "entry-money": Place(entry("racehorse", seats="4")),
    "entry-auction": Place(entry("partnership-pitch", "?by=auction"), says("pass", "3", "2")),
    "entry-auction-over": Place(entry("partnership-pitch", "?by=auction"), says("pass", "pass", "3", "pass")),
    "entry-auction-rounds": Place(
        entry("five-point-set-back", "?by=auction"), says("1", "2", "pass", "3", "4", "pass")
    ),
    "entry-auction-ten": Place(entry("colorado-fourteen-point", "?by=auction"), says("6", "14", "moon")),
    "entry-auction-called": Place(entry("razzle-dazzle", "?by=auction"), says("6", "pass", "pass", "pass", "pass")),
    "entry-auction-six": Place(entry("colorado-six-player", "?by=auction"), says("pass", "6")),
    "entry-auction-eight": Place(entry("cutthroat-pitch", "?by=auction", seats="8"), says("2", "pass")),
    "entry-correct": Place(lambda phone: f"{evening(begun(phone)).path}hands/1"),
    "clash": Place(lambda phone: f"{begun(phone).path}hands/new", clash),
    "history": Place(in_evening("history"), opened_rows),
    "history-changed": Place(removed, opened_rows),
    "history-five": Place(
        lambda phone: many_alone("cutthroat-pitch", "5", "p1:3")(phone) + "history",
        opened_rows,
    ),
    "journal": Place(lambda phone: f"{removed(phone)}/journal"),
    "journal-back": Place(taken_back),
    "remove": Place(in_evening("history/1/remove")),
    "room": Place(full_room),
    "room-alone": Place(in_evening("room")),
    "whose": Place(in_evening("whose")),
    "come-in": Place(lambda phone: invited(evening(begun(phone)))),
    "pin": Place(lambda _phone: "/join"),
    "pin-wrong": Place(lambda _phone: "/join", wrong_pin),
    "code-run-out": Place(lambda _phone: "/join/nosuch"),
    "remove-unmaking": Place(unmaking),
    "delete": Place(in_evening("delete")),
    "menu": Place(in_evening("menu")),
    "tv": Place(in_evening("tv")),
    "tv-new": Place(lambda phone: f"{begun(phone).path}tv"),
    "tv-won": Place(lambda phone: f"{ended(phone).path}tv"),
    "tv-eight": Place(lambda phone: many_alone("cutthroat-pitch", "8", "p1:3")(phone) + "tv"),
    "menu-refused": Place(in_evening("menu"), bad_name),
    "transfer": Place(lambda _phone: "/transfer"),
    "transfer-refused": Place(lambda _phone: "/transfer", bad_file),
    "rules": Place(lambda _phone: "/rules"),
    "rules-pitch": Place(lambda _phone: "/rules/partnership-pitch"),
    "rules-match": Place(in_evening("rules")),
    "rules-found": Place(lambda _phone: "/new?q=setback&players=4"),
    "rules-carried": Place(lambda _phone: f"/rules?r={CODE}"),
    "rules-mistyped": Place(lambda _phone: f"/rules?r={CODE[:-3]}xyz"),
    "houses-empty": Place(lambda _phone: "/house"),
    "houses": Place(houses),
    "house": Place(house()),
    "house-new": Place(lambda _phone: "/house/new?base=colorado-ten-point"),
    "house-share": Place(house("/share")),
    "rule-change": Place(in_evening("rules/change")),
    "history-ruled": Place(ruled, opened_rows),
    "print": Place(lambda _phone: "/print"),
    "nowhere": Place(lambda _phone: "/matches/nosuch/"),
}
