"""A ladder night in a storm: several phones say who won, start rounds, undo and redo, late, twice and at once.

What a night has to be after some posts is worked out a second time.
"""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from io import StringIO
from random import Random
from urllib.parse import urlsplit

from tests.storm.orders import explained
from tests.storm.phones import Answer, Browser, enter_pin
from tests.storm.storm import Broken, at_once

PAIRS = ("Ann & Cal", "Bea & Dan", "Eve & Finn", "Gus & Hal", "Ida & Jon", "Kay & Lou")
ROUNDS = 6
MOST = 20
"""Nights that may be."""
Game = tuple[frozenset[str], str]
"""Who plays at a table, and who won there."""


@dataclass(frozen=True)
class Tap:
    """What a phone sends."""

    phone: str
    key: str
    does: str
    """`win`, `round`, `undo` or `redo`."""
    version: int
    """Of the page that was tapped."""
    number: int = 0
    """Of the round."""
    table: int = 0
    winner: str = ""
    was: str = ""
    """Who had won there on that page."""

    def __str__(self) -> str:
        return f"{self.phone} {self.key[-8:]}: {self.does} on {self.version} {self.number} {self.table} {self.winner}"


@dataclass(frozen=True)
class Night:
    """A night as it has to be."""

    seated: tuple[frozenset[str], ...]
    """Who sits where in round 1, the lowest table first."""
    begun: int
    """Its version then."""
    taps: tuple[Tap, ...] = ()
    """Those that were written."""

    @property
    def version(self) -> int:
        """How much was written."""
        return self.begun + len(self.taps)

    @cached_property
    def history(self) -> tuple[list[Tap], list[Tap]]:
        """What is in force, and what a redo would restore, the next one last."""
        done, undone = list[Tap](), list[Tap]()
        for tap in self.taps:
            if tap.does == "undo":
                undone.append(done.pop())
            elif tap.does == "redo":
                done.append(undone.pop())
            else:
                done.append(tap)
                undone = []
        return done, undone

    @cached_property
    def rounds(self) -> list[list[Game]]:
        """The games of each round, the lowest table first."""
        rounds: list[list[Game]] = [[(pairs, "") for pairs in self.seated]]
        for tap in self.history[0]:
            if tap.does == "round":
                rounds.append([(pairs, "") for pairs in moved(rounds[-1])])
            else:
                pairs, _ = rounds[tap.number - 1][tap.table - 1]
                rounds[tap.number - 1][tap.table - 1] = pairs, tap.winner
        return rounds

    def fate(self, tap: Tap) -> str:
        """Return what has to become of a tap: `written`, `same` or `refused`."""
        if any(tap.key == it.key for it in self.taps):
            return "same"
        if tap.does != "win" and tap.version != self.version:
            return "refused"
        done, undone = self.history
        match tap.does:
            case "undo":
                return "written" if done else "refused"
            case "redo":
                return "written" if undone else "refused"
            case "round":
                is_done = all(winner for _, winner in self.rounds[-1])
                return "written" if is_done and len(self.rounds) < ROUNDS else "refused"
            case _:
                of = self.rounds[tap.number - 1] if tap.number <= len(self.rounds) else []
                pairs, winner = of[tap.table - 1] if of else (frozenset(), "")
                if of and winner == tap.winner:
                    return "same"
                is_here = of is self.rounds[-1] and tap.winner in (*pairs, "")
                return "written" if is_here and tap.was == winner else "refused"

    def after(self, tap: Tap) -> "Night":
        """Return the night once a tap is written."""
        return Night(self.seated, self.begun, (*self.taps, tap))


def moved(games: Sequence[Game]) -> list[frozenset[str]]:
    """Return who plays where next: winners go up, losers stay, and those of the top table go to the lowest."""
    places, top = [set[str]() for _ in games], len(games) - 1
    for place, (pairs, winner) in enumerate(games):
        (loser,) = pairs - {winner}
        places[min(place + 1, top)].add(winner)
        places[place if place < top else 0].add(loser)
    return [frozenset(pairs) for pairs in places]


