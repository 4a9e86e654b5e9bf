"""A table types what it plays in one line, or taps its answers, and starts that game."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask

from scorekeeper.pages.find_game.finder import seatings
from scorekeeper.pitch.rules.awards import plain_name
from scorekeeper.pitch.rules.house_rules import with_house
from scorekeeper.pitch.rules.schema import Ruleset
from tests.common.library import LIBRARY
from tests.common.phone import Page, Phone
from tests.common.tables import table
from tests.pages.conftest import PEOPLE

SPOKEN = table(__file__, "spoken.toml")["spoken"]
FRESH = table(__file__, "spoken_fresh.toml")
THIRD = table(__file__, "spoken_third.toml")["spoken"]
OTHERS = table(__file__, "spoken_others.toml")
TYPED_BESIDE = {"points": ("bid", "other-bid"), "target": ("target", "other")}
"""The field of a row of numbers, and the field where a number that is not in the row is typed."""


def asking(phone: Phone, table: dict[str, Any]) -> Page:
    """Search for the line that a table types, or tap its answers row by row."""
    if "says" in table:
        return phone.open(f"/new?{urlencode({'q': table['says']})}")
    page = phone.open("/new")
    for row, answer in table["taps"].items():
        form = page.form("/new#found")
        field, beside = TYPED_BESIDE.get(row, (row, row))
        tapped = field if str(answer) in form.offered[field] else beside
        page = phone.open(f"/new?{urlencode(form.filled({tapped: str(answer)}))}")
    return page


def fitting(page: Page) -> list[str]:
    """Return the games that are offered as fitting, by their ids, in their order."""
    return [box.attrs["value"] or "" for box in page.part("found").all("input", name="game")]


def chosen(page: Page, game: str) -> str:
    """Choose a game of those that fit, and return where the button leads."""
    fields = page.form("/new#found").filled({"game": game})
    return page.phone.open(f"/new?{urlencode(fields)}").part("bottom_bar").one("a").attrs["href"] or ""


def started(phone: Phone, game: str, address: str) -> dict[str, Any]:
    """Start a match with the first answer to every open question, and return its rules."""
    form = phone.open(address).form(game)
    chairs = [name for name in form.fields if name.startswith("seat-")]
    answers = {name: min(offers) for name, offers in form.offered.items() if name not in form.fields}
    match = phone.post(form.action, form.filled({**dict(zip(chairs, PEOPLE, strict=False)), **answers}, press="Start"))
    record = match.record
    ruleset, faults = with_house(LIBRARY[record["variant"]], record.get("house", {}))
    assert not faults
    players = record["players"]
    return {
        "target": ruleset.winning.target or ruleset.winning.count_down_from,
        "points": ruleset.points_per_hand,
        "players": len(players),
        "sides": len(record.get("sides") or ()) or _usual_sides(ruleset, len(players)),
        "jokers": ruleset.points.jokers,
        "low": ruleset.points.low,
        "win_rule": ruleset.winning.win_rule,
        "cards": {plain_name(ruleset.kinds[award]) for award in ruleset.in_play},
    }


def _usual_sides(ruleset: Ruleset, players: int) -> int:
    """Return how many sides a match has that names none: one for each player where they may play alone."""
    offered = seatings(ruleset.table, players)
    return players if "alone" in offered else ruleset.table.partners.get(players, players)


def wrongs(phone: Phone, table: dict[str, Any]) -> Iterator[str]:
    """Yield every difference between the game that is started and what the table plays."""
    not_compared = {"says", "games", "nearest", "taps"}
    wanted = {**table.get("taps", {}), **{name: value for name, value in table.items() if name not in not_compared}}
    wanted.pop("seating", None)
    page, games, nearest = asking(phone, table), table.get("games", []), table.get("nearest", [])
    found = fitting(page)
    if page.part("bottom_bar").all("a"):
        yield "a button starts a game that nobody chose"
    for game in nearest:
        if found or LIBRARY[game].name not in page.part("found").text.replace(" - ", "-"):
            yield f"{game} is not offered as the nearest"
    if games and found[:1] and found[0] not in games:
        yield f"first is {found[0]}"
    for game in games:
        if game not in found:
            yield f"{game} is not offered"
            continue
        match = started(phone, game, chosen(page, game))
        for name, value in wanted.items():
            value = match["players"] if value == "each" else value
            is_right = match[name] >= set(value) if name == "cards" else match[name] == value
            if not is_right:
                yield f"{game} is started with {name} {match[name]}"


@pytest.mark.parametrize(
    ("tables", "fewest_right"),
    [
        (SPOKEN, 59),
        (FRESH["spoken"], 60),
        (THIRD, 60),
        (OTHERS["fourth"], 58),
        (OTHERS["fifth"], 55),
        (OTHERS["sixth"], 9),
        (FRESH["tapped"], 30),
    ],
    ids=["typed", "typed by others", "typed in a hurry", "typed at length", "in short", "of cards", "tapped"],
)
def test_tables_start_what_they_say(app: Flask, tables: list[dict[str, Any]], fewest_right: int) -> None:
    # Each has a phone of its own: what a phone has played comes first.
    results = [(table, [*wrongs(Phone(app.test_client()), table)]) for table in tables]
    wrong = [f"{table.get('says') or table['taps']}: {found}" for table, found in results if found]

    assert len(tables) - len(wrong) >= fewest_right, "\n".join(wrong)
