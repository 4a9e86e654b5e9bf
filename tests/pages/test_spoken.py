"""A table says in a line what it plays, and starts that."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from flask import Flask

from scorekeeper.pitch.rules.awards import plain_name
from scorekeeper.pitch.rules.house_rules import with_house
from tests.common.library import LIBRARY
from tests.common.phone import Page, Phone
from tests.pages.conftest import PEOPLE

SPOKEN = tomllib.loads((Path(__file__).parent / "spoken.toml").read_text())["spoken"]
FEWEST_RIGHT = 59


def asking(phone: Phone, said: str) -> Page:
    return phone.open(f"/new?{urlencode({'q': said})}")


def fitting(page: Page) -> list[str]:
    """Return the games that are offered as fitting, by their ids, in their order."""
    return [box.attrs["value"] or "" for box in page.part("found").all("input", name="game")]


def chosen(phone: Phone, said: str, game: str) -> str:
    """Choose a game of those that fit, and return where the button leads."""
    page = phone.open(f"/new?{urlencode({'q': said, 'game': game})}")
    return page.part("bottom_bar").one("a").attrs["href"] or ""


def started(phone: Phone, game: str, address: str) -> dict[str, Any]:
    """Start a match, every open question answered with the first answer; return what its rules are."""
    form = phone.open(address).form(game)
    chairs = [name for name in form.fields if name.startswith("seat-")]
    asked = {name: min(offers) for name, offers in form.offered.items() if name not in form.fields}
    match = phone.post(form.action, form.filled({**dict(zip(chairs, PEOPLE, strict=False)), **asked}, press="Start"))
    record = phone.client.get(f"{match.path}record.json").get_json()
    ruleset, faults = with_house(LIBRARY[record["variant"]], record.get("house", {}))
    assert not faults
    players = record["players"]
    return {
        "target": ruleset.winning.target or ruleset.winning.count_down_from,
        "points": ruleset.points_per_hand,
        "players": len(players),
        "sides": len(record.get("sides") or ()) or ruleset.table.partners.get(len(players), len(players)),
        "jokers": ruleset.points.jokers,
        "win_rule": ruleset.winning.win_rule,
        "cards": {plain_name(ruleset.kinds[award]) for award in ruleset.in_play},
    }


def wrongs(phone: Phone, table: dict[str, Any]) -> Iterator[str]:
    """Yield what is not as a table says."""
    wanted = dict(table)
    page, games, nearest = asking(phone, wanted.pop("says")), wanted.pop("games", []), wanted.pop("nearest", [])
    found = fitting(page)
    if page.part("bottom_bar").all("a"):
        yield "a button starts a game that nobody chose"
    for game in nearest:
        if found or LIBRARY[game].name not in page.part("found").text:
            yield f"{game} is not offered as the nearest"
    if games and found[:1] and found[0] not in games:
        yield f"first is {found[0]}"
    for game in games:
        if game not in found:
            yield f"{game} is not offered"
            continue
        match = started(phone, game, chosen(phone, table["says"], game))
        for name, value in wanted.items():
            is_right = match[name] >= set(value) if name == "cards" else match[name] == value
            if not is_right:
                yield f"{game} is started with {name} {match[name]}"


def test_tables_start_what_they_say(app: Flask) -> None:
    # Each has a phone of its own: what a phone has played comes first.
    wrong = {table["says"]: found for table in SPOKEN if (found := [*wrongs(Phone(app.test_client()), table)])}

    assert len(SPOKEN) == 60
    assert len(SPOKEN) - len(wrong) >= FEWEST_RIGHT, "\n".join(f"{says}: {why}" for says, why in wrong.items())
