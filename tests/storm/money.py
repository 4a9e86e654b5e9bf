"""A money night in a storm: hands, players who come and go, payments and what undoes them, late, twice and at once.

What was acknowledged has to be there once, what was refused nowhere; the night goes on in one match at a time.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import parse_qs, urlsplit

from tests.common.reading import forms_of
from tests.storm.model import NOBODY, PITCH, TAKEN, Hand, Table
from tests.storm.nights import NightStorm
from tests.storm.phones import Answer, Browser, Fields, fields_of
from tests.storm.storm import Broken

TABLE = Table("moon-over-four", PITCH.players, partners=0)
RULES = {"other-target": "7", "other-set_stake_cents": "25", "other-game_stake_cents": "50"}
MAX_PLAYERS = 6
KINDS = ("hand", "hand", "hand", "hand", "change", "change", "back", "pay", "pay", "unpay")


@dataclass(frozen=True)
class Game:
    """A match of the night."""

    begun: str
    """By the key of this form."""
    players: tuple[str, ...]
    hands: tuple[str, ...] = ()


@dataclass(frozen=True)
class Night:
    """A night as it has to be."""

    games: tuple[Game, ...]
    paid: tuple[tuple[str, str], ...] = ()
    """What was paid, with the match in which that is written down."""
    keys: frozenset[str] = frozenset()

    @property
    def seen(self) -> object:
        """What is seen of it."""
        games = [(game.players, sorted(game.hands)) for game in self.games]
        return games, sorted(words for words, _ in self.paid)


@dataclass(frozen=True)
class Post:
    """What a phone sends about a match."""

    phone: str
    key: str
    does: str
    """`hand`, `change`, `back`, `pay` or `unpay`."""
    game: str
    what: str = ""
    """The hand, or the payment."""
    players: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.phone} {self.key[-8:]}: {self.does} in {self.game[-8:]} {self.what} {' '.join(self.players)}"

    def after(self, night: Night) -> Iterator[Night]:
        """Yield what the night may be once this is written; nothing where it cannot be."""
        if self.does == "unpay":  # of two payments that are alike, whichever the form is of
            for index, (what, _) in enumerate(night.paid):
                if what == self.what:
                    yield replace(
                        night, paid=night.paid[:index] + night.paid[index + 1 :], keys=night.keys | {self.key}
                    )
        elif after := self._next(night):
            yield after

    def _next(self, night: Night) -> Night | None:
        last = night.games[-1]
        keys = night.keys | {self.key}
        if self.does == "pay":  # what somebody owes is of the night: it is written where that is played by now
            return replace(night, paid=(*night.paid, (self.what, last.begun)), keys=keys)
        if self.game != last.begun:
            return None
        match self.does:
            case "hand":
                game = replace(last, hands=(*last.hands, self.what))
                return replace(night, games=(*night.games[:-1], game), keys=keys)
            case "change":
                return replace(night, games=(*night.games, Game(self.key, self.players)), keys=keys)
            case _:
                is_begun = last.hands or any(game == last.begun for _, game in night.paid)
                return None if is_begun or len(night.games) == 1 else replace(night, games=night.games[:-1], keys=keys)


Job = tuple[Post, str, Fields]


@dataclass
class MoneyStorm(NightStorm[Night, Post]):
    """A money night with its phones, each with the address of the last match that it has seen."""

    games: dict[str, str] = field(default_factory=dict)
    """The match behind each address."""
    hands: set[str] = field(default_factory=set)
    guests: int = 0

    def begin(self, phones: int) -> None:
        """Start the first match on a phone, and let others score."""
        owner, address = self.new_browser(), f"/new/{TABLE.game}"
        form = owner.get(f"{address}?seats={len(TABLE.players)}").form(address)
        seats = {f"seat-{number}": name for number, name in enumerate(TABLE.players)}
        rules = {**RULES, "house-all_pass": "dealer_forced"}
        path = urlsplit(owner.post(form.action, {**form.fields, **seats, **rules, "do": "start"}).location).path
        self.phones["owner"] = owner, path
        self.join("room", {"seat": NOBODY}, phones)
        self.games = dict.fromkeys((path for _, path in self.phones.values()), "")
        self.nights = [Night((Game("", TABLE.players),))]

    def look(self, name: str) -> Answer:
        """Open the page of the night on a phone, which goes on with the match that is played now."""
        browser, path = self.phones[name]
        page = browser.get(f"{path}money")
        if page.status != 200:  # that match was taken back
            path = next(path for path, game in self.games.items() if game == "" and browser.get(path).status == 200)
            page = browser.get(f"{path}money")
        links = page.page.chosen("#bottom_bar a.go")
        path = urlsplit(links[0].attrs["href"]).path
        self.phones[name] = browser, path
        return page

    # ---------- posts ----------

    def job_of(self, name: str) -> Job | None:
        """Open a page, and fill in its form; `None` where there is none."""
        does = self.rng.choice(KINDS)
        page = self.look(name)
        browser, path = self.phones[name]
        if path not in self.games:  # by a form that nobody had an answer to, which has been written since
            self.audit([], self.unseen)
        game = self.games.setdefault(path, self.nights[0].games[-1].begun)
        make = {"hand": self._hand, "change": self._change, "back": self._back, "pay": self._pay, "unpay": self._unpay}
        return make[does](name, browser, path, game, page)

    def _hand(self, name: str, browser: Browser, path: str, game: str, _page: Answer) -> Job | None:
        answer = browser.get(f"{path}hands/new")
        if answer.status != 200 or not answer.page.all("form", id="hand_form"):
            return None
        form, hand = answer.form("/hands/new"), self._new_hand(game)
        fields = {**form.fields, **fields_of(hand), "do": "save"}
        return Post(name, form.fields["client_key"], "hand", game, _words(hand)), form.action, fields

    def _new_hand(self, game: str) -> Hand:
        """Draw a hand that nobody has entered: of two phones that enter the same one, one is enough."""
        players = next(played.players for played in self.nights[0].games if played.begun == game)
        seats = replace(TABLE, players=players).seats
        while True:
            bidder = self.rng.choice(seats)
            others = {award: (*seats, *(() if award in TAKEN else (NOBODY,))) for award in TABLE.awards}
            takers = [bidder if self.rng.random() < 0.6 else self.rng.choice(others[award]) for award in others]
            hand = Hand(
                bidder=bidder,
                bid=self.rng.randint(2, 4),
                trump=self.rng.choice(("clubs", "diamonds", "hearts", "spades")),
                taken=tuple(zip(TABLE.awards, takers, strict=True)),
            )
            if _words(hand) not in self.hands:
                self.hands.add(_words(hand))
                return hand

    def _change(self, name: str, browser: Browser, path: str, game: str, _page: Answer) -> Job | None:
        answer = browser.get(f"{path}money/players")
        form = next((form for form in answer.forms if form.action.endswith("/players")), None)
        known = next((played for played in self.nights[0].games if played.begun == game), None)
        if form is None or known is None:
            return None
        self.guests += 1
        guest = f"Guest{'abcdefghij'[self.guests // 10 % 10]}{'abcdefghij'[self.guests % 10]}"
        players, leaves = [*known.players], self.rng.randrange(len(known.players))
        if len(players) < MAX_PLAYERS:
            leaves = len(players)
        players[leaves:] = [guest, *players[leaves + 1 :]]
        stays = [f"p{number}" for number in range(1, len(known.players) + 1) if number != leaves + 1]
        fields = {**form.fields, "stays": stays, "joins-1": guest}
        return Post(name, form.fields["client_key"], "change", game, players=tuple(players)), form.action, fields

    def _back(self, name: str, _browser: Browser, _path: str, game: str, page: Answer) -> Job | None:
        form = next((form for form in page.forms if form.action.endswith("/take-back")), None)
        return (Post(name, form.fields["client_key"], "back", game), form.action, form.fields) if form else None

    def _pay(self, name: str, _browser: Browser, _path: str, game: str, page: Answer) -> Job | None:
        rows = [row for row in page.page.chosen("#night li") if any("/paid" in form.action for form in forms_of(row))]
        if not rows:
            return None
        row = self.rng.choice(rows)
        (form,) = forms_of(row)
        words = row.all("b")[0].text.replace(" pays ", " paid ")
        return Post(name, form.fields["client_key"], "pay", game, words), form.action, form.fields

    def _unpay(self, name: str, _browser: Browser, _path: str, game: str, page: Answer) -> Job | None:
        rows = [
            row for row in page.page.chosen("#night li") if any("/undo-paid" in form.action for form in forms_of(row))
        ]
        if not rows:
            return None
        (form,) = forms_of(rows[0])
        return Post(name, form.fields["client_key"], "unpay", game, rows[0].all("b")[0].text), form.action, form.fields

    def is_acknowledged(self, post: Post, answer: Answer) -> bool:
        """Return whether a response acknowledges that a form was written, now or before."""
        match post.does:
            case "pay" | "unpay":
                return bool(answer.location)
            case "change" | "back":  # leads to another match
                path = urlsplit(answer.location).path
                is_done = bool(path) and not path.endswith("/money")
                if is_done and post.does == "change":
                    self.games.setdefault(path, post.key)
                return is_done
            case _:
                return "said" in parse_qs(urlsplit(answer.location).query)

    # ---------- what is there ----------

    def seen(self) -> object:
        """Return who plays in each match and its hands, and what was paid, as the owner's phone sees them."""
        page = self.look("owner").page
        owner = self.phones["owner"][0]
        paths = [
            link.attrs["href"] for link in page.chosen("#night .list a") if link.attrs["href"].startswith("/matches/")
        ]
        games = []
        for path in reversed(paths):
            record = json.loads(owner.get(f"{urlsplit(path).path}record.json").text)
            seats = {name: f"p{number}" for number, name in enumerate(record["players"], 1)}
            hands = sorted(_words(_read(hand, seats)) for hand in record["hands"] if "bidder" in hand)
            games.append((tuple(record["players"]), hands))
        paid = sorted(payment.text for payment in page.chosen("#night .list b") if " paid " in payment.text)
        owed = [line.text for line in page.chosen("#night .end") if "$" in line.text]
        if sum(map(_cents, owed)):
            raise Broken(f"What is owed does not come to nothing: {owed}")
        return games, paid

    def after(self, night: Night, post: Post, answer: Answer | None, reasons: dict[str, None]) -> Iterator[Night]:
        """Yield what a night may be after a post: any may be refused where another was faster."""
        is_done = None if answer is None else self.is_acknowledged(post, answer)
        is_known = post.key in night.keys
        if is_known or not is_done:
            yield night
        if not (is_known or is_done is False):
            yield from post.after(night)


def _words(hand: Hand) -> str:
    return f"{hand.bidder} {hand.bid} {hand.trump} {' '.join(side for _, side in hand.taken)}"


def _read(hand: Mapping[str, object], seats: Mapping[str, str]) -> Hand:
    """Read a hand of a download."""
    taken = hand["taken"]
    assert isinstance(taken, dict)
    takers = tuple((award, NOBODY if taken[award] is None else seats[taken[award]]) for award in TABLE.awards)
    return Hand(bidder=seats[str(hand["bidder"])], bid=int(str(hand["bid"])), trump=str(hand["trump"]), taken=takers)


def _cents(text: str) -> int:
    amount = text.replace("−", "-").replace("$", "").replace("+", "")
    return round(float(amount) * 100)