@dataclass
class LadderStorm:
    """A night with its phones, each with the last page that it saw."""

    new_browser: Callable[[], Browser]
    phones: dict[str, tuple[Browser, str]] = field(default_factory=dict)
    pages: dict[str, Answer] = field(default_factory=dict)
    nights: list[Night] = field(default_factory=list)
    """What the night may be: of two phones that tap at once, either may have been first."""
    unanswered: list[tuple[Tap, str, dict[str, str]]] = field(default_factory=list)
    unseen: list[Tap] = field(default_factory=list)
    """Taps that may reach the server yet."""
    steps: int = 0
    acknowledged: int = 0
    questions: int = 0
    """None is asked here."""
    log: list[str] = field(default_factory=list)

    def begin(self, phones: int) -> None:
        """Begin a night on a phone, and let others score it."""
        host = self.new_browser()
        form = host.get("/nights/new").form("/nights/new")
        answer = host.post(form.action, {**form.fields, "title": "Storm", "rounds": str(ROUNDS)})
        path = urlsplit(answer.location).path.removesuffix("pairs")
        form = host.get(f"{path}pairs").form("/pairs")
        host.post(form.action, {**form.fields, "roster": "\n".join(PAIRS)})
        form = host.get(f"{path}pairs").form("/start")
        host.post(form.action, form.fields)
        self.phones["host"] = host, path
        for number in range(1, phones):
            browser = self.new_browser()
            self.phones[f"scorer {number}"] = browser, self._join(browser)
        for name in self.phones:
            self.look(name)
        seated = tuple(pairs for pairs, _ in self._games()[0])
        self.nights = [Night(seated, self._version("host"))]

    def _join(self, browser: Browser) -> str:
        host, path = self.phones["host"]
        form = host.get(f"{path}phones").form("/phones/invite")
        invited = host.get(host.post(form.action, {**form.fields, "role": "scorer"}).location)
        address = enter_pin(browser, invited)
        join = browser.get(address).form(address)
        return urlsplit(browser.post(join.action, {**join.fields, "pair": ""}).location).path

    def look(self, name: str) -> None:
        """Open the night anew on a phone."""
        browser, path = self.phones[name]
        self.pages[name] = browser.get(path)

    def _version(self, name: str) -> int:
        return max(int(form.fields.get("version", 0)) for form in self.pages[name].forms)

    # ---------- taps ----------

    def tap_of(self, name: str, draw: Callable[[int], int]) -> tuple[Tap, str, dict[str, str]] | None:
        """Choose a button of the page that lies open."""
        forms = [form for form in self.pages[name].forms if form.action.partition("/nights/")[2].count("/")]
        chosen = [form for form in forms if re.search(r"/(rounds|undo|redo|tables/\d+)$", urlsplit(form.action).path)]
        if not chosen:
            return None
        form = chosen[draw(len(chosen))]
        fields = {**form.fields}
        path = urlsplit(form.action).path
        does = path.rpartition("/")[2]
        version, key = int(fields.get("version", 0)), fields["client_key"]
        if does == "undo" and not all(night.history[0] for night in self.nights):
            return None  # that would undo the start
        if does in ("undo", "redo"):
            return Tap(name, key, does, version), form.action, fields
        if does == "rounds":
            return Tap(name, key, "round", version, int(fields["round"])), form.action, fields
        buttons = [button for button in form.buttons if button.name == "winner"]
        if not buttons:
            return None
        button = buttons[draw(len(buttons))]
        number, table = (int(it) for it in re.findall(r"/rounds/(\d+)/tables/(\d+)", path)[0])
        winner = button.label if button.value else ""
        was = next((it.label for it in buttons if not it.value), "")
        tap = Tap(name, key, "win", version, number, table, winner, was)
        return tap, form.action, {**fields, "winner": button.value}

    def send(self, taps: Sequence[tuple[Tap, str, dict[str, str]]], lost: Sequence[bool]) -> None:
        """Send taps at once, and look whether some order explains their answers and all that is seen."""
        self.steps += len(taps)
        browsers = {name: browser for name, (browser, _) in self.phones.items()}
        answers = at_once([(tap, partial(browsers[tap.phone].post, url, fields)) for tap, url, fields in taps])
        known = [None if is_lost else answer for answer, is_lost in zip(answers, lost, strict=True)]
        self.unanswered += [job for job, answer in zip(taps, known, strict=True) if answer is None]
        unsure = [tap for (tap, *_), answer in zip(taps, answers, strict=True) if answer is None]
        sure = [(tap, answer) for (tap, *_), answer, got in zip(taps, known, answers, strict=True) if got]
        for (tap, *_), answer in zip(taps, known, strict=True):
            self.log.append(f"{tap} -> {answer.status if answer else 'lost'}")
        self._audit(sure, [*self.unseen, *unsure])
        self.unseen = unsure
        self.acknowledged += sum(answer is not None and answer.status < 400 for answer in known)

    # ---------- what is there ----------

    def _audit(self, sure: Sequence[tuple[Tap, Answer | None]], unsure: Sequence[Tap]) -> None:
        seen, reasons = self._games(), dict[str, None]()
        found = dict[Night, None]()
        posts = [(tap, None) for tap in unsure]
        for night in explained(self.nights, sure, posts, lambda night, it: _after(night, *it, reasons)):
            if night.rounds == seen:
                found[night] = None
            else:
                reasons[f"the list is {seen}\n  and not {night.rounds}"] = None
        if not found:
            raise Broken("\n".join(("No order of the taps explains the night:", *self.log[-30:], "", *reasons)))
        self.nights = [*found][:MOST]

    def _games(self) -> list[list[Game]]:
        host, path = self.phones["host"]
        rows = list(csv.DictReader(StringIO(host.get(f"{path}night.csv").text.removeprefix("\ufeff"))))
        rounds: list[list[Game]] = []
        for row in rows:
            while len(rounds) < int(row["round"]):
                rounds.append([])
            rounds[-1].append((frozenset((row["pair 1"], row["pair 2"])), row["winner"]))
        return rounds


