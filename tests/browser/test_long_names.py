"""Long names of many players leave room for the score: two or three lines of them, then an ellipsis."""

import pytest

from tests.browser.actions import Site
from tests.browser.page_checks import BROKEN_WORDS
from tests.browser.playing import begin_match, play_hand
from tests.common.chromium import Phones
from tests.common.ci import paired

PEOPLE = ("Maximilian-Alexander", "Bartholomew Anderson", "Christopher", "Guadalupe Hernandez", "Alexandria", "Jo")
TALL = """(name) => {
  const many = [...document.querySelectorAll(name)];
  const lines = (it) => Math.round(it.clientHeight / parseFloat(getComputedStyle(it).lineHeight));
  return many.length ? Math.max(...many.map(lines)) : 0;
}"""

FOUR = ("Bartholomew Anders", "Guadalupe Hernandez", "Maximilian-Alexander", "Christopher Lee")


def seated(people: tuple[str, ...]) -> dict[str, str]:
    return {f"seat_{i}": name for i, name in enumerate(people)}


@pytest.mark.parametrize("width", [320, 390])
def test_names_take_few_lines(phones: Phones, site: Site, width: int) -> None:
    match = begin_match(site.client(), "partnership-pitch-six", **seated(PEOPLE))
    match, page = play_hand(match, call="p2:3", took_low="s1"), phones.new(width=width)

    page.goto(match.path)
    assert 1 <= page.evaluate(TALL, ".bar h1 b") <= 2
    assert 1 <= page.evaluate(TALL, ".pc-top b") <= 3

    page.goto(f"{match.path}hands/new")
    assert page.locator(".takers-h").get_by_text("Maximilian-Alexander & Guadalupe Hernandez").count() == 1
    page.goto("/")
    assert 1 <= page.evaluate(TALL, ".sheet-card h2") <= 2


@pytest.mark.parametrize("width", [320, 390])
def test_a_name_breaks_between_its_words(phones: Phones, site: Site, width: int) -> None:
    page = phones.new(width=width)
    page.goto(begin_match(site.client(), **seated(FOUR)).path)

    assert page.evaluate(BROKEN_WORDS, ".pc-top b") == []


WIDE = {
    "double": ("Maximilian-Alexander", "Bartholomew-Benedict", "Anne-Marie Charlotte", "Guadalupe Hernandez-Li"),
    "capitals": tuple("W" * letters for letters in (24, 23, 22, 21)),
    "emoji": tuple(sign * 12 for sign in "🦄🐙🐳🦊"),
    "one word": (
        "Donaudampfschifffahrtsge",
        "Kraftfahrzeughaftpflicht",
        "Rindfleischetikettierung",
        "Supercalifragilisticexpi",
    ),
}
PAGES = (
    *("", "hands/new", "hands/new?by=auction", "hands/new?by=counts", "hands/1", "names", "menu", "history", "tv"),
    *("history/journal", "history/1/remove", "deal", "sits-in", "rules/change", "stop", "whose", "share"),
)
AT_THE_END = ("", "hands/new", "history", "menu", "names", "share", "tv", "what-if")


WIDTHS = (390, 320)
GAMES = ("partnership-pitch", "cutthroat-pitch")


@pytest.mark.parametrize(
    ("people", "game"),
    [pytest.param(WIDE[people], game, id=f"{people}-{game}") for people, game in paired(WIDE, GAMES)],
)
def test_no_name_is_wider_than_the_page(phones: Phones, site: Site, people: tuple[str, ...], game: str) -> None:
    match = play_hand(begin_match(site.client(), game, **seated(people), other_target="7"), call="p2:3")
    code, page, found = match.code, phones.new(), {}

    def measure(paths: tuple[str, ...], when: str) -> None:
        for path in paths:
            page.goto(path)
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 664})
                wide = page.evaluate("document.documentElement.scrollWidth")
                found[when, path.removeprefix(match.path), width] = wide

    measure((*(match.path + rest for rest in PAGES), f"/new/again/{code}"), "while it goes on")
    match = play_hand(match, call="p2:4")
    assert match.offers("Play again")
    measure((*(match.path + rest for rest in AT_THE_END), f"/new/again/{code}", "/"), "at the end")

    assert {where: wide for where, wide in found.items() if wide > where[-1]} == {}
