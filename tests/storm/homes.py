"""A match in two homes: its book file is taken from one to the other, late and twice, and both play on.

Of what both have, the longer one counts in both; where each has something that the other has not, somebody is asked.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from urllib.parse import parse_qs, urlsplit

from tests.storm import weather
from tests.storm.model import Kind, Match, Post
from tests.storm.phones import Answer, Browser
from tests.storm.storm import Broken, Storm

ACTS = tuple(act for act in weather.ACTS if act is not weather.again)
"""What is done in a home: the next match would be in no file yet."""
HERE, FILE = "here", "file"
MOST_FILES = 3
IMPORTS_AN_HOUR = 10**6
"""What a home has to allow."""


@dataclass(frozen=True)
class File:
    """The file of a book, and what the match in it may be."""

    data: bytes
    matches: tuple[Match, ...]


def take_file(storm: Storm) -> File:
    """Download the book of the phone that began or imported the match."""
    return File(storm.owner.browser.get(f"{_book_of(storm.owner.browser)}file").data, tuple(storm.matches))


def _book_of(browser: Browser) -> str:
    """Return the address of the book of a phone; a night begins one, though no match is over."""
    page = browser.get("/matches")
    if not (found := re.search(r"/books/[\w-]+/", page.text)):
        form = browser.get("/nights/new").form("/nights/new")
        browser.post(form.action, form.fields)
        return _book_of(browser)
    return found[0]


def move_in(new_browser: Callable[[], Browser], file: File, storm: Storm) -> Storm:
    """Import a file in a home without any book, where it has to be the match of a storm."""
    browser = new_browser()
    answer = _confirm(browser, _look(browser, file), "")
    if _done(answer) != (1, 0, 0):
        raise Broken(f"Of one new match {answer.location} came in")
    there = Storm(new_browser, storm.table, home="away", matches=list(file.matches))
    page = browser.get(path := _in_book(browser))
    there.add("owner", browser, path, page.forms[0].fields["csrf_token"])
    there.audit([])
    return there


def _in_book(browser: Browser) -> str:
    """Return the address of the match in the book of a phone."""
    (address,) = set(re.findall(r"/books/[\w-]+/matches/[\w-]+", browser.get(_book_of(browser)).text))
    return urlsplit(browser.get(address).location).path


def _look(browser: Browser, file: File) -> Answer:
    form = browser.get("/transfer").form("/transfer")
    return browser.post(form.action, {**form.fields, "record": file.data})


def _confirm(browser: Browser, looked: Answer, counts: str) -> Answer:
    """Import what was looked at, or look at it once more where the match was changed here meanwhile."""
    form = next(form for form in looked.forms if "digest" in form.fields)
    fields = {name: counts if name.startswith("counts-") else value for name, value in form.fields.items()}
    answer = browser.post(form.action, fields)
    return answer if answer.location else _confirm(browser, answer, counts)


def _done(answer: Answer) -> tuple[int, ...]:
    """Return how many matches came in, went on, and were kept beside another one."""
    query = parse_qs(urlsplit(answer.location).query)
    return tuple(int(query[name][0]) for name in ("new", "continued", "kept"))


@dataclass
class Home:
    """A home with its storm, and the matches from files that somebody has said of which one counts."""

    storm: Storm
    decided: set[tuple[str, ...]]

    def bring(self, file: File, rng: Random) -> bool:
        """Import a file, while somebody plays on now and then; return whether the match here is still in the book."""
        storm, counts = self.storm, rng.choice((HERE, HERE, HERE, FILE))
        browser = storm.owner.browser
        looked = _look(browser, file)
        if rng.random() < 0.3:
            rng.choice(ACTS)(storm, rng.randrange)
        answer = _confirm(browser, looked, counts)
        storm.steps += 1
        storm.log.append(f"import of {[len(it.events) for it in file.matches]}, {counts} counts -> {answer.location}")
        found: dict[Match, Match | None] = {}
        for mine, theirs in product(storm.matches, file.matches):
            after, done = self._imported(mine, theirs, counts)
            if done == _done(answer):
                found[after] = theirs if done[2] else None
        if not found:
            raise Broken("\n".join((*storm.log[-20:], f"Nothing explains that {answer.location} was imported.")))
        storm.matches = [*found]
        storm.audit([])
        beside = found[storm.match]
        if beside is None:
            return True
        self.decided |= {_keys(it) for it in file.matches}
        if counts == FILE and not beside.state.is_deleted:
            copy = replace(storm, phones=[], matches=list(file.matches), log=[*storm.log, "in the book"], home="copy")
            copy.add("owner", browser, _in_book(browser), storm.owner.token)
            copy.audit([])
        return counts == HERE

    def _imported(self, mine: Match, theirs: Match, counts: str) -> tuple[Match, tuple[int, ...]]:
        """Return what a match here becomes by one from a file, and what has to be said of it."""
        pairs = zip(_keys(mine), _keys(theirs), strict=False)
        common = next((place for place, (one, other) in enumerate(pairs) if one != other), None)
        if common is None:
            goes_on = len(theirs.events) > len(mine.events)
            return (theirs, (0, 1, 0)) if goes_on else (mine, (0, 0, 0))
        if _keys(theirs) in self.decided or (mine.state.is_deleted and theirs.state.is_deleted):
            return mine, (0, 0, 0)
        title = Post(key=f"copy of {len(theirs.events)}", phone="", role="owner", kind=Kind.TITLE)
        return (mine.after(title) if counts == FILE else mine), (0, 0, 1)


def _keys(match: Match) -> tuple[str, ...]:
    return tuple(event.post.key for event in match.events)


def evening(browser: Callable[[], Browser], away: Callable[[], Browser], seed: int, *, posts: int) -> list[Storm]:
    """Play a match in two homes until so many posts have gone out, or the one in a file counts."""
    rng = Random(seed)
    here = Storm(browser, weather.TABLES[seed % len(weather.TABLES)])
    here.begin()
    here.join("scorer")
    while here.steps < posts // 4 or here.match.state.is_deleted:
        rng.choice(ACTS)(here, rng.randrange)
    files = [take_file(here)]
    homes = [Home(storm, set()) for storm in (here, move_in(away, files[0], here))]
    homes[1].storm.join("scorer")
    playing = homes[1]
    while sum(home.storm.steps for home in homes) < posts:
        chance = rng.random()
        if chance < 0.1:
            files = [take_file(playing.storm), *files][:MOST_FILES]
        elif chance < 0.25:
            playing = rng.choice(homes)
            if not playing.bring(rng.choice((files[0], *files)), rng):
                break
        else:
            rng.choice(ACTS)(playing.storm, rng.randrange)
    return [home.storm for home in homes]