def _after(night: Night, tap: Tap, answer: Answer | None, reasons: dict[str, None]) -> Iterator[Night]:
    """Yield the night after a tap, where its answer agrees."""
    fate = night.fate(tap)
    if answer is not None and (answer.status >= 400) != (fate == "refused"):
        reasons[f"{tap} had to be {fate}, and was {answer.status}"] = None
    else:
        yield night.after(tap) if fate == "written" else night


def evening(
    browser: Callable[[], Browser],
    seed: int,
    *,
    phones: int,
    posts: int,
    gust: Callable[[Random], None] = lambda _rng: None,
) -> LadderStorm:
    """Play a night on so many phones until so many posts have gone out; a `gust` comes before each."""
    rng, storm = Random(seed), LadderStorm(browser)
    storm.begin(phones)
    while storm.steps < posts:
        gust(rng)
        for name in storm.phones:
            if rng.random() < 0.6:
                storm.look(name)
        if storm.unanswered and rng.random() < 0.3:
            again = storm.unanswered.pop(rng.randrange(len(storm.unanswered)))
            storm.send([again], [False])
            continue
        names = rng.sample(sorted(storm.phones), rng.choice((1, 1, 1, 2, 3)))
        chosen = [job for name in names if (job := storm.tap_of(name, rng.randrange))]
        chosen += chosen[:1] if rng.random() < 0.1 else []
        if chosen:
            storm.send(chosen, [rng.random() < 0.2 for _ in chosen])
    return storm
