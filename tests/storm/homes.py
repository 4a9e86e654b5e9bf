"""A match in two homes: its book file is taken from one to the other, late and twice, and both play on.

A file into a home without the book brings the match. Into one that has it the file changes nothing, and the import
reports where the two differ.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from urllib.parse import parse_qs, urlsplit

from tests.storm import weather
from tests.storm.model import Match
from tests.storm.phones import Answer, Browser
from tests.storm.storm import Broken, Storm

ACTS = tuple(act for act in weather.ACTS if act is not weather.again)
"""What is done in a home: the next match would be in no file yet."""
MAX_FILES = 3
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
    answer = _confirm(browser, _look(browser, file))
    if _done(answer) != (1, 0):
        raise Broken(f"Of one new match {answer.location} came in")
    away = Storm(new_browser, storm.table, home="away", matches=list(file.matches))
    page = browser.get(path := _in_book(browser))
    away.add("owner", browser, path, page.forms[0].fields["csrf_token"])
    away.audit([])
    return away


def _in_book(browser: Browser) -> str:
    """Return the address of the match in the book of a phone."""
    (address,) = set(re.findall(r"/books/[\w-]+/matches/[\w-]+", browser.get(_book_of(browser)).text))
    return urlsplit(browser.get(address).location).path


def _look(browser: Browser, file: File) -> Answer:
    form = browser.get("/transfer").form("/transfer")
    return browser.post(form.action, {**form.fields, "record": file.data})


def _confirm(browser: Browser, looked: Answer) -> Answer:
    """Import what was looked at."""
    form = next(form for form in looked.forms if "digest" in form.fields)
    return browser.post(form.action, form.fields)


def _done(answer: Answer) -> tuple[int, ...]:
    """Return how many matches came in, and how many were left for they differ."""
    query = parse_qs(urlsplit(answer.location).query)
    return tuple(int(query[name][0]) for name in ("new", "left"))


def bring(storm: Storm, file: File, rng: Random) -> None:
    """Import a file in a home that has its match, while somebody plays on now and then."""
    browser = storm.owner.browser
    looked = _look(browser, file)
    if rng.random() < 0.3:
        rng.choice(ACTS)(storm, rng.randrange)
    answer = _confirm(browser, looked)
    storm.steps += 1
    storm.log.append(f"import of {[len(match.events) for match in file.matches]} -> {answer.location}")
    found = [
        mine
        for mine in storm.matches
        if any(_done(answer) == (0, int(_keys(mine) != _keys(theirs))) for theirs in file.matches)
    ]
    if not found:
        raise Broken("\n".join((*storm.log[-20:], f"Nothing explains that {answer.location} was imported.")))
    storm.matches = found
    storm.audit([])


def _keys(match: Match) -> tuple[str, ...]:
    return tuple(event.post.key for event in match.events)


def evening(browser: Callable[[], Browser], away: Callable[[], Browser], seed: int, *, posts: int) -> list[Storm]:
    """Play a match in two homes until so many posts have gone out."""
    rng = Random(seed)
    here = Storm(browser, weather.TABLES[seed % len(weather.TABLES)])
    here.begin()
    here.join("scorer")
    while here.steps < posts // 4 or here.match.state.is_deleted:
        rng.choice(ACTS)(here, rng.randrange)
    files = [take_file(here)]
    homes = [here, move_in(away, files[0], here)]
    homes[1].join("scorer")
    playing = homes[1]
    while sum(home.steps for home in homes) < posts:
        chance = rng.random()
        if chance < 0.1:
            files = [take_file(playing), *files][:MAX_FILES]
        elif chance < 0.25:
            playing = rng.choice(homes)
            bring(playing, rng.choice((files[0], *files)), rng)
        else:
            rng.choice(ACTS)(playing, rng.randrange)
    return homes
