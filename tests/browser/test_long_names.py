"""Long names of many players leave room for the score: two or three lines of them, then an ellipsis."""

import pytest

from tests.browser.conftest import Site
from tests.browser.playing import play_hand
from tests.chromium import Phones

PEOPLE = ("Maximilian-Alexander", "Bartholomew Anderson", "Christopher", "Guadalupe Hernandez", "Alexandria", "Jo")
TALL = """(name) => {
  const many = [...document.querySelectorAll(name)];
  const lines = (it) => Math.round(it.clientHeight / parseFloat(getComputedStyle(it).lineHeight));
  return many.length ? Math.max(...many.map(lines)) : 0;
}"""

FOUR = ("Bartholomew Anders", "Guadalupe Hernandez", "Maximilian-Alexander", "Christopher Lee")
BROKEN = """(name) => {
  const broken = [];
  for (const it of document.querySelectorAll(name)) {
    const walker = document.createTreeWalker(it, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      for (const word of walker.currentNode.data.matchAll(/[^\\s-]+/g)) {
        const range = document.createRange();
        range.setStart(walker.currentNode, word.index);
        range.setEnd(walker.currentNode, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map((rect) => rect.top)).size > 1) broken.push(word[0]);
      }
    }
  }
  return broken;
}"""


@pytest.mark.parametrize("width", [320, 390])
def test_names_take_few_lines(phones: Phones, site: Site, width: int) -> None:
    form = site.client().open("/new/partnership-pitch-six")
    seats = {f"seat-{i}": name for i, name in enumerate(PEOPLE)}
    match = play_hand(form.send("partnership-pitch-six", seats, press="Start"), call="p2:3", took_low="s1")
    page = phones.new(width=width)

    page.goto(match.path)
    assert 1 <= page.evaluate(TALL, ".bar h1 b") <= 2
    assert 1 <= page.evaluate(TALL, ".pc-top b") <= 3
    assert 1 <= page.evaluate(TALL, ".pad th b") <= 2

    page.goto(f"{match.path}hands/new")
    assert page.locator(".tick-h").get_by_role("button", name="Maximilian-Alexander & Guadalupe Hernandez").count() == 1
    page.goto("/")
    assert 1 <= page.evaluate(TALL, ".sheet-card h2") <= 2


@pytest.mark.parametrize("width", [320, 390])
def test_a_name_breaks_between_its_words(phones: Phones, site: Site, width: int) -> None:
    client = site.client()
    form = client.open("/new/partnership-pitch")
    seats = {f"seat-{i}": name for i, name in enumerate(FOUR)}
    match = play_hand(form.send("partnership-pitch", seats, press="Start"), call="p2:3", took_low="s1")
    page = phones.new(width=width)

    page.goto(match.path)

    assert page.evaluate(BROKEN, ".pc-top b") == []
