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
    assert 1 <= page.evaluate(TALL, ".tick-h button span") <= 2
    assert page.locator(".tick-h").get_by_role("button", name="Maximilian-Alexander & Guadalupe Hernandez").count() == 1
    page.goto("/")
    assert 1 <= page.evaluate(TALL, ".sheet-card h2") <= 2
