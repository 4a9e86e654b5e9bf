"""A ladder night in a storm: several phones report winners, start rounds, undo and redo, late, twice and at once.

What a night has to be after some posts is worked out a second time.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from io import StringIO
from urllib.parse import urlsplit

from tests.storm.nights import NightStorm
from tests.storm.phones import Answer, Fields

PAIRS = ("Ann & Cal", "Bea & Dan", "Eve & Finn", "Gus & Hal", "Ida & Jon", "Kay & Lou")
ROUNDS = 6
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

    @property
    def seen(self) -> object:
        """What is seen of it."""
        return self.rounds

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
        if any(tap.key == earlier.key for earlier in self.taps):
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
    tables, top = [set[str]() for _ in games], len(games) - 1
    for index, (pairs, winner) in enumerate(games):
        (loser,) = pairs - {winner}
        tables[min(index + 1, top)].add(winner)
        tables[index if index < top else 0].add(loser)
    return [frozenset(pairs) for pairs in tables]


@dataclass
class LadderStorm(NightStorm[Night, Tap]):
    """A night with its phones, each with the last page that it saw."""

    pages: dict[str, Answer] = field(default_factory=dict)

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
        self.join("phones", {"pair": ""}, phones)
        self.pages = {name: browser.get(path) for name, (browser, path) in self.phones.items()}
        version = max(int(form.fields.get("version", 0)) for form in self.pages["host"].forms)
        self.nights = [Night(tuple(pairs for pairs, _ in self.seen()[0]), version)]

    def job_of(self, name: str) -> tuple[Tap, str, Fields] | None:
        """Choose a button of the page that lies open, or of a new one."""
        if self.rng.random() < 0.6:
            browser, path = self.phones[name]
            self.pages[name] = browser.get(path)
        forms = [form for form in self.pages[name].forms if form.action.partition("/nights/")[2].count("/")]
        chosen = [form for form in forms if re.search(r"/(rounds|undo|redo|tables/\d+)$", urlsplit(form.action).path)]
        if not chosen:
            return None
        form = self.rng.choice(chosen)
        path = urlsplit(form.action).path
        does = path.rpartition("/")[2]
        version, key = int(form.fields.get("version", 0)), form.fields["client_key"]
        if does == "undo" and not all(night.history[0] for night in self.nights):
            return None  # that would undo the start
        if does in ("undo", "redo"):
            return Tap(name, key, does, version), form.action, form.fields
        if does == "rounds":
            return Tap(name, key, "round", version, int(form.fields["round"])), form.action, form.fields
        buttons = [button for button in form.buttons if button.name == "winner"]
        if not buttons:
            return None
        button = self.rng.choice(buttons)
        number, table = map(int, re.findall(r"/rounds/(\d+)/tables/(\d+)", path)[0])
        winner = button.label if button.value else ""
        was = next((button.label for button in buttons if not button.value), "")
        tap = Tap(name, key, "win", version, number, table, winner, was)
        return tap, form.action, {**form.fields, "winner": button.value}

    def is_acknowledged(self, post: Tap, answer: Answer) -> bool:
        """Return whether a tap was not refused."""
        return answer.status < 400

    def seen(self) -> list[list[Game]]:
        """Return the games of each round, as the host's list has them."""
        host, path = self.phones["host"]
        rounds: list[list[Game]] = []
        for row in csv.DictReader(StringIO(host.get(f"{path}night.csv").text.removeprefix("\ufeff"))):
            while len(rounds) < int(row["round"]):
                rounds.append([])
            rounds[-1].append((frozenset((row["pair 1"], row["pair 2"])), row["winner"]))
        return rounds

    def after(self, night: Night, post: Tap, answer: Answer | None, reasons: dict[str, None]) -> Iterator[Night]:
        """Yield the night after a tap, where its answer agrees."""
        fate = night.fate(post)
        if answer is not None and (answer.status >= 400) != (fate == "refused"):
            reasons[f"{post} had to be {fate}, and was {answer.status}"] = None
        else:
            yield night.after(post) if fate == "written" else night
